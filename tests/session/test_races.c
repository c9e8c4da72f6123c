/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many threads at once over a driver that counts in memory, for the eyes of
 * ThreadSanitizer: nothing is loaded here that was built without it. What real
 * drivers do among threads is the matter of test_threads.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "device/state.h"
#include "tests/support/check.h"
#include "tests/support/fake_driver.h"
#include "tests/support/fake_machine.h"
#include "tests/support/suite.h"

#define THREADS 64
#define EVENTS 2
#define READS 4

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

/* A thread that hands on a record for each sample, as those of streams do. */
struct drain {
	const struct run_options *options;
	pthread_t thread;
	sem_t sampled;
	atomic_bool end;
};

static void *
drain_thread(void *data)
{
	struct drain *drain = data;
	const char record[] = "record";

	for (;;) {
		while (sem_wait(&drain->sampled))
			;
		if (atomic_load(&drain->end))
			return NULL;
		drain->options->raw(drain->options->raw_data, NULL, record,
				    sizeof(record));
	}
}

static void
begin_drain(struct fake_run *run)
{
	struct drain *drain = calloc(1, sizeof(*drain));

	if (!drain)
		abort();
	drain->options = &run->options;
	sem_init(&drain->sampled, 0, 0);
	if (pthread_create(&drain->thread, NULL, drain_thread, drain))
		abort();
	run->data = drain;
}

/* Count so that in a sample A is a half of B, a third of C, and so on. */
static void
count_on(struct fake_run *run)
{
	struct drain *drain = run->data;

	fake_domain_work(run->domain, 1);
	sem_post(&drain->sampled);
}

static void
end_drain(struct fake_run *run)
{
	struct drain *drain = run->data;

	atomic_store(&drain->end, true);
	sem_post(&drain->sampled);
	if (pthread_join(drain->thread, NULL))
		abort();
	sem_destroy(&drain->sampled);
	free(drain);
}

/* Add "A" to "F" when they are asked for. */
static int
add_events(void *device, group_index group, struct description *description,
	   struct drmperf_error *error)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F" };

	(void)device;
	(void)error;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		fake_add_event(description, group,
			       (struct description_event){ .name = names[i],
							   .selector = i });
	return 0;
}

/* SHARED has room for four events of its sessions, OWN for two sessions. */
static const struct fake_model model = {
	.domains = {
		{ .name = "SHARED", .ops = &fake_shared_ops },
		{ .name = "OWN", .ops = &fake_own_ops },
	},
	.groups = {
		{ FAKE_GROUP(0, "SHARED", 4, 1), .describe = add_events },
		{ FAKE_GROUP(1, "OWN", 4, 1), .describe = add_events },
	},
};

static int
describe_gpu(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	struct fake_gpu *gpu = calloc(1, sizeof(*gpu));

	(void)target;
	if (!gpu)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < 2; i++) {
		struct fake_domain *domain = &gpu->domains[i];

		domain->armed_max = 1 + (unsigned)i;
		domain->count_max = 4;
		domain->hooks[FAKE_ARM] = begin_drain;
		domain->hooks[FAKE_SAMPLE] = count_on;
		domain->hooks[FAKE_DISARM] = end_drain;
	}
	fake_describe(&model, gpu, description);
	*out = gpu;
	return 0;
}

static void
release_gpu(void *gpu)
{
	fake_release(gpu);
	free(gpu);
}

static const struct driver *const drivers[] = {
	&(const struct driver){ .name = "fake",
				.describe = describe_gpu,
				.release = release_gpu,
				.abandon = release_gpu },
	NULL,
};

/* ------------------------------------------------------------------ */

static const char *root;
static pthread_barrier_t gate; /* all of the threads begin at once */
static size_t threads;

static struct drmperf *
create_library(void)
{
	struct drmperf *drmperf = NULL;
	struct drmperf_error error;

	ck_assert_msg(!state_create(NULL, drivers, root, &drmperf, &error),
		      "%s", error.cause);
	return drmperf;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* Any two of the first three leave the others of their device no room. */
static const struct task {
	const char *names[EVENTS];
	unsigned factors[EVENTS];
} tasks[] = {
	{ { "fake::SHARED.A:device=0", "fake::SHARED.B:device=0" }, { 1, 2 } },
	{ { "fake::SHARED.C:device=0", "fake::SHARED.D:device=0" }, { 3, 4 } },
	{ { "fake::SHARED.E:device=0", "fake::SHARED.F:device=0" }, { 5, 6 } },
	{ { "fake::OWN.A:device=0", "fake::OWN.F:device=0" }, { 1, 6 } },
	{ { "fake::SHARED.A:device=1", "fake::SHARED.D:device=1" }, { 1, 4 } },
	{ { "fake::SHARED.B:device=1", "fake::SHARED.D:device=1" }, { 2, 4 } },
	{ { "fake::SHARED.F:device=1", "fake::OWN.C:device=1" }, { 6, 3 } },
};

/* libcheck is the main thread's: others leave word. */
struct worker {
	pthread_t thread;
	const struct task *task;
	struct drmperf *drmperf; /* NULL: its own */
	unsigned rounds;
	const atomic_bool *end; /* go on until then, if it is given */
	bool may_be_ended; /* by drmperf_stop_all() */
	bool two_domains; /* whose samples are not of one moment */
	unsigned done;
	unsigned records; /* written by the driver's thread */
	char problem[1024];
	struct drmperf_error error;
};

#define COMPLAIN(worker, ...)                                                  \
	snprintf((worker)->problem, sizeof((worker)->problem), __VA_ARGS__)

static bool
went_well(struct worker *worker, const char *call, int ret)
{
	if (ret && ret != -EBUSY && ret != -EAGAIN &&
	    !(ret == -ECANCELED && worker->may_be_ended))
		COMPLAIN(worker, "%s %s: %d, %s", worker->task->names[0], call,
			 ret, worker->error.cause);
	return !ret;
}

static void
check_values(struct worker *worker, const union drmperf_value *values)
{
	const unsigned *factors = worker->task->factors;

	if (worker->two_domains)
		return;
	if (values[0].u64 * factors[1] != values[1].u64 * factors[0])
		COMPLAIN(worker, "%s: %llu, %llu", worker->task->names[0],
			 (unsigned long long)values[0].u64,
			 (unsigned long long)values[1].u64);
}

static void
read_and_reset(struct worker *worker, struct drmperf_session *session)
{
	union drmperf_value values[EVENTS];

	if (went_well(worker, "read",
		      drmperf_session_read(session, values, NULL, NULL,
					   &worker->error)))
		check_values(worker, values);
	if (went_well(worker, "try_read",
		      drmperf_session_try_read(session, values, NULL, NULL)))
		check_values(worker, values);
	went_well(worker, "reset",
		  drmperf_session_reset(session, &worker->error));
}

/* Return whether it was let in. */
static bool
count_once(struct worker *worker, struct drmperf_session *session)
{
	unsigned before;

	if (!went_well(worker, "start",
		       drmperf_session_start(session, &worker->error)))
		return false;
	for (int i = 0; i < READS && !*worker->problem; i++)
		read_and_reset(worker, session);
	went_well(worker, "stop",
		  drmperf_session_stop(session, &worker->error));
	/* from here on nothing else writes it */
	before = worker->records;
	sched_yield();
	if (worker->records != before)
		COMPLAIN(worker, "a record after the end");
	return true;
}

static void
take_record(void *data, struct drmperf_device *device, const void *record,
	    size_t size)
{
	struct worker *worker = data;

	(void)device;
	/* each domain has a thread, which knows nothing of the other one */
	if (!worker->two_domains && size && strcmp(record, "record") == 0)
		worker->records++;
}

/*
 * Look at what there is: events are listed when a thread asks for the first
 * time.
 */
static void
look_around(struct worker *worker, struct drmperf *drmperf)
{
	struct drmperf_device *device = drmperf_device_at(drmperf, 1);
	struct drmperf_selection none;

	if (!went_well(worker, "open",
		       drmperf_device_open(device, &worker->error)))
		return;
	if (drmperf_group_event_count(drmperf_group_at(device, 1)) != 6 ||
	    drmperf_event_count(device) != 12)
		COMPLAIN(worker, "not six events, or not twelve");
	if (drmperf_event_find(drmperf, "fake::SHARED.G", &none,
			       &worker->error) != -ENOENT)
		COMPLAIN(worker, "there is no SHARED.G");
}

static void
make_plan(struct worker *worker, struct drmperf *drmperf,
	  const struct drmperf_selection *selections)
{
	struct drmperf_plan *plan;

	if (went_well(worker, "plan",
		      drmperf_plan_create(drmperf, selections, EVENTS, NULL,
					  &plan, &worker->error)))
		drmperf_plan_destroy(plan);
}

static struct drmperf_session *
make_session(struct worker *worker, struct drmperf *drmperf)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .raw = take_record, .raw_data = worker
	};
	struct drmperf_selection selections[EVENTS];
	struct drmperf_session *session = NULL;

	look_around(worker, drmperf);
	for (size_t i = 0; i < EVENTS; i++)
		if (!went_well(
			    worker, "find",
			    drmperf_event_find(drmperf, worker->task->names[i],
					       &selections[i], &worker->error)))
			return NULL;
	worker->two_domains = strstr(worker->task->names[1], "OWN") &&
			      !strstr(worker->task->names[0], "OWN");
	make_plan(worker, drmperf, selections);
	went_well(worker, "create",
		  drmperf_session_create(drmperf, selections, EVENTS, &options,
					 &session, &worker->error));
	return session;
}

static void *
work_thread(void *data)
{
	struct worker *worker = data;
	struct drmperf *drmperf = worker->drmperf;
	struct drmperf_session *session;

	pthread_barrier_wait(&gate);
	if (!drmperf && !went_well(worker, "begin",
				   state_create(NULL, drivers, root, &drmperf,
						&worker->error)))
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

static struct worker workers[THREADS];

static void
set_up(void)
{
	memset(workers, 0, sizeof(workers));
	root = fake_machine_begin(2);
	/* valgrind lets only one run at a time */
	threads = getenv("VALGRIND") ? THREADS / 8 : THREADS;
	pthread_barrier_init(&gate, NULL, (unsigned)threads);
}

TEST_CASE(races, set_up, fake_machine_end, "races");

static void
begin_worker(size_t number, void *(*run)(void *data), struct drmperf *drmperf)
{
	struct worker *worker = &workers[number];

	worker->task = &tasks[number % ARRAY_SIZE(tasks)];
	worker->drmperf = drmperf;
	ck_assert_int_eq(pthread_create(&worker->thread, NULL, run, worker), 0);
}

static void
end_worker(struct worker *worker)
{
	ck_assert_int_eq(pthread_join(worker->thread, NULL), 0);
	ck_assert_msg(!*worker->problem, "%s", worker->problem);
}

/* ------------------------------------------------------------------ */

/* All but some count on one handle, of which nothing is open yet. */
TEST(races, sixty_four_threads)
{
	struct drmperf *drmperf = create_library();

	for (size_t i = 0; i < threads; i++) {
		workers[i].rounds = 4;
		begin_worker(i, work_thread, i % 8 == 7 ? NULL : drmperf);
	}
	for (size_t i = 0; i < threads; i++) {
		end_worker(&workers[i]);
		ck_assert_uint_eq(workers[i].done, workers[i].rounds);
	}
	drmperf_destroy(drmperf);
}

/* Sessions end while they are being started, read, stopped and destroyed. */
TEST(races, ended_at_any_moment)
{
	struct drmperf *drmperf = create_library();
	struct drmperf_error error;
	atomic_bool is_over = false;

	for (size_t i = 0; i < threads; i++) {
		workers[i].end = &is_over;
		workers[i].may_be_ended = true;
		begin_worker(i, work_thread, drmperf);
	}
	for (int i = 0; i < 100; i++) {
		int ret = drmperf_stop_all(drmperf, &error);

		ck_assert_msg(!ret || ret == -EBUSY, "%d: %s", ret,
			      error.cause);
		sched_yield();
	}
	atomic_store(&is_over, true);
	for (size_t i = 0; i < threads; i++)
		end_worker(&workers[i]);
	drmperf_destroy(drmperf);
}

static void
destroy_session(void *session)
{
	drmperf_session_destroy(session);
}

static void *
work_for_ever(void *data)
{
	struct worker *worker = data;
	struct drmperf_session *session;

	pthread_barrier_wait(&gate);
	session = make_session(worker, worker->drmperf);
	pthread_cleanup_push(destroy_session, session);
	while (session && !*worker->problem) {
		count_once(worker, session);
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
	return NULL;
}

/* What a thread had is free for others when it has gone. */
TEST(races, cancelled_at_any_moment)
{
	struct drmperf *drmperf = create_library();
	struct drmperf_session *session;

	for (size_t i = 0; i < threads; i++)
		begin_worker(i, work_for_ever, drmperf);
	for (size_t i = 0; i < threads; i++) {
		ck_assert_int_eq(pthread_cancel(workers[i].thread), 0);
		end_worker(&workers[i]);
	}
	for (size_t i = 0; i < threads; i++) {
		session = make_session(&workers[i], drmperf);
		ck_assert(count_once(&workers[i], session));
		ck_assert_msg(!*workers[i].problem, "%s", workers[i].problem);
		drmperf_session_destroy(session);
	}
	drmperf_destroy(drmperf);
}

int
main(void)
{
	return tests_run();
}
