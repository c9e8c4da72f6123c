#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The simulator is clean under valgrind and sanitizers while programs below it
# count, fail, and die. (Valgrind does not follow into those programs.)
. tests/papi/lib.sh

count=drm:::amdgpu::GRBM.COUNT

# Its standard input stays open, so it counts on when it has told that it does.
cat > "$work/kill" << 'END'
coproc "$@"
pid=$COPROC_PID
read -r line <&"${COPROC[0]}"
kill -9 "$pid"
wait "$pid"
[ "$line" = "start: No error" ] && echo "killed while it counts"
END

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
	clean "drmsim is clean while work is counted" --gpu vega10 -- \
		"$BUILD_DIR/examples/count_waves" $count drm:::amdgpu::TCC.HIT
	pattern='Total events reported: [1-9]'
	clean "drmsim is clean while each event is added" \
		--gpu vega10 --gpu vega10 -- \
		"$papi/bin/papi_native_avail" -c -i drm
	pattern='stop again: No error'
	clean "drmsim is clean over a reset" \
		--gpu vega10 --fault reset:3 -- "$programs/hold" $count
	clean "drmsim is clean over a hang" \
		--gpu vega10 --fault hang:5 -- "$programs/hold" $count
	pattern='killed while it counts'
	clean "drmsim is clean when a process is killed" \
		--gpu vega10 -- bash "$work/kill" \
		"$programs/hold" $count
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
	lost "drmsim fails if the folder of its report is missing" \
		"$work/none/report"
	if [ -w /dev/full ]; then
		lost "drmsim fails if its report cannot be written" /dev/full
	else
		skip "$kind: drmsim fails if its report cannot be written" \
			"there is no /dev/full"
	fi
	pattern='usage|native|reported'
	clean "drmsim is clean with an Intel GPU next to an AMD GPU" \
		--gpu skl --gpu vega10 -- \
		"$papi/bin/papi_native_avail" -i drm:::i915
}

all valgrind valgrind -q --error-exitcode=99 --leak-check=full \
	--show-leak-kinds=definite --errors-for-leak-kinds=definite \
	--trace-children=no "$sim"
all sanitizers "$BUILD_DIR/asan/bin/drmsim"
finish
