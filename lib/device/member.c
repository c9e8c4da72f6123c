/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/member.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
member_init(struct member *member, struct domain *domain,
	    const struct counter_request *requests, size_t count,
	    const struct run_options *options)
{
	memset(member, 0, sizeof(*member));
	member->domain = domain;
	member->requests = requests;
	member->request_count = count;
	member->options = *options;
	member->first = calloc(count, sizeof(*member->first));
	member->run_first = calloc(count, sizeof(*member->run_first));
	if (!member->first || !member->run_first)
		goto no_memory;
	request_lay_out(domain->description, requests, count, member->first,
			&member->raw_count);
	member->raw = calloc(member->raw_count, sizeof(*member->raw));
	if (!member->raw)
		goto no_memory;
	return 0;

no_memory:
	member_finish(member);
	return -ENOMEM;
}

void
member_finish(struct member *member)
{
	free(member->first);
	free(member->run_first);
	free(member->raw);
	memset(member, 0, sizeof(*member));
}

void
member_abandon(struct member *member)
{
	domain_abandon_run(member->domain, &member->own);
}

static void
listen(struct member *member)
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
unlisten(struct member *member)
{
	struct domain *domain = member->domain;
	struct member **link;

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
member_join(struct member *member, struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	int ret;

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

/* Requests whose values lie in the same order in the run are copied as one. */
static void
copy_values(struct member *member, const struct domain_run *run)
{
	const size_t *to = member->first, *from = member->run_first;
	size_t begin, end, i = 0;

	while (i < member->request_count) {
		size_t distance = from[i] - to[i];

		begin = to[i];
		while (++i < member->request_count &&
		       from[i] - to[i] == distance)
			;
		end = i < member->request_count ? to[i] : member->raw_count;
		memcpy(&member->raw[begin], &run->raw[begin + distance],
		       (end - begin) * sizeof(*member->raw));
	}
}

static int
say_lost(int cause, struct drmperf_error *error)
{
	error_set(error, cause, "counting ended early: %s",
		  strerrordesc_np(-cause));
	error_remedy(error, "stop the session and start it again");
	return cause;
}

static void
look_at_origin(const struct domain *domain, struct domain_run *run)
{
	const struct domain_ops *ops = domain->info->ops;

	run->origin = (struct driver_origin){ .clock_ns = run->time_ns,
					      .die = -1 };
	if (ops->origin)
		ops->origin(run->run, &run->origin);
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
	if (!ret)
		look_at_origin(domain, run);
	if (!ret && mode == DRMPERF_READ_FENCED)
		run->answered = arrived;
	/* to end a run is not for handlers; it will be as dead at the next */
	if (is_fatal(ret) && mode != DRIVER_READ_AT_ONCE)
		domain_lose(domain, run, ret);
	return ret;
}

/*
 * Threads that read while another one takes a sample wait for the lock: the
 * first of them to get it takes a sample for all that have arrived by then.
 */
static int
sample_locked(struct member *member, enum drmperf_read_mode mode,
	      uint64_t arrival, uint64_t *time_ns, struct drmperf_error *error)
{
	struct domain_run *run = domain_run_of(member->domain, member);
	int ret = 0;

	if (member->lost)
		return say_lost(member->lost, error);
	if (arrival >= run->answered)
		ret = take_sample(member->domain, run, mode, error);
	if (ret)
		return ret;
	copy_values(member, run);
	member->origin = run->origin;
	*time_ns = run->time_ns;
	return 0;
}

int
member_sample(struct member *member, enum drmperf_read_mode mode,
	      uint64_t *time_ns, struct drmperf_error *error)
{
	uint64_t arrival = member->domain->arrived++;
	int ret;

	if (mode != DRIVER_READ_AT_ONCE)
		pthread_mutex_lock(&member->domain->lock);
	else if (pthread_mutex_trylock(&member->domain->lock))
		return -EAGAIN;
	ret = sample_locked(member, mode, arrival, time_ns, error);
	pthread_mutex_unlock(&member->domain->lock);
	return ret;
}

int
member_leave(struct member *member, struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	int ret;

	unlisten(member);
	pthread_mutex_lock(&domain->lock);
	ret = domain_let_go(domain, member, error);
	pthread_mutex_unlock(&domain->lock);
	return ret;
}
