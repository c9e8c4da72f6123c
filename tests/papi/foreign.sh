#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tables of other projects, from the file to the value: ROC profiler's on a
# simulated Vega 10, Intel's on a Skylake.
. tests/papi/lib.sh

data=tests/data/foreign
drmperf=$BUILD_DIR/bin/drmperf
vega="$sim --strict --time virtual --scenario tests/papi/vega10.scenario
	--gpu vega10"

# ---------------------------------------------------------------- ROCm
export DRMPERF_EVENTS=$data/counted.xml
$vega -- "$drmperf" list > "$work/list" 2> "$work/err"
has "events of a file are listed with its descriptions" "$work/list" \
	'^amdgpu::SQ.WAVES:device=0.*waves.*Waves, says the file' \
	'^amdgpu::SQ.MY_OWN:device=0.*Not in our table' \
	'^amdgpu::TA.ta_busy:device=0.*cycles.*Ours in small letters' \
	'^amdgpu::metric.PerItem:device=0' \
	'^amdgpu::metric.OfAll:device=0.*percent'
lacks "list leaves out events that cannot be counted" "$work/list" \
	'NO_BLOCK|TOO_HIGH|NO_COUNTER|KERNEL_DURATION'
has "an event that cannot be counted is reported with file and line" "$work/err" \
	'counted.xml:10: NO_BLOCK_EVENT is left out: .*no such block' \
	'counted.xml:11: SQ_TOO_HIGH is left out: .*no event' \
	'counted.xml:12: SQ_WORD is left out: .*no number' \
	'counted.xml:[0-9]*: .*"SQ_NOTHING"; .*NO_COUNTER is left out' \
	'counted.xml:15: TCC_HIT is number 21 .* 20 in our table' \
	'counted.xml:[0-9]*: .*KERNEL_DURATION is left out'
lacks "a replaced metric causes no message" "$work/err" 'SQ_ITEMS'
$vega -- "$papi/bin/papi_native_avail" > "$work/avail" 2>&1
has "papi_native_avail lists events of a file" \
	"$work/avail" drm:::amdgpu::SQ.MY_OWN \
	drm:::amdgpu::metric.PerItem 'Not in our table'

# 4 waves and 12 items a millisecond, as the scenario has it
$vega --report "$work/report" -- "$drmperf" stat --csv -o "$work/csv" \
	-e amdgpu::SQ.WAVES,amdgpu::SQ_MY_OWN,amdgpu::SQ.ITEMS \
	-e amdgpu::metric.Twice,amdgpu::Difference,amdgpu::PerItem \
	-e amdgpu::OfAll -- "$sim" ctl advance 3ms > "$work/out" 2>&1
has "events of a file are counted exactly" \
	"$work/csv" ',amdgpu::SQ.WAVES,,12,waves,' \
	',amdgpu::SQ.MY_OWN,,36,,' ',amdgpu::SQ.ITEMS,,36,[a-z]+,' \
	',amdgpu::metric.Twice,,24(\.0+)?,,' \
	',amdgpu::metric.Difference,,-24(\.0+)?,,' \
	',amdgpu::metric.PerItem,,0.333[0-9]*,,' \
	',amdgpu::metric.OfAll,,33.333[0-9]*,percent,'
lacks "counting events of a file violates no rule of the driver" \
	"$work/report" 'violation'

unset DRMPERF_EVENTS
export ROCP_METRICS=$data/counted.xml
$vega -- "$drmperf" list > "$work/list" 2> "$work/err"
has "ROCP_METRICS is read as well" "$work/list" '^amdgpu::metric.PerItem'
export ROCP_METRICS=$work/absent.xml
$vega -- "$drmperf" list > "$work/list" 2> "$work/err"
has "a missing file in ROCP_METRICS hides no event" \
	"$work/list" '^amdgpu::SQ.WAVES'
has "the message names the missing file in ROCP_METRICS" \
	"$work/err" 'ROCP_METRICS is not used: .*absent.xml'
unset ROCP_METRICS

# ---------------------------------------------------------------- Intel
export DRMPERF_EVENTS=$data/oa/basic.xml
"$sim" --gpu skl -- "$drmperf" list -a > "$work/list" 2> "$work/err"
has "a metric set of a file is a group" "$work/list" \
	'^i915::TestSet.Busy:device=0.*percent' \
	'^i915::TestSet.Self:device=0.*bytes'
lacks "a metric set of a file causes no message" "$work/err" .
"$sim" --strict --gpu skl --report "$work/report" -- "$drmperf" stat --csv \
	-o "$work/csv" -e i915::TestSet.Bytes,i915::TestSet.Self \
	-e i915::TestSet.GpuTime -- sleep 0.05 > "$work/out" 2>&1
has "events of a file's metric set count" "$work/csv" \
	',i915::TestSet.Bytes,,[1-9][0-9]*,bytes,' \
	',i915::TestSet.GpuTime,,[1-9][0-9]{7,},ns,'
lacks "counting a file's metric set violates no rule of the driver" \
	"$work/report" 'violation'
value()
{
	grep "TestSet.$1" "$work/csv" | cut -d, -f8
}
if [ "$(value Self)" = $((2 * $(value Bytes))) ]; then
	ok "a counter is computed from another"
else
	not_ok "a counter is computed from another" "$work/csv"
fi
finish
