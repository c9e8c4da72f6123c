/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of EU stalls, by a stream of the xe kernel driver, and their sums,
 * one for each reason, as events.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_EU_STALL_H
#define DRMPERF_LIB_DRIVER_XE_EU_STALL_H

#include <stdbool.h>

#include "driver/description.h"
#include "driver/sampling.h"
#include "driver/xe/eu_stall_record.h"
#include "driver/xe/gpu.h"

/* The kernel looks for new records at these intervals. */
#define EU_STALL_LOOK_MS 5

/* Their device is a struct oa_gpu of xe. */
extern const struct sampling_ops xe_eu_stall_ops;

/*
 * Return the layout of the records of a GPU, or NULL if the GPU or the kernel
 * has no samples of EU stalls.
 */
const struct eu_stall_layout *
eu_stall_find(const struct xe_gpu *gpu);

/*
 * Append domain, group and events of a GPU that has such samples, and nothing
 * for others. The GPU must live as long as the description. Returns 0, or
 * -ENOMEM.
 */
int
eu_stall_domain_describe(struct xe_gpu *gpu, struct description *description);

#endif /* DRMPERF_LIB_DRIVER_XE_EU_STALL_H */
