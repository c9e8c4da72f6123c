/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of instructions, added up by address and reason.
 */
#ifndef DRMPERF_TOOL_UTIL_STALL_TABLE_H
#define DRMPERF_TOOL_UTIL_STALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Begins with zeros, but for reason_count. */
struct stall_table {
	unsigned reason_count;
	size_t count; /* addresses, in the order in which they came */
	uint64_t *addresses;
	uint64_t *samples; /* reason_count of each */
	/* own */
	size_t capacity;
	uint32_t *slots; /* places of addresses plus 1, by hash */
	size_t slot_count; /* a power of two */
};

/* Return the samples of an address, 0 at first; NULL without memory. */
uint64_t *
stall_table_get(struct stall_table *table, uint64_t address);

/* Return the samples of the entry with this number. */
static inline const uint64_t *
stall_table_samples(const struct stall_table *table, size_t entry)
{
	return &table->samples[entry * table->reason_count];
}

/* Forget all addresses, and keep the memory. */
void
stall_table_clear(struct stall_table *table);
void
stall_table_finish(struct stall_table *table);

#endif /* DRMPERF_TOOL_UTIL_STALL_TABLE_H */
