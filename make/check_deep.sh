#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and run what make check leaves out: valgrind, ThreadSanitizer, clang's
# warnings, analyzers, fuzzers, packages, programs of others, the tool and PAPI's
# programs with sanitizers, and the plain suites as an ordinary user on a machine
# that is busy with something else. Nothing that make check does is repeated.
#
# With CHECK_ALL in the environment, make check's part is run too, and suites
# that take samples leave nothing out.
#
# usage: make/check_deep.sh
set -u
. make/runner.sh
. make/suites.sh

start_run check-deep
export CHECK_DEEP=1
build plain all tests benches peers
queue_papi
run_queue "build papi" 1
build sanitizers all tests $([ ! -e build/papi/built ] || echo papi-tests) \
	SANITIZE=1
# Below drmsim ThreadSanitizer is for make check-all: umockdev is not built with
# it, and sometimes waits for ever for a lock that a report needs as well.
threaded="test_races${CHECK_ALL:+ test_threads}"
build "thread sanitizer" SANITIZE=thread ${CHECK_ALL:+all} \
	$(printf 'build/tsan/tests/%s\n' $threaded)
build fuzzers fuzzers
build "with clang" clang-objects CC=clang BUILD=build/clang PAPI=build/papi

# By themselves the analyzers keep all processors busy.
queue tests/lint/analyze.sh build env JOBS="$jobs" bash tests/lint/analyze.sh
run_queue "analyzers" 1

# What takes longest begins first.
queue_each "$threaded" tsan
for kind in plain asan valgrind; do
	queue_each "$suites_deep" $kind
done
for suite in $([ -n "${CHECK_ALL:-}" ] || echo "$sampled"); do
	queue "$suite whole" build env CHECK_ALL=1 "build/tests/$suite"
done
queue "loads of all GPUs" build env -u CHECK_DEEP EVERY=1 \
	bash tests/tool/loads.sh
queue_each "$asan_deep" asan
# Besides, the tool with sanitizers, and PAPI's programs in valgrind and with
# sanitizers.
queue_mixed "$broad $(other_suites)" \
	"$(without "$scripts_deep" tests/lint/analyze.sh)
	$(without "$scripts" tests/tool/loads.sh | grep -v ^tests/lint/)"
[ -z "${CHECK_ALL:-}" ] || {
	queue_each "$broad $(other_suites)" plain
	queue_each "$(without "$broad $(other_suites)" "$asan_deep")" asan
}
queue_fuzzers "$fuzzers"
# Nearly half of all time they wait.
run_queue "valgrind, scripts, fuzzers" $((2 * jobs))
for kind in ${CHECK_ALL:+plain} asan valgrind; do
	queue_each "$real_time" $kind
done
run_queue "suites in real time" 1
run_on_busy_machine
end_run
