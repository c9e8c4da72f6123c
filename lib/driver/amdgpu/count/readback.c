/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/readback.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of CP_PERFMON_CNTL: the state, and the mode of counting. */
#define STATE_BITS 0x30fu
#define COUNTING 1u

static const struct {
	enum core_register reg;
	const char *name;
	bool has_stages;
} fixed[COMMANDS_FIXED] = {
	[COMMANDS_STATE] = { CORE_CP_PERFMON_CNTL, "CP_PERFMON_CNTL", false },
	[COMMANDS_SQ] = { CORE_SQ_PERFCOUNTER_CTRL, "SQ_PERFCOUNTER_CTRL",
			  true },
	[COMMANDS_SQG] = { CORE_SQG_PERFCOUNTER_CTRL, "SQG_PERFCOUNTER_CTRL",
			   true },
	[COMMANDS_SQ2] = { CORE_SQ_PERFCOUNTER_CTRL2, "SQ_PERFCOUNTER_CTRL2",
			   false },
	[COMMANDS_SQG2] = { CORE_SQG_PERFCOUNTER_CTRL2, "SQG_PERFCOUNTER_CTRL2",
			    false },
	[COMMANDS_MASK] = { CORE_SQ_PERFCOUNTER_MASK, "SQ_PERFCOUNTER_MASK",
			    false },
	[COMMANDS_EVENTS] = { CORE_SPI_SQG_EVENT_CTL, "SPI_SQG_EVENT_CTL",
			      false },
};

static bool
is_owned(int i)
{
	return i == COMMANDS_SQ || i == COMMANDS_SQG;
}

/* Samples flip the sync bit. */
static uint32_t
bits_of(const struct watch *watch, int i)
{
	if (i == COMMANDS_SQG)
		return ~watch->core->controls[CORE_SQG_PERFCOUNTER_CTRL].sync;
	return i == COMMANDS_STATE ? STATE_BITS : ~0u;
}

static uint32_t
seen_of(const struct watch *watch, const struct commands_sample *sample, int i)
{
	return sample->seen[i] & bits_of(watch, i);
}

/* ------------------------------------------------------------------ */
/* What there is to be looked at                                        */

/* In the first instance that counts it. */
static void
list_counter(struct watch *watch, const struct selection *selection,
	     const struct counter *counter)
{
	const struct block *block = &watch->core->blocks[counter->block];
	const struct cell *cell = &selection->cells[counter->first_cell];
	const struct block_instance *instance =
		&block->instances[cell->instance];
	const struct block_slot *hardware =
		block_slot(block, instance->bank, cell->slot);

	/* The others' registers are of the kind that hangs. */
	if (!pm4_in_uconfig(hardware->select) || hardware->style == BLOCK_CFG)
		return;
	watch->selects[watch->count++] = (struct watch_select){
		.index = instance->index,
		.dword = hardware->select.byte / 4,
		.expected = counter->id | block->select_or,
		.event = (1u << hardware->id_bits) - 1,
		.block = (uint32_t)counter->block,
		.slot = cell->slot,
	};
}

static void
look_at_fixed(struct watch *watch)
{
	for (int i = 0; i < COMMANDS_FIXED; i++)
		watch->looked_at[i] = watch->fixed[i] ? bits_of(watch, i) : 0;
}

int
watch_init(struct watch *watch, const struct commands *commands,
	   const struct selection *selection)
{
	const struct core *core = commands->core;

	memset(watch, 0, sizeof(*watch));
	watch->core = core;
	watch->selects =
		calloc(selection->counter_count + 1, sizeof(*watch->selects));
	if (!watch->selects)
		return -ENOMEM;
	/* a witness that gives way is the last one */
	for (size_t i = 0;
	     i < selection->counter_count - selection->witness_gives_way; i++)
		list_counter(watch, selection, &selection->counters[i]);
	watch->listed = watch->count;
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		const struct core_control *control =
			&core->controls[fixed[i].reg];

		watch->fixed[i] = control->reg.byte / 4;
		watch->expected[i] = control->value;
		if (fixed[i].has_stages)
			watch->expected[i] &= commands->stages;
		if (i != COMMANDS_STATE && !commands_need_shaders(commands))
			watch->fixed[i] = 0;
		if (is_owned(i) && core->sq_control == CORE_SQ_LOST)
			watch->fixed[i] = 0;
	}
	watch->expected[COMMANDS_STATE] = COUNTING;
	look_at_fixed(watch);
	if (core->controls[CORE_RLC_PERFMON_CLK_CNTL].put_back)
		watch->clock =
			core->controls[CORE_RLC_PERFMON_CLK_CNTL].reg.byte / 4;
	watch->looks_at_clock = watch->clock != 0;
	return 0;
}

void
watch_finish(struct watch *watch)
{
	free(watch->selects);
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

struct commands_watch
watch_reads(const struct watch *watch)
{
	struct commands_watch reads = { .index = BLOCK_BROADCAST };

	memcpy(reads.fixed, watch->fixed, sizeof(reads.fixed));
	reads.clock = watch->clock;
	if (watch->count) {
		reads.index = watch->selects[0].index;
		reads.select = watch->selects[0].dword;
	}
	return reads;
}

void
watch_write_all(const struct watch *watch, struct pm4 *pm4,
		const struct commands *commands, uint64_t selects)
{
	const struct commands_watch reads = watch_reads(watch);

	pm4_counter_window(pm4, true);
	for (size_t i = 0; i < watch->listed; i++) {
		const struct watch_select *select = &watch->selects[i];

		commands_steer(pm4, commands, select->index);
		commands_read_register(
			pm4, commands,
			(struct pm4_register){ select->dword * 4 },
			selects + i * sizeof(uint32_t));
	}
	commands_steer(pm4, commands, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	commands_read_fixed(pm4, commands, &reads);
	pm4_confirm_copy(pm4);
}

/* ------------------------------------------------------------------ */
/* Looking                                                              */

static bool
reads_back(const struct watch_select *select, uint32_t shown)
{
	return !((shown ^ select->expected) & select->event);
}

static void
take_fixed(struct watch *watch, const struct commands_sample *sample)
{
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		if (watch->fixed[i] &&
		    (seen_of(watch, sample, i) ^ watch->expected[i]) &
			    COMMANDS_ALL_STAGES)
			watch->fixed[i] = 0;
		watch->expected[i] = seen_of(watch, sample, i);
	}
	look_at_fixed(watch);
	watch->looks_at_clock =
		watch->clock && sample->clock_now & WATCH_CLOCK_ON;
}

void
watch_begin(struct watch *watch, const struct commands_sample *sample,
	    const uint32_t *selects)
{
	size_t kept = 0;

	take_fixed(watch, sample);
	for (size_t i = 0; i < watch->listed; i++) {
		if (!reads_back(&watch->selects[i], selects[i]))
			continue;
		watch->selects[kept] = watch->selects[i];
		watch->selects[kept++].expected = selects[i];
	}
	watch->count = kept;
	watch->next = 0;
}

static void
say_select(struct watch *watch, const struct watch_select *select,
	   uint32_t shown)
{
	snprintf(watch->stolen, sizeof(watch->stolen), "select %u of %s",
		 select->slot, watch->core->blocks[select->block].name);
	watch->shows = shown;
}

/* Has it been looked at before, with the same event? */
static bool
was_ours(const struct watch *before, const struct watch_select *select)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct watch_select *old = &before->selects[i];

		if (old->dword == select->dword &&
		    old->index == select->index &&
		    reads_back(select, old->expected))
			return true;
	}
	return false;
}

bool
watch_go_on(struct watch *watch, const struct watch *before,
	    const struct commands_sample *sample, const uint32_t *selects)
{
	for (size_t i = 0; i < watch->listed; i++) {
		const struct watch_select *select = &watch->selects[i];

		if (reads_back(select, selects[i]) || !was_ours(before, select))
			continue;
		say_select(watch, select, selects[i]);
		return false;
	}
	watch_begin(watch, sample, selects);
	return !watch_clock_was_off(watch, sample);
}

bool
watch_was_counting(uint32_t state)
{
	return (state & STATE_BITS) == COUNTING;
}

static void
say_clock(struct watch *watch, uint32_t shown)
{
	snprintf(watch->stolen, sizeof(watch->stolen), "%s",
		 core_register_name(CORE_RLC_PERFMON_CLK_CNTL));
	watch->shows = shown;
	watch->clock_is_off = true;
}

bool
watch_clock_was_off(struct watch *watch, const struct commands_sample *sample)
{
	if (!watch->looks_at_clock || sample->clock & WATCH_CLOCK_ON)
		return false;
	say_clock(watch, sample->clock);
	return true;
}

const struct watch_select *
watch_turn(struct watch *watch)
{
	const struct watch_select *select;

	watch->looked_at[COMMANDS_SELECT] = watch->count ? ~0u : 0;
	if (!watch->count)
		return NULL;
	if (++watch->next >= watch->count)
		watch->next = 0;
	select = &watch->selects[watch->next];
	watch->expected[COMMANDS_SELECT] = select->expected;
	return select;
}

static bool
is_reset(const struct watch *watch, const struct commands_sample *sample, int i)
{
	const uint32_t seen = seen_of(watch, sample, i);

	return !seen || seen == watch->core->controls[fixed[i].reg].reset;
}

bool
watch_has_lost_owner(struct watch *watch, const struct commands_sample *sample)
{
	if (watch->core->sq_control == CORE_SQ_KEPT)
		return false;
	if (watch_clock_is_off(watch, sample))
		return false;
	for (int i = 0; i < COMMANDS_SEEN; i++) {
		if (!((sample->seen[i] ^ watch->expected[i]) &
		      watch->looked_at[i]))
			continue;
		if (!is_owned(i) || !is_reset(watch, sample, i))
			return false;
	}
	watch->looked_at[COMMANDS_SQ] = watch->looked_at[COMMANDS_SQG] = 0;
	return true;
}

void
watch_tell_stolen(struct watch *watch, const struct commands_sample *sample)
{
	if (watch_clock_is_off(watch, sample)) {
		say_clock(watch, sample->clock_now);
		return;
	}
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		if (!((sample->seen[i] ^ watch->expected[i]) &
		      watch->looked_at[i]))
			continue;
		snprintf(watch->stolen, sizeof(watch->stolen), "%s",
			 fixed[i].name);
		watch->shows = sample->seen[i];
		return;
	}
	say_select(watch, &watch->selects[watch->next],
		   sample->seen[COMMANDS_SELECT]);
}
