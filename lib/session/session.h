/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions: what a list of events needs of each domain, and what the raw
 * values of the domains mean for each event.
 *
 *   selections -> counters -> requests, one member per domain    (create)
 *   member_sample -> raw - base = delta -> sum or expression     (read)
 *
 * Everything that depends on names, types or expressions is settled in
 * create; a read walks arrays.
 */
#ifndef DRMPERF_LIB_SESSION_SESSION_H
#define DRMPERF_LIB_SESSION_SESSION_H

#include "expr/batch.h"
#include "session/session_domain.h"

enum session_state {
	SESSION_NEW,
	SESSION_RUNNING,
	SESSION_STOPPED,
};

struct drmperf_session {
	struct drmperf *drmperf;
	enum session_state state;
	enum drmperf_read_mode read;
	size_t size; /* values that a read gives */
	struct expr_batch *batch; /* which makes them of the deltas */
	struct session_domain *domains;
	size_t domain_count;
	uint64_t time_ns; /* of the last sample */
	struct drmperf_error no_values; /* why a stopped session has none */
};

#endif /* DRMPERF_LIB_SESSION_SESSION_H */
