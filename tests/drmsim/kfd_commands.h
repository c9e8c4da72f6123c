/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands (PM4) of a vendor packet, written by hand behind each other into
 * the user's buffer of commands.
 */
#ifndef DRMPERF_TESTS_DRMSIM_KFD_COMMANDS_H
#define DRMPERF_TESTS_DRMSIM_KFD_COMMANDS_H

#include <stdint.h>

#include "tests/drmsim/kfd_queue.h"

/* COPY_DATA: where from and to; the CP waits for the write. */
#define COPY_FROM_REGISTER 0u
#define COPY_FROM_MEMORY 1u
#define COPY_FROM_COUNTER 4u
#define COPY_FROM_VALUE 5u
#define COPY_TO_REGISTER (0u << 8)
#define COPY_TO_L2 (2u << 8)
#define COPY_TO_MEMORY (5u << 8)
#define COPY_CONFIRM (1u << 20)
/* WAIT_REG_MEM: until what is there is equal. */
#define WAIT_REGISTER 3u
#define WAIT_MEMORY (3u | 1u << 4)
/* Registers of a queue, in bytes. */
#define PERFCOUNT_ENABLE 0xb82cu
#define THREAD_TRACE_ENABLE 0xb878u
/* Dwords of kfd_emit_copy(), and of kfd_emit_register(). */
#define COPY_DWORDS 6u
#define REGISTER_DWORDS 3u

/* Begin with the first dword. */
void
kfd_commands_clear(struct kfd_user *user);
void
kfd_emit(struct kfd_user *user, uint32_t dword);
void
kfd_emit64(struct kfd_user *user, uint64_t value);
/* Emit SET_UCONFIG_REG; reg is in bytes. */
void
kfd_emit_register(struct kfd_user *user, uint32_t reg, uint32_t value);
/* Emit SET_SH_REG; reg is in bytes. */
void
kfd_emit_sh_register(struct kfd_user *user, uint32_t reg, uint32_t value);
/*
 * Emit COPY_DATA of a dword; from is a register in bytes, an address, or a
 * value.
 */
void
kfd_emit_copy(struct kfd_user *user, uint32_t control, uint64_t from,
	      uint64_t to);
/* Emit WAIT_REG_MEM of a value under a mask, at an address or a register. */
void
kfd_emit_wait(struct kfd_user *user, uint32_t control, uint64_t at,
	      uint32_t value, uint32_t mask);
/* Emit PRED_EXEC: only this die of the node runs the dwords that follow. */
void
kfd_emit_for_die(struct kfd_user *user, unsigned die, uint32_t dwords);
/* Emit a start: SQ counts waves of all stages, from 0. */
void
kfd_emit_start(struct kfd_user *user);
/*
 * Sample, let each of the dies write what its engines have counted, a dword
 * each, to the user's data, and stop.
 */
void
kfd_emit_read(struct kfd_user *user, unsigned dies, unsigned engines);

#endif /* DRMPERF_TESTS_DRMSIM_KFD_COMMANDS_H */
