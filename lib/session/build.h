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

/* Where a counter of a value is asked for. */
struct session_source {
	size_t domain; /* of the session's */
	size_t request; /* of that domain's */
};

/* The parts from which a session is to be built. */
struct session_recipe {
	struct drmperf_selection *selections;
	const struct drmperf_event **events; /* that serve them; these stay */
	struct run_options options;
};

struct drmperf_session {
	struct drmperf *drmperf;
	struct session_recipe recipe; /* selections NULL: it is built */
	enum session_state state;
	enum drmperf_read_mode read;
	size_t size; /* values that a read gives */
	struct expr_batch *batch; /* which makes them of the deltas */
	struct session_domain *domains;
	size_t domain_count;
	/*
	 * The domains in the order of a read. Samples of the first ones, whose
	 * number is together, never 1, are submitted before any is waited for;
	 * they are ordered by their devices, so that all threads and processes
	 * take locks in one order.
	 */
	size_t *order;
	size_t together;
	struct session_source *sources; /* of all values, one after another */
	size_t *first_source; /* per value, and behind the last one */
	bool lacks; /* some sources had no value at the last read */
};

/*
 * Find out what a session, whose size and recipe are set, needs of which
 * domains, and how its values are made of that. Sessions of a program that adds
 * events one by one are replaced before they are started: so this is left for
 * the start, where creating has seen that there will be no other error than
 * -ENOMEM, after which it may be tried again. -EBADMSG.
 */
int
session_build(struct drmperf_session *session, struct drmperf_error *error);

/* Free what was built, and the recipe. */
void
session_clear(struct drmperf_session *session);

#endif /* DRMPERF_LIB_SESSION_BUILD_H */
