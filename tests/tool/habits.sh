#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat takes what users of perf and ROC profiler expect: groups in
# braces, files of events, -d, -p, -D, --timeout, -x, --append, names of CPU
# events.
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
	status "drmperf $words exits with 0" 0 "$tool" $words
	has "drmperf $words prints the usage of stat" \
		"$work/out" '^usage: drmperf stat '
done
status "stat takes -h behind other options" 0 "$tool" stat -a -h
for words in --help -h help; do
	status "drmperf $words exits with 0" 0 "$tool" $words
	has "drmperf $words prints the usage of all commands" \
		"$work/out" '^usage: drmperf COMMAND '
done
run 129 "$tool" help nothing
has "help on an unknown command is misuse" "$work/err" \
	'no command "nothing"' '^try: drmperf --help'

# ---------------------------------------------------------------- braces
six='TCC.REQ,TCC.READ,TCC.WRITE,TCC.HIT,TCC.MISS,GRBM.GUI_ACTIVE'
run 0 $vega "$tool" stat --csv -e '{TCC.REQ,TCC.READ} GRBM.GUI_ACTIVE' \
	$advance 1s
counted "braces that one pass holds change nothing" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
empty "braces that one pass holds cause no message" "$work/err"
run 125 $vega "$tool" stat -e "$six,{TCC.MISS,GRBM.GUI_ACTIVE}" -- true
has "events of two passes are refused in spite of braces" "$work/err" \
	'the events take 2 passes' '--passes runs the command once per pass'
# The first pass has room for four of TCC, so without braces it has REQ.
run 0 $vega "$tool" stat --csv --passes --control none \
	-e "{TCC.REQ,TCC.MISS},{TCC.READ,TCC.WRITE,TCC.HIT},GRBM.GUI_ACTIVE" \
	-- $advance 1s
counted "events in braces stay together" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.MISS,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000
2,0,amdgpu::TCC.READ,,0
2,0,amdgpu::TCC.WRITE,,0
2,0,amdgpu::TCC.HIT,,0"
lacks "braces that take no more passes cause no message" "$work/err" 'braces'
run 0 $vega "$tool" stat --csv --passes --control none -e "{TCC.REQ,TCC.MISS,
	TCC.READ} {TCC.WRITE TCC.HIT,TCC.BUSY} {TCC.REQ,TCC.HIT,TCC.TAG_STALL}" \
	-- $advance 1s
has "stat says when braces take more passes" "$work/err" \
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
has "braces around too many events get a remedy" \
	"$work/err" 'group TCC of device 0 counts 4' \
	'^try: leave out one of' '^or: take it out of its braces'
lacks "braces around too many events exit with 125" "$work/err" '^exit status'
absent "braces around too many events are refused before the command runs" \
	"$work/ran"
for list in '{TCC.REQ' 'TCC.REQ}' '{TCC.REQ,{TCC.HIT}}' '{}' '}{'; do
	run 129 $vega "$tool" stat -e "$list" -- true
	has "'$list' is misuse" "$work/err" 'braces are for|list of events is empty'
	lacks "'$list' exits with 129" "$work/err" '^exit status'
done

# ---------------------------------------------------------------- files
cat > "$work/list" << 'END'
# what is read
TCC.REQ, TCC.HIT	# and hits

{TCC.READ GRBM.GUI_ACTIVE}
END
run 0 $vega "$tool" stat --csv -i "$work/list" $advance 1s
counted "a file with a list of events is read" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.HIT,,0
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
printf '%s\r\n' '# of ROC profiler' 'pmc: TCC_REQ TCC_REQ[3] GRBM_GUI_ACTIVE' \
	'' 'pmc : TCC_READ' 'range: 0 : 1' 'gpu:' 'kernel: copy' \
	'hsa: hsa_queue_create' > "$work/roc"
run 0 $vega "$tool" stat --csv -i "$work/roc" -e TCC.MISS $advance 1s
counted "a file of ROC profiler is read together with -e" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.REQ,3,1000
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::TCC.MISS,,0"
has "lines about kernels in a file have no effect, with a message" "$work/err" \
	'has no effect: range: 0 : 1' 'has no effect: kernel: copy' \
	'has no effect: hsa: hsa_queue_create'
lacks "an empty gpu line of a file causes no message" "$work/err" 'gpu:'
printf 'pmc: TCC_REQ TCC_READ TCC_WRITE\npmc: TCC_HIT TCC_MISS\n' > "$work/roc"
run 0 $vega "$tool" stat --csv --passes --control none -i "$work/roc" $advance 1s
counted "each pmc line is counted in one pass" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::TCC.READ,,0
1,0,amdgpu::TCC.WRITE,,0
2,0,amdgpu::TCC.HIT,,0
2,0,amdgpu::TCC.MISS,,0"
printf '\357\273\277PMC : TCC_REQ GRBM_GUI_ACTIVE\n#pmc: TCC_READ\n# pmc : X\nGpu: 0\n' \
	> "$work/roc"
run 0 $vega "$tool" stat --csv -i "$work/roc" $advance 1s
counted "a file may have a byte order mark, capitals and comments" \
"1,0,amdgpu::TCC.REQ,,16000
1,0,amdgpu::GRBM.GUI_ACTIVE,,7000000"
has "a word without effect is known in capitals" "$work/err" \
	'has no effect: Gpu: 0'
printf '#pmc: TCC_REQ\n' > "$work/roc"
status "a file whose lines are all comments is refused" 125 \
	$vega "$tool" stat -i "$work/roc" true
has "the message says that pmc lines begin with #" "$work/err" \
	'has no events: its pmc lines begin with #'
printf '<metric name=SQ_WAVES,GRBM_COUNT></metric>\n' > "$work/roc"
status "a file of XML is refused" 125 $vega "$tool" stat -i "$work/roc" true
has "the message says that it is XML, and what to write" "$work/err" \
	'this is XML' '^try: write "pmc: ' 'roc:1: this line'
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
has "each event of a pmc line that is too long is counted" \
	"$work/out" 'metric.VALUUtilization' \
	'metric.FetchSize' 'metric.GDSInsts' 'metric.WriteSize'
status "without --passes a pmc line that is too long is refused" 125 \
	$sim --gpu vega10 -- "$tool" stat -i "$work/gcn" -- true
echo 'TCC.REQ
TCC.NOSUCH' > "$work/list"
status "a file with a wrong event name is refused" \
	125 $vega "$tool" stat -i "$work/list" true
has "the error has the line of the wrong event name" \
	"$work/err" 'TCC.NOSUCH' '^did you mean ' 'list:2: this line'
echo '# nothing' > "$work/list"
status "a file without events is refused" \
	125 $vega "$tool" stat -i "$work/list" true
has "the error says that the file has no events" \
	"$work/err" 'list has no events'
status "a missing file of events is refused" \
	125 $vega "$tool" stat -i "$work/none" true
has "the error names the missing file of events" \
	"$work/err" 'none: No such file'
status "a folder in place of a file of events is refused" \
	125 $vega "$tool" stat -i "$work" true
has "the error says that it is a directory" "$work/err" 'Is a directory'

# ---------------------------------------------------------------- which GPU
$two "$tool" info -n > "$work/info" 2>&1
second=$(grep -oE '[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9]' "$work/info" |
	sort -u | sed -n 2p)
for device in 1 "$second" "${second#0000:}"; do
	run 0 $two "$tool" stat --csv -e TCC.REQ -d "$device" \
		-e 'amdgpu::TCC.HIT:instance=6,TCC_MISS[2],GRBM.GUI_ACT*' \
		-e TCC.READ:device=0 -- $advance 1s
	counted "stat -d $device counts that GPU" \
"1,1,amdgpu::TCC.REQ,,16000
1,1,amdgpu::TCC.HIT,6,0
1,1,amdgpu::TCC.MISS,2,0
1,1,amdgpu::GRBM.GUI_ACTIVE,,7000000
1,0,amdgpu::TCC.READ,,0"
	status "clock -d $device exits with 0" 0 $two "$tool" clock -d "$device"
done
for device in 2 x 0000:ff:00.0 ''; do
	status "stat -d '$device' is refused" \
		125 $two "$tool" stat -d "$device" -e TCC.REQ true
	has "the error says that there is no device '$device'" \
		"$work/err" "there is no device \"$device\""
done
run 0 $vega "$tool" stat --csv --per-instance -e TCC.HIT:instance=2 \
	-e TCC.REQ,GRBM.GUI_ACTIVE -- $advance 1s
same "stat --per-instance splits events into their instances" \
	<(tail -n +2 "$work/out" | cut -d, -f6,7,8) \
"amdgpu::TCC.HIT,2,0
$(for ((i = 0; i < 16; i++)); do echo "amdgpu::TCC.REQ,$i,1000"; done)
amdgpu::GRBM.GUI_ACTIVE,,7000000"

# ---------------------------------------------------------------- CPUs
for name in task-clock page-faults:u instructions; do
	run 0 $vega "$tool" split "$name"
	has "perf's $name is an event of perf" "$work/out" "^  perf::$name\$"
done
run 0 $vega "$tool" split -- perf::TASK-CLOCK cs
has "events of perf are found by short and by full names" \
	"$work/out" '^  perf::TASK-CLOCK' '^  perf::cs$'
run 125 $vega "$tool" split task-clocks
has "a name that neither GPUs nor perf have gets a remedy" \
	"$work/err" 'task-clocks' '^did you mean amdgpu::SX.CLOCK'

# ---------------------------------------------------------------- output
run 0 $vega "$tool" stat -x ';' -e TCC.REQ $advance 1s
has "stat -x ';' separates fields by semicolons" \
	"$work/out" '^schema;run;pass;' \
	'^1;1;1;0;;amdgpu::TCC.REQ;;16000;requests;0;1000000000;16000;device;no;;;;$'
run 0 $vega "$tool" stat -x '\t' -e TCC.REQ $advance 1s
has "stat -x '\\t' separates fields by tabs" \
	"$work/out" $'^1\t1\t1\t0\t\tamdgpu::TCC.REQ\t\t16000\t'
run 0 $vega "$tool" stat -x : -e TCC.REQ $advance 1s
has "a field that holds the separator is quoted" "$work/out" \
	'^1:1:1:0::"amdgpu::TCC.REQ"::16000:requests:'
rm -f "$work/file"
for i in 1 2; do
	run 0 $vega "$tool" stat --csv --append -o "$work/file" -e TCC.REQ \
		-- $advance ${i}s
done
same "stat --append adds lines to CSV without a second header" \
	<(cut -d, -f 1,6,8 "$work/file") "schema,event,value
1,amdgpu::TCC.REQ,16000
1,amdgpu::TCC.REQ,32000"
for i in 1 2; do
	run 0 $vega "$tool" stat --append -o "$work/text" -e TCC.REQ -- true
done
same "stat --append adds a table to a file" <(grep -c TCC.REQ "$work/text") 2
run 0 $vega "$tool" stat -o "$work/text" -e TCC.REQ -- true
same "stat -o without --append overwrites a file" \
	<(grep -c TCC.REQ "$work/text") 1

# misuse PATTERN ARGUMENT...
misuse()
{
	local pattern=$1
	shift
	run 129 $vega "$tool" stat "$@"
	has "stat $* is misuse" "$work/err" "$pattern" '^try: drmperf stat --help'
	lacks "stat $* exits with 129" "$work/err" '^exit status'
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
has "stat -D counts only what happens after the delay" \
	"$work/out" ',amdgpu::TCC.REQ,,32000,requests,0,2000000000,'
status "stat -D exits with the status of a command that ends before the delay" \
	3 $vega "$tool" stat --csv \
	-D 86400000 -e TCC.REQ -- sh -c 'exit 3'
has "the message says that nothing was counted within the delay" \
	"$work/err" 'nothing was counted: .*86400000 ms'
empty "stat -D prints no table for a command that ends before the delay" \
	"$work/out"
status "stat -D exits with 127 if the command does not exist" \
	127 $vega "$tool" stat \
	-D 50 -e TCC.REQ -- /nosuchcommand

# nothing has to happen until then
status "stat -a --timeout exits with 0" \
	0 $vega "$tool" stat --csv -a --timeout 50 -e TCC.REQ
has "stat -a --timeout counts until the time is over" \
	"$work/out" ',amdgpu::TCC.REQ,,0,requests'
# so many intervals there are, however late each is
status "stat -a --timeout -I exits with 0" \
	0 $vega "$tool" stat --csv -a --timeout 70 -I 30 \
	-D 10 -e TCC.REQ
same "stat -a --timeout -I prints all intervals" \
	<(tail -n +2 "$work/out" | wc -l) 3

# A process that is no child of the tool's
cat > "$work/other" << END
sh -c '$begun; $advance 1s' &
"$tool" stat --csv -p \$! -e TCC.REQ
echo status \$? >&2
END
run 0 $vega timeout $hang bash "$work/other"
has "stat -p counts until the process ends" \
	"$work/out" ',amdgpu::TCC.REQ,,16000,requests,0,1000000000,'
has "stat -p exits with 0 when the process ends" "$work/err" '^status 0$'
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
has "stat -p exits with 130 after Ctrl-C" "$work/err" '^status 130$'
has "stat -p counts until Ctrl-C" "$work/out" ',amdgpu::TCC.REQ,,0,requests'
# it is killed
sleep 900 &
process=$!
# nothing has to happen until then
status "stat -p --timeout exits with 0" \
	0 $vega "$tool" stat --csv -p $process --timeout 20 \
	-e TCC.REQ
# so many intervals there are, however late each is
status "stat -p -I --timeout exits with 0" \
	0 $vega "$tool" stat --csv --timeout 50 \
	-p $process -I 20 -e TCC.REQ
same "stat -p -I --timeout prints all intervals" \
	<(tail -n +2 "$work/out" | wc -l) 3
kill $process
wait $process 2> "$work/err"
status "stat -p of a missing process is refused" 125 $vega "$tool" stat \
	-p $process -e TCC.REQ
has "the error names the process that stat -p cannot watch" \
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
status "stat -r exits with 130 if a run is interrupted" \
	130 $vega timeout $hang bash "$work/group" \
	"$tool" stat -r 5 -e TCC.REQ -- "$work/third"
has "stat -r leaves out the interrupted run, and says so" "$work/err" \
	'run 3 was interrupted and is left out' 'ended after 2 of 5 runs' \
	'\(2 runs\):$' ' 16,000  requests .*\( \+- 0.00% \)'
finish
