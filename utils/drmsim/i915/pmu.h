/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMU that i915 registers with perf: which events there are, what they
 * are called, and where their values come from.
 */
#ifndef DRMSIM_I915_PMU_H
#define DRMSIM_I915_PMU_H

struct sim_i915;

int sim_i915_pmu_register(struct sim_i915 *device);

#endif /* DRMSIM_I915_PMU_H */
