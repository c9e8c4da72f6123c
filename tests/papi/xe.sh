#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI's own tools on GPUs under the xe driver.
. tests/papi/lib.sh

# a busy machine need not keep up
virtual="$sim --time virtual"

for kind in lnl bmg ptl nvl nvlp; do
	$virtual --strict --gpu $kind -- "$papi/bin/papi_native_avail" -i drm \
		> "$work/out" 2>&1
	has "$kind: papi_native_avail lists events" "$work/out" \
		'xe::RenderBasic.GpuBusy' 'xe::oa.GpuTime' \
		'xe::pmu.rcs0-busy' 'xe::pmu.gt1-actual-frequency' \
		'xe::stall.scoreboard' 'Samples of threads, not cycles'
	$virtual --strict --gpu $kind -- "$papi/bin/papi_command_line" \
		drm:::xe::RenderBasic.GpuTime drm:::xe::oa.GpuCoreClocks \
		> "$work/out" 2>&1
	has "$kind: papi_command_line counts" "$work/out" \
		'^drm:::xe::RenderBasic.GpuTime : .*[1-9][0-9]* ns' \
		'^drm:::xe::oa.GpuCoreClocks : .*[1-9][0-9]* cycles'
done

$virtual --strict --gpu cri -- "$papi/bin/papi_command_line" \
	drm:::xe::ComputeBasic.GpuTime drm:::xe::oa.XVE_OP_FP32 \
	> "$work/out" 2>&1
has "cri: papi_command_line counts" "$work/out" \
	'^drm:::xe::ComputeBasic.GpuTime : .*[1-9][0-9]* ns' \
	'^drm:::xe::oa.XVE_OP_FP32 : .*[1-9][0-9]*'

$virtual --strict --gpu pvc -- "$papi/bin/papi_native_avail" -i drm \
	> "$work/out" 2>&1
has "pvc: papi_native_avail lists events" \
	"$work/out" 'xe::ComputeBasic.GpuBusy' \
	'xe::oa.EU_ACTIVE_CYCLES' 'xe::pmu.ccs0-busy'
$virtual --strict --gpu pvc -- "$papi/bin/papi_command_line" \
	drm:::xe::ComputeBasic.GpuTime drm:::xe::pmu.ccs0-total-ticks \
	> "$work/out" 2>&1
has "pvc: papi_command_line counts" "$work/out" \
	'^drm:::xe::ComputeBasic.GpuTime : .*[1-9][0-9]* ns' \
	'^drm:::xe::pmu.ccs0-total-ticks : .*[1-9]'

# --------------------------------------------------- samples, of EU stalls
echo "eu-stall-row 0x1c0 sbid=9" > "$work/rows"
$virtual --strict --gpu lnl --scenario "$work/rows" -- \
	"$papi/bin/papi_command_line" drm:::xe::stall.scoreboard \
	drm:::xe::stall.sync drm:::xe::RenderBasic.GpuTime > "$work/out" 2>&1
has "lnl: papi_command_line counts samples by reason" "$work/out" \
	'^drm:::xe::stall.scoreboard : .*[1-9][0-9]* samples' \
	'^drm:::xe::stall.sync : [[:space:]]*0 samples' \
	'^drm:::xe::RenderBasic.GpuTime : .*[1-9][0-9]* ns'
$virtual --gpu lnl,eu-stall=off -- "$papi/bin/papi_native_avail" -i drm \
	> "$work/out" 2>&1
lacks "lnl: an older kernel has no samples of EU stalls" "$work/out" \
	'xe::stall'

# ------------------------------------------------- two vendors, and two drivers
# in real time: else none passes before the samples of both are submitted
"$sim" --strict --gpu vega10 --gpu bmg -- "$papi/bin/papi_command_line" \
	drm:::xe::oa.GpuTime drm:::amdgpu::GRBM.COUNT > "$work/out" 2>&1
has "two vendors: one EventSet counts both" "$work/out" \
	'^drm:::xe::oa.GpuTime : .*[1-9][0-9]* ns' \
	'^drm:::amdgpu::GRBM.COUNT : .*[1-9][0-9]* cycles'
$virtual --strict --gpu tgl --gpu bmg -- "$papi/bin/papi_command_line" \
	drm:::i915::oa.GpuTime drm:::xe::oa.GpuTime > "$work/out" 2>&1
has "i915 and xe: one EventSet counts both" "$work/out" \
	'^drm:::i915::oa.GpuTime : .*[1-9][0-9]* ns' \
	'^drm:::xe::oa.GpuTime : .*[1-9][0-9]* ns'

# ---------------------------------------------------------------- refusals
$virtual --gpu lnl --unprivileged -- env PAPI_DRM_VERBOSE=1 \
	"$papi/bin/papi_command_line" drm:::xe::RenderBasic.GpuTime \
	> "$work/out" 2>&1
has "the error without privileges names the sysctl to set" "$work/out" \
	'^drm: .*RenderBasic' 'dev.xe.observation_paranoid=0'
finish
