/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streaming performance monitors (SPM): the RLC collects 16-bit values of
 * counters every n shader clocks and writes them, as samples of 32-byte lines,
 * to a ring in the address space of one VMID.
 *
 * segment  the lines of a sample that come from one place: of the blocks that
 *          exist once, or of one shader engine
 * lane     a 16-bit value that a block sends
 * wire     an even lane and an odd one: two counters of 16 bits, or one of 32
 * muxsel   the memory that selects which lanes stand in a segment
 */
#ifndef DRMSIM_AMDGPU_GFX_SPM_H
#define DRMSIM_AMDGPU_GFX_SPM_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct dispatch;
struct vm;

/* Create it if the chip streams: 0 or -ENOMEM. spm_free() in any case. */
int
spm_create(struct amdgpu *amdgpu);
void
spm_free(struct amdgpu *amdgpu);
void
spm_power_up(struct amdgpu *amdgpu);

/* ---- registers */

/* Return whether a register is one of streaming counters. */
bool
spm_has_register(const struct amdgpu *amdgpu, uint32_t dword);
/* Write a register. Returns true if it may hold nothing of what was written. */
bool
spm_write_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t value);
/* Set the state, as SPM_PERFMON_STATE of CP_PERFMON_CNTL is written. */
void
spm_set_state(struct amdgpu *amdgpu, unsigned state);
/* Note that the CP has waited until the GPU was idle. */
void
spm_settle(struct amdgpu *amdgpu);

/* ---- the kernel's register, RLC_SPM_VMID */

/* Name the address space that samples are written to. */
void
spm_set_vm(struct amdgpu *amdgpu, const struct vm *vm);
/* Forget an address space that ends. */
void
spm_forget_vm(struct amdgpu *amdgpu, const struct vm *vm);
/*
 * Return whether samples are being taken by order of this file, or for its
 * address space.
 */
bool
spm_is_armed(const struct amdgpu *amdgpu, uint64_t file, const struct vm *vm);

/* ---- time and work */

/* Count from one moment to another, and write the samples between them. */
void
spm_count(struct amdgpu *amdgpu, uint64_t from, uint64_t to);
void
spm_add_work(struct amdgpu *amdgpu, const struct dispatch *work);
/* Return when samples are to be written at the latest, or SIM_NEVER. */
uint64_t
spm_next(const struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_GFX_SPM_H */
