/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of EU stalls: an instruction's address, and how many samples of
 * threads at it were of which kind. Their layout depends on the GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_EU_STALL_RECORD_H
#define DRMPERF_LIB_DRIVER_XE_EU_STALL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "drmperf.h"

/* More than any layout has. */
#define EU_STALL_REASONS_MAX 10

/* A field is given by its first bit, counted from the start of the record. */
struct eu_stall_layout {
	unsigned version; /* of graphics IP from which on it is, major * 100 */
	unsigned address_bits; /* of addresses in bytes */
	const struct drmperf_sample_reason *reasons;
	unsigned reason_count;
	uint16_t first_bits[EU_STALL_REASONS_MAX]; /* of counts, by reason */
};

/* Find the layout of GPUs of this version; NULL if none is known. */
const struct eu_stall_layout *
eu_stall_layout_find(unsigned ip_major, unsigned ip_minor);

/* Return the number of bytes that a record has at least. */
size_t
eu_stall_layout_size(const struct eu_stall_layout *layout);

/* Take a record apart: the address, and a number for each reason. */
uint64_t
eu_stall_record_decode(const struct eu_stall_layout *layout,
		       const uint8_t *record, uint32_t *samples);

#endif /* DRMPERF_LIB_DRIVER_XE_EU_STALL_RECORD_H */
