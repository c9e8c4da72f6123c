/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: what a list of events needs of each domain, and what the raw
 * values of the domains mean for each event.
 *
 *   selections -> counters -> requests, one subscription per domain    (create)
 *   subscription_sample -> raw - base = delta -> sum or expression     (read)
 *
 * Everything that depends on names, types or expressions is settled in
 * create; a read walks arrays.
 */
#ifndef DRMPERF_LIB_SESSION_BUILD_H
#define DRMPERF_LIB_SESSION_BUILD_H

#include "expr/batch.h"
#include "session/session_domain.h"

enum session_state {
	SESSION_NEW,
	SESSION_RUNNING,
	SESSION_STOPPED,
};

/* Where a counter of a value is asked for. */
struct session_source {
	size_t domain; /* of the session's */
	size_t request; /* of that domain's */
};

struct drmperf_session {
	struct drmperf *drmperf;
	enum session_state state;
	enum drmperf_read_mode read;
	size_t size; /* values that a read gives */
	struct expr_batch *batch; /* which makes them of the deltas */
	struct session_domain *domains;
	size_t domain_count;
	/*
	 * The domains in the order of a read: first so many of which samples
	 * are submitted before any is waited for, by their devices, so that all
	 * threads and processes take locks in one order. Never 1.
	 */
	size_t *order;
	size_t together;
	struct session_source *sources; /* of all values, one after another */
	enum drmperf_type *types; /* per value */
	size_t *first_source; /* per value, and behind the last one */
	bool lacks; /* some sources had no value at the last read */
};

/*
 * Find out what a session, whose size is set, needs of which domains, and how
 * its values are made of that. Of each selection that event counts which is
 * in events; selections says the instances. -EBADMSG; -ENOMEM.
 */
int session_build(struct drmperf_session *session,
		  const struct drmperf_selection *selections,
		  const struct drmperf_event *const *events,
		  const struct run_options *options,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_SESSION_BUILD_H */
