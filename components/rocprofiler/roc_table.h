/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of functions that HSA hands to its tools: what stands in a slot is
 * what programs call.
 *
 * HSA's own header for them, hsa_api_trace.h, is C++. And the slots of AMD's
 * extensions have moved: from 2023 on there are one or two more for copies, in
 * the middle. The length of a table tells which it is, and which functions it
 * has: the HSA that runs may be older or newer than the one at build time.
 */
#ifndef ROC_TABLE_H
#define ROC_TABLE_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdbool.h>
#include <stdint.h>

#include "frontend/frontend.h"

typedef void (*roc_function)(void);

enum roc_slot {
	ROC_QUEUE_CREATE,
	ROC_QUEUE_DESTROY,
	ROC_EXECUTABLE_FREEZE,
	ROC_EXECUTABLE_DESTROY,
	/* of AMD's extensions */
	ROC_INTERCEPT_CREATE,
	ROC_INTERCEPT_REGISTER,
	ROC_SLOTS
};

/* Types that only tools have a header for. */
typedef void (*roc_packet_writer)(const void *packets, uint64_t count);
typedef void (*roc_packet_handler)(const void *packets, uint64_t count,
				   uint64_t index, void *data,
				   roc_packet_writer writer);
typedef hsa_status_t (*roc_queue_create)(
	hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data),
	void *data, uint32_t private_segment_size, uint32_t group_segment_size,
	hsa_queue_t **queue);
typedef hsa_status_t (*roc_intercept_register)(hsa_queue_t *queue,
					       roc_packet_handler handler,
					       void *data);

/*
 * Take the tables, with which OnLoad() was called. 0; -EPROTO if they are of no
 * kind that is known. Until roc_table_restore() the other functions may be
 * called.
 */
int roc_table_take(void *tables, struct drmperf_error *error);

bool roc_table_is_taken(void);

/*
 * Return whether the running HSA has this function; its tables may end before
 * it.
 */
bool roc_table_has(enum roc_slot slot);

/* Return a slot's original function; NULL unless roc_table_has() it. */
roc_function roc_table_original(enum roc_slot slot);

/* Return a slot's original function, with the type of this function. */
#define ROC_ORIGINAL(function, slot) \
	((__typeof__(&(function)))roc_table_original(slot))

/* Have programs call this function from now on, unless HSA lacks it. */
void roc_table_replace(enum roc_slot slot, roc_function function);

/* Restore the original functions of all slots. */
void roc_table_restore(void);

#endif /* ROC_TABLE_H */
