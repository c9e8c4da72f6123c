/* SPDX-License-Identifier: BSD-3-Clause */
/* Ioctls that query the device: GETPARAM, QUERY, REG_READ. */
#ifndef DRMSIM_I915_QUERY_H
#define DRMSIM_I915_QUERY_H

struct sim_call;
struct sim_file;

int sim_i915_getparam(struct sim_call *call, struct sim_file *file, void *arg);
int sim_i915_query(struct sim_call *call, struct sim_file *file, void *arg);
int sim_i915_reg_read(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_I915_QUERY_H */
