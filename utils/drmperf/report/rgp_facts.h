/* SPDX-License-Identifier: BSD-3-Clause */
/* What every file for RGP begins with. */
#ifndef DRMPERF_TOOL_REPORT_RGP_FACTS_H
#define DRMPERF_TOOL_REPORT_RGP_FACTS_H

#include <stdio.h>

#include "record/recording.h"

/*
 * Write the head of the file, and the chunks that tell of the machine and of
 * the GPU, whose chip has this name. Returns 0 or -ENOMEM.
 */
int
rgp_write_facts(const struct recording *recording, const char *chip, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_RGP_FACTS_H */
