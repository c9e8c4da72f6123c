/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/hardware.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/describe.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/perf_registers.h"
#include "amdgpu/gfx/posted.h"
#include "amdgpu/gfx/rates.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/sqtt.h"

#define DEFAULT_WAVE_NS 10000ull

static int
make_dies(struct amdgpu *amdgpu)
{
	for (unsigned d = 0; d < amdgpu->chip.die_count; d++) {
		amdgpu->dies[d] = calloc(1, sizeof(*amdgpu->dies[d]));
		if (!amdgpu->dies[d])
			return -ENOMEM;
		amdgpu->dies[d]->number = d;
	}
	amdgpu->die = amdgpu->dies[0];
	return 0;
}

void
hardware_power_up(struct amdgpu *amdgpu)
{
	struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		block->is_stuck = block->was_selected = false;
		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *instance = &block->instances[i];

			instance->control = 0;
			memset(instance->counters, 0,
			       sizeof(instance->counters));
		}
	}
	for (unsigned d = 0; d < chip->die_count; d++)
		die_power_up(amdgpu->dies[d], chip);
	spm_power_up(amdgpu);
	sqtt_power_up(amdgpu);
	amdgpu->kernel_clock_bit = amdgpu->clock_bit = false;
	amdgpu->clock_is_left = false;
}

int
hardware_create(struct amdgpu *amdgpu, const struct sim_text *description)
{
	int error = describe_chip(&amdgpu->chip, description);

	amdgpu->wave_time = DEFAULT_WAVE_NS;
	if (!error)
		error = rates_create(amdgpu, description);
	if (!error)
		error = make_dies(amdgpu);
	if (!error)
		error = perf_registers_create(amdgpu);
	if (!error)
		error = spm_create(amdgpu);
	if (!error)
		error = sqtt_create(amdgpu);
	if (!error)
		error = rings_create(amdgpu);
	if (!error)
		hardware_power_up(amdgpu);
	return error;
}

void
hardware_free(struct amdgpu *amdgpu)
{
	posted_drop(amdgpu);
	rings_free(amdgpu);
	spm_free(amdgpu);
	sqtt_free(amdgpu);
	perf_registers_free(amdgpu);
	for (unsigned d = 0; d < DIES_MAX; d++)
		free(amdgpu->dies[d]);
	rates_free(amdgpu);
	chip_free(&amdgpu->chip);
}
