/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chunk of a file for RGP: what was asked for, as it is computed from
 * counters (DERIVED_SPM_DB).
 */
#ifndef DRMPERF_TOOL_REPORT_RGP_FIGURES_H
#define DRMPERF_TOOL_REPORT_RGP_FIGURES_H

#include "record/recording.h"
#include "report/rgp_samples.h"

/* Describe the figures, in records that rgp_figures_write() writes. */
void
rgp_figures_describe(const struct rgp_samples *samples, struct bytes *records);
/* Return the bytes of the chunk of figures. */
uint64_t
rgp_figures_size(const struct rgp_samples *samples,
		 const struct bytes *records);
/* Write the figures, whose samples have been read. */
void
rgp_figures_write(const struct rgp_samples *samples,
		  const struct bytes *records, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_RGP_FIGURES_H */
