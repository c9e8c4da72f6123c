/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of GPUs, and counting some together, which are one pass.
 */
#ifndef KD_GPUS_H
#define KD_GPUS_H

#include <stdbool.h>

#include "kd_list.h"

struct kd_gpus;

/* Create an empty list; nothing is looked for so far. Returns 0, or -ENOMEM. */
int kd_gpus_create(struct kd_gpus **out);

/* Stops what counts. NULL is allowed. */
void kd_gpus_destroy(struct kd_gpus *gpus);

/*
 * Open the library's state, the same until a fork(): the child gets another
 * one. Returns 0, or the errors of drmperf_create().
 */
int kd_gpus_open(struct kd_gpus *gpus, struct drmperf **out,
		 struct drmperf_error *error);

/* Return whether a value is a fraction that an integer would not show. */
bool kd_gpus_is_in_thousandths(const struct drmperf_event *event);

/*
 * Open the GPUs, and put their counters at the end of the list: under the names
 * that KD_KHR_perfcounter recommends where an event of libdrmperf counts the
 * same, and every event by its own name. A GPU that cannot be used is reported.
 * Returns 0, or -ENOMEM and the like, which do not concern a GPU.
 */
int
kd_gpu_list(struct kd_gpus *gpus, struct kd_list *list,
	    struct drmperf_error *error);

/*
 * Check that these can count together; touches no hardware. Returns 0, -EACCES
 * if one is of a GPU that cannot be used, or the errors of drmperf_event_find()
 * and drmperf_session_create().
 */
int kd_gpus_check(struct kd_gpus *gpus,
		  const struct kd_counter *const *counters, size_t count,
		  struct drmperf_error *error);

/*
 * Stop what counts, and count these from zero; count may be 0. The errors of
 * kd_gpus_check() and of drmperf_session_start(): nothing counts then.
 */
int kd_gpus_start(struct kd_gpus *gpus,
		  const struct kd_counter *const *counters, size_t count,
		  struct drmperf_error *error);

/*
 * Read the values of the counters that were started, in this order. Returns 0,
 * or the errors of drmperf_session_read().
 */
int kd_gpus_read(struct kd_gpus *gpus, KDint64 *values,
		 struct drmperf_error *error);

/* End what counts. */
void kd_gpus_stop(struct kd_gpus *gpus);

/* End what counts without waiting for other threads: the process ends. */
void kd_gpus_leave(struct kd_gpus *gpus);

#endif /* KD_GPUS_H */
