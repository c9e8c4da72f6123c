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

static void
copy_values(struct member *member, const struct domain_run *run)
{
	for (size_t i = 0; i < member->request_count; i++) {
		size_t values = request_values(member->domain->description,
					       &member->requests[i]);

		memcpy(&member->raw[member->first[i]],
		       &run->raw[member->run_first[i]],
		       values * sizeof(*member->raw));
	}
}

static int
say_lost(int cause, struct drmperf_error *error)
{
	error_set(error, cause, "counting ended early: %s", strerror(-cause));
	error_remedy(error, "stop the session and start it again");
	return cause;
}

static int
sample_locked(struct member *member, enum drmperf_read_mode mode,
	      uint64_t *time_ns, struct drmperf_error *error)
{
	struct domain *domain = member->domain;
	struct domain_run *run = domain_run_of(domain, member);
	int ret;

	if (member->lost)
		return say_lost(member->lost, error);
	ret = domain->info->ops->sample(run->run, mode, run->raw, time_ns,
					error);
	if (!ret)
		copy_values(member, run);
	else if (is_fatal(ret))
		domain_lose(domain, run, ret);
	return ret;
}

int
member_sample(struct member *member, enum drmperf_read_mode mode,
	      uint64_t *time_ns, struct drmperf_error *error)
{
	int ret;

	pthread_mutex_lock(&member->domain->lock);
	ret = sample_locked(member, mode, time_ns, error);
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
