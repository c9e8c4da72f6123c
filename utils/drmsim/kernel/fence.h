/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fences, and the descriptors that stand for one (sync_file). A fence is
 * signalled once, with 0 or a negative errno; then every sleeping call is asked
 * again.
 */
#ifndef DRMSIM_KERNEL_FENCE_H
#define DRMSIM_KERNEL_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_call;
struct sim_fence;

/* Create a fence. Returns NULL if there is no memory. */
struct sim_fence *sim_fence_create(struct sim *sim);
/* Create a fence that is signalled with 0 already. */
struct sim_fence *sim_fence_create_signaled(struct sim *sim);
struct sim_fence *sim_fence_get(struct sim_fence *fence);
void sim_fence_put(struct sim_fence *fence);
void sim_fence_signal(struct sim_fence *fence, int error);
bool sim_fence_is_signaled(const struct sim_fence *fence);
int sim_fence_error(const struct sim_fence *fence);

/* Give the caller a sync file, as sim_call_give_fd() does. */
int sim_fence_give(struct sim_fence *fence, struct sim_call *call,
		   uint64_t store);
/* Return the fence behind a sync file of the caller, borrowed, or NULL. */
struct sim_fence *sim_fence_of_fd(const struct sim_call *call, int fd);

#endif /* DRMSIM_KERNEL_FENCE_H */
