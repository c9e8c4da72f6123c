/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/perfmon.h"

#include <stdio.h>
#include <string.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/spm.h"

#define STATE_MASK 0xfu
#define MODE_MASK 0x300u
#define SAMPLE (1u << 10)

/* Calls f for all counters of a kind on the die that executes. */
static void
for_each_counter(struct amdgpu *amdgpu,
		 bool (*which)(const struct block *, unsigned slot),
		 void (*f)(struct amdgpu *amdgpu, const struct block *block,
			   struct instance *instance, unsigned slot))
{
	struct instance *instance;
	struct block *block;

	for_each_instance(&amdgpu->chip, block, instance)
	{
		if (instance->die != amdgpu->die->number)
			continue;
		for (unsigned s = 0; s < block->slot_count; s++)
			if (which(block, s))
				f(amdgpu, block, instance, s);
	}
}

static void
reset_counter(struct amdgpu *amdgpu, const struct block *block,
	      struct instance *instance, unsigned slot)
{
	struct counter *counter = &instance->counters[slot];

	(void)amdgpu;
	if (counter->chosen != counter->select)
		counter->programmed = true;
	counter->chosen = counter->select;
	counter->value = block->start_value & block_value_mask(block, slot);
	counter->remainder = 0;
}

static bool
is_sq(const struct block *block)
{
	return block->sqg || block->steer == STEER_WGP;
}

bool
perfmon_is_late(const struct amdgpu *amdgpu, const struct block *block,
		const struct instance *instance)
{
	const struct die *die = amdgpu->dies[instance->die];

	if (block->scope == SCOPE_GLOBAL)
		return false;
	return (is_sq(block) ? die->late_sq : die->late_others) >>
		       instance->se &
	       1;
}

/*
 * Return whether a block sees a sample: one by the event, or by bit 10, is seen
 * by all, or by some.
 */
static bool
sees_sample(const struct amdgpu *amdgpu, const struct block *block,
	    bool by_event)
{
	switch (amdgpu->chip.doubts[DOUBT_SAMPLE]) {
	case SAMPLE_BY_RING:
		return !block->graphics || amdgpu->running.is_gfx;
	case SAMPLE_BY_KIND:
		return by_event ? block->graphics && amdgpu->running.is_gfx
				: !block->graphics;
	}
	return true;
}

static void
sample_counter(struct amdgpu *amdgpu, const struct block *block,
	       struct instance *instance, unsigned slot)
{
	struct counter *counter = &instance->counters[slot];

	counter->before = counter->latch;
	counter->sampled = counter->value;
	if (!perfmon_is_late(amdgpu, block, instance))
		counter->latch = counter->sampled;
}

static void
sample_by_event(struct amdgpu *amdgpu, const struct block *block,
		struct instance *instance, unsigned slot)
{
	if (sees_sample(amdgpu, block, true))
		sample_counter(amdgpu, block, instance, slot);
}

static void
sample_by_bit(struct amdgpu *amdgpu, const struct block *block,
	      struct instance *instance, unsigned slot)
{
	if (sees_sample(amdgpu, block, false))
		sample_counter(amdgpu, block, instance, slot);
}

static void
slot_count_arrivals(struct amdgpu *amdgpu, const struct block *block,
		    struct instance *instance, unsigned slot)
{
	if (!perfmon_is_late(amdgpu, block, instance))
		instance->counters[slot].latch =
			instance->counters[slot].sampled;
}

static void
slots_sample(struct amdgpu *amdgpu,
	     bool (*which)(const struct block *, unsigned slot),
	     void (*one)(struct amdgpu *amdgpu, const struct block *block,
			 struct instance *instance, unsigned slot))
{
	amdgpu->die->grbm_was_read = false;
	if (amdgpu->chip.late_samples) {
		/* on a compute ring only SQ is overtaken */
		amdgpu->die->late_sq = UINT32_MAX;
		amdgpu->die->late_others =
			amdgpu->running.is_gfx ? UINT32_MAX : 0;
		amdgpu->die->sqg_toggled = 0;
		if (!amdgpu->die->late_jobs)
			memcpy(amdgpu->die->sqg_before, amdgpu->die->sqg_ctrl,
			       sizeof(amdgpu->die->sqg_before));
		amdgpu->die->late_jobs = amdgpu->chip.late_jobs;
	}
	for_each_counter(amdgpu, which, one);
	if (!amdgpu->running.number)
		return;
	amdgpu->die->latched_job = amdgpu->running.number;
	amdgpu->die->latched_by = amdgpu->running.file;
}

void
perfmon_latch(struct amdgpu *amdgpu)
{
	counting_sync(amdgpu, amdgpu->now);
	slots_sample(amdgpu, block_follows_cp, sample_by_event);
	slots_sample(amdgpu, block_follows_rlc, sample_by_event);
}

void
perfmon_waited(struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip *chip = &amdgpu->chip;
	struct die *die = amdgpu->die;
	uint32_t engines = die_addressed_engines(die, chip);

	if (!chip->late_samples)
		return;
	if (dword == chip->reg.sqg_perfcounter_ctrl)
		die->late_sq &= ~(engines & die->sqg_toggled);
	else if (dword == chip->reg.grbmh_sync)
		die->late_others &= ~engines;
	else
		return;
	for_each_counter(amdgpu, block_follows_cp, slot_count_arrivals);
}

void
perfmon_settle(struct amdgpu *amdgpu, struct die *die)
{
	spm_settle(amdgpu);
	if (die->late_jobs && --die->late_jobs)
		return;
	if (!die->late_sq && !die->late_others)
		return;
	die->late_sq = die->late_others = 0;
	for_each_counter(amdgpu, block_follows_cp, slot_count_arrivals);
}

/*
 * Stop a block for good: some parts do not bear a stop, and until a reset they
 * count no more.
 */
static void
block_stick(struct amdgpu *amdgpu, struct block *block, const char *why)
{
	if (block->is_stuck)
		return;
	block->is_stuck = true;
	amdgpu_violation(amdgpu, "stuck", "%s got stuck: %s", block->name, why);
}

static struct block *
find_block(struct amdgpu *amdgpu, const char *name)
{
	return *name ? chip_block(&amdgpu->chip, name, strlen(name)) : NULL;
}

void
perfmon_set_window(struct amdgpu *amdgpu, bool open)
{
	struct block *block = find_block(amdgpu, amdgpu->chip.stuck_by_stop);

	counting_sync(amdgpu, amdgpu->now);
	amdgpu->die->window_open = open;
	if (open || !block)
		return;
	for (unsigned i = 0; i < block->instance_count; i++)
		for (unsigned s = 0; s < block->slot_count; s++)
			block->instances[i].counters[s].value = 0;
	block_stick(amdgpu, block, "PERFCOUNTER_STOP");
}

/*
 * Check the counters that are held. Counters that state 2 can leave dead until
 * a reboot are those selected for this count: selects of an earlier one, which
 * ended in another job, are out of use. radv takes that risk and counts right
 * as a rule, so it is only told.
 */
static void
check_hold(struct amdgpu *amdgpu, unsigned before)
{
	struct block *block = find_block(amdgpu, amdgpu->chip.risk_by_hold);
	unsigned state = amdgpu->die->state;

	if (!block)
		return;
	if (state == PERFMON_HOLD && block->was_selected)
		amdgpu_violation(amdgpu, "risk",
				 "%s may get stuck: CP_PERFMON_CNTL went to "
				 "state 2",
				 block->name);
	if (state == PERFMON_RESET && before != PERFMON_RESET &&
	    block->selected_by != amdgpu->running.number)
		block->was_selected = false;
}

/* ---- files that count together */

static void
note_together(struct amdgpu *amdgpu, uint64_t user)
{
	for (unsigned i = 0; i < amdgpu->together_count; i++) {
		if (amdgpu->together[i] == user)
			return;
	}
	if (user && amdgpu->together_count < TOGETHER_MAX)
		amdgpu->together[amdgpu->together_count++] = user;
}

static void
forget_together(struct amdgpu *amdgpu, uint64_t user)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < amdgpu->together_count; i++) {
		if (amdgpu->together[i] != user)
			amdgpu->together[kept++] = amdgpu->together[i];
	}
	amdgpu->together_count = kept;
}

static void
context_replace(uint64_t *user, uint64_t from, uint64_t to)
{
	if (*user == from)
		*user = to;
}

void
perfmon_hand_over(struct amdgpu *amdgpu, uint64_t user, bool killed)
{
	struct instance *instance;
	struct block *block;
	uint64_t successor;

	forget_together(amdgpu, user);
	if (!amdgpu->together_count || killed)
		return;
	successor = amdgpu->together[amdgpu->together_count - 1];
	context_replace(&amdgpu->clock_user, user, successor);
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		context_replace(&amdgpu->rings[i].enabled_by, user, successor);
	for (unsigned i = 0; i < amdgpu->chip.die_count; i++) {
		context_replace(&amdgpu->dies[i]->state_user, user, successor);
		context_replace(&amdgpu->dies[i]->rlc_state_user, user,
				successor);
	}
	for_each_instance(&amdgpu->chip, block, instance)
	{
		context_replace(&instance->user, user, successor);
	}
}

void
perfmon_set_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct die *die = amdgpu->die;
	unsigned before = die->state;

	counting_sync(amdgpu, amdgpu->now);
	die->state_user = amdgpu->running.file;
	die->state = value & STATE_MASK;
	if (die->state == PERFMON_RESET)
		amdgpu->together_count = 0;
	else
		note_together(amdgpu, amdgpu->running.file);
	die->mode_is_odd = value & MODE_MASK;
	if (!amdgpu->chip.doubts[DOUBT_GRBMH_SYNC])
		die->grbmh_sync = UINT32_MAX;
	check_hold(amdgpu, before);
	spm_set_state(amdgpu, value >> 4 & STATE_MASK);
	if (die->state == PERFMON_RESET)
		for_each_counter(amdgpu, block_follows_cp, reset_counter);
	if (value & SAMPLE)
		slots_sample(amdgpu, block_follows_cp, sample_by_bit);
}

void
perfmon_set_rlc_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct die *die = amdgpu->die;

	counting_sync(amdgpu, amdgpu->now);
	die->rlc_state_user = amdgpu->running.file;
	die->rlc_state = value & 7;
	if (die->rlc_state == PERFMON_RESET)
		for_each_counter(amdgpu, block_follows_rlc, reset_counter);
	if (value & SAMPLE)
		for_each_counter(amdgpu, block_follows_rlc, sample_counter);
	if (value & SAMPLE && amdgpu->running.number)
		die->latched_job = amdgpu->running.number;
}

void
perfmon_switch_clock(struct amdgpu *amdgpu, bool on)
{
	counting_sync(amdgpu, amdgpu->now);
	amdgpu->clock_user = amdgpu->running.file;
	amdgpu->clock_is_left &= on != amdgpu->kernel_clock_bit;
	amdgpu->clock_bit =
		on != amdgpu->kernel_clock_bit && !amdgpu->clock_is_left;
}

/* Return the file whose switch makes the counter count. */
static uint64_t
switched_by(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	const struct die *die = amdgpu->dies[instance->die];

	if (block_follows_cp(block, slot))
		return die->state_user;
	return block_follows_rlc(block, slot) ? die->rlc_state_user
					      : instance->user;
}

bool
perfmon_is_running(const struct amdgpu *amdgpu, uint64_t user, char *text,
		   size_t size)
{
	const struct instance *in;
	const struct block *block;

	for_each_instance(&amdgpu->chip, block, in)
	{
		for (unsigned s = 0; s < block->slot_count; s++) {
			if (!counting_is_enabled(amdgpu, block, in, s) ||
			    (user && user != switched_by(amdgpu, block, in, s)))
				continue;
			snprintf(text, size, "counter %u of %s still runs", s,
				 block->name);
			return true;
		}
	}
	return false;
}
