/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of the deltas between neighbouring OA reports.
 *
 * A counter of 32 or 40 bits wraps every few seconds or faster, so that two
 * reports far apart say nothing: the deltas of neighbours are added up instead.
 * All deltas of a row of reports add up to last - first plus one full range
 * for each time the value went down, so it is enough to count, per value,
 * how often that happened. That needs no unpacking of the fields: the 32-bit
 * words of a report are compared with those of the one before, many at once,
 * and the format is only looked at when a row ends.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_ACCUMULATE_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_ACCUMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/format.h"

/* 32-bit words in the longest report with values that wrap. */
#define OA_WORDS_MAX 64

/*
 * In all 256-byte formats with 40-bit values the byte that completes the word
 * at OA_HIGH_WORD + i stands at OA_HIGH_BYTE + i.
 */
#define OA_HIGH_WORD 4
#define OA_HIGH_BYTE 160
#define OA_HIGH_COUNT 32

/* How often each value of a row of reports was less than the one before. */
struct oa_wraps {
	uint32_t words[OA_WORDS_MAX];
	uint32_t high[OA_HIGH_COUNT]; /* as 40-bit values */
};

/*
 * Add the wraps of count pairs of reports: from a to b, from the report
 * stride bytes behind a to that behind b, and so on.
 */
typedef void (*oa_scan_fn)(struct oa_wraps *wraps, const uint8_t *a,
			   const uint8_t *b, size_t stride, size_t count,
			   size_t words);

/* Kinds of scans, with identical results. */
enum oa_scan {
	OA_SCAN_BEST, /* the fastest this processor can do */
	OA_SCAN_PLAIN,
	OA_SCAN_AVX2,
};

/*
 * Return the function of a kind of scan; NULL if this processor cannot do it.
 */
oa_scan_fn
oa_scan_function(enum oa_scan scan);

struct oa_accumulator {
	const struct oa_format *format;
	oa_scan_fn scan;
	bool started; /* last holds a report */
	uint64_t sums[OA_SLOT_COUNT];
	uint8_t last[OA_REPORT_SIZE_MAX];
};

void
oa_accumulator_init(struct oa_accumulator *accumulator,
		    const struct oa_format *format, enum oa_scan scan);

/*
 * Add a row of reports, stride bytes apart. The very first report is only the
 * base line. Sums of slots that the format lacks stay 0.
 */
void
oa_accumulator_add(struct oa_accumulator *accumulator, const uint8_t *reports,
		   size_t stride, size_t count);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_ACCUMULATE_H */
