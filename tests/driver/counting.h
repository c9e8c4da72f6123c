/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions on simulated GPUs, by the public interface; what must not fail
 * fails the test.
 */
#ifndef DRMPERF_TESTS_DRIVER_COUNTING_H
#define DRMPERF_TESTS_DRIVER_COUNTING_H

#include <stdint.h>

#include "drmperf.h"
#include "tests/support/check.h"

/* What the tests of a program count with, one at a time. */
extern struct counting {
	struct drmperf *drmperf;
	struct drmperf_error error; /* of the last call that failed */
} counting;

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Create a library that is not that one; the caller destroys it. */
struct drmperf *
counting_create(void);

void
counting_begin(void);
void
counting_begin_with(const struct drmperf_options *options);
void
counting_end(void);
/* End it; the simulator has nothing to complain about. */
void
counting_end_clean(void);

struct drmperf_selection
counting_find(const char *name);

/* Create a session of at most 64 events, whose names end with NULL. */
struct drmperf_session *
counting_session(const char *const *names);

struct drmperf_session *
counting_session_with(const char *const *names,
		      const struct drmperf_session_options *options);

/* Starts it. */
void
counting_run(struct drmperf_session *session);

/* Create a session that has been started. */
struct drmperf_session *
counting_start(const char *const *names);

void
counting_read(struct drmperf_session *session, union drmperf_value *values);

/* Read at most 8 values of a session of that one; the result is the call's. */
int
counting_try_read(struct drmperf_session *session);

/* Expect that a read gives these integers, or begins with them. */
void
counting_expect(struct drmperf_session *session, const uint64_t *values);

void
counting_expect_first(struct drmperf_session *session, const uint64_t *values,
		      size_t count);

/*
 * A letter for each call that a test has noted since it emptied that; those
 * that find no room are left out.
 */
extern char counting_calls[256];
void
counting_note_call(char what);

/* Expect that a call succeeded, or say why it did not. */
#define counting_succeeded(ret)                                                \
	ck_assert_msg(!(ret), "%s: %s", counting.error.cause,                  \
		      counting.error.remedy)

/* Expect that the call failed so, and cause and remedy have these words. */
void
counting_failed(int ret, int expected, const char *cause, const char *remedy);

#endif /* DRMPERF_TESTS_DRIVER_COUNTING_H */
