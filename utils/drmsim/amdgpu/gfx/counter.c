/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/counter.h"

#include <stddef.h>
#include <string.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/rates.h"
#include "base/array.h"
#include "machine/gpu.h"

/* Rates are in 10^-15 of a count per ns. */
#define FEMTO 1000000000000000ull
#define SIMDS 4 /* of a WGP */

/* ---- conditions */

/* Return whether the clock that counters run on is on, or gated. */
static bool
is_clock_on(const struct amdgpu *amdgpu, const struct die *die)
{
	uint32_t reg = amdgpu->chip.reg.rlc_perfmon_clk_cntl;
	bool is_set = reg && die->registers[reg] & 1;

	if (amdgpu->gpu->gated_clock)
		return false;
	if (amdgpu->chip.doubts[DOUBT_GATING] == GATING_NONE)
		return true;
	switch (amdgpu->chip.perfmon_clock) {
	case CLOCK_REGISTER_OR_PSTATE:
		return !reg || is_set || amdgpu->pstate;
	case CLOCK_REGISTER:
		return is_set;
	case CLOCK_PSTATE:
		return amdgpu->pstate;
	case CLOCK_ALWAYS:
		return true;
	}
	return false;
}

/*
 * Return whether a block may have another clock than the rest of the chip, as
 * GRBM may.
 */
static bool
is_apart(const struct block *block)
{
	return strcmp(block->name, "GRBM") == 0 ||
	       strcmp(block->name, "GRBMSE") == 0;
}

/*
 * Return whether the counter is clocked. For chips without a report from the
 * field, reading "field" means "most".
 */
static bool
has_clock(const struct amdgpu *amdgpu, const struct block *block,
	  const struct instance *instance, unsigned slot)
{
	const struct chip *chip = &amdgpu->chip;
	const unsigned reading = chip->doubts[DOUBT_GATING];
	const bool is_reported = chip->perfmon_clock == CLOCK_PSTATE;

	if (block->is_gated)
		return false;
	if (reading == GATING_FIELD && is_reported &&
	    !amdgpu->gpu->gated_clock &&
	    rates_are_ungated(amdgpu, block,
			      block_event(block, instance, slot)))
		return true;
	if (is_apart(block) && (reading == GATING_MOST ||
				(reading == GATING_FIELD && !is_reported)))
		return true;
	return is_clock_on(amdgpu, amdgpu->dies[instance->die]);
}

/*
 * Return whether a block is started: those of the graphics pipe may wait for
 * PERFCOUNTER_START.
 */
static bool
is_started(const struct chip *chip, const struct block *block,
	   const struct die *die)
{
	return !block->graphics || die->window_open ||
	       !chip->doubts[DOUBT_START_EVENT];
}

/*
 * Return whether the mask of VMIDs is missing. MI has a mask of VMIDs in
 * SQ_PERFCOUNTER_CTRL that all processes that count there open (ROCm
 * aqlprofile); radeonsi, on Vega, does without.
 */
static bool
lacks_vmid_mask(const struct chip *chip, const struct die *die)
{
	return chip->doubts[DOUBT_VMID_MASK] && !chip->gfx_rings &&
	       !(die->registers[chip->reg.sq_perfcounter_ctrl] >> 16);
}

/*
 * Return whether the masks are open that have to be for a counter to see
 * anything.
 */
static bool
is_unmasked(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	const struct chip *chip = &amdgpu->chip;
	const struct die *die = amdgpu->dies[instance->die];
	uint32_t select = instance->counters[slot].chosen;

	if (block->masked && !die->registers[chip->reg.sq_perfcounter_mask])
		return false;
	if (block->staged && lacks_vmid_mask(chip, die))
		return false;
	if (block->staged && chip->vmid_enable &&
	    !(die_second_control(die, chip, block) & chip->vmid_enable))
		return false;
	if (!chip->doubts[DOUBT_SELECT_MASKS])
		return true;
	for (unsigned i = 0; i < block->require_count; i++)
		if (!(select & block->require[i]))
			return false;
	return true;
}

bool
counter_sees(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, unsigned slot)
{
	const struct die *die = amdgpu->dies[instance->die];

	return instance->present && !block->is_stuck &&
	       block_has_slot(block, instance, slot) &&
	       is_unmasked(amdgpu, block, instance, slot) &&
	       is_started(&amdgpu->chip, block, die) &&
	       has_clock(amdgpu, block, instance, slot);
}

/* ---- time */

/* Narrow counters may end at their greatest value. */
static bool
may_stick(const struct chip *chip, const struct block *block, unsigned slot)
{
	return chip->doubts[DOUBT_FULL_COUNTER] &&
	       block_style(block, slot) == STYLE_GENERIC &&
	       block_value_mask(block, slot) == UINT32_MAX;
}

/*
 * Add events of an instance: a WGP counts what those of its SIMDs see that have
 * the select.
 */
static void
instance_add_events(const struct chip *chip, struct instance *instance,
		    const struct block *block, unsigned slot,
		    unsigned __int128 femto)
{
	struct counter *counter = &instance->counters[slot];
	uint64_t mask = block_value_mask(block, slot), more;

	if (block->steer == STEER_WGP)
		femto = femto * (unsigned)__builtin_popcount(counter->simds) /
			SIMDS;
	femto += counter->remainder;
	more = (uint64_t)(femto / FEMTO);
	if (may_stick(chip, block, slot) && more > mask - counter->value)
		counter->value = mask;
	else
		counter->value = (counter->value + more) & mask;
	counter->remainder = (uint64_t)(femto % FEMTO);
}

static bool
takes_part(const struct instance *instance, unsigned die)
{
	return instance->present && instance->die == die;
}

/* Count the instances of a die that are there. */
static unsigned
count_instances(const struct block *block, unsigned die)
{
	unsigned count = 0;

	for (unsigned i = 0; i < block->instance_count; i++)
		count += takes_part(&block->instances[i], die);
	return count;
}

/* Find what waves add; each instance of the die sees as many. */
static void
find_wave_paces(const struct amdgpu *amdgpu, const struct block *block,
		const struct instance *instance, unsigned slot,
		struct counter_pace *pace)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t micro = rates_of_waves(amdgpu, block, instance, slot,
						i / 2, i % 2);

		if (!micro)
			continue;
		if (!count)
			count = count_instances(block, instance->die);
		pace->waves[i / 2][i % 2] = (unsigned __int128)micro *
					    amdgpu_sclk(amdgpu) * 1000000 /
					    (count ? count : 1);
	}
}

struct counter_pace
counter_pace(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, unsigned slot)
{
	uint64_t clocks_micro = rates_of_work(
		amdgpu, RULE_WHILE_BUSY, block,
		block_event(block, instance, slot), (int)instance->number);
	struct counter_pace pace = {
		.ns = rates_of(amdgpu, block, instance, slot),
		.busy_ns = (unsigned __int128)clocks_micro *
			   amdgpu_sclk(amdgpu) * 1000000,
	};

	/* what is busy anyway is not busier with work */
	pace.busy_ns -= pace.ns < pace.busy_ns ? pace.ns : pace.busy_ns;
	find_wave_paces(amdgpu, block, instance, slot, &pace);
	return pace;
}

void
counter_add_time(const struct chip *chip, struct instance *instance,
		 const struct block *block, unsigned slot,
		 const struct counter_pace *pace, const struct passed *passed)
{
	unsigned __int128 femto =
		pace->ns * passed->ns + pace->busy_ns * passed->busy_ns;

	for (unsigned i = 0; i < 4; i++)
		femto += pace->waves[i / 2][i % 2] *
			 passed->waves.ns[i / 2][i % 2];
	instance_add_events(chip, instance, block, slot, femto);
}

/* ---- work */

uint64_t
counter_share(const struct block *block, const struct instance *instance,
	      uint64_t total)
{
	const unsigned count = count_instances(block, instance->die);
	unsigned before = 0;

	for (unsigned i = 0; i < block->instance_count; i++)
		before += takes_part(&block->instances[i], instance->die) &&
			  block->instances[i].number < instance->number;
	return count ? total / count + (before < total % count) : 0;
}

/* Where commands may write it, from gfx9 on; both kinds of events. */
#define SPI_CONFIG_CNTL (0x31100u / 4)
#define SQG_EVENTS (3u << 24)

/*
 * Return whether the window, or the queue, or FORCE_EN lets a windowed block
 * see the work.
 */
static bool
is_allowed(const struct amdgpu *amdgpu, const struct block *block,
	   const struct instance *instance, const struct dispatch *work)
{
	const struct chip *chip = &amdgpu->chip;
	const struct die *die = amdgpu->dies[instance->die];
	uint32_t ctrl = block->sqg
				? die->sqg_ctrl[instance->se]
				: die->registers[chip->reg.sq_perfcounter_ctrl];
	/* two pipes of ME0, then four of ME1 */
	unsigned pipe = work->is_gfx ? 0 : 2 + work->pipe % 4;

	if (chip->doubts[DOUBT_SQG_EVENTS] && chip->gfx_version[0] >= 9 &&
	    chip->gfx_version[0] <= 11 && strcmp(block->name, "SQ") == 0 &&
	    (die->registers[SPI_CONFIG_CNTL] & SQG_EVENTS) != SQG_EVENTS)
		return false;
	if (chip->pipe_disable && ctrl >> (chip->pipe_disable + pipe) & 1)
		return false;
	return work->allowed || die_is_forced(die, chip, block);
}

void
counter_add_work(struct amdgpu *amdgpu, const struct block *block,
		 struct instance *instance, unsigned slot,
		 const struct dispatch *work)
{
	const struct {
		enum rule_kind kind;
		uint64_t units;
	} parts[] = {
		{ RULE_PER_WAVE, work->waves },
		{ RULE_PER_THREAD, work->threads },
		{ RULE_PER_GROUP, work->groups },
		{ RULE_PER_DISPATCH, !work->is_copy },
		{ RULE_PER_VALU, work->shader.valu },
		{ RULE_PER_SALU, work->shader.salu },
		{ RULE_PER_LOAD, work->shader.loads },
		{ RULE_PER_STORE, work->shader.stores },
		{ RULE_PER_FLAT, work->shader.flats },
		{ RULE_PER_LINE_READ, work->shader.lines_read },
		{ RULE_PER_LINE_WRITTEN, work->shader.lines_written },
		{ RULE_PER_L2_READ, work->shader.l2_reads },
		{ RULE_PER_L2_WRITE, work->shader.l2_writes },
	};
	const struct chip *chip = &amdgpu->chip;
	const struct die *die = amdgpu->dies[instance->die];
	uint32_t event = block_event(block, instance, slot);

	if (!takes_part(instance, work->die))
		return;
	if (chip->doubts[DOUBT_TCP_SLOTS] && slot &&
	    strcmp(block->name, "TCP") == 0)
		return;
	if (block->windowed &&
	    (work->is_copy || !is_allowed(amdgpu, block, instance, work)))
		return;
	if (block->staged &&
	    !(die_stages(die, chip, block, instance) >> work->stage & 1))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t micro = 0;

		if (parts[i].units)
			micro = rates_of_work(amdgpu, parts[i].kind, block,
					      event, (int)instance->number);
		if (micro)
			instance_add_events(
				chip, instance, block, slot,
				(unsigned __int128)micro * 1000000000 *
					counter_share(block, instance,
						      parts[i].units));
	}
}
