/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that starts and stops what monitors count with when the GPU gets
 * there: one after the other, in the order in which it was asked for, as the
 * GPU does.
 */
#ifndef GL_WORKER_H
#define GL_WORKER_H

#include "gl_counting.h"
#include "gl_fence.h"

struct gl_worker;

/* Returns 0; -ENOMEM; the negative errno values of pthread_create(). */
int
gl_worker_create(struct gl_worker **out, struct drmperf_error *error);

/*
 * End the thread. Tasks left are not done; a thread that waits for one gets an
 * error. NULL is allowed.
 */
void
gl_worker_destroy(struct gl_worker *worker);

/* Return false in the child of a fork(): its parent has the thread. */
bool
gl_worker_is_here(const struct gl_worker *worker);

/*
 * Start it when the GPU has passed the fence; stop it then, and read the
 * values: an end is expected. The fence, which may be NULL, is the worker's
 * from then on, also where there is an error. 0; -ENOMEM.
 */
int
gl_worker_start(struct gl_worker *worker, struct gl_counting *counting,
		struct gl_fence *fence, struct drmperf_error *error);
int
gl_worker_stop(struct gl_worker *worker, struct gl_counting *counting,
	       struct gl_fence *fence, struct drmperf_error *error);

#endif /* GL_WORKER_H */
