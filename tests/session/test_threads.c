/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many threads and processes that count on several simulated GPUs at once,
 * while the program forks, gets signals, loads and unloads, and ends its
 * sessions. A thread that is let in counts rightly, one that is not gets an
 * error; that holds in any order, so nothing here waits for a time to pass. It
 * is run with ThreadSanitizer, too.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/driver/counting.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MOST_EVENTS 4
#define READS 4

#ifdef __SANITIZE_THREAD__
/*
 * Wait by another function: ThreadSanitizer knows another of those that wait
 * for a thread.
 */
int
pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
		     const struct timespec *deadline)
{
	struct timespec now, end;

	clock_gettime(clock, &now);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += deadline->tv_sec - now.tv_sec;
	end.tv_nsec += deadline->tv_nsec - now.tv_nsec;
	end.tv_sec += (end.tv_nsec >= 1000000000) - (end.tv_nsec < 0);
	end.tv_nsec = (end.tv_nsec + 1000000000) % 1000000000;
	return pthread_timedjoin_np(thread, result, &end);
}
#endif

/* ------------------------------------------------------------------ */
/* What is counted                                                      */

/* Return whether values are equal: all of one sample are the same. */
static bool
are_equal(const union drmperf_value *values)
{
	return values[0].u64 == values[1].u64;
}

static bool
are_four_equal(const union drmperf_value *values)
{
	return values[0].u64 == values[1].u64 &&
	       values[1].u64 == values[2].u64 && values[2].u64 == values[3].u64;
}

/*
 * Return whether Counter1 and Counter3 have the clock's edges, and every second
 * one.
 */
static bool
is_test_oa(const union drmperf_value *values)
{
	return values[0].u64 == values[1].u64 &&
	       values[2].u64 <= values[0].u64 / 2 + 1 &&
	       values[2].u64 + 1 >= values[0].u64 / 2;
}

static bool
is_clock(const union drmperf_value *values)
{
	return values[0].u64 == 852;
}

/* The first two do not fit together, nor do the two of i915. */
static const struct task {
	const char *names[MOST_EVENTS + 1];
	bool (*is_right)(const union drmperf_value *values);
} tasks[] = {
	{ { "amdgpu::SQ.WAVES:device=1", "amdgpu::TCC.HIT:device=1" },
	  are_equal },
	{ { "amdgpu::TCC.REQ:device=1", "amdgpu::TCC.STREAMING_REQ:device=1",
	    "amdgpu::TCC.BUSY:device=1",
	    "amdgpu::TCC.COMPRESSED_REQ:device=1" },
	  are_four_equal },
	{ { "amdgpu::SQ.WAVES:device=2", "amdgpu::TCC.HIT:device=2" },
	  are_equal },
	{ { "amdgpu::TCC.HIT:device=2", "amdgpu::SQ.WAVES:device=1" }, NULL },
	{ { "i915::TestOa.GpuCoreClocks", "i915::TestOa.Counter1",
	    "i915::TestOa.Counter3" },
	  is_test_oa },
	{ { "i915::RenderBasic.GpuTime", "i915::RenderBasic.GpuCoreClocks" },
	  NULL },
	{ { "i915::pmu.rcs0-busy" }, NULL },
	{ { "amdgpu::sensor.gfx-sclk:device=1" }, is_clock },
};

static void
set_up(void)
{
	scene_set("gpu0.contexts", "0x20");
	scene_set("gpu0.engine-busy", "rcs0 50");
	for (unsigned i = 1; i <= 2; i++) {
		static const char *const rates[] = {
			"SQ.4 instance=0 1000000",  "TCC.20 instance=1 1000000",
			"TCC.5 instance=0 1000000", "TCC.2 instance=0 1000000",
			"TCC.3 instance=0 1000000", "TCC.4 instance=0 1000000",
		};
		char key[32];

		snprintf(key, sizeof(key), "gpu%u.default", i);
		scene_set(key, "zero");
		snprintf(key, sizeof(key), "gpu%u.clock", i);
		scene_set(key, "sclk 852");
		snprintf(key, sizeof(key), "gpu%u.rate", i);
		for (size_t rate = 0; rate < ARRAY_SIZE(rates); rate++)
			scene_set(key, rates[rate]);
	}
}

TEST_CASE(threads, set_up, NULL, "threads");

/* Expect that nothing is left running, nothing was misused. */
static void
expect_restored(void)
{
	char *rest = scene_report(), *line;

	while ((line = strsep(&rest, "\n"))) {
		ck_assert_msg(strncmp(line, "violation", 9), "%s", line);
		if (strncmp(line, "state ", 6) == 0)
			ck_assert_msg(strstr(line, "counters=stopped") &&
					      strstr(line, "=0xe0000000") &&
					      strstr(line, "pstate=0"),
				      "%s", line);
	}
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* libcheck is the main thread's: others leave word. */
struct worker {
	pthread_t thread;
	const struct task *task;
	struct drmperf *drmperf; /* NULL: its own */
	unsigned rounds;
	const atomic_bool *end; /* go on until then, if it is given */
	bool may_be_ended; /* by drmperf_stop_all() */
	unsigned done;
	char problem[1024];
	struct drmperf_error error;
};

#define COMPLAIN(worker, ...)                                                  \
	snprintf((worker)->problem, sizeof((worker)->problem), __VA_ARGS__)

/*
 * Return whether a call may fail: reports of i915 are lost, and reported to be,
 * where no thread has time for them.
 */
static bool
may_fail(const struct worker *worker, int ret)
{
	if (ret == -ECANCELED)
		return worker->may_be_ended;
	return ret == -EBUSY ||
	       ((ret == -EIO || ret == -ETIME) &&
		strncmp(worker->task->names[0], "i915", 4) == 0);
}

/*
 * Return whether the call went well; false without a problem if it may be so.
 */
static bool
went_well(struct worker *worker, const char *call, int ret)
{
	if (!ret)
		return true;
	if (!may_fail(worker, ret))
		COMPLAIN(worker, "%s %s: %d, %s", worker->task->names[0], call,
			 ret, worker->error.cause);
	return false;
}

static void
check_values(struct worker *worker, const union drmperf_value *values,
	     union drmperf_value *before)
{
	const struct task *task = worker->task;

	if (task->is_right && !task->is_right(values))
		COMPLAIN(worker, "%s: %llu, %llu", task->names[0],
			 (unsigned long long)values[0].u64,
			 (unsigned long long)values[1].u64);
	if (values[0].u64 < before[0].u64)
		COMPLAIN(worker, "%s: %llu after %llu", task->names[0],
			 (unsigned long long)values[0].u64,
			 (unsigned long long)before[0].u64);
	*before = *values;
}

/* Return whether it was let in. */
static bool
count_once(struct worker *worker, struct drmperf_session *session)
{
	union drmperf_value values[MOST_EVENTS], before = { 0 };

	if (!went_well(worker, "start",
		       drmperf_session_start(session, &worker->error)))
		return false;
	for (int i = 0; i < READS && !*worker->problem; i++) {
		drmsim_advance(100000);
		if (!went_well(worker, "read",
			       drmperf_session_read(session, values, NULL, NULL,
						    &worker->error)))
			break;
		check_values(worker, values, &before);
	}
	went_well(worker, "stop",
		  drmperf_session_stop(session, &worker->error));
	return true;
}

static struct drmperf_session *
make_session(struct worker *worker, struct drmperf *drmperf)
{
	struct drmperf_selection selections[MOST_EVENTS];
	struct drmperf_session *session = NULL;
	size_t count = 0;

	for (; worker->task->names[count]; count++)
		if (!went_well(worker, "find",
			       drmperf_event_find(
				       drmperf, worker->task->names[count],
				       &selections[count], &worker->error)))
			return NULL;
	went_well(worker, "create",
		  drmperf_session_create(drmperf, selections, count, NULL,
					 &session, &worker->error));
	return session;
}

static void *
work_thread(void *data)
{
	struct worker *worker = data;
	struct drmperf *drmperf = worker->drmperf;
	struct drmperf_session *session;

	if (!drmperf &&
	    !went_well(worker, "begin",
		       drmperf_create(NULL, &drmperf, &worker->error)))
		return NULL;
	session = make_session(worker, drmperf);
	while (session && !*worker->problem &&
	       (worker->end ? !atomic_load(worker->end)
			    : worker->done < worker->rounds)) {
		if (count_once(worker, session))
			worker->done++;
		else
			sched_yield();
	}
	drmperf_session_destroy(session);
	if (!worker->drmperf)
		drmperf_destroy(drmperf);
	return NULL;
}

static void
begin_worker(struct worker *worker)
{
	ck_assert_int_eq(
		pthread_create(&worker->thread, NULL, work_thread, worker), 0);
}

static void
end_worker(struct worker *worker)
{
	ck_assert_int_eq(pthread_join(worker->thread, NULL), 0);
	ck_assert_msg(!*worker->problem, "%s", worker->problem);
}

/* Some that go on until they are asked to end, on one handle. */
#define CROWD 8

struct crowd {
	struct drmperf *drmperf;
	struct worker workers[CROWD];
	atomic_bool end;
};

static void
crowd_begin(struct crowd *crowd, bool may_be_ended)
{
	memset(crowd, 0, sizeof(*crowd));
	crowd->drmperf = counting_create();
	for (size_t i = 0; i < CROWD; i++) {
		crowd->workers[i].task = &tasks[i % ARRAY_SIZE(tasks)];
		crowd->workers[i].drmperf = crowd->drmperf;
		crowd->workers[i].end = &crowd->end;
		crowd->workers[i].may_be_ended = may_be_ended;
		begin_worker(&crowd->workers[i]);
	}
}

static void
crowd_end(struct crowd *crowd)
{
	atomic_store(&crowd->end, true);
	for (size_t i = 0; i < CROWD; i++)
		end_worker(&crowd->workers[i]);
	drmperf_destroy(crowd->drmperf);
}

/* ------------------------------------------------------------------ */
/* Threads                                                              */

#define THREADS 64

/* All want to count on one handle, half of them by one of their own. */
TEST(threads, sixty_four_threads)
{
	static struct worker workers[THREADS];
	struct drmperf *drmperf = counting_create();

	memset(workers, 0, sizeof(workers));
	for (size_t i = 0; i < THREADS; i++) {
		workers[i].task = &tasks[i / 2 % ARRAY_SIZE(tasks)];
		workers[i].drmperf = i % 2 ? drmperf : NULL;
		workers[i].rounds = 2;
		begin_worker(&workers[i]);
	}
	for (size_t i = 0; i < THREADS; i++) {
		end_worker(&workers[i]);
		ck_assert_uint_eq(workers[i].done, workers[i].rounds);
	}
	drmperf_destroy(drmperf);
	expect_restored();
}

/* Sessions end while they are being started, read, stopped and destroyed. */
TEST(threads, ended_at_any_moment)
{
	struct crowd crowd;
	struct drmperf_error error;

	crowd_begin(&crowd, true);
	for (int i = 0; i < 100; i++) {
		int ret = drmperf_stop_all(crowd.drmperf, &error);

		ck_assert_msg(!ret || ret == -EBUSY, "%d: %s", ret,
			      error.cause);
		sched_yield();
	}
	crowd_end(&crowd);
	expect_restored();
}

/* ------------------------------------------------------------------ */
/* Signals                                                              */

static atomic_uint signals;

static void
on_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

static const int signal_flags[] = { SA_RESTART, 0 };

TEST_LOOP(threads, signals_at_any_moment, ARRAY_SIZE(signal_flags))
{
	const struct timespec millisecond = { 0, 1000000 };
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = signal_flags[_i] };
	struct crowd crowd;

	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	crowd_begin(&crowd, false);
	for (int i = 0; i < 300; i++) {
		ck_assert_int_eq(
			pthread_kill(crowd.workers[i % CROWD].thread, SIGUSR1),
			0);
		/* how often, as a profiler has it; not for what */
		nanosleep(&millisecond, NULL);
	}
	crowd_end(&crowd);
	ck_assert_uint_gt(atomic_load(&signals), 0);
	expect_restored();
}

/* ------------------------------------------------------------------ */
/* Children                                                             */

/* Be a child, which has nothing; all it may do is let go. */
static int
be_child(struct drmperf *drmperf, struct drmperf_session *session)
{
	union drmperf_value value;
	int good = drmperf_session_read(session, &value, NULL, NULL, NULL) ==
			   -ECHILD &&
		   drmperf_session_start(session, NULL) == -ECHILD &&
		   drmperf_stop_all(drmperf, NULL) == -ECHILD;

	drmperf_session_destroy(session);
	drmperf_destroy(drmperf);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
wait_for(pid_t pid)
{
	int status;

	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void
expect_success(pid_t pid)
{
	int status = wait_for(pid);

	ck_assert_msg(status == 0, "status %#x", (unsigned)status);
}

/*
 * Returns whether the child did all it had to. With AddressSanitizer it may not
 * get that far: if a thread of the parent had the lock of the allocator, the
 * child waits for it for ever.
 */
static bool
run_child(struct drmperf *drmperf, struct drmperf_session *session)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
#ifdef __SANITIZE_ADDRESS__
		alarm(30);
#endif
		child_end(be_child(drmperf, session));
	}
	status = wait_for(pid);
#ifdef __SANITIZE_ADDRESS__
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return false;
#endif
	ck_assert_msg(status == 0, "status %#x", (unsigned)status);
	return true;
}

static pid_t
fork_and_execute(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execlp("true", "true", NULL);
		_exit(EXIT_FAILURE);
	}
	return pid;
}

/* Spawn a process, which glibc does by vfork(). */
static pid_t
spawn_process(void)
{
	char name[] = "true", *const arguments[] = { name, NULL };
	pid_t pid;

	ck_assert_int_eq(
		posix_spawnp(&pid, name, NULL, NULL, arguments, environ), 0);
	return pid;
}

TEST(threads, children_at_any_moment)
{
	struct worker own = { .task = &tasks[2] };
	struct drmperf_session *session;
	union drmperf_value values[MOST_EVENTS];
	struct crowd crowd;
	int succeeded = 0;

	crowd_begin(&crowd, false);
	session = make_session(&own, crowd.drmperf);
	ck_assert_msg(session != NULL, "%s", own.problem);
	ck_assert_int_eq(drmperf_session_start(session, NULL), 0);
	for (int i = 0; i < 6; i++) {
		succeeded += run_child(crowd.drmperf, session);
		expect_success(fork_and_execute());
		expect_success(spawn_process());
		ck_assert_msg(!drmperf_session_read(session, values, NULL, NULL,
						    &own.error),
			      "%s", own.error.cause);
		ck_assert(are_equal(values));
	}
	ck_assert_int_gt(succeeded, 0);
	drmperf_session_destroy(session);
	crowd_end(&crowd);
	expect_restored();
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

#define PROCESSES 16

/* Counts one time, and says so where it may be killed while it counts. */
static int
be_process(struct worker *worker, int counts)
{
	if (counts < 0) {
		work_thread(worker);
	} else {
		struct drmperf_session *session =
			make_session(worker, counting_create());

		while (session && drmperf_session_start(session, NULL))
			sched_yield();
		pid_t self = getpid();

		if (session && write(counts, &self, sizeof(self)) > 0)
			pause();
	}
	if (*worker->problem)
		fprintf(stderr, "%s\n", worker->problem);
	return *worker->problem || counts >= 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static pid_t
begin_process(size_t number, int counts)
{
	struct worker worker = { .task = &tasks[number % ARRAY_SIZE(tasks)],
				 .rounds = 2 };
	pid_t pid = fork();

	if (pid == 0)
		_exit(be_process(&worker, counts));
	ck_assert_int_gt(pid, 0);
	return pid;
}

/* Whether one may count beside another or not, all get their turn. */
TEST(threads, sixteen_processes)
{
	pid_t processes[PROCESSES];
	int counts[2], status;
	pid_t counting;

	ck_assert_int_eq(pipe(counts), 0);
	for (size_t i = 0; i < PROCESSES; i++)
		processes[i] = begin_process(i, i % 4 == 3 ? counts[1] : -1);
	/* the next one may get in only when this one has gone */
	for (size_t i = 0; i < PROCESSES / 4; i++) {
		ck_assert_int_eq(read(counts[0], &counting, sizeof(counting)),
				 sizeof(counting));
		ck_assert_int_eq(kill(counting, SIGKILL), 0);
	}
	for (size_t i = 0; i < PROCESSES; i++) {
		ck_assert_int_eq(waitpid(processes[i], &status, 0),
				 processes[i]);
		if (i % 4 == 3)
			ck_assert(WIFSIGNALED(status));
		else
			ck_assert_msg(status == 0, "process %zu: %#x", i,
				      (unsigned)status);
	}
	close(counts[0]);
	close(counts[1]);
}

/* ------------------------------------------------------------------ */
/* Loading                                                              */

#define LOADERS 8

/*
 * Load a library, which stays where it is, and whose second life is as good as
 * the first.
 */
static void *
load_library(void *data)
{
	const char *path = data;
	struct drmperf_error error;
	struct drmperf *drmperf;
	const void *problem = NULL;

	for (int i = 0; i < 4 && !problem; i++) {
		int (*begin)(const struct drmperf_options *, struct drmperf **,
			     struct drmperf_error *);
		void (*end)(struct drmperf *);
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

		if (!library)
			return "cannot be loaded";
		*(void **)&begin = dlsym(library, "drmperf_create");
		*(void **)&end = dlsym(library, "drmperf_destroy");
		if (begin(NULL, &drmperf, &error))
			problem = "cannot be used";
		else
			end(drmperf);
		dlclose(library);
	}
	return (void *)(uintptr_t)problem;
}

TEST(threads, loaded_and_unloaded)
{
	const char *build = getenv("BUILD_DIR");
	pthread_t loaders[LOADERS];
	char path[PATH_MAX];
	void *problem;

	snprintf(path, sizeof(path), "%s/lib/libdrmperf.so.0",
		 build ? build : "build");
	for (size_t i = 0; i < LOADERS; i++)
		ck_assert_int_eq(
			pthread_create(&loaders[i], NULL, load_library, path),
			0);
	for (size_t i = 0; i < LOADERS; i++) {
		ck_assert_int_eq(pthread_join(loaders[i], &problem), 0);
		ck_assert_msg(!problem, "%s", (const char *)problem);
	}
}

TEST_MACHINE("threads", "--gpu", "skl", "--gpu", "vega10", "--gpu", "vega10",
	     "--time", "virtual");
