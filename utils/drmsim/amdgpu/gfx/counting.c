/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/counting.h"

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counter.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/spm.h"

bool
counting_is_enabled(const struct amdgpu *amdgpu, const struct block *block,
		    const struct instance *instance, unsigned slot)
{
	const struct die *die = amdgpu->dies[instance->die];
	const struct counter *counter = &instance->counters[slot];

	if (!counter->programmed || block->is_stuck ||
	    block_spm_mode(block, counter->chosen) != BLOCK_SPM_OFF)
		return false;
	switch (block_style(block, slot)) {
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
		return die->state == PERFMON_COUNT && !die->mode_is_odd;
	case STYLE_RLC:
		return die->rlc_state == PERFMON_COUNT;
	case STYLE_CFG:
		return instance->control & CFG_ENABLE_ANY &&
		       counter->select1 & CFG_ENABLE;
	case STYLE_SDMA:
		return instance->control >> block_sdma_shift(block, slot) &
		       SDMA_ENABLE;
	}
	return false;
}

static bool
is_counting(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	return counting_is_enabled(amdgpu, block, instance, slot) &&
	       counter_sees(amdgpu, block, instance, slot);
}

/* Calls f for all counters that are counting. */
static void
for_each_counting(struct amdgpu *amdgpu,
		  void (*f)(struct amdgpu *amdgpu, struct block *block,
			    struct instance *instance, unsigned slot,
			    void *data),
		  void *data)
{
	struct instance *instance;
	struct block *block;

	for_each_instance(&amdgpu->chip, block, instance)
	{
		for (unsigned s = 0; s < block->slot_count; s++)
			if (is_counting(amdgpu, block, instance, s))
				f(amdgpu, block, instance, s, data);
	}
}

static void
count_one(struct amdgpu *amdgpu, struct block *block, struct instance *instance,
	  unsigned slot, void *data)
{
	const struct passed *passed = data; /* of each die */
	struct counter_pace pace = counter_pace(amdgpu, block, instance, slot);

	counter_add_time(&amdgpu->chip, instance, block, slot, &pace,
			 &passed[instance->die]);
}

void
counting_sync(struct amdgpu *amdgpu, uint64_t now)
{
	struct passed passed[DIES_MAX];

	if (now <= amdgpu->counted)
		return;
	for (unsigned d = 0; d < amdgpu->chip.die_count; d++)
		busy_passed(amdgpu, amdgpu->dies[d], amdgpu->counted, now,
			    &passed[d]);
	for_each_counting(amdgpu, count_one, passed);
	spm_count(amdgpu, amdgpu->counted, now);
	amdgpu->counted = now;
}

static void
count_work(struct amdgpu *amdgpu, struct block *block,
	   struct instance *instance, unsigned slot, void *data)
{
	counter_add_work(amdgpu, block, instance, slot, data);
}

void
counting_add_work(struct amdgpu *amdgpu, const struct dispatch *work)
{
	struct dispatch copy = *work;

	counting_sync(amdgpu, amdgpu->now);
	for_each_counting(amdgpu, count_work, &copy);
	spm_add_work(amdgpu, work);
}
