/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes of files for AMD's Radeon GPU Profiler: chunks, each with a head. Their
 * types, versions and fields are those that Mesa writes (ac_rgp.c), and AMD's
 * own driver (PAL, sqtt_file_format.h).
 */
#ifndef DRMPERF_TOOL_REPORT_RGP_BYTES_H
#define DRMPERF_TOOL_REPORT_RGP_BYTES_H

#include "util/bytes.h"

enum rgp_chunk {
	RGP_ASIC_INFO = 0,
	RGP_SQTT_DESC = 1,
	RGP_SQTT_DATA = 2,
	RGP_API_INFO = 3,
	RGP_CPU_INFO = 7,
	RGP_SPM_DB = 8,
	RGP_DERIVED_SPM_DB = 128,
};

#define RGP_HEAD_SIZE 16

/* Add the head of a chunk; size is that of the chunk with its head. */
void
rgp_add_head(struct bytes *bytes, enum rgp_chunk chunk, unsigned major,
	     unsigned minor, uint64_t size);
/* Add a text of size bytes: zeros follow it; a longer one is cut. */
void
rgp_add_text(struct bytes *bytes, const char *text, size_t size);
void
rgp_add_zeros(struct bytes *bytes, size_t size);

#endif /* DRMPERF_TOOL_REPORT_RGP_BYTES_H */
