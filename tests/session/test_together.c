/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of several GPUs: samples of all are submitted before any is waited for,
 * in one order, and what fails on one of them takes nothing from the others.
 * The driver counts in memory, and writes down what it is asked to do.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/state.h"
#include "drmperf.h"
#include "session/build.h"
#include "tests/support/check.h"
#include "tests/support/fake_machine.h"
#include "tests/support/suite.h"

#define GPUS 4
#define ROUNDS 500

/*
 * What was done, a letter and the GPU each: s submits, w waits for that, b
 * waits briefly and in vain, a samples alone, p what has no halves, e ends a
 * run.
 */
static char done[256];
static bool is_written;

static struct board {
	unsigned index;
	int submit_error, wait_error, alone_error;
	bool is_slow;
	uint64_t count;
	bool is_submitted;
	unsigned armed;
} boards[GPUS];

static void
note_call(char what, const struct board *board)
{
	size_t length = strlen(done);

	if (!is_written)
		return;
	ck_assert_uint_lt(length + 4, sizeof(done));
	snprintf(done + length, sizeof(done) - length, "%s%c%u",
		 length ? " " : "", what, board->index);
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

static int
arm_run(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	struct board *board = device;

	(void)options;
	(void)requests;
	(void)error;
	ck_assert_uint_eq(count, 1);
	board->armed++;
	*out = board;
	return 0;
}

static int
change_run(void *run, const struct counter_request *requests, size_t count,
	   struct drmperf_error *error)
{
	(void)run;
	(void)requests;
	(void)count;
	(void)error;
	return 0;
}

static int
give_values(struct board *board, int code, uint64_t *raw, uint64_t *time_ns,
	    struct drmperf_error *error)
{
	if (code)
		return error_set(error, code, "board %u fails", board->index);
	*raw = board->count;
	*time_ns = 1000 + board->index;
	return 0;
}

static int
sample_run(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct board *board = run;

	(void)mode;
	ck_assert(!board->is_submitted);
	note_call('a', board);
	return give_values(board, board->alone_error, raw, time_ns, error);
}

static int
submit_sample(void *run, enum drmperf_read_mode mode,
	      struct drmperf_error *error)
{
	struct board *board = run;

	(void)mode;
	ck_assert(!board->is_submitted);
	note_call('s', board);
	if (board->submit_error)
		return error_set(error, board->submit_error, "board %u fails",
				 board->index);
	board->is_submitted = true;
	return 0;
}

static int
wait_for(void *run, bool briefly, uint64_t *raw, uint64_t *time_ns,
	 struct drmperf_error *error)
{
	struct board *board = run;

	ck_assert(board->is_submitted);
	note_call(board->is_slow && briefly ? 'b' : 'w', board);
	if (board->is_slow && briefly)
		return DRIVER_SAMPLE_PENDING;
	board->is_submitted = false;
	return give_values(board, board->wait_error, raw, time_ns, error);
}

static int
sample_plain(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	     uint64_t *time_ns, struct drmperf_error *error)
{
	struct board *board = run;

	(void)mode;
	note_call('p', board);
	return give_values(board, 0, raw, time_ns, error);
}

static void
disarm_run(void *run)
{
	struct board *board = run;

	ck_assert(!board->is_submitted);
	note_call('e', board);
	board->armed--;
}

static const struct domain_ops halves = {
	.arm = arm_run,
	.change = change_run,
	.sample = sample_run,
	.sample_submit = submit_sample,
	.sample_wait = wait_for,
	.disarm = disarm_run,
};

static const struct domain_ops plain = {
	.arm = arm_run,
	.sample = sample_plain,
	.disarm = disarm_run,
};

static void
add_event(struct description *description, const char *group,
	  const struct domain_ops *ops, struct board *board)
{
	domain_index domain = fake_add_domain(description, group, ops, board);

	fake_add_event(
		description, fake_add_group(description, group, domain, 1, 1),
		"COUNT", 0, DRMPERF_KIND_CUMULATIVE, DRMPERF_TYPE_UINT64, NULL);
}

static int
describe_device(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct board *board = &boards[target->index];

	(void)error;
	add_event(description, "CORE", &halves, board);
	add_event(description, "PLAIN", &plain, board);
	*out = board;
	return 0;
}

static void
release_device(void *device)
{
	const struct board *board = device;

	ck_assert_uint_eq(board->armed, 0);
}

static const struct driver board_driver = {
	.name = "fake",
	.describe = describe_device,
	.release = release_device,
	.abandon = release_device,
};

static const struct driver *const drivers[] = { &board_driver, NULL };

/* ------------------------------------------------------------------ */
/* A machine with several of these                                      */

static struct drmperf *drmperf;

static void
set_up(void)
{
	const char *root = fake_machine_begin(GPUS);
	struct drmperf_error error;

	memset(boards, 0, sizeof(boards));
	for (unsigned i = 0; i < GPUS; i++)
		boards[i].index = i;
	ck_assert_int_eq(state_create(NULL, drivers, root, &drmperf, &error),
			 0);
}

static void
tear_down(void)
{
	is_written = false;
	drmperf_destroy(drmperf);
	fake_machine_end();
}

TEST_CASE(reads, set_up, tear_down, "together");

/*
 * Start events: each GPU in the text is a letter and a number: C of CORE, P of
 * PLAIN.
 */
static struct drmperf_session *
start_events(const char *events)
{
	struct drmperf_selection selections[2 * GPUS];
	struct drmperf_session *session;
	struct drmperf_error error;
	size_t count = 0;
	char name[64];

	for (; *events; events += 2, count++) {
		snprintf(name, sizeof(name), "fake::%s.COUNT:device=%c",
			 *events == 'C' ? "CORE" : "PLAIN", events[1]);
		if (drmperf_event_find(drmperf, name, &selections[count],
				       &error))
			ck_abort_msg("%s: %s", name, error.cause);
	}
	if (drmperf_session_create(drmperf, selections, count, NULL, &session,
				   &error) ||
	    drmperf_session_start(session, &error))
		ck_abort_msg("%s", error.cause);
	return session;
}

/* Count in a thread, in which every board goes on by 10 and its number. */
static void
count_in_thread(void)
{
	for (unsigned i = 0; i < GPUS; i++)
		boards[i].count += 10 + i;
}

static void
watch_calls(void)
{
	done[0] = '\0';
	is_written = true;
}

/* ------------------------------------------------------------------ */

static const struct {
	int line;
	const char *events;
	const char *done, *next; /* at the first read, and at another one */
	struct {
		int submit, wait;
		bool is_slow;
	} boards[GPUS]; /* at the first read */
} cases[] = {
	{ __LINE__, "C0", "a0", "a0", { { 0 } } },
	{ __LINE__, "C2P2", "a2 p2", "a2 p2", { { 0 } } },
	{ __LINE__, "C0C1", "s0 s1 w0 w1", "s0 s1 w0 w1", { { 0 } } },
	/* whatever the order of the events */
	{ __LINE__,
	  "C3C1C0C2",
	  "s0 s1 s2 s3 w0 w1 w2 w3",
	  "s0 s1 s2 s3 w0 w1 w2 w3",
	  { { 0 } } },
	/* other domains when nothing waits for them */
	{ __LINE__,
	  "P1C3P0C1",
	  "s1 s3 w1 w3 p1 p0",
	  "s1 s3 w1 w3 p1 p0",
	  { { 0 } } },
	/* what failed is not submitted beside others the next time */
	{ __LINE__,
	  "C0C1C2",
	  "s0 s1 s2 w0 w2",
	  "s0 s2 w0 w2 a1",
	  { [1] = { .submit = -EBUSY } } },
	{ __LINE__,
	  "C2C1C0",
	  "s0 s1 s2 w0 w1 w2",
	  "s1 s2 w1 w2 a0",
	  { [0] = { .wait = -EIO } } },
	{ __LINE__,
	  "C0C1C2C3",
	  "s0 s1 s2 s3 w0 w1 w2 w3",
	  "s0 s1 w0 w1 a2 a3",
	  { [2] = { .wait = -EIO }, [3] = { .wait = -ENOMEM } } },
	{ __LINE__,
	  "C0C1",
	  "s0 s1",
	  "a0 a1",
	  { { .submit = -EBUSY }, { .submit = -EBUSY } } },
	/* a run that is dead ends when nothing waits for that */
	{ __LINE__,
	  "C0C1C2",
	  "s0 s1 s2 w0 w1 w2",
	  "s0 s2 w0 w2 a1 e1",
	  { [1] = { .wait = -ENODEV } } },
	{ __LINE__,
	  "C0C1C2",
	  "s0 s1 s2 w0 w2",
	  "s0 s2 w0 w2 a1 e1",
	  { [1] = { .submit = -ECANCELED } } },
	/* the others do not wait for who is slow */
	{ __LINE__,
	  "C0C1C2",
	  "s0 s1 s2 b0 w1 w2 w0",
	  "s0 s1 s2 w0 w1 w2",
	  { [0] = { .is_slow = true } } },
	{ __LINE__,
	  "C0C1C2",
	  "s0 s1 s2 b0 b1 w2 w0 w1",
	  "s0 s1 w0 w1 a2",
	  { { .is_slow = true }, { .is_slow = true }, { .wait = -EIO } } },
};

static int
fault_of(unsigned board, int test)
{
	return cases[test].boards[board].submit
		       ? cases[test].boards[board].submit
		       : cases[test].boards[board].wait;
}

static bool
is_end(int code)
{
	return code == -ENODEV || code == -ECANCELED;
}

static void
set_faults(int test, bool on)
{
	for (unsigned i = 0; i < GPUS; i++) {
		boards[i].submit_error = on ? cases[test].boards[i].submit : 0;
		boards[i].wait_error = on ? cases[test].boards[i].wait : 0;
		boards[i].is_slow = on && cases[test].boards[i].is_slow;
		boards[i].alone_error =
			is_end(fault_of(i, test)) ? fault_of(i, test) : 0;
	}
}

TEST_LOOP(reads, reads, ARRAY_SIZE(cases))
{
	struct drmperf_session *session = start_events(cases[_i].events);
	const size_t count = drmperf_session_size(session);
	union drmperf_value values[2 * GPUS];
	int statuses[2 * GPUS];

	for (int round = 1; round <= 2; round++) {
		set_faults(_i, round == 1);
		count_in_thread();
		watch_calls();
		ck_assert_int_ge(drmperf_session_read(session, values, statuses,
						      NULL, NULL),
				 0);
		ck_assert_msg(!strcmp(done, round == 1 ? cases[_i].done
						       : cases[_i].next),
			      "line %d, read %d: %s", cases[_i].line, round,
			      done);
		for (size_t i = 0; i < count; i++) {
			const char *event = &cases[_i].events[2 * i];
			const unsigned board = (unsigned)(event[1] - '0');
			int code = *event == 'C' ? fault_of(board, _i) : 0;

			if (round == 2 && !is_end(code))
				code = 0;
			ck_assert_msg(statuses[i] == code,
				      "line %d, read %d: %d", cases[_i].line,
				      round, statuses[i]);
			if (!code)
				ck_assert_uint_eq(values[i].u64,
						  (unsigned)round *
							  (10 + board));
		}
	}
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */

/* Another thread is in a call on the third of them. */
TEST(reads, a_handler_goes_back)
{
	struct drmperf_session *session = start_events("C0C1C2C3");
	union drmperf_value values[GPUS];
	pthread_mutex_t *lock = &session->domains[2].subscription.domain->lock;

	count_in_thread();
	ck_assert_int_eq(pthread_mutex_lock(lock), 0);
	watch_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 -EAGAIN);
	ck_assert_str_eq(done, "s0 s1 w0 w1");
	ck_assert_int_eq(pthread_mutex_unlock(lock), 0);
	watch_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 0);
	ck_assert_str_eq(done, "s0 s1 s2 s3 w0 w1 w2 w3");
	for (unsigned i = 0; i < GPUS; i++)
		ck_assert_uint_eq(values[i].u64, 10 + i);
	drmperf_session_destroy(session);
}

/* Only a snapshot that is being written gives the second half that code. */
TEST(reads, a_handler_goes_back_late)
{
	struct drmperf_session *session = start_events("C0C1C2C3");
	union drmperf_value values[GPUS];

	boards[1].wait_error = -EAGAIN;
	watch_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 -EAGAIN);
	ck_assert_str_eq(done, "s0 s1 s2 s3 w0 w1 w2 w3");
	boards[1].wait_error = 0;
	watch_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 0);
	ck_assert_str_eq(done, "s0 s1 s2 s3 w0 w1 w2 w3");
	drmperf_session_destroy(session);
}

static void *
read_often(void *data)
{
	union drmperf_value values[GPUS];

	for (int i = 0; i < ROUNDS; i++) {
		if (drmperf_session_read(data, values, NULL, NULL, NULL))
			return data;
	}
	return NULL;
}

/* If each took locks in the order of its events, they would wait for ever. */
TEST(reads, threads_in_different_orders)
{
	static const char *const orders[] = { "C0C1C2C3", "C3C2C1C0",
					      "C1C3C0C2" };
	struct drmperf_session *sessions[ARRAY_SIZE(orders)];
	pthread_t threads[ARRAY_SIZE(orders)];
	void *failed;

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		sessions[i] = start_events(orders[i]);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, read_often,
						sessions[i]),
				 0);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
		ck_assert_ptr_null(failed);
	}
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		drmperf_session_destroy(sessions[i]);
}
