/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/checks/readback.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of CP_PERFMON_CNTL: the state, and the mode of counting. */
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

/*
 * Return the bits of a register that are compared: samples flip the sync bit.
 */
static uint32_t
bits_of(const struct readback *readback, int i)
{
	if (i == COMMANDS_SQG)
		return ~readback->core->controls[CORE_SQG_PERFCOUNTER_CTRL]
				.sync;
	return i == COMMANDS_STATE ? STATE_BITS : ~0u;
}

static uint32_t
seen_of(const struct readback *readback, const struct commands_sample *sample,
	int i)
{
	return sample->seen[i] & bits_of(readback, i);
}

/* ------------------------------------------------------------------ */
/* Registers that are checked                                           */

/*
 * Add the select of the counter's slot, in the first instance that counts it.
 */
static void
list_counter(struct readback *readback, const struct selection *selection,
	     const struct counter *counter)
{
	const struct block *block = &readback->core->blocks[counter->block];
	const struct value_cell *cell = &selection->cells[counter->first_cell];
	const struct block_instance *instance =
		&block->instances[cell->instance];
	const struct block_slot *hardware =
		block_slot(block, instance->bank, cell->slot);

	/* Reading registers of other kinds can hang the GPU. */
	if (!pm4_in_uconfig(hardware->select) || hardware->style == BLOCK_CFG)
		return;
	readback->selects[readback->count++] = (struct readback_select){
		.index = instance->index,
		.dword = hardware->select.byte / 4,
		.expected = counter->id | block->select_or,
		.event = (1u << hardware->id_bits) - 1,
		.block = (uint32_t)counter->block,
		.slot = cell->slot,
	};
}

static void
look_at_fixed(struct readback *readback)
{
	for (int i = 0; i < COMMANDS_FIXED; i++)
		readback->looked_at[i] =
			readback->fixed[i] ? bits_of(readback, i) : 0;
}

int
readback_init(struct readback *readback, const struct commands *commands,
	      const struct selection *selection)
{
	const struct core *core = commands->core;

	memset(readback, 0, sizeof(*readback));
	readback->core = core;
	readback->selects = calloc(selection->counter_count + 1,
				   sizeof(*readback->selects));
	if (!readback->selects)
		return -ENOMEM;
	/* an optional core clock event is the last counter */
	for (size_t i = 0;
	     i < selection->counter_count - selection->core_clock_gives_way;
	     i++)
		list_counter(readback, selection, &selection->counters[i]);
	readback->listed = readback->count;
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		const struct core_control *control =
			&core->controls[fixed[i].reg];

		readback->fixed[i] = control->reg.byte / 4;
		readback->expected[i] = control->value;
		if (fixed[i].has_stages)
			readback->expected[i] &= commands->stages;
		if (i != COMMANDS_STATE && !commands_need_shaders(commands))
			readback->fixed[i] = 0;
		if (is_owned(i) && core->sq_control == CORE_SQ_LOST)
			readback->fixed[i] = 0;
	}
	readback->expected[COMMANDS_STATE] = COUNTING;
	look_at_fixed(readback);
	if (core->controls[CORE_RLC_PERFMON_CLK_CNTL].put_back)
		readback->clock =
			core->controls[CORE_RLC_PERFMON_CLK_CNTL].reg.byte / 4;
	readback->looks_at_clock = readback->clock != 0;
	return 0;
}

void
readback_finish(struct readback *readback)
{
	free(readback->selects);
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

struct commands_readback
readback_of_sample(const struct readback *readback)
{
	struct commands_readback reads = { .index = BLOCK_BROADCAST };

	memcpy(reads.fixed, readback->fixed, sizeof(reads.fixed));
	reads.clock = readback->clock;
	if (readback->count) {
		reads.index = readback->selects[0].index;
		reads.select = readback->selects[0].dword;
	}
	return reads;
}

void
readback_write_all(const struct readback *readback, struct pm4 *pm4,
		   const struct commands *commands, uint64_t selects)
{
	const struct commands_readback reads = readback_of_sample(readback);

	pm4_counter_window(pm4, true);
	for (size_t i = 0; i < readback->listed; i++) {
		const struct readback_select *select = &readback->selects[i];

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
reads_back(const struct readback_select *select, uint32_t shown)
{
	return !((shown ^ select->expected) & select->event);
}

static void
take_fixed(struct readback *readback, const struct commands_sample *sample)
{
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		if (readback->fixed[i] &&
		    (seen_of(readback, sample, i) ^ readback->expected[i]) &
			    COMMANDS_ALL_STAGES)
			readback->fixed[i] = 0;
		readback->expected[i] = seen_of(readback, sample, i);
	}
	look_at_fixed(readback);
	readback->looks_at_clock =
		readback->clock && sample->clock_now & READBACK_CLOCK_ON;
}

void
readback_begin(struct readback *readback, const struct commands_sample *sample,
	       const uint32_t *selects)
{
	size_t kept = 0;

	take_fixed(readback, sample);
	for (size_t i = 0; i < readback->listed; i++) {
		if (!reads_back(&readback->selects[i], selects[i]))
			continue;
		readback->selects[kept] = readback->selects[i];
		readback->selects[kept++].expected = selects[i];
	}
	readback->count = kept;
	readback->next = 0;
}

static void
explain_select(struct readback *readback, const struct readback_select *select,
	       uint32_t shown)
{
	snprintf(readback->overwritten, sizeof(readback->overwritten),
		 "select %u of %s", select->slot,
		 readback->core->blocks[select->block].name);
	readback->shows = shown;
}

/* Return whether the register was compared before with the same event. */
static bool
was_ours(const struct readback *before, const struct readback_select *select)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct readback_select *old = &before->selects[i];

		if (old->dword == select->dword &&
		    old->index == select->index &&
		    reads_back(select, old->expected))
			return true;
	}
	return false;
}

bool
readback_continue(struct readback *readback, const struct readback *before,
		  const struct commands_sample *sample, const uint32_t *selects)
{
	for (size_t i = 0; i < readback->listed; i++) {
		const struct readback_select *select = &readback->selects[i];

		if (reads_back(select, selects[i]) || !was_ours(before, select))
			continue;
		explain_select(readback, select, selects[i]);
		return false;
	}
	readback_begin(readback, sample, selects);
	return !readback_clock_was_off(readback, sample);
}

bool
readback_was_counting(uint32_t state)
{
	return (state & STATE_BITS) == COUNTING;
}

static void
explain_clock(struct readback *readback, uint32_t shown)
{
	snprintf(readback->overwritten, sizeof(readback->overwritten), "%s",
		 core_register_name(CORE_RLC_PERFMON_CLK_CNTL));
	readback->shows = shown;
	readback->clock_is_off = true;
}

bool
readback_clock_was_off(struct readback *readback,
		       const struct commands_sample *sample)
{
	if (!readback->looks_at_clock || sample->clock & READBACK_CLOCK_ON)
		return false;
	explain_clock(readback, sample->clock);
	return true;
}

const struct readback_select *
readback_next(struct readback *readback)
{
	const struct readback_select *select;

	readback->looked_at[COMMANDS_SELECT] = readback->count ? ~0u : 0;
	if (!readback->count)
		return NULL;
	if (++readback->next >= readback->count)
		readback->next = 0;
	select = &readback->selects[readback->next];
	readback->expected[COMMANDS_SELECT] = select->expected;
	return select;
}

static bool
is_reset(const struct readback *readback, const struct commands_sample *sample,
	 int i)
{
	const uint32_t seen = seen_of(readback, sample, i);

	return !seen || seen == readback->core->controls[fixed[i].reg].reset;
}

bool
readback_has_lost_owner(struct readback *readback,
			const struct commands_sample *sample)
{
	if (readback->core->sq_control == CORE_SQ_KEPT)
		return false;
	if (readback_clock_is_off(readback, sample))
		return false;
	for (int i = 0; i < COMMANDS_SEEN; i++) {
		if (!((sample->seen[i] ^ readback->expected[i]) &
		      readback->looked_at[i]))
			continue;
		if (!is_owned(i) || !is_reset(readback, sample, i))
			return false;
	}
	readback->looked_at[COMMANDS_SQ] = readback->looked_at[COMMANDS_SQG] =
		0;
	return true;
}

void
readback_name_overwritten(struct readback *readback,
			  const struct commands_sample *sample)
{
	if (readback_clock_is_off(readback, sample)) {
		explain_clock(readback, sample->clock_now);
		return;
	}
	for (int i = 0; i < COMMANDS_FIXED; i++) {
		if (!((sample->seen[i] ^ readback->expected[i]) &
		      readback->looked_at[i]))
			continue;
		snprintf(readback->overwritten, sizeof(readback->overwritten),
			 "%s", fixed[i].name);
		readback->shows = sample->seen[i];
		return;
	}
	explain_select(readback, &readback->selects[readback->next],
		       sample->seen[COMMANDS_SELECT]);
}
