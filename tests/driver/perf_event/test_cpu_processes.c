/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CPUs, on the kernel that this machine has: whose work is counted,
 * of threads and processes that are there and of those to come. Where the
 * kernel lets none count, tests are skipped and say so.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/perf_event/run.h"
#include "tests/support/check.h"
#include "tests/driver/perf_event/host.h"
#include "tests/support/suite.h"

static struct drmperf_session *
session_of(const char *const *names, int pid)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .pid = pid
	};

	return counting_session_with(names, &options);
}

static void *
touch_in_thread(void *pages)
{
	host_touch_pages(*(const size_t *)pages);
	return NULL;
}

struct held_thread {
	pthread_t thread;
	pthread_barrier_t start;
};

static void *
wait_and_touch(void *data)
{
	struct held_thread *held = data;

	pthread_barrier_wait(&held->start);
	host_touch_pages(PAGES);
	return NULL;
}

TEST_CASE(processes, counting_begin, counting_end, "cpu_processes");

/* Threads that are there already, those to come, and processes to come. */
TEST(processes, threads_and_children_are_counted)
{
	struct drmperf_session *session = counting_session(NAMES(FAULTS));
	struct held_thread held;
	union drmperf_value value;
	size_t pages = PAGES;
	pthread_t later;
	pid_t child;
	bool started;

	pthread_barrier_init(&held.start, NULL, 2);
	ck_assert(!pthread_create(&held.thread, NULL, wait_and_touch, &held));
	started = host_run(session, "whole_process");
	pthread_barrier_wait(&held.start);
	pthread_join(held.thread, NULL);
	if (!started)
		return;
	counting_read(session, &value);
	host_check_faults(value.u64, PAGES);
	ck_assert(!pthread_create(&later, NULL, touch_in_thread, &pages));
	pthread_join(later, NULL);
	counting_read(session, &value);
	host_check_faults(value.u64, 2 * PAGES);
	child = fork();
	if (!child) {
		host_touch_pages(PAGES);
		drmperf_session_destroy(session);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	counting_read(session, &value);
	ck_assert_uint_ge(value.u64, 3 * PAGES);
	ck_assert_uint_le(value.u64, 3 * PAGES + 2 * BESIDE);
	drmperf_session_destroy(session);
}

#define IDLE_THREADS 100
#define NEW_THREADS 200
#define THREAD_PAGES 400
#define FEW_PAGES 50
/* The one being created while the group of its creator is opened. */
#define UNSEEN_THREADS 1

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
	host_touch_pages(crowd->pages);
	pthread_mutex_unlock(&crowd->go);
	return NULL;
}

/* Begin threads that are stopped from going on until the mutex is given up. */
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
 * counters: all are counted, and once, but for one that had no counters to get
 * and could not be seen yet.
 */
TEST_LOOP(processes, threads_being_begun, 4)
{
	static struct crowd idle, new;
	struct drmperf_session *session = counting_session(NAMES(FAULTS));
	union drmperf_value value;
	pthread_t beginner;
	bool started;

	init_crowd(&idle, IDLE_THREADS, 1);
	init_crowd(&new, NEW_THREADS, THREAD_PAGES);
	begin_crowd(&idle, IDLE_THREADS);
	ck_assert(!pthread_create(&beginner, NULL, begin_new_threads, &new));
	while (new.count < NEW_THREADS / 10)
		sched_yield();
	started = host_run(session, "threads_being_begun");
	pthread_join(beginner, NULL);
	if (started)
		ck_assert(!drmperf_session_reset(session, NULL));
	end_crowd(&new, NEW_THREADS);
	if (started)
		counting_read(session, &value);
	end_crowd(&idle, IDLE_THREADS);
	if (!started)
		return;
	ck_assert_uint_ge(value.u64,
			  (NEW_THREADS - UNSEEN_THREADS) * THREAD_PAGES);
	/* each has some of its own, most with a sanitizer's: it is no second */
	ck_assert_uint_le(value.u64, NEW_THREADS * (THREAD_PAGES + 100));
	drmperf_session_destroy(session);
}

struct gated_crowd {
	struct crowd crowd;
	pthread_barrier_t open;
};

static void *
begin_behind_gate(void *data)
{
	struct gated_crowd *gated = data;

	pthread_barrier_wait(&gated->open);
	begin_crowd(&gated->crowd, NEW_THREADS);
	return NULL;
}

static uint64_t
sample_run(void *run)
{
	uint64_t raw, time_ns;

	ck_assert_int_eq(
		perf_run_sample(run, DRMPERF_READ_FENCED, &raw, &time_ns, NULL),
		0);
	return raw;
}

/*
 * A run that is open counts threads that begin while it is started, all of
 * them: what began them had its counters before.
 */
TEST_LOOP(processes, threads_begun_while_starting, getenv("VALGRIND") ? 2 : 30)
{
	static const struct perf_counter faults = {
		.name = "faults",
		.pmu = "software",
		.type = PERF_TYPE_SOFTWARE,
		.config = { PERF_COUNT_SW_PAGE_FAULTS },
	};
	const struct perf_counter *const counters[] = { &faults };
	static struct gated_crowd gated;
	struct drmperf_error error;
	uint64_t base = 0, value = 0;
	pthread_t beginner;
	void *run;
	int ret;

	pthread_barrier_init(&gated.open, NULL, 2);
	init_crowd(&gated.crowd, NEW_THREADS, FEW_PAGES);
	ck_assert(!pthread_create(&beginner, NULL, begin_behind_gate, &gated));
	ret = perf_run_open(counters, 1, 0, false, &run, &error);
	pthread_barrier_wait(&gated.open);
	while (gated.crowd.count < NEW_THREADS / 10 + 4 * (unsigned)_i)
		sched_yield();
	if (!ret)
		ck_assert_int_eq(perf_run_start(run, NULL), 0);
	pthread_join(beginner, NULL);
	base = ret ? 0 : sample_run(run);
	end_crowd(&gated.crowd, NEW_THREADS);
	if (host_is_refused(ret)) {
		printf("skip threads_begun_while_starting: %s\n", error.cause);
		return;
	}
	ck_assert_msg(!ret, "%s", error.cause);
	value = sample_run(run);
	ck_assert_uint_ge(value - base, NEW_THREADS * FEW_PAGES);
	perf_run_close(run);
}

TEST(processes, another_process_is_counted_by_its_pid)
{
	struct drmperf_session *session;
	union drmperf_value values[2];
	struct child child;
	siginfo_t info;
	bool started;

	host_start_child(&child);
	session = session_of(NAMES(FAULTS, TASK_CLOCK), child.pid);
	started = host_run(session, "other_process");
	host_touch_pages(PAGES); /* ours are not counted */
	child_tell(&child);
	close(child.line);
	ck_assert(!waitid(P_PID, (id_t)child.pid, &info, WEXITED | WNOWAIT));
	if (!started)
		return;
	counting_read(session, values);
	host_check_faults(values[0].u64, PAGES);
	ck_assert_uint_gt(values[1].u64, 0);
	drmperf_session_destroy(session);
	/* it has ended, and then there is no such process */
	for (unsigned i = 0; i < 2; i++) {
		session = session_of(NAMES(FAULTS), child.pid);
		counting_failed(drmperf_session_start(session, &counting.error),
				-ESRCH, "no process", "");
		drmperf_session_destroy(session);
		waitpid(child.pid, NULL, 0);
	}
}

TEST(processes, all_processes_are_counted_together)
{
	struct drmperf_session *session;
	union drmperf_value value;
	struct child child;
	bool started;

	host_start_child(&child);
	session = session_of(NAMES(FAULTS), -1);
	started = host_run(session, "everything");
	host_touch_pages(PAGES);
	child_tell(&child);
	child_finish(&child);
	if (!started)
		return;
	counting_read(session, &value);
	ck_assert_uint_ge(value.u64, 2 * PAGES);
	drmperf_session_destroy(session);
}

/* The child cannot disturb its parent's count. */
TEST(processes, a_child_leaves_its_parents_count_alone)
{
	struct drmperf_session *session = counting_session(NAMES(FAULTS));
	union drmperf_value value;
	pid_t child;

	if (!host_run(session, "forked_child"))
		return;
	child = fork();
	if (!child) {
		if (drmperf_session_read(session, &value, NULL, NULL, NULL) !=
		    -ECHILD)
			_exit(1);
		drmperf_session_destroy(session);
		drmperf_destroy(counting.drmperf);
		_exit(0);
	}
	child_join(child);
	host_touch_pages(PAGES);
	counting_read(session, &value);
	ck_assert_uint_ge(value.u64, PAGES);
	drmperf_session_destroy(session);
}
