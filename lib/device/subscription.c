/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/subscription.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec2.h"
#include "base/cold.h"

int
subscription_init(struct subscription *subscription, struct domain *domain,
		  const struct counter_request *requests, size_t count,
		  const struct run_options *options)
{
	memset(subscription, 0, sizeof(*subscription));
	subscription->domain = domain;
	subscription->run =
		domain_is_shared(domain) ? &domain->shared : &subscription->own;
	subscription->requests = requests;
	subscription->request_count = count;
	subscription->options = *options;
	subscription->first = calloc(count, sizeof(*subscription->first));
	subscription->ranges = calloc(count + 1, sizeof(*subscription->ranges));
	if (!subscription->first || !subscription->ranges)
		goto no_memory;
	request_lay_out(domain->description, requests, count,
			subscription->first, &subscription->value_count);
	subscription->base = calloc(subscription->value_count + 1,
				    sizeof(*subscription->base));
	subscription->delta = calloc(subscription->value_count + 1,
				     sizeof(*subscription->delta));
	if (!subscription->base || !subscription->delta)
		goto no_memory;
	if (domain->info->ops->missing) {
		subscription->missing =
			calloc(count, sizeof(*subscription->missing));
		if (!subscription->missing)
			goto no_memory;
	}
	subscription->keeps = domain->info->ops->keep != NULL;
	if (subscription->keeps)
		domain->info->ops->keep(domain->info->device, true);
	return 0;

no_memory:
	subscription_finish(subscription);
	return -ENOMEM;
}

void
subscription_finish(struct subscription *subscription)
{
	if (subscription->keeps)
		subscription->domain->info->ops->keep(
			subscription->domain->info->device, false);
	free(subscription->first);
	free(subscription->ranges);
	free(subscription->base);
	free(subscription->delta);
	free(subscription->missing);
	memset(subscription, 0, sizeof(*subscription));
}

void
subscription_abandon(struct subscription *subscription)
{
	subscription->keeps = false;
	domain_abandon_run(subscription->domain, &subscription->own);
}

static void
start_listening(struct subscription *subscription)
{
	struct domain *domain = subscription->domain;

	if (!subscription->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	subscription->next_listener = domain->listeners;
	domain->listeners = subscription;
	pthread_mutex_unlock(&domain->listener_lock);
}

static void
stop_listening(struct subscription *subscription)
{
	struct domain *domain = subscription->domain;
	struct subscription **link;

	if (!subscription->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	for (link = &domain->listeners; *link; link = &(*link)->next_listener) {
		if (*link == subscription) {
			*link = subscription->next_listener;
			break;
		}
	}
	pthread_mutex_unlock(&domain->listener_lock);
}

int
subscription_join(struct subscription *subscription,
		  struct drmperf_error *error)
{
	struct domain *domain = subscription->domain;
	int ret;

	memset(subscription->base, 0,
	       subscription->value_count * sizeof(*subscription->base));
	start_listening(subscription);
	pthread_mutex_lock(&domain->lock);
	ret = domain_attach(domain, subscription, error);
	pthread_mutex_unlock(&domain->lock);
	if (ret)
		stop_listening(subscription);
	return ret;
}

/* Return whether a run is dead after this error. */
static bool
is_fatal(int ret)
{
	return ret == -ECANCELED || ret == -ENODEV || ret == -ETIME;
}

COLD static int
explain_lost(int cause, struct drmperf_error *error)
{
	/* the read that found it has left the reason there */
	if (!error || error->code != cause || !error->cause[0])
		error_set(error, cause, "counting ended early: %s",
			  strerrordesc_np(-cause));
	error_remedy(error, "stop counting and start again");
	return cause;
}

/*
 * Fail a run. A signal handler must not end it, and leaves that to the next
 * read.
 */
COLD static int
fail_run(struct domain *domain, const struct domain_run *run,
	 enum drmperf_read_mode mode, int ret)
{
	if (is_fatal(ret) && mode != DRIVER_READ_AT_ONCE)
		domain_fail(domain, run, ret);
	return ret;
}

static int
take_sample(struct domain *domain, struct domain_run *run,
	    enum drmperf_read_mode mode, struct drmperf_error *error)
{
	uint64_t arrived = domain->arrived;
	int ret;

	run->answered = 0;
	ret = domain->info->ops->sample(run->run, mode, run->raw, &run->time_ns,
					error);
	if (ret < 0)
		return fail_run(domain, run, mode, ret);
	run->partial = ret == DRIVER_SAMPLE_PARTIAL;
	if (mode == DRMPERF_READ_FENCED)
		run->answered = arrived;
	return 0;
}

static inline void
subtract_base(struct subscription *subscription)
{
	const struct value_range *at = subscription->ranges;
	const struct value_range *end = at + subscription->range_count;

	for (; at < end; at++) {
		const uint64_t *raw = at->raw, *base = at->base;
		uint64_t *delta = at->delta;
		size_t i = at->count;

		if (i % 2) {
			i--;
			delta[i] = raw[i] - base[i];
		}
		/* down to 0, which is not to be compared with */
		while (i) {
			i -= 2;
			vec2_store(&delta[i],
				   vec2_load(&raw[i]) - vec2_load(&base[i]));
		}
	}
}

/* Record which values are missing. In a signal handler no text is formatted. */
COLD static int
note_missing(struct subscription *subscription, enum drmperf_read_mode mode)
{
	const struct domain_ops *ops = subscription->domain->info->ops;

	for (size_t i = 0; i < subscription->request_count; i++) {
		struct drmperf_error *error = &subscription->missing[i];

		if (mode == DRIVER_READ_AT_ONCE)
			error->cause[0] = error->remedy[0] = '\0';
		error->code = ops->missing(subscription->run->run, i,
					   mode == DRIVER_READ_AT_ONCE ? NULL
								       : error);
	}
	return DRIVER_SAMPLE_PARTIAL;
}

/*
 * Enter the domain. Threads that read during another one's sample wait for the
 * lock; the first to get it samples for all that have arrived by then. Return
 * whether the run's values are too old for this read.
 */
static inline int
enter_domain(struct subscription *subscription, enum drmperf_read_mode mode,
	     bool *is_old)
{
	struct domain *domain = subscription->domain;
	uint64_t arrival = domain->arrived++;

	if (mode != DRIVER_READ_AT_ONCE)
		pthread_mutex_lock(&domain->lock);
	else if (pthread_mutex_trylock(&domain->lock))
		return -EAGAIN;
	*is_old = arrival >= subscription->run->answered;
	return 0;
}

/* Copy the origin of the run's values, if the driver reports one. */
static inline void
take_origin(struct subscription *subscription)
{
	const struct domain_run *run = subscription->run;
	const struct domain_ops *ops = subscription->domain->info->ops;

	subscription->time_ns = run->time_ns;
	if (ops->origin)
		ops->origin(run->run, &subscription->origin);
	else
		subscription->origin = (struct driver_origin){
			.clock = run->time_ns, .hz = 1000000000, .die = -1
		};
}

/*
 * Leave the domain: the run's values are the subscription's, unless there was
 * an error.
 */
static inline int
leave_domain(struct subscription *subscription, enum drmperf_read_mode mode,
	     int ret)
{
	if (!ret) {
		subtract_base(subscription);
		take_origin(subscription);
		if (subscription->run->partial)
			ret = note_missing(subscription, mode);
	}
	pthread_mutex_unlock(&subscription->domain->lock);
	return ret;
}

int
subscription_sample(struct subscription *subscription,
		    enum drmperf_read_mode mode, struct drmperf_error *error)
{
	bool is_old;
	int ret = enter_domain(subscription, mode, &is_old);

	if (ret)
		return ret;
	if (subscription->lost)
		ret = explain_lost(subscription->lost, error);
	else if (is_old)
		ret = take_sample(subscription->domain, subscription->run, mode,
				  error);
	return leave_domain(subscription, mode, ret);
}

/*
 * Submit a sample. A run that turns out dead is not ended here, since that
 * takes locks out of order while other domains' samples are submitted; the next
 * sample alone ends it.
 */
int
subscription_submit(struct subscription *subscription,
		    enum drmperf_read_mode mode, struct drmperf_error *error)
{
	struct domain *domain = subscription->domain;
	struct domain_run *run = subscription->run;
	bool is_old;
	int ret = enter_domain(subscription, mode, &is_old);

	if (ret)
		return ret;
	if (subscription->lost) {
		ret = explain_lost(subscription->lost, error);
	} else if (is_old) {
		run->answered = 0;
		subscription->arrived = domain->arrived;
		ret = domain->info->ops->sample_submit(run->run, mode, error);
		if (!ret)
			return DRIVER_SAMPLE_PENDING;
	}
	return leave_domain(subscription, mode, ret);
}

int
subscription_wait(struct subscription *subscription,
		  enum drmperf_read_mode mode, bool briefly,
		  struct drmperf_error *error)
{
	struct domain *domain = subscription->domain;
	struct domain_run *run = subscription->run;
	int ret = domain->info->ops->sample_wait(run->run, briefly, run->raw,
						 &run->time_ns, error);

	if (ret == DRIVER_SAMPLE_PENDING)
		return ret;
	run->partial = false;
	if (!ret && mode == DRMPERF_READ_FENCED)
		run->answered = subscription->arrived;
	return leave_domain(subscription, mode, ret);
}

int
subscription_stream_header(struct subscription *subscription, void *buffer,
			   size_t size, size_t *length,
			   struct drmperf_error *error)
{
	const struct domain_ops *ops = subscription->domain->info->ops;
	int ret;

	if (!ops->stream_header)
		return error_set(error, -ENOTSUP,
				 "there are no records of these events");
	pthread_mutex_lock(&subscription->domain->lock);
	ret = subscription->lost
		      ? explain_lost(subscription->lost, error)
		      : ops->stream_header(subscription->run->run, buffer, size,
					   length, error);
	pthread_mutex_unlock(&subscription->domain->lock);
	return ret;
}

int
subscription_replay(struct subscription *subscription,
		    const struct raw_records *records, size_t *used,
		    struct drmperf_error *error)
{
	const struct domain_ops *ops = subscription->domain->info->ops;
	int ret;

	if (!ops->replay)
		return error_set(error, -ENOTSUP,
				 "the GPU itself counts these events");
	pthread_mutex_lock(&subscription->domain->lock);
	ret = ops->replay(subscription->run->run, records, used, error);
	pthread_mutex_unlock(&subscription->domain->lock);
	return ret;
}

int
subscription_leave(struct subscription *subscription,
		   struct drmperf_error *error)
{
	struct domain *domain = subscription->domain;
	int ret;

	stop_listening(subscription);
	pthread_mutex_lock(&domain->lock);
	ret = domain_detach(domain, subscription, error);
	pthread_mutex_unlock(&domain->lock);
	return ret;
}
