/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of the samples of EU stalls, one for each reason, as events.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_EU_STALL_DOMAIN_H
#define DRMPERF_LIB_DRIVER_XE_EU_STALL_DOMAIN_H

#include "driver/description.h"
#include "driver/xe/gpu.h"

/*
 * Append domain, group and events of a GPU that has such samples, and nothing
 * for others. The GPU must live as long as the description. -ENOMEM.
 */
int
eu_stall_domain_describe(struct xe_gpu *gpu, struct description *description);

#endif /* DRMPERF_LIB_DRIVER_XE_EU_STALL_DOMAIN_H */
