/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a stream: a chain of extensions in the caller's memory. */
#ifndef DRMSIM_XE_OA_PROPERTIES_H
#define DRMSIM_XE_OA_PROPERTIES_H

#include <stdbool.h>
#include <stdint.h>

struct sim_call;
struct sim_oa_format;
struct sim_xe;
struct sim_xe_unit;

/* Properties as the kernel keeps them: some are cut to 32 bits. */
struct sim_xe_properties {
	struct sim_xe_unit *unit;
	const struct sim_oa_format *format;
	bool sample, disabled, no_preempt;
	uint32_t metric_set;
	int exponent; /* -1: not periodic */
	int exec_queue, engine_instance, sync_count, wait_reports;
	uint64_t syncs, buffer_size;
};

/*
 * Read a chain of properties at an address of the caller, to *out, which holds
 * the defaults. config: of a stream that is open, which takes some only.
 */
int
sim_xe_properties_read(struct sim_call *call, struct sim_xe *device,
		       uint64_t address, bool config,
		       struct sim_xe_properties *out);

#endif /* DRMSIM_XE_OA_PROPERTIES_H */
