/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perf_registers.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/sqtt.h"
#include "machine/clock.h"
#include "machine/gpu.h"

/* From chip->pipe_disable on: two bits of ME0, four of ME1. */
#define PIPES 6
#define UNUSED_PIPE 1 /* the second of graphics, where Linux has no ring */
/* FSM_MASTER_STATE of RLC_SPM_STATUS: nothing is under way. */
#define SPM_IS_IDLE (4u << 16)
#define INDEX_OF_ALL 0xe0000000u

/* Return the engine that GRBM_GFX_INDEX names; of several, the first. */
static unsigned
engine_of(const struct amdgpu *amdgpu)
{
	struct die_index index = die_index(amdgpu->die, &amdgpu->chip);

	return index.all_se ? 0 : index.se % SE_MAX;
}

/*
 * Return whether another ring's registers are at work. A ring may have
 * registers of the SQ of its own, which are at work once it writes
 * CP_PERFMON_CNTL, and forgets them when another ring does so.
 */
static bool
has_no_bank(const struct amdgpu *amdgpu)
{
	return amdgpu->chip.doubts[DOUBT_SQ_CONTROL] == SQ_CONTROL_BANKED &&
	       amdgpu->running.ring && amdgpu->die->sq_owner &&
	       amdgpu->die->sq_owner != amdgpu->running.ring;
}

static uint32_t
read_sqg(const struct amdgpu *amdgpu)
{
	const struct die *die = amdgpu->die;
	unsigned engine = engine_of(amdgpu);

	if (has_no_bank(amdgpu))
		return 0;
	return die->late_jobs ? die->sqg_before[engine] : die->sqg_ctrl[engine];
}

uint32_t
registers_read(struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	const struct die *die = amdgpu->die;
	uint32_t value;

	if (dword >= REGISTERS_MAX)
		return 0;
	if (perf_registers_read(amdgpu, dword, &value) ||
	    sqtt_read_register(amdgpu, dword, &value))
		return value;
	if (reg->spm_status && dword == reg->spm_status)
		return SPM_IS_IDLE;
	if (dword == reg->grbm_status)
		return registers_status(amdgpu, NULL);
	if (reg->sqg_perfcounter_ctrl && dword == reg->sqg_perfcounter_ctrl)
		return read_sqg(amdgpu);
	if (reg->grbmh_sync && dword == reg->grbmh_sync)
		return die->late_jobs
			       ? 0
			       : die->grbmh_sync >> engine_of(amdgpu) & 1;
	if (dword == reg->sq_perfcounter_ctrl && has_no_bank(amdgpu))
		return 0;
	return die->registers[dword];
}

/* Return the bits that hide the work of the first count pipes. */
static uint32_t
pipe_bits(const struct chip *chip, unsigned count)
{
	return chip->pipe_disable ? ((1u << count) - 1) << chip->pipe_disable
				  : 0;
}

static uint32_t
pipe_bit(const struct chip *chip, unsigned pipe)
{
	return chip->pipe_disable ? 1u << (chip->pipe_disable + pipe) : 0;
}

/* Return the bits that may be written because they hide nothing. */
static uint32_t
harmless_bits(const struct chip *chip)
{
	return pipe_bit(chip, UNUSED_PIPE);
}

/* Report bits that hide a pipe in use: its work would not be counted. */
static void
check_pipes(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct chip *chip = &amdgpu->chip;

	if (dword && value & pipe_bits(chip, PIPES) & ~harmless_bits(chip))
		amdgpu_violation(amdgpu, "hidden-pipe",
				 "0x%x was written to register 0x%x, which "
				 "hides the work of a pipe from counters",
				 value, dword * 4);
}

/* Write to all engines that are addressed. */
static void
write_engines(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	struct die *die = amdgpu->die;
	bool all = die_index(die, &amdgpu->chip).all_se;

	for (unsigned se = 0; se < amdgpu->chip.se_count; se++) {
		if (!all && se != engine_of(amdgpu))
			continue;
		if (dword == amdgpu->chip.reg.grbmh_sync) {
			/* a written 1 clears */
			die->grbmh_sync &= ~((value & 1) << se);
			continue;
		}
		if (amdgpu->chip.doubts[DOUBT_SYNC_BIT])
			value &= ~pipe_bit(&amdgpu->chip, UNUSED_PIPE);
		if ((die->sqg_ctrl[se] ^ value) &
		    pipe_bits(&amdgpu->chip, PIPES))
			die->sqg_toggled |= 1u << se;
		die->sqg_ctrl[se] = value;
	}
}

/*
 * Take the SQ's control registers. The ring that writes CP_PERFMON_CNTL may own
 * SQ_PERFCOUNTER_CTRL from there on, so that what another ring has written to
 * it is gone. PAL writes it after that for the CP ties the one to the other
 * (gfx9PerfExperiment.cpp).
 */
static void
take_sq_control(struct amdgpu *amdgpu)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	struct die *die = amdgpu->die;

	if (!amdgpu->chip.doubts[DOUBT_SQ_CONTROL] ||
	    die->sq_owner == amdgpu->running.ring)
		return;
	die->sq_owner = amdgpu->running.ring;
	die->registers[reg->sq_perfcounter_ctrl] = 0;
	die->registers[reg->sqg_perfcounter_ctrl] = 0;
	memset(die->sqg_ctrl, 0, sizeof(die->sqg_ctrl));
}

/* Return whether the register decides what is counted. */
static bool
is_switch(const struct chip_register *reg, uint32_t dword)
{
	return dword == reg->sq_perfcounter_ctrl ||
	       dword == reg->sq_perfcounter_ctrl2 ||
	       dword == reg->sqg_perfcounter_ctrl ||
	       dword == reg->sqg_perfcounter_ctrl2 ||
	       dword == reg->sq_perfcounter_mask;
}

/* Return whether a counter has the register, or it has its own meaning. */
static bool
is_simulated(const struct amdgpu *amdgpu, uint32_t dword)
{
	/* nothing but addresses */
	const uint32_t *known = (const uint32_t *)&amdgpu->chip.reg;

	if (perf_registers_has(amdgpu, dword))
		return true;
	for (size_t i = 0; i < sizeof(amdgpu->chip.reg) / sizeof(*known); i++)
		if (dword && known[i] == dword)
			return true;
	return false;
}

bool
registers_may_copy(const struct amdgpu *amdgpu, uint32_t dword)
{
	return (dword >= SHADER_START && dword < SHADER_END) ||
	       (dword >= CONTEXT_START && dword < UCONFIG_END) ||
	       is_simulated(amdgpu, dword);
}

/*
 * Return whether a register is nothing of the chip, where all are of counters.
 */
static bool
is_nothing(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip *chip = &amdgpu->chip;

	if (dword < COUNTERS_START || dword >= COUNTERS_END ||
	    is_simulated(amdgpu, dword))
		return false;
	for (unsigned i = 0; i < chip->named_count; i++)
		if (dword >= chip->named[i].first &&
		    dword <= chip->named[i].last)
			return false;
	return true;
}

void
registers_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	if (dword >= REGISTERS_MAX || dword == reg->grbm_status ||
	    dword == reg->grbm_status2)
		return;
	if (perf_registers_write(amdgpu, dword, value) ||
	    spm_write_register(amdgpu, dword, value))
		return;
	/* The kernel has had its turn: it leaves behind what names all. */
	if (dword == reg->grbm_gfx_index && amdgpu->index_is_lost) {
		amdgpu->index_is_lost = false;
		value = INDEX_OF_ALL;
	}
	if (is_nothing(amdgpu, dword))
		amdgpu_violation(amdgpu, "register",
				 "0x%x was written to register 0x%x, which %s "
				 "does not have",
				 value, dword * 4, amdgpu->chip.name);
	if (dword == reg->cp_perfmon_cntl) {
		perfmon_set_state(amdgpu, value);
		take_sq_control(amdgpu);
	}
	if (dword == reg->rlc_perfmon_cntl && reg->rlc_perfmon_cntl)
		perfmon_set_rlc_state(amdgpu, value);
	else if (is_switch(reg, dword))
		counting_sync(amdgpu, amdgpu->now);
	if (dword == reg->sq_perfcounter_ctrl ||
	    dword == reg->sqg_perfcounter_ctrl)
		check_pipes(amdgpu, dword, value);
	if (dword &&
	    (dword == reg->sqg_perfcounter_ctrl || dword == reg->grbmh_sync))
		write_engines(amdgpu, dword, value);
	if (dword && (dword == reg->sq_perfcounter_ctrl ||
		      dword == reg->sqg_perfcounter_ctrl))
		amdgpu->die->sq_owner = amdgpu->running.ring;
	if (dword == reg->grbm_gfx_index)
		die_steer(amdgpu->die, &amdgpu->chip, value);
	sqtt_write_register(amdgpu, dword, value);
	if (dword && dword == reg->rlc_perfmon_clk_cntl)
		perfmon_switch_clock(amdgpu, value & 1);
	amdgpu->die->registers[dword] = value;
}

/*
 * Return the status. A bit is set in its share of the readings, spread evenly:
 * each reading adds the share, and where the sum passes a whole the bit shows.
 * phase holds the sums of one reader; NULL for a reader that is not followed.
 */
uint32_t
registers_status(const struct amdgpu *amdgpu, uint64_t phase[32])
{
	const struct chip *chip = &amdgpu->chip;
	uint64_t now = sim_now(amdgpu->gpu->sim);
	uint32_t value = 0;

	for (unsigned i = 0; i < chip->busy_count; i++) {
		const struct busy_bit *busy = &chip->busy[i];

		if (!phase) {
			if (busy->share >= 50000000)
				value |= 1u << busy->bit;
			continue;
		}
		phase[busy->bit] += busy->share;
		if (phase[busy->bit] >= 100000000) {
			phase[busy->bit] -= 100000000;
			value |= 1u << busy->bit;
		}
	}
	if (chip->busy_count && busy_time(amdgpu, amdgpu->die, now, now + 1))
		value |= 1u << 31;
	return value;
}
