/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PERF_OPEN: the kernel's checks in the kernel's order, which decides what
 * error a program sees first.
 */
#ifndef DRMSIM_I915_PERF_OPEN_H
#define DRMSIM_I915_PERF_OPEN_H

struct sim_call;
struct sim_file;

int sim_i915_perf_open(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_I915_PERF_OPEN_H */
