/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that i915 adds to those of every device, and its sysctls. */
#ifndef DRMSIM_I915_SYSFS_H
#define DRMSIM_I915_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_call;
struct sim_i915;

/* sysctls, of the module and so of all its devices */
#define SIM_I915_PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"
#define SIM_I915_MAX_RATE "/proc/sys/dev/i915/oa_max_sample_rate"

void sim_i915_put_files(struct sim_i915 *device);
void sim_i915_put_frequencies(struct sim_i915 *device);
void sim_i915_put_residency(struct sim_i915 *device);
/* Set a file of hwmon: "power1_crit 300000000". Returns 0 or -EINVAL. */
int
sim_i915_set_hwmon(struct sim_i915 *device, const char *value);
/*
 * Return whether paranoid is set and the caller has neither of the two
 * capabilities.
 */
bool sim_i915_perf_refused(struct sim_i915 *device, struct sim_call *call);

#endif /* DRMSIM_I915_SYSFS_H */
