/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a session counts in one domain.
 */
#ifndef DRMPERF_LIB_DEVICE_SUBSCRIPTION_H
#define DRMPERF_LIB_DEVICE_SUBSCRIPTION_H

#include "device/domain.h"

/*
 * A subscription for these requests, which must live as long as the
 * subscription. Touches no hardware.
 */
int
subscription_init(struct subscription *subscription, struct domain *domain,
		  const struct counter_request *requests, size_t count,
		  const struct run_options *options);
void
subscription_finish(struct subscription *subscription);

/* In a forked child: free what the subscription holds, without any effect. */
void
subscription_abandon(struct subscription *subscription);

/*
 * Begin to count. -EBUSY if another process or incompatible sessions of this
 * one have the domain; the driver's errors.
 */
int
subscription_join(struct subscription *subscription,
		  struct drmperf_error *error);

/* Forward to the run's head() and feed(); -ENOTSUP if its driver has none. */
int
subscription_head(struct subscription *subscription, void *buffer, size_t size,
		  size_t *length, struct drmperf_error *error);
int
subscription_feed(struct subscription *subscription,
		  const struct raw_records *records, size_t *used,
		  struct drmperf_error *error);

/*
 * Bring subscription->delta up to date, in any mode that drivers know. Returns
 * 0; DRIVER_SAMPLE_PARTIAL if subscription->missing tells of requests without a
 * value; the driver's errors, whose text in *error the next calls keep if it is
 * left there.
 */
int
subscription_sample(struct subscription *subscription,
		    enum drmperf_read_mode mode, struct drmperf_error *error);

/* End counting; it is out of the domain even if an error is returned. */
int
subscription_leave(struct subscription *subscription,
		   struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_SUBSCRIPTION_H */
