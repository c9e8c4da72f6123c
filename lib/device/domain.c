/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/domain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
		pthread_mutex_destroy(&domain->lock);
	return -ret;
}

static void
run_free(struct domain_run *run)
{
	free(run->requests);
	free(run->first);
	free(run->raw);
	memset(run, 0, sizeof(*run));
}

void
domain_finish(struct domain *domain)
{
	if (domain->shared.run)
		domain->info->ops->disarm(domain->shared.run);
	run_free(&domain->shared);
	pthread_mutex_destroy(&domain->listener_lock);
	pthread_mutex_destroy(&domain->lock);
}

void
domain_abandon(struct domain *domain)
{
	if (domain->shared.run)
		domain->info->ops->abandon(domain->shared.run);
	run_free(&domain->shared);
	/* The locks may be held by threads that the child does not have. */
}

size_t
request_values(const struct description *description,
	       const struct counter_request *request)
{
	if (request->instance != DRMPERF_ALL_INSTANCES)
		return 1;
	return description->groups[request->group].instances;
}

static void
lay_out(const struct description *description,
	const struct counter_request *requests, size_t count, size_t *first,
	size_t *total)
{
	*total = 0;
	for (size_t i = 0; i < count; i++) {
		first[i] = *total;
		*total += request_values(description, &requests[i]);
	}
}

int
part_init(struct part *part, struct domain *domain,
	  const struct counter_request *requests, size_t count,
	  const struct run_options *options)
{
	memset(part, 0, sizeof(*part));
	part->domain = domain;
	part->requests = requests;
	part->request_count = count;
	part->options = *options;
	part->first = calloc(count, sizeof(*part->first));
	part->run_first = calloc(count, sizeof(*part->run_first));
	if (!part->first || !part->run_first)
		goto no_memory;
	lay_out(domain->description, requests, count, part->first,
		&part->raw_count);
	part->raw = calloc(part->raw_count, sizeof(*part->raw));
	if (!part->raw)
		goto no_memory;
	return 0;

no_memory:
	part_finish(part);
	return -ENOMEM;
}

void
part_finish(struct part *part)
{
	free(part->first);
	free(part->run_first);
	free(part->raw);
	memset(part, 0, sizeof(*part));
}

void
part_abandon(struct part *part)
{
	if (part->own.run)
		part->domain->info->ops->abandon(part->own.run);
	run_free(&part->own);
}

static bool
request_equal(const struct counter_request *a, const struct counter_request *b)
{
	return a->group == b->group && a->selector == b->selector &&
	       a->setting == b->setting && a->slots == b->slots &&
	       a->instance == b->instance && a->follows == b->follows;
}

/*
 * Requests that must sit side by side are kept together: a unit is a request
 * and those after it that follow it.
 */
static size_t
unit_length(const struct counter_request *requests, size_t count)
{
	size_t length = 1;

	while (length < count && requests[length].follows)
		length++;
	return length;
}

/* The position of the unit in the list, or count if it is not there. */
static size_t
find_unit(const struct counter_request *list, size_t count,
	  const struct counter_request *unit, size_t length)
{
	size_t i, k;

	for (i = 0; i < count; i += unit_length(&list[i], count - i)) {
		if (unit_length(&list[i], count - i) != length)
			continue;
		for (k = 0; k < length; k++) {
			if (!request_equal(&list[i + k], &unit[k]))
				break;
		}
		if (k == length)
			return i;
	}
	return count;
}

static void
append_units(struct counter_request *list, size_t *count,
	     const struct counter_request *requests, size_t request_count)
{
	size_t length;

	for (size_t i = 0; i < request_count; i += length) {
		length = unit_length(&requests[i], request_count - i);
		if (find_unit(list, *count, &requests[i], length) < *count)
			continue;
		memcpy(&list[*count], &requests[i], length * sizeof(*list));
		*count += length;
	}
}

/* Where the part's values are among the run's. */
static void
map_part(struct part *part, const struct domain_run *run)
{
	size_t i, k, at, length;

	for (i = 0; i < part->request_count; i += length) {
		length = unit_length(&part->requests[i],
				     part->request_count - i);
		at = find_unit(run->requests, run->request_count,
			       &part->requests[i], length);
		for (k = 0; k < length; k++)
			part->run_first[i + k] = run->first[at + k];
	}
}

/* Everything the run needs for the started parts and a new one. */
static int
run_prepare(const struct domain *domain, const struct part *new,
	    struct domain_run *out)
{
	const struct part *part;
	size_t values, most = new->request_count;

	memset(out, 0, sizeof(*out));
	for (part = domain->parts; part; part = part->next)
		most += part->request_count;
	out->requests = calloc(most, sizeof(*out->requests));
	out->first = calloc(most, sizeof(*out->first));
	if (!out->requests || !out->first)
		goto no_memory;
	for (part = domain->parts; part; part = part->next)
		append_units(out->requests, &out->request_count, part->requests,
			     part->request_count);
	append_units(out->requests, &out->request_count, new->requests,
		     new->request_count);
	lay_out(domain->description, out->requests, out->request_count,
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
	struct part *part;

	pthread_mutex_lock(&domain->listener_lock);
	for (part = domain->listeners; part; part = part->next_listener)
		part->options.raw(part->options.raw_data, device, record, size);
	pthread_mutex_unlock(&domain->listener_lock);
}

static int
run_begin(struct domain *domain, const struct part *part,
	  struct domain_run *run, struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	struct run_options options = part->options;
	int ret;

	options.raw = deliver_raw;
	options.raw_data = domain;
	ret = ops->arm(domain->info->device, &options, run->requests,
		       run->request_count, &run->run, error);
	if (ret)
		return ret;
	ret = ops->start ? ops->start(run->run, error) : 0;
	if (ret) {
		ops->disarm(run->run);
		run->run = NULL;
	}
	return ret;
}

/* The run no longer counts: whoever used it is told so from now on. */
static void
run_bury(struct domain *domain, int cause)
{
	for (struct part *part = domain->parts; part; part = part->next)
		part->lost = cause;
	domain->parts = NULL;
	domain->info->ops->disarm(domain->shared.run);
	run_free(&domain->shared);
}

int
domain_end_shared(struct domain *domain)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += DOMAIN_PATIENCE_SECONDS;
	if (pthread_mutex_timedlock(&domain->lock, &until))
		return -EBUSY;
	if (domain->shared.run)
		run_bury(domain, -ECANCELED);
	pthread_mutex_unlock(&domain->lock);
	return 0;
}

static bool
clock_agrees(const struct domain *domain, const struct part *part)
{
	return part->options.clock == DRMPERF_CLOCK_AUTO ||
	       part->options.clock == domain->shared.clock;
}

static bool
run_covers(const struct domain_run *run, const struct part *part)
{
	size_t length;

	for (size_t i = 0; i < part->request_count; i += length) {
		length = unit_length(&part->requests[i],
				     part->request_count - i);
		if (find_unit(run->requests, run->request_count,
			      &part->requests[i], length) == run->request_count)
			return false;
	}
	return true;
}

/* Make room in the run that other sessions of this process use already. */
static int
run_extend(struct domain *domain, struct part *part,
	   struct drmperf_error *error)
{
	struct domain_run wanted;
	int ret;

	if (!clock_agrees(domain, part)) {
		error_set(error, -EBUSY,
			  "a running session of this process "
			  "holds another clock mode");
		error_remedy(error, "stop it first, or ask for the same clock "
				    "mode");
		return -EBUSY;
	}
	if (run_covers(&domain->shared, part))
		return 0;
	ret = run_prepare(domain, part, &wanted);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = domain->info->ops->change(domain->shared.run, wanted.requests,
					wanted.request_count, error);
	if (ret) {
		run_free(&wanted);
		if (ret != -ENOSPC)
			return ret;
		error_set(error, -EBUSY,
			  "running sessions of this process "
			  "leave no room for these counters");
		error_remedy(error, "stop one of them first, or count the "
				    "events of both in one session");
		return -EBUSY;
	}
	wanted.run = domain->shared.run;
	wanted.clock = domain->shared.clock;
	run_free(&domain->shared);
	domain->shared = wanted;
	for (struct part *other = domain->parts; other; other = other->next)
		map_part(other, &domain->shared);
	return 0;
}

static int
join_shared(struct part *part, struct drmperf_error *error)
{
	struct domain *domain = part->domain;
	int ret;

	if (domain->shared.run)
		return run_extend(domain, part, error);
	ret = run_prepare(domain, part, &domain->shared);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = run_begin(domain, part, &domain->shared, error);
	if (ret)
		run_free(&domain->shared);
	return ret;
}

static int
join_alone(struct part *part, struct drmperf_error *error)
{
	struct domain_run *own = &part->own;
	int ret;

	ret = run_prepare(
		&(struct domain){ .description = part->domain->description },
		part, own);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = run_begin(part->domain, part, own, error);
	if (ret)
		run_free(own);
	return ret;
}

static bool
is_shared(const struct domain *domain)
{
	return domain->info->ops->change != NULL;
}

static void
listen(struct part *part)
{
	struct domain *domain = part->domain;

	if (!part->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	part->next_listener = domain->listeners;
	domain->listeners = part;
	pthread_mutex_unlock(&domain->listener_lock);
}

static void
unlisten(struct part *part)
{
	struct domain *domain = part->domain;
	struct part **link;

	if (!part->options.raw)
		return;
	pthread_mutex_lock(&domain->listener_lock);
	for (link = &domain->listeners; *link; link = &(*link)->next_listener) {
		if (*link == part) {
			*link = part->next_listener;
			break;
		}
	}
	pthread_mutex_unlock(&domain->listener_lock);
}

int
part_join(struct part *part, struct drmperf_error *error)
{
	struct domain *domain = part->domain;
	struct domain_run *run = &part->own;
	int ret;

	listen(part);
	pthread_mutex_lock(&domain->lock);
	if (is_shared(domain)) {
		run = &domain->shared;
		ret = join_shared(part, error);
	} else {
		ret = join_alone(part, error);
	}
	if (!ret) {
		map_part(part, run);
		part->lost = 0;
		part->joined = true;
		if (is_shared(domain)) {
			part->next = domain->parts;
			domain->parts = part;
		}
	}
	pthread_mutex_unlock(&domain->lock);
	if (ret)
		unlisten(part);
	return ret;
}

/* Errors after which a run will never give a value again. */
static bool
is_fatal(int ret)
{
	return ret == -ECANCELED || ret == -ENODEV || ret == -ETIME;
}

static void
copy_values(struct part *part, const struct domain_run *run)
{
	for (size_t i = 0; i < part->request_count; i++) {
		size_t values = request_values(part->domain->description,
					       &part->requests[i]);

		memcpy(&part->raw[part->first[i]],
		       &run->raw[part->run_first[i]],
		       values * sizeof(*part->raw));
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
sample_locked(struct part *part, enum drmperf_read_mode mode, uint64_t *time_ns,
	      struct drmperf_error *error)
{
	struct domain *domain = part->domain;
	struct domain_run *run =
		is_shared(domain) ? &domain->shared : &part->own;
	int ret;

	if (part->lost)
		return say_lost(part->lost, error);
	ret = domain->info->ops->sample(run->run, mode, run->raw, time_ns,
					error);
	if (!ret)
		copy_values(part, run);
	else if (is_fatal(ret) && is_shared(domain))
		run_bury(domain, ret);
	return ret;
}

int
part_sample(struct part *part, enum drmperf_read_mode mode, uint64_t *time_ns,
	    struct drmperf_error *error)
{
	int ret;

	pthread_mutex_lock(&part->domain->lock);
	ret = sample_locked(part, mode, time_ns, error);
	pthread_mutex_unlock(&part->domain->lock);
	return ret;
}

static int
run_end(struct domain *domain, struct domain_run *run,
	struct drmperf_error *error)
{
	const struct domain_ops *ops = domain->info->ops;
	int ret = ops->stop ? ops->stop(run->run, error) : 0;

	ops->disarm(run->run);
	run_free(run);
	return ret;
}

static int
leave_shared(struct part *part, struct drmperf_error *error)
{
	struct domain *domain = part->domain;
	struct part **link = &domain->parts;

	while (*link != part)
		link = &(*link)->next;
	*link = part->next;
	return domain->parts ? 0 : run_end(domain, &domain->shared, error);
}

int
part_leave(struct part *part, struct drmperf_error *error)
{
	struct domain *domain = part->domain;
	int ret = 0;

	unlisten(part);
	pthread_mutex_lock(&domain->lock);
	if (!is_shared(domain))
		ret = run_end(domain, &part->own, error);
	else if (!part->lost)
		ret = leave_shared(part, error);
	part->joined = false;
	pthread_mutex_unlock(&domain->lock);
	return ret;
}
