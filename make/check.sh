#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and run the tests that say whether a change is right; the very last line
# says how many checks passed.
#
# With SUITE: that one alone, plain, with sanitizers and in valgrind, or as what
# it is (a script, a fuzzer).
#
# usage: make/check.sh [SUITE]...   SUITE: test_expr, tests/papi/sde.sh,
#        fuzz/fuzz_table
set -u
. make/runner.sh
. make/suites.sh

start_run check
if [ $# != 0 ]; then
	check_named "$@"
else
	build plain all tests benches
	# PAPI's configure does one thing after the other.
	queue_papi
	queue_build sanitizers tests replays SANITIZE=1
	run_queue "build sanitizers and papi" 2
	say_left_out
	# What takes longest begins first; two thirds of all time they wait.
	queue_scripts "$scripts_long"
	queue_each "$real_time $broad $(other_suites)" plain
	queue_each "$(without "$(other_suites)" "$asan_deep")" asan
	queue_scripts "$(without "$scripts" "$scripts_long")"
	queue_replays
	run_queue "suites and scripts" $((4 * jobs))
fi
end_run
