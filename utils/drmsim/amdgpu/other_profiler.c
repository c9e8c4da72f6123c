/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/operations.h"

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/registers.h"
#include "machine/clock.h"
#include "machine/gpu.h"

#define NO_STAGE 0u

/* Change the event of each programmed counter to its neighbour. */
static void
change_select(const struct block *block, struct instance *instance,
	      unsigned slot)
{
	struct counter *counter = &instance->counters[slot];

	if (!counter->programmed)
		return;
	switch (block_style(block, slot)) {
	case STYLE_SDMA:
		instance->control ^= 1u << (block_sdma_shift(block, slot) +
					    SDMA_EVENT_SHIFT);
		break;
	case STYLE_CFG:
		counter->select1 ^= 1;
		break;
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
	case STYLE_RLC:
		break;
	}
	counter->select ^= 1;
	counter->chosen = counter->select;
}

static void
change_selects(struct amdgpu *amdgpu)
{
	struct instance *instance;
	struct block *block;

	for_each_instance(&amdgpu->chip, block, instance)
	{
		for (unsigned s = 0; s < block->slot_count; s++)
			change_select(block, instance, s);
	}
}

static void
write_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	if (dword)
		registers_write(amdgpu, dword, value);
}

static void
change_masks(struct amdgpu *amdgpu)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	write_register(amdgpu, reg->sq_perfcounter_ctrl, NO_STAGE);
	write_register(amdgpu, reg->sqg_perfcounter_ctrl, NO_STAGE);
}

static void
strike_die(struct amdgpu *amdgpu, enum sim_foreign what)
{
	uint32_t control = amdgpu->chip.reg.cp_perfmon_cntl;

	switch (what) {
	case SIM_FOREIGN_SELECTS:
		return;
	case SIM_FOREIGN_MASKS:
		change_masks(amdgpu);
		return;
	case SIM_FOREIGN_RESET:
		write_register(amdgpu, control, PERFMON_RESET);
		write_register(amdgpu, control, PERFMON_COUNT);
		return;
	case SIM_FOREIGN_STOP:
		write_register(amdgpu, control, PERFMON_HOLD);
		return;
	case SIM_KERNEL_STEERING:
		amdgpu->die->is_to_be_steered = true;
		return;
	}
}

void
other_profiler_strike(struct amdgpu *amdgpu, enum sim_foreign what)
{
	uint64_t now = sim_now(amdgpu->gpu->sim);

	counting_sync(amdgpu, now);
	if (now > amdgpu->now)
		amdgpu->now = now;
	if (what == SIM_FOREIGN_SELECTS)
		change_selects(amdgpu);
	for (unsigned d = 0; d < amdgpu->chip.die_count; d++) {
		amdgpu->die = amdgpu->dies[d];
		strike_die(amdgpu, what);
	}
	amdgpu->die = amdgpu->dies[0];
}
