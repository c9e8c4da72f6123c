/* SPDX-License-Identifier: BSD-3-Clause */
/* The stable power state, which one context may hold. */
#ifndef DRMSIM_AMDGPU_PSTATE_H
#define DRMSIM_AMDGPU_PSTATE_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct context;

/*
 * Set a level by flags AMDGPU_CTX_STABLE_PSTATE_... Returns 0; -EINVAL; -EBUSY:
 * it is another's.
 */
int pstate_set(struct amdgpu *amdgpu, struct context *context, uint32_t flags);
/*
 * Set the level that a program wrote to sysfs, by name. Returns 0, or -EINVAL
 * if there is none.
 */
int pstate_write(struct amdgpu *amdgpu, const char *name);
/* End the context's hold of a level; is_closed says that its file is closed. */
void pstate_drop(struct amdgpu *amdgpu, struct context *context,
		 bool is_closed);
/* Reset the level and its owner, when the device has gone. */
void pstate_clear(struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_PSTATE_H */
