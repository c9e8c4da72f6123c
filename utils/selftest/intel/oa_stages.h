/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of Intel GPUs. Each returns 0, 1 or -errno. */
#ifndef DRMPERF_SELFTEST_INTEL_OA_STAGES_H
#define DRMPERF_SELFTEST_INTEL_OA_STAGES_H

#include "selftest/intel/harness.h"

/*
 * Return whether the group is a metric set as it is listed, and not the choice
 * among all.
 */
bool
oa_is_set(const struct drmperf_group *group);

/* Open the device and no stream. */
int
oa_stage_identity(struct oa_harness *harness);
/*
 * Check time and core clocks against the CPU's clock and the kernel's sensors.
 */
int
oa_stage_clocks(struct oa_harness *harness);
int
oa_stage_sets(struct oa_harness *harness);
int
oa_stage_fences(struct oa_harness *harness);
/* Count a GPU that idles while it is counted, and sleeps before. */
int
oa_stage_power(struct oa_harness *harness);
/* Count while another process has the stream, or asks for it. */
int
oa_stage_taken(struct oa_harness *harness);
/* Compare each published set with a composed one of the same events. */
int
oa_stage_composed(struct oa_harness *harness);
/* Count pixels that another process draws. */
int
oa_stage_drawn(struct oa_harness *harness);

#endif /* DRMPERF_SELFTEST_INTEL_OA_STAGES_H */
