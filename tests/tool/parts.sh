#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf split --parts prints counters in place of averages, and the formula.
. tests/tool/lib.sh

# two of these average what others compute, one what has no sum
cat > "$work/metrics.xml" << 'END'
<events driver="amdgpu" format="1">
	<metric name="Inner" unit="requests" type="double" kind="average" expression="TCC.HIT/4+TCC.MISS">Half of Outer.</metric>
	<metric name="Outer" unit="ratio" type="double" kind="average" expression="Inner*2/(1+min(Inner,TCC.REQ))">Over another average.</metric>
	<metric name="Warm" unit="ratio" type="double" kind="average" expression="TCC.HIT/'sensor.gpu-temp'">Has a part that is of the moment.</metric>
	<metric name="Bits" unit="requests" type="uint64" kind="average" expression="TCC.HIT^TCC.MISS">Bit by bit.</metric>
	<metric name="Level" unit="ratio" type="double" kind="average" expression="(SQ.LEVEL_WAVES*0+SQ.ACCUM_PREV_HIRES)/SQ.CYCLES">A level, as ROCm writes it.</metric>
	<metric name="Wide" unit="requests" type="double" kind="average" expression="TCC.REQ+TCC.READ+TCC.WRITE+TCC.HIT+TCC.MISS">Fits no pass.</metric>
	<metric name="Chosen" unit="ratio" type="double" kind="average" expression="TCC.HIT&lt;TCC.MISS&amp;&amp;TCC.REQ?0.5:TCC.HIT[1]/2">Chooses.</metric>
</events>
END
export DRMPERF_EVENTS=$work/metrics.xml
amd="$sim --gpu vega10 --"
intel="$sim --gpu sklgt2 --"
m=amdgpu::metric
t=amdgpu::TCC
r=i915::RenderBasic

# ---------------------------------------------------------------- formulas
# formula MACHINE EVENTS FORMULA...: with devices left out
formula()
{
	local machine=$1 events=$2
	shift 2
	run 0 $machine "$tool" split --parts "$events"
	sed -n 's/:device=0//g; s/^formula //p' "$work/out" > "$work/formulas"
	same "split --parts prints the formula of $events" \
		"$work/formulas" "$(printf '%s\n' "$@")"
	empty "split --parts prints no message for $events" "$work/err"
}
formula "$amd" $m.L2CacheHit,amdgpu::SQ.WAVES \
	"$m.L2CacheHit = 100 * $t.HIT / ($t.HIT + $t.MISS)"
formula "$amd" $m.L2CacheHit:instance=3 \
	"$m.L2CacheHit:instance=3 = 100 * $t.HIT:instance=3 / ($t.HIT:instance=3 + $t.MISS:instance=3)"
formula "$amd" $m.Outer \
	"$m.Outer = ($t.HIT / 4 + $t.MISS) * 2 / (1 + min($t.HIT / 4 + $t.MISS, $t.REQ))"
formula "$amd" $m.Level "$m.Level = $m.SQ_LEVEL_WAVES_ACCUM / amdgpu::SQ.CYCLES"
formula "$amd" $m.TessellatorBusy \
	"$m.TessellatorBusy = max(max(max(amdgpu::VGT.vgt_te11_busy:instance=0, amdgpu::VGT.vgt_te11_busy:instance=1), amdgpu::VGT.vgt_te11_busy:instance=2), amdgpu::VGT.vgt_te11_busy:instance=3) / amdgpu::CPF.CPF_STAT_BUSY * 100"
formula "$intel" i915::oa.EuActive "i915::oa.EuActive = $r.A7 * 100 / (24 * $r.CLOCK)"
formula "$intel" $r.SamplersBusy \
	"$r.SamplersBusy = max($r.B0 * 100 / $r.CLOCK, $r.B1 * 100 / $r.CLOCK)"
formula "$amd" $m.Chosen \
	"$m.Chosen = (($t.HIT < $t.MISS) * ($t.REQ != 0) != 0 ? 0.5 : $t.HIT:instance=1 / 2)"

# what is known is computed at once; "/0" is 0, as in all expressions
known=(2+3 5 7-3 4 2*3 6 7/2 3.5 7/0 0 'min(2,3)' 2 'max(2,3)' 3 2==2 1
	2!=2 0 '2&lt;3' 1 '3&lt;3' 0 '3&lt;=2' 0 '3&lt;=3' 1)
for ((i = 0; i < ${#known[@]}; i += 2)); do
	echo "<events driver=\"amdgpu\" format=\"1\"><metric name=\"Known\"" \
		'unit="requests" type="double" kind="average"' \
		"expression=\"TCC.HIT-(${known[i]})\">Less.</metric></events>" \
		> "$work/known.xml"
	part="$t.HIT - ${known[i + 1]}"
	DRMPERF_EVENTS=$work/known.xml formula "$amd" $m.Known \
		"$m.Known = ${part% - 0}"
done

run 0 $amd "$tool" split --parts amdgpu::SQ.WAVES
same "an event that adds up stays as it is" "$work/out" "1 pass, proved fewest
pass 1:
  amdgpu::SQ.WAVES:device=0"

# ---------------------------------------------------------------- what stays
run 0 $amd "$tool" split --parts --papi $m.Warm,$m.Bits,amdgpu::sensor.gpu-temp
same "averages over sensors and over bits stay as they are" \
	"$work/out" "PAPI_EVENTS=drm:::$m.Warm:device0=instant,drm:::$m.Bits:device0=instant,drm:::amdgpu::sensor.gpu-temp:device0=instant"
has "split says why averages stay as they are" "$work/err" \
	"^drmperf split: $m.Warm:device=0 is computed from amdgpu::sensor.gpu-temp:device=0, which is of the moment" \
	"^drmperf split: $m.Bits is computed bit by bit, and stays"

# ---------------------------------------------------------------- passes
run 0 $amd "$tool" split --parts --json $m.Wide
json "parts may take several passes" "$work/out" \
	'(.passes | length) == 2 and (.cut | not) and
	(.formulas["'$m'.Wide:device=0"] | test("READ.* \\+ .*MISS"))'
run 0 $intel "$tool" split --parts --json \
	i915::oa.GpuBusy,i915::ComputeBasic.EuActive,i915::oa.EuActive
json "parts of any set come from the set that the other events need" \
	"$work/out" \
	'(.passes | length) == 1 and
	all(.passes[][]; startswith("i915::ComputeBasic."))'
run 0 $intel "$tool" split --json $r.GpuBusy
json "split prints no formulas unless asked for" \
	"$work/out" 'has("formulas") | not'

# ---------------------------------------------------------------- programs
run 0 $amd "$tool" split --parts --tau $m.L2CacheHit,$m.GPUBusy
n=PAPI_NATIVE_drm:::$t
has "ParaProf: names are quoted, with no = before the first" \
	"$work/out" "^TAU_METRICS=TIME,$n.HIT:device=0,$n.MISS:device=0," \
	"^# ParaProf: $m.L2CacheHit:device0 = 100 \* \"$n.HIT:device=0\" / \(\"$n.HIT:device=0\" \+ \"$n.MISS:device=0\"\)$" \
	"^# not for ParaProf, .*: $m.GPUBusy:device0 = min\(drm:::"
empty "split --tau prints no warning" "$work/err"
run 0 $amd "$tool" split --parts --scorep $m.L2CacheHit,$m.PreTessellationBusy
has "Cube: names are as CubePL reads them, in the list as well" "$work/out" \
	'^SCOREP_METRIC_PAPI=drm:::amdgpu::TCC_HIT:device=0,' \
	'^# CubePL of .*L2CacheHit:device=0: 100 \* metric::drm:::amdgpu::TCC_HIT:device=0\(\) / \(metric::' \
	'^# CubePL of .*: \(sgn\(abs\(.*\)\) \* \(100 \* max\(.* \+ \(1 - sgn\(abs\('
sed -n 's/^# CubePL of [^ ]*: //p' "$work/out" | tr -d '[:alnum:]_:=+*/(), -' \
	> "$work/odd"
same "Cube: formulas have no other character" "$work/odd" "
"
# understood MACHINE EVENTS OPTION VARIABLE [PREFIX]
understood()
{
	local machine=$1 events=$2 option=$3 variable=$4 prefix=${5:-} line
	run 0 $machine "$tool" split --parts "$option" "$events"
	sed -n "s/^$variable=\(TIME,\)\?//p" "$work/out" > "$work/lines"
	while read -r line; do
		run 0 $machine "$tool" split --json "${line//$prefix/}"
		json "$option: a line of $events is one pass" "$work/out" \
			'.passes | length == 1'
	done < "$work/lines"
}
for events in $m.L2CacheHit,$m.MemUnitStalled,$m.Level $m.Wide; do
	understood "$amd" $events --papi PAPI_EVENTS
	understood "$amd" $events --tau TAU_METRICS PAPI_NATIVE_
	understood "$amd" $events --scorep SCOREP_METRIC_PAPI
done
understood "$intel" i915::oa.EuActive --papi PAPI_EVENTS
understood "$intel" i915::oa.EuActive --scorep SCOREP_METRIC_PAPI

# ---------------------------------------------------------------- raw counters
run 0 $intel "$tool" split --json $r.A7,RenderBasic_A7,$r.B3,$r.GpuBusy
json "split takes raw counters by name" "$work/out" \
	'.passes == [["'$r.A7':device=0", "'$r.B3':device=0",
	"'$r.GpuBusy':device=0"]]'
run 0 $intel "$tool" list 'RenderBasic.*'
has "list shows counters of a set" "$work/out" "RenderBasic.GpuBusy"
lacks "list shows no raw counters" \
	"$work/out" 'RenderBasic\.([ABC][0-9]|CLOCK|TIME)'
for counter in RenderBasic.A44 RenderBasic.A99 RenderBasic.REPORT_AGE oa.A7 \
	report.A7; do
	run 125 $intel "$tool" split i915::$counter
	has "$counter is refused as no event" "$work/err" \
		"has no event \"$counter\""
done

# ---------------------------------------------------------------- values
cat > "$work/value.awk" << 'END'
function min(a, b) { return a < b ? a : b }
function max(a, b) { return a > b ? a : b }
END
# computes MACHINE EVENT: counted beside it, the parts give the same
computes()
{
	local machine=$1 event=$2 value
	run 0 $machine "$tool" split --parts --json "$event"
	jq -r '.formulas[]' "$work/out" > "$work/formula"
	jq -r '.passes[][]' "$work/out" > "$work/list"
	run 0 $machine "$tool" stat --json -e "$event,$(paste -sd, "$work/list")" \
		-- true
	value=$(jq '.events[0].value' "$work/out")
	# longer names first: one may begin another
	jq -r '.events[1:][] | "s~\(.event):device=\(.device)\(
		if .instance == null then "" else ":instance=\(.instance)" end
		)([^:0-9A-Za-z]|$)~\(.value)\\1~g"' "$work/out" > "$work/script"
	{
		cat "$work/value.awk"
		printf 'BEGIN { value = '
		sed -E -f "$work/script" "$work/formula"
		printf 'd = value - %s; if (d < 0) d = -d;\n' "$value"
		# integers are truncated on the way, and values when they are told
		printf 'print d <= 0.000002 + value * 1e-2 ? "yes" : value; }\n'
	} > "$work/program"
	awk -f "$work/program" > "$work/out" 2>&1
	same "the parts of $event give its value" "$work/out" yes
}
for event in L2CacheHit MemUnitStalled Outer Level Chosen GPUBusy \
	PreTessellationBusy; do
	computes "$amd" $m.$event
done
for event in GpuBusy EuActive SamplersBusy AvgGpuCoreFrequency; do
	computes "$intel" $r.$event
done

# every average of a GPU has a formula
for machine in vega10 mi200 strix; do
	DRMPERF_EVENTS='' run 0 $sim --gpu $machine -- \
		"$tool" split --parts --json 'amdgpu::metric.*'
	empty "each average of $machine has a formula" "$work/err"
	json "split --json has the formulas of $machine" \
		"$work/out" '.formulas | length > 9'
done
run 0 $intel "$tool" split --parts --json 'i915::oa.*'
json "split --json has the formulas of sklgt2" \
	"$work/out" '.formulas | length > 40'
# What Intel has corrected since IGT's tables were made: the second arithmetic
# pipe's events count twice, and a stall is per node of the L3 cache.
alu=xe::ComputeBasic.XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION
stall=xe::RenderPipeProfile.COLOR_PIPE_CACHE_LATENCY2_STALL
for gpu in lnl bmg ptl nvlp; do
	run 0 $sim --gpu $gpu -- "$tool" split --parts $alu $stall
	has "$gpu: equations agree with Intel's library" "$work/out" \
		"^formula $alu.* = .*PEC2[456]:device=0 \* 2 \* 100 / \([0-9]+ \* " \
		"^formula $stall.* = .*PEC44:device=0 / [2-8] \* 100 / "
done

finish
