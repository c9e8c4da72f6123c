#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf record --stalls and report --stalls: all samples come from lines of the
# scenario, so that each number is known. Lunar Lake has eight XeCores, each of
# which writes the rows in turn; a row has an address divided by 8.
. tests/tool/lib.sh

data=$work/data
lunar="$sim --strict --gpu lnl,eu-stall-rate=0 --"
rows="$sim ctl set eu-stall-row '0x2000 sbid=80 send=10 active=10'
	$sim ctl set eu-stall-row '0x2008 active=50 dist_acc=25 pipestall=25'
	$sim ctl set eu-stall-row '0x8000 sync=100 weight=2'"

# until samples of 0x800 are in the recording that is being written, whose report
# names this command, too
written="until '$tool' report --stalls '$data' 2> /dev/null | grep -q '0x80[0]'
	do sleep .1; done"

# record_rows OPTION...: 8 XeCores write 20 rows each, of which a quarter is the
# first line, a quarter the second, and half the third
record_rows()
{
	$lunar "$tool" record --stalls -o "$data" "$@" -- sh -c "$rows
		$sim ctl set eu-stall-emit 20; exit 3"
}

# ---------------------------------------------------------------- a recording
status "record --stalls exits with the status of its command" 3 record_rows
has "record --stalls prints the number of samples and how to report" \
	"$work/err" \
	"^drmperf record: 16000 samples of EU stalls, of all programs, in $data \(drmperf report --stalls $data\)\$"
run 0 "$tool" report --stalls "$data"
same "report --stalls prints tables of reasons, kernels and instructions" \
	<(grep -v 'while this ran' "$work/out" |
	grep -v '^	*'"$sim") "
 16,000 samples of all programs, one every 1757 GPU clocks
 GPU 0: Lunar Lake at 0000:00:02.0

    share         samples  reason
   50.0 %           8,000  sync: waits at a synchronization or a barrier
   20.0 %           3,200  scoreboard: waits for the result of a message (SBID), mostly from memory
   15.0 %           2,400  active: the instruction was issued
    6.2 %           1,000  distance: waits for the result of an earlier instruction in order, or for the accumulator
    6.2 %           1,000  pipe: its execution pipe is busy
    2.5 %             400  send: the queue of messages to shared functions, as of memory and samplers, is full

    share         samples   issued  kernel              not issued for
   50.0 %           8,000   30.0 %  0x10000 to 0x10040  scoreboard 40.0 %, distance 12.5 %, pipe 12.5 %, send 5.0 %
   50.0 %           8,000    0.0 %  0x40000             sync 100.0 %

    share         samples   issued  instruction  not issued for
   50.0 %           8,000    0.0 %  0x40000      sync 100.0 %
   25.0 %           4,000   10.0 %  0x10000      scoreboard 80.0 %, send 10.0 %
   25.0 %           4,000   50.0 %  0x10040      distance 25.0 %, pipe 25.0 %

 no kernel is known at 0x10000 to 0x10040, 0x40000: 100.0 % of the samples (--symbols)"
run 0 "$tool" report --stalls --csv "$data"
same "report --stalls --csv prints a line per reason" \
	"$work/out" "schema,device,address,kernel,offset,reason,issued,samples,share
1,0,0x40000,,,sync,no,8000,50
1,0,0x10000,,,active,yes,400,2.5
1,0,0x10000,,,scoreboard,no,3200,20
1,0,0x10000,,,send,no,400,2.5
1,0,0x10040,,,active,yes,2000,12.5
1,0,0x10040,,,distance,no,1000,6.25
1,0,0x10040,,,pipe,no,1000,6.25"
run 0 "$tool" report --stalls -x ';' -o "$work/file" "$data"
has "-x and -o write CSV with another separator to a file" "$work/file" \
	'^1;0;0x40000;;;sync;no;8000;50$'
run 0 "$tool" report --stalls --json "$data"
json "report --stalls --json has samples by reason and instruction" \
	"$work/out" '.schema == 1 and .command[0] == "sh" and
	(.devices | length) == 1 and (.devices[0] | .device == 0 and
	.period_cycles == 1757 and .all_programs and .losses == 0 and
	.sum == 16000 and .samples == {"active": 2400, "scoreboard": 3200,
	"send": 400, "distance": 1000, "pipe": 1000, "sync": 8000} and
	([.instructions[].address] == [262144, 65536, 65600]) and
	.instructions[2].samples ==
	{"active": 2000, "distance": 1000, "pipe": 1000})'
run 0 "$tool" report --stalls --flame "$work/flame" "$data"
same "report --flame writes collapsed stacks" \
	"$work/flame" "all programs;0x10000 to 0x10040;active 2400
all programs;0x10000 to 0x10040;scoreboard 3200
all programs;0x10000 to 0x10040;send 400
all programs;0x10000 to 0x10040;distance 1000
all programs;0x10000 to 0x10040;pipe 1000
all programs;0x40000;sync 8000"
empty "report --flame prints no table" "$work/out"
run 125 "$tool" report "$data"
has "report points at --stalls for a recording of samples only" "$work/err" \
	'has no events, only samples of EU stalls \(drmperf report --stalls'
empty "a recording that was ended is whole" <(grep 'cut off' "$work/err")


# rects FILE: name, samples, place and width of each frame of a page
rects()
{
	sed -n 's/.*<title>\(.*\)<\/title><rect x="\([^"]*\)" y="\([^"]*\)" width="\([^"]*\)".*/\1 at \2 \3 wide \4/p' \
		"$1"
}

run 0 "$tool" report --stalls --html "$work/page" "$data"
empty "report --stalls --html prints no table" "$work/out"
same "report --stalls --html draws programs, kernels and reasons" \
	<(rects "$work/page") "GPU 0, all programs: 16,000 samples, 100.0 % at 0.00 40 wide 1000.00
0x10000 to 0x10040: 8,000 samples, 50.0 % at 0.00 20 wide 500.00
scoreboard: 3,200 samples, 20.0 % at 0.00 0 wide 200.00
active: 2,400 samples, 15.0 % at 200.00 0 wide 150.00
distance: 1,000 samples, 6.2 % at 350.00 0 wide 62.50
pipe: 1,000 samples, 6.2 % at 412.50 0 wide 62.50
send: 400 samples, 2.5 % at 475.00 0 wide 25.00
0x40000: 8,000 samples, 50.0 % at 500.00 20 wide 500.00
sync: 8,000 samples, 50.0 % at 500.00 0 wide 500.00"
if python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$work/page" 2> "$work/err"; then
	ok "a page of flame graphs is well-formed"
else
	not_ok "a page of flame graphs is well-formed" "$work/err"
fi

# ---------------------------------------------------------------- names
mkdir "$work/symbols" "$work/none"
printf '10000 20 first;kernel\nnonsense\n1234567800010020 40 second\n' \
	> "$work/symbols/a.map"
echo "no ELF file" > "$work/symbols/text"
run 0 "$tool" report --stalls --symbols "$work/symbols" "$data"
has "a map file names kernels" "$work/out" \
	'^ +25\.0 % +4,000 +10\.0 %  first;kernel +scoreboard 80\.0 %' \
	'^ +25\.0 % +4,000 +50\.0 %  second\+0x20 +distance' \
	'^ no kernel is known at 0x40000: 50\.0 % of the samples'
run 0 "$tool" report --stalls --symbols "$work/symbols" \
	--flame "$work/flame" "$data"
has "a frame of a stack has no semicolon" "$work/flame" \
	'^all programs;first,kernel;scoreboard 3200$'
printf '40000 20 <&">\n' > "$work/symbols/b.map"
run 0 "$tool" report --stalls --symbols "$work/symbols" \
	--html "$work/page" "$data"
has "a page has names of kernels, with entities" "$work/page" \
	'<title>first;kernel: ' '<title>&lt;&amp;&quot;&gt;: 8,000 samples'
# elf FILE ADDRESS: a module with the kernel "matmul" of 256 bytes
elf()
{
	python3 - "$1" "$2" << 'END'
import struct, sys
names = b"\0.text.matmul\0.shstrtab\0"
code = bytes(256)
def section(name, kind, address, offset, size):
    return struct.pack("<IIQQQQIIQQ", name, kind, 6, address, offset, size,
                       0, 0, 0, 0)
at = 64 + len(code) + len(names)
head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 0xff12, 205, 1, 0, 0, at, 0, 64, 0, 0, 64, 3, 2)
open(sys.argv[1], "wb").write(
    head + code + names + bytes(64) +
    section(1, 1, int(sys.argv[2], 0), 64, len(code)) +
    section(14, 3, 0, 64 + len(code), len(names)))
END
}
rm -r "$work/symbols"/*
elf "$work/symbols/module.elf" 0xffff800100040000
run 0 "$tool" report --stalls --symbols "$work/symbols" --csv "$data"
has "a module of the runtime names its kernels" "$work/out" \
	'^1,0,0x40000,"matmul",0x0,sync,no,8000,50$' \
	'^1,0,0x10000,,,scoreboard,no,3200,20$'
# texts of instructions are those of iga64, or of what is found in its place
mkdir "$work/bin"
cat > "$work/bin/iga64" << 'END'
#!/bin/sh
[ "$*" = "-d -Xprint-pc -p=xe2 /dev/stdin" ] || exit 1
[ "$(wc -c)" = 256 ] || exit 1
echo L0:
echo '/* [0000]  */   (W)  mov (16|M0)     r1.0<1>:f     r2.0<1;1,0>:f   '
echo '/* [0010]  */        add (16|M0)     r3.0<1>:f     r1.0<1;1,0>:f   '
END
chmod +x "$work/bin/iga64"
run 0 env PATH="$work/bin:$PATH" \
	"$tool" report --stalls --symbols "$work/symbols" "$data"
has "report has the text of an instruction below it" "$work/out" \
	'^ +50\.0 % +8,000 +0\.0 %  matmul\+0x0 +sync 100\.0 %$' \
	'^ {36}\(W\) mov \(16\|M0\) r1\.0<1>:f r2\.0<1;1,0>:f$'
lacks "instructions outside the listing have no text" "$work/out" 'add \(16'
run 0 env PATH="$work/bin:$PATH" \
	"$tool" report --stalls --symbols "$work/symbols" --json "$data"
json "report --json has the text of an instruction" "$work/out" \
	'[.devices[0].instructions[].text] ==
	["(W) mov (16|M0) r1.0<1>:f r2.0<1;1,0>:f", null, null]'
printf '#!/bin/sh\nexit 1\n' > "$work/bin/iga64"
run 0 env PATH="$work/bin:$PATH" \
	"$tool" report --stalls --symbols "$work/symbols" "$data"
lacks "instructions have no text without a listing" "$work/out" 'M0'
# iga64 has one name for both kinds of Xe3p
cat > "$work/bin/iga64" << END
#!/bin/sh
echo "\$3" >> '$work/named'
END
elf "$work/symbols/module.elf" 0x40000
for gpu in pvc lnl bmg ptl nvl nvlp cri; do
	run 0 $sim --gpu $gpu,eu-stall-rate=0 -- "$tool" record --stalls \
		-o "$work/named.data" -- sh -c \
		"$sim ctl set eu-stall-row '0x8000 sync=100'
		$sim ctl set eu-stall-emit 1"
	run 0 env PATH="$work/bin:$PATH" "$tool" report --stalls \
		--symbols "$work/symbols" "$work/named.data"
done
same "report asks iga64 for what each GPU executes by a name it has" \
	"$work/named" "-p=xehpc
-p=xe2
-p=xe2
-p=xe3
-p=xe3
-p=xe3pxpc
-p=xe3pxpc"
elf "$work/symbols/module.elf" 0
run 0 "$tool" report --stalls --symbols "$work/symbols" "$data"
has "report says that a module of a compiler has no addresses" "$work/err" \
	'none of the 1 kernels in its ELF files has an address'
# bytes that are cut off anywhere are no module
elf "$work/symbols/module.elf" 0x40000
fine=yes
for size in 1 63 64 320 340 400 472 535; do
	head -c $size "$work/symbols/module.elf" > "$work/none/module.elf"
	"$tool" report --stalls --symbols "$work/none" "$data" \
		> "$work/out" 2> "$work/err" || fine=
	grep -q '50.0 %.*sync' "$work/out" || fine=
done
if [ -n "$fine" ]; then
	ok "damaged modules are left out"
else
	not_ok "damaged modules are left out" "$work/err"
fi
run 125 "$tool" report --stalls --symbols "$work/missing" "$data"
has "report --symbols refuses a missing folder" \
	"$work/err" 'missing: No such file'

# ---------------------------------------------------------------- beside events
status "record --stalls records counters as well" \
	0 $lunar "$tool" record --stalls=300 \
	-e xe::RenderBasic.GpuTime -o "$data" -- sh -c "$rows
	$sim ctl set eu-stall-emit 4"
run 0 "$tool" report "$data"
has "report shows counters recorded with samples" \
	"$work/out" 'xe::RenderBasic.GpuTime$'
run 0 "$tool" report --stalls "$data"
run 0 "$tool" report --html "$work/page" "$data"
has "report --html has plots and a flame graph" "$work/page" \
	'<svg class="plot"' '<svg class="flame"' '<title>0x40000: 1,600 samples'
run 0 "$tool" report --stalls "$data"
has "record --stalls=N samples at the requested period" "$work/out" \
	'^ 3,200 samples of all programs, one every 251 GPU clocks$' \
	'^ +50\.0 % +1,600 +0\.0 %  0x40000 +sync 100\.0 %$'
run 0 $sim --gpu sklgt2 -- "$tool" record -e i915::oa.GpuTime -o "$data" -- true
run 125 "$tool" report --stalls "$data"
has "report --stalls refuses a recording without samples" "$work/err" \
	'has no samples of EU stalls: record them with drmperf record --stalls'
run 0 $lunar "$tool" record --stalls -o "$data" -- true
run 0 "$tool" report --stalls "$data"
has "report --stalls says that nothing ran" \
	"$work/out" '^ no samples: nothing ran'

# ---------------------------------------------------------------- as events
# the rows are written, and read by the program that counts
cat > "$work/rows" << END
$rows
before=\$($sim ctl calls xe_eu_stall_read)
$sim ctl set eu-stall-emit 20
until [ "\$($sim ctl calls xe_eu_stall_read)" -gt "\$before" ]; do sleep .1; done
END
run 0 $lunar "$tool" stat -M stalls --json -o "$work/json" -- bash "$work/rows"
json "stat -M stalls has the share of each reason" "$work/json" \
	'[.events[] | {(.event): .value}] | add |
	."xe::stall.active-share" == 15 and
	."xe::stall.scoreboard-share" == 20 and
	."xe::stall.send-share" == 2.5 and
	."xe::stall.distance-share" == 6.25 and
	."xe::stall.sync-share" == 50 and
	."xe::stall.tdr-share" == 0 and ."xe::stall.losses" == 0'
run 0 $lunar "$tool" stat -e xe::stall.sync,xe::RenderBasic.GpuTime -- \
	bash "$work/rows"
has "stat counts samples by reason together with counters" "$work/err" \
	'^ +8,000  samples .*  xe::stall\.sync$' \
	'  xe::RenderBasic\.GpuTime$'
run 0 $lunar "$tool" record -e xe::stall.sync -o "$data" -- bash "$work/rows"
run 0 "$tool" report "$data"
has "record counts samples by reason" "$work/out" \
	'^ +8,000  samples .*  xe::stall\.sync$'
run 0 $lunar "$tool" list xe::stall
has "list has reasons with the unit samples" "$work/out" \
	'xe::stall\.scoreboard' 'Samples of threads, not cycles'
run 125 $sim --gpu mtl,driver=xe -- "$tool" stat -e xe::stall.sync -- true
has "stat refuses samples on a GPU that has none" "$work/err" \
	'^drmperf stat: Meteor Lake has no event "stall\.sync"'
run 125 $sim --gpu mtl,driver=xe -- "$tool" stat -M stalls -- true
has "stat -M stalls is refused on a GPU that has none" "$work/err" \
	'has no metric group "stalls"'
run 125 $lunar sh -c "'$tool' record --stalls -o '$data' -- \
	'$tool' stat -e xe::stall.sync -- true"
has "stat is refused while another process samples" "$work/err" \
	'EU stalls of the GPU are being sampled already'
run 125 $sim --unprivileged --gpu lnl -- "$tool" stat -e xe::stall.sync -- true
has "stat of samples as an ordinary user names the sysctl" "$work/err" \
	'^try: .*dev.xe.observation_paranoid=0'

# ---------------------------------------------------------------- two GPUs
run 0 $sim --gpu sklgt2 --gpu lnl,eu-stall-rate=0 --gpu ptl,eu-stall-rate=0 -- \
	"$tool" record --stalls -o "$data" -- sh -c "
	$sim ctl set gpu1.eu-stall-row '0x100 cores=0x1 sync=1'
	$sim ctl set gpu2.eu-stall-row '0x200 cores=0x1 tdr=2'
	$sim ctl set gpu1.eu-stall-emit 7
	$sim ctl set gpu2.eu-stall-emit 9"
run 0 "$tool" report --stalls --csv "$data"
same "each GPU that can be sampled has its own samples" "$work/out" \
	"schema,device,address,kernel,offset,reason,issued,samples,share
1,1,0x800,,,sync,no,7,100
1,2,0x1000,,,tdr,no,18,100"
run 0 "$tool" report --stalls --flame "$work/flame" "$data"
has "collapsed stacks name the GPU if there are several" "$work/flame" \
	'^GPU 1, all programs;0x800;sync 7$'
run 0 $sim --gpu lnl,eu-stall-rate=0 --gpu ptl,eu-stall-rate=0 -- \
	"$tool" record --stalls -d 1 -o "$data" -- true
run 0 "$tool" report --stalls --json "$data"
json "record --stalls -d samples the GPU it names" \
	"$work/out" '[.devices[].device] == [1]'

# ---------------------------------------------------------------- mishaps
run 0 $lunar "$tool" record --stalls -o "$data" -- sh -c "
	$sim ctl set eu-stall-row '0x100 cores=0x1 sync=1'
	$sim ctl set eu-stall-emit 9000"
has "record reports dropped samples" "$work/err" \
	'8192 samples of EU stalls' 'the GPU dropped samples of EU stalls once'
run 0 "$tool" report --stalls "$data"
has "report mentions dropped samples" "$work/out" \
	'^ the GPU dropped samples once, how many is not known$' '8,192'
run 125 $lunar "$tool" record --stalls -o "$data" -- sh -c "
	$sim ctl set eu-stall-row '0x100 cores=0x1 sync=1'
	$sim ctl set eu-stall-emit 5
	$written
	$sim ctl reset-gpu 0
	until grep -q reset '$work/err'; do sleep .01; done
	echo out"
same "the command goes on when a reset ends the samples" "$work/out" out
has "record reports a reset that ends the samples" "$work/err" \
	'^drmperf record: the GPU, or an engine of it, was reset, which ends' \
	'^try: begin to sample again'
"$tool" report --stalls "$data" > "$work/out" 2> "$work/err"
has "report has the samples before a reset" "$work/out" \
	'^ +100\.0 % +5 +0\.0 %  0x800 +sync 100\.0 %$'
has "report says why a recording of samples ended early" "$work/err" \
	'the recording ended early: .*was reset'
run 125 $sim --unprivileged --gpu lnl -- "$tool" record --stalls -o "$data" -- \
	true
has "the error for an ordinary user names the sysctl" "$work/err" \
	'^drmperf record: the kernel refuses to sample EU stalls' \
	'^try: .*dev.xe.observation_paranoid=0'
run 125 $lunar sh -c "'$tool' record --stalls -o '$data' -- \
	'$tool' record --stalls -o '$data.2' -- true"
has "record --stalls is refused while another process samples" "$work/err" \
	'^drmperf record: EU stalls of the GPU are being sampled already'
for gpu in mtl,driver=xe sklgt2 vega10 lnl,eu-stall=off; do
	run 125 $sim --gpu $gpu -- "$tool" record --stalls -o "$data" -- true
	has "$gpu: record --stalls is refused with a remedy" \
		"$work/err" '^drmperf record: .*EU stalls|no samples' \
		'^try: '
done
has "the remedy for an old kernel names the release needed" \
	"$work/err" '^try: use Linux 6.15 or later'

# a recording that is killed is good up to there, and the GPU is free again
cat > "$work/kill" << END
"$tool" record --stalls -a -o "$data" &
# counted when the stream is enabled
until [ "\$($sim ctl calls xe_eu_stall_ioctl)" -gt 0 ]; do sleep .1; done
$sim ctl set eu-stall-row '0x100 cores=0x1 sync=1'
$sim ctl set eu-stall-emit 5
$written
kill -9 \$!
wait \$!
"$tool" record --stalls -o "$data.2" -- $sim ctl set eu-stall-emit 6
END
run 0 $lunar bash "$work/kill"
lacks "after a kill the GPU can be sampled again" "$work/err" '^exit status'
run 0 "$tool" report --stalls --csv "$data.2"
has "samples after a kill begin from 0" \
	"$work/out" '^1,0,0x800,,,sync,no,6,100$'
run 0 "$tool" report --stalls --csv "$data"
has "a recording that was killed has the samples written" \
	"$work/out" '^1,0,0x800,,,sync,no,5,100$'
has "report says that a recording that was killed was cut off" \
	"$work/err" 'was cut off'

# ---------------------------------------------------------------- usage
run 129 "$tool" report --symbols "$work" "$data"
has "--symbols is refused without --stalls" "$work/err" 'go with --stalls'
run 129 "$tool" report --stalls --perfetto "$work/page" "$data"
has "--stalls is refused together with --perfetto" \
	"$work/err" '^drmperf report: --stalls'
run 129 "$tool" record --stalls=0 -- true
has "record --stalls=0 is refused" "$work/err" -- '--stalls'
finish
