/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters, as time goes on and as work is launched. */
#ifndef DRMSIM_AMDGPU_GFX_COUNTING_H
#define DRMSIM_AMDGPU_GFX_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct block;
struct dispatch;
struct instance;

/* Count up to now, which is about to change something. */
void counting_sync(struct amdgpu *amdgpu, uint64_t now);
/* Add work that begins: what it adds is added at once. */
void counting_add_work(struct amdgpu *amdgpu, const struct dispatch *work);
/*
 * Return whether it is switched on, even if its clock stands or masks are
 * closed.
 */
bool counting_is_enabled(const struct amdgpu *amdgpu, const struct block *block,
			 const struct instance *instance, unsigned slot);

#endif /* DRMSIM_AMDGPU_GFX_COUNTING_H */
