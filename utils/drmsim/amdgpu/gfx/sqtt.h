/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread traces (SQTT): of each shader engine, tokens of what its waves do go
 * to a buffer in the address space of the job that armed the trace.
 *
 * trace   what one shader engine has of this: its registers, its buffer
 * unit    32 bytes of a buffer, which are written at once
 * token   what a trace tells of one occurrence, some 4 to 64 bits
 */
#ifndef DRMSIM_AMDGPU_GFX_SQTT_H
#define DRMSIM_AMDGPU_GFX_SQTT_H

#include <stdbool.h>
#include <stdint.h>

struct amdgpu;
struct dispatch;
struct ring;
struct vm;

/* Create it if the chip traces: 0 or -ENOMEM. sqtt_free() in any case. */
int
sqtt_create(struct amdgpu *amdgpu);
void
sqtt_free(struct amdgpu *amdgpu);
void
sqtt_power_up(struct amdgpu *amdgpu);

/* ---- registers */

/* Return whether a register is one of traces, or takes markers for them. */
bool
sqtt_has_register(const struct amdgpu *amdgpu, uint32_t dword);
/*
 * Return whether COPY_DATA to the space of counters is the only way to write
 * the register.
 */
bool
sqtt_is_privileged(const struct amdgpu *amdgpu, uint32_t dword);
/* Write a register in the traces that GRBM_GFX_INDEX addresses. */
void
sqtt_write_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t value);
/* Read a register that has no memory of its own: true if this is one. */
bool
sqtt_read_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value);
/*
 * Return why a register will never hold what a ring waits for, or NULL. *until
 * is the time when the register changes next, or SIM_NEVER.
 */
const char *
sqtt_wait_register(const struct amdgpu *amdgpu, uint32_t dword, uint32_t mask,
		   uint64_t *until);

/* ---- what is traced */

/*
 * See that a ring is about to write a register of shaders, which is the
 * queue's.
 */
void
sqtt_see_register(struct ring *ring, uint32_t dword, uint32_t value);
/* See that a ring has executed an EVENT_WRITE. */
void
sqtt_see_event(struct ring *ring, unsigned event);
/* Launch a dispatch, as ring_launch() does it, and trace its waves. */
int
sqtt_launch(struct ring *ring, const struct dispatch *work);
/* Write the tokens of what has happened up to a moment. */
void
sqtt_advance(struct amdgpu *amdgpu, uint64_t now);

/* ---- the owner */

/* Return whether traces are armed by this file, or for its address space. */
bool
sqtt_is_armed(const struct amdgpu *amdgpu, uint64_t file, const struct vm *vm);
/* Report buffers that are in use, and gone, after mappings have changed. */
void
sqtt_check_buffers(struct amdgpu *amdgpu);
/* Forget an address space that ends. */
void
sqtt_forget_vm(struct amdgpu *amdgpu, const struct vm *vm);

#endif /* DRMSIM_AMDGPU_GFX_SQTT_H */
