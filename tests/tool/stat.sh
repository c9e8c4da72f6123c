#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat. Time is virtual, and the command decides what counts and how
# much; the scenario has 16,000 requests and 7,000,000 clocks a second.
. tests/tool/lib.sh

export DRMPERF_EVENTS=tests/tool/metrics.xml
events=amdgpu::TCC.REQ,amdgpu::GRBM.GUI_ACTIVE
advance="$sim ctl advance"

# ---------------------------------------------------------------- one run
status "stat exits with 0" \
	0 $vega "$tool" stat -e $events,metric.PerClock,sensor.gpu-temp \
	-e sensor.gfx-sclk,sensor.vram-usage,sensor.vram-total -- $advance 2s
same "stat prints a table" <(sed '$d' "$work/err" | sed '$d') "
 Counters of $advance 2s, system wide:
 GPU 0: Vega 10 (Radeon RX Vega)

               value  unit                  rate  event
              32,000  requests          16.0 k/s  amdgpu::TCC.REQ
          14,000,000  cycles            7.00 MHz  amdgpu::GRBM.GUI_ACTIVE
               0.002  ratio                       amdgpu::metric.PerClock
                45.0  degC                        amdgpu::sensor.gpu-temp
                1.14  GHz                         amdgpu::sensor.gfx-sclk
                   0  B                           amdgpu::sensor.vram-usage
                8.59  GB                          amdgpu::sensor.vram-total
"
has "stat prints the time elapsed" \
	"$work/err" '^ +[0-9]+\.[0-9]{6}  seconds elapsed$'
empty "stat leaves standard output to the command" "$work/out"
status "stat --raw exits with 0" \
	0 $vega "$tool" stat --raw -e $events,sensor.gpu-temp -- \
	$advance 2s
same "stat --raw prints values as they are" \
	<(sed '$d' "$work/err" | sed '$d') "
 Counters of $advance 2s:
 GPU 0: Vega 10 (Radeon RX Vega)

              32,000  requests      amdgpu::TCC.REQ:device=0
          14,000,000  cycles        amdgpu::GRBM.GUI_ACTIVE:device=0
              45,000  mdegC         amdgpu::sensor.gpu-temp:device=0
"
run 0 $sim --time virtual --gpu sklgt2 -- "$tool" stat -e \
	oa.GpuBusy,oa.GtiReadThroughput,oa.AvgGpuCoreFrequency,pmu.rcs0-busy \
	-- $advance 10ms
has "stat prints a table of an Intel GPU" "$work/err" \
	'^               100\.0  %                           i915::oa\.GpuBusy$' \
	'^ +[0-9,]+  bytes +[0-9.]+ [MGT]B/s  i915::oa\.GtiReadThroughput$' \
	'^ +[0-9.]+  [MG]Hz                         i915::oa\.AvgGpuCoreFrequency$' \
	'^ +[0-9,]+  ns +[0-9.]+ %  i915::pmu\.rcs0-busy$'
run 0 $sim --time virtual --gpu vega20 --gpu sklgt2 -- "$tool" stat \
	-e amdgpu::SQ.WAVES,i915::sensor.act-freq -- true
has "the table names the GPU of each event if there are several" \
	"$work/err" 'SQ.WAVES:device=1 \*$' \
	'act-freq:device=0$'
run 0 $vega "$tool" stat -e TCC.REQ,task-clock -- true
has "header says which counters are system wide" "$work/err" \
	' Counters of true, GPU counters system wide:$'
run 0 $vega "$tool" stat -e task-clock -- true
has "header of a process's own events does not say system wide" \
	"$work/err" ' Counters of true:$'
run 0 $vega "$tool" stat -e TCC.REQ,SQ.WAVES,metric.VALUBusy -- true
has "header marks queue-scoped events with *" "$work/err" \
	' Counters of true, system wide \(\* in queues that allow it\):$' \
	'amdgpu::TCC.REQ$' 'amdgpu::SQ.WAVES \*$' \
	'amdgpu::metric.VALUBusy \*$'
run 0 env DRMPERF_DIES=one $sim --time virtual --gpu mi300 -- "$tool" stat \
	-e TCC.REQ -- true
has "the table names the die of an event that one die counts" "$work/err" \
	'amdgpu::TCC.REQ  \(die [0-7]\)$'
head="schema,run,pass,device,die,event,instance,value,unit,start_ns,length_ns,\
rate,scope,control,engine_held_hz,engine_before_hz,memory_held_hz,\
memory_before_hz"
run 0 $vega "$tool" stat --csv -e TCC.REQ -e GRBM.GUI_ACTIVE,TCC.REQ:instance=3 \
	-e metric.PerClock $advance 2s
same "stat --csv takes several -e, and a command without --" "$work/out" "$head
1,1,1,0,,amdgpu::TCC.REQ,,32000,requests,0,2000000000,16000,device,no,,,,
1,1,1,0,,amdgpu::GRBM.GUI_ACTIVE,,14000000,cycles,0,2000000000,7000000,device,no,,,,
1,1,1,0,,amdgpu::TCC.REQ,3,2000,requests,0,2000000000,1000,device,no,,,,
1,1,1,0,,amdgpu::metric.PerClock,,0.002285714285714286,ratio,0,2000000000,,device,no,,,,"
empty "stat --csv prints no messages" "$work/err"
run 0 $vega "$tool" stat --csv -e " TCC.REQ
	GRBM.GUI_ACTIVE, " $advance 1s
has "blanks separate events as commas do" "$work/out" \
	'::TCC.REQ,,16000,requests,' '::GRBM.GUI_ACTIVE,,7000000,cycles,'
run 0 $sim --time virtual --gpu sklgt2 -- "$tool" stat --csv \
	-e RenderBasic.AvgGpuCoreFrequency,RenderBasic.GpuBusy $advance 10ms
has "stat --csv of an Intel GPU has the GPU's time" "$work/out" "^$head\$" \
	'^1,1,1,0,,i915::RenderBasic.AvgGpuCoreFrequency,,[0-9]+,Hz,0,1[0-9]{7},,device,no,,,,$' \
	'^1,1,1,0,,i915::RenderBasic.GpuBusy,,100,percent,0,1[0-9]{7},,device,no,,,,$'
run 0 env DRMPERF_DIES=one $sim --time virtual --gpu mi300 -- "$tool" stat \
	--csv -e SQ.WAVES -- $advance 1ms
has "CSV has the die that counted" "$work/out" \
	'^1,1,1,0,[0-7],amdgpu::SQ.WAVES,,'
has "the message about dies goes to standard error" "$work/err" \
	'counts die [0-7]|die'
mi="$sim --time virtual --gpu mi300,die=3,kfd=off --"
run 125 $mi "$tool" stat -e SQ.WAVES -- true
has "stat refuses to count one die of several unless requested" \
	"$work/err" 'dies are behind'
status "stat --per-die exits with 0" \
	0 $mi "$tool" stat --per-die -e SQ.WAVES,TCC.REQ \
	-- $advance 1ms
has "stat --per-die names the die that it counts" "$work/err" \
	' waves .* amdgpu::SQ.WAVES \*  \(die 3\)$' ' amdgpu::TCC.REQ  \(die 3\)$'
run 0 $mi "$tool" stat --per-die -r 2 -I 1 --raw -e SQ.WAVES -- $advance 1ms
has "stat --per-die names the die in repeated runs" "$work/err" '\(die 3\)'
status "stat --per-die exits with 0 on a GPU of one die" \
	0 $vega "$tool" stat --per-die \
	-e TCC.REQ -- $advance 1ms
has "stat --per-die names no die on a GPU of one die" \
	"$work/err" ' amdgpu::TCC.REQ$'
run 0 $vega "$tool" stat --json -o "$work/file" -e $events,metric.PerClock \
	-- sh -c "$advance 1s; echo 'a \"quoted\" word'"
json "stat --json -o writes JSON to a file" "$work/file" \
	'.command[0] == "sh" and (.command[2] | contains("\"quoted\"")) and
	.schema == 1 and .passes == 1 and .runs == 1 and .seconds > 0 and
	[.events[] | .value] == [16000, 7000000, 16000 / 7000000] and
	.events[0] == { schema: 1, run: 1, pass: 1, device: 0, die: null,
		event: "amdgpu::TCC.REQ", instance: null, value: 16000,
		unit: "requests", start_ns: 0, length_ns: 1000000000,
		rate: 16000, scope: "device", control: false,
		engine_held_hz: null, engine_before_hz: null,
		memory_held_hz: null, memory_before_hz: null }'
empty "stat -o prints no message" "$work/err"
same "stat -o leaves the output of the command alone" \
	"$work/out" 'a "quoted" word'
for format in --csv --json ""; do
	# shellcheck disable=SC2086
	run 0 $vega "$tool" stat $format -e metric.PerClock -- true
	cat "$work/err" >> "$work/out"
	has "a metric that would divide by 0 is n/a${format:+, $format}" \
		"$work/out" \
		'metric.PerClock,,,ratio,|"value": ?null|^ +n/a  ratio '
done
run 0 $vega "$tool" stat -r 2 -e metric.PerClock -- true
has "a metric that would divide by 0 in each of several runs is n/a" \
	"$work/err" '^ +n/a  ratio .*0\.00%'
run 0 $sim --gpu sklgt2 --gpu vega20 -- "$tool" stat --json \
	-e i915::oa.GpuTime,i915::RenderBasic.GpuBusy,amdgpu::GRBM.COUNT -- sleep 0.05
json "JSON has events of two GPUs" "$work/out" \
	'[.events[] | [.device, .event]] == [[0, "i915::oa.GpuTime"],
	[0, "i915::RenderBasic.GpuBusy"], [1, "amdgpu::GRBM.COUNT"]]
	and all(.events[]; .value > 0 and .length_ns > 0)'
json "JSON says when, where, and on which GPUs it was counted" "$work/out" \
	"(.date | test(\"^20[0-9-]+T[0-9:]+Z\$\")) and
	.version == \"$("$tool" --version | sed 's/^drmperf //')\" and
	.host == \"$(uname -n)\" and .kernel == \"$(uname -r)\" and
	.machine == \"$(uname -m)\" and
	([.devices[] | [.device, .pci, .driver, .chip]] ==
		[[0, \"0000:00:02.0\", \"i915\", \"Skylake GT2\"],
		[1, \"0000:03:00.0\", \"amdgpu\", \"Vega 20\"]]) and
	.devices[1].product == \"Radeon VII\""
run 0 $sim --gpu navi31 -- "$tool" stat --json -e GRBM.COUNT -- true
json "JSON says which clocks were held" "$work/out" \
	'.devices[0].engine_held_hz > 0 and .devices[0].memory_before_hz > 0'

# libpfm4 is loaded by events of CPUs, and missed by nothing else
mkdir "$work/broken"
: > "$work/broken/libpfm.so.4"
status "a GPU is counted without libpfm4" 0 env LD_LIBRARY_PATH="$work/broken" \
	$vega "$tool" stat -e TCC.REQ -- true
status "events of CPUs need libpfm4" 125 env LD_LIBRARY_PATH="$work/broken" \
	$vega "$tool" stat -e TCC.REQ,task-clock -- true
has "the error names the missing libpfm4, with a remedy" "$work/err" \
	'need libpfm4, of which libpfm.so.4 cannot be loaded' \
	'^try: install libpfm4'

# CPU events beside them: those of the command, and of its children, one of which
# runs until the kernel says that it had 20 ms
cat > "$work/busy" << 'END'
while [ "$(cut -d' ' -f14 /proc/$$/stat)" -lt 2 ]; do
	i=0
	# until the kernel says so
	while [ $i -lt 1000 ]; do i=$((i+1)); done
done
END
if "$tool" stat -e perf::TASK-CLOCK -- true > /dev/null 2> "$work/err"; then
	run 0 $vega "$tool" stat --json -e perf::TASK-CLOCK,GRBM.GUI_ACTIVE \
		-- sh -c "sh '$work/busy'; $advance 1s"
	json "events of CPUs and of a GPU are counted together" "$work/out" \
		'(.events[0].event | test("^perf::TASK-CLOCK(:u)?$")) and
		.events[0].device == null and .events[0].scope == "process" and
		.events[0].unit == "ns" and .events[0].value > 10000000 and
		.events[1].value == 7000000'
elif grep -qE 'paranoid|permi|not implemented' "$work/err"; then
	skip "events of CPUs and of a GPU are counted together" \
		"the kernel lets nobody count perf events"
else
	not_ok "events of CPUs and of a GPU are counted together" "$work/err"
fi

# ---------------------------------------------------------------- exit codes
status "stat exits with the status of its command" \
	3 $vega "$tool" stat -e $events sh -c 'exit 3'
has "stat prints what was counted if the command fails" \
	"$work/err" 'amdgpu::TCC.REQ$'
status "stat exits with 128 plus the signal that ended its command" \
	137 $vega "$tool" stat -e $events -- sh -c 'kill -9 $$'
has "stat prints what was counted if a signal ended the command" \
	"$work/err" 'amdgpu::TCC.REQ$'
# a folder in PATH that the user may not search would be another reason
PATH=/usr/bin:/bin \
	status "stat exits with 127 if the command does not exist" \
		127 $vega "$tool" stat -o "$work/none" -e $events -- \
		nosuchcommand
absent "stat leaves no file if the command does not exist" "$work"/none*
# the command kills drmperf; a draft without a name needs the filesystem's help
if python3 -c 'import os, sys
os.open(sys.argv[1], os.O_TMPFILE | os.O_WRONLY)' "$work" 2> "$work/why"; then
	$vega "$tool" stat -o "$work/none" -e $events -- sh -c 'kill -9 $PPID' \
		> "$work/out" 2>&1
	absent "stat leaves no draft when it is killed" "$work"/none*
else
	skip "stat leaves no draft when it is killed" "there is no O_TMPFILE"
fi
has "the error names the command that does not exist" \
	"$work/err" '^drmperf stat: cannot run nosuchcommand: No such'
status "stat exits with 126 if the command is no program" \
	126 $vega "$tool" stat -e $events -- /etc/passwd
status "stat exits with 125 for an unknown event" \
	125 $vega "$tool" stat -e TCC.NOSUCH -- touch "$work/ran"
has "the error for an unknown event has a remedy" "$work/err" '^did you mean '
absent "stat does not run its command if an event is unknown" "$work/ran"
status "stat exits with 125 if its file cannot be written" 125 \
	$vega "$tool" stat -e $events -o "$work/no/file" -- touch "$work/ran"
has "the error names the file that cannot be written" \
	"$work/err" 'no/file: No such file'
absent "stat does not run its command if its file cannot be written" "$work/ran"
status "stat exits with 0 if standard error is closed" 0 $vega sh -c "
	DRMPERF_DEBUG=ib '$tool' stat --csv -o '$work/file' -e $events \
		-- $advance 1s 2>&-"
has "stat writes its counts to a file if standard error is closed" \
	"$work/file" '::TCC.REQ,,16000,requests,'
if [ -w /dev/full ]; then
	status "stat exits with 125 if the disk of its file is full" 125 \
		$vega "$tool" stat -e $events -o /dev/full -- true
	has "the error names the file on a full disk" \
		"$work/err" 'cannot write /dev/full'
	status "the status of the command takes precedence over a full disk" 3 \
		$vega "$tool" stat -e $events -o /dev/full -- sh -c 'exit 3'
	$vega "$tool" stat -e $events -- true 2> /dev/full
	[ $? = 125 ] && ok "stat exits with 125 if standard error is full" ||
		not_ok "stat exits with 125 if standard error is full"
	$vega "$tool" stat --csv -e $events -- true > /dev/full 2> "$work/err"
	[ $? = 125 ] && ok "stat exits with 125 if standard output is full" ||
		not_ok "stat exits with 125 if standard output is full"
	has "stat reports once that standard output is full" \
		<(grep -c cannot "$work/err") '^1$'
else
	skip "stat exits with 125 if the disk is full" "there is no /dev/full"
fi
# misuse PATTERN ARGUMENT...
misuse()
{
	local pattern=$1
	shift
	run 129 $vega "$tool" stat "$@"
	has "stat $* is misuse" "$work/err" "$pattern" '^try: drmperf stat --help'
	lacks "stat $* exits with 129" "$work/err" '^exit status'
}
misuse 'no command given'
misuse 'no command given' -e $events
misuse '-I takes a number from 1' -I 0 -e $events -- true
misuse '-r takes a number from 1' -r 2x -e $events -- true
misuse 'unrecognized option' --bogus -e $events -- true
misuse 'requires an argument' -e
misuse '-r and --passes run a command' -a -r 2 -e $events
misuse '--raw is for text' --raw --csv -e $events -- true
misuse 'either --csv or --json' --csv --json -e $events -- true
status "stat --help exits with 0" 0 "$tool" stat --help
has "stat --help lists the options" \
	"$work/out" '--passes' '--interval' '--control'
status "stat exits with 125 if a process that does not share counts" \
	125 $vega env DRMPERF_SHARE=0 \
	"$tool" stat -e $events -- "$tool" stat -e TCC.HIT -- true
has "the error names the process that counts" "$work/err" 'in use by pid [0-9]+'

status "stat ends by itself when the GPU goes" 0 $vega sh -c "
	'$tool' stat -e $events -- $sim ctl set gone on; echo status \$? >&2"
has "stat reports a GPU that goes, with a remedy, and exits with 125" \
	"$work/err" \
	'the GPU has gone' '^ *try: ' '^status 125'

# ---------------------------------------------------------------- n/a
fault="$sim ctl fault"
status "stat exits with 125 if a sensor does not answer at the end" \
	125 $vega "$tool" stat -e \
	GRBM.GUI_ACTIVE,sensor.gpu-temp,sensor.gfx-sclk,task-clock -- \
	$fault info:1:EBUSY
has "stat prints the other events if a sensor does not answer" "$work/err" \
	'^ +[0-9,]+  cycles .*amdgpu::GRBM.GUI_ACTIVE$' \
	'^ +n/a  mdegC +amdgpu::sensor.gpu-temp$' \
	'^ +1\.14  GHz +amdgpu::sensor.gfx-sclk$' \
	'^ +[0-9,]+  ns .*perf::task-clock(:u)?$' \
	'sensor.gpu-temp:device=0 is n/a: the sensor gpu-temp .*busy' \
	'^  try: read again later'
status "stat --json exits with 125 if a sensor does not answer" \
	125 $vega "$tool" stat --json -e \
	GRBM.GUI_ACTIVE,sensor.gpu-temp,sensor.gfx-sclk -- $fault info:1:EBUSY
json "JSON has null and a reason for a sensor that does not answer" \
	"$work/out" '(.events[1].value == null) and
	(.events[1].reason | test("gpu-temp .* does not answer")) and
	(.events[0].value != null) and (.events[0] | has("reason") | not) and
	.events[2].value == 1138'
status "stat --csv exits with 125 if a sensor does not answer" \
	125 $vega "$tool" stat --csv -e \
	GRBM.GUI_ACTIVE,sensor.gpu-temp -- $fault info:1:EBUSY
has "CSV has an empty value for a sensor that does not answer" "$work/out" \
	'amdgpu::GRBM.GUI_ACTIVE,,[0-9]+,' 'amdgpu::sensor.gpu-temp,,,mdegC,'
status "stat -r exits with 125 if a sensor fails in one run" \
	125 $vega "$tool" stat -r 3 -e \
	sensor.gpu-temp -- sh -c "[ ! -e '$work/once' ] || exit 0
	touch '$work/once'
	exec $fault info:1:EBUSY"
has "the mean of runs is that of those with a value" "$work/err" \
	'^ +45\.0  degC ' 'gpu-temp:device=0 is n/a at times: '
status "stat exits with 125 if one GPU of two is reset" \
	125 $sim --gpu vega10 --gpu navi31 -- "$tool" \
	stat -e amdgpu::GRBM.COUNT:device=0,amdgpu::GRBM.COUNT:device=1 \
	-e task-clock -- $sim ctl reset-gpu 1
has "stat prints the counts of the GPU that was not reset" \
	"$work/err" '^ +[0-9,]+  cycles .*GRBM.COUNT:device=0$' \
	'^ +n/a  cycles .*GRBM.COUNT:device=1$' '  ns .*task-clock(:u)?$' \
	'GRBM.COUNT:device=1 is n/a: .*reset'
# A sensor is read while the command runs, which goes on when it was.
cat > "$work/power" << END
read_sensors()
{
	before=\$($sim ctl calls info)
	while [ \$($sim ctl calls info) -lt \$((before + \$1)) ]; do
		sleep 0.02
	done
}
$sim ctl set sensor 'power 280'
read_sensors 2
$sim ctl set sensor 'power 15'
END
status "stat exits with 0 for a sensor that changes" \
	0 $sim --gpu vega10 -- "$tool" stat \
	-e sensor.gpu-avg-power,GRBM.COUNT -- sh "$work/power"
has "a sensor's value is the mean, with the least and the most" "$work/err" \
	'^ +(1[0-9.]+|2[0-9.]+) +W +amdgpu::sensor.gpu-avg-power  \(15\.0 W to 280 W\)$'
status "stat exits with 0 for a sensor that stays" \
	0 $sim --gpu vega10 -- "$tool" stat \
	-e sensor.gpu-avg-power -- sleep 0.3
lacks "a sensor that stays has no range" "$work/err" 'W to'

# Ordinary users at kernel.perf_event_paranoid=2, as on most machines, may count
# what they do in user mode alone.
as_user=
[ "$(id -u)" != 0 ] ||
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" != 2 ]; then
	skip "task-clock of an ordinary user is that of user mode" \
		"kernel.perf_event_paranoid is not 2"
elif ! $as_user test -x "$tool"; then
	skip "task-clock of an ordinary user is that of user mode" \
		"another user may not read $tool"
else
	status "an ordinary user counts task-clock" 0 $as_user "$tool" stat \
		-e task-clock,perf::task-clock:u -- true
	has "task-clock of an ordinary user is that of user mode" "$work/err" \
		'^ +[0-9,]+  ns .*perf::task-clock:u$'
fi
# the CPU has no such event, be it in a virtual machine or on iron
none=perf::NODE-PREFETCH-MISSES:u
if "$tool" stat -e "$none" -- true 2> /dev/null; then
	skip "an event that this CPU does not count costs others nothing" \
		"it counts $none"
else
	status "stat exits with 125 for an event that this CPU does not count" \
		125 $sim --gpu sklgt2 \
		-- "$tool" stat -e "i915::pmu.rcs0-busy,$none,task-clock" -- true
	has "an event that this CPU does not count costs others nothing" \
		"$work/err" '^ +[0-9,]+  ns .*i915::pmu.rcs0-busy$' \
		"^ +n/a .*$none\$" '^ +[0-9,]+  ns .*perf::task-clock(:u)?$' \
		"$none is n/a: the kernel does not count"
	lacks "the remedy for an event of a CPU does not mention engines" \
		"$work/err" 'engine_class'
	same "the remedy for an event of a CPU is printed once" \
		<(grep -c 'try:' "$work/err") 1
fi
# i915 reports the reset of an engine to nobody, not even root. The tool looks at
# its counters in real time, so the steps of virtual time are as long.
steps="for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 \
	24 25; do $advance 50ms; sleep 0.05; done"
status "stat exits with 125 if an engine is reset" \
	125 $sim --time virtual --gpu tgl -- "$tool" stat \
	-e i915::RenderBasic.EuActive -- \
	sh -c "$advance 50ms; $sim ctl reset-engine 0; $steps"
has "an engine that was reset is noticed by counters that stop" "$work/err" \
	'^ +n/a  % .*RenderBasic.EuActive$' 'it was probably reset'
run 0 $sim --time virtual --gpu tgl -- "$tool" stat \
	-e i915::RenderBasic.EuActive -- sh -c "$advance 50ms; $steps"
has "a run without a reset has a value" "$work/err" \
	'^ +[0-9.]+  % .*RenderBasic.EuActive$'
has "stat warns below the table of resets that i915 does not report" \
	"$work/err" \
	'^ OA counters may be too low if the GPU was reset'
run 0 $sim --time virtual --gpu bmg -- "$tool" stat \
	-e xe::RenderBasic.GpuBusy -- $advance 10ms
has "stat warns below the table of resets that xe does not report" "$work/err" \
	'^ OA counters may be too low if the GPU was reset'
run 0 $sim --gpu sklgt2 -- "$tool" stat -e i915/rcs0-busy/ -- true
lacks "stat does not warn of resets for counters of a PMU" "$work/err" \
	'OA counters'
has "stat takes perf's spelling of an event of a PMU" "$work/err" \
	'^ +[0-9,]+  ns .*i915::pmu.rcs0-busy$'
run 0 $sim --gpu bmg -- "$tool" stat --raw -d 0 \
	-e xe_0000_03_00.0/gt-actual-frequency:gt=1/ -- true
has "stat takes perf's spelling with a term" \
	"$work/err" 'gt-actual-frequency:gt=1'
status "stat exits with 125 for an unknown event in perf's spelling" \
	125 $sim --gpu sklgt2 -- \
	"$tool" stat -e i915/none/ -- true
has "the error names an unknown event in perf's spelling" "$work/err" \
	'none'

# ---------------------------------------------------------------- repeats
# works a second more each time
cat > "$work/more" << END
#!/bin/sh
echo >> "$work/runs"
exec $advance \$(wc -l < "$work/runs")s
END
chmod +x "$work/more"
run 0 $vega "$tool" stat -r 3 --json -e $events -- "$work/more"
json "JSON of stat -r has each run" "$work/out" \
	'.runs == 3 and [.events[] | select(.event == "amdgpu::TCC.REQ") |
	[.run, .value, .length_ns, .rate]] == [[1, 16000, 1000000000, 16000],
	[2, 32000, 2000000000, 16000], [3, 48000, 3000000000, 16000]]'
rm "$work/runs"
run 0 $vega "$tool" stat -r 3 -e $events -- "$work/more"
has "stat -r prints means and their spread" "$work/err" '\(3 runs\):$' \
	' 32,000  requests          16.0 k/s  amdgpu::TCC.REQ  \( \+- 28.87% \)$' \
	'seconds elapsed per run'

# ---------------------------------------------------------------- intervals
# Two intervals of three lines pass before and behind each second, so that no
# interval has a part of two of them.
cat > "$work/steps" << END
#!/bin/sh
wait_lines() {
	n=\$((\$(wc -l < "$work/log") + \$1))
	while [ \$(wc -l < "$work/log") -lt \$n ]; do sleep 0.02; done
}
wait_lines 3
$advance 1s
wait_lines 6
$sim ctl set "rate TCC.3" 3000
$advance 2s
wait_lines 6
$advance 1s
END
chmod +x "$work/steps"
# interval OPTION...: output in $work/log
interval()
{
	: > "$work/log"
	run 0 $vega "$tool" stat -I 20 "$@" -o "$work/log" \
		-e $events,metric.PerClock,metric.Rest -- "$work/steps"
}
interval --csv
same "CSV of intervals begins with a header" <(head -1 "$work/log") "$head"
same "intervals of CSV add up" <(awk -F, 'NR > 1 && /TCC.REQ/ {s += $8; n++}
	END {print s, (n >= 6)}' "$work/log") "160000 1"
same "an average is that of its interval" <(grep PerClock "$work/log" |
	cut -d, -f8 | sort -u) $'\n0.002285714285714286\n0.006857142857142857'
same "what is less than before has no value" <(awk -F, '/metric.Rest/ && $11 {
	print $8, $12}' "$work/log") $'16000 16000\n \n0 0'
# while virtual time stands still, intervals are empty
same "rates are of their interval, by the GPU's time" <(awk -F, -v OFS=, '
	/TCC.REQ/ && $11 {print $8, $10, $11, $12}' "$work/log") \
	$'16000,0,1000000000,16000\n96000,1000000000,2000000000,48000\n48000,3000000000,1000000000,48000'
interval --json
json "JSON of intervals has a record per line" \
	"$work/log" '.schema == 1 and .run == 1 and .pass == 1'
same "intervals of JSON add up" <(jq -s '[.[] | select(.event ==
	"amdgpu::TCC.REQ").value] | add' "$work/log") 160000
json "JSON tells why what is less than before has no value" "$work/log" \
	'.event != "amdgpu::metric.Rest" or .value != null or
	.reason == "it is less than before"'
same "an interval begins where the one before ends" \
	<(jq -s '[.[] | select(.event ==
	"amdgpu::TCC.REQ")] | .[1:] as $behind | [.[:-1], $behind] |
	transpose | all(.[0].start_ns + .[0].length_ns == .[1].start_ns)' \
	"$work/log") true
interval
has "stat -I prints a table of intervals" "$work/log" \
	'^          time                value  unit                  rate  event$' \
	'^ +1\.000000 +16,000  requests          16.0 k/s  amdgpu::TCC.REQ$' \
	'^ +3\.000000 +96,000  requests          48.0 k/s  amdgpu::TCC.REQ$'
has "stat -I prints the totals at the end" "$work/log" \
	'^ +160,000  requests          40.0 k/s  amdgpu::TCC.REQ$' 'elapsed'
interval --raw
has "stat -I --raw prints values as they are" "$work/log" \
	'^ +[0-9]+\.[0-9]{6} +16,000  requests      amdgpu::TCC.REQ:device=0$'
lacks "stat -I --raw prints no table at the end" "$work/log" 'elapsed|rate'
# stopped for 100 ms, it has missed 50 intervals
run 0 $sim --gpu vega10 -- "$tool" stat -I 2 --csv -e TCC.REQ -- sh -c \
	'kill -STOP $PPID; sleep 0.1; kill -CONT $PPID; sleep 0.02'
same "intervals that were missed are left out" <(awk -F, 'NR > 1 {
	n++; ns += $11} END {print n < ns / 2e6 - 30}' "$work/out") 1
run 0 $vega "$tool" stat -I 1000 -r 2 -e $events -- $advance 1s
has "stat -I -r ends with means and their spread" \
	"$work/err" ' 16,000 .*TCC.REQ  \( \+- 0.00%'
same "intervals of each run count that run alone" \
	<(grep -cE '^ +[0-9.]+ +16,000 .*TCC.REQ' \
	"$work/err") 2
run 0 $vega "$tool" stat -I 1000 --csv -e metric.PerClock -- $advance 1s
has "stat -I counts averages alone" \
	"$work/out" '::metric.PerClock,,0.002285714285714286,ratio'

# ---------------------------------------------------------------- passes
echo 'default zero' > "$work/still"
six='TCC.REQ,TCC.READ,TCC.WRITE,TCC.HIT,TCC.MISS,GRBM.GUI_ACTIVE'
run 125 $sim --gpu vega10 --report "$work/report" -- "$tool" stat -e "$six" \
	-- touch "$work/ran"
has "events of two passes are refused, with a remedy" \
	"$work/err" 'the events take 2 passes' \
	'group TCC of device 0 counts 4' '^try: leave out one of' \
	'--passes runs the command once per pass'
lacks "events of two passes exit with 125" "$work/err" '^exit status'
absent "stat does not run its command for events of two passes" "$work/ran"
has "stat submits nothing for events of two passes" \
	"$work/report" 'submissions=0'
status "stat --passes exits with 0" \
	0 $vega "$tool" stat --passes --control GRBM.GUI_ACTIVE \
	-e "$six" -- $advance 1s
has "stat --passes prints progress, and the pass of each value" "$work/err" \
	'^drmperf stat: pass 1 of 2$' '^drmperf stat: pass 2 of 2$' \
	' 16,000  requests          16.0 k/s  amdgpu::TCC.REQ  \(pass 1\)$' \
	' 0  requests              0 /s  amdgpu::TCC.MISS  \(pass 2\)$' \
	' 7,000,000  cycles .*GUI_ACTIVE  \(pass 1, control\)$' \
	' 7,000,000  cycles .*GUI_ACTIVE  \(pass 2, control\)$'
has "stat --passes prints the time of each pass" "$work/err" \
	'^ +[0-9]+\.[0-9]{6}  seconds elapsed per run$' \
	'^ +[0-9]+\.[0-9]{6}  seconds elapsed in pass 1$' \
	'^ +[0-9]+\.[0-9]{6}  seconds elapsed in pass 2$'
# that one took longer by the host's clock is another matter
lacks "runs that are alike cause no message" \
	"$work/err" 'not alike: .*GUI_ACTIVE'
rm "$work/runs"
run 0 $vega "$tool" stat --passes --control GRBM.GUI_ACTIVE -e "$six" \
	-- "$work/more"
has "runs that are not alike cause a message" \
	"$work/err" 'the runs were not alike: .*GUI_ACTIVE:device=0 was 7000000 in pass 1 and 14000000 in pass 2 \(\+100\.0%\)'
rm "$work/runs"
run 0 $vega "$tool" stat --passes -I 1000 --csv --control GRBM.GUI_ACTIVE \
	-e "$six" -- "$work/more"
has "runs that are not alike cause a message with intervals" \
	"$work/err" 'the runs were not alike'
has "intervals have the number of their pass" "$work/out" \
	'^1,1,1,0,,amdgpu::GRBM.GUI_ACTIVE,,7000000,cycles,.*,yes,,,,$' \
	'^1,1,2,0,,amdgpu::GRBM.GUI_ACTIVE,,14000000,cycles,.*,yes,,,,$'
rm "$work/runs"
run 0 $vega "$tool" stat --passes --json --control none -r 2 -e "$six" \
	-- "$work/more"
lacks "--control none turns the comparison of events off" \
	"$work/err" 'alike: amdgpu'
json "JSON has the run and pass of each event" "$work/out" \
	'.passes == 2 and .runs == 4 and
	[.events[] | [.run, .pass]] == [[1, 1], [1, 1], [1, 1], [1, 1], [1, 1],
	[2, 1], [2, 1], [2, 1], [2, 1], [2, 1], [1, 2], [2, 2]] and
	all(.events[]; .control | not)'
has "stat --passes -r prints progress" "$work/err" 'pass 2 of 2, run 2 of 2'
run 0 $vega "$tool" stat --passes -e "$six" -- true
has "stat --passes chooses a control" \
	"$work/err" 'SQ.WAVES \*  \(pass 2, control\)'
# the first run does nothing, and the second one sleeps
second="[ ! -e '$work/second' ] || sleep 1; touch '$work/second'"
run 0 $vega "$tool" stat --passes --control none -e "$six" -- sh -c "$second"
has "stat --passes compares the time of passes" "$work/err" \
	'the runs were not alike: pass 1 took .* s and pass 2 took .* s \([+-][0-9.]+%\)'
rm "$work/second"
run 0 $sim --gpu vega10 --time virtual --scenario "$work/still" -- \
	"$tool" stat --passes -e "$six" -- true
has "stat --passes reports a control that counts nothing" "$work/err" \
	'control counter amdgpu::SQ.WAVES:device=0 counted nothing: .*--control'
run 0 $vega "$tool" stat --passes -e $events -- true
lacks "stat --passes prints no pass or control if one pass is enough" \
	"$work/err" 'pass|control'
status "stat exits with 125 if the control does not fit" \
	125 $vega "$tool" stat --passes \
	--control TCC.RETURN_ACK -e "$six,TCC.RETURN_DATA,TCC.STREAMING_REQ,TCC.BUSY" \
	-- true
has "the error names the control that does not fit" \
	"$work/err" 'control counter amdgpu::TCC.R[^ ]* does not fit'

# ---------------------------------------------------------------- signals
# interrupt NAME STATUS SIGNALS ARGUMENT...: run the tool with the arguments, and
# send the signals to its process group when the command has started: "INT/one"
# to the tool alone, "INT/all" again and again until the tool has ended
cat > "$work/interrupt" << 'END'
set -m
signals=$1
shift
"$@" &
for signal in $signals; do
	while [ ! -e started ]; do sleep 0.02; done
	[ "$signal" = wait ] && { rm started; continue; }
	kill "-${signal%%/*}" $([ "${signal#*/}" = one ] || echo -)$!
	while [ "${signal#*/}" = all ] && kill -0 $!; do
		sleep 0.1 # until it has ended
		kill "-${signal%%/*}" -$!
	done 2> kills
done
wait $!
END
started="$advance 1s; touch started"
interrupt()
{
	local name=$1 expected=$2 signals=$3
	shift 3
	rm -f "$work/started"
	(
		tables=$PWD/tests/tool
		scenario=$tables/vega10.scenario
		cd "$work" || exit
		DRMPERF_EVENTS=$tables/metrics.xml
		run "$expected" "$sim" --time virtual --scenario "$scenario" \
			--gpu vega10 -- timeout $hang bash interrupt "$signals" "$tool" stat "$@"
	)
	has "$name: stat prints what was counted" "$work/err" '16,000  requests'
	lacks "$name: stat exits with $expected" "$work/err" '^exit status'
}
interrupt "Ctrl-C" 130 INT -e $events -- sh -c "$started; exec sleep 900"
interrupt "SIGTERM" 143 TERM/one -e $events -- sh -c "$started; exec sleep 900"
interrupt "SIGHUP" 129 HUP/one -e $events -- sh -c "$started; exec sleep 900"
interrupt "a command that tidies up" 7 INT/one -e $events -- \
	sh -c "trap 'exit 7' INT; $started; while :; do sleep 0.05; done"
interrupt "a command that will not end" 137 INT/all -e $events -- \
	sh -c "trap '' INT; $started; exec sleep 900"
interrupt "Ctrl-C in repeated runs" 130 INT -r 5 -e $events -- \
	sh -c "$started; exec sleep 900"
has "Ctrl-C ends repeated runs" "$work/err" 'ended after 1 of 5 runs'
interrupt "Ctrl-C in the second pass" 130 "wait INT" --passes -e "$six" -- \
	sh -c "$started; [ -e second ] && exec sleep 900; touch second
	while [ -e started ]; do sleep 0.02; done"
has "Ctrl-C in the second pass leaves the values of the first" \
	"$work/err" 'TCC.READ  \(pass 1\)'
interrupt "Ctrl-C in intervals" 130 INT -I 50 -e $events -- \
	sh -c "$started; exec sleep 900"

# without a command: until Ctrl-C
cat > "$work/all" << END
set -m
"$tool" stat -a -e $events &
while [ "\$($sim ctl report | grep -c 'submissions=[1-9]')" = 0 ]; do
	sleep 0.02 # until it counts
done
$advance 1s
kill -INT \$!
wait \$!
END
status "stat -a exits with 130 after Ctrl-C" \
	130 $vega timeout $hang bash "$work/all"
has "stat -a counts until Ctrl-C" "$work/err" '^ Counters, system wide:' ' 16,000  requests'

# A terminal sends Ctrl-C to the command by itself: it comes once. The shell of
# script(1), whichever it is, must not be there to die of it.
cat > "$work/trap" << END
#!/bin/bash
trap 'echo int >> "$work/ints"' INT
touch "$work/started"
while [ ! -s "$work/ints" ]; do sleep 0.02; done
sleep 0.2 # a second one would come now, or be missed
touch "$work/ended"
exit 9
END
chmod +x "$work/trap"
if has_terminals; then
	rm -f "$work/started"
	{
		while [ ! -e "$work/started" ]; do sleep 0.02; done
		printf '\003'
		while [ ! -e "$work/ended" ]; do sleep 0.02; done
	} | timeout --foreground $hang script -qec "exec $(echo $vega) '$tool' stat -o '$work/log' -e $events -- \
		'$work/trap'" /dev/null > "$work/out" 2>&1
	[ $? = 9 ] && ok "Ctrl-C on a terminal is left to the command" ||
		not_ok "Ctrl-C on a terminal is left to the command" "$work/out"
	same "the command gets Ctrl-C of a terminal once" "$work/ints" int
	has "stat writes its values after Ctrl-C on a terminal" \
		"$work/log" 'TCC.REQ'
else
	skip "Ctrl-C on a terminal is left to the command" \
		"script(1) cannot make one"
fi

# ---------------------------------------------------------------- wrong clocks
# Linux 6.1 does not know the rate of DG2's OA clock: the engine's, half of it,
# is told. How long it takes to be sure is up to the machine.
for ((tries = 1; tries < 50; tries++)); do
	run 0 $sim --gpu acmgt3,kernel=6.1 -- "$tool" stat \
		-e RenderBasic.GpuTime -- sleep "0.$((tries + 2))"
	grep -q 'count time at' "$work/err" && break
done
has "stat reports a wrong rate of timestamps" "$work/err" \
	'OA reports of DG2-G10 count time at [0-9.]+ MHz, .* says 19.2 MHz'
run 0 $sim --gpu acmgt3 -- "$tool" stat -e RenderBasic.GpuTime -- sleep 0.4
lacks "stat does not complain about a right rate of timestamps" \
	"$work/err" 'count time at'

# ---------------------------------------------------------------- fused parts
# SamplersBusy is made of samplers that such chips lack.
for gpu in hsw,subslices=0x1 bdw,subslices=0:2 sklgt2,subslices=5 \
	bxt,subslices=3 kblgt2,subslices=6 glk,subslices=3 cflgt2,subslices=3 \
	icl,subslices=0x3f; do
	run 0 $sim --time virtual --gpu $gpu -- "$tool" stat --csv \
		-e 'RenderBasic.*' -- $advance 10ms
	has "all of RenderBasic is counted on $gpu" \
		"$work/out" 'RenderBasic.SamplersBusy'
	lacks "RenderBasic causes no message on $gpu" "$work/err" 'drmperf:'
done
run 0 $sim --time virtual --gpu icl,subslices=0x7f -- "$tool" stat --csv \
	-e RenderBasic.GpuTime -- $advance 10ms
has "stat reports subslices that cannot stay on" "$work/err" \
	'cannot keep all 7 subslices of Ice Lake on'
has "stat counts although subslices cannot stay on" \
	"$work/out" 'RenderBasic.GpuTime'
finish
