/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphics hardware that is here but cannot be used, as its driver is another
 * one or none.
 */
#ifndef DRMPERF_TOOL_SELECT_UNUSABLE_GPUS_H
#define DRMPERF_TOOL_SELECT_UNUSABLE_GPUS_H

#include "drmperf.h"

/* Print each of them on standard output, with the remedy. */
void
unusable_gpus_print(struct drmperf *drmperf);

#endif /* DRMPERF_TOOL_SELECT_UNUSABLE_GPUS_H */
