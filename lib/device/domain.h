/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A domain of an open device, and the run that its sessions share.
 *
 * What a session counts in one domain is a part. The parts that are started
 * at the same time use one run of the driver, whose requests are the union of
 * theirs; each part keeps its own copy of the raw values and, above, its own
 * base line. In domains whose driver cannot change a run every part has a run
 * to itself.
 */
#ifndef DRMPERF_LIB_DEVICE_DOMAIN_H
#define DRMPERF_LIB_DEVICE_DOMAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/driver.h"

/* A run with what it was asked for, and the values it gave last. */
struct domain_run {
	void *run; /* the driver's; NULL: nothing counts */
	struct counter_request *requests;
	size_t *first; /* position of each request's first raw value */
	size_t request_count;
	uint64_t *raw;
	enum drmperf_clock_mode clock;
};

struct domain {
	const struct description *description;
	const struct description_domain *info;
	pthread_mutex_t lock; /* everything below, and calls on the run */
	struct domain_run shared;
	struct part *parts; /* started parts, by part.next */
	/*
	 * Taken alone, never together with lock: the driver's thread delivers
	 * raw records while a sample, under lock, waits for that thread.
	 */
	pthread_mutex_t listener_lock;
	struct part *listeners; /* started parts with raw, by next_listener */
};

struct part {
	struct domain *domain;
	const struct counter_request *requests; /* the session's */
	size_t request_count;
	size_t *first; /* position in raw of a request's first value */
	size_t *run_first; /* the same in the run's raw values */
	uint64_t *raw; /* the values of the last sample */
	size_t raw_count;
	struct run_options options;
	struct domain_run own; /* used where runs cannot be shared */
	struct part *next;
	struct part *next_listener;
	int lost; /* the run died with this error; 0 if it lives */
	bool joined;
};

int
domain_init(struct domain *domain, const struct description *description,
	    domain_index index);
void
domain_finish(struct domain *domain);

/* In a forked child: free the run without any effect on the parent's. */
void
domain_abandon(struct domain *domain);

/*
 * End the run that parts share, for those who use it with -ECANCELED. Waits no
 * longer than this for a thread that is in a call on the domain: it may be the
 * caller, in a signal handler. -EBUSY if that was not enough.
 */
#define DOMAIN_PATIENCE_SECONDS 1
int
domain_end_shared(struct domain *domain);

/*
 * A part for these requests, which must live as long as the part. Touches no
 * hardware.
 */
int
part_init(struct part *part, struct domain *domain,
	  const struct counter_request *requests, size_t count,
	  const struct run_options *options);
void
part_finish(struct part *part);

/* In a forked child: free what the part holds, without any effect. */
void
part_abandon(struct part *part);

/* Number of raw values that a request gives. */
size_t
request_values(const struct description *description,
	       const struct counter_request *request);

/*
 * Begin to count. -EBUSY if another process or incompatible sessions of this
 * one have the domain; the driver's errors.
 */
int
part_join(struct part *part, struct drmperf_error *error);

/* Bring part->raw up to date. Never allocates. */
int
part_sample(struct part *part, enum drmperf_read_mode mode, uint64_t *time_ns,
	    struct drmperf_error *error);

/* End counting. The part is out of the domain even if an error is returned. */
int
part_leave(struct part *part, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_DOMAIN_H */
