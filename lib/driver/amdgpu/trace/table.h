/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a generation traces its waves (SQTT), as its table says.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TABLE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/tables/gpu.h"

/* What DRMPERF_UNTESTED calls traces that are off. */
#define TRACE_NAME "TRACE"

#define TRACE_PAGE 4096u /* unit of buffers */
#define TRACE_UNIT 32u /* of what is written */
#define TRACE_WRITES 12u
#define TRACE_NO_BIT 0xff

/* What is written to one register of an engine to begin a trace. */
struct trace_write {
	struct pm4_register reg;
	uint32_t value;
	/* bits that are the other way round without tokens of instructions */
	uint32_t brief;
	uint32_t all_programs; /* with the waves of all programs */
	uint32_t armed; /* those that are 0 when it ends */
	/* lowest bit of what is added, or TRACE_NO_BIT */
	uint8_t size_bit, base_bit; /* in pages */
	uint8_t high_bit; /* the base's bits from 32 on */
	uint8_t unit_bit; /* the unit whose instructions are traced */
};

/* Registers have byte 0 and masks are 0 where this generation has none. */
struct trace_table {
	struct pm4_register events; /* of the SPI: lets waves through */
	uint32_t events_bits;
	struct pm4_register status;
	uint32_t finished, busy, failed; /* of it */
	struct pm4_register pointer; /* where the next token goes */
	uint32_t pointer_mask;
	bool is_absolute; /* it counts from address 0 */
	/* tokens that were dropped, or units that were written */
	struct pm4_register dropped, written;
	bool has_last_unit; /* of an array is traced, else the first */
	unsigned unit_cus;
	struct trace_write writes[TRACE_WRITES];
	size_t write_count;
};

/*
 * Returns 0; -ENOTSUP if how it traces is not known, or it is off until
 * somebody has tested it; -EBADMSG.
 */
int
trace_table_read(const struct gpu *gpu, struct trace_table *out,
		 struct drmperf_error *error);

/* Return the unit of an engine whose instructions are traced; -1: none is. */
int
trace_table_unit(const struct trace_table *table,
		 const struct topology *topology, unsigned engine);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TABLE_H */
