#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Intel GPUs through PAPI: events are listed with units, counted by PAPI's
# utility and the examples, and counted next to a GPU of another vendor.
. tests/papi/lib.sh

# kind, Hz of its timestamp, sets it has, with "any set"
while read -r kind hz sets; do
	machine="$sim --strict --gpu $kind --"

	# ------------------------------------------------------------ lists
	$machine "$papi/bin/papi_native_avail" -i i915 > "$work/list" 2>&1
	has "$kind: counters are listed with units" "$work/list" \
		'^\| drm:::i915::RenderBasic\.GpuTime ' \
		'^\| drm:::i915::RenderBasic\.PsThreads ' \
		'^\| drm:::i915::TestOa\.Counter0 ' \
		'^\| drm:::i915::oa\.GpuBusy ' \
		'Units: ns ' 'Units: threads ' 'Units: percent'
	events=$(grep -c '^| drm:::i915::[A-Za-z]' "$work/list")
	units=$(awk '/^\| drm:::i915::[A-Za-z]/ { n++; wanted = 1 }
		wanted && /Units: [a-zA-Z]/ { units++; wanted = 0 }
		END { print units + 0 }' "$work/list")
	# all sets have this one, and nothing else but "any set" has it
	found=$(grep -c '^| drm:::i915::[A-Za-z0-9_]*\.GpuTime ' "$work/list")
	if [ "$found" = "$sets" ] && [ "$events" -gt 500 ]; then
		ok "$kind: all sets are listed"
	else
		not_ok "$kind: all sets are listed \
($found of $sets, $events events)"
	fi
	if [ "$units" = "$events" ]; then
		ok "$kind: each event has a unit"
	else
		not_ok "$kind: each event has a unit ($units of $events)"
	fi

	# ------------------------------------------------------------ counts
	$machine "$papi/bin/papi_command_line" \
		drm:::i915::RenderBasic.GpuTime \
		drm:::i915::RenderBasic.PsThreads \
		drm:::i915::oa.VsThreads drm:::i915::oa.GpuBusy \
		> "$work/out" 2>&1
	has "$kind: papi_command_line counts" "$work/out" \
		'^drm:::i915::RenderBasic.GpuTime : .*[1-9][0-9]* ns' \
		'^drm:::i915::oa.GpuBusy : .*100000 percent\*1000'
	# six pixel shaders and one vertex shader start per tick
	if awk -v hz="$hz" '/GpuTime :/ { ns = $3 } /PsThreads :/ { ps = $3 }
		/VsThreads :/ { vs = $3 }
		END { exit !(vs > 0 && ps == 6 * vs &&
			ns == int(vs * 1e9 / hz)) }' "$work/out"; then
		ok "$kind: values are exact"
	else
		not_ok "$kind: values are exact" "$work/out"
	fi
	$machine "$BUILD_DIR/examples/count_command" \
		drm:::i915::RenderBasic.GpuTime \
		drm:::i915::RenderBasic.GpuBusy:double \
		-- bash -c 'sleep 0.05; exit 7' > "$work/out" 2>&1
	rc=$?
	has "$kind: count_command counts" "$work/out" \
		'RenderBasic.GpuTime +[0-9]{8,} ns' \
		'RenderBasic.GpuBusy:double +100.000 percent'
	if [ $rc = 7 ]; then
		ok "$kind: count_command ends as its command"
	else
		not_ok "$kind: count_command ends as its command (not $rc)" \
			"$work/out"
	fi
done << 'END'
skl 12000000 24
tgl 19200000 28
END
"$BUILD_DIR/examples/count_command" --help > "$work/out" 2>&1
has "count_command --help prints its usage" "$work/out" '^usage: count_command'

# ---------------------------------------------------------------- two vendors
machine="$sim --strict --gpu vega10 --gpu tgl --"
$machine "$papi/bin/papi_native_avail" -i drm > "$work/out" 2>&1
has "two vendors: devices are in the order of addresses" "$work/out" \
	'GPU 0, Tiger Lake GT2 at 0000:00:02\.0' \
	'GPU 1, Vega 10 at 0000:03:00\.0'
$machine "$papi/bin/papi_command_line" drm:::i915::oa.GpuTime:device=0 \
	drm:::amdgpu::GRBM.COUNT:device=1 > "$work/out" 2>&1
has "two vendors: one EventSet counts both" "$work/out" \
	'^drm:::i915::oa.GpuTime:device=0 : .*[1-9][0-9]* ns' \
	'^drm:::amdgpu::GRBM.COUNT:device=1 : .*[1-9][0-9]* cycles'
# who has done work on one and counts both
$machine "$BUILD_DIR/examples/count_waves" drm:::i915::oa.GpuTime:device=0 \
	drm:::amdgpu::GRBM.COUNT > "$work/out" 2>&1
has "two vendors: count_waves counts both" "$work/out" \
	'All 10000 waves launched were counted' 'i915::oa.GpuTime.* [1-9][0-9]* ns'

# ---------------------------------------------------------------- refusals
"$sim" --gpu skl --unprivileged -- env PAPI_DRM_VERBOSE=1 \
	"$papi/bin/papi_command_line" drm:::i915::RenderBasic.GpuTime \
	> "$work/out" 2>&1
has "the error without privileges names the sysctl to set" "$work/out" \
	'^drm: .*RenderBasic' 'dev.i915.perf_stream_paranoid=0'
finish
