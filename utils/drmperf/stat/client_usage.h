/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Use of GPUs by the processes of a tree: events of fdinfo, added up over the
 * DRM clients that these processes have open. The kernel shows a client only as
 * long as it exists, so it is to be looked at again and again.
 */
#ifndef DRMPERF_TOOL_STAT_CLIENT_USAGE_H
#define DRMPERF_TOOL_STAT_CLIENT_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "drmperf.h"

struct client_usage;

/* Clients seen and missed, over all looks of all runs. */
struct client_usage_gaps {
	bool seen; /* there was a client */
	bool vanished; /* one went between two looks */
	size_t hidden; /* processes that may not be looked at */
};

/* Return whether the event is one of fdinfo. */
bool
client_usage_counts(const struct drmperf_event *event);

/*
 * Create the counting of those selections that are of fdinfo, for processes as
 * by process_tree_create(). Looks add to gaps. NULL without memory.
 */
struct client_usage *
client_usage_create(const struct drmperf_selection *selections, size_t count,
		    pid_t pid, bool adopts, struct client_usage_gaps *gaps);
void
client_usage_destroy(struct client_usage *use);

/*
 * Read what the clients have used; counting begins with the first scan. The
 * caller's own files never count. Returns 0, or -errno.
 */
int
client_usage_scan(struct client_usage *use);

/* Return whether the processes had a file of the GPU open at any look. */
bool
client_usage_has(const struct client_usage *use,
		 const struct drmperf_device *device);

/*
 * Set the values of events that it counts, as of the last look. What is true at
 * a moment is, in the end, as it was when last there were any clients.
 */
void
client_usage_values(const struct client_usage *use, bool is_end,
		    union drmperf_value *values);

#endif /* DRMPERF_TOOL_STAT_CLIENT_USAGE_H */
