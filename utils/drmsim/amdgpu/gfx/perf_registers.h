/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of counters. */
#ifndef DRMSIM_AMDGPU_GFX_PERF_REGISTERS_H
#define DRMSIM_AMDGPU_GFX_PERF_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct block;

/* Create the registers of the chip's blocks: 0 or -ENOMEM. */
int perf_registers_create(struct amdgpu *amdgpu);
void perf_registers_free(struct amdgpu *amdgpu);

/* Access a register of the die that is executing; true if a counter owns it. */
bool perf_registers_write(struct amdgpu *amdgpu, uint32_t dword,
			  uint32_t value);
bool perf_registers_read(struct amdgpu *amdgpu, uint32_t dword,
			 uint32_t *value);
/* Return the block that the register belongs to, or NULL. */
const struct block *perf_registers_block(const struct amdgpu *amdgpu,
					 uint32_t dword);
/* Return whether the register belongs to a counter. */
bool perf_registers_has(const struct amdgpu *amdgpu, uint32_t dword);
/*
 * Return whether the register is a counter's select, which is filtered by
 * value: see chip.filter_cam.
 */
bool perf_registers_is_select(const struct amdgpu *amdgpu, uint32_t dword);

#endif /* DRMSIM_AMDGPU_GFX_PERF_REGISTERS_H */
