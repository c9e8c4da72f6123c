/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and stop counters, and decide when a reader sees their values.
 *
 * Most counters run while CP_PERFMON_CNTL says so and are read from a latch
 * that is filled on demand. Blocks of style cfg and sdma have switches of
 * their own and are read as they are.
 */
#ifndef DRMSIM_AMDGPU_GFX_PERFMON_H
#define DRMSIM_AMDGPU_GFX_PERFMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct amdgpu;
struct block;
struct die;
struct instance;

/* Set the state, as CP_PERFMON_CNTL and RLC_PERFMON_CNTL are written. */
void perfmon_set_state(struct amdgpu *amdgpu, uint32_t value);
void perfmon_set_rlc_state(struct amdgpu *amdgpu, uint32_t value);
/* Switch the clock, as RLC_PERFMON_CLK_CNTL is about to be written. */
void perfmon_switch_clock(struct amdgpu *amdgpu, bool on);
/* Open or close the window, by PERFCOUNTER_START or STOP of the gfx ring. */
void perfmon_set_window(struct amdgpu *amdgpu, bool open);

void perfmon_latch(struct amdgpu *amdgpu);
/*
 * Note that the CP has waited for a register: samples whose arrival that
 * register shows have arrived.
 */
void perfmon_waited(struct amdgpu *amdgpu, uint32_t dword);
/*
 * Note that a job of the die has ended: samples arrive unless more jobs have to
 * end first (chip.late_jobs).
 */
void perfmon_settle(struct amdgpu *amdgpu, struct die *die);
/* Return whether a sample is still under way to this instance. */
bool perfmon_is_late(const struct amdgpu *amdgpu, const struct block *block,
		     const struct instance *instance);

/*
 * Note that the file of this id is closed. If another file counts as well, it
 * owns from now on what this one has switched on, unless the process was
 * killed.
 */
void perfmon_hand_over(struct amdgpu *amdgpu, uint64_t user, bool killed);

/*
 * Return whether any counter could still count that was switched on by the file
 * of this id; 0: by any file.
 */
bool perfmon_is_running(const struct amdgpu *amdgpu, uint64_t user, char *text,
			size_t size);

#endif /* DRMSIM_AMDGPU_GFX_PERFMON_H */
