#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf record and report. As in stat.sh time is virtual, and the command
# decides what counts: 16,000 requests and 7,000,000 clocks a second.
. tests/tool/lib.sh

export DRMPERF_EVENTS=tests/tool/metrics.xml
events=amdgpu::TCC.REQ,metric.PerClock,sensor.gpu-temp
advance="$sim ctl advance"
data=$work/data

# ---------------------------------------------------------------- a recording
status "record exits with 0" \
	0 $vega "$tool" record -F 1000 -e $events -o "$data" -- \
	sh -c "$advance 1s; echo out; $advance 1s"
same "record leaves the output of its command alone" "$work/out" out
has "record says how to report" "$work/err" \
	"^drmperf record: [0-9]+ samples in $data, [0-9.e+]+ a second \(drmperf report $data\)$"
run 0 "$tool" report "$data"
same "report prints a table of the recording" \
	<(sed 's/, [0-9]* samples:/, N samples:/
	s/^ *[0-9.]* *\(seconds recorded\)/\1/' "$work/out") "
 Counters of sh -c $advance 1s; echo out; $advance 1s, system wide, N samples:
 GPU 0: Vega 10 (Radeon RX Vega) at 0000:03:00.0

               value  unit                  rate           min           p95           max  event
              32,000  requests          16.0 k/s      16.0 k/s      16.0 k/s      16.0 k/s  amdgpu::TCC.REQ
               0.002  ratio                        0.002 ratio   0.002 ratio   0.002 ratio  amdgpu::metric.PerClock
                45.0  degC                           45.0 degC     45.0 degC     45.0 degC  amdgpu::sensor.gpu-temp

seconds recorded
"
head="schema,run,pass,device,die,event,instance,value,unit,start_ns,length_ns,\
rate,scope,control,engine_held_hz,engine_before_hz,memory_held_hz,\
memory_before_hz"
run 0 "$tool" report --csv "$data"
same "report --csv prints CSV in the form of stat" \
	<(grep -v sensor "$work/out") "$head
1,1,1,0,,amdgpu::TCC.REQ,,32000,requests,0,2000000000,16000,device,no,,,,
1,1,1,0,,amdgpu::metric.PerClock,,0.002285714285714286,ratio,0,2000000000,,device,no,,,,"
has "a sensor has no length in CSV" "$work/out" \
	'^1,1,1,0,,amdgpu::sensor.gpu-temp,,45000,mdegC,[0-9]+,0,,device,no,,,,$'
run 0 "$tool" report -x ';' -o "$work/file" "$data"
has "-x and -o write CSV with another separator to a file" "$work/file" \
	'^1;1;1;0;;amdgpu::TCC.REQ;;32000;requests;0;2000000000;16000;'
run 0 "$tool" report --json "$data"
json "report --json prints JSON in the form of stat" "$work/out" \
	'.command[0] == "sh" and .passes == 1 and .runs == 1 and
	[.events[] | .value] == [32000, 16000 / 7000000, 45000] and
	.events[0].rate == 16000'
json "JSON has the ranges of samples" "$work/out" \
	'[.ranges[] | [.event, .device, .per_second, .min, .p95, .max]] == [
		["amdgpu::TCC.REQ", 0, true, 16000, 16000, 16000],
		["amdgpu::metric.PerClock", 0, false] +
			[range(3) | 16000 / 7000000],
		["amdgpu::sensor.gpu-temp", 0, false, 45000, 45000, 45000]]'
run 0 "$tool" report -I 1 --json "$data"
if jq -es '[.[] | select(.event == "amdgpu::TCC.REQ")] | length > 0 and
	(map(.value) | add) == 32000 and (map(.length_ns) | add) == 2000000000
	and all(.[]; .rate == null or .rate == 16000)' "$work/out" \
	> "$work/jq" 2>&1; then
	ok "intervals add up to the total"
else
	not_ok "intervals add up to the total" "$work/out"
fi
# what was computed of a part is that of the part, or n/a where nothing counted
json "an average is that of its interval" "$work/out" \
	'.event != "amdgpu::metric.PerClock" or .value == null or
	.value == 16000 / 7000000'

# the command has samples between two times of different rates: when the file
# has grown twice, one was taken after it began to look
cat > "$work/two_rates" << END
grown()
{
	before=\$(stat -c %s "$data")
	# a recording is written every second
	while [ "\$(stat -c %s "$data")" = "\$before" ]; do sleep 0.1; done
}
$advance 1s
grown
grown
$sim ctl set rate 'TCC.3 3000'
$advance 1s
END
cat > "$work/bits.xml" << 'END'
<events driver="amdgpu" format="1">
	<metric name="Bits" unit="requests" type="uint64" kind="average" expression="TCC.REQ^GRBM.GUI_ACTIVE">Bit by bit.</metric>
</events>
END
DRMPERF_EVENTS=$DRMPERF_EVENTS:$work/bits.xml run 0 $vega "$tool" record -F 1000 \
	-e metric.PerClock,metric.Bits,metric.Rest -o "$data" -- sh "$work/two_rates"
has "record names an average that it cannot take apart" "$work/err" \
	'metric.Bits is computed bit by bit, and stays as it is'
run 0 "$tool" report -I 1 --json "$data"
per_clock='map(select(.event == "amdgpu::metric.PerClock") | .value)'
bits='map(select(.event == "amdgpu::metric.Bits") | .value)'
if jq -es "($per_clock | map(select(. != null))) ==
	[16000 / 7000000, 48000 / 7000000]" "$work/out" > "$work/jq" 2>&1; then
	ok "two intervals of different rates have different averages"
else
	not_ok "two intervals of different rates have different averages" \
		"$work/out"
fi
if jq -es "$bits | last == null and .[0] != null" "$work/out" \
	> "$work/jq" 2>&1; then
	ok "an average that stays as it is has a first value only"
else
	not_ok "an average that stays as it is has a first value only" \
		"$work/out"
fi
rest='map(select(.event == "amdgpu::metric.Rest" and .length_ns > 0) | .value)'
if jq -es "$rest == [16000, null]" "$work/out" \
	> "$work/jq" 2>&1; then
	ok "what is less than at the interval before has no value"
else
	not_ok "what is less than at the interval before has no value" \
		"$work/out"
fi
run 0 "$tool" report --html "$work/rates" "$data"
has "a page has the values for the pointer where they change" "$work/rates" \
	'data-values="0\|0.002 ratio\|([0-9]+\|0.002 ratio to 0.007 ratio\|)?[0-9]+\|0.007 ratio'
run 0 "$tool" report --json "$data"
json "JSON has averages of the whole recording" \
	"$work/out" '[.events[] | .value] ==
	[64000 / 14000000, 13985152, 0]'

run 0 "$tool" report -I 86400000 "$data"
has "report -I prints a table of intervals" "$work/out" \
	'^ +time +value  unit +rate  event$' \
	'^ +[0-9.]+ +0.005  ratio +amdgpu::metric.PerClock$'
run 0 $sim --gpu sklgt2 --gpu vega20 -- "$tool" record -o "$data" \
	-e i915::oa.GpuBusy,i915::oa.GpuTime,amdgpu::GRBM.COUNT -- true
run 0 "$tool" report --json "$data"
json "one recording holds two GPUs" "$work/out" \
	'[.events[] | [.device, .event]] == [[0, "i915::oa.GpuBusy"],
	[0, "i915::oa.GpuTime"], [1, "amdgpu::GRBM.COUNT"]] and
	all(.events[]; .value > 0 and .length_ns > 0)'
run 0 "$tool" report "$data"
has "report names the GPU of each event if there are several" \
	"$work/out" 'oa.GpuTime:device=0$' \
	'GRBM.COUNT:device=1$'
(unset DRMPERF_EVENTS; cd "$work" && $sim --gpu vega10 -- "$tool" record \
	-e GRBM.COUNT true &&
	"$tool" report) > "$work/out" 2>&1
has "record and report share a default file" \
	"$work/out" 'cycles .*amdgpu::GRBM.COUNT$'

run 0 $sim --gpu sklgt2 -- "$tool" record -e i915::oa.GpuBusy -o "$data" -- \
	sleep 0.1
has "record prints the number and rate of OA reports" "$work/err" \
	"^drmperf record: [0-9]+ reports in $data, [0-9.e+]+ a second "

# a period, where -F has a frequency; the last one counts
# it says itself how long
run 0 $sim --gpu vega10 -- "$tool" record -a --timeout 500 -F 1 -c 1000000 \
	-o "$data" -e GRBM.COUNT
# a sample that is late is left out, and said to be missing
many=$(sed -nE 's/^drmperf record: ([0-9]+) samples.*/\1/p
	s/^drmperf( record)?: [0-9]+ of ([0-9]+) samples that were due.*/\2/p' \
	"$work/err" | sort -n | tail -n 1)
if [ "${many:-0}" -gt 3 ]; then
	ok "record -c takes a sample every n nanoseconds"
else
	not_ok "record -c takes a sample every n nanoseconds" "$work/err"
fi

# ---------------------------------------------------------------- the command
run 3 $vega "$tool" record -o "$data" -e TCC.REQ -- sh -c 'exit 3'
lacks "record exits with the status of its command" "$work/err" '^exit status'
run 127 $vega "$tool" record -o "$data" -e TCC.REQ -- /nonexistent/command
has "record names a command that does not exist" "$work/err" \
	'^drmperf record: cannot run /nonexistent/command: No such file'
lacks "record speaks of no recording if nothing ran" "$work/err" 'samples in'
run 0 "$tool" report "$data"
has "record leaves an earlier file alone if nothing ran" "$work/out" \
	'Counters of sh -c exit 3'
# it says itself how long
run 0 $vega "$tool" record -o "$data" -e TCC.REQ -a --timeout 1
has "record -a --timeout records without a command" "$work/err" 'samples in'

# ---------------------------------------------------------------- programs
run 0 $sim --gpu vega10 -- "$tool" record -o "$data" -e GRBM.COUNT -- \
	sh -c 'env true; exec sleep 0'
if grep -q 'processes are not recorded' "$work/err"; then
	skip "report --processes lists the programs that ran" \
		"$(grep 'not recorded' "$work/err")"
else
	run 0 "$tool" report --processes "$data"
	has "report --processes lists the programs that ran" \
		"$work/out" '^ sh, process [0-9]+, from [0-9.]+ s' \
		'^ env, process' '^ true, process' '^ sleep, process' \
		' GRBM.COUNT$|amdgpu::GRBM.COUNT$'
	run 0 "$tool" report --perfetto "$work/trace" "$data"
	python3 tests/tool/trace.py "$work/trace" > "$work/out" 2>&1
	has "programs are slices of the trace" "$work/out" '^slice [0-9]+ sh$' \
		'^slice [0-9]+ env$' '^slice [0-9]+ true$' '^slice [0-9]+ sleep$' \
		'^counter amdgpu::GRBM.COUNT cycles/s [0-9.e+]+$'
fi

run 0 $sim --gpu bmg -- "$tool" record -o "$work/xe.data" \
	-e xe::RenderBasic.GpuCoreClocks -- sleep 0.1
has "record warns where a reset cannot be noticed" "$work/err" \
	'OA counters may be too low if the GPU was reset'
run 0 $sim --gpu vega10 -- "$tool" record -o "$work/vega.data" \
	-e GRBM.COUNT -- sleep 0.1
lacks "record does not warn where resets are noticed" \
	"$work/err" 'reset meanwhile'

# a process that runs already, with a second thread that starts a program
cat > "$work/threads.py" << 'END'
import subprocess, sys, threading
def work():
    for _ in sys.stdin:
        subprocess.run(["true"])
threading.Thread(target=work).start()
END
if grep -q 'processes are not recorded' "$work/err"; then
	skip "record -p records a process and what its threads start" \
		"$(grep 'not recorded' "$work/err")"
else
	cat > "$work/attach" << END
coproc python3 "$work/threads.py"
pid=\$COPROC_PID
# until the thread is there, or hangs
for _ in \$(seq $((10 * hang))); do
	[ "\$(ls /proc/\$pid/task | wc -l)" = 2 ] && break
	sleep 0.1 # and looked at again
done
"$tool" record -F 10 -o "$data" -e GRBM.COUNT -p \$pid &
# until it records, or hangs
for _ in \$(seq $((10 * hang))); do
	"$tool" report --processes "$data" 2> "$work/wait" |
		grep -q '^ python' && break
	sleep 0.1 # and looked at again
done
echo >&"\${COPROC[1]}"
eval "exec \${COPROC[1]}>&-"
wait \$!
END
	rm -f "$data"
	run 0 $sim --gpu vega10 -- bash "$work/attach"
	run 0 "$tool" report --processes "$data"
	has "record -p records a process and what its threads start" \
		"$work/out" '^ python[0-9.]*, process [0-9]+, from' '^ true, process'
fi

# ---------------------------------------------------------------- rates
# Two samples that end show that one began; each is a submission.
cat > "$work/sampled" << END
submissions() { $sim ctl report | sed -n 's/.*submissions=\([0-9]*\).*/\1/p'; }
before=\$(submissions)
until [ "\$(submissions)" -ge \$((before + 2)) ]; do sleep .01; done
END
run 0 $sim --gpu vega10 -- "$tool" record -F 1000 -e SQ.WAVES -o "$data" -- \
	sh -c '. "$1"; kill -STOP $PPID; sleep 0.2; kill -CONT $PPID' - \
	"$work/sampled"
has "record counts the samples that it missed" "$work/err" \
	'^drmperf( record)?: (19[0-9]|[2-9][0-9]{2,}|[1-9][0-9]{3,}) of [0-9]+ samples that were due are missing'
run 0 $sim --gpu vega10 -- "$tool" record -c 4000000000 -e SQ.WAVES -o "$data" \
	-- true
lacks "record reports no missed samples if all were taken" "$work/err" 'missing'

# ---------------------------------------------------------------- pictures
run 0 $sim --gpu sklgt2 -- "$tool" record -o "$data" -e sensor.act-freq -- \
	sh -c 'for i in 1 2 3; do env true; done; for i in $(seq 30); do cp /bin/true "$0/name$i"; "$0/name$i"; done' "$work"
run 0 "$tool" report --html "$work/page" "$data"
if grep -q '<h2>Programs' "$work/page"; then
	has "processes of a name share a row, and there are few rows" \
		"$work/page" '^<p>The 20 of [0-9]{2} with the longest process' \
		'>sh, [0-9]+ processes<' '>cp, 30 processes<'
	grep -c '<text class="name"' "$work/page" > "$work/out"
	same "a page has twenty rows of processes at most" "$work/out" 20
fi
run 0 $sim --gpu sklgt2 -- "$tool" record -o "$data" \
	-e oa.GpuTime,oa.GpuBusy,sensor.act-freq -- sh -c 'echo "<&>"'
status "report writes a trace and a page at once" 0 "$tool" report \
	--perfetto "$work/trace" --html "$work/page" "$data"
empty "report prints no table if it writes a trace and a page" "$work/out"
run 0 "$tool" report --csv "$data"
counted=$(sed -n 's/.*GpuTime,,\([0-9]*\),ns,.*/\1/p' "$work/out")
python3 tests/tool/trace.py "$work/trace" > "$work/out" 2>&1
has "the trace keeps Perfetto's rules" "$work/out" \
	'^counter i915::oa.GpuTime ns/s [0-9.e+]+$' \
	'^counter i915::oa.GpuBusy percent [0-9.e+-]+$' \
	'^counter i915::sensor.act-freq MHz '
# heights over time make the counts again, but for the two clocks
if awk -v counted="$counted" '/GpuTime/ { ok = counted > 0 &&
	$4 > 0.5 * counted && $4 < 2 * counted } END { exit !ok }' "$work/out"; then
	ok "the trace has what was counted"
else
	echo "counted $counted" >> "$work/out"
	not_ok "the trace has what was counted" "$work/out"
fi
status "the page is well formed" 0 parse_xml "$work/page"
has "a page has a plot of each event" "$work/page" '<h2>i915::oa.GpuTime</h2>' \
	'<h2>i915::oa.GpuBusy</h2>' '<h2>i915::sensor.act-freq</h2>' \
	'<path class="band" d="M[0-9]' 'Skylake GT2 \(HD Graphics 530\), 0000:00:02.0'
has "a page has a table of events that link to their plots" "$work/page" \
	'<td><a href="#event0">i915::oa.GpuTime</a></td><td>[0-9,]+ ns</td><td>' \
	'<section id="event0"><h2>i915::oa.GpuTime</h2>' \
	'oa.GpuBusy</a></td><td>100.0 %</td><td></td>(<td>100.0 %</td>){3}'
sed -n 's|.*<text class="axis" x="3" y="-3">||p' "$work/page" > "$work/out"
has "the axis of a percentage ends at 100, others at a round number" \
	"$work/out" '^100.0 %</text>$' '^[125]0?0?.00 [MG]Hz</text>$'
has "a page escapes the command" "$work/page" '&quot;&lt;&amp;&gt;&quot;</h1>'
lacks "a page loads nothing from elsewhere" \
	"$work/page" 'http|src=|@import|url\('

lacks "a plot has no gap between reports" \
	<(sed -n '/oa.GpuBusy<.h2>/,/<.svg>/p' "$work/page" |
		grep -c 'class="area"') '^([2-9]|[1-9][0-9])'
run 0 "$tool" report --csv -I 1 "$data"
lacks "a sensor that was not read yet has no value of 0" \
	"$work/out" 'act-freq,,0,MHz'

# ---------------------------------------------------------------- dies
run 0 env DRMPERF_DIES=one $sim --gpu mi300,die=3 -- "$tool" record -o "$data" \
	-e SQ.WAVES,TCC.REQ,sensor.gfx-sclk -- true
for how in "" "-I 1" --processes; do
	run 0 "$tool" report $how "$data"
	[ "$how" = --processes ] && grep -q 'no processes' "$work/out" && continue
	has "report $how: each value names its die or queues" "$work/out" \
		'  amdgpu::SQ.WAVES \*  \(die 3\)$' '  amdgpu::TCC.REQ  \(die 3\)$' \
		'\(\* in queues that allow it\)' 'sensor.gfx-sclk$'
done
status "report writes plots and tracks of one die" \
	0 "$tool" report --perfetto "$work/trace" \
	--html "$work/dies" "$data"
has "plots name the die that counted" \
	"$work/dies" '<h2>amdgpu::SQ.WAVES  \(die 3\)</h2>' \
	'<h2>amdgpu::sensor.gfx-sclk</h2>'
python3 tests/tool/trace.py "$work/trace" > "$work/out" 2>&1
has "tracks name the die that counted" \
	"$work/out" '^counter amdgpu::TCC.REQ  \(die 3\) '

# min() of a quotient by 0 would be 0
run 0 $sim --time virtual --gpu vega10 -- "$tool" record -o "$data" -e GPUBusy \
	-- true
run 0 "$tool" report "$data"
has "an average of no time is n/a" "$work/out" \
	' n/a  % .* amdgpu::metric.GPUBusy$'

run 0 $sim --gpu vega10 --gpu navi31 -- "$tool" record -o "$data" -d all \
	-e sensor.gfx-sclk,GRBM.COUNT,sensor.gpu-temp -- true
run 0 "$tool" report --html "$work/several" "$data"
same "plots of an event stand side by side for several GPUs" \
	<(grep -oE '"gpus"|[.][A-Za-z-]+:device=[01]</h2>' "$work/several") \
	'"gpus"
.gfx-sclk:device=0</h2>
.gfx-sclk:device=1</h2>
"gpus"
.COUNT:device=0</h2>
.COUNT:device=1</h2>
"gpus"
.gpu-temp:device=0</h2>
.gpu-temp:device=1</h2>'

# looked at by a browser, where there is one: it is too large to install for this
browser=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
if [ -z "$browser" ]; then
	skip "a browser shows the plots" "chromium is not installed"
elif [ -z "${sanitized:-}" ]; then
	cp "$work/page" "$work/page.html"
	# a browser that hangs ends the test
	timeout $((10 * hang)) "$browser" --headless --no-sandbox --disable-gpu \
		--user-data-dir="$work/browser" --window-size=1100,900 \
		--hide-scrollbars --screenshot="$work/page.png" \
		"file://$work/page.html" > "$work/out" 2> "$work/err"
	python3 tests/tool/picture.py "$work/page.png" > "$work/out" 2>> "$work/err"
	has "a browser shows the plots" "$work/out" \
		'^1100 x 900$' '^colours of plots: [1-9][0-9]{3,}$'
	# a mouse drags over half of a plot, and double-clicks
	cat "$work/rates" - > "$work/mouse.html" << 'END'
<script>
addEventListener('load', function () {
	const plot = document.querySelector('svg.plot');
	const box = plot.getBoundingClientRect();
	const told = function (name) {
		const line = document.body.appendChild(
			document.createElement('pre'));
		line.textContent = '\n' + name + ': ' +
			document.querySelector('output').textContent + ', ' +
			Array.from(document.querySelectorAll('.view'), view =>
				view.getAttribute('viewBox')).join(', ') + '\n';
	};
	const send = function (name, part) {
		plot.dispatchEvent(new PointerEvent(name, {
			clientX: box.left + part * box.width }));
	};
	send('pointermove', 0.5);
	told('all');
	send('pointerdown', 0.25);
	send('pointermove', 0.75);
	send('pointerup', 0.75);
	told('zoomed');
	plot.dispatchEvent(new MouseEvent('dblclick'));
	send('pointermove', 0.001);
	told('reset');
	document.body.appendChild(document.createElement('pre')).textContent =
		'\npixels of a unit: ' + (box.width /
			plot.viewBox.baseVal.width).toFixed(2) + ', ' +
		plot.querySelector('.half').getAttribute('x2') / box.width + '\n';
});
</script>
END
	timeout $((10 * hang)) "$browser" --headless --no-sandbox --disable-gpu \
		--user-data-dir="$work/browser" --window-size=1100,900 \
		--dump-dom "file://$work/mouse.html" > "$work/dom" 2> "$work/err"
	has "the page shows values at the pointer" "$work/dom" \
		'^all: [0-9.]+ s: 0.007 ratio, 0 -2 1000 114, ' \
		'^reset: [0-9.e-]+ s: 0.002 ratio.*, 0 -2 1000 114, '
	has "texts of a plot are as large as the page says, at any width" \
		"$work/dom" '^pixels of a unit: 1.00, 0.99'
	has "all plots zoom to the range that the pointer was dragged over" "$work/dom" \
		'^zoomed: .* ratio(, (249|250)[0-9.]* -2 50[01][0-9.]* 114){2}'
fi

# ---------------------------------------------------------------- reports
# 12 ticks are a microsecond; the simulated GPU has 95 clocks in one
number()
{
	awk -F, -v event="i915::$1" '$6 == event { print $8 }' "$work/csv"
}
counters=oa.GpuTime,oa.GpuBusy,oa.GpuCoreClocks,oa.EuActive
run 0 $sim --time virtual --gpu sklgt2 -- "$tool" record -F 10000 -o "$data" \
	-e $counters -- sh -c "$advance 1s"
run 0 "$tool" report "$data"
same "a table of OA reports has their sums" \
	<(sed -E 's/[0-9,]{8,}|[0-9.]+( +seconds)/N\1/
	s/^ +//; s/  +/ /g' "$work/out") "
Counters of sh -c $advance 1s, system wide, min and max of 20 ms:
GPU 0: Skylake GT2 (HD Graphics 530) at 0000:00:02.0

value unit rate min p95 max event
N ns 100.0 % 100.0 % 100.0 % 100.0 % i915::oa.GpuTime
100.0 % 100.0 % 100.0 % 100.0 % i915::oa.GpuBusy
N cycles 1.14 GHz 1.14 GHz 1.14 GHz 1.14 GHz i915::oa.GpuCoreClocks
0.2 % 0.2 % 0.2 % 0.2 % i915::oa.EuActive

N seconds recorded
"
"$tool" report --csv "$data" > "$work/csv"
python3 tests/tool/unwrap.py "$data" "$work/i915" > "$work/out" 2>&1
read -r _ reports < "$work/out"
ticks=$(sed -n 's/^ticks //p' "$work/out")
if [ "${reports:-0}" -gt 10000 ]; then
	ok "record keeps every report of a second at 10 kHz"
else
	not_ok "record keeps every report of a second at 10 kHz" "$work/out"
fi
if [ "$(number oa.GpuTime)" = $((ticks * 1000 / 12)) ] &&
	[ "$(number oa.GpuCoreClocks)" = $((ticks * 95)) ]; then
	ok "under i915 values are those of the reports"
else
	cat "$work/csv" >> "$work/out"
	not_ok "under i915 values are those of the reports" "$work/out"
fi
run 0 "$tool" report -I 1 --csv "$data"
if awk -F, -v ticks="$ticks" '/CoreClocks/ { sum += $8; n++; end = $10 + $11 }
	END { exit !(sum == ticks * 95 && n > 1 && end >= ticks * 1000 / 12 &&
	end <= ticks * 1000 / 12 + 1) }' "$work/out"; then
	ok "intervals of reports add up"
else
	not_ok "intervals of reports add up" "$work/out"
fi

# as a file of i915-perf-recorder, which has all of the set
run 0 "$tool" report --csv "$work/i915"
cp "$work/out" "$work/theirs"
set=$(sed -n 's/.*i915::\(.*\)\.GpuTime,.*/\1/p' "$work/theirs")
for counter in GpuTime GpuBusy GpuCoreClocks EuActive; do
	one=$(number oa.$counter)
	other=$(awk -F, -v event="i915::$set.$counter" \
		'$6 == event { print $8 }' "$work/theirs")
	echo "$counter: $one, $other" >> "$work/both"
	[ -n "$one" ] && [ "$one" = "$other" ] || echo unequal >> "$work/both"
done
lacks "a file of i915-perf-recorder gives the same values" "$work/both" unequal
run 0 "$tool" report "$work/i915"
has "a file of i915-perf-recorder has each event of its set" "$work/out" \
	'^ Counters, system wide, min and max' "$set.GpuTime$"
lacks "a file of i915-perf-recorder has no event of any set" \
	"$work/out" '::oa\.' ReportAge
lacks "a metric set with the same GUID causes no message" "$work/err" GUID
sed 's/[0-9a-f]\{8\}-[0-9a-f]\{4\}-/01234567-89ab-/' "$work/i915" > "$work/other"
run 0 "$tool" report "$work/other"
has "a metric set with another GUID causes a message" "$work/err" \
	"^drmperf: metric set $set was recorded with another GUID"
size=$(stat -c %s "$work/i915")
# The checker takes seconds for all of it.
head -c $((size / 8)) "$work/i915" > "$work/begin"
run 0 "$tool" report --html "$work/page" "$work/i915"
run 0 "$tool" report --perfetto "$work/trace" "$work/begin"
python3 tests/tool/trace.py "$work/trace" > "$work/out" 2>&1
has "a file of i915-perf-recorder becomes a trace" \
	"$work/out" "^counter i915::$set.GpuBusy percent "
status "a file of i915-perf-recorder becomes a page" 0 parse_xml "$work/page"
head -c $((size - 100)) "$work/i915" > "$work/cut"
run 0 "$tool" report "$work/cut"
has "report says that a file of i915-perf-recorder was cut off" \
	"$work/err" 'was cut off; its last [0-9]+ bytes are'
if command -v i915-perf-reader > "$work/which"; then
	i915-perf-reader -c all "$work/i915" > "$work/out" 2> "$work/err"
	sed -n 's/^   \(.*\): \(.*\)$/\1 \2/p' "$work/out" | sort > "$work/reader"
	awk -F, -v OFS=' ' 'NR > 1 { sub(/.*\./, "", $6); print $6, $8 }' \
		"$work/theirs" | sort > "$work/ours"
	join "$work/reader" "$work/ours" | awk '{ d = $2 - $3
		if (d > 1e-6 || d < -1e-6) print "unequal", $0
		n++ } END { print n, "counters" }' > "$work/both"
	lacks "i915-perf-reader finds the same values" "$work/both" unequal
	has "i915-perf-reader is compared in all counters" \
		"$work/both" '^[3-9][0-9] counters$'
else
	skip "i915-perf-reader finds the same values" "it is not installed"
fi

# Under xe 19.2 ticks are a microsecond; of the clock of the render engine a tick
# has 148, of that of the media engines, which have a unit of their own, 72.
for set in TestOa.TEST_EVENT1_CYCLES MediaSet1.MEDIA_READ_REQUEST; do
	counter=$set
	set=${set%.*}
	[ $set = TestOa ] && clocks=148 || clocks=72
	run 0 $sim --time virtual --gpu bmg -- "$tool" record -F 10000 \
		-o "$data" -e $set.GpuTime,$set.GpuCoreClocks,$counter -- sh -c "$advance 1s"
	run 0 python3 tests/tool/unwrap.py "$data" "$work/xe"
	cp "$work/out" "$work/reports"
	run 0 "$tool" report --csv "$data"
	cp "$work/out" "$work/csv"
	if awk -F'[, ]' -v rate=$clocks 'NR == FNR { of[$1] = $2; next }
		$6 ~ /GpuTime/ { time = $8 } $6 ~ /CoreClocks/ { clocks = $8 }
		END { exit !(of["reports"] > 10000 &&
			time == int(of["ticks"] * 10000 / 192) &&
			clocks == of["clocks"] && clocks == of["ticks"] * rate) }
		' "$work/reports" "$work/csv"; then
		ok "under xe values are those of the reports ($set)"
	else
		cat "$work/csv" >> "$work/reports"
		not_ok "under xe values are those of the reports ($set)" \
			"$work/reports"
	fi
	has "under xe counters of $set are reported" "$work/csv" \
		"xe::$counter,,[1-9]"
done

run 0 $sim --gpu sklgt2 -- "$tool" record -F 50 -o "$data" -e $counters true
run 0 "$tool" report "$data"
has "record -F 50 takes samples in place of reports" \
	"$work/out" ', [0-9]+ samples:$'
run 0 $sim --gpu sklgt2 -- "$tool" record -F 200 -o "$data" \
	-e oa.GpuTime,pmu.rcs0-busy,sensor.act-freq -- true
run 0 "$tool" report --csv "$data"
has "OA events are recorded next to events without reports" \
	"$work/out" 'oa.GpuTime,,[1-9]' 'rcs0-busy,,[0-9]' \
	'act-freq,,[0-9]'

# A sensor's value is the mean of its readings.
status "a sensor that changes is recorded" 0 $vega "$tool" record -F 1000 \
	-o "$data" -e TCC.REQ,sensor.gpu-avg-power -- sh -c "
	$sim ctl set sensor 'power 280'; . $work/sampled
	$sim ctl set sensor 'power 15'; . $work/sampled"
run 0 "$tool" report "$data"
has "a sensor of a recording is the mean, with the least and the most" \
	"$work/out" \
	'^ +[0-9.]+  W  +15\.0 W +[0-9.]+ W +280 W  amdgpu::sensor.gpu-avg-power$'
lacks "a sensor of a recording is not its first or last reading" "$work/out" \
	'^ +(15\.0|280)  W '
run 0 "$tool" report --csv "$data"
has "CSV of a recording has a sensor's mean" "$work/out" \
	'gpu-avg-power,,[0-9]+\.?[0-9]*,W,'
lacks "CSV of a recording has more than a sensor's last reading" "$work/out" \
	'gpu-avg-power,,(15|280),W,'

# refused NAME STATUS PATTERN COMMAND...
refused()
{
	local name=$1 rc=$2 text=$3
	shift 3
	run "$rc" "$@"
	has "$name" "$work/err" "$text"
}

# ---------------------------------------------------------------- cut off
# cut_off KIND LEVEL: of compression; leaves such a recording in $data
cut_off()
{
	local kind=$1 level=$2 whole size length recorder rc bad=0

	# killed, it keeps what it wrote each second
	run 0 $vega "$tool" record -F 100 -z "$level" -e $events -o "$data" -- true
	whole=$(stat -c %s "$data")
	$vega sh -c 'echo $$ > "$0"; exec "$@"' "$work/pid" "$tool" record \
		-F 10 -z "$level" -e $events -o "$data" -p $$ 2> "$work/err" &
	recorder=$!
	# until it has written, or hangs
	for _ in $(seq $((10 * hang))); do
		[ "$(stat -c %s "$data")" -gt $((whole + 50)) ] && break
		sleep 0.1 # and looked at again
	done
	kill -KILL "$(cat "$work/pid")"
	wait $recorder 2> "$work/killed"
	run 0 "$tool" report "$data"
	# the buffer of a file is larger, and would end amidst a sample
	has "a $kind recording that was killed has complete samples" "$work/err" \
		"^drmperf report: $data was cut off; its samples are intact$"
	has "a $kind recording that was killed has the right values" \
		"$work/out" ' 0  requests .*amdgpu::TCC.REQ$'

	run 0 $vega "$tool" record -F 1000 -z "$level" -e $events -o "$data" \
		-- sh -c "$advance 1s; $advance 1s"
	size=$(stat -c %s "$data")
	"$tool" report "$data" > "$work/all"
	# every length but the whole, whose size differs from run to run; the
	# last bytes of a compressed file have nothing of the recording
	for length in 0 1 7 8 9 15 16 40 99 $(seq 100 53 $((size - 1))); do
		head -c "$length" "$data" > "$work/cut"
		"$tool" report "$work/cut" > "$work/out" 2> "$work/err"
		rc=$?
		{ [ $rc = 0 ] || [ $rc = 125 ]; } && {
			[ -s "$work/err" ] || cmp -s "$work/out" "$work/all"
		} && continue
		bad=$((bad + 1))
		cp "$work/err" "$work/bad"
	done
	if [ $bad = 0 ]; then
		ok "report says that a $kind recording was cut off, anywhere"
	else
		not_ok "report says that a $kind recording was cut off, anywhere" \
			"$work/bad"
	fi
}

# ---------------------------------------------------------------- compressed
# begins_compressed FILE: whether it is one of zstd
begins_compressed()
{
	[ "$(od -A n -t x1 -N 4 "$1")" = " 28 b5 2f fd" ]
}
run 0 $vega "$tool" record -F 100 -z 0 -e $events -o "$data" -- \
	sh -c "$advance 1s; $advance 1s"
if begins_compressed "$data"; then
	not_ok "record -z 0 does not compress" "$work/err"
else
	ok "record -z 0 does not compress"
fi
refused "record -z refuses a level that zstd does not have" \
	129 '^drmperf record: -z takes a number from 1 to 19, not "20"$' \
	$vega "$tool" record -z 20 -e $events -o "$data" -- true
mkdir "$work/without"
: > "$work/without/libzstd.so.1"
refused "record -z says that there is no libzstd" \
	125 'there is no libzstd \(without -z it is not compressed\)$' \
	env LD_LIBRARY_PATH="$work/without" $vega \
	"$tool" record -z 1 -e $events -o "$data" -- true
LD_LIBRARY_PATH=$work/without run 0 $vega "$tool" record -e $events \
	-o "$data" -- true
if begins_compressed "$data"; then
	not_ok "record compresses nothing where there is no libzstd" "$work/err"
else
	ok "record compresses nothing where there is no libzstd"
fi
$vega "$tool" record -z 1 -e $events -o "$data" -- true 2> "$work/err"
if grep -q 'there is no libzstd' "$work/err"; then
	skip "record compresses" "drmperf was built without libzstd, or it is not there"
else
	run 0 $vega "$tool" record -e $events -o "$data" -- \
		sh -c "$advance 1s; $advance 1s"
	if begins_compressed "$data"; then
		ok "record compresses by default"
	else
		not_ok "record compresses by default" "$work/err"
	fi
	run 0 "$tool" report "$data"
	has "report reads what is compressed" "$work/out" 'amdgpu::TCC.REQ$'
	cp "$work/out" "$work/compressed"
	run 0 zstd -q -d -f -o "$work/plain" "$data"
	run 0 "$tool" report "$work/plain"
	if diff "$work/compressed" "$work/out" > "$work/diff"; then
		ok "report prints the same of a file with and without compression"
	else
		not_ok "report prints the same of a file with and without compression" \
			"$work/diff"
	fi
	LD_LIBRARY_PATH=$work/without refused \
		"report says what a compressed file takes" 125 \
		'is compressed, and there is no libzstd here; zstd -d expands it$' \
		"$tool" report "$data"
	run 0 $vega "$tool" record -F 2000 -e $events -o "$data" -- true
	if begins_compressed "$data"; then
		not_ok "record compresses no faster samples by itself" "$work/err"
	else
		ok "record compresses no faster samples by itself"
	fi
	cut_off compressed 1
fi
cut_off plain 0
size=$(stat -c %s "$data")

head -c $((size - 9)) "$data" > "$work/cut"
run 0 "$tool" report "$work/cut"
has "report says how many bytes of a cut sample are left out" "$work/err" \
	'was cut off; its last [1-9][0-9]* bytes are left out$'

# ---------------------------------------------------------------- refusals
refused "record refuses to run without a command" \
	129 'no command given; -a records without one' \
	$vega "$tool" record -e TCC.REQ
refused "record refuses a command together with -p" \
	129 'either a command or -p PID' \
	$vega "$tool" record -p 1 true
refused "record -c refuses a period that is too short" \
	129 '-c takes 10000 nanoseconds at least' \
	$vega "$tool" record -c 9999 -e TCC.REQ -- true
refused "record refuses events that do not fit one pass" \
	125 'TCC' $vega "$tool" record \
	-e TCC.REQ,TCC.HIT,TCC.MISS,TCC.READ,TCC.WRITE -- true
refused "record refuses events that would describe drmperf only" \
	125 'the GPU use of drmperf itself' \
	$vega "$tool" record -e 'fdinfo.*' -- true
refused "record refuses a file in a missing folder" \
	125 '/nonexistent/file: No such file' \
	$vega "$tool" record -o /nonexistent/file -e TCC.REQ -- true
refused "record fails if its file cannot be written" \
	125 'cannot write /dev/full' \
	$vega "$tool" record -o /dev/full -e TCC.REQ -- true
# what cannot be written is not kept in memory, however long the command runs
limited="trap '' XFSZ; ulimit -f 16; exec \"\$@\""
run 125 $sim --time virtual --gpu sklgt2 -- bash -c "$limited" limited "$tool" \
	record -F 1000 -o "$data" -e i915::oa.GpuBusy -- sh -c "$advance 1s
	until grep -q 'cannot write' '$work/err'; do sleep 0.01; done
	$advance 1s; $advance 1s; $advance 1s; $advance 1s; $advance 1s"
reports=$(sed -n 's/^drmperf record: \([0-9]*\) reports in .*/\1/p' "$work/err")
if [ "${reports:-9999}" -lt 2000 ]; then
	ok "record keeps no more reports when its file has failed"
else
	not_ok "record keeps no more reports when its file has failed" \
		"$work/err"
fi
refused "report refuses a missing file" 125 '/nonexistent: No such file' \
	"$tool" report /nonexistent
refused "report refuses a file that is no recording" \
	125 'is no recording of drmperf record' \
	"$tool" report tests/tool/record.sh
refused "report tells that a pipe cannot be read" \
	125 '/dev/null is a pipe or device, and no file$' \
	"$tool" report /dev/null
printf '\0\0\1\0\0\0\20\0\1\0\0\0\0\0\0\0' > "$work/i915"
refused "report refuses a file of i915-perf-recorder that names no GPU" 125 \
	'i915: the recording does not name its GPU and metric set$' \
	"$tool" report "$work/i915"
refused "report refuses two files" 129 'too many files' "$tool" report a b
refused "report fails if its page cannot be written" \
	125 'cannot write /dev/full' \
	"$tool" report --html /dev/full "$data"
refused "report refuses two formats at once" 129 'either --csv or --json' \
	"$tool" report --csv --json "$data"
# ---------------------------------------------------------------- a gap
# the sensor is silent until record has noticed it, and then tells again
run 0 $vega "$tool" record -F 1000 -o "$data" \
	-e GRBM.GUI_ACTIVE,sensor.gpu-temp -- sh -c "
	$sim ctl fault info:1+:EBUSY
	until grep -q 'is n/a' '$work/err'; do sleep .01; done
	$sim ctl mend
	$advance 1s"
has "a silent sensor does not end a recording" "$work/err" \
	'sensor.gpu-temp:device=0 is n/a: .*; recording goes on$' \
	'^drmperf record: [0-9]+ samples'
"$tool" report "$data" > "$work/out" 2> "$work/err"
has "report has what was counted before and after a gap" \
	"$work/out" '^ +7,000,000  cycles .*GUI_ACTIVE$' \
	'^ +45\.0  degC .*sensor.gpu-temp$'
has "report names the cause of a gap" "$work/err" \
	'^drmperf report: the recording has gaps: .*gpu-temp.* is n/a: '
# ---------------------------------------------------------------- a fault
# the command resets the GPU, and goes on; some sample, or the end, fails
for hz in 1000 1; do
	run 125 $sim --gpu vega10 -- "$tool" record -F $hz -o "$data" \
		-e GRBM.COUNT -- sh -c "$sim ctl reset-gpu 0; echo out"
	same "the command goes on when counting ends, $hz Hz" "$work/out" out
	lacks "record exits with 125 when counting ended early, $hz Hz" \
		"$work/err" '^exit status'
	# with a single sample there is nothing else to tell
	"$tool" report "$data" > "$work/out" 2> "$work/err"
	has "report says why a recording ended early, $hz Hz" "$work/err" \
		'^drmperf report: the recording ended early: .*reset' 'cut off'
done
# recover NAME GPU COMMAND EVENT CAUSE VALUE: the command loses the GPU, and it
# counts again
recover()
{
	status "record exits with 0 for $1" \
		0 $sim --time virtual --gpu "$2" -- "$tool" \
		record -F 1000 -o "$data" -e "$4" -- sh -c "$advance 1s
		$3
		until grep -q 'recording goes on' '$work/err'; do sleep .01; done
		$advance 1s"
	has "$1: record reports the cause and the end of the gap" "$work/err" \
		"^drmperf record: .*$5" '^drmperf record: recording goes on$'
	"$tool" report "$data" > "$work/out" 2> "$work/err"
	has "$1: report has what was counted before and after" "$work/out" \
		"^ +$6  .*$4\$"
	has "$1: report names the cause of the gap" "$work/err" \
		"^drmperf report: the recording has gaps: .*$5"
	lacks "$1: the recording is complete" "$work/err" 'cut off|ended early'
}
lost()
{
	echo "until grep -q '$1' '$work/err'; do sleep .01; done"
}
recover "a GPU that is reset" vega10 ". $work/sampled
	$sim ctl reset-gpu 0
	$(lost reset)" GRBM.COUNT reset '2,[0-9]{3},[0-9]{3},[0-9]{3}'
recover "an AMD GPU that leaves and comes back" vega10 ". $work/sampled
	$sim ctl set gone on
	$(lost gone); $sim ctl set gone off" GRBM.COUNT gone \
	'2,[0-9]{3},[0-9]{3},[0-9]{3}'
recover "an Intel GPU that leaves and comes back" sklgt2 "$sim ctl set gone on
	$(lost vanished); $sim ctl set gone off" pmu.rcs0-busy vanished '[0-9,]+'
finish
