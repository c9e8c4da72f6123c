/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts of OA reports: what the simulated unit writes into memory.
 *
 * slot      one counter of the OA unit: A0 to A44, B0 to B7, C0 to C7, the
 *           media counters M0 to M7, the GPU clock, and P0 to P63
 * run       slots of one bank that lie side by side in a report
 *
 * Sources: Linux 6.12 uapi i915_drm.h and i915_perf.c (numbers, sizes), IGT
 * 2025-10 (offsets), Intel Metrics Discovery (A36 and A37 of format 12).
 */
#ifndef DRMSIM_INTEL_OA_FORMAT_H
#define DRMSIM_INTEL_OA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_oa_slot {
	SIM_OA_A = 0,
	SIM_OA_A_COUNT = 45,
	SIM_OA_B = SIM_OA_A + SIM_OA_A_COUNT,
	SIM_OA_B_COUNT = 8,
	SIM_OA_C = SIM_OA_B + SIM_OA_B_COUNT,
	SIM_OA_C_COUNT = 8,
	SIM_OA_M = SIM_OA_C + SIM_OA_C_COUNT,
	SIM_OA_M_COUNT = 8,
	SIM_OA_CLOCK = SIM_OA_M + SIM_OA_M_COUNT,
	SIM_OA_P, /* from Xe2 on; no others have them */
	SIM_OA_P_COUNT = 64,
	SIM_OA_SLOTS = SIM_OA_P + SIM_OA_P_COUNT,
};

/* Value i of a run lies at offset + (i - first) * stride, little endian. */
struct sim_oa_run {
	uint8_t slot; /* SIM_OA_A, _B, _C, _M, _P */
	uint8_t first, last;
	uint8_t stride;
	uint8_t bits; /* 32, 40, 64 */
	uint16_t offset;
	uint16_t high; /* byte with bits 39:32 of the first, one each */
};

struct sim_oa_format {
	unsigned number; /* value of DRM_I915_PERF_PROP_OA_FORMAT */
	const char *name;
	size_t size;
	bool haswell; /* as Haswell has it; 7 exists twice */
	bool wide; /* 64-bit header; i915: of a media unit */
	const struct sim_oa_run *runs;
	size_t run_count;
};

/*
 * Where A32u40_A4u32_B8_C8 and A24u40_A14u32_B8_C8 have what, which both kernel
 * drivers know by numbers of their own.
 */
extern const struct sim_oa_run sim_oa_a32u40[4], sim_oa_a24u40[9];
/* Layouts of A12 and A12_B8_C8. */
extern const struct sim_oa_run sim_oa_a12[1], sim_oa_a12_b8_c8[3];

/* The header words of a report. */
struct sim_oa_header {
	uint32_t id;
	uint64_t timestamp;
	uint32_t context;
};

/* Return NULL if there is no such format. */
const struct sim_oa_format *sim_oa_format_find(unsigned number, bool haswell);

/*
 * Fill format->size bytes at out. values has SIM_OA_SLOTS entries of which
 * each is cut to the width it has in this format.
 */
void sim_oa_format_write(const struct sim_oa_format *format,
			 const struct sim_oa_header *header,
			 const uint64_t *values, uint8_t *out);

/* Parse "A7", "B0", "C3", "M1", "P40", "clock" to a slot, or -EINVAL. */
int sim_oa_slot_parse(const char *name);

#endif /* DRMSIM_INTEL_OA_FORMAT_H */
