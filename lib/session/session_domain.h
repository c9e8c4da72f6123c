/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a session in one domain, with its base line: raw values grow
 * while the domain's run lives, a session's begin at a base line of its own.
 */
#ifndef DRMPERF_LIB_SESSION_SESSION_DOMAIN_H
#define DRMPERF_LIB_SESSION_SESSION_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fork_close.h"
#include "catalog/value.h"
#include "device/device.h"
#include "device/subscription.h"
#include "expr/program.h"

struct session_domain {
	struct subscription subscription;
	struct drmperf_device *device;
	struct domain *domain;
	struct counter_request *requests;
	bool *momentary; /* per request */
	bool *waits; /* per request: it gets its base at the next read */
	bool any_waits;
	bool counts; /* started; what cannot be counted here is left out */
	bool is_submitted; /* a sample is under way, to be waited for */
	bool is_at_base; /* nothing was read since base was set */
	bool is_apart; /* sampled after those that were submitted together */
	int status; /* of the last sample, by subscription_sample() */
	struct drmperf_error error; /* its reason, if it is negative */
	size_t request_count;
	size_t request_capacity;
	struct driver_origin base; /* of the sample that means zero */
	struct fork_close offer; /* of its counters; fd -1: none */
};

/*
 * Add a request for a counter of a value, and for those that it must follow,
 * unless there is one. *request becomes its index. Returns 0, or -ENOMEM.
 */
int session_domain_add(struct session_domain *domain,
		       const struct catalog_value *value, uint32_t counter,
		       int instance, size_t *request);

/* Make the subscription, after all requests. Returns 0, or -ENOMEM. */
int session_domain_complete(struct session_domain *domain,
			    const struct run_options *options);
void session_domain_finish(struct session_domain *domain);

/*
 * Begin to count. If other processes that yield have the counters, ask for them
 * and wait a few seconds. Returns 0, or a negative errno value.
 */
int session_domain_join(struct session_domain *domain,
			struct drmperf_error *error);

/* End counting, even if an error is returned. */
int session_domain_leave(struct session_domain *domain,
			 struct drmperf_error *error);

/* Return whether another process asks for the counters that are offered. */
bool session_domain_is_wanted(const struct session_domain *domain);

/* Return where the deltas of a request are. */
struct expr_input session_domain_deltas(const struct session_domain *domain,
					size_t request);

/* Keep what became of a sample, or of the first one after the base line. */
int
session_domain_note_sample(struct session_domain *domain,
			   enum drmperf_read_mode mode, int status);

/*
 * Sample what the domain counts, and keep status and reason. Returns a negative
 * errno value if nothing could be read, DRIVER_SAMPLE_PARTIAL if some of it.
 */
static inline int
session_domain_sample(struct session_domain *domain,
		      enum drmperf_read_mode mode)
{
	int status;

	if (!domain->counts)
		return domain->status;
	status = subscription_sample(
		&domain->subscription, mode,
		mode == DRIVER_READ_AT_ONCE ? NULL : &domain->error);
	if (status || domain->any_waits ||
	    (domain->is_at_base && mode == DRMPERF_READ_LATEST))
		return session_domain_note_sample(domain, mode, status);
	domain->status = 0;
	return 0;
}

/*
 * Sample in two steps, instead of by session_domain_sample(): see
 * subscription_submit(). session_domain_wait() is to be called if
 * domain->is_submitted.
 */
int
session_domain_submit(struct session_domain *domain,
		      enum drmperf_read_mode mode);
int
session_domain_wait(struct session_domain *domain, enum drmperf_read_mode mode,
		    bool briefly);

/* Return why the last sample lacks a request's value; NULL: it has one. */
const struct drmperf_error *
session_domain_missing(const struct session_domain *domain, size_t request);

/*
 * Make the last sample zero; momentary values stay. What it lacks becomes zero
 * with the next sample that has it.
 */
void session_domain_set_base(struct session_domain *domain);

/* Return the time from base to the last sample by the GPU's clock, or 0. */
uint64_t session_domain_elapsed_ns(const struct session_domain *domain);

#endif /* DRMPERF_LIB_SESSION_SESSION_DOMAIN_H */
