#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Costs as numbers of instructions, which are the same each time. They are held
# to what they were when they were last improved, as gcc 12 makes them: another
# compiler's may differ by some percent.
. tests/bench/lib.sh

if ! command -v valgrind > "$work/which"; then
	skip instructions "valgrind is not installed"
	finish
fi
slack=1.05
vega="$sim --gpu vega10 --"

# counted FUNCTION COMMAND...: instructions of all that the function calls, but
# for those of the simulator in the process
counted()
{
	local function=$1
	shift
	if ! $machine valgrind --tool=callgrind --toggle-collect="$function" \
		--callgrind-out-file="$work/counted" --compress-strings=no \
		--compress-pos=no "$@" > "$work/out" 2>&1; then
		cat "$work/out" >&2
		return 1
	fi
	# behind a line of a call stands what the callee cost
	awk '/^ob=/ { simulated = /drmsim|umockdev/ }
		/^calls=/ { getline; next }
		/^[0-9]/ && !simulated { sum += $2 }
		END { print sum + 0 }' "$work/counted"
}

# compare WHAT LIMIT FUNCTION COMMAND...
compare()
{
	local what=$1 limit=$2 count
	shift 2
	if count=$(counted "$@") && [ "$count" -gt 0 ]; then
		row "$what" "$count" instr. before "$limit" "$slack"
	elif ! grep '^skip ' "$work/out"; then
		echo "$what: not counted"
		failed=1
	fi
}

# ---------------------------------------------------------------- reading
machine=$vega
events=drm:::amdgpu::GRBM.COUNT
compare "PAPI_read of 1 event, 1 counter" 1155 \
	read_once "$programs/cost" once $events
compare "PAPI_start of 1 event, 1 counter" 60000 \
	start_once "$programs/cost" once $events
for event in SQ.WAVES SQ.ITEMS SQ.INSTS_VALU; do
	events="$events drm:::amdgpu::$event"
done
# shellcheck disable=SC2086
compare "PAPI_read of 4 events, 13 counters" 1972 \
	read_once "$programs/cost" once $events
for event in TCC.REQ TCC.HIT TCC.MISS TCC.READ; do
	events="$events drm:::amdgpu::$event"
done
# shellcheck disable=SC2086
compare "PAPI_read of 8 events, 77 counters" 4780 \
	read_once "$programs/cost" once $events
# shellcheck disable=SC2086
compare "PAPI_start of 8 events, 77 counters" 183114 \
	start_once "$programs/cost" once $events

# ---------------------------------------------------------------- values
machine=
theirs=$(counted evaluate_theirs "$BUILD_DIR/bench/bench_oa" theirs) ||
	failed=1
if [ "${theirs:-0}" -gt 0 ]; then
	ours=$(counted evaluate_ours "$BUILD_DIR/bench/bench_oa" ours) ||
		failed=1
	row "RenderBasic evaluated once" "$ours" instr. libi915_perf "$theirs" 1
else
	grep '^skip ' "$work/out" || failed=1
fi

# ---------------------------------------------------------------- catalogs
# catalog GPU EVENT OPEN LIST
catalog()
{
	local gpu=$1 event=$2 open=$3 list=$4

	machine="$sim --gpu $gpu -- env BENCH_SHORT=1 BENCH_CATALOG_EVENT=$event"
	compare "$gpu opened" "$open" find_first "$BUILD_DIR/bench/bench_catalog"
	compare "$gpu, all events listed" "$list" \
		list_all "$BUILD_DIR/bench/bench_catalog"
}
catalog sklgt2 i915::RenderBasic.GpuTime 1072147 1670746
catalog vega10 amdgpu::SQ.WAVES 4538986 6116357
if is_short; then
	finish
fi
catalog navi21 amdgpu::SQ.WAVES 5990681 9392873
catalog acmgt3 i915::RenderBasic.GpuTime 6887036 23836487

machine="$sim --gpu acmgt3 --gpu vega10 --"
compare "papi_native_avail of 18252 events" 585335479 \
	main "$papi/bin/papi_native_avail" -i drm

machine=
compare "plan of acmgt3" 517674079 plan_once "$BUILD_DIR/bench/bench_plan" acmgt3
finish
