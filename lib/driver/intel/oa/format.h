/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layouts of OA reports.
 *
 * A report is a snapshot of all counters of an OA unit. Its counters come in
 * banks: A (aggregates, fed by fixed units or by the EUs), B and C (whatever
 * the metric set routes there), or, on Xe2 and later, PEC (the same), next to a
 * timestamp and, from gen8 on, the GPU clock. Every value has a slot, the same
 * number in all formats, so that the rest of the driver need not know the
 * format.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_FORMAT_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots; A, B, C and PEC are the first of their bank. */
enum oa_slot {
	OA_SLOT_TIME,
	OA_SLOT_CLOCK,
	OA_SLOT_A,
	OA_SLOT_B = OA_SLOT_A + 45,
	OA_SLOT_C = OA_SLOT_B + 8,
	OA_SLOT_PEC = OA_SLOT_C + 8,
	OA_SLOT_COUNT = OA_SLOT_PEC + 64
};

#define OA_REPORT_SIZE_MAX 576

/* Generations that differ in formats; rising in time. */
enum oa_generation {
	OA_GEN7,  /* Haswell */
	OA_GEN8,  /* Broadwell, Cherry View */
	OA_GEN9,  /* Skylake to Elkhart Lake: gen9, gen10, gen11 */
	OA_GEN12, /* Tiger Lake to DG1 and Alder Lake */
	OA_XEHP,  /* DG2 */
	OA_XELPG, /* Meteor Lake, Arrow Lake: also OAM units */
	OA_XE2,   /* Lunar Lake, Battlemage, Panther Lake: under xe only */
};

/*
 * Values of one bank side by side: value i stands at offset + i * bits / 8,
 * little endian; a 40-bit value has its low 32 bits at offset + i * 4 and the
 * rest in the byte at high + i.
 */
struct oa_run {
	uint8_t slot; /* of the first value */
	uint8_t count;
	uint8_t bits;	 /* 32, 40, or in words of 64: 56 or 64 */
	uint8_t offset;
	uint8_t high;
};

#define OA_RUNS_MAX 10

struct oa_format {
	const char *name;
	unsigned number; /* for DRM_I915_PERF_PROP_OA_FORMAT; 0: xe's alone */
	unsigned xe_number; /* for DRM_XE_OA_PROPERTY_OA_FORMAT; 0: no set's */
	enum oa_generation first, last;
	uint16_t size;
	/* id, time and clock have words of 64 bits */
	bool wide;
	struct oa_run runs[OA_RUNS_MAX]; /* up to the first without a count */
};

/* Return the mask at which a value wraps: all bits that it has. */
uint64_t oa_run_mask(const struct oa_run *run);

/*
 * Find the format that either driver knows by this number on a generation; NULL
 * if it has none. xe's are above 255, i915's below.
 */
const struct oa_format *oa_format_find(unsigned number,
				       enum oa_generation generation);

/* List all formats, for tests. */
const struct oa_format *oa_format_list(size_t *count);

/* Set the bits of the slots that the format has. */
void oa_format_slots(const struct oa_format *format, uint64_t slots[]);

/* Return the raw value at place index of a run. */
uint64_t oa_run_value(const struct oa_run *run, unsigned index,
		      const uint8_t *report);

uint64_t oa_format_time(const struct oa_format *format, const uint8_t *report);

/*
 * Return true for a gap in the buffer, which holds no report although it looks
 * so.
 */
bool oa_format_is_hole(const struct oa_format *format, const uint8_t *report);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_FORMAT_H */
