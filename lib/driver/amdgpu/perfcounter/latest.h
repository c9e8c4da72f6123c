/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The totals of the last sample of a run, for reads that do not wait for a
 * newer one: a thread samples every millisecond while there are such reads.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_LATEST_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_LATEST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/selection/selection.h"

#define LATEST_PERIOD_MS 1

struct latest {
	bool is_wanted; /* by the session that has started the run */
	atomic_bool looked; /* since the thread last checked */
	uint64_t watched_until_ns; /* the thread's */
	pthread_mutex_t lock; /* of what is below; held for copying only */
	uint64_t *totals;
	size_t room;
	size_t count; /* 0: there is no sample */
	uint64_t timestamp; /* of the GPU */
	uint64_t time_ns;
};

void
latest_init(struct latest *latest, bool is_wanted);
void
latest_finish(struct latest *latest);

/* Make room for samples of that many totals. Returns 0, or -ENOMEM. */
int
latest_reserve(struct latest *latest, size_t count);

/* Publish a sample, or forget the last one. Does nothing unless is_wanted. */
void
latest_publish(struct latest *latest, const struct selection *selection,
	       uint64_t timestamp, uint64_t time_ns);
void
latest_forget(struct latest *latest);

/*
 * Copy the values of the last sample for the requests of its selection. Returns
 * false if there is no sample, or if must_be_new is set and it is older than a
 * few periods. The thread samples for half a second after this has been called.
 */
bool
latest_get(struct latest *latest, bool must_be_new,
	   const struct selection *selection, uint64_t *raw,
	   uint64_t *timestamp, uint64_t *time_ns);

/* Return whether the thread is to sample for such reads at that time. */
bool
latest_is_watched(struct latest *latest, uint64_t now_ns);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_LATEST_H */
