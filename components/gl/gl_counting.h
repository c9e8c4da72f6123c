/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A monitor's counting: a session of its selection, and the values of the last
 * time. The monitor owns it, and so does a task that is to begin or to end it
 * later.
 */
#ifndef GL_COUNTING_H
#define GL_COUNTING_H

#include "gl_selected.h"

struct gl_counting;

/*
 * Create a counting; *out has one owner. Returns the errors of
 * drmperf_session_create().
 */
int
gl_counting_create(struct drmperf *drmperf, const struct gl_selected *selected,
		   struct gl_counting **out, struct drmperf_error *error);

/* Add an owner, or remove one; the last one ends it. NULL is allowed. */
struct gl_counting *
gl_counting_hold(struct gl_counting *counting);
void
gl_counting_release(struct gl_counting *counting);

/* ------------------------------------------------------------------ */
/* In one thread at a time                                              */

/* Return 0, or the errors of drmperf_session_start(). */
int
gl_counting_start(struct gl_counting *counting, struct drmperf_error *error);

/*
 * Count from now on instead. Returns 0, or the errors of
 * drmperf_session_reset().
 */
int
gl_counting_restart(struct gl_counting *counting, struct drmperf_error *error);

/*
 * End it, and read the values. A failure to stop that leaves them good is
 * printed, and is no error.
 */
int
gl_counting_stop(struct gl_counting *counting, struct drmperf_error *error);

/* Return the values of the last time, as many as were selected. */
const union drmperf_value *
gl_counting_values(const struct gl_counting *counting);

/* ------------------------------------------------------------------ */
/* Where another thread starts and stops it                             */

/* Note that an end has been asked for, and will come. */
void
gl_counting_expect(struct gl_counting *counting);

/* Note that an expected end has come, with 0 or an error. */
void
gl_counting_complete(struct gl_counting *counting,
		     const struct drmperf_error *error);

/* Return whether all expected ends have come. */
bool
gl_counting_is_complete(const struct gl_counting *counting);

/* Wait until they have. */
void
gl_counting_wait(struct gl_counting *counting);

/* Return how the last one went; it is settled. */
const struct drmperf_error *
gl_counting_outcome(const struct gl_counting *counting);

#endif /* GL_COUNTING_H */
