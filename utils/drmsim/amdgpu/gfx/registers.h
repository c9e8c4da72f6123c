/* SPDX-License-Identifier: BSD-3-Clause */
/* All registers of the die that is executing. */
#ifndef DRMSIM_AMDGPU_GFX_REGISTERS_H
#define DRMSIM_AMDGPU_GFX_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;

uint32_t registers_read(struct amdgpu *amdgpu, uint32_t dword);
/*
 * Return whether a register may be written by a packet that names any register:
 * those that other packets set, and those that count or govern counting; what
 * else there is holds something together.
 */
bool registers_may_copy(const struct amdgpu *amdgpu, uint32_t dword);
void registers_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value);
/*
 * Return GRBM_STATUS as a reader sees it; phase is the reader's own, see there.
 */
uint32_t registers_status(const struct amdgpu *amdgpu, uint64_t phase[32]);

#endif /* DRMSIM_AMDGPU_GFX_REGISTERS_H */
