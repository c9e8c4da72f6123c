#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run all benchmarks; all they have measured stands in one table at the end.
# Ends with an error if one does not work, or a goal is missed for no reason that
# reasons.tsv has.
#
# With BENCH_SHORT in the environment each thing is tried about once, and held
# is only that it works: a line tells so of each benchmark.
. tests/bench/lib.sh

# run NAME COMMAND...
run()
{
	local name=$1
	shift
	echo "== $name"
	if ! "$@" > "$work/now" 2>&1; then
		not_ok "$name" "$work/now"
	elif ! BENCH_SHORT=1 tests/bench/table.sh "$work/now" > "$work/rows"; then
		not_ok "$name has rows for the table" "$work/rows"
	elif is_short; then
		ok "$name"
	else
		grep -v '^row' "$work/now"
	fi
	cat "$work/now" >> "$work/all"
}

for source in tests/bench/bench_*.c; do
	name=$(basename "$source" .c)
	if [ "$name" = bench_vulkan ] &&
		[ ! -e "$BUILD_DIR/lib/libVkLayer_drmperf_gpa.so" ]; then
		skip "what samples of Vulkan cost" "it has no headers here" |
			tee -a "$work/all"
		continue
	fi
	run "$name" "$BUILD_DIR/bench/$name"
done
run "costs of PAPI" bash tests/papi/bench.sh
run "instructions" bash tests/bench/instructions.sh
run "commands" bash tests/bench/commands.sh
echo
tests/bench/table.sh "$work/all" || failed=1
finish
