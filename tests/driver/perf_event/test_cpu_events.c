/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CPUs, on the kernel that this machine has: what they count is
 * compared with work whose amount is known, and with what the kernel says
 * elsewhere. No GPU is needed; where the kernel lets nobody count, tests are
 * skipped and say so.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <perfmon/pfmlib.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/device.h"
#include "device/state.h"
#include "driver/driver.h"
#include "driver/perf_event/run.h"
#include "drmperf.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define TASK_CLOCK "perf::TASK-CLOCK"
#define FAULTS "perf::PAGE-FAULTS"
#define SWITCHES "perf::CONTEXT-SWITCHES"

/* Pages touched where a number is compared, and what may come on top of it. */
#define PAGES 3000
#define BESIDE 1500 /* sanitizers and valgrind touch pages of their own */

static struct drmperf *drmperf;
static struct drmperf_error error;

static void
set_up(void)
{
	memset(&error, 0, sizeof(error));
	ck_assert_msg(!drmperf_create(NULL, &drmperf, &error), "%s",
		      error.cause);
}

static void
tear_down(void)
{
	drmperf_destroy(drmperf);
}

static struct drmperf_session *
open_session(struct drmperf *of, const char *const *names, int pid)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .pid = pid
	};
	struct drmperf_selection selections[8];
	struct drmperf_session *session = NULL;
	size_t count = 0;

	for (; names[count]; count++)
		ck_assert_msg(!drmperf_event_find(of, names[count],
						  &selections[count], &error),
			      "%s: %s", names[count], error.cause);
	ck_assert_msg(!drmperf_session_create(of, selections, count, &options,
					      &session, &error),
		      "%s", error.cause);
	return session;
}

/* Whether nobody may count, or the kernel has no perf events at all. */
static bool
is_refused(int ret)
{
	return ret == -EACCES || ret == -ENOSYS;
}

/* False, with a line that says so, if the kernel lets nobody count. */
static bool
start(struct drmperf_session *session, const char *test)
{
	int ret = drmperf_session_start(session, &error);

	if (is_refused(ret)) {
		printf("skip %s: %s\n", test, error.cause);
		drmperf_session_destroy(session);
		return false;
	}
	ck_assert_msg(!ret, "%s: %s", error.cause, error.remedy);
	return true;
}

static void
read_values(struct drmperf_session *session, union drmperf_value *values)
{
	ck_assert_msg(!drmperf_session_read(session, values, NULL, &error),
		      "%s: %s", error.cause, error.remedy);
}

static void
check_error(int ret, int expected, const char *cause, const char *remedy)
{
	ck_assert_msg(ret == expected, "%d instead of %d: %s", ret, expected,
		      ret ? error.cause : "no error");
	ck_assert_msg(strstr(error.cause, cause), "cause: %s", error.cause);
	ck_assert_msg(strstr(error.remedy, remedy), "remedy: %s", error.remedy);
}

/* ------------------------------------------------------------------ */
/* Work                                                                 */

/* As many page faults as pages. */
static void
touch_pages(size_t pages)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	madvise(memory, pages * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)memory)[i * size] = 1;
	munmap(memory, pages * size);
}

static void *
touch_in_thread(void *pages)
{
	touch_pages(*(const size_t *)pages);
	return NULL;
}

static void
check_faults(uint64_t value, size_t pages)
{
	ck_assert_uint_ge(value, pages);
	ck_assert_uint_le(value, pages + BESIDE);
}

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
compute(void)
{
	/* any machine: how long it takes is for the caller to look at */
	for (volatile unsigned i = 0; i < 100000; i++)
		;
}

static uint64_t
switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* Some sleeps end at once. */
static void
be_switched(uint64_t times)
{
	const struct timespec moment = { 0, 1000 };
	const uint64_t before = switches();

	while (switches() - before < times)
		nanosleep(&moment, NULL); /* any machine: until it has been */
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

START_TEST(no_gpu)
{
	struct drmperf_selection selection, again;
	struct drmperf_device *device;
	char name[64];
	unsigned gpus = drmperf_device_count(drmperf);

	ck_assert(!drmperf_event_find(drmperf, TASK_CLOCK, &selection, &error));
	ck_assert(!drmperf_event_find(drmperf, TASK_CLOCK, &again, &error));
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
	ck_assert_uint_eq(drmperf_device_count(drmperf), gpus);
	ck_assert_uint_eq(drmperf_device_index(device), UINT_MAX);
	ck_assert_str_eq(drmperf_device_driver(device), "cpu");
	ck_assert_str_eq(drmperf_device_address(device), "");
	ck_assert_uint_eq(drmperf_event_count(device), 0);
	for (unsigned i = 0; i < gpus; i++)
		ck_assert_ptr_ne(drmperf_device_at(drmperf, i), device);
}
END_TEST

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

START_TEST(name)
{
	struct drmperf_selection selection;

	check_error(
		drmperf_event_find(drmperf, names[_i].name, &selection, &error),
		names[_i].result, names[_i].cause, names[_i].remedy);
}
END_TEST

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
START_TEST(many_threads)
{
	struct drmperf *other;
	pthread_t threads[8];
	void *failed;

	ck_assert(!drmperf_create(NULL, &other, &error));
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert(!pthread_create(&threads[i], NULL, find_many,
					  i % 2 ? other : drmperf));
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
	pfm_terminate();
	ck_assert_ptr_null(find_many(other));
	drmperf_destroy(other);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Counting                                                             */

START_TEST(page_faults)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS), 0);
	union drmperf_value value;

	touch_pages(PAGES); /* not counted */
	if (!start(session, "page_faults"))
		return;
	read_values(session, &value);
	ck_assert_uint_le(value.u64, BESIDE);
	ck_assert(!drmperf_session_reset(session, &error));
	touch_pages(PAGES);
	read_values(session, &value);
	check_faults(value.u64, PAGES);
	ck_assert(!drmperf_session_stop(session, &error));
	touch_pages(PAGES);
	read_values(session, &value);
	check_faults(value.u64, PAGES);
	drmperf_session_destroy(session);
}
END_TEST

/*
 * At least what the kernel says of the process's own time in between; at most
 * the time that passed around it. What interrupts and hypervisors take of a
 * process is its own to this clock only.
 */
START_TEST(task_clock)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES(TASK_CLOCK), 0);
	union drmperf_value value;
	uint64_t outer, inner;

	outer = clock_ns(CLOCK_MONOTONIC);
	if (!start(session, "task_clock"))
		return;
	inner = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - inner < 20000000)
		compute();
	inner = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - inner;
	read_values(session, &value);
	outer = clock_ns(CLOCK_MONOTONIC) - outer;
	ck_assert_uint_ge(value.u64, inner - inner / 100);
	ck_assert_uint_le(value.u64, outer + outer / 100);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(context_switches)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES(SWITCHES, FAULTS), 0);
	union drmperf_value values[2];
	uint64_t outer, inner;

	outer = switches();
	if (!start(session, "context_switches"))
		return;
	inner = switches();
	be_switched(100);
	inner = switches() - inner;
	read_values(session, values);
	outer = switches() - outer;
	ck_assert_uint_ge(values[0].u64, inner);
	ck_assert_uint_le(values[0].u64, outer);
	drmperf_session_destroy(session);
}
END_TEST

/* User mode only, kernel mode only: pages are touched in one of them. */
START_TEST(modes)
{
	struct drmperf_session *session = open_session(
		drmperf,
		NAMES(FAULTS ":u", FAULTS ":k", SWITCHES ":u", SWITCHES ":k"),
		0);
	union drmperf_value values[4];

	if (!start(session, "modes"))
		return;
	touch_pages(PAGES);
	be_switched(20);
	read_values(session, values);
	check_faults(values[0].u64, PAGES);
	ck_assert_uint_lt(values[1].u64, PAGES);
	ck_assert_uint_eq(values[2].u64, 0);
	ck_assert_uint_ge(values[3].u64, 20);
	drmperf_session_destroy(session);
}
END_TEST

struct held_thread {
	pthread_t thread;
	pthread_barrier_t start;
};

static void *
wait_and_touch(void *data)
{
	struct held_thread *held = data;

	pthread_barrier_wait(&held->start);
	touch_pages(PAGES);
	return NULL;
}

/* Threads that are there already, those to come, and processes to come. */
START_TEST(whole_process)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS), 0);
	struct held_thread held;
	union drmperf_value value;
	size_t pages = PAGES;
	pthread_t later;
	pid_t child;
	bool started;

	pthread_barrier_init(&held.start, NULL, 2);
	ck_assert(!pthread_create(&held.thread, NULL, wait_and_touch, &held));
	started = start(session, "whole_process");
	pthread_barrier_wait(&held.start);
	pthread_join(held.thread, NULL);
	if (!started)
		return;
	read_values(session, &value);
	check_faults(value.u64, PAGES);
	ck_assert(!pthread_create(&later, NULL, touch_in_thread, &pages));
	pthread_join(later, NULL);
	read_values(session, &value);
	check_faults(value.u64, 2 * PAGES);
	child = fork();
	if (!child) {
		touch_pages(PAGES);
		drmperf_session_destroy(session);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	read_values(session, &value);
	ck_assert_uint_ge(value.u64, 3 * PAGES);
	ck_assert_uint_le(value.u64, 3 * PAGES + 2 * BESIDE);
	drmperf_session_destroy(session);
}
END_TEST

#define IDLE_THREADS 100
#define NEW_THREADS 200
#define THREAD_PAGES 400

/* Threads that wait for a go, then touch pages one after the other. */
struct crowd {
	pthread_t threads[NEW_THREADS];
	size_t pages; /* each */
	atomic_uint count; /* begun so far */
	pthread_barrier_t begun; /* by all of them, and who began them */
	pthread_mutex_t go;
};

static void *
wait_for_go(void *data)
{
	struct crowd *crowd = data;

	pthread_barrier_wait(&crowd->begun);
	pthread_mutex_lock(&crowd->go);
	touch_pages(crowd->pages);
	pthread_mutex_unlock(&crowd->go);
	return NULL;
}

/* They are stopped from going on until the mutex is given up. */
static void
begin_crowd(struct crowd *crowd, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (pthread_create(&crowd->threads[i], NULL, wait_for_go,
				   crowd))
			abort();
		crowd->count++;
	}
	pthread_barrier_wait(&crowd->begun);
}

static void *
begin_new_threads(void *crowd)
{
	begin_crowd(crowd, NEW_THREADS);
	return NULL;
}

static void
init_crowd(struct crowd *crowd, unsigned count, size_t pages)
{
	crowd->pages = pages;
	pthread_barrier_init(&crowd->begun, NULL, count + 1);
	pthread_mutex_init(&crowd->go, NULL);
	pthread_mutex_lock(&crowd->go);
}

static void
end_crowd(struct crowd *crowd, unsigned count)
{
	pthread_mutex_unlock(&crowd->go);
	for (unsigned i = 0; i < count; i++)
		pthread_join(crowd->threads[i], NULL);
}

/*
 * The last of many threads begins others while those before it get their
 * counters: all are counted, and once.
 */
START_TEST(threads_being_begun)
{
	static struct crowd idle, new;
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS), 0);
	union drmperf_value value;
	pthread_t beginner;
	bool started;

	init_crowd(&idle, IDLE_THREADS, 1);
	init_crowd(&new, NEW_THREADS, THREAD_PAGES);
	begin_crowd(&idle, IDLE_THREADS);
	ck_assert(!pthread_create(&beginner, NULL, begin_new_threads, &new));
	while (new.count < NEW_THREADS / 10)
		sched_yield();
	started = start(session, "threads_being_begun");
	pthread_join(beginner, NULL);
	if (started)
		ck_assert(!drmperf_session_reset(session, NULL));
	end_crowd(&new, NEW_THREADS);
	if (started)
		read_values(session, &value);
	end_crowd(&idle, IDLE_THREADS);
	if (!started)
		return;
	ck_assert_uint_ge(value.u64, NEW_THREADS * THREAD_PAGES);
	ck_assert_uint_le(value.u64, NEW_THREADS * (THREAD_PAGES + 20));
	drmperf_session_destroy(session);
}
END_TEST

/* A child that waits for a byte, then touches pages and exits. */
static pid_t
hold_child(int *go)
{
	int ends[2];
	char byte;
	pid_t child;

	ck_assert(!pipe(ends));
	child = fork();
	if (!child) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) == 1)
			touch_pages(PAGES);
		_exit(0);
	}
	close(ends[0]);
	*go = ends[1];
	return child;
}

START_TEST(other_process)
{
	int go;
	siginfo_t info;
	pid_t child = hold_child(&go);
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS, TASK_CLOCK), child);
	union drmperf_value values[2];
	bool started = start(session, "other_process");

	touch_pages(PAGES); /* ours are not counted */
	ck_assert_int_eq(write(go, "", 1), 1);
	close(go);
	ck_assert(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	if (!started)
		return;
	read_values(session, values);
	check_faults(values[0].u64, PAGES);
	ck_assert_uint_gt(values[1].u64, 0);
	drmperf_session_destroy(session);
	/* it has ended, and then there is no such process */
	for (unsigned i = 0; i < 2; i++) {
		session = open_session(drmperf, NAMES(FAULTS), child);
		check_error(drmperf_session_start(session, &error), -ESRCH,
			    "no process", "");
		drmperf_session_destroy(session);
		waitpid(child, NULL, 0);
	}
}
END_TEST

START_TEST(everything)
{
	int go;
	pid_t child = hold_child(&go);
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS), -1);
	union drmperf_value value;
	bool started = start(session, "everything");

	touch_pages(PAGES);
	ck_assert_int_eq(write(go, "", 1), 1);
	close(go);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	if (!started)
		return;
	read_values(session, &value);
	ck_assert_uint_ge(value.u64, 2 * PAGES);
	drmperf_session_destroy(session);
}
END_TEST

/* The child cannot disturb its parent's count. */
START_TEST(forked_child)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES(FAULTS), 0);
	union drmperf_value value;
	int status;
	pid_t child;

	if (!start(session, "forked_child"))
		return;
	child = fork();
	if (!child) {
		if (drmperf_session_read(session, &value, NULL, NULL) !=
		    -ECHILD)
			_exit(1);
		drmperf_session_destroy(session);
		drmperf_destroy(drmperf);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	touch_pages(PAGES);
	read_values(session, &value);
	ck_assert_uint_ge(value.u64, PAGES);
	drmperf_session_destroy(session);
}
END_TEST

/* Of a counter that reading adds to, each value is what came on top. */
START_TEST(level)
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
	int ret = perf_run_open(both, 2, 0, &run, &error);

	if (is_refused(ret)) {
		printf("skip level: %s\n", error.cause);
		return;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_eq(perf_run_start(run, &error), 0);
	touch_pages(PAGES);
	ck_assert_int_eq(perf_run_sample(run, DRMPERF_READ_FENCED, first,
					 &time_ns, &error),
			 0);
	touch_pages(PAGES / 2);
	ck_assert_int_eq(perf_run_sample(run, DRMPERF_READ_FENCED, second,
					 &time_ns, &error),
			 0);
	ck_assert_uint_eq(first[1], first[0]);
	ck_assert_uint_eq(second[1], second[0] - first[0]);
	ck_assert_uint_ge(second[1], PAGES / 2);
	ck_assert_int_eq(perf_run_stop(run, &error), 0);
	perf_run_close(run);
}
END_TEST

#if defined(__x86_64__)
/* A PMU that libpfm4 does not know, by its files: clock ticks as rdtsc has. */
START_TEST(time_stamp_counter)
{
	struct drmperf_session *session;
	struct drmperf_selection selection;
	union drmperf_value value;
	uint64_t outer;

	if (drmperf_event_find(drmperf, "msr::tsc", &selection, &error)) {
		printf("skip time_stamp_counter: %s\n", error.cause);
		return;
	}
	session = open_session(drmperf, NAMES("msr::tsc"), 0);
	outer = __builtin_ia32_rdtsc();
	if (!start(session, "time_stamp_counter"))
		return;
	/* it goes on as long as this process runs, and no faster than time */
	do {
		compute();
		read_values(session, &value);
		ck_assert_uint_le(value.u64, __builtin_ia32_rdtsc() - outer);
	} while (value.u64 < 1000000);
	drmperf_session_destroy(session);
}
END_TEST
#endif

/* ------------------------------------------------------------------ */
/* System calls of a read                                               */

/* Between two calls of getppid() the child reads its session once. */
static _Noreturn void
read_once(void)
{
	union drmperf_value values[4];
	struct drmperf_session *session;
	struct drmperf *own;

	if (drmperf_create(NULL, &own, &error))
		_exit(2);
	session = open_session(
		own,
		NAMES(TASK_CLOCK, FAULTS, SWITCHES, "perf::CPU-MIGRATIONS"), 0);
	if (drmperf_session_start(session, &error))
		_exit(is_refused(error.code) ? 77 : 3);
	drmperf_session_read(session, values, NULL, NULL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(78);
	raise(SIGSTOP);
	syscall(SYS_getppid);
	if (drmperf_session_read(session, values, NULL, NULL))
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

START_TEST(one_system_call)
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
END_TEST

/* ------------------------------------------------------------------ */
/* A made-up sysfs over the real kernel                                 */

static char root[] = "/tmp/drmperf-cpu-XXXXXX";

static void
put(const char *file, const char *text)
{
	char path[400];
	FILE *out;

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s", root,
		 file);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	out = fopen(path, "we");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

/* Page faults under other names: PERF_TYPE_SOFTWARE is 1, they are 2. */
static void
make_sysfs(void)
{
	static const struct driver *const drivers[] = { &cpu_driver, NULL };

	strcpy(strrchr(root, '-'), "-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("faults/type", "1\n");
	put("faults/events/plain", "config=2\n");
	put("faults/events/half", "config=2\n");
	put("faults/events/half.scale", "0.5\n");
	put("faults/events/half.unit", "Joules\n");
	put("faults/events/thousand", "config=2\n");
	put("faults/events/thousand.unit", "ms\n");
	put("xe_0000_03_00.0/type", "1\n");
	put("xe_0000_03_00.0/events/gt-actual-frequency-gt0", "config=2\n");
	put("everywhere/type", "1\n");
	put("everywhere/cpumask", "0\n");
	put("everywhere/events/plain", "config=2\n");
	put("gone/type", "54321\n");
	put("gone/events/plain", "config=2\n");
	put("broken/type", "one\n");
	ck_assert_msg(!state_create(NULL, drivers, root, &drmperf, &error),
		      "%s", error.cause);
}

static void
remove_sysfs(void)
{
	char command[64];

	drmperf_destroy(drmperf);
	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(scaled)
{
	struct drmperf_session *session = open_session(
		drmperf,
		NAMES("faults::plain", "faults::half", "faults::thousand"), 0);
	struct drmperf_selection half, thousand;
	union drmperf_value values[3];

	ck_assert(!drmperf_event_find(drmperf, "faults::half", &half, &error));
	ck_assert_int_eq(drmperf_event_unit(half.event), DRMPERF_UNIT_JOULES);
	ck_assert_int_eq(drmperf_event_type(half.event), DRMPERF_TYPE_DOUBLE);
	ck_assert(!drmperf_event_find(drmperf, "faults::thousand", &thousand,
				      &error));
	ck_assert_int_eq(drmperf_event_unit(thousand.event),
			 DRMPERF_UNIT_MICROSECONDS);
	if (!start(session, "scaled"))
		return;
	touch_pages(PAGES);
	read_values(session, values);
	check_faults(values[0].u64, PAGES);
	/* each has a counter of its own, read at the same time */
	ck_assert_double_eq(2 * values[1].f64, (double)values[0].u64);
	ck_assert_uint_eq(values[2].u64, 1000 * values[0].u64);
	drmperf_session_destroy(session);
}
END_TEST

/* A level is one under the PMU's own name, too. */
START_TEST(named_level)
{
	static const char name[] = "xe_0000_03_00.0::gt-actual-frequency-gt0";
	struct drmperf_session *session = open_session(drmperf, NAMES(name), 0);
	struct drmperf_selection selection;
	union drmperf_value value;

	ck_assert(!drmperf_event_find(drmperf, name, &selection, &error));
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_MOMENTARY);
	if (!start(session, "named_level"))
		return;
	touch_pages(PAGES);
	read_values(session, &value);
	check_faults(value.u64, PAGES);
	read_values(session, &value);
	ck_assert_uint_lt(value.u64, BESIDE);
	drmperf_session_destroy(session);
}
END_TEST

/* A PMU with a cpumask counts all that runs there, whoever asks. */
START_TEST(uncore)
{
	struct drmperf_session *session;
	union drmperf_value value;
	cpu_set_t before, first;
	bool started;
	pid_t child;
	int go;

	CPU_ZERO(&first);
	/* any machine: skipped if it is not there, or not ours */
	CPU_SET(0, &first);
	sched_getaffinity(0, sizeof(before), &before);
	if (sched_setaffinity(0, sizeof(first), &first)) {
		printf("skip uncore: CPU 0 is not ours\n");
		return;
	}
	child = hold_child(&go);
	sched_setaffinity(0, sizeof(before), &before);
	session = open_session(drmperf, NAMES("everywhere::plain"), 0);
	started = start(session, "uncore");
	ck_assert_int_eq(write(go, "", 1), 1);
	close(go);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	if (!started)
		return;
	read_values(session, &value);
	ck_assert_uint_ge(value.u64, PAGES);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(gone)
{
	struct drmperf_session *session =
		open_session(drmperf, NAMES("gone::plain"), 0);
	struct drmperf_selection selection;
	int ret = drmperf_session_start(session, &error);

	/* who may not count at all is not told what there is */
	if (is_refused(ret))
		printf("skip gone: %s\n", error.cause);
	else
		check_error(ret, -ENODEV, "does not count gone::plain",
			    "may have gone");
	drmperf_session_destroy(session);
	check_error(drmperf_event_find(drmperf, "broken::plain", &selection,
				       &error),
		    -EBADMSG, "type is no number", "");
	check_error(drmperf_event_find(drmperf, "faults::plane", &selection,
				       &error),
		    -ENOENT, "no event \"plane\"", "plain");
}
END_TEST

/* ------------------------------------------------------------------ */

static Suite *
cpu_suite(void)
{
	Suite *suite = suite_create("cpu_events");
	TCase *naming = tcase_create("names");
	TCase *counting = tcase_create("counting");
	TCase *files = tcase_create("files");

	tcase_add_checked_fixture(naming, set_up, tear_down);
	tcase_add_test(naming, no_gpu);
	tcase_add_loop_test(naming, name, 0, ARRAY_SIZE(names));
	tcase_add_test(naming, many_threads);
	tcase_add_checked_fixture(counting, set_up, tear_down);
	tcase_add_test(counting, page_faults);
	tcase_add_test(counting, task_clock);
	tcase_add_test(counting, context_switches);
	tcase_add_test(counting, modes);
	tcase_add_test(counting, whole_process);
	tcase_add_loop_test(counting, threads_being_begun, 0, 4);
	tcase_add_test(counting, other_process);
	tcase_add_test(counting, everything);
	tcase_add_test(counting, forked_child);
#if defined(__x86_64__)
	tcase_add_test(counting, time_stamp_counter);
#endif
	tcase_add_test(counting, level);
	tcase_add_test(counting, one_system_call);
	tcase_add_checked_fixture(files, make_sysfs, remove_sysfs);
	tcase_add_test(files, scaled);
	tcase_add_test(files, named_level);
	tcase_add_test(files, uncore);
	tcase_add_test(files, gone);
	suite_add_tcase(suite, naming);
	suite_add_tcase(suite, counting);
	suite_add_tcase(suite, files);
	return suite;
}

int
main(void)
{
	return suite_run(cpu_suite());
}
