/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that i915 adds to those of every device, and its sysctls. */
#ifndef DRMSIM_I915_SYSFS_H
#define DRMSIM_I915_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_call;
struct sim_i915;

void sim_i915_put_files(struct sim_i915 *device);
void sim_i915_put_frequencies(struct sim_i915 *device);
void sim_i915_put_residency(struct sim_i915 *device);
/* Set a file of hwmon: "power1_crit 300000000". Returns 0 or -EINVAL. */
int
sim_i915_set_hwmon(struct sim_i915 *device, const char *value);
/* Return dev.i915.NAME as it stands now. */
uint64_t sim_i915_sysctl(struct sim_i915 *device, const char *name);
void sim_i915_put_sysctl(struct sim_i915 *device, const char *name,
			 uint64_t value);
/*
 * Return whether paranoid is set and the caller has neither of the two
 * capabilities.
 */
bool sim_i915_perf_refused(struct sim_i915 *device, struct sim_call *call);

#endif /* DRMSIM_I915_SYSFS_H */
