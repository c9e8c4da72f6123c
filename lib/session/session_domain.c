/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_domain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/cold.h"
#include "driver/share/yield.h"

/* How long a process that yields has to let go of its counters. */
#define YIELD_NS UINT64_C(3000000000)
#define YIELD_POLL_NS 10000000

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
		.instance = group->instances > 1 ? DRMPERF_INSTANCE_OF(instance)
						 : DRMPERF_ALL_INSTANCES,
		.die = (uint32_t)(DRMPERF_DIE_OF(instance) + 1),
		.follows = counter->after != CATALOG_ANYWHERE,
	};
}

static int
session_domain_reserve(struct session_domain *domain, size_t more)
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
	if (session_domain_reserve(domain, length))
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

	own.raw_device = domain->device;
	domain->waits =
		calloc(domain->request_count + 1, sizeof(*domain->waits));
	if (!domain->waits)
		return -ENOMEM;
	return subscription_init(&domain->subscription, domain->domain,
				 domain->requests, domain->request_count, &own);
}

/* ------------------------------------------------------------------ */
/* Begin and end                                                        */

static void
withdraw_offer(struct session_domain *domain)
{
	if (domain->offer.fd >= 0)
		fork_close_finish(&domain->offer);
	domain->offer.fd = -1;
}

/* Offer the counters before they are taken, so that no process asks in vain. */
static int
join_offering(struct session_domain *domain, struct drmperf_error *error)
{
	const char *node = drmperf_device_node(domain->device);
	int ret = fork_close_adopt(&domain->offer, yield_offer(node));

	if (ret)
		return error_set(error, ret, "cannot lock %s: %s", node,
				 strerrordesc_np(-ret));
	if (yield_is_asked(domain->offer.fd)) {
		error_set(error, -EBUSY,
			  "another process asks for the counters of %s", node);
		error_remedy(error, "start again later");
		ret = -EBUSY;
	} else {
		ret = subscription_join(&domain->subscription, error);
	}
	if (ret)
		withdraw_offer(domain);
	return ret;
}

/* Wait for a process that yields; without one the error stays as it is. */
COLD static int
join_asking(struct session_domain *domain, struct drmperf_error *error)
{
	const struct timespec pause = { .tv_nsec = YIELD_POLL_NS };
	const uint64_t until = monotonic_ns() + YIELD_NS;
	struct fork_close ask;
	int ret = -EBUSY;

	if (fork_close_adopt(&ask,
			     yield_ask(drmperf_device_node(domain->device))))
		return ret;
	while (ret == -EBUSY && monotonic_ns() < until) {
		nanosleep(&pause, NULL);
		ret = subscription_join(&domain->subscription, error);
	}
	fork_close_finish(&ask);
	return ret;
}

int
session_domain_join(struct session_domain *domain, struct drmperf_error *error)
{
	bool yields = domain->subscription.options.yields;
	int ret;

	/* Only what sessions share can be refused because others have it. */
	if (!domain_is_shared(domain->domain))
		return subscription_join(&domain->subscription, error);
	if (yields)
		return join_offering(domain, error);
	ret = subscription_join(&domain->subscription, error);
	return ret == -EBUSY ? join_asking(domain, error) : ret;
}

int
session_domain_leave(struct session_domain *domain, struct drmperf_error *error)
{
	int ret = subscription_leave(&domain->subscription, error);

	withdraw_offer(domain);
	return ret;
}

bool
session_domain_is_wanted(const struct session_domain *domain)
{
	return domain->offer.fd >= 0 && yield_is_asked(domain->offer.fd);
}

/* ------------------------------------------------------------------ */

void
session_domain_finish(struct session_domain *domain)
{
	withdraw_offer(domain);
	subscription_finish(&domain->subscription);
	free(domain->requests);
	free(domain->momentary);
	free(domain->waits);
}

struct expr_input
session_domain_deltas(const struct session_domain *domain, size_t request)
{
	size_t first = domain->subscription.first[request];

	return (struct expr_input){
		.values = &domain->subscription.delta[first],
		.count = subscription_values_end(&domain->subscription,
						 request) -
			 first,
	};
}

const struct drmperf_error *
session_domain_missing(const struct session_domain *domain, size_t request)
{
	const struct drmperf_error *missing = domain->subscription.missing;

	if (domain->status < 0)
		return &domain->error;
	if (domain->status == DRIVER_SAMPLE_PARTIAL && missing[request].code)
		return &missing[request];
	return NULL;
}

/*
 * Set the base of a request, or defer that to the first sample with its value.
 */
static void
set_request_base(struct session_domain *domain, size_t request)
{
	struct subscription *subscription = &domain->subscription;
	size_t end = subscription_values_end(subscription, request);

	domain->waits[request] = session_domain_missing(domain, request);
	domain->any_waits |= domain->waits[request];
	if (domain->waits[request])
		return;
	for (size_t at = subscription->first[request]; at < end; at++) {
		subscription->base[at] += subscription->delta[at];
		subscription->delta[at] = 0;
	}
}

/*
 * Set the base of requests that could not be read when the others got theirs.
 */
COLD static void
end_waiting(struct session_domain *domain)
{
	domain->any_waits = false;
	domain->base = domain->subscription.origin;
	for (size_t i = 0; i < domain->request_count; i++) {
		if (domain->waits[i])
			set_request_base(domain, i);
	}
}

/*
 * Record a failure. In a signal handler the text of an earlier error with the
 * same code stays.
 */
COLD static int
note_failure(struct session_domain *domain, int status)
{
	if (status == -EAGAIN)
		return status;
	if (domain->error.code != status)
		domain->error.cause[0] = domain->error.remedy[0] = '\0';
	domain->error.code = status;
	domain->status = status;
	return status;
}

/* Keep what became of a sample. */
static inline int
note_status(struct session_domain *domain, int status)
{
	domain->is_submitted = status == DRIVER_SAMPLE_PENDING;
	if (domain->is_submitted)
		return status;
	if (status < 0)
		return note_failure(domain, status);
	domain->status = status;
	if (domain->any_waits)
		end_waiting(domain);
	return status;
}

static inline struct drmperf_error *
reason_for(struct session_domain *domain, enum drmperf_read_mode mode)
{
	return mode == DRIVER_READ_AT_ONCE ? NULL : &domain->error;
}

/*
 * Sample once more, waiting, if the latest values are those of the base line:
 * nothing has been counted then, and ratios would have no value.
 */
COLD static int
leave_base(struct session_domain *domain, int status)
{
	domain->is_at_base = false;
	if (status < 0 ||
	    domain->subscription.origin.clock != domain->base.clock)
		return status;
	return subscription_sample(&domain->subscription, DRMPERF_READ_FENCED,
				   &domain->error);
}

COLD int
session_domain_note_sample(struct session_domain *domain,
			   enum drmperf_read_mode mode, int status)
{
	if (domain->is_at_base && mode == DRMPERF_READ_LATEST)
		status = leave_base(domain, status);
	return note_status(domain, status);
}

int
session_domain_submit(struct session_domain *domain,
		      enum drmperf_read_mode mode)
{
	if (!domain->counts)
		return domain->status;
	return note_status(domain,
			   subscription_submit(&domain->subscription, mode,
					       reason_for(domain, mode)));
}

int
session_domain_wait(struct session_domain *domain, enum drmperf_read_mode mode,
		    bool briefly)
{
	return note_status(domain, subscription_wait(&domain->subscription,
						     mode, briefly,
						     reason_for(domain, mode)));
}

void
session_domain_set_base(struct session_domain *domain)
{
	if (domain->status >= 0)
		domain->base = domain->subscription.origin;
	domain->is_at_base = true;
	for (size_t i = 0; i < domain->request_count; i++) {
		if (!domain->momentary[i])
			set_request_base(domain, i);
	}
}

static uint64_t
clock_ns(const struct driver_origin *origin)
{
	const uint64_t second = 1000000000;

	if (!origin->hz)
		return 0;
	return origin->clock / origin->hz * second +
	       (origin->clock % origin->hz * second + origin->hz - 1) /
		       origin->hz;
}

uint64_t
session_domain_elapsed_ns(const struct session_domain *domain)
{
	return clock_ns(&domain->subscription.origin) - clock_ns(&domain->base);
}
