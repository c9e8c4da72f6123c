/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties that a stream is opened with: a chain in the caller's memory. */
#ifndef DRMSIM_XE_PROPERTY_CHAIN_H
#define DRMSIM_XE_PROPERTY_CHAIN_H

#include <stdint.h>

struct sim_call;

struct sim_xe_property_rules {
	unsigned most; /* links of a chain */
	uint32_t end; /* the first property that there is not */
	/* Set a property. Returns 0, or -errno, which ends the chain. */
	int (*set)(void *data, uint32_t property, uint64_t value);
};

/* Returns 0 or -errno, in the kernel's order of checks. */
int
sim_xe_property_chain_read(struct sim_call *call, uint64_t address,
			   const struct sim_xe_property_rules *rules,
			   void *data);

#endif /* DRMSIM_XE_PROPERTY_CHAIN_H */
