#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat for those who come from perf or ROC profiler: groups in braces,
# files of events, -d, -p, -D, --timeout, -x, --append, names of CPUs' events.
. tests/tool/lib.sh

events=amdgpu::TCC.REQ,amdgpu::GRBM.GUI_ACTIVE
advance="$sim ctl advance"
two="$sim --strict --time virtual --scenario tests/tool/vega10.scenario
	--gpu vega10 --gpu vega10 --"

# counted NAME TEXT: pass, device, event, instance and value of the records
counted()
{
	same "$1" <(tail -n +2 "$work/out" | cut -d, -f3,4,6,7,8) "$2"
}

# ---------------------------------------------------------------- help
for words in "stat --help" "stat -h" "help stat"; do
	# shellcheck disable=SC2086
	status "drmperf $words" 0 "$tool" $words
	has "tells of stat" "$work/out" '^usage: drmperf stat '
done
status "stat -h behind options" 0 "$tool" stat -a -h
for words in --help -h help; do
	status "drmperf $words" 0 "$tool" $words
	has "tells of all" "$work/out" '^usage: drmperf COMMAND '
done
run 129 "$tool" help nothing
has "help on what there is not is misuse" "$work/err" \
	'no command "nothing"' '^try: drmperf --help'

# ---------------------------------------------------------------- braces
six='TCC.REQ,TCC.READ,TCC.WRITE,TCC.HIT,TCC.MISS,GRBM.GUI_ACTIVE'
run 0 $vega "$tool" stat --csv -e '{TCC.REQ,TCC.READ} GRBM.GUI_ACTIVE' \
	$advance 1s
counted "braces that one pass holds change nothing" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
empty "and are not worth a word" "$work/err"
run 125 $vega "$tool" stat -e "$six,{TCC.MISS,GRBM.GUI_ACTIVE}" -- true
has "what one pass does not hold is refused as ever" "$work/err" \
	'the events take 2 passes' '--passes runs the command once per pass'
# The first pass has room for four of TCC, so without braces it has REQ.
run 0 $vega "$tool" stat --csv --passes --control none \
	-e "{TCC.REQ,TCC.MISS},{TCC.READ,TCC.WRITE,TCC.HIT},GRBM.GUI_ACTIVE" \
	-- $advance 1s
counted "what is in braces stays together" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.MISS,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000
2,0,amdgpu::TCC.READ,,0
2,0,amdgpu::TCC.WRITE,,0
2,0,amdgpu::TCC.HIT,,0"
lacks "in no more passes than without" "$work/err" 'braces'
run 0 $vega "$tool" stat --csv --passes --control none -e "{TCC.REQ,TCC.MISS,
	TCC.READ} {TCC.WRITE TCC.HIT,TCC.BUSY} {TCC.REQ,TCC.HIT,TCC.TAG_STALL}" \
	-- $advance 1s
has "what takes more passes tells so" "$work/err" \
	'braces stay together: that takes 3 passes, 2 without braces'
counted "an event of two groups is counted with both" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.MISS,,0
1,0,amdgpu::TCC.READ,,0
2,0,amdgpu::TCC.WRITE,,0
2,0,amdgpu::TCC.HIT,,0
2,0,amdgpu::TCC.BUSY,,0
3,0,amdgpu::TCC.REQ,,16000
3,0,amdgpu::TCC.HIT,,0
3,0,amdgpu::TCC.TAG_STALL,,0"
run 125 $vega "$tool" stat --passes -e "{$six}" -- touch "$work/ran"
has "braces around too much" "$work/err" 'group TCC of device 0 counts 4' \
	'^remedy: leave out one of' '^or: take it out of its braces'
lacks "are refused" "$work/err" '^exit status'
absent "before anything runs" "$work/ran"
for list in '{TCC.REQ' 'TCC.REQ}' '{TCC.REQ,{TCC.HIT}}' '{}' '}{'; do
	run 129 $vega "$tool" stat -e "$list" -- true
	has "'$list' is misuse" "$work/err" 'braces are for|list of events is empty'
	lacks "with its status" "$work/err" '^exit status'
done

# ---------------------------------------------------------------- files
cat > "$work/list" << 'END'
# what is read
TCC.REQ, TCC.HIT	# and hits

{TCC.READ GRBM.GUI_ACTIVE}
END
run 0 $vega "$tool" stat --csv -i "$work/list" $advance 1s
counted "a file with a list" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.HIT,,0
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
printf '%s\r\n' '# of ROC profiler' 'pmc: TCC_REQ TCC_REQ[3] GRBM_GUI_ACTIVE' \
	'' 'pmc : TCC_READ' 'range: 0 : 1' 'gpu:' 'kernel: copy' \
	'hsa: hsa_queue_create' > "$work/roc"
run 0 $vega "$tool" stat --csv -i "$work/roc" -e TCC.MISS $advance 1s
counted "a file of ROC profiler, beside -e" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.REQ,3,1000
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::TCC.MISS,,0"
has "what it says of kernels has no effect, which is told" "$work/err" \
	'has no effect: range: 0 : 1' 'has no effect: kernel: copy' \
	'has no effect: hsa: hsa_queue_create'
lacks "what is empty is not" "$work/err" 'gpu:'
printf 'pmc: TCC_REQ TCC_READ TCC_WRITE\npmc: TCC_HIT TCC_MISS\n' > "$work/roc"
run 0 $vega "$tool" stat --csv --passes --control none -i "$work/roc" $advance 1s
counted "each of its lines is counted in one pass" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::TCC.WRITE,,0
2,0,amdgpu::TCC.HIT,,0
2,0,amdgpu::TCC.MISS,,0"
printf '\357\273\277PMC : TCC_REQ GRBM_GUI_ACTIVE\n#pmc: TCC_READ\n# pmc : X\nGpu: 0\n' \
	> "$work/roc"
run 0 $vega "$tool" stat --csv -i "$work/roc" $advance 1s
counted "a file with a byte order mark, capitals and lines that are comments" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
has "a word in capitals that has no effect is known" "$work/err" \
	'has no effect: Gpu: 0'
printf '#pmc: TCC_REQ\n' > "$work/roc"
status "a file whose lines are all comments" 125 \
	$vega "$tool" stat -i "$work/roc" true
has "the file is said to have comments for events" "$work/err" \
	'has no events: its pmc lines begin with #'
printf '<metric name=SQ_WAVES,GRBM_COUNT></metric>\n' > "$work/roc"
status "a file of XML" 125 $vega "$tool" stat -i "$work/roc" true
has "the message says that it is XML, and what to write" "$work/err" \
	'this is XML' '^remedy: write "pmc: ' 'roc:1: this line'
# What rocprof prints for an example of its input, where all of it exists, and
# what of it RDNA and MI300 have. Its first line is too long for the eight counters of SQ.
usual='pmc : Wavefronts VALUInsts SALUInsts SFetchInsts FlatVMemInsts LDSInsts FlatLDSInsts GDSInsts VALUUtilization FetchSize'
printf '# Perf counters group 1\n%s\npmc : WriteSize L2CacheHit\n' "$usual" \
	> "$work/gcn"
printf 'pmc : Wavefronts VALUInsts SALUInsts SFetchInsts L2CacheHit\n' \
	> "$work/rdna"
for gpu in polaris10=gcn vega10=gcn vega20=gcn mi100=gcn mi200=gcn mi300=rdna \
	mi350=rdna navi10=rdna navi21=rdna navi31=rdna strix=rdna navi48=rdna; do
	DRMPERF_DIES=one run 0 $sim --time virtual --gpu "${gpu%=*}" -- \
		"$tool" stat --passes --control none --csv \
		-i "$work/${gpu#*=}" -- true
	has "rocprof's usual input is counted on ${gpu%=*}" "$work/out" \
		'metric.Wavefronts' 'metric.VALUInsts' 'metric.SFetchInsts' \
		'metric.L2CacheHit'
done
DRMPERF_DIES=one run 0 $sim --time virtual --gpu vega10 -- "$tool" stat \
	--passes --control none --csv -i "$work/gcn" -- true
has "a pmc line that is too long for a pass is counted in several" \
	"$work/err" '10 events of a pmc line do not fit one pass'
has "each of its events is counted" "$work/out" 'metric.VALUUtilization' \
	'metric.FetchSize' 'metric.GDSInsts' 'metric.WriteSize'
status "without --passes such a line is an error" 125 \
	$sim --gpu vega10 -- "$tool" stat -i "$work/gcn" -- true
echo 'TCC.REQ
TCC.NOSUCH' > "$work/list"
status "a file with a wrong name" 125 $vega "$tool" stat -i "$work/list" true
has "says where" "$work/err" 'TCC.NOSUCH' '^remedy: ' 'list:2: this line'
echo '# nothing' > "$work/list"
status "a file without events" 125 $vega "$tool" stat -i "$work/list" true
has "the output says: list has no events" "$work/err" 'list has no events'
status "a file that is not there" 125 $vega "$tool" stat -i "$work/none" true
has "the output says: none: No such file" "$work/err" 'none: No such file'
status "a folder" 125 $vega "$tool" stat -i "$work" true
has "the output says: Is a directory" "$work/err" 'Is a directory'

# ---------------------------------------------------------------- which GPU
$two "$tool" info -n > "$work/info" 2>&1
second=$(grep -oE '[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9]' "$work/info" |
	sort -u | sed -n 2p)
for device in 1 "$second" "${second#0000:}"; do
	run 0 $two "$tool" stat --csv -e TCC.REQ -d "$device" \
		-e 'amdgpu::TCC.HIT:instance=6,TCC_MISS[2],GRBM.GUI_ACT*' \
		-e TCC.READ:device=0 -- $advance 1s
	counted "stat -d $device" \
"1,1,amdgpu::TCC.REQ,,16000
1,1,amdgpu::TCC.HIT,6,0
1,1,amdgpu::TCC.MISS,2,0
1,1,amdgpu::GRBM.GUI_ACTIVE,,7000000
1,0,amdgpu::TCC.READ,,0"
	status "clock -d $device" 0 $two "$tool" clock -d "$device"
done
for device in 2 x 0000:ff:00.0 ''; do
	status "stat -d '$device'" 125 $two "$tool" stat -d "$device" -e TCC.REQ true
	has "the output says: there is no device" \
		"$work/err" "there is no device \"$device\""
done
run 0 $vega "$tool" stat --csv --per-instance -e TCC.HIT:instance=2 \
	-e TCC.REQ,GRBM.GUI_ACTIVE -- $advance 1s
same "stat --per-instance" <(tail -n +2 "$work/out" | cut -d, -f6,7,8) \
"amdgpu::TCC.HIT,2,0
$(for ((i = 0; i < 16; i++)); do echo "amdgpu::TCC.REQ,$i,1000"; done)
amdgpu::GRBM.GUI_ACTIVE,,7000000"

# ---------------------------------------------------------------- CPUs
for name in task-clock page-faults:u instructions; do
	run 0 $vega "$tool" split "$name"
	has "perf's $name" "$work/out" "^  perf::$name\$"
done
run 0 $vega "$tool" split -- perf::TASK-CLOCK cs
has "beside names in full" "$work/out" '^  perf::TASK-CLOCK' '^  perf::cs$'
run 125 $vega "$tool" split task-clocks
has "no such event of either" "$work/err" 'task-clocks' '^remedy'

# ---------------------------------------------------------------- output
run 0 $vega "$tool" stat -x ';' -e TCC.REQ $advance 1s
has "stat -x ';'" "$work/out" '^schema;run;pass;' \
	'^1;1;1;0;;amdgpu::TCC.REQ;;16000;requests;0;1000000000;16000;device;no;;;;$'
run 0 $vega "$tool" stat -x '\t' -e TCC.REQ $advance 1s
has "stat -x '\\t'" "$work/out" $'^1\t1\t1\t0\t\tamdgpu::TCC.REQ\t\t16000\t'
run 0 $vega "$tool" stat -x : -e TCC.REQ $advance 1s
has "what holds the separator is quoted" "$work/out" \
	'^1:1:1:0::"amdgpu::TCC.REQ"::16000:requests:'
rm -f "$work/file"
for i in 1 2; do
	run 0 $vega "$tool" stat --csv --append -o "$work/file" -e TCC.REQ \
		-- $advance ${i}s
done
same "stat --append" <(cut -d, -f 1,6,8 "$work/file") "schema,event,value
1,amdgpu::TCC.REQ,16000
1,amdgpu::TCC.REQ,32000"
for i in 1 2; do
	run 0 $vega "$tool" stat --append -o "$work/text" -e TCC.REQ -- true
done
same "tables, too" <(grep -c TCC.REQ "$work/text") 2
run 0 $vega "$tool" stat -o "$work/text" -e TCC.REQ -- true
same "and not without it" <(grep -c TCC.REQ "$work/text") 1

# misuse PATTERN ARGUMENT...
misuse()
{
	local pattern=$1
	shift
	run 129 $vega "$tool" stat "$@"
	has "stat $* is misuse" "$work/err" "$pattern" '^try: drmperf stat --help'
	lacks "with status 129" "$work/err" '^exit status'
}
misuse '-x takes one character' -x '' -e $events -- true
misuse '-x takes one character' -x ';;' -e $events -- true
misuse '-x takes one character' -x '"' -e $events -- true
misuse 'either --csv or --json' -x ';' --json -e $events -- true
misuse '--append appends to the file of -o' --append -e $events -- true
misuse 'either a command or -p PID' -p 1 -e $events -- true
misuse '-p takes a number' -p self -e $events
# an option of the tool
misuse '--timeout is for -a and -p' --timeout 10 -e $events -- true
misuse '-r and --passes run a command' -p 1 -r 2 -e $events
misuse '-D takes a number' -D 0 -e $events -- true

# ---------------------------------------------------------------- when
# What happens before counting begins is not counted. The command knows that it
# has begun by the GPU's counters.
begun="while [ \"\$($sim ctl report | grep -c 'submissions=[1-9]')\" = 0 ]
do sleep 0.02; done"
cat > "$work/early" << END
kill -STOP \$PPID
$sim ctl report | grep -q 'submissions=[1-9]' && touch "$work/late"
$advance 1s
kill -CONT \$PPID
$begun
$advance 2s
END
# The delay has to be longer than a shell takes to begin, on any machine.
for ((delay = 50; delay < 60000; delay *= 2)); do
	rm -f "$work/late"
	run 0 $vega "$tool" stat --csv -D $delay -e TCC.REQ -- sh "$work/early"
	[ -e "$work/late" ] || break
done
has "stat -D" "$work/out" ',amdgpu::TCC.REQ,,32000,requests,0,2000000000,'
status "stat -D of a command that is over by then" 3 $vega "$tool" stat --csv \
	-D 86400000 -e TCC.REQ -- sh -c 'exit 3'
has "the output says: nothing was counted: ...86400000 ms" \
	"$work/err" 'nothing was counted: .*86400000 ms'
empty "and nothing is printed" "$work/out"
status "stat -D of one that does not exist" 127 $vega "$tool" stat \
	-D 50 -e TCC.REQ -- /nosuchcommand

# nothing has to happen until then
status "stat -a --timeout" 0 $vega "$tool" stat --csv -a --timeout 50 -e TCC.REQ
has "counts" "$work/out" ',amdgpu::TCC.REQ,,0,requests'
# so many intervals there are, however late each is
status "stat -a --timeout -I" 0 $vega "$tool" stat --csv -a --timeout 70 -I 30 \
	-D 10 -e TCC.REQ
same "with intervals" <(tail -n +2 "$work/out" | wc -l) 3

# A process that is no child of the tool's
cat > "$work/other" << END
sh -c '$begun; $advance 1s' &
"$tool" stat --csv -p \$! -e TCC.REQ
echo status \$? >&2
END
run 0 $vega timeout $hang bash "$work/other"
has "stat -p" "$work/out" ',amdgpu::TCC.REQ,,16000,requests,0,1000000000,'
has "its status is none of the process's" "$work/err" '^status 0$'
cat > "$work/other" << END
set -m
# it is killed
sleep 900 &
process=\$!
"$tool" stat --csv -p \$process -I 20 -e TCC.REQ &
$begun
kill -INT \$!
wait \$!
echo status \$? >&2
kill \$process
END
run 0 $vega timeout $hang bash "$work/other"
has "stat -p until Ctrl-C" "$work/err" '^status 130$'
has "counts" "$work/out" ',amdgpu::TCC.REQ,,0,requests'
# it is killed
sleep 900 &
process=$!
# nothing has to happen until then
status "stat -p --timeout" 0 $vega "$tool" stat --csv -p $process --timeout 20 \
	-e TCC.REQ
# so many intervals there are, however late each is
status "stat -p -I --timeout" 0 $vega "$tool" stat --csv --timeout 50 \
	-p $process -I 20 -e TCC.REQ
same "with intervals" <(tail -n +2 "$work/out" | wc -l) 3
kill $process
wait $process 2> "$work/err"
status "stat -p of a process that is not there" 125 $vega "$tool" stat \
	-p $process -e TCC.REQ
has "the output says: cannot watch process process: No such process" \
	"$work/err" "cannot watch process $process: No such process"

# ---------------------------------------------------------------- interrupted
# a second each, and the third one is killed
cat > "$work/third" << END
#!/bin/sh
echo >> "$work/runs"
$advance 1s
[ \$(wc -l < "$work/runs") -lt 3 ] || kill -INT \$PPID
[ \$(wc -l < "$work/runs") -lt 3 ] || exec sleep 900
END
chmod +x "$work/third"
cat > "$work/group" << 'END'
set -m
"$@" &
wait $!
END
status "a run that is interrupted" 130 $vega timeout $hang bash "$work/group" \
	"$tool" stat -r 5 -e TCC.REQ -- "$work/third"
has "is left out, which is told" "$work/err" \
	'run 3 was interrupted and is left out' 'ended after 2 of 5 runs' \
	'\(2 runs\):$' ' 16,000  requests .*\( \+- 0.00% \)'
finish
