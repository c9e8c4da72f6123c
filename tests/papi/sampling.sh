#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI's software overflow works, and so do profilers that sample by it.
. tests/papi/lib.sh

machine="$sim --strict --time virtual --scenario tests/papi/vega10.scenario
	--gpu vega10"
a=drm:::amdgpu
events="$a::SQ.WAVES=4 $a::SQ.WAVES_EQ_64=8 $a::SQ.ITEMS=12
	$a::SQ.INSTS_VALU=16 $a::SQ.INSTS_VMEM_WR=20 $a::SQ.INSTS_VMEM_RD=24
	$a::SQ.INSTS_SALU=28 $a::SQ.INSTS_SMEM=32 $a::SQ.QUADS=36
	$a::sensor.gpu-temp=0"

# shellcheck disable=SC2086
timeout $hang $machine --report "$work/report" -- "$programs/sampling" \
	$events || failed=1
lacks "sampling violates no rule of the driver" "$work/report" 'violation'
# shellcheck disable=SC2086
timeout $hang $machine -- "$programs/storm" $events || failed=1

# A profiler's handler stops, resets and ends PAPI amidst calls of its thread:
# counters of AMD's run on then, as after any death. Rates are unknown, and the
# program needs nine names, of which it adds four.
# ends GPU PREFIX EVENT...
ends()
{
	local gpu=$1 names
	names=$(printf " $2%s=0" "${@:3}")
	# shellcheck disable=SC2086
	timeout $hang "$sim" --time virtual --gpu "$gpu" -- \
		"$programs/storm" $names $names $names > "$work/out" 2>&1 ||
		failed=1
	sed "s/^\(not \)*ok /&$gpu: /" "$work/out"
}
ends vega10 $a:: GRBM.COUNT SQ.WAVES SQ.ITEMS SQ.INSTS_VALU
for gpu in i915=sklgt2 xe=bmg; do
	ends "${gpu#*=}" "drm:::${gpu%=*}::oa." \
		GpuTime GpuCoreClocks GpuBusy AvgGpuCoreFrequency
done

# profiled NAME EVENT...: as hpcrun would do it
profiled()
{
	local name=$1
	shift
	# shellcheck disable=SC2086
	timeout $hang $machine --report "$work/report" -- \
		"$programs/profiler" "$@" > "$work/out" 2>&1 || failed=1
	sed "s/^\(ok\|not ok\|skip\) /&$name: /" "$work/out"
	! grep -q '^not ok' "$work/out" || failed=1
	[ "$(grep -c '^ok' "$work/out")" -ge 7 ] ||
		not_ok "$name: all events are sampled" "$work/out"
	lacks "$name: sampling violates no rule of the driver" \
		"$work/report" 'violation'
}
profiled "events of a GPU" $a::SQ.WAVES@1000 $a::SQ.ITEMS@5000
profiled "events of a GPU and a CPU" $a::SQ.WAVES@1000 perf::TASK-CLOCK@1000000

# shellcheck disable=SC2086
watched "$machine --" sampling $events
finish
