/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of a scenario, of "drmsim ctl set", and options of --gpu, that are
 * i915's. README.md explains them to users.
 */
#ifndef DRMSIM_I915_SETTING_H
#define DRMSIM_I915_SETTING_H

struct sim_gpu;

/* Implement sim_driver.set. */
int sim_i915_set(struct sim_gpu *gpu, const char *key, const char *value);

#endif /* DRMSIM_I915_SETTING_H */
