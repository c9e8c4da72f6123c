/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a session counts in one domain.
 */
#ifndef DRMPERF_LIB_DEVICE_SUBSCRIPTION_H
#define DRMPERF_LIB_DEVICE_SUBSCRIPTION_H

#include "device/domain.h"

/*
 * A member for these requests, which must live as long as the member. Touches
 * no hardware.
 */
int
subscription_init(struct subscription *member, struct domain *domain,
		  const struct counter_request *requests, size_t count,
		  const struct run_options *options);
void
subscription_finish(struct subscription *member);

/* In a forked child: free what the member holds, without any effect. */
void
subscription_abandon(struct subscription *member);

/*
 * Begin to count. -EBUSY if another process or incompatible sessions of this
 * one have the domain; the driver's errors.
 */
int
subscription_join(struct subscription *member, struct drmperf_error *error);

/* Of domain_ops, of the run it counts in. -ENOTSUP if its driver has none. */
int
subscription_head(struct subscription *member, void *buffer, size_t size,
		  size_t *length, struct drmperf_error *error);
int
subscription_feed(struct subscription *member,
		  const struct raw_records *records, size_t *used,
		  struct drmperf_error *error);

/*
 * Bring member->delta up to date, in any mode that drivers know. Returns 0;
 * DRIVER_SAMPLE_PARTIAL if member->missing tells of requests without a value;
 * the driver's errors, whose text in *error the next calls keep if it is left
 * there.
 */
int
subscription_sample(struct subscription *member, enum drmperf_read_mode mode,
		    struct drmperf_error *error);

/* End counting; it is out of the domain even if an error is returned. */
int
subscription_leave(struct subscription *member, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_SUBSCRIPTION_H */
