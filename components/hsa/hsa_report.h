/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Report on queues to a tool that runs the program: DRMPERF_HSA_REPORT is the
 * path of a file of two 32-bit numbers, of queues that were enabled and of
 * queues that could not be, in all processes that have the variable.
 */
#ifndef DRMPERF_COMPONENTS_HSA_HSA_REPORT_H
#define DRMPERF_COMPONENTS_HSA_HSA_REPORT_H

#include <stdbool.h>

/* Open the report. Nothing is reported where there is no such file. */
void
hsa_report_open(void);
void
hsa_report_close(void);

void
hsa_report_queue(bool is_enabled);

#endif /* DRMPERF_COMPONENTS_HSA_HSA_REPORT_H */
