/* SPDX-License-Identifier: BSD-3-Clause */
/* The stable power state, which one context may hold. */
#ifndef DRMSIM_AMDGPU_PSTATE_H
#define DRMSIM_AMDGPU_PSTATE_H

#include <stdint.h>

struct amdgpu;
struct context;

/* flags: AMDGPU_CTX_STABLE_PSTATE_... 0; -EINVAL; -EBUSY: it is another's. */
int pstate_set(struct amdgpu *amdgpu, struct context *context, uint32_t flags);
/* The context ends. */
void pstate_drop(struct amdgpu *amdgpu, struct context *context);

#endif /* DRMSIM_AMDGPU_PSTATE_H */
