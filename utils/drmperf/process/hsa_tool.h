/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library that HSA loads into a command, so that counters see the queues
 * which the command makes by HSA or HIP, and what it reports of them.
 */
#ifndef DRMPERF_TOOL_PROCESS_HSA_TOOL_H
#define DRMPERF_TOOL_PROCESS_HSA_TOOL_H

#include <stdint.h>

struct hsa_tool_report {
	_Atomic uint32_t enabled, refused; /* queues */
};

/* All zero: commands do not load it. */
struct hsa_tool {
	struct hsa_tool_report *report; /* NULL: there is none */
};

/*
 * Have commands that are started from now on load the library, next to the
 * tools that they load already. Without it, or memory, nothing is changed.
 */
void
hsa_tool_begin(struct hsa_tool *hsa);

/* Return how many queues of commands were made to count, or could not be. */
uint32_t
hsa_tool_enabled(const struct hsa_tool *hsa);
uint32_t
hsa_tool_refused(const struct hsa_tool *hsa);

void
hsa_tool_finish(struct hsa_tool *hsa);

#endif /* DRMPERF_TOOL_PROCESS_HSA_TOOL_H */
