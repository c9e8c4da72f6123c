/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/perf_registers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perfmon.h"
#include "amdgpu/gfx/ring.h"

#define RESULT_SELECT 0xfu /* of RSLT_CNTL: which counter */
/* Above a 48-bit result stands the value to compare with: not a count. */
#define COMPARE_VALUE 0x5a5a0000u
#define JUNK 0xbadf00d5u
#define ALL_SIMDS 0xfu

struct perf_register {
	enum perf_register_kind {
		PERF_NONE,
		PERF_SELECT,
		PERF_SELECT1,
		PERF_LO,
		PERF_HI,
		PERF_CFG, /* configuration of one cfg counter */
		PERF_CFG_CONTROL, /* RSLT_CNTL */
		PERF_CFG_LO,
		PERF_CFG_HI,
		PERF_SDMA_CONTROL,
		PERF_SDMA_LO,
	} kind : 8;
	uint8_t block, slot;
	int8_t engine; /* its instance; -1: those of GRBM_GFX_INDEX */
};

static void
perf_register_map(struct perf_register *all, uint32_t dword,
		  enum perf_register_kind kind, unsigned block, unsigned slot,
		  int engine)
{
	if (dword && dword < PERF_REGISTERS_MAX)
		all[dword] = (struct perf_register){
			.kind = kind,
			.block = (uint8_t)block,
			.slot = (uint8_t)slot,
			.engine = (int8_t)engine,
		};
}

static void
map_slot(struct perf_register *all, const struct block *block, unsigned b,
	 unsigned s)
{
	const struct slot *slot = &block->slots[s];

	switch (block_style(block, s)) {
	case STYLE_CFG:
		perf_register_map(all, slot->select, PERF_CFG, b, s, -1);
		perf_register_map(all, slot->lo, PERF_CFG_LO, b, s, -1);
		perf_register_map(all, slot->hi, PERF_CFG_HI, b, s, -1);
		perf_register_map(all, block->control, PERF_CFG_CONTROL, b, 0,
				  -1);
		return;
	case STYLE_SDMA:
		for (unsigned e = 0; e < block->instance_count; e++) {
			uint32_t offset = e * block->stride;

			perf_register_map(all, slot->select + offset,
					  PERF_SDMA_CONTROL, b, 0, (int)e);
			perf_register_map(all, slot->lo + offset, PERF_SDMA_LO,
					  b, s, (int)e);
		}
		return;
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
	case STYLE_RLC:
		perf_register_map(all, slot->select, PERF_SELECT, b, s,
				  slot->engine);
		perf_register_map(all, slot->select1, PERF_SELECT1, b, s,
				  slot->engine);
		perf_register_map(all, slot->lo, PERF_LO, b, s, slot->engine);
		perf_register_map(all, slot->hi, PERF_HI, b, s, slot->engine);
		return;
	}
}

int
perf_registers_create(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;
	struct perf_register *all = calloc(PERF_REGISTERS_MAX, sizeof(*all));

	if (!all)
		return -ENOMEM;
	amdgpu->perf_registers = all;
	for (unsigned b = 0; b < chip->block_count; b++)
		for (unsigned s = 0; s < chip->blocks[b].slot_count; s++)
			map_slot(all, &chip->blocks[b], b, s);
	return 0;
}

void
perf_registers_free(struct amdgpu *amdgpu)
{
	free(amdgpu->perf_registers);
}

static const struct perf_register *
perf_register_find(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct perf_register *reg;

	if (dword >= PERF_REGISTERS_MAX)
		return NULL;
	reg = &amdgpu->perf_registers[dword];
	return reg->kind == PERF_NONE ? NULL : reg;
}

const struct block *
perf_registers_block(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct perf_register *reg = perf_register_find(amdgpu, dword);

	return reg ? &amdgpu->chip.blocks[reg->block] : NULL;
}

bool
perf_registers_has(const struct amdgpu *amdgpu, uint32_t dword)
{
	return perf_register_find(amdgpu, dword);
}

bool
perf_registers_is_select(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct perf_register *reg = perf_register_find(amdgpu, dword);

	return reg && (reg->kind == PERF_SELECT || reg->kind == PERF_SELECT1);
}

/* ---- writing */

/*
 * Selects of a WGP are its SIMDs': each has to be written. What is written
 * while counters run may have no effect before they are reset.
 */
static void
write_select(const struct amdgpu *amdgpu, struct counter *counter,
	     uint32_t value, unsigned simds)
{
	if (counter->select != value)
		counter->simds = 0;
	counter->simds |= simds;
	counter->select = value;
	if (amdgpu->chip.doubts[DOUBT_RUNNING_SELECT] &&
	    amdgpu->die->state == PERFMON_COUNT)
		return;
	counter->chosen = value;
	counter->programmed = true;
}

static void
write_counter(const struct amdgpu *amdgpu, const struct perf_register *reg,
	      struct block *block, struct instance *instance, uint32_t value,
	      unsigned simds)
{
	struct counter *counter = &instance->counters[reg->slot];
	uint64_t mask = block_value_mask(block, reg->slot);

	switch (reg->kind) {
	case PERF_SELECT:
		write_select(amdgpu, counter, value, simds);
		break;
	case PERF_SELECT1:
		if (counter->select1 != value)
			counter->simds1 = 0;
		counter->simds1 |= simds;
		counter->select1 = value;
		break;
	case PERF_CFG:
		counter->select = counter->chosen = value & 0xff;
		counter->select1 = value;
		counter->programmed = true;
		if (value & CFG_CLEAR)
			counter->value = block->start_value & mask;
		break;
	case PERF_CFG_CONTROL:
		instance->control = value;
		for (unsigned s = 0;
		     value & CFG_CLEAR_ALL && s < block->slot_count; s++)
			if (!block->slots[s].plain)
				instance->counters[s].value =
					block->start_value &
					block_value_mask(block, s);
		break;
	case PERF_LO:
		/* PAL writes these alone, before it begins to count */
		if (block->steer == STEER_WGP && simds & 1)
			counter->value = value & mask;
		break;
	case PERF_NONE:
	case PERF_HI:
	case PERF_CFG_LO:
	case PERF_CFG_HI:
	case PERF_SDMA_CONTROL:
	case PERF_SDMA_LO:
		break; /* results cannot be written */
	}
}

static void
write_sdma(struct block *block, struct instance *instance, uint32_t value)
{
	instance->control = value;
	for (unsigned s = 0; s < block->slot_count; s++) {
		struct counter *counter = &instance->counters[s];
		uint32_t field = value >> block_sdma_shift(block, s);

		counter->select = counter->chosen =
			field >> SDMA_EVENT_SHIFT & block->slots[s].event_mask;
		counter->programmed = true;
		if (field & SDMA_CLEAR)
			counter->value =
				block->start_value & block_value_mask(block, s);
	}
}

/*
 * Return the instance that a register belongs to regardless of GRBM_GFX_INDEX.
 */
static struct instance *
own_instance(const struct amdgpu *amdgpu, struct block *block,
	     const struct perf_register *reg)
{
	for (unsigned i = 0; i < block->instance_count; i++)
		if (block->instances[i].die == amdgpu->die->number &&
		    (int)block->instances[i].index == reg->engine)
			return &block->instances[i];
	return NULL;
}

/*
 * Report a die that touches a register of a block which only the first die of
 * its AID has: commands that all dies execute have to leave the others out.
 */
static void
check_die(struct amdgpu *amdgpu, const struct block *block, const char *done)
{
	const struct ring *ring = amdgpu->running.ring;

	if (!block->per_aid || !ring || !ring->writes)
		return;
	for (unsigned i = 0; i < block->instance_count; i++)
		if (block->instances[i].die == amdgpu->die->number)
			return;
	amdgpu_violation(amdgpu, "absent-block",
			 "a register of %s was %s by die %u, which does not "
			 "have that block",
			 block->name, done, amdgpu->die->number);
}

static void
write_addressed(struct amdgpu *amdgpu, const struct perf_register *reg,
		struct block *block, uint32_t value)
{
	struct die_index index = die_index(amdgpu->die, &amdgpu->chip);
	unsigned simds =
		index.all_instances ? ALL_SIMDS : 1u << (index.instance & 3);

	for (unsigned i = 0; i < block->instance_count; i++) {
		struct instance *instance = &block->instances[i];

		if (!die_addresses(amdgpu->die, &amdgpu->chip, block,
				   instance) ||
		    !block_has_slot(block, instance, reg->slot))
			continue;
		if (i && index.all_instances && reg->kind == PERF_SELECT &&
		    die_wants_apart(&amdgpu->chip, block))
			continue;
		instance->user = amdgpu->running.file;
		write_counter(amdgpu, reg, block, instance, value, simds);
	}
}

bool
perf_registers_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct perf_register *reg = perf_register_find(amdgpu, dword);
	struct instance *instance;
	struct block *block;

	if (!reg)
		return false;
	counting_sync(amdgpu, amdgpu->now);
	block = &amdgpu->chip.blocks[reg->block];
	check_die(amdgpu, block, "written");
	if (reg->kind == PERF_SELECT) {
		block->was_selected = true;
		block->selected_by = amdgpu->running.number;
	}
	if (reg->engine < 0) {
		write_addressed(amdgpu, reg, block, value);
		return true;
	}
	instance = own_instance(amdgpu, block, reg);
	if (!instance)
		return true;
	instance->user = amdgpu->running.file;
	if (reg->kind == PERF_SDMA_CONTROL)
		write_sdma(block, instance, value);
	else
		write_counter(amdgpu, reg, block, instance, value, ALL_SIMDS);
	return true;
}

/* ---- reading */

/* Find the instance a read is about; several are a mistake of the reader. */
static const struct instance *
addressed_instance(struct amdgpu *amdgpu, const struct block *block,
		   const struct perf_register *reg)
{
	struct die_index index = die_index(amdgpu->die, &amdgpu->chip);
	const struct instance *found = NULL;
	unsigned count = 0;

	/* results of a WGP are those of its first SIMD */
	if (block->steer == STEER_WGP && !index.all_instances &&
	    index.instance & 3)
		return NULL;
	for (unsigned i = 0; i < block->instance_count; i++) {
		const struct instance *instance = &block->instances[i];

		if (!die_addresses(amdgpu->die, &amdgpu->chip, block,
				   instance) ||
		    !block_has_slot(block, instance, reg->slot))
			continue;
		if (!found)
			found = instance;
		count++;
	}
	if (count > 1 && !amdgpu->die->was_steered)
		amdgpu_violation(amdgpu, "broadcast-read",
				 "a counter of %s was read from %u instances "
				 "at once",
				 block->name, count);
	return found;
}

static uint32_t
block_result(const struct block *block, const struct instance *instance,
	     const struct perf_register *reg, bool is_stale, bool is_restless)
{
	const struct counter *counter = &instance->counters[reg->slot];
	unsigned chosen = instance->control & RESULT_SELECT;
	uint64_t latch = is_stale ? counter->before : counter->latch;

	switch (reg->kind) {
	case PERF_SELECT:
		return counter->select;
	case PERF_SELECT1:
		return counter->select1;
	case PERF_LO:
		return (uint32_t)latch;
	case PERF_HI:
		return (uint32_t)(latch >> 32);
	case PERF_CFG:
		return counter->select1;
	case PERF_CFG_CONTROL:
		return instance->control;
	case PERF_CFG_LO:
	case PERF_CFG_HI:
		if (chosen >= block->slot_count || block->slots[chosen].plain ||
		    is_restless)
			return JUNK;
		counter = &instance->counters[chosen];
		return reg->kind == PERF_CFG_LO
			       ? (uint32_t)counter->value
			       : (uint32_t)(counter->value >> 32) |
					 COMPARE_VALUE;
	case PERF_SDMA_CONTROL:
		return instance->control;
	case PERF_SDMA_LO:
		return (uint32_t)counter->value;
	case PERF_NONE:
		break;
	}
	return JUNK;
}

static void
check_latch(struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, const struct perf_register *reg)
{
	if (reg->kind != PERF_LO && reg->kind != PERF_HI)
		return;
	if (!amdgpu->running.number)
		return;
	/* where it is late, the reads may be a job of their own */
	if (amdgpu->die->latched_job != amdgpu->running.number &&
	    !(amdgpu->chip.late_samples &&
	      amdgpu->die->latched_by == amdgpu->running.file))
		amdgpu_violation(amdgpu, "unlatched-read",
				 "a counter of %s was read without a sample",
				 block->name);
	else if (instance && !amdgpu->die->late_jobs &&
		 perfmon_is_late(amdgpu, block, instance))
		amdgpu_violation(amdgpu, "unlatched-read",
				 "a counter of %s was read before the sample "
				 "was there",
				 block->name);
}

/*
 * Return whether a result is stale. The first one read from GRBM after a sample
 * may be the one before it, on gfx10: aqlprofile reads once in vain there
 * (pmc_builder.h).
 */
static bool
is_stale(struct amdgpu *amdgpu, const struct block *block,
	 const struct perf_register *reg)
{
	const struct chip *chip = &amdgpu->chip;
	bool is_first = !amdgpu->die->grbm_was_read;

	if ((reg->kind != PERF_LO && reg->kind != PERF_HI) ||
	    strcmp(block->name, "GRBM") != 0)
		return false;
	amdgpu->die->grbm_was_read = true;
	return is_first && chip->gfx_version[0] == 10 &&
	       chip->doubts[DOUBT_GRBM_READ];
}

/*
 * Return whether a read disturbs: style cfg may be read only while it does not
 * count, as PAL does.
 */
static bool
is_restless(const struct amdgpu *amdgpu, const struct instance *instance)
{
	return amdgpu->chip.doubts[DOUBT_CFG_READ] &&
	       instance->control & CFG_ENABLE_ANY;
}

/*
 * Return whether the kernel steers now. The kernel writes GRBM_GFX_INDEX by
 * MMIO, for the occupancy of compute units or errors of memories (Linux
 * gfx_v9_4_3.c, amdgpu_amdkfd_gfx_v9.c): once, while the second instance of a
 * block is about to be read.
 */
static bool
is_steered_now(const struct amdgpu *amdgpu, const struct perf_register *reg)
{
	struct die_index index = die_index(amdgpu->die, &amdgpu->chip);

	return amdgpu->die->is_to_be_steered && amdgpu->running.number &&
	       reg->kind == PERF_LO && !index.all_instances && index.instance;
}

bool
perf_registers_read(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value)
{
	const struct perf_register *reg = perf_register_find(amdgpu, dword);
	const struct instance *instance;
	struct block *block;
	bool steered;

	if (!reg)
		return false;
	counting_sync(amdgpu, amdgpu->now);
	block = &amdgpu->chip.blocks[reg->block];
	steered = is_steered_now(amdgpu, reg);
	if (steered)
		die_steer(amdgpu->die, &amdgpu->chip, 0);
	check_die(amdgpu, block, "read");
	instance = reg->engine < 0 ? addressed_instance(amdgpu, block, reg)
				   : own_instance(amdgpu, block, reg);
	check_latch(amdgpu, block, instance, reg);
	*value = JUNK;
	if (instance && instance->present)
		*value = block_result(block, instance, reg,
				      is_stale(amdgpu, block, reg),
				      is_restless(amdgpu, instance));
	/* the kernel leaves it so that it names all */
	if (steered) {
		amdgpu->die->is_to_be_steered = false;
		die_steer(amdgpu->die, &amdgpu->chip, GRBM_BROADCAST);
		amdgpu->die->was_steered = true;
	}
	return true;
}
