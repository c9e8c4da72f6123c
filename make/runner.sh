# SPDX-License-Identifier: BSD-3-Clause
# Run test suites and add up their checks: sourced by make/check.sh and
# make/check_deep.sh.
#
# A suite is a program. It prints its results on standard output, either the
# summary of libcheck or one line per check:
#
#     ok NAME
#     not ok NAME
#     skip NAME: REASON
#
# A skip line next to libcheck's summary takes one check out of those passed. A
# suite that prints no result, or ends with an error of its own, has failed.
# Only failures and skipped checks are shown. A folder, build/check or
# build/check-deep, keeps the log of each suite and in `times` its
# seconds: wall, user, system.
#
# Suites run in the top folder, with TOP_DIR and BUILD_DIR (build or build/asan)
# in the environment. Of the caller's variables they see those in $environment
# only, and they get a home of their own.

jobs=${JOBS:-$(nproc)}
make=${MAKE:-make}
top=$PWD
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD
export BENCH_SHORT=1

# A suite that takes longer than this many seconds hangs, on any machine.
hang=1500
# Suites see how to build (tests/lint/install.sh does) and what they may try.
environment="PATH LD_LIBRARY_PATH TMPDIR CC AR PKG_CONFIG PKG_CONFIG_PATH CFLAGS
	LDFLAGS PREFIX LIBDIR WERROR CHECK_ALL CHECK_DEEP BENCH_SHORT CCACHE_DIR
	DRMPERF_FACTS DRMPERF_FOREIGN_TABLES DRMPERF_PAPI DRMPERF_PUBLISHED
	PAPI_SRC SUITE FULL CHROOT"
valgrind="valgrind -q --error-exitcode=99 --leak-check=full
	--errors-for-leak-kinds=definite --trace-children=no
	--suppressions=tests/valgrind.supp"

# start_run FOLDER: an empty folder for logs
start_run()
{
	out=$top/build/$1
	rm -rf "$out"
	mkdir -p "$out/home"
	run_begin=$SECONDS
	export out top environment hang
}

# with_environment BUILD COMMAND...: run the command as suites are run
# use_sigaltstack: ASan stumbles over the stacks of cancelled threads. Its
# quarantine stays whole: with one of 16 MiB open_memstream() dies in ASan.
with_environment()
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
		timeout -k 10 "$hang" ${RUN_AS:-} "$@"
}

# run_suite LABEL BUILD COMMAND...: run one suite, count its checks and show
# what failed or was skipped
run_suite()
{
	local label=$1 log rc all failures errors TIMEFORMAT="%R %U %S"
	local passed failed skipped checks=0
	log=$out/$(echo "$label" | tr ' /' '__').log
	shift

	{
		time with_environment "$@" > "$log" 2>&1 < /dev/null
	} 2> "${log%.log}.seconds"
	rc=$?
	echo "$(cat "${log%.log}.seconds") $label" >> "$out/times"
	passed=$(grep -c '^ok ' "$log")
	failed=$(grep -c '^not ok ' "$log")
	skipped=$(grep -c '^skip ' "$log")
	while read -r all failures errors; do
		checks=$((checks + all))
		failed=$((failed + failures + errors))
		passed=$((passed + all - failures - errors))
	done < <(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$log")
	[ $checks = 0 ] || passed=$((passed - skipped))

	if [ $rc = 124 ] || [ $rc = 137 ]; then
		echo "not ok $label: no end after $hang s" >> "$log"
		failed=$((failed + 1))
	elif [ $rc != 0 ] && [ "$failed" = 0 ]; then
		echo "not ok $label: exit status $rc" >> "$log"
		failed=1
	elif [ $((passed + failed + skipped)) = 0 ]; then
		echo "not ok $label: it printed no result" >> "$log"
		failed=1
	fi
	echo "$passed $failed $skipped $label" >> "$out/results"
	{
		grep '^skip ' "$log" | sed "s|^|    $label: |"
		if [ "$failed" != 0 ]; then
			echo "FAILED $label ($failed of $((passed + failed)))"
			grep -A 15 -E '^not ok |:[FE]:|ERROR: |runtime error' \
				"$log" | head -n 60 | sed 's/^/    | /'
		fi
	} > "${log%.log}.text"
	cat "${log%.log}.text"
}
export -f with_environment run_suite

# queue LABEL BUILD COMMAND...
queue()
{
	printf '%q ' run_suite "$@" >> "$out/queue"
	printf '\0' >> "$out/queue"
}

# add_up: the counts of results on standard input, as one line
add_up()
{
	awk '{ passed += $1; failed += $2; skipped += $3 }
		END { printf "%d passed, %d failed, %d skipped\n", passed,
			failed, skipped }'
}

# run_queue PART [JOBS]: run what is in the queue and print one line about it
run_queue()
{
	local begin=$SECONDS before
	[ -s "$out/queue" ] || return 0
	touch "$out/results"
	before=$(wc -l < "$out/results")
	xargs -0 -P "${2:-$jobs}" -I{} bash -c '{}' < "$out/queue"
	rm "$out/queue"
	echo "$1: $(tail -n +$((before + 1)) "$out/results" | add_up)" \
		"in $((SECONDS - begin)) s" | tee -a "$out/parts"
}

# queue_build LABEL ARGUMENT...: queue make; its warnings are shown if it fails
queue_build()
{
	local label=$1
	shift
	# shellcheck disable=SC2016
	queue "build $label" build bash -c '"$@" && echo "ok build"' - \
		"$make" -k -j"$jobs" --no-print-directory \
		WERROR="${WERROR:-}" "$@"
}

# build LABEL ARGUMENT...: run make now
build()
{
	queue_build "$@"
	run_queue "build $1" 1
}

# end_run: print what failed again, where the end of a long log shows it, the
# parts, the slowest suites and, last, the sum. Return 1 if a check failed.
end_run()
{
	echo
	if grep -qE '^[0-9]+ [1-9]' "$out/results"; then
		echo "Failed (logs in ${out#"$top/"}):"
		awk '$2 { $1 = $3 = ""; print "   " $0 }' "$out/results"
		grep -h -A 8 '^FAILED ' "$out"/*.text | head -n 60
		echo
	fi
	cat "$out/parts"
	echo "All of ${out##*/}: $((SECONDS - run_begin)) s. The slowest:" \
		"$(sort -rn "$out/times" | head -n 5 |
			awk '{ s = $1; $1 = $2 = $3 = ""; sub(/^ +/, "")
				printf "%s%s %d s", n++ ? ", " : "", $0, s }')"
	add_up < "$out/results" | tee "$out/summary"
	! grep -qE '^[0-9]+ [1-9]' "$out/results"
}
