#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The simulator itself under valgrind and sanitizers, while programs below it
# count, fail, and die. (Valgrind does not follow into those programs.)
. tests/papi/lib.sh

count=drm:::amdgpu::GRBM.COUNT

# all KIND DRMSIM...
all()
{
	local kind=$1
	shift
	# clean NAME ARGUMENT...: of drmsim
	clean()
	{
		local name="$kind: $1"
		shift
		"${drmsim[@]}" "$@" > "$work/out" 2>&1 < /dev/null
		if grep -Eq '^==[0-9]+==|runtime error' "$work/out"; then
			not_ok "$name" "$work/out"
		else
			has "$name" "$work/out" "$pattern"
		fi
	}
	local drmsim=("$@") pattern

	pattern='All 10000 waves'
	clean "work and counters" --gpu vega10 -- \
		"$BUILD_DIR/examples/count_waves" $count drm:::amdgpu::TCC.HIT
	pattern='Total events reported: [1-9]'
	clean "each event once" --gpu vega10 --gpu vega10 -- \
		"$papi/bin/papi_native_avail" -c -i drm
	pattern='stop again: No error'
	clean "a reset" --gpu vega10 --fault reset:2 -- "$programs/hold" $count
	clean "a hang" --gpu vega10 --fault hang:3 -- "$programs/hold" $count
	pattern='killed'
	# shellcheck disable=SC2016
	clean "a process that is killed" --gpu vega10 -- bash -c \
		'"$@" < <(sleep 9) & sleep 0.5; kill -9 $!; wait $!; echo killed' \
		- "$programs/hold" $count
	# lost NAME FILE: the status tells of a report that cannot be written
	lost()
	{
		"${drmsim[@]}" --gpu vega10 --report "$2" -- true \
			> "$work/out" 2>&1
		if [ $? = 125 ]; then
			has "$kind: $1" "$work/out" "^drmsim: $2: "
		else
			not_ok "$kind: $1" "$work/out"
		fi
	}
	lost "a report with no place" "$work/none/report"
	[ ! -w /dev/full ] || lost "a report that is lost" /dev/full
	pattern='usage|native|reported'
	clean "an Intel GPU beside" --gpu skl --gpu vega10 -- \
		"$papi/bin/papi_native_avail" -i drm:::i915
}

all valgrind valgrind -q --error-exitcode=99 --leak-check=full \
	--show-leak-kinds=definite --errors-for-leak-kinds=definite \
	--trace-children=no "$sim"
if [ -x "$BUILD_DIR/asan/bin/drmsim" ]; then
	all sanitizers "$BUILD_DIR/asan/bin/drmsim"
else
	skip sanitizers "make SANITIZE=1 builds what is needed"
fi
finish
