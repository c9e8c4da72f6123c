/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes of files for AMD's Radeon GPU Profiler: chunks, each with a head. Their
 * types, versions and fields are those that Mesa writes (ac_rgp.c), and AMD's
 * own driver (PAL, sqtt_file_format.h). Numbers have their lowest byte first.
 * That writing has failed is seen by ferror().
 */
#ifndef DRMPERF_COMPONENTS_RGP_RGP_PUT_H
#define DRMPERF_COMPONENTS_RGP_RGP_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum rgp_chunk {
	RGP_ASIC_INFO = 0,
	RGP_SQTT_DESC = 1,
	RGP_SQTT_DATA = 2,
	RGP_API_INFO = 3,
	RGP_QUEUE_EVENT_TIMINGS = 5,
	RGP_CLOCK_CALIBRATION = 6,
	RGP_CPU_INFO = 7,
	RGP_SPM_DB = 8,
	RGP_DERIVED_SPM_DB = 128,
};

#define RGP_HEAD_SIZE 16

/* Sizes and offsets have a sign. */
#define RGP_MOST_BYTES INT32_MAX

void
rgp_put_u32(FILE *out, uint32_t value);
void
rgp_put_u64(FILE *out, uint64_t value);
/*
 * Put the head of a chunk, which is the number index of its type; size is that
 * of the chunk with its head.
 */
void
rgp_put_head(FILE *out, enum rgp_chunk chunk, unsigned index, uint32_t version,
	     uint64_t size);
#define RGP_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))
/* Put a text of size bytes: zeros follow it; a longer one is cut. */
void
rgp_put_text(FILE *out, const char *text, size_t size);
void
rgp_put_zeros(FILE *out, size_t size);

#endif /* DRMPERF_COMPONENTS_RGP_RGP_PUT_H */
