#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The component has HSA load the tool that makes the program's queues count, or
# says why an event cannot be counted.
. tests/papi/lib.sh

tool=$BUILD_DIR/lib/libdrmperf-hsa.so
real=$(${CC:-cc} -print-file-name=libhsa-runtime64.so)
runtime=$real
waves=drm:::amdgpu::SQ.WAVES
if [ ! -e "$tool" ] || [ ! -e "$runtime" ]; then
	skip "the component has HSA load its tool" \
		"there is no HSA runtime to build with"
	finish
fi
tool=$(realpath "$tool")
unset HSA_TOOLS_LIB DRMPERF_QUEUES

# adds NAME PATTERN ARGUMENT...: the line that the program prints
adds()
{
	local name=$1 pattern=$2
	shift 2
	"$sim" --gpu "$gpu" -- env "${with[@]}" \
		"$programs/hsa_queues" "$@" > "$work/out" 2> "$work/err"
	has "$name" "$work/out" "^$pattern\$"
}

gpu=mi200
with=(PAPI_DRM_VERBOSE=1)
adds "the component has HSA load its tool before HSA begins" \
	"No error; tools: $tool" $waves
adds "an event that sees all queues needs no tool" 'No error; tools: none' \
	drm:::amdgpu::GRBM.COUNT
adds "after HSA has begun, the event is refused" 'Not supported; tools: none' \
	$waves "$runtime"
has "the refusal says what to do" "$work/err" 'HSA or HIP has begun already' \
	"HSA_TOOLS_LIB=$tool"
adds "after HSA has begun, an event that sees all queues is added" \
	'No error; tools: none' drm:::amdgpu::GRBM.COUNT "$runtime"

# unlike the machine above, with a kernel that has the lock of profilers
gpu=mi200,kfd-profiler=upstream
adds "after HSA has begun, the event counts by the kernel's lock of profilers" \
	'No error; tools: none' $waves "$runtime"
adds "with the kernel's lock of profilers HSA needs no tool" \
	'No error; tools: none' $waves
# the lock is the first rank's, which goes on until its input ends
"$sim" --gpu "$gpu" -- env "${with[@]}" bash -c '
	coproc "$1/hold" "$2"
	read -r line <&"${COPROC[0]}"
	"$1/hsa_queues" "$2" "$3"
	exec {COPROC[1]}>&-
	wait' - "$programs" $waves "$runtime" \
	> "$work/out" 2> "$work/err"
has "after HSA has begun, the event of a second rank is refused" "$work/out" \
	'^Not supported; tools: none$'
has "the refusal says what all ranks have to do" "$work/err" \
	'such as a rank, holds the lock of profilers' 'in each process before' \
	"HSA_TOOLS_LIB=$tool"
if command -v python3 > /dev/null; then
	"$sim" --gpu "$gpu" -- python3 tests/tool/profiler.py \
		env "${with[@]}" "$programs/hsa_queues" $waves \
		> "$work/out" 2> "$work/err"
	has "the event is refused next to another profiler" "$work/out" \
		'^Event exists, but cannot be counted .*; tools: none$'
	has "the refusal names the other profiler" "$work/err" \
		'another profiler \(rocprofiler\) counts on this GPU'
else
	skip "the event is refused next to another profiler" \
		"there is no python3"
fi

# the simulated KFD has no GPUs before gfx9
gpu=polaris10
runtime=$BUILD_DIR/tests/hsa/libhsa-runtime64.so.1
adds "on a GPU before gfx9 the event is refused, too" \
	'Not supported; tools: none' $waves "$runtime"
has "the refusal names no tool that a GPU before gfx9 cannot use" \
	"$work/err" 'before gfx9' 'drmperf stat -- PROGRAM'
lacks "the refusal does not advise to begin with the tool" "$work/err" \
	'HSA_TOOLS_LIB'

gpu=mi200
runtime=$real
with=(HSA_TOOLS_LIB=libother.so)
adds "other tools in HSA_TOOLS_LIB stay" \
	"No error; tools: libother.so $tool" $waves
with=("HSA_TOOLS_LIB=$tool")
adds "a tool that is there is not added again" "No error; tools: $tool" $waves
adds "a tool that HSA has loaded makes queues count" \
	"No error; tools: $tool" $waves "$runtime"
with=(HSA_TOOLS_LIB=librocprofiler64.so.1)
adds "librocprofiler64 makes queues count" \
	'No error; tools: librocprofiler64.so.1' $waves "$runtime"
with=(DRMPERF_QUEUES=any)
adds "DRMPERF_QUEUES=any leaves the program alone" 'No error; tools: none' \
	$waves
adds "DRMPERF_QUEUES=any counts what others run" 'No error; tools: none' \
	$waves "$runtime"
finish
