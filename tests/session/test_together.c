/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of several GPUs: samples of all are submitted before any is waited for,
 * in one order, and what fails on one of them takes nothing from the others.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "drmperf.h"
#include "session/build.h"
#include "tests/session/fake.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define GPUS FAKE_GPUS
#define ROUNDS 500

/*
 * Note a letter and the GPU: s submits, w waits for that, b waits briefly and
 * in vain, a samples SPLIT alone, p samples PLAIN, e ends a run.
 */
static void
note_call(struct fake_run *run)
{
	static const char letters[FAKE_DOMAINS][FAKE_CALLS] = {
		[FAKE_PLAIN] = { [FAKE_SAMPLE] = 'p', [FAKE_DISARM] = 'e' },
		[FAKE_SPLIT] = { [FAKE_SAMPLE] = 'a',
				 [FAKE_SUBMIT] = 's',
				 [FAKE_WAIT] = 'w',
				 [FAKE_WAIT_IN_VAIN] = 'b',
				 [FAKE_DISARM] = 'e' },
	};
	const size_t at = (size_t)(run->domain - fake_gpus[0].domains);
	const char letter = letters[at % FAKE_DOMAINS][run->call];

	if (!letter)
		return;
	if (*counting_calls)
		counting_note_call(' ');
	counting_note_call(letter);
	counting_note_call((char)('0' + at / FAKE_DOMAINS));
}

static void
note_calls(void)
{
	counting_calls[0] = '\0';
	for (unsigned i = 0; i < GPUS * FAKE_DOMAINS; i++) {
		struct fake_gpu *gpu = &fake_gpus[i / FAKE_DOMAINS];

		for (unsigned call = 0; call < FAKE_CALLS; call++)
			gpu->domains[i % FAKE_DOMAINS].hooks[call] = note_call;
	}
}

static void
open_gpus(void)
{
	fake_open_gpus(GPUS);
}

TEST_CASE(reads, open_gpus, fake_close, "together");

/*
 * Start events: each GPU in the text is a letter and a number: C of what is
 * submitted, P of PLAIN.
 */
static struct drmperf_session *
start_events(const char *events)
{
	char names[2 * GPUS][64];
	const char *list[2 * GPUS + 1] = { NULL };

	for (size_t i = 0; events[2 * i]; i++) {
		snprintf(names[i], sizeof(names[i]), "fake::%s:device=%c",
			 events[2 * i] == 'C' ? "SPLIT.COUNT" : "PLAIN.X",
			 events[2 * i + 1]);
		list[i] = names[i];
	}
	return counting_start(list);
}

/* Count, every GPU by 10 and its number. */
static void
count_on(void)
{
	for (unsigned i = 0; i < GPUS; i++) {
		struct fake_domain *domains = fake_gpus[i].domains;

		domains[FAKE_SPLIT].counts[FAKE_SELECT_SPLIT][0] += 10 + i;
		domains[FAKE_PLAIN].counts[FAKE_SELECT_PLAIN][0] += 10 + i;
	}
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
		struct fake_domain *split = &fake_gpus[i].domains[FAKE_SPLIT];

		split->errors[FAKE_SUBMIT] =
			on ? cases[test].boards[i].submit : 0;
		split->errors[FAKE_WAIT] = on ? cases[test].boards[i].wait : 0;
		split->is_slow = on && cases[test].boards[i].is_slow;
		split->errors[FAKE_SAMPLE] =
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
		count_on();
		note_calls();
		ck_assert_int_ge(drmperf_session_read(session, values, statuses,
						      NULL, NULL),
				 0);
		ck_assert_msg(!strcmp(counting_calls, round == 1
							      ? cases[_i].done
							      : cases[_i].next),
			      "line %d, read %d: %s", cases[_i].line, round,
			      counting_calls);
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

	count_on();
	ck_assert_int_eq(pthread_mutex_lock(lock), 0);
	note_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 -EAGAIN);
	ck_assert_str_eq(counting_calls, "s0 s1 w0 w1");
	ck_assert_int_eq(pthread_mutex_unlock(lock), 0);
	note_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 0);
	ck_assert_str_eq(counting_calls, "s0 s1 s2 s3 w0 w1 w2 w3");
	for (unsigned i = 0; i < GPUS; i++)
		ck_assert_uint_eq(values[i].u64, 10 + i);
	drmperf_session_destroy(session);
}

/* Only a snapshot that is being written gives the second half that code. */
TEST(reads, a_handler_goes_back_late)
{
	struct drmperf_session *session = start_events("C0C1C2C3");
	union drmperf_value values[GPUS];

	fake_gpus[1].domains[FAKE_SPLIT].errors[FAKE_WAIT] = -EAGAIN;
	note_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 -EAGAIN);
	ck_assert_str_eq(counting_calls, "s0 s1 s2 s3 w0 w1 w2 w3");
	fake_gpus[1].domains[FAKE_SPLIT].errors[FAKE_WAIT] = 0;
	note_calls();
	ck_assert_int_eq(drmperf_session_try_read(session, values, NULL, NULL),
			 0);
	ck_assert_str_eq(counting_calls, "s0 s1 s2 s3 w0 w1 w2 w3");
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
