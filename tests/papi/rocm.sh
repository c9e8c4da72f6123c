#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI's own component rocm, unchanged, lists and counts on simulated GPUs over
# librocprofiler64, and its values are those of the component drm.
. tests/papi/lib.sh

profiler=$BUILD_DIR/lib/librocprofiler64.so.1
rocm=$BUILD_DIR/papi-rocm
if [ ! -e "$profiler" ]; then
	skip "PAPI's component rocm counts" \
		"there is no HSA runtime to build it with"
	finish
fi
export PAPI_ROCM_ROOT=$rocm/rocm HSA_TOOLS_LIB=$profiler
export ROCP_METRICS=$TOP_DIR/components/rocprofiler/metrics.xml
unset ROCP_HSA_INTERCEPT ROCP_TOOL_LIB

# value EVENT: as papi_command_line printed it
value()
{
	awk -v e="$1" '$1 == e && $2 == ":" {print $3}' "$work/out"
}

# What counts by virtual time has the stand-in for HSA: while threads of the real
# one wait for the GPU, that time runs.
mkdir -p "$work/standin/lib"
ln -s "$(realpath "$BUILD_DIR/tests/hsa/libhsa-runtime64.so.1")" \
	"$work/standin/lib/libhsa-runtime64.so"

# PAPI 7.0 lists each instance; later ones list the qualifiers behind the name.
device='(:device=0)?'

for kind in vega20=4 mi100=8 mi200=8; do
	gpu=${kind%=*}
	"$sim" --gpu "$gpu" -- "$rocm/bin/papi_component_avail" \
		> "$work/out" 2>&1
	sed -n '/^Active/,$p' "$work/out" > "$work/active"
	has "$gpu: the component is active" "$work/active" '^Name: +rocm '
	"$sim" --gpu "$gpu" -- "$rocm/bin/papi_native_avail" -i rocm \
		> "$work/out" 2>&1
	has "$gpu: the component rocm lists events and metrics" "$work/out" \
		"^\| rocm:::SQ_WAVES$device " \
		"^\| rocm:::GRBM_COUNT$device " \
		'^\| rocm:::TCC_HIT(:device=0:instance=15)? ' \
		':instance=15 |instance qualifier in range \[0-(15|31)\]' \
		"^\| rocm:::TCC_HIT_sum$device " \
		"^\| rocm:::L2CacheHit$device "
	PAPI_ROCM_ROOT=$work/standin "$sim" --gpu "$gpu" --time virtual \
		--strict -- "$BUILD_DIR/tests/papi/papi_rocm" "${kind#*=}" \
		> "$work/out" 2>&1
	rc=$?
	sed "s/^\(not \)*ok /&$gpu: /" "$work/out"
	[ $rc = 0 ] || failed=1
done

# One of two GPUs, each by its address.
"$sim" --gpu vega20 --gpu mi200 -- "$rocm/bin/papi_command_line" \
	rocm:::GRBM_COUNT:device=1 > "$work/out" 2>&1
[ "$(value rocm:::GRBM_COUNT:device=1)" -gt 0 ] 2> "$work/err" &&
	ok "rocm counts on the second of two GPUs" ||
	not_ok "rocm counts on the second of two GPUs" "$work/out"

# What needs more than one run is refused when it is added.
"$sim" --gpu mi200 -- "$rocm/bin/papi_command_line" \
	rocm:::GRBM_COUNT:device=0 rocm:::GRBM_GUI_ACTIVE:device=0 \
	rocm:::GRBM_CP_BUSY:device=0 > "$work/out" 2>&1
has "the component rocm refuses an event of a second run" "$work/out" \
	'^Successfully added: rocm:::GRBM_GUI_ACTIVE' \
	'^Failed adding: rocm:::GRBM_CP_BUSY'
[ "$(value rocm:::GRBM_COUNT:device=0)" -gt 0 ] 2> "$work/err" &&
	ok "rocm counts the events that it accepted" ||
	not_ok "rocm counts the events that it accepted" "$work/out"

# HSA does not begin without /dev/kfd: PAPI disables the component, with a reason
# in some releases.
"$sim" --gpu mi200,kfd=off -- "$rocm/bin/papi_component_avail" \
	> "$work/out" 2>&1
grep -A 2 '^Name: *rocm ' "$work/out" > "$work/rocm"
has "the component rocm is disabled without /dev/kfd" "$work/rocm" 'Disabled: '

# Kernels that a program dispatches, one by one, through the real HSA.
for gpu in vega20 mi100 mi200; do
	ROCP_HSA_INTERCEPT=1 "$sim" --gpu $gpu -- \
		"$rocm/bin/papi_native_avail" -i rocm > "$work/out" 2>&1
	has "$gpu: the component rocm lists its events with intercepting" \
		"$work/out" \
		"^\| rocm:::SQ_WAVES$device " \
		"^\| rocm:::L2CacheHit$device "
	for tool in "" "$rocm/lib/libpapi.so"; do
		ROCP_HSA_INTERCEPT=1 ROCP_TOOL_LIB=$tool "$sim" --gpu $gpu \
			--strict -- "$BUILD_DIR/tests/papi/papi_rocm_intercept" \
			> "$work/out" 2>&1
		rc=$?
		sed "s|^\(not \)*ok |&$gpu${tool:+, PAPI is the tool}: |" \
			"$work/out"
		[ $rc = 0 ] || failed=1
	done
done

# The tool that HSA loads may load PAPI in turn.
ROCP_TOOL_LIB=$rocm/lib/libpapi.so DRMPERF_VERBOSE=1 \
	"$sim" --gpu mi200 -- "$rocm/bin/papi_command_line" \
	rocm:::GRBM_COUNT:device=0 > "$work/out" 2>&1
[ "$(value rocm:::GRBM_COUNT:device=0)" -gt 0 ] 2> "$work/err" &&
	ok "PAPI counts as ROCP_TOOL_LIB" ||
	not_ok "PAPI counts as ROCP_TOOL_LIB" "$work/out"
lacks "PAPI as ROCP_TOOL_LIB causes no message" "$work/out" '^librocprofiler64:'
finish
