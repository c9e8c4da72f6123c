/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/subscription.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec2.h"
#include "base/cold.h"

int
subscription_init(struct subscription *member, struct domain *domain,
		  const struct counter_request *requests, size_t count,
		  const struct run_options *options)
{
	memset(member, 0, sizeof(*member));
	member->domain = domain;
	member->run = domain_is_shared(domain) ? &domain->shared : &member->own;
	member->requests = requests;
	member->request_count = count;
	member->options = *options;
	member->first = calloc(count, sizeof(*member->first));
	member->stretches = calloc(count + 1, sizeof(*member->stretches));
	if (!member->first || !member->stretches)
		goto no_memory;
	request_lay_out(domain->description, requests, count, member->first,
			&member->value_count);
	member->base = calloc(member->value_count + 1, sizeof(*member->base));
	member->delta = calloc(member->value_count + 1, sizeof(*member->delta));
	if (!member->base || !member->delta)
		goto no_memory;
	if (domain->info->ops->missing) {
		member->missing = calloc(count, sizeof(*member->missing));
		if (!member->missing)
			goto no_memory;
	}
	member->keeps = domain->info->ops->keep != NULL;
	if (member->keeps)
		domain->info->ops->keep(domain->info->device, true);
	return 0;

no_memory:
	subscription_finish(member);
	return -ENOMEM;
}

void
subscription_finish(struct subscription *member)
{
	if (member->keeps)
		member->domain->info->ops->keep(member->domain->info->device,
						false);
	free(member->first);
	free(member->stretches);
	free(member->base);
	free(member->delta);
	free(member->missing);
	memset(member, 0, sizeof(*member));
}

void
subscription_abandon(struct subscription *member)
{
	member->keeps = false;
	domain_abandon_run(member->domain, &member->own);
}

static void
listen(struct subscription *member)
{
	struct domain *domain = member->domain;

	if (!member->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	member->next_listener = domain->listeners;
	domain->listeners = member;
	pthread_mutex_unlock(&domain->listener_lock);
}

static void
unlisten(struct subscription *member)
{
	struct domain *domain = member->domain;
	struct subscription **link;

	if (!member->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	for (link = &domain->listeners; *link; link = &(*link)->next_listener) {
		if (*link == member) {
			*link = member->next_listener;
			break;
		}
	}
	pthread_mutex_unlock(&domain->listener_lock);
}

int
subscription_join(struct subscription *member, struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	int ret;

	memset(member->base, 0, member->value_count * sizeof(*member->base));
	listen(member);
	pthread_mutex_lock(&domain->lock);
	ret = domain_take_in(domain, member, error);
	pthread_mutex_unlock(&domain->lock);
	if (ret)
		unlisten(member);
	return ret;
}

/* Errors after which a run will never give a value again. */
static bool
is_fatal(int ret)
{
	return ret == -ECANCELED || ret == -ENODEV || ret == -ETIME;
}

COLD static int
say_lost(int cause, struct drmperf_error *error)
{
	/* the read that found it has left the reason there */
	if (!error || error->code != cause || !error->cause[0])
		error_set(error, cause, "counting ended early: %s",
			  strerrordesc_np(-cause));
	error_remedy(error, "stop counting and start again");
	return cause;
}

/* To end a run is not for handlers; it will be as dead at the next read. */
COLD static int
fail(struct domain *domain, const struct domain_run *run,
     enum drmperf_read_mode mode, int ret)
{
	if (is_fatal(ret) && mode != DRIVER_READ_AT_ONCE)
		domain_lose(domain, run, ret);
	return ret;
}

static int
take_sample(struct domain *domain, struct domain_run *run,
	    enum drmperf_read_mode mode, struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	uint64_t arrived = domain->arrived;
	int ret;

	run->answered = 0;
	ret = ops->sample(run->run, mode, run->raw, &run->time_ns, error);
	if (ret < 0)
		return fail(domain, run, mode, ret);
	run->partial = ret == DRIVER_SAMPLE_PARTIAL;
	if (ops->origin)
		ops->origin(run->run, &run->origin);
	else
		run->origin = (struct driver_origin){ .clock = run->time_ns,
						      .hz = 1000000000,
						      .die = -1 };
	if (mode == DRMPERF_READ_FENCED)
		run->answered = arrived;
	return 0;
}

static void
subtract_base(struct subscription *member)
{
	const struct member_stretch *at = member->stretches;
	const struct member_stretch *end = at + member->stretch_count;

	for (; at < end; at++) {
		const uint64_t *raw = at->raw, *base = at->base;
		uint64_t *delta = at->delta;
		size_t count = at->count, i;

		for (i = 0; i + 1 < count; i += 2)
			vec2_store(&delta[i],
				   vec2_load(&raw[i]) - vec2_load(&base[i]));
		if (i < count)
			delta[i] = raw[i] - base[i];
	}
}

/* Formats no text in a handler. */
COLD static int
note_missing(struct subscription *member, enum drmperf_read_mode mode)
{
	const struct domain_ops *ops = member->domain->info->ops;

	for (size_t i = 0; i < member->request_count; i++) {
		struct drmperf_error *error = &member->missing[i];

		if (mode == DRIVER_READ_AT_ONCE)
			error->cause[0] = error->remedy[0] = '\0';
		error->code = ops->missing(member->run->run, i,
					   mode == DRIVER_READ_AT_ONCE ? NULL
								       : error);
	}
	return DRIVER_SAMPLE_PARTIAL;
}

/*
 * Threads that read while another one takes a sample wait for the lock: the
 * first of them to get it takes a sample for all that have arrived by then.
 */
int
subscription_sample(struct subscription *member, enum drmperf_read_mode mode,
		    struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	struct domain_run *run = member->run;
	uint64_t arrival = domain->arrived++;
	int ret = 0;

	if (mode != DRIVER_READ_AT_ONCE)
		pthread_mutex_lock(&domain->lock);
	else if (pthread_mutex_trylock(&domain->lock))
		return -EAGAIN;
	if (member->lost)
		ret = say_lost(member->lost, error);
	else if (arrival >= run->answered)
		ret = take_sample(domain, run, mode, error);
	if (!ret) {
		subtract_base(member);
		member->time_ns = run->time_ns;
		member->origin = run->origin;
		if (run->partial)
			ret = note_missing(member, mode);
	}
	pthread_mutex_unlock(&domain->lock);
	return ret;
}

int
subscription_head(struct subscription *member, void *buffer, size_t size,
		  size_t *length, struct drmperf_error *error)
{
	const struct domain_ops *ops = member->domain->info->ops;
	int ret;

	if (!ops->head)
		return error_set(error, -ENOTSUP,
				 "there are no records of these events");
	pthread_mutex_lock(&member->domain->lock);
	ret = member->lost ? say_lost(member->lost, error)
			   : ops->head(member->run->run, buffer, size, length,
				       error);
	pthread_mutex_unlock(&member->domain->lock);
	return ret;
}

int
subscription_feed(struct subscription *member,
		  const struct raw_records *records, size_t *used,
		  struct drmperf_error *error)
{
	const struct domain_ops *ops = member->domain->info->ops;
	int ret;

	if (!ops->feed)
		return error_set(error, -ENOTSUP,
				 "the GPU itself counts these events");
	pthread_mutex_lock(&member->domain->lock);
	ret = ops->feed(member->run->run, records, used, error);
	pthread_mutex_unlock(&member->domain->lock);
	return ret;
}

int
subscription_leave(struct subscription *member, struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	int ret;

	unlisten(member);
	pthread_mutex_lock(&domain->lock);
	ret = domain_let_go(domain, member, error);
	pthread_mutex_unlock(&domain->lock);
	return ret;
}
