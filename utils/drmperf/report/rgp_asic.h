/* SPDX-License-Identifier: BSD-3-Clause */
/* The chunk ASIC_INFO of a file for RGP: what the GPU is. */
#ifndef DRMPERF_TOOL_REPORT_RGP_ASIC_H
#define DRMPERF_TOOL_REPORT_RGP_ASIC_H

#include "record/recording.h"

/* Add the chunk, of the GPU that streamed and has this name. */
void
rgp_add_asic(struct bytes *bytes, const struct recording *recording,
	     const char *name);

#endif /* DRMPERF_TOOL_REPORT_RGP_ASIC_H */
