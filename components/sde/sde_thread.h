/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting for one thread: all events of the list, from its first request to
 * reset one of them. Threads share the hardware, each with zeros of its own,
 * since PAPI resets counters of this kind without saying for whom.
 *
 * PAPI reads the events of an EventSet one by one, and a thread has one such
 * EventSet running at most: so calls of one kind, each for another event, are
 * one call of PAPI's, and are served from one sample.
 */
#ifndef SDE_THREAD_H
#define SDE_THREAD_H

#include "sde_list.h"

struct sde_thread;

/* Create a thread's state, which counts nothing yet. Returns 0, or -ENOMEM. */
int sde_thread_create(struct sde_thread **out);
void sde_thread_destroy(struct sde_thread *thread);

/* Stop, and release the list. */
void sde_thread_stop(struct sde_thread *thread);

/* Return true from the first reset on until the thread is stopped. */
bool sde_thread_counts(const struct sde_thread *thread);

/*
 * Make an event's value the new zero, and begin to count if need be; an event
 * that adds up and was lost by an error begins again. Returns 0, or the errors
 * of papi_drm_set_start().
 */
int sde_thread_reset(struct sde_thread *thread, const struct sde_list *list,
		     unsigned index, struct drmperf_error *error);

/*
 * Read the value since the reset, or now. Returns 0, or the errors of
 * papi_drm_set_read().
 */
int sde_thread_read(struct sde_thread *thread, unsigned index, long long *value,
		    struct drmperf_error *error);

/*
 * Explain, once per start, why a value that was read is PAPI_DRM_NO_VALUE. 0 if
 * there is nothing to be said.
 */
int sde_thread_explain(struct sde_thread *thread, unsigned index,
		       struct drmperf_error *error);

#endif /* SDE_THREAD_H */
