#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and run all tests; the very last line says how many passed.
#
# A suite is a program. It tells its results on standard output, either with
# the summary of libcheck or with one line per test:
#
#     ok NAME
#     not ok NAME
#     skip NAME: REASON
#
# A skip line beside libcheck's summary takes one test out of those passed.
# A suite that tells nothing, or ends with an error of its own, has failed.
#
# Suites run in the top folder, with TOP_DIR and BUILD_DIR (build or build/asan)
# in the environment. Of the caller's they see only what is named below, and a
# home of their own: what a user or a terminal has set is no matter.
#
# With CHECK_ALL in the environment, suites that take samples leave nothing out,
# and those that do the same on every GPU run in valgrind, too.
# Benchmarks only show that they work, whatever they measure.
#
# usage: make/check.sh [SUITE]...   SUITE: test_expr, tests/papi/list.sh ...
set -u

jobs=${JOBS:-$(nproc)}
make=${MAKE:-make}
top=$PWD
out=$top/build/check
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD
export BENCH_SHORT=1
rm -rf "$out"
mkdir -p "$out/home"

# What takes longer than this many seconds hangs, on any machine.
export hang=1800

# What suites see: how to build, for tests/lint/install.sh, and what may be tried
# as well.
export environment="PATH LD_LIBRARY_PATH TMPDIR CC AR PKG_CONFIG PKG_CONFIG_PATH
	CFLAGS LDFLAGS PREFIX LIBDIR WERROR CHECK_ALL BENCH_SHORT
	DRMPERF_FACTS DRMPERF_FOREIGN_TABLES DRMPERF_PAPI DRMPERF_PUBLISHED"

# ---------------------------------------------------------------- one suite
# known BUILD COMMAND...
# use_sigaltstack: ASan trips over the stacks of threads that were cancelled
known()
{
	local build=$1 name variables=()
	shift
	for name in $environment; do
		[ -z "${!name+set}" ] || variables+=("$name=${!name}")
	done
	env -i "${variables[@]}" HOME="$out/home" SHELL=/bin/sh LC_ALL=C \
		BUILD_DIR="$top/$build" TOP_DIR="$top" \
		ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=1:use_sigaltstack=0 \
		LSAN_OPTIONS="suppressions=$top/tests/lsan.supp:print_suppressions=0" \
		UBSAN_OPTIONS=print_stacktrace=1 \
		TSAN_OPTIONS="suppressions=$top/tests/tsan.supp:print_suppressions=0" \
		"$@"
}

# run_suite LABEL COMMAND...: runs in a process of its own
run_suite()
{
	local label=$1 log rc checks passed failed skipped begin=$SECONDS
	shift
	log=$out/$(echo "$label" | tr ' /' '__').log

	"$@" > "$log" 2>&1 < /dev/null
	rc=$?

	passed=$(grep -c '^ok ' "$log")
	failed=$(grep -c '^not ok ' "$log")
	skipped=$(grep -c '^skip ' "$log")
	checks=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$log")
	while read -r all failures errors; do
		[ -n "$all" ] || continue
		failed=$((failed + failures + errors))
		passed=$((passed + all - failures - errors))
	done <<< "$checks"
	[ -n "$checks" ] && passed=$((passed - skipped))

	if [ $rc = 124 ] || [ $rc = 137 ]; then
		failed=$((failed + 1))
		echo "not ok $label: no end after $hang s" >> "$log"
	elif [ $rc != 0 ] && [ "$failed" = 0 ]; then
		failed=1
		echo "not ok $label: ended with status $rc" >> "$log"
	elif [ $((passed + failed + skipped)) = 0 ]; then
		failed=1
		echo "not ok $label: told no result" >> "$log"
	fi

	echo "$passed $failed $skipped" > "${log%.log}.result"
	{
		printf '%-44s %4d passed, %d failed' "$label" "$passed" \
			"$failed"
		[ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
		[ $((SECONDS - begin)) -lt 10 ] ||
			printf ' (%d s)' $((SECONDS - begin))
		echo
		grep '^skip ' "$log" | sed 's/^/    /'
		[ "$failed" = 0 ] || tail -n 40 "$log" | sed 's/^/    | /'
	} > "${log%.log}.text"
	cat "${log%.log}.text"
}
export -f known run_suite
export out top

# queue LABEL BUILD COMMAND...
queue()
{
	printf '%q ' run_suite "$1" known "$2" timeout -k 10 $hang "${@:3}" \
		>> "$out/queue"
	printf '\0' >> "$out/queue"
}

# run_queue [JOBS]
run_queue()
{
	[ -s "$out/queue" ] || return 0
	xargs -0 -P "${1:-$jobs}" -I{} bash -c '{}' < "$out/queue"
	rm "$out/queue"
}

# A build is a test, too. Its warnings are shown when it fails.
build()
{
	local label=$1
	shift
	run_suite "build $label" timeout -k 10 $hang bash -c \
		'"$@" && echo "ok build"' - "$make" -k -j"$jobs" \
		--no-print-directory WERROR="${WERROR:-}" "$@"
}

# ---------------------------------------------------------------- what to run
suites=$(find tests -name 'test_*.c' -printf '%f\n' | sed 's/\.c$//' | sort)
scripts=$(ls tests/bench/run.sh tests/lint/*.sh tests/papi/*.sh tests/peers/*.sh \
	tests/tool/*.sh 2> /dev/null | grep -Ev '/(lib|bench|ranks)\.sh$')
fuzzers=$(cd tests && ls fuzz/fuzz_*.c 2> /dev/null | sed 's/\.c$//')
if [ $# != 0 ]; then
	suites= scripts= fuzzers=
	for name in "$@"; do
		case $name in
		*.sh) scripts="$scripts $name" ;;
		fuzz/*) fuzzers="$fuzzers $name" ;;
		*) suites="$suites $name" ;;
		esac
	done
fi

# libdrmperf-kd is left out of the build where there is no libproc2.
if [[ " $(echo $suites) " = *" test_kd"* ]] &&
	! "${PKG_CONFIG:-pkg-config}" --exists libproc2; then
	run_suite "libdrmperf-kd" \
		echo "skip test_kd: there is no libproc2"
	suites=$(echo "$suites" | tr ' ' '\n' | grep -v '^test_kd')
fi

# Nor is libdrmperf-gl built where there are no headers of OpenGL.
if [[ " $(echo $suites) " = *" test_gl"* ]] &&
	! "${PKG_CONFIG:-pkg-config}" --exists gl egl x11; then
	run_suite "libdrmperf-gl" \
		echo "skip test_gl: there are no headers of OpenGL, EGL and GLX"
	suites=$(echo "$suites" | tr ' ' '\n' | grep -v '^test_gl')
fi

# librocprofiler64 is left out where there is no HSA.
if [[ " $(echo $suites) " = *" test_rocprofiler"* ]] &&
	! printf '#include <hsa/hsa.h>\n' | "${CC:-gcc}" -E -x c - \
		> "$out/hsa" 2>&1; then
	run_suite "librocprofiler64" \
		echo "skip test_rocprofiler: there is no HSA runtime"
	suites=$(echo "$suites" | tr ' ' '\n' | grep -v '^test_rocprofiler')
fi

# The Vulkan layer is left out where there are no headers of Vulkan.
if [[ " $(echo $suites) " = *" test_vulkan"* ]] &&
	! "${PKG_CONFIG:-pkg-config}" --exists 'vulkan >= 1.3.204'; then
	run_suite "libVkLayer_drmperf_gpa" \
		echo "skip test_vulkan: there are no headers of Vulkan"
	suites=$(echo "$suites" | tr ' ' '\n' | grep -v '^test_vulkan')
fi

valgrind="valgrind -q --error-exitcode=99 --leak-check=full
	--errors-for-leak-kinds=definite --trace-children=no
	--suppressions=tests/valgrind.supp"

build plain tests benches
if [ -n "$suites" ] || [[ $scripts = *tests/tool/* ]]; then
	build sanitizers tests SANITIZE=1
fi
# What ThreadSanitizer looks at, too. Below drmsim only in check-all: umockdev is
# not built with it, and now and then waits for ever for a lock of its own that a
# report of the sanitizer's needs as well.
threaded=
for suite in $suites; do
	case $suite in
	test_races) threaded="$threaded $suite" ;;
	test_threads)
		[ -z "${CHECK_ALL:-}" ] || threaded="$threaded all $suite" ;;
	esac
done
if [ -n "$threaded" ]; then
	# shellcheck disable=SC2086
	build "thread sanitizer" SANITIZE=thread \
		$(printf '%s\n' $threaded | sed 's,^test_,build/tsan/tests/&,')
fi
if [ -n "$fuzzers" ]; then
	build fuzzers fuzzers
fi
if [ -n "$scripts" ]; then
	build peers peers
	build papi papi examples papi-tests
	build "papi sanitizers" papi-tests SANITIZE=1
fi
if [ $# = 0 ]; then
	# for its warnings, with PAPI as it stands
	build clang tests benches peers examples papi-tests CC=clang \
		CFLAGS=-O0 BUILD=build/clang PAPI=build/papi
fi

# Suites that do the same on every GPU, or many thousand times, take minutes in
# valgrind, for code that others run there as well.
broad=" test_amdgpu_exact test_amdgpu_generations test_drmsim_i915_model test_events
	test_events_i915 test_events_i915_fused test_i915_exact test_i915_list
	test_i915_recording test_i915_registers test_oa_equations test_pack_brute "

queue_suite()
{
	local suite=$1

	queue "$suite" build "build/tests/$suite"
	queue "$suite asan" build/asan "build/asan/tests/$suite"
	[[ " $threaded " != *" $suite "* ]] ||
		queue "$suite tsan" build/tsan "build/tsan/tests/$suite"
	[ -n "${CHECK_ALL:-}" ] || [[ ! $broad =~ [[:space:]]$suite[[:space:]] ]] || return 0
	# shellcheck disable=SC2086
	queue "$suite valgrind" build env CK_FORK=no VALGRIND=1 \
		$valgrind "build/tests/$suite"
}

# Suites on simulated hardware in real time: it must get its time.
alone=" test_oa_clocks test_oa_sessions test_oa_mishaps test_oa_crew "

# What takes longest begins first.
longest=tests/lint/analyze.sh
[[ " $(echo $scripts) " != *" $longest "* ]] || queue $longest build bash $longest
for suite in $suites; do
	[[ $alone = *" $suite "* ]] || queue_suite "$suite"
done
for script in $scripts; do
	[ "$script" = $longest ] || queue "$script" build bash "$script"
done
for fuzzer in $fuzzers; do
	mkdir -p "$out/corpus/$fuzzer"
	# what takes a second on one machine may take more on another
	queue "$fuzzer" build env FUZZ_SECONDS=60 \
		bash -c '"$@" && echo "ok no crash"' - "build/$fuzzer" \
		-max_total_time="${FUZZ_TIME:-10}" \
		-seed="${FUZZ_SEED:-1}" \
		-artifact_prefix="$out/" -verbosity=0 "$out/corpus/$fuzzer" \
		$(ls -d "tests/data/$fuzzer" 2> /dev/null)
done
run_queue
for suite in $suites; do
	[[ $alone = *" $suite "* ]] && queue_suite "$suite"
done
run_queue 1

# ---------------------------------------------------------------- the end
total_passed=0 total_failed=0 total_skipped=0
for result in "$out"/*.result; do
	read -r p f s < "$result"
	total_passed=$((total_passed + p))
	total_failed=$((total_failed + f))
	total_skipped=$((total_skipped + s))
done
echo
if [ $total_failed != 0 ]; then
	echo "Failed (logs in build/check):"
	for result in "$out"/*.result; do
		read -r p f s < "$result"
		[ "$f" = 0 ] || head -1 "${result%.result}.text"
	done
	echo
fi
{
	printf '%d passed, %d failed' $total_passed $total_failed
	[ $total_skipped = 0 ] || printf ', %d skipped' $total_skipped
	echo
} | tee "$out/summary"
[ $total_failed = 0 ]
