#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf split prints passes, the reasons for them, and lines for other
# programs.
. tests/tool/lib.sh

export DRMPERF_EVENTS=tests/tool/metrics.xml
a=amdgpu::TCC
five=$a.HIT,$a.MISS,$a.REQ,$a.READ,$a.WRITE
both="$sim --gpu vega10 --gpu tglgt2 --"

# ---------------------------------------------------------------- people
status "split exits with 0" 0 $vega "$tool" split $five
same "split prints passes with the reason between them" "$work/out" \
"2 passes, proved fewest
pass 1:
  $a.HIT:device=0
  $a.MISS:device=0
  $a.REQ:device=0
  $a.READ:device=0
pass 2:
  because $a.WRITE:device=0 does not fit beside the other events: group TCC of device 0 counts 4 at a time, and 5 are wanted, also by $a.HIT:device=0, $a.MISS:device=0, $a.REQ:device=0 and $a.READ:device=0
  try: leave out one of $a.WRITE:device=0, $a.HIT:device=0, $a.MISS:device=0, $a.REQ:device=0 or $a.READ:device=0
  $a.WRITE:device=0"
run 0 $vega "$tool" split $a.HIT
same "split prints one pass" "$work/out" "1 pass, proved fewest
pass 1:
  $a.HIT:device=0"
run 0 $vega "$tool" split $five --budget 1
has "split takes a budget" "$work/out" '^2 passes, proved fewest'
run 0 $both "$tool" split $five i915::RenderBasic.GpuTime,i915::oa.GpuBusy \
	i915::ComputeBasic.GpuTime
has "passes hold events of two GPUs, each with its reason" \
	"$work/out" '^2 passes' \
	'because amdgpu::TCC.WRITE:device=1 .*group TCC of device 1' \
	'i915::ComputeBasic.GpuTime:device=0'

# ---------------------------------------------------------------- programs
run 0 $vega "$tool" split --json $five
json "JSON has these members and no others" "$work/out" \
	'(keys == ["lower_bound", "passes", "proved"]) and .proved and
	.lower_bound == 2 and (.passes | length) == 2 and
	.passes[0][0] == "'$a'.HIT:device=0" and
	.passes[1] == ["'$a'.WRITE:device=0"]'
DRMPERF_EVENTS='' run 0 $vega "$tool" split --json 'amdgpu::*'
json "JSON of all events has each event once" "$work/out" \
	'([.passes[][]] | length) == ([.passes[][]] | unique | length) and
	([.passes[][]] | length) > 3700 and .proved and
	.lower_bound == (.passes | length)'
run 0 $vega "$tool" split --papi $five
same "split --papi prints a line per pass" "$work/out" \
"PAPI_EVENTS=drm:::$a.HIT:device=0,drm:::$a.MISS:device=0,drm:::$a.REQ:device=0,drm:::$a.READ:device=0
PAPI_EVENTS=drm:::$a.WRITE:device=0"
run 0 $vega "$tool" split --tau $five
n=PAPI_NATIVE_drm:::$a
same "split --tau prints the time first, and names with a prefix" \
	"$work/out" \
"TAU_METRICS=TIME,$n.HIT:device=0,$n.MISS:device=0,$n.REQ:device=0,$n.READ:device=0
TAU_METRICS=TIME,$n.WRITE:device=0"
run 0 $vega "$tool" split --papi perf::TASK-CLOCK,$a.HIT
same "events of CPUs belong to another component of PAPI" "$work/out" \
	"PAPI_EVENTS=perf::TASK-CLOCK,drm:::$a.HIT:device=0"
mixed=amdgpu::metric.L2CacheHit,amdgpu::SQ.WAVES,perf::TASK-CLOCK
mixed+=,amdgpu::sensor.gpu-temp,perf::TASK-CLOCK:u
run 0 $vega "$tool" split --papi $mixed
same "split --papi marks events that PAPI's high level must not subtract" \
	"$work/out" "PAPI_EVENTS=drm:::amdgpu::metric.L2CacheHit:device0=instant\
,drm:::amdgpu::SQ.WAVES:device=0,perf::TASK-CLOCK\
,drm:::amdgpu::sensor.gpu-temp:device0=instant,perf::TASK-CLOCK:u=delta"
run 0 $vega "$tool" split --scorep $mixed
same "split --scorep marks events that Score-P must not subtract" "$work/out" \
	"SCOREP_METRIC_PAPI=!drm:::amdgpu::metric.L2CacheHit:device=0\
,drm:::amdgpu::SQ.WAVES:device=0,perf::TASK-CLOCK\
,!drm:::amdgpu::sensor.gpu-temp:device=0,perf::TASK-CLOCK:u"
has "split --scorep warns of differences in profiles" "$work/err" \
	"^drmperf split: amdgpu::sensor.gpu-temp:device=0 does not add up: .*profiles"
run 0 $vega "$tool" split --tau $mixed
has "split --tau warns of events that do not add up" "$work/err" \
	'^drmperf split: amdgpu::sensor.gpu-temp:device=0 does not add up'
lacks "split --tau adds the counters of an average" "$work/out" \
	'^TAU_METRICS=.*metric.L2CacheHit'
has "split --tau prints the formula for ParaProf" "$work/out" \
	'^# ParaProf: amdgpu::metric.L2CacheHit:device0 = '
# what is printed is understood
papi_lines()
{
	local line
	while read -r line; do
		run 0 $vega "$tool" split --json "${line#PAPI_EVENTS=}"
		json "a line for PAPI is one pass" "$work/out" \
			'.passes | length == 1'
	done
}
run 0 $vega "$tool" split --papi "$a.RE*"
papi_lines < <(cat "$work/out")

# ---------------------------------------------------------------- cut
wide=amdgpu::metric.Wide
status "a metric that fits no pass is refused" 125 \
	$vega "$tool" split $wide $a.REQ
has "the error for a metric that fits no pass has a remedy" "$work/err" \
	"$wide:device=0 fits no pass.* counts 4 at a time, and 5 are wanted" \
	'^try: .*split --cut-metrics'
status "split --cut-metrics exits with 0" \
	0 $vega "$tool" split --cut-metrics $wide $a.REQ
has "a cut metric is marked, with its counters" "$work/out" \
	"^  $wide:device=0  \(cut; its counters in this pass:\)$" \
	"^    $a.REQ:device=0$" "^    $a.MISS:device=0$" "^  $a.REQ:device=0$"
run 0 $vega "$tool" split --cut-metrics --json $wide $a.REQ
has "split --json warns of a cut metric" "$work/err" "$wide:device=0 is cut"
json "JSON has the counters of a cut metric in its place" "$work/out" \
	'(keys == ["cut", "lower_bound", "passes", "proved"]) and
	([.passes[][]] | length == 6 and all(.[]; test("metric") | not)) and
	.cut == {"'$wide':device=0": .passes}'
run 0 $vega "$tool" split --cut-metrics --papi $wide
lacks "lines for PAPI have no cut metric" "$work/out" 'metric'
papi_lines < <(cat "$work/out")
run 0 $vega "$tool" split --cut-metrics --json $five
json "JSON has no member cut if no metric is cut" "$work/out" 'has("cut") | not'
# fewest passes that the search does not find without twins
DRMPERF_EVENTS='' run 0 "$sim" --gpu navi48 -- \
	"$tool" split --cut-metrics --json 'amdgpu::metric.*'
json "all metrics of navi48 fit six passes, proved fewest" "$work/out" \
	'.proved and (.passes | length == 6)'

# ---------------------------------------------------------------- composed sets
# 32 counters for each half of the events, and 14 of the one half for a stage of
# shaders: five passes is what their numbers allow; with the GPU's table alone
# and with others beside it
for events in '' "$DRMPERF_EVENTS"; do
	for gpu in bmg lnl ptl; do
		DRMPERF_EVENTS=$events run 0 "$sim" --gpu $gpu -- \
			"$tool" split --compose --json 'xe::oa.*'
		json "$gpu: composed sets need five passes" "$work/out" \
			'.proved and (.passes | length == 5)'
		cp "$work/out" "$work/composed"
	done
done
run 0 "$sim" --gpu ptl -- "$tool" split --json 'xe::oa.*'
json "published sets need eleven passes" "$work/out" \
	'.proved and (.passes | length == 11)'
same "composed and published sets hold the same events" \
	<(jq '[.passes[][]] | sort' "$work/out") \
	"$(jq '[.passes[][]] | sort' "$work/composed")"
run 0 "$sim" --gpu ptl -- "$tool" split --compose xe::oa.GpuBusy
has "events of composed sets keep their names" \
	"$work/out" '^  xe::oa.GpuBusy:device=0$'

# ---------------------------------------------------------------- EVENTS
# chosen LIST EVENT...: the events a list means, on the GPUs of $machine
chosen()
{
	local list=$1
	shift
	run 0 $machine "$tool" split --json "$list"
	same "'$list' means the right events" \
		<(jq -r '.passes[][]' "$work/out") \
		"$(printf '%s\n' "$@")"
}
machine="$sim --gpu vega10 --gpu vega20 --gpu sklgt2 --"
chosen "amdgpu::TCC.RETURN_ACK*" $a.RETURN_ACK:device=1 \
	$a.RETURN_ACK_HOLE:device=1
chosen "TCC.RETURN_ACK*:device=2" $a.RETURN_ACK:device=2 \
	$a.RETURN_ACK_HOLE:device=2
chosen "TCC.RETURN_AC?:device=*" $a.RETURN_ACK:device=1 $a.RETURN_ACK:device=2
chosen "i915::RenderBasic.Gpu[BT]*" \
	i915::RenderBasic.GpuTime:device=0 i915::RenderBasic.GpuBusy:device=0
chosen "*.RETURN_ACK:instance=3" $a.RETURN_ACK:device=1:instance=3
chosen " amdgpu::TCC_HIT[3], drm:::amdgpu::TCC.REQ:device=2 ,,amdgpu::TCC.HIT:instance=3" \
	$a.HIT:device=1:instance=3 $a.REQ:device=2
run 0 $machine "$tool" split --json 'GRBM.COUN*:device=*,TCC.HI*:instance=*'
json "a pattern with :instance=* means each instance" \
	"$work/out" '[.passes[][]] | length == 18'
# bad STATUS PATTERN ARGUMENT...
bad()
{
	local expected=$1 pattern=$2
	shift 2
	run "$expected" $vega "$tool" split "$@"
	has "split $* is refused" "$work/err" "$pattern"
	lacks "split $* exits with $expected" "$work/err" '^exit status'
}
bad 125 'no event matches "amdgpu::NO.\*"' 'amdgpu::NO.*'
bad 125 'no event matches "TCC.HIT\*:instance=16"' 'TCC.HIT*:instance=16'
bad 125 'no event matches "TCC.HIT\*:device=1"' 'TCC.HIT*:device=1'
bad 125 '^did you mean .*TCC.HIT' TCC.HITT
bad 125 '^did you mean .*TCC.HIT' 'TCC_HITT[3]'
bad 129 'the list of events is empty' ,
bad 129 'no events given'
bad 129 'one of --json, --papi, --scorep and --tau, not two' --papi --tau TCC.HIT
bad 129 'one of --json, --papi, --scorep and --tau, not two' --json --scorep TCC.HIT
bad 129 'unrecognized option' --bogus TCC.HIT
bad 129 '--budget takes a number' --budget x TCC.HIT
bad 129 '--budget takes a number' --budget=-1 TCC.HIT
run 125 $sim --gpu vega10,node-mode=0000 -- "$tool" split 'TCC.*'
has "the error for missing permission has a remedy" "$work/err" \
	'no permission to open' '^try: '
status "split --help exits with 0" 0 "$tool" split --help
has "split --help lists the options" \
	"$work/out" '--cut-metrics' '--papi' '--scorep' '--tau' '--json'
finish
