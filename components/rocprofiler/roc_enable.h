/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of HSA's that counters are to see: a packet that allows it, for one of
 * them to execute.
 */
#ifndef ROC_ENABLE_H
#define ROC_ENABLE_H

#include <hsa/hsa.h>

#include "frontend/frontend.h"

/* A packet of 64 bytes, as all of HSA's are, that only AMD's GPUs know. */
struct roc_pm4_packet {
	uint16_t header;
	uint16_t format;
	uint32_t jump[4];
	uint32_t dwords_left;
	uint32_t reserved[8];
	hsa_signal_t completion_signal;
};

/*
 * Fill in the packet for queues of an agent, complete but for the completion
 * signal; jump[0] is 0 if this GPU counts in all queues. Its commands stay
 * until roc_enable_end(). Returns 0, -ENOTSUP, -ENOMEM, -EIO if HSA has no
 * memory for the commands, or the errors of roc_agent_find().
 */
int roc_enable_packet(hsa_agent_t agent, struct roc_pm4_packet *out,
		      struct drmperf_error *error);

/* Have a queue execute it, and wait until it has. */
int roc_enable_now(hsa_agent_t agent, hsa_queue_t *queue,
		   struct drmperf_error *error);

/* Free HSA's memory, when HSA ends. */
void roc_enable_end(void);

#endif /* ROC_ENABLE_H */
