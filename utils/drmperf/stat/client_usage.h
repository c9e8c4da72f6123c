/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the processes of a tree use of GPUs: events of fdinfo, added up over the
 * DRM clients that these processes have open. The kernel tells of a client only
 * as long as it is, so it is to be looked at again and again.
 */
#ifndef DRMPERF_TOOL_STAT_CLIENT_USAGE_H
#define DRMPERF_TOOL_STAT_CLIENT_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "drmperf.h"

struct client_usage;

/* What was seen and what was not, over all looks of all runs. */
struct client_usage_gaps {
	bool seen; /* there was a client */
	bool vanished; /* one went between two looks */
	size_t hidden; /* processes that may not be looked at */
};

/* Whether it is one of fdinfo. */
bool
client_usage_counts(const struct drmperf_event *event);

/*
 * Of what is selected, where it counts that; the processes as those of
 * process_tree_create(). Looks add to gaps. NULL without memory.
 */
struct client_usage *
client_usage_create(const struct drmperf_selection *selections, size_t count,
		    pid_t pid, bool adopts, struct client_usage_gaps *gaps);
void
client_usage_destroy(struct client_usage *use);

/*
 * Look at them; the first look is where counting begins. What the caller has
 * open itself never counts. 0, or -errno.
 */
int
client_usage_look(struct client_usage *use);

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
