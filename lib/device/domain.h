/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A domain of an open device, and the run that its subscriptions share.
 *
 * A subscription is what one session counts in the domain. The subscriptions
 * that are started at the same time use one run of the driver, whose requests
 * are the union of theirs; each subscription keeps its own base line, and what
 * has come since. In domains whose driver cannot change a run every
 * subscription has a run to itself.
 */
#ifndef DRMPERF_LIB_DEVICE_DOMAIN_H
#define DRMPERF_LIB_DEVICE_DOMAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/driver.h"

/* A run with its requests and the values of its last sample. */
struct domain_run {
	void *run; /* the driver's; NULL: nothing counts */
	struct counter_request *requests;
	size_t *first; /* position of each request's first raw value */
	size_t request_count;
	uint64_t *raw;
	uint64_t time_ns; /* of that sample */
	bool partial; /* some requests have none, see domain_ops.missing */
	/*
	 * Number of reads that had arrived at the domain when this fenced
	 * sample began: its values serve all of them.
	 */
	uint64_t answered;
	enum drmperf_clock_mode clock;
};

struct domain {
	const struct description *description;
	const struct description_domain *info;
	_Atomic uint64_t arrived; /* reads that have ever begun */
	pthread_mutex_t lock; /* everything below, and calls on the run */
	struct domain_run shared;
	/*
	 * A call is beginning the shared run, without the lock: drivers create
	 * threads and wait for them, and a tool that measures threads may take
	 * locks of its own when one starts.
	 */
	bool beginning;
	pthread_cond_t begun; /* signals the end of beginning */
	struct subscription *subscriptions; /* started ones, by next */
	void *stream; /* the driver's, begun by drmperf_stream_create() */
	void *trace; /* by drmperf_trace_create() */
	/*
	 * Taken alone, never together with lock: the driver's thread delivers
	 * raw records while a sample, under lock, waits for that thread.
	 */
	pthread_mutex_t listener_lock;
	struct subscription *listeners; /* those with raw, by next_listener */
};

/* A range of values that are contiguous in the subscription and in its run. */
struct value_range {
	const uint64_t *raw; /* the run's */
	const uint64_t *base;
	uint64_t *delta;
	size_t count;
};

struct subscription {
	bool keeps; /* what the driver keeps between runs: see driver.h */
	struct domain *domain;
	struct domain_run *run; /* in which it counts */
	const struct counter_request *requests; /* the session's */
	size_t request_count;
	size_t *first; /* position of a request's first value */
	size_t value_count;
	uint64_t *base; /* raw values that mean zero */
	uint64_t *delta; /* raw values of the last sample, less base */
	struct value_range *ranges; /* once it has joined */
	size_t range_count;
	uint64_t time_ns; /* of the last sample */
	struct driver_origin origin; /* of the last sample */
	uint64_t arrived; /* domain->arrived when a sample was submitted */
	struct run_options options;
	struct domain_run own; /* used where runs cannot be shared */
	struct subscription *next;
	struct subscription *next_listener;
	int lost; /* the run died with this error; 0 if it lives */
	/*
	 * Per request why a partial sample lacks it, code 0 if it does not;
	 * NULL where samples have all values or none.
	 */
	struct drmperf_error *missing;
};

int
domain_init(struct domain *domain, const struct description *description,
	    domain_index index);
void
domain_finish(struct domain *domain);

/* Free the run in a forked child, without any effect on the parent's. */
void
domain_abandon(struct domain *domain);

/*
 * End the run that subscriptions share, with -ECANCELED for the subscriptions,
 * a stream and a trace. Waits at most DOMAIN_PATIENCE_SECONDS for a thread that
 * is in a call on the domain: that may be the calling thread, interrupted by a
 * signal. Returns 0, or -EBUSY if that was not enough.
 */
#define DOMAIN_PATIENCE_SECONDS 1
int
domain_end_shared(struct domain *domain);

/*
 * Attach a subscription to the domain's run, which then counts its requests in
 * addition to the others', and detach it. Caller holds domain->lock, which is
 * released while a shared run begins. Returns 0, the driver's errors, or -EBUSY
 * if the subscriptions do not fit together or another thread does not finish
 * beginning the run. domain_detach() removes the subscription even on error.
 */
int
domain_attach(struct domain *domain, struct subscription *subscription,
	      struct drmperf_error *error);
int
domain_detach(struct domain *domain, struct subscription *subscription,
	      struct drmperf_error *error);

/* Free a run in a forked child, without any effect on the parent's. */
void
domain_abandon_run(struct domain *domain, struct domain_run *run);

/* Return the position behind the last value of a request. */
static inline size_t
subscription_values_end(const struct subscription *subscription, size_t request)
{
	return request + 1 < subscription->request_count
		       ? subscription->first[request + 1]
		       : subscription->value_count;
}

/* Return whether members share a run; else each has its own. */
static inline bool
domain_is_shared(const struct domain *domain)
{
	return domain->info->ops->change != NULL;
}

/*
 * Record that a run no longer counts. A shared run is ended, and its
 * subscriptions fail with cause from then on; an unshared one is ended by its
 * subscription.
 */
void
domain_fail(struct domain *domain, const struct domain_run *run, int cause);

#endif /* DRMPERF_LIB_DEVICE_DOMAIN_H */
