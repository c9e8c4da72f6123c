/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HSA's agents, and which of libdrmperf's devices they are.
 */
#ifndef ROC_AGENT_H
#define ROC_AGENT_H

#include <hsa/hsa.h>
#include <stdint.h>

#include "frontend/frontend.h"

struct roc_agent {
	hsa_agent_t hsa;
	uint32_t node; /* the kernel's number for it */
	struct drmperf_device *device; /* is open */
};

/*
 * Find the GPU that an agent is, by its PCI address. Returns 0, -EINVAL if it
 * is no GPU, -ENODEV if no DRM driver has it, -EIO if HSA fails, or the errors
 * of drmperf_device_open().
 */
int roc_agent_find(struct drmperf *drmperf, hsa_agent_t hsa,
		   struct roc_agent *out, struct drmperf_error *error);

/*
 * Find all agents that are GPUs; *out, which has *count, is to be freed.
 * Returns 0, -ENOMEM, or the errors of roc_agent_find().
 */
int roc_agents_find(struct drmperf *drmperf, struct roc_agent **out,
		    size_t *count, struct drmperf_error *error);

#endif /* ROC_AGENT_H */
