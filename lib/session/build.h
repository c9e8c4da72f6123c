/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: what a list of events needs of each domain, and what the raw
 * values of the domains mean for each event.
 *
 *   selections -> counters -> requests, one subscription per domain    (build)
 *   subscription_sample -> raw - base = delta -> sum or expression     (read)
 *
 * Everything that depends on names, types or expressions is settled in
 * create or at the first start; a read walks arrays.
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

/* The request that a counter of a value is read from. */
struct session_source {
	size_t domain; /* of the session's */
	size_t request; /* of that domain's */
};

/* The parts from which a session is to be built. */
struct session_recipe {
	struct drmperf_selection *selections;
	const struct drmperf_event **events; /* one per selection, not copied */
	struct run_options options;
};

struct drmperf_session {
	struct drmperf *drmperf;
	struct session_recipe recipe; /* selections NULL: it has been built */
	enum session_state state;
	enum drmperf_read_mode read;
	size_t size; /* values that a read gives */
	struct expr_batch *batch; /* computes the values from deltas */
	struct session_domain *domains;
	size_t domain_count;
	/*
	 * The domains in the order of a read. The first `together` ones, never
	 * just one, all submit their samples before any is waited for. They are
	 * sorted by device, so that all threads and processes take locks in one
	 * order.
	 */
	size_t *order;
	size_t together;
	struct session_source *sources; /* of all values, one after another */
	size_t *first_source; /* per value, and one past the last */
	bool lacks; /* some sources had no value at the last read */
};

/*
 * Turn the recipe of a session into requests of domains and programs of values.
 * The start calls this, since a program that adds events one by one replaces
 * most sessions before they start; creating has checked the events, so only
 * memory can lack. Returns 0; -ENOMEM, after which it may be called again;
 * -EBADMSG.
 */
int
session_build(struct drmperf_session *session, struct drmperf_error *error);

/* Free what was built, and the recipe. */
void
session_clear(struct drmperf_session *session);

#endif /* DRMPERF_LIB_SESSION_BUILD_H */
