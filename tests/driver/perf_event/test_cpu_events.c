/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CPUs, on the kernel that this machine has: their names, and what
 * they count, which is compared with work whose amount is known and with what
 * the kernel says elsewhere. No GPU is needed; where the kernel lets none
 * count, tests are skipped and say so. Whose work is counted is the matter of
 * test_cpu_processes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/device.h"
#include "device/state.h"
#include "driver/driver.h"
#include "driver/perf_event/run.h"
#include "tests/support/check.h"
#include "tests/driver/perf_event/host.h"
#include "tests/driver/perf_event/sysfs.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Work                                                                 */

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
compute_a_while(void)
{
	/* how long it takes is for the caller to look at */
	for (volatile unsigned i = 0; i < 100000; i++)
		;
}

static uint64_t
count_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* Sleep until this thread was switched that often: some sleeps end at once. */
static void
be_switched(uint64_t times)
{
	const struct timespec moment = { 0, 1000 };
	const uint64_t before = count_switches();

	while (count_switches() - before < times)
		nanosleep(&moment, NULL); /* until it has been */
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

TEST_CASE(names, counting_begin, counting_end, "cpu_events");

TEST(names, cpu_events_need_no_gpu)
{
	struct drmperf_selection selection, again;
	struct drmperf_device *device;
	char name[64];
	unsigned gpus = drmperf_device_count(counting.drmperf);

	selection = counting_find(TASK_CLOCK);
	again = counting_find(TASK_CLOCK);
	ck_assert_ptr_eq(selection.event, again.event);
	ck_assert_int_eq(selection.instance, DRMPERF_ALL_INSTANCES);
	ck_assert_int_eq(drmperf_selection_name(&selection, name, sizeof(name)),
			 (int)strlen(TASK_CLOCK));
	ck_assert_str_eq(name, TASK_CLOCK);
	ck_assert_str_eq(drmperf_event_name(selection.event), TASK_CLOCK);
	ck_assert_int_eq(drmperf_event_unit(selection.event),
			 DRMPERF_UNIT_NANOSECONDS);
	ck_assert_int_eq(drmperf_event_type(selection.event),
			 DRMPERF_TYPE_UINT64);
	ck_assert_int_eq(drmperf_event_scope(selection.event),
			 DRMPERF_SCOPE_PROCESS);
	ck_assert_uint_eq(drmperf_event_instances(selection.event), 0);
	ck_assert_uint_gt(strlen(drmperf_event_description(selection.event)),
			  0);
	ck_assert_str_eq(
		drmperf_group_name(drmperf_event_group(selection.event)),
		"cpu");
	/* no GPU has moved, and nothing is listed */
	device = drmperf_event_device(selection.event);
	ck_assert_uint_eq(drmperf_device_count(counting.drmperf), gpus);
	ck_assert_uint_eq(drmperf_device_index(device), UINT_MAX);
	ck_assert_str_eq(drmperf_device_driver(device), "cpu");
	ck_assert_str_eq(drmperf_device_address(device), "");
	ck_assert_uint_eq(drmperf_event_count(device), 0);
	for (unsigned i = 0; i < gpus; i++)
		ck_assert_ptr_ne(drmperf_device_at(counting.drmperf, i),
				 device);
}

static const struct {
	const char *name;
	int result;
	const char *cause, *remedy;
} names[] = {
	{ "perf::task-clock", 0, "", "" },
	{ "perf::PERF_COUNT_SW_PAGE_FAULTS:u", 0, "", "" },
	{ "perf::CYCLES:u:k", 0, "", "" },
	{ "perf::TASK-CLOK", -ENOENT, "no event \"TASK-CLOK\"", "TASK-CLOCK" },
	{ "perf::", -ENOENT, "no event", "" },
	{ "perf::TASK-CLOCK:purple", -EINVAL, "attribute", "modifiers" },
	{ "perf::TASK-CLOCK:device=0", -EINVAL, "attribute", "" },
#if defined(__x86_64__)
	{ "netburst::X", -ENODEV, "does not have", "" },
#endif
	{ "nosuchthing::X", -ENODEV, "no device is driven by nosuchthing", "" },
	{ "../software::X", -EINVAL, "not an event name", "" },
	{ "perf:TASK-CLOCK", -EINVAL, "not an event name", "" },
	{ "amdgpu::TASK-CLOCK:u", -EINVAL, "only :device=", "" },
};

TEST_LOOP(names, a_wrong_name_is_explained, ARRAY_SIZE(names))
{
	struct drmperf_selection selection;

	counting_failed(drmperf_event_find(counting.drmperf, names[_i].name,
					   &selection, &counting.error),
			names[_i].result, names[_i].cause, names[_i].remedy);
}

static void *
find_many(void *data)
{
	struct drmperf *of = data;
	struct drmperf_selection selection;
	char modified[64];

	for (int i = 0; i < 50; i++) {
		snprintf(modified, sizeof(modified), "%s%s",
			 i % 2 ? FAULTS : TASK_CLOCK, i % 3 ? ":u" : "");
		if (drmperf_event_find(of, modified, &selection, NULL) ||
		    strcmp(drmperf_event_name(selection.event), modified))
			return of;
	}
	return NULL;
}

/* Two states of the library share libpfm4, and others may end it. */
/* Shut it down as PAPI does at its end, which has the same library. */
static void
end_libpfm(void)
{
	void *library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_NOLOAD);
	void (*terminate)(void);

	ck_assert_ptr_nonnull(library);
	*(void **)&terminate = dlsym(library, "pfm_terminate");
	terminate();
	dlclose(library);
}

TEST(names, many_threads_find_the_same_events)
{
	struct drmperf *other;
	pthread_t threads[8];
	void *failed;

	other = counting_create();
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert(!pthread_create(&threads[i], NULL, find_many,
					  i % 2 ? other : counting.drmperf));
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
	end_libpfm();
	ck_assert_ptr_null(find_many(other));
	drmperf_destroy(other);
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

TEST_CASE(own_process, counting_begin, counting_end, "cpu_events");

TEST(own_process, page_faults_are_counted)
{
	struct drmperf_session *session = counting_session(NAMES(FAULTS));
	union drmperf_value value;

	host_touch_pages(PAGES); /* not counted */
	if (!host_run(session, "page_faults"))
		return;
	counting_read(session, &value);
	ck_assert_uint_le(value.u64, BESIDE);
	counting_succeeded(drmperf_session_reset(session, &counting.error));
	host_touch_pages(PAGES);
	counting_read(session, &value);
	host_check_faults(value.u64, PAGES);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	host_touch_pages(PAGES);
	counting_read(session, &value);
	host_check_faults(value.u64, PAGES);
	drmperf_session_destroy(session);
}

/*
 * Compute for 5 ms of the process's own time, and return whether the event
 * counted that, to one part in a hundred. A hypervisor that takes the processor
 * away in a switch is seen by one of the kernel's two clocks only.
 */
static bool
task_clock_agrees(struct drmperf_session *session)
{
	union drmperf_value before, after;
	uint64_t begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID), used;

	counting_read(session, &before);
	do {
		compute_a_while();
		used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	} while (used < 5000000);
	counting_read(session, &after);
	return after.u64 - before.u64 >= used - used / 100;
}

TEST(own_process, the_task_clock_agrees_with_the_clock)
{
	struct drmperf_session *session = counting_session(NAMES(TASK_CLOCK));
	union drmperf_value value;
	unsigned tries = 0;
	uint64_t outer;

	outer = clock_ns(CLOCK_MONOTONIC);
	if (!host_run(session, "task_clock"))
		return;
	while (!task_clock_agrees(session))
		ck_assert_uint_lt(++tries, 100);
	counting_read(session, &value);
	outer = clock_ns(CLOCK_MONOTONIC) - outer;
	ck_assert_uint_le(value.u64, outer + outer / 100);
	drmperf_session_destroy(session);
}

TEST(own_process, context_switches_are_counted)
{
	struct drmperf_session *session =
		counting_session(NAMES(SWITCHES, FAULTS));
	union drmperf_value values[2];
	uint64_t outer, inner;

	outer = count_switches();
	if (!host_run(session, "context_switches"))
		return;
	inner = count_switches();
	be_switched(100);
	inner = count_switches() - inner;
	counting_read(session, values);
	outer = count_switches() - outer;
	ck_assert_uint_ge(values[0].u64, inner);
	ck_assert_uint_le(values[0].u64, outer);
	drmperf_session_destroy(session);
}

/* User mode only, kernel mode only: pages are touched in one of them. */
TEST(own_process, user_and_kernel_mode_are_counted_apart)
{
	struct drmperf_session *session = counting_session(
		NAMES(FAULTS ":u", FAULTS ":k", SWITCHES ":u", SWITCHES ":k"));
	union drmperf_value values[4];

	if (!host_run(session, "modes"))
		return;
	host_touch_pages(PAGES);
	be_switched(20);
	counting_read(session, values);
	host_check_faults(values[0].u64, PAGES);
	ck_assert_uint_lt(values[1].u64, PAGES);
	ck_assert_uint_eq(values[2].u64, 0);
	ck_assert_uint_ge(values[3].u64, 20);
	drmperf_session_destroy(session);
}

/* What the kernel's files deny is refused; security modules may refuse more. */
TEST_LOOP(own_process, a_denied_mode_is_refused, 3)
{
	static const char *const names[] = { FAULTS, FAULTS ":u", FAULTS ":k" };
	struct drmperf_selection selection;
	struct drmperf_session *session;
	int ret;

	selection = counting_find(names[_i]);
	session = counting_session(NAMES(names[_i]));
	ret = drmperf_session_start(session, &counting.error);
	ck_assert(host_is_refused(ret) || !ret);
	if (drmperf_event_may_count(selection.event))
		ck_assert_msg(!ret || !strstr(counting.error.cause, "finds no"),
			      "%s", counting.error.cause);
	else
		ck_assert_msg(host_is_refused(ret), "%s", names[_i]);
	drmperf_session_destroy(session);
}

/* Each value of a counter that reading adds to is what came on top. */
TEST(own_process, a_level_is_what_came_on_top)
{
	const struct perf_counter faults = { .name = "faults",
					     .pmu = "software",
					     .type = 1,
					     .config = { 2 } },
				  added = { .name = "added",
					    .pmu = "software",
					    .type = 1,
					    .config = { 2 },
					    .is_level = true };
	const struct perf_counter *const both[] = { &faults, &added };
	uint64_t first[2], second[2], time_ns;
	void *run;
	int ret = perf_run_open(both, 2, 0, false, &run, &counting.error);

	if (host_is_refused(ret)) {
		printf("skip level: %s\n", counting.error.cause);
		return;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_eq(perf_run_start(run, &counting.error), 0);
	host_touch_pages(PAGES);
	ck_assert_int_eq(perf_run_sample(run, DRMPERF_READ_FENCED, first,
					 &time_ns, &counting.error),
			 0);
	host_touch_pages(PAGES / 2);
	ck_assert_int_eq(perf_run_sample(run, DRMPERF_READ_FENCED, second,
					 &time_ns, &counting.error),
			 0);
	ck_assert_uint_eq(first[1], first[0]);
	ck_assert_uint_eq(second[1], second[0] - first[0]);
	ck_assert_uint_ge(second[1], PAGES / 2);
	ck_assert_int_eq(perf_run_stop(run, &counting.error), 0);
	perf_run_close(run);
}

#if defined(__x86_64__)
/* A PMU that libpfm4 does not know, by its files: clock ticks as rdtsc has. */
TEST(own_process, time_stamp_counter)
{
	struct drmperf_session *session;
	struct drmperf_selection selection;
	union drmperf_value value;
	uint64_t outer;

	if (drmperf_event_find(counting.drmperf, "msr::tsc", &selection,
			       &counting.error)) {
		printf("skip time_stamp_counter: %s\n", counting.error.cause);
		return;
	}
	session = counting_session(NAMES("msr::tsc"));
	outer = __builtin_ia32_rdtsc();
	if (!host_run(session, "time_stamp_counter"))
		return;
	/* it goes on as long as this process runs, and no faster than time */
	do {
		compute_a_while();
		counting_read(session, &value);
		ck_assert_uint_le(value.u64, __builtin_ia32_rdtsc() - outer);
	} while (value.u64 < 1000000);
	drmperf_session_destroy(session);
}
#endif

/* ------------------------------------------------------------------ */
/* System calls of a read                                               */

/* Read once: between two calls of getppid() the child reads its session. */
static _Noreturn void
read_once(void)
{
	union drmperf_value values[4];
	struct drmperf_session *session;

	counting_begin();
	session = counting_session(
		NAMES(TASK_CLOCK, FAULTS, SWITCHES, "perf::CPU-MIGRATIONS"));
	if (drmperf_session_start(session, &counting.error))
		_exit(host_is_refused(counting.error.code) ? 77 : 3);
	drmperf_session_read(session, values, NULL, NULL, NULL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(78);
	raise(SIGSTOP);
	syscall(SYS_getppid);
	if (drmperf_session_read(session, values, NULL, NULL, NULL))
		_exit(4);
	syscall(SYS_getppid);
	_exit(0);
}

/* Run the child to its next system call; false when it has ended. */
static bool
next_call(pid_t child, int *status, uint64_t *number)
{
	struct __ptrace_syscall_info info;

	do {
		if (ptrace(PTRACE_SYSCALL, child, NULL, NULL))
			return false;
		if (waitpid(child, status, 0) != child || WIFEXITED(*status))
			return false;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(info),
			   &info) < 0)
			return false;
	} while (info.op != PTRACE_SYSCALL_INFO_ENTRY);
	*number = info.entry.nr;
	return true;
}

TEST(own_process, one_system_call)
{
	unsigned markers = 0, reads = 0, others = 0;
	uint64_t number;
	int status;
	pid_t child;

	if (getenv("VALGRIND")) {
		printf("skip one_system_call: valgrind makes calls, too\n");
		return;
	}
	child = fork();
	if (!child)
		read_once();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) &&
	    (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 78)) {
		printf("skip one_system_call: no permission to %s\n",
		       WEXITSTATUS(status) == 77 ? "count" : "trace");
		return;
	}
	ck_assert(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD);
	while (next_call(child, &status, &number)) {
		if (number == SYS_getppid)
			markers++;
		else if (markers == 1 && number == SYS_read)
			reads++;
		else if (markers == 1)
			others++;
	}
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_uint_eq(markers, 2);
	ck_assert_uint_eq(reads, 1);
	ck_assert_uint_eq(others, 0);
}

/* ------------------------------------------------------------------ */
/* A made-up sysfs over the real kernel                                 */

/* Set up page faults under other names: PERF_TYPE_SOFTWARE is 1, they are 2. */
static void
set_up_files(void)
{
	static const struct driver *const drivers[] = { &cpu_driver, NULL };

	test_folder_make();
	sysfs_put("faults/type", "1\n");
	sysfs_put("faults/events/plain", "config=2\n");
	sysfs_put("faults/events/half", "config=2\n");
	sysfs_put("faults/events/half.scale", "0.5\n");
	sysfs_put("faults/events/half.unit", "Joules\n");
	sysfs_put("faults/events/thousand", "config=2\n");
	sysfs_put("faults/events/thousand.unit", "ms\n");
	sysfs_put("xe_0000_03_00.0/type", "1\n");
	sysfs_put("xe_0000_03_00.0/events/gt-actual-frequency-gt0",
		  "config=2\n");
	sysfs_put("everywhere/type", "1\n");
	sysfs_put("everywhere/cpumask", "0\n");
	sysfs_put("everywhere/events/plain", "config=2\n");
	sysfs_put("gone/type", "54321\n");
	sysfs_put("gone/events/plain", "config=2\n");
	sysfs_put("broken/type", "one\n");
	ck_assert_msg(!state_create(NULL, drivers, test_folder,
				    &counting.drmperf, &counting.error),
		      "%s", counting.error.cause);
}

static void
tear_down_files(void)
{
	counting_end();
	test_folder_remove();
}

TEST_CASE(files, set_up_files, tear_down_files, "cpu_events");

TEST(files, values_are_scaled_by_the_pmus_factor)
{
	struct drmperf_session *session = counting_session(
		NAMES("faults::plain", "faults::half", "faults::thousand"));
	struct drmperf_selection half, thousand;
	union drmperf_value values[3];

	half = counting_find("faults::half");
	ck_assert_int_eq(drmperf_event_unit(half.event), DRMPERF_UNIT_JOULES);
	ck_assert_int_eq(drmperf_event_type(half.event), DRMPERF_TYPE_DOUBLE);
	thousand = counting_find("faults::thousand");
	ck_assert_int_eq(drmperf_event_unit(thousand.event),
			 DRMPERF_UNIT_MICROSECONDS);
	if (!host_run(session, "scaled"))
		return;
	host_touch_pages(PAGES);
	counting_read(session, values);
	host_check_faults(values[0].u64, PAGES);
	/* each has a counter of its own, read at the same time */
	ck_assert_double_eq(2 * values[1].f64, (double)values[0].u64);
	ck_assert_uint_eq(values[2].u64, 1000 * values[0].u64);
	drmperf_session_destroy(session);
}

/* A level is one under the PMU's own name, too. */
TEST(files, a_level_is_one_under_its_pmus_name)
{
	static const char name[] = "xe_0000_03_00.0::gt-actual-frequency-gt0";
	struct drmperf_session *session = counting_session(NAMES(name));
	struct drmperf_selection selection;
	union drmperf_value value;

	selection = counting_find(name);
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_MOMENTARY);
	if (!host_run(session, "named_level"))
		return;
	host_touch_pages(PAGES);
	counting_read(session, &value);
	host_check_faults(value.u64, PAGES);
	counting_read(session, &value);
	ck_assert_uint_lt(value.u64, BESIDE);
	drmperf_session_destroy(session);
}

/* A PMU with a cpumask counts all that runs there, whichever process asks. */
TEST(files, a_pmu_with_a_cpumask_counts_all_processes)
{
	struct drmperf_session *session;
	union drmperf_value value;
	cpu_set_t before, first;
	bool started;
	struct child child;

	CPU_ZERO(&first);
	/* skipped if it is not there, or not ours */
	CPU_SET(0, &first);
	sched_getaffinity(0, sizeof(before), &before);
	if (sched_setaffinity(0, sizeof(first), &first)) {
		printf("skip uncore: CPU 0 is not ours\n");
		return;
	}
	host_start_child(&child);
	sched_setaffinity(0, sizeof(before), &before);
	session = counting_session(NAMES("everywhere::plain"));
	started = host_run(session, "uncore");
	child_tell(&child);
	child_finish(&child);
	if (!started)
		return;
	counting_read(session, &value);
	ck_assert_uint_ge(value.u64, PAGES);
	drmperf_session_destroy(session);
}

TEST(files, an_event_of_a_missing_pmu_is_refused)
{
	struct drmperf_session *session =
		counting_session(NAMES("gone::plain"));
	struct drmperf_selection selection;
	int ret = drmperf_session_start(session, &counting.error);

	/* who may not count at all is not told what there is */
	if (host_is_refused(ret))
		printf("skip gone: %s\n", counting.error.cause);
	else
		counting_failed(ret, -ENODEV, "does not count gone::plain",
				"may have gone");
	drmperf_session_destroy(session);
	counting_failed(drmperf_event_find(counting.drmperf, "broken::plain",
					   &selection, &counting.error),
			-EBADMSG, "type is no number", "");
	counting_failed(drmperf_event_find(counting.drmperf, "faults::plane",
					   &selection, &counting.error),
			-ENOENT, "no event \"plane\"", "plain");
}
