/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/domain.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Drivers may take longer than this while other work holds the GPU's rings. */
#define BEGIN_SECONDS 10

int
domain_init(struct domain *domain, const struct description *description,
	    domain_index index)
{
	int ret;

	memset(domain, 0, sizeof(*domain));
	domain->description = description;
	domain->info = &description->domains[index];
	ret = pthread_mutex_init(&domain->lock, NULL);
	if (ret)
		return -ret;
	ret = pthread_mutex_init(&domain->listener_lock, NULL);
	if (ret)
		goto destroy_lock;
	ret = pthread_cond_init(&domain->begun, NULL);
	if (ret)
		goto destroy_listener_lock;
	return 0;

destroy_listener_lock:
	pthread_mutex_destroy(&domain->listener_lock);
destroy_lock:
	pthread_mutex_destroy(&domain->lock);
	return -ret;
}

/*
 * Clear the pointer before the memory is freed, so that a child that is forked
 * in between does not free it again.
 */
static void
run_free(struct domain_run *run)
{
	const struct domain_run freed = *run;

	memset(run, 0, sizeof(*run));
	atomic_signal_fence(memory_order_seq_cst);
	free(freed.requests);
	free(freed.first);
	free(freed.raw);
}

static void
run_disarm(struct domain *domain, struct domain_run *run)
{
	void *armed = run->run;

	run->run = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	domain->info->ops->disarm(armed);
}

void
domain_finish(struct domain *domain)
{
	if (domain->shared.run)
		run_disarm(domain, &domain->shared);
	run_free(&domain->shared);
	pthread_cond_destroy(&domain->begun);
	pthread_mutex_destroy(&domain->listener_lock);
	pthread_mutex_destroy(&domain->lock);
}

void
domain_abandon_run(struct domain *domain, struct domain_run *run)
{
	if (run->run)
		domain->info->ops->abandon(run->run);
	run_free(run);
}

void
domain_abandon(struct domain *domain)
{
	domain_abandon_run(domain, &domain->shared);
	/* The locks may be held by threads that the child does not have. */
}

static void
append_units(struct counter_request *list, size_t *count,
	     const struct counter_request *requests, size_t request_count)
{
	size_t length;

	for (size_t i = 0; i < request_count; i += length) {
		length = request_unit_length(&requests[i], request_count - i);
		if (request_unit_find(list, *count, &requests[i], length) <
		    *count)
			continue;
		memcpy(&list[*count], &requests[i], length * sizeof(*list));
		*count += length;
	}
}

/*
 * Map a request's values: they extend the last range if they directly follow
 * it, and begin one otherwise.
 */
static void
map_request(struct subscription *subscription, size_t request,
	    const uint64_t *raw)
{
	const size_t first = subscription->first[request];
	const size_t count =
		subscription_values_end(subscription, request) - first;
	struct value_range *next =
		&subscription->ranges[subscription->range_count];

	if (subscription->range_count && raw == next[-1].raw + next[-1].count) {
		next[-1].count += count;
		return;
	}
	subscription->range_count++;
	*next = (struct value_range){
		.raw = raw,
		.base = &subscription->base[first],
		.delta = &subscription->delta[first],
		.count = count,
	};
}

/* Find where the subscription's values are among the run's. */
static void
map_values(struct subscription *subscription)
{
	const struct domain_run *run = subscription->run;
	size_t i, k, at, length;

	subscription->range_count = 0;
	for (i = 0; i < subscription->request_count; i += length) {
		length = request_unit_length(&subscription->requests[i],
					     subscription->request_count - i);
		at = request_unit_find(run->requests, run->request_count,
				       &subscription->requests[i], length);
		for (k = 0; k < length; k++)
			map_request(subscription, i + k,
				    &run->raw[run->first[at + k]]);
	}
}

/*
 * Prepare everything the run needs for the started subscriptions and a new one.
 */
static int
run_prepare(const struct domain *domain, const struct subscription *new,
	    struct domain_run *out)
{
	const struct subscription *subscription;
	size_t values, most = new->request_count;

	memset(out, 0, sizeof(*out));
	for (subscription = domain->subscriptions; subscription;
	     subscription = subscription->next)
		most += subscription->request_count;
	out->requests = calloc(most, sizeof(*out->requests));
	out->first = calloc(most, sizeof(*out->first));
	if (!out->requests || !out->first)
		goto no_memory;
	for (subscription = domain->subscriptions; subscription;
	     subscription = subscription->next)
		append_units(out->requests, &out->request_count,
			     subscription->requests,
			     subscription->request_count);
	append_units(out->requests, &out->request_count, new->requests,
		     new->request_count);
	request_lay_out(domain->description, out->requests, out->request_count,
			out->first, &values);
	out->raw = calloc(values, sizeof(*out->raw));
	if (!out->raw)
		goto no_memory;
	out->clock = new->options.clock;
	return 0;

no_memory:
	run_free(out);
	return -ENOMEM;
}

static void
deliver_raw(void *data, struct drmperf_device *device, const void *record,
	    size_t size)
{
	struct domain *domain = data;
	struct subscription *subscription;

	pthread_mutex_lock(&domain->listener_lock);
	for (subscription = domain->listeners; subscription;
	     subscription = subscription->next_listener)
		subscription->options.raw(subscription->options.raw_data,
					  device, record, size);
	pthread_mutex_unlock(&domain->listener_lock);
}

static int
try_begin_run(struct domain *domain, const struct subscription *subscription,
	      struct domain_run *run, struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	struct run_options options = subscription->options;
	int ret;

	/* Always request records: a listener may be added later. */
	options.raw = deliver_raw;
	options.raw_data = domain;
	options.relaxed = options.relaxed && !subscription->options.raw;
	ret = ops->arm(domain->info->device, &options, run->requests,
		       run->request_count, &run->run, error);
	if (ret)
		return ret;
	ret = ops->start ? ops->start(run->run, error) : 0;
	if (ret)
		run_disarm(domain, run);
	return ret;
}

/* Begin a run. If the GPU seems to have gone, try its reopened node once. */
static int
run_begin(struct domain *domain, const struct subscription *subscription,
	  struct domain_run *run, struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	int ret = try_begin_run(domain, subscription, run, error);

	if (ret == -ENODEV && ops->reopen &&
	    ops->reopen(domain->info->device) > 0)
		ret = try_begin_run(domain, subscription, run, error);
	return ret;
}

static void
fail_shared_run(struct domain *domain, int cause)
{
	for (struct subscription *subscription = domain->subscriptions;
	     subscription; subscription = subscription->next)
		subscription->lost = cause;
	domain->subscriptions = NULL;
	run_disarm(domain, &domain->shared);
	run_free(&domain->shared);
}

void
domain_fail(struct domain *domain, const struct domain_run *run, int cause)
{
	if (run == &domain->shared)
		fail_shared_run(domain, cause);
}

static struct timespec
seconds_from_now(unsigned seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	return until;
}

/* Wait for the shared run to begin. Caller holds domain->lock. 0, or -EBUSY. */
static int
await_begun(struct domain *domain, const struct timespec *until)
{
	int ret = 0;

	while (domain->beginning && !ret)
		ret = pthread_cond_timedwait(&domain->begun, &domain->lock,
					     until);
	return domain->beginning ? -EBUSY : 0;
}

int
domain_end_shared(struct domain *domain)
{
	const struct timespec until = seconds_from_now(DOMAIN_PATIENCE_SECONDS);
	int ret;

	if (pthread_mutex_timedlock(&domain->lock, &until))
		return -EBUSY;
	ret = await_begun(domain, &until);
	if (!ret && domain->shared.run)
		fail_shared_run(domain, -ECANCELED);
	if (domain->stream)
		domain->info->stream->stop(domain->stream);
	if (domain->trace)
		domain->info->trace->stop(domain->trace);
	pthread_mutex_unlock(&domain->lock);
	return ret;
}

static bool
clock_agrees(const struct domain *domain,
	     const struct subscription *subscription)
{
	return subscription->options.clock == DRMPERF_CLOCK_AUTO ||
	       subscription->options.clock == domain->shared.clock;
}

static bool
run_covers(const struct domain_run *run,
	   const struct subscription *subscription)
{
	size_t length;

	for (size_t i = 0; i < subscription->request_count; i += length) {
		length = request_unit_length(&subscription->requests[i],
					     subscription->request_count - i);
		if (request_unit_find(run->requests, run->request_count,
				      &subscription->requests[i],
				      length) == run->request_count)
			return false;
	}
	return true;
}

/* Add a subscription to the run that other sessions of this process use. */
static int
run_extend(struct domain *domain, struct subscription *subscription,
	   struct drmperf_error *error)
{
	struct domain_run wanted;
	int ret;

	if (!clock_agrees(domain, subscription)) {
		error_set(error, -EBUSY,
			  "this process counts with another clock mode "
			  "already");
		error_remedy(error, "stop that first, or ask for the same "
				    "clock mode");
		return -EBUSY;
	}
	if (run_covers(&domain->shared, subscription))
		return 0;
	ret = run_prepare(domain, subscription, &wanted);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = domain->info->ops->change(domain->shared.run, wanted.requests,
					wanted.request_count, error);
	if (ret) {
		run_free(&wanted);
		if (ret != -ENOSPC)
			return ret;
		error_set(error, -EBUSY,
			  "events that this process counts already leave no "
			  "room for these counters");
		error_remedy(error, "stop counting some of them first, or "
				    "count all of them together");
		return -EBUSY;
	}
	wanted.run = domain->shared.run;
	wanted.clock = domain->shared.clock;
	run_free(&domain->shared);
	domain->shared = wanted;
	for (struct subscription *other = domain->subscriptions; other;
	     other = other->next)
		map_values(other);
	return 0;
}

static int
begin_shared_run(struct domain *domain, struct subscription *subscription,
		 struct drmperf_error *error)
{
	struct domain_run run;
	int ret;

	ret = run_prepare(domain, subscription, &run);
	if (ret)
		return error_set(error, ret, "no memory");
	domain->beginning = true;
	pthread_mutex_unlock(&domain->lock);
	ret = run_begin(domain, subscription, &run, error);
	pthread_mutex_lock(&domain->lock);
	domain->beginning = false;
	pthread_cond_broadcast(&domain->begun);
	if (ret)
		run_free(&run);
	else
		domain->shared = run;
	return ret;
}

static int
join_shared(struct domain *domain, struct subscription *subscription,
	    struct drmperf_error *error)
{
	const struct timespec until = seconds_from_now(BEGIN_SECONDS);

	if (await_begun(domain, &until)) {
		error_set(error, -EBUSY,
			  "another thread of this process has been beginning "
			  "to count for %d seconds",
			  BEGIN_SECONDS);
		error_remedy(error, "a tool that measures threads may hold it "
				    "up: leave this one's out");
		return -EBUSY;
	}
	return domain->shared.run
		       ? run_extend(domain, subscription, error)
		       : begin_shared_run(domain, subscription, error);
}

static int
attach_own_run(struct domain *domain, struct subscription *subscription,
	       struct drmperf_error *error)
{
	struct domain_run *own = &subscription->own;
	int ret;

	ret = run_prepare(
		&(struct domain){ .description = domain->description },
		subscription, own);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = run_begin(domain, subscription, own, error);
	if (ret)
		run_free(own);
	return ret;
}

static int
run_end(struct domain *domain, struct domain_run *run,
	struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	int ret = ops->stop ? ops->stop(run->run, error) : 0;

	run_disarm(domain, run);
	run_free(run);
	return ret;
}

static int
leave_shared(struct domain *domain, struct subscription *subscription,
	     struct drmperf_error *error)
{
	struct subscription **link = &domain->subscriptions;

	while (*link != subscription)
		link = &(*link)->next;
	*link = subscription->next;
	return domain->subscriptions ? 0
				     : run_end(domain, &domain->shared, error);
}

static int
attach_to_shared_run(struct domain *domain, struct subscription *subscription,
		     struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	int ret = join_shared(domain, subscription, error);

	if (ret)
		return ret;
	subscription->next = domain->subscriptions;
	domain->subscriptions = subscription;
	if (subscription->options.raw && ops->listen)
		ret = ops->listen(domain->shared.run, error);
	if (ret)
		leave_shared(domain, subscription, NULL);
	return ret;
}

int
domain_attach(struct domain *domain, struct subscription *subscription,
	      struct drmperf_error *error)
{
	int ret;

	if (domain_is_shared(domain))
		ret = attach_to_shared_run(domain, subscription, error);
	else
		ret = attach_own_run(domain, subscription, error);
	if (ret)
		return ret;
	map_values(subscription);
	subscription->lost = 0;
	return 0;
}

int
domain_detach(struct domain *domain, struct subscription *subscription,
	      struct drmperf_error *error)
{
	if (!domain_is_shared(domain))
		return run_end(domain, &subscription->own, error);
	return subscription->lost ? 0
				  : leave_shared(domain, subscription, error);
}
