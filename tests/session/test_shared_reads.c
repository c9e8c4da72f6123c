/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that read one run at the same time: whose sample answers whom.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

#include "drmperf.h"
#include "session/build.h"
#include "tests/support/check.h"
#include "tests/session/fake.h"
#include "tests/support/suite.h"

#define READERS 4

static struct reader {
	struct drmperf_session *session;
	pthread_t thread;
	union drmperf_value value;
	int ret;
} readers[READERS];

static void
set_up(void)
{
	fake_open();
	for (int i = 0; i < READERS; i++)
		readers[i].session = counting_start(NAMES("fake::CORE.A"));
	fake_core->samples = 0;
}

static void
tear_down(void)
{
	for (int i = 0; i < READERS; i++)
		drmperf_session_destroy(readers[i].session);
	fake_close();
}

TEST_CASE(reads, set_up, tear_down, "shared_reads");

static uint64_t
reads_begun(void)
{
	return readers[0].session->domains[0].subscription.domain->arrived;
}

static void *
read_once(void *data)
{
	struct reader *reader = data;

	reader->ret = drmperf_session_read(reader->session, &reader->value,
					   NULL, NULL, NULL);
	return NULL;
}

static uint64_t all_begun;

/* Hold the first sample until all threads wait for one. */
static void
hold_first_sample(struct fake_run *run)
{
	if (run->domain->samples != 1)
		return;
	for (int i = 1; i < READERS; i++)
		ck_assert_int_eq(pthread_create(&readers[i].thread, NULL,
						read_once, &readers[i]),
				 0);
	while (reads_begun() < all_begun)
		sched_yield();
}

static void
read_at_once(void)
{
	all_begun = reads_begun() + READERS;
	fake_core->hooks[FAKE_SAMPLE] = hold_first_sample;
	read_once(&readers[0]);
	for (int i = 1; i < READERS; i++)
		ck_assert_int_eq(pthread_join(readers[i].thread, NULL), 0);
	fake_core->hooks[FAKE_SAMPLE] = NULL;
}

/*
 * The sample that is under way may be too old for those who come, but the next
 * one answers all of them: what each counts is then in its values.
 */
TEST(reads, one_sample_for_all_that_wait)
{
	fake_work(1);
	read_at_once();
	ck_assert_uint_eq(fake_core->samples, 2);
	for (int i = 0; i < READERS; i++) {
		ck_assert_int_eq(readers[i].ret, 0);
		ck_assert_uint_eq(readers[i].value.u64, FAKE_ALL_CORES);
	}
}

TEST(reads, reads_one_after_another)
{
	for (unsigned i = 0; i < 2 * READERS; i++) {
		fake_work(1);
		read_once(&readers[i % READERS]);
		ck_assert_int_eq(readers[i % READERS].ret, 0);
		ck_assert_uint_eq(readers[i % READERS].value.u64,
				  (i + 1) * FAKE_ALL_CORES);
		ck_assert_uint_eq(fake_core->samples, i + 1);
	}
}

/* It answers none: each tries for itself. */
TEST(reads, a_sample_that_fails)
{
	fake_core->errors[FAKE_SAMPLE] = -ENOMEM;
	read_at_once();
	ck_assert_uint_eq(fake_core->samples, READERS);
	for (int i = 0; i < READERS; i++)
		ck_assert_int_eq(readers[i].ret, -ENOMEM);
	fake_core->errors[FAKE_SAMPLE] = 0;
	fake_work(1);
	read_once(&readers[0]);
	ck_assert_uint_eq(readers[0].value.u64, FAKE_ALL_CORES);
}
