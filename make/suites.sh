# SPDX-License-Identifier: BSD-3-Clause
# The lists of suites, and how each is run: sourced by make/check.sh and
# make/check_deep.sh after make/runner.sh.

all_suites=$(find tests -name 'test_*.c' -printf '%f\n' | sed 's/\.c$//' | sort)
# Those whose library is built here.
suites=$("$make" -s --no-print-directory print-suites)

# Broad suites do the same on every GPU, or many thousand times. They take
# minutes with a sanitizer, for code that others run there too, and do less in
# valgrind.
broad="test_amdgpu_all_dies test_amdgpu_exact test_amdgpu_generations
	test_drmsim_i915_model test_drmsim_kfd_dies test_events
	test_events_i915 test_events_i915_fused test_i915_exact test_i915_list
	test_i915_recording test_i915_registers test_oa_equations
	test_pack_brute test_xe_older"
# Suites that are broad where they have sanitizers: those of several GPUs,
# drivers or processes that take many seconds then. That run is make
# check-deep's.
asan_deep="test_amdgpu_all_dies test_amdgpu_handover test_amdgpu_ranks
	test_amdgpu_share test_amdgpu_steering test_drmsim_kfd_dies
	test_drmsim_kfd_queues test_kd_sentences test_moments
	test_rocprofiler_queries test_vulkan_execution test_vulkan_parts
	test_vulkan_cuts test_vulkan_samples"
# Suites on simulated hardware in real time must get their time: with sanitizers
# and in valgrind nothing else runs beside them.
real_time="test_oa_clocks test_oa_sessions test_oa_mishaps test_oa_shared_stream
	test_rocprofiler_traces test_vulkan_traces"

# Broad suites that count a sample of the sets only: all is make check-deep's.
sampled="test_i915_exact test_xe_older"

# Suites of make check-deep alone: they take minutes.
suites_deep="test_sweep"

# Scripts of make check-deep: they need other people's programs, a package of
# their own, or minutes.
scripts_deep="tests/bench/run.sh tests/lint/analyze.sh tests/lint/install.sh
	tests/lint/packages.sh tests/lint/scripts.sh tests/papi/foreign.sh
	tests/papi/simulator.sh tests/papi/tree.sh tests/tool/mpi.sh tests/tool/mpi_intel.sh
	tests/tool/selftest_doubts.sh
	tests/tool/serve_dashboard.sh tests/tool/table_size.sh
	tests/tool/top_screen.sh
	$(ls tests/peers/*.sh | grep -v /lib.sh)
	$([ "${NEXT_DEBIAN:-yes}" = no ] || ls tests/deep/*.sh)"
scripts=$(ls tests/lint/*.sh tests/papi/*.sh tests/tool/*.sh |
	grep -Ev '/(lib|bench|ranks)\.sh$' |
	grep -vxF "$(printf '%s\n' $scripts_deep)")
# What takes longest begins first.
scripts_long="tests/tool/selftest.sh tests/tool/selftest_intel.sh
	tests/tool/selftest_gpus.sh
	tests/tool/record.sh tests/tool/loads.sh"
fuzzers=$(cd tests && ls fuzz/fuzz_*.c | sed 's/\.c$//')

# without LIST LIST: words of the first that the second does not have
without()
{
	printf '%s\n' $1 | grep -vxF "$(printf '%s\n' $2)"
}

other_suites()
{
	without "$suites" "$broad $real_time $suites_deep"
}

# say_left_out: count suites whose library is not built here as skipped
say_left_out()
{
	local left
	left=$(without "$all_suites" "$suites")
	[ -z "$left" ] || {
		queue "left out" build bash -c \
			'for suite; do echo "skip $suite: its library is not built here, see make left-out"; done' \
			- $left
		run_queue "left out"
	}
}

# queue_papi: queue the build of PAPI and of what is tested with it, or leave its
# scripts out where its source cannot be had
queue_papi()
{
	make/papi.sh --source build > "$out/papi-source.log" 2>&1
	if [ $? = 3 ]; then
		echo "    skip PAPI: there is no source package of it here;" \
			"PAPI_SRC=/path names a source tree"
		echo "0 0 1 PAPI" >> "$out/results"
		scripts=$(echo "$scripts" | grep -v ^tests/papi/)
		scripts_deep=$(without "$scripts_deep" \
			"tests/papi/foreign.sh tests/papi/tree.sh")
	else
		queue_build papi papi examples papi-tests
	fi
}

# queue_suite SUITE KIND: libcheck's tests run in one process, since a process
# for each takes half of a suite's time, and LeakSanitizer as much at its end
queue_suite()
{
	case $2 in
	plain) queue "$1" build env CK_FORK=no "build/tests/$1" ;;
	asan) queue "$1 asan" build/asan env CK_FORK=no "build/asan/tests/$1" ;;
	tsan) queue "$1 tsan" build/tsan "build/tsan/tests/$1" ;;
	valgrind) # shellcheck disable=SC2086
		queue "$1 valgrind" build env CK_FORK=no VALGRIND=1 \
			$valgrind "build/tests/$1" ;;
	esac
}

# queue_each SUITES KIND
queue_each()
{
	local suite
	for suite in $1; do
		[[ " "$suites" " != *[[:space:]]$suite[[:space:]]* ]] ||
			queue_suite "$suite" "$2"
	done
}

queue_scripts()
{
	local script
	for script in $1; do
		queue "$script" build bash "$script"
	done
}

# queue_mixed SUITES SCRIPTS: queue suites in valgrind, which compute, and
# scripts, which wait, in turn
queue_mixed()
{
	local suite next=0 waiting
	read -ra waiting <<< "$(echo $2)"
	for suite in $1; do
		queue_each "$suite" valgrind
		queue_scripts "${waiting[next++]:-}"
	done
	queue_scripts "${waiting[*]:next}"
}

# Run what the fuzzers begin with, without a fuzzer.
queue_replays()
{
	local fuzzer
	for fuzzer in $fuzzers; do
		queue "$fuzzer seeds" build/asan env FUZZ_SECONDS=60 \
			"build/asan/replay/${fuzzer#fuzz/}" \
			"tests/data/$fuzzer"
	done
}

queue_fuzzers()
{
	local fuzzer
	for fuzzer in $1; do
		mkdir -p "$out/corpus/$fuzzer"
		queue "$fuzzer" build env FUZZ_SECONDS=60 \
			bash -c '"$@" && echo "ok no crash"' - "build/$fuzzer" \
			-max_total_time="${FUZZ_TIME:-10}" \
			-seed="${FUZZ_SEED:-1}" \
			-artifact_prefix="$out/" -verbosity=0 \
			"$out/corpus/$fuzzer" "tests/data/$fuzzer"
	done
}

# check_named SUITE...
check_named()
{
	local name
	build plain all tests
	build sanitizers tests SANITIZE=1
	for name; do
		case $name in
		fuzz/*) build "$name" "build/$name" ;;
		tests/peers/*) build peers peers ;;
		tests/papi/* | tests/lint/*) build papi papi examples papi-tests ;;
		test_races) build "thread sanitizer" SANITIZE=thread \
			build/tsan/tests/test_races ;;
		esac
	done
	for name; do
		case $name in
		*.sh) queue "$name" build env CHECK_DEEP=1 bash "$name" ;;
		fuzz/*) queue_fuzzers "$name" ;;
		test_races) queue_suite test_races tsan ;&
		*)
			queue "$name" build "build/tests/$name"
			queue_suite "$name" asan
			queue_suite "$name" valgrind ;;
		esac
	done
	run_queue "what was named"
}

# run_on_busy_machine: the plain suites and most scripts over the tool and PAPI
# again, with a loop on each processor, as a user who may do nothing in
# particular where this one is root. That user may not search all folders of
# root's PATH, nor write to the build folder as the demonstration does. The tool
# has no sanitizers there.
run_on_busy_machine()
{
	local loops=() script i
	RUN_AS=
	if [ "$(id -u)" = 0 ]; then
		RUN_AS="env PATH=/usr/local/bin:/usr/bin:/bin setpriv
			--reuid=65534 --regid=65534 --clear-groups"
		chmod 777 "$out/home"
		if ! $RUN_AS test -x build/bin/drmsim; then
			echo "skip busy machine: another user may not read $top"
			echo "0 0 1 busy machine" >> "$out/results"
			return
		fi
	fi
	export RUN_AS
	for ((i = 0; i < jobs; i++)); do
		while :; do :; done &
		loops+=($!)
	done
	for script in $(echo "$scripts" | grep -Ev \
		'^tests/(lint/|papi/examples.sh|tool/(selftest|record|loads))'); do
		queue "$script" build env -u CHECK_DEEP bash "$script"
	done
	queue_each "$(other_suites)" plain
	run_queue "suites of an ordinary user on a busy machine" $((2 * jobs))
	kill "${loops[@]}"
	RUN_AS=
}
