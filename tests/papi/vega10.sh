#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The component, the library and the amdgpu driver on a simulated Vega 10.
. tests/papi/lib.sh

machine="$sim --strict --time virtual --scenario tests/papi/vega10.scenario
	--gpu vega10"
a=drm:::amdgpu
events="$a::SQ.WAVES=4 $a::SQ.WAVES_EQ_64=8 $a::SQ.ITEMS=12
	$a::SQ.INSTS_VALU=16 $a::SQ.INSTS_VMEM_WR=20 $a::SQ.INSTS_VMEM_RD=24
	$a::SQ.INSTS_SALU=28 $a::SQ.INSTS_SMEM=32 $a::SQ.QUADS=36
	$a::TCC.REQ:instance=3=11 $a::TCC.REQ:instance=4=12 $a::TCC.REQ=23
	$a::GRBM.GUI_ACTIVE=13 $a::SQ.WAVES:device=0:instance=2=1"

for program in traps names; do
	# shellcheck disable=SC2086
	$machine --report "$work/report" -- "$programs/$program" $events ||
		failed=1
	lacks "$program violates no rule of the driver" \
		"$work/report" 'violation'
done

# Numbers of DRM_AMDGPU_CS and DRM_AMDGPU_WAIT_CS, counted from 0x40.
# In memory a sample is looked for as long as a loaded machine may take.
for spin in 0 1000; do
	# shellcheck disable=SC2086
	DRMPERF_SPIN_US=$spin $machine -- "$programs/read_cost" 0x44 0x49 2 \
		$a::SQ.WAVES $a::SQ.ITEMS $a::TCC.REQ $a::TCC.HIT:instance=3 \
		$a::GRBM.COUNT $a::metric.L2CacheHit:double || failed=1
done

# ---------------------------------------------------------------- asleep
# asleep NAME RESUMES COMMAND...: how often a sleeping GPU was woken
asleep()
{
	local name=$1 resumes=$2
	shift 2
	"$sim" --gpu vega10,runtime-suspended --report "$work/report" -- "$@" \
		> /dev/null 2>&1
	has "$name" "$work/report" "resumes=$resumes\$"
}
# a utility that does no more than initialise PAPI
asleep "PAPI_library_init wakes no GPU" 0 "$papi/bin/papi_mem_info"
asleep "looking up an event wakes the GPU once" \
	1 "$papi/bin/papi_command_line" \
	$a::GRBM.COUNT

# ---------------------------------------------------------------- unfinished
# left HOW: a program that ends while it counts leaves the hardware as it was
left()
{
	timeout $hang "$sim" --strict --gpu vega10 --report "$work/report" -- \
		"$programs/leave" "$1" $a::GRBM.COUNT $a::SQ.WAVES \
		$a::sensor.gpu-temp > "$work/out" 2>&1
	echo "status $?" >> "$work/out"
	grep '^violation\|^state' "$work/report" >> "$work/out"
	has "a program left by $1 leaves the GPU as it was" \
		"$work/out" '^status 0$' \
		'grbm_gfx_index=0xe0000000 counters=stopped clock_bit=0'
}
left return
left thread
left child
# it may have been amidst a read, whose hardware nobody can stop any more
timeout $hang "$sim" --gpu vega10 -- "$programs/leave" handler $a::GRBM.COUNT \
	> "$work/out" 2>&1
echo "status $?" >> "$work/out"
has "a program that ends in a signal handler exits with 0" \
	"$work/out" '^status 0$'

# shellcheck disable=SC2086
watched "$machine --" traps $events
# shellcheck disable=SC2086
watched "$machine --" names $events
finish
