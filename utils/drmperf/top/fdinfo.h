/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of /proc/PID/fdinfo/FD of a GPU's node.
 * [Linux 6.12 Documentation/gpu/drm-usage-stats.rst]
 */
#ifndef DRMPERF_TOOL_TOP_FDINFO_H
#define DRMPERF_TOOL_TOP_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More classes of engines than any GPU has. */
#define TOP_ENGINES 16
#define TOP_ENGINE_NAME_SIZE 24
#define TOP_ADDRESS_SIZE 16 /* "0000:03:00.0" */

/* A class of engines, as one DRM client has used it. */
struct top_use {
	char name[TOP_ENGINE_NAME_SIZE]; /* "gfx", "render" */
	uint64_t used_ns;
	uint64_t cycles, total_cycles; /* in place of time, if not 0 */
	uint64_t capacity; /* how many engines there are; 0: it is one */
};

struct top_fdinfo {
	char address[TOP_ADDRESS_SIZE];
	uint64_t id; /* of the client, among those of the GPU */
	bool has_id;
	struct top_use uses[TOP_ENGINES];
	size_t use_count;
	/* what its buffers take up, by either name */
	uint64_t resident_bytes, memory_bytes;
};

/*
 * Read a client. Returns false if it is no client of a GPU on PCI. What makes
 * no sense is passed over.
 */
bool
top_fdinfo_read(const char *text, struct top_fdinfo *out);

/*
 * Return the share of the time, up to 1, that a client used the engines of a
 * name between two looks. The kernel counts a client's time up to another
 * moment than that of the look, so that more could come out: that is 1, as
 * intel_gpu_top has it.
 */
double top_use_share(const struct top_use *now, const struct top_use *before,
		     double passed_ns);

#endif /* DRMPERF_TOOL_TOP_FDINFO_H */
