/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A subscription: the requests that a session counts in one domain.
 */
#ifndef DRMPERF_LIB_DEVICE_SUBSCRIPTION_H
#define DRMPERF_LIB_DEVICE_SUBSCRIPTION_H

#include "device/domain.h"

/*
 * Initialize a subscription for these requests, which must live as long as the
 * subscription. Touches no hardware.
 */
int
subscription_init(struct subscription *subscription, struct domain *domain,
		  const struct counter_request *requests, size_t count,
		  const struct run_options *options);
void
subscription_finish(struct subscription *subscription);

/* Free what the subscription holds in a forked child, without any effect. */
void
subscription_abandon(struct subscription *subscription);

/*
 * Begin to count. -EBUSY if another process or incompatible sessions of this
 * one have the domain; the driver's errors.
 */
int
subscription_join(struct subscription *subscription,
		  struct drmperf_error *error);

/*
 * Forward to the run's stream_header() and replay(). Return -ENOTSUP if its
 * driver has none.
 */
int
subscription_stream_header(struct subscription *subscription, void *buffer,
			   size_t size, size_t *length,
			   struct drmperf_error *error);
int
subscription_replay(struct subscription *subscription,
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

/*
 * Return whether a sample can be taken by subscription_submit() and
 * subscription_wait(). If the former returns DRIVER_SAMPLE_PENDING, the domain
 * is locked, and the latter must be called until it returns something else; it
 * returns DRIVER_SAMPLE_PENDING only if asked to wait briefly.
 *
 * A thread that submits samples of several domains holds their locks together,
 * and locks between processes: it must take them in the order of
 * sample_submit() of struct domain_ops. A run that died is ended by the next
 * subscription_sample(), not here.
 */
static inline bool
subscription_can_submit(const struct subscription *subscription)
{
	return subscription->domain->info->ops->sample_submit != NULL;
}
int
subscription_submit(struct subscription *subscription,
		    enum drmperf_read_mode mode, struct drmperf_error *error);
int
subscription_wait(struct subscription *subscription,
		  enum drmperf_read_mode mode, bool briefly,
		  struct drmperf_error *error);

/* End counting. The subscription is detached even if this returns an error. */
int
subscription_leave(struct subscription *subscription,
		   struct drmperf_error *error);

#endif /* DRMPERF_LIB_DEVICE_SUBSCRIPTION_H */
