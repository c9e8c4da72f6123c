/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_domain.h"

#include <errno.h>
#include <stdlib.h>

static struct counter_request
make_request(const struct session_domain *domain,
	     const struct catalog_counter *counter, int instance)
{
	const struct description *description =
		device_description(domain->device);
	const struct description_group *group =
		&description->groups[counter->group];

	return (struct counter_request){
		.group = counter->group,
		.selector = counter->selector,
		.setting = counter->setting,
		.slots = counter->slots,
		.instance =
			group->instances > 1 ? instance : DRMPERF_ALL_INSTANCES,
		.follows = counter->after != CATALOG_ANYWHERE,
	};
}

static int
reserve(struct session_domain *domain, size_t more)
{
	size_t capacity = domain->request_count + more;
	struct counter_request *requests;
	bool *momentary;

	if (capacity <= domain->request_capacity)
		return 0;
	capacity *= 2;
	requests = reallocarray(domain->requests, capacity, sizeof(*requests));
	if (!requests)
		return -ENOMEM;
	domain->requests = requests;
	momentary =
		reallocarray(domain->momentary, capacity, sizeof(*momentary));
	if (!momentary)
		return -ENOMEM;
	domain->momentary = momentary;
	domain->request_capacity = capacity;
	return 0;
}

/* Write a counter behind the requests, after those that it follows. */
static void
write_unit(struct session_domain *domain, const struct catalog_value *value,
	   uint32_t last, size_t length, int instance)
{
	size_t end = domain->request_count + length;
	uint32_t at;

	for (at = last; at != CATALOG_ANYWHERE;
	     at = value->counters[at].after) {
		domain->requests[--end] =
			make_request(domain, &value->counters[at], instance);
		domain->momentary[end] = value->counters[at].momentary;
	}
}

int
session_domain_add(struct session_domain *domain,
		   const struct catalog_value *value, uint32_t counter,
		   int instance, size_t *request)
{
	size_t count = domain->request_count, length = 0, found;
	uint32_t at;

	for (at = counter; at != CATALOG_ANYWHERE;
	     at = value->counters[at].after)
		length++;
	if (reserve(domain, length))
		return -ENOMEM;
	write_unit(domain, value, counter, length, instance);
	found = request_unit_find(domain->requests, count,
				  &domain->requests[count], length);
	if (found == count)
		domain->request_count += length;
	*request = found + length - 1;
	return 0;
}

int
session_domain_complete(struct session_domain *domain,
			const struct run_options *options)
{
	struct run_options own = *options;
	size_t room;
	int ret;

	own.raw_device = domain->device;
	ret = member_init(&domain->member, domain->domain, domain->requests,
			  domain->request_count, &own);
	if (ret)
		return ret;
	room = domain->member.raw_count + 1;
	domain->base = calloc(room, sizeof(*domain->base));
	domain->delta = calloc(room, sizeof(*domain->delta));
	return domain->base && domain->delta ? 0 : -ENOMEM;
}

void
session_domain_finish(struct session_domain *domain)
{
	member_finish(&domain->member);
	free(domain->requests);
	free(domain->momentary);
	free(domain->base);
	free(domain->delta);
}

/* Behind the last raw value of a request. */
static size_t
values_end(const struct member *member, size_t request)
{
	return request + 1 < member->request_count ? member->first[request + 1]
						   : member->raw_count;
}

struct expr_input
session_domain_deltas(const struct session_domain *domain, size_t request)
{
	size_t first = domain->member.first[request];

	return (struct expr_input){
		.values = &domain->delta[first],
		.count = values_end(&domain->member, request) - first,
	};
}

void
session_domain_set_base(struct session_domain *domain)
{
	const struct member *member = &domain->member;

	domain->base_ns = member->origin.clock_ns;
	for (size_t i = 0; i < domain->request_count; i++) {
		size_t end = values_end(member, i);

		for (size_t at = member->first[i]; at < end; at++)
			domain->base[at] =
				domain->momentary[i] ? 0 : member->raw[at];
	}
}

void
session_domain_subtract_base(struct session_domain *domain)
{
	const uint64_t *raw = domain->member.raw, *base = domain->base;
	uint64_t *delta = domain->delta;
	size_t count = domain->member.raw_count;

	domain->elapsed_ns = domain->member.origin.clock_ns - domain->base_ns;
#pragma omp simd
	for (size_t i = 0; i < count; i++)
		delta[i] = raw[i] - base[i];
}
