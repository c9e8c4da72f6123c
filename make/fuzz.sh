#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run fuzzers, each FUZZ_TIME seconds, and tell in a table what came of it. They
# begin with their seeds and with what earlier runs found, in build/fuzz/corpus,
# which is kept small. A run that crashes, leaks, hangs, or takes more than 64 MiB
# or a second of the processor is kept in build/fuzz/found, and fails.
#
# usage: make/fuzz.sh [FUZZER]...   FUZZER: fuzz_expr ...
set -u

fuzz=${BUILD_DIR:-build}/fuzz
export fuzz
export FUZZ_TIME=${FUZZ_TIME:-60} FUZZ_SEED=${FUZZ_SEED:-0}
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
[ $# != 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c | sed 's/\.c$//')

# one NAME: a line of the table
one()
{
	local name=$1 corpus=$fuzz/corpus/$1 log=$fuzz/$1.log rc=0 more
	mkdir -p "$corpus" "$corpus.new" "$fuzz/found"
	# what an interrupted run left
	rm -rf "$corpus.new" && mkdir "$corpus.new"
	"$fuzz/$name" -max_total_time="$FUZZ_TIME" -seed="$FUZZ_SEED" \
		-artifact_prefix="$fuzz/found/$name-" -print_final_stats=1 \
		"$corpus" $(ls -d "tests/data/fuzz/$name" 2> /dev/null) \
		> "$log" 2>&1 < /dev/null || rc=$?
	# of what does the same, the smallest
	if [ $rc = 0 ] && "$fuzz/$name" -merge=1 -verbosity=0 "$corpus.new" \
		"$corpus" > /dev/null 2>&1; then
		rm -r "$corpus" && mv "$corpus.new" "$corpus"
	fi
	more=$(sed -n 's/^most of a run: //p' "$log" | tail -n 1)
	printf '%-16s %12s runs  %6s covered  %5s kept  most: %-20s %s\n' \
		"$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' \
			"$log")" \
		"$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)" \
		"$(ls "$corpus" | wc -l)" "$more" \
		"$([ $rc = 0 ] || echo "FAILED, see $log")"
	return $rc
}
export -f one

printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}'
