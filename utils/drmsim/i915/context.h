/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of GEM: as much of them as the perf interface needs to filter by
 * one. Nothing is executed in them.
 *
 * Those made by CONTEXT_CREATE get the hardware ids 0x100, 0x101 and so on, in
 * order, so that a scenario can name them. The default context of each open
 * file, handle 0, gets an id of its own from 0x10000 on.
 */
#ifndef DRMSIM_I915_CONTEXT_H
#define DRMSIM_I915_CONTEXT_H

#include <stdint.h>

struct sim_call;
struct sim_file;

int sim_i915_context_open(struct sim_file *file);
void sim_i915_context_close(struct sim_file *file);
/* Find the hardware's id for a handle. Returns 0 or -ENOENT. */
int sim_i915_context_find(struct sim_file *file, uint64_t handle,
			  uint32_t *out);

int sim_i915_context_create(struct sim_call *call, struct sim_file *file,
			    void *arg);
int sim_i915_context_destroy(struct sim_call *call, struct sim_file *file,
			     void *arg);

#endif /* DRMSIM_I915_CONTEXT_H */
