/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What struct sim_driver asks of i915 and files of their own have; driver.c
 * lists it.
 */
#ifndef DRMSIM_I915_OPERATIONS_H
#define DRMSIM_I915_OPERATIONS_H

#include <stdio.h>

struct sim_file;
struct sim_gpu;
struct sim_i915;

/*
 * ---- setting.c: words of a scenario, of "drmsim ctl set", and options of
 * --gpu, that are i915's. README.md explains them to users.
 */
/* Implement sim_driver.set. */
int sim_i915_set(struct sim_gpu *gpu, const char *key, const char *value);

/*
 * ---- fdinfo.c: the fdinfo of an i915 client, engine time since the file was
 * opened, and from Linux 6.8 on its memory
 */
/* Implement sim_driver.fdinfo. */
void sim_i915_fdinfo(struct sim_file *file, FILE *out);

/*
 * ---- pmu.c: the PMU that i915 registers with perf; which events there are,
 * what they are called, and where their values come from
 */
/* Register the PMU of a device that is probed. Returns 0 or -errno. */
int sim_i915_pmu_register(struct sim_i915 *device);

#endif /* DRMSIM_I915_OPERATIONS_H */
