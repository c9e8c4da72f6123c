/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stable power state that is held as long as any process of the user needs
 * it. The kernel ties it to one context. If that ended, the counters' clock
 * would stand still until the next process set the state, and on gfx10 its
 * switch would be cleared. So the context lives in a DRM file of its own, whose
 * descriptor each process passes to the next one: the state ends with the last
 * of them, however they end.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PSTATE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PSTATE_H

#include "driver/amdgpu/device/context.h"

struct pstate;

/*
 * Hold a state that is not STABLE_PSTATE_NONE, together with the processes
 * that hold it already. If another program, or sysfs, has set one, nothing is
 * held and nothing will be given back: *out becomes NULL. A context is needed
 * to ask for the state.
 *
 * Returns 0; -EBUSY if the state that is set is another one, unless any is as
 * good; -EINVAL if the kernel does not know how, or the GPU is too hot; what
 * opening the GPU and making a thread return.
 */
int
pstate_hold(struct amd_context *ctx, enum stable_pstate clock, bool any,
	    struct pstate **out);

/*
 * Release the state, which the kernel ends if no other process holds it. NULL
 * is allowed.
 */
void pstate_release(struct pstate *pstate);

/* Return the descriptor with which the state lasts. */
int
pstate_descriptor(const struct pstate *pstate);

/*
 * Free the state in a forked child, whose descriptors are closed. NULL is
 * allowed.
 */
void pstate_abandon(struct pstate *pstate);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PSTATE_H */
