/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers and states. Facts: AMD PAL 2025-04 and 2023-09
 * (gfx9PerfExperiment.cpp), Mesa 25.0.7 (ac_spm.c), Linux 7.1.8 (gfx_v10_0.c).
 */
#include "amdgpu/gfx/spm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/spm_state.h"
#include "base/array.h"
#include "machine/note.h"

#define GLOBAL 0u

static int
create_segment(struct spm_segment *segment, unsigned bits)
{
	segment->address_mask = (1u << bits) - 1;
	segment->memory = calloc(1ull << bits, sizeof(*segment->memory));
	segment->writers = calloc((1ull << bits) / SPM_LINE_DWORDS,
				  sizeof(*segment->writers));
	return segment->memory && segment->writers ? 0 : -ENOMEM;
}

int
spm_create(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;
	struct spm *spm;
	int error = 0;

	if (chip->spm_style == SPM_NONE)
		return 0;
	spm = calloc(1, sizeof(*spm));
	amdgpu->spm = spm;
	if (!spm)
		return -ENOMEM;
	spm->segment_count = 1 + chip->se_count;
	spm->segments = calloc(spm->segment_count, sizeof(*spm->segments));
	if (!spm->segments)
		return -ENOMEM;
	for (unsigned i = 0; i < spm->segment_count && !error; i++)
		error = create_segment(&spm->segments[i],
				       chip->muxsel_bits[i > GLOBAL]);
	return error;
}

void
spm_free(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;

	if (!spm)
		return;
	spm_forget_plan(spm);
	for (unsigned i = 0; spm->segments && i < spm->segment_count; i++) {
		free(spm->segments[i].memory);
		free(spm->segments[i].writers);
	}
	free(spm->segments);
	free(spm);
	amdgpu->spm = NULL;
}

void
spm_power_up(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;

	if (!spm)
		return;
	spm->state = PERFMON_RESET;
	spm->vm = NULL;
	spm->is_dead = false;
	spm->position = 0;
	spm_forget_plan(spm);
	for (unsigned i = 0; i < spm->segment_count; i++) {
		struct spm_segment *segment = &spm->segments[i];
		const size_t dwords = segment->address_mask + 1u;

		memset(segment->memory, 0, dwords * sizeof(*segment->memory));
		memset(segment->writers, 0,
		       dwords / SPM_LINE_DWORDS * sizeof(*segment->writers));
		segment->address = 0;
	}
}

/* ---- registers */

bool
spm_has_register(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	const uint32_t all[] = {
		reg->spm_perfmon_cntl,	     reg->spm_ring_base_lo,
		reg->spm_ring_base_hi,	     reg->spm_ring_size,
		reg->spm_segment_size,	     reg->spm_se3to0_segment_size,
		reg->spm_glb_segment_size,   reg->spm_accum_mode,
		reg->spm_ring_wrptr,	     reg->spm_global_muxsel_addr,
		reg->spm_global_muxsel_data, reg->spm_se_muxsel_addr,
		reg->spm_se_muxsel_data,
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (dword && dword == all[i])
			return true;
	return false;
}

/* Check that the muxsel is written for all blocks of a segment. */
static void
check_steering(struct amdgpu *amdgpu, bool is_global)
{
	struct die_index index = die_index(amdgpu->die, &amdgpu->chip);

	if (!index.all_sa || !index.all_instances ||
	    (is_global && !index.all_se))
		amdgpu_violation(
			amdgpu, "spm-steering",
			"the muxsel was written while GRBM_GFX_INDEX "
			"was 0x%x",
			amdgpu->die
				->registers[amdgpu->chip.reg.grbm_gfx_index]);
}

/* Write a dword to the address, which moves on. */
static void
segment_write(struct spm_segment *segment, uint64_t writer, uint32_t value)
{
	segment->memory[segment->address] = value;
	segment->writers[segment->address / SPM_LINE_DWORDS] = writer;
	segment->address = (segment->address + 1) & segment->address_mask;
}

static void
write_muxsel(struct amdgpu *amdgpu, bool is_global, bool is_data,
	     uint32_t value)
{
	struct spm *spm = amdgpu->spm;
	const uint32_t engines =
		die_addressed_engines(amdgpu->die, &amdgpu->chip);

	check_steering(amdgpu, is_global);
	if (spm->state == PERFMON_COUNT)
		amdgpu_violation(amdgpu, "spm-running",
				 "the muxsel was written while samples were "
				 "taken");
	for (unsigned i = 0; i < spm->segment_count; i++) {
		struct spm_segment *segment = &spm->segments[i];

		if (is_global != (i == GLOBAL) ||
		    (!is_global && !(engines >> (i - 1) & 1)))
			continue;
		if (is_data)
			segment_write(segment, amdgpu->running.file, value);
		else
			segment->address = value & segment->address_mask;
	}
}

/*
 * Return whether only the kernel writes a register: the CP drops what a process
 * does.
 */
static bool
is_privileged(const struct chip_register *reg, uint32_t dword)
{
	return dword &&
	       (dword == reg->spm_ring_rdptr || dword == reg->spm_mc_cntl);
}

bool
spm_write_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	if (!amdgpu->spm || !dword)
		return false;
	if (is_privileged(reg, dword)) {
		amdgpu_violation(amdgpu, "privileged",
				 "0x%x was written to register 0x%x, which "
				 "only the kernel may do",
				 value, dword * 4);
		return true;
	}
	if (dword == reg->spm_global_muxsel_addr)
		write_muxsel(amdgpu, true, false, value);
	else if (dword == reg->spm_global_muxsel_data)
		write_muxsel(amdgpu, true, true, value);
	else if (dword == reg->spm_se_muxsel_addr)
		write_muxsel(amdgpu, false, false, value);
	else if (dword == reg->spm_se_muxsel_data)
		write_muxsel(amdgpu, false, true, value);
	else if (dword == reg->spm_ring_wrptr &&
		 amdgpu->chip.spm_style >= SPM_GFX11)
		amdgpu->spm->position = value - value % SPM_LINE;
	return false;
}

/* ---- states */

static void
start_samples(struct amdgpu *amdgpu, unsigned before)
{
	struct spm *spm = amdgpu->spm;

	spm->user = amdgpu->running.file;
	spm->pid = amdgpu->running.pid;
	spm->passed = 0;
	spm_plan_samples(amdgpu);
	if (before == PERFMON_RESET && spm->position)
		spm_violation(amdgpu, "spm-wrptr",
			      "samples begin %llu bytes behind the header",
			      (unsigned long long)spm->position);
	if (!amdgpu->pstate)
		spm_violation(amdgpu, "spm-pstate",
			      "samples are taken without a stable pstate");
}

/*
 * Reset samples. The RLC writes what it still has to an address that it no
 * longer knows.
 */
static void
reset_samples(struct amdgpu *amdgpu, unsigned before)
{
	struct spm *spm = amdgpu->spm;

	if (before == PERFMON_COUNT ||
	    (before == PERFMON_HOLD && !spm->is_settled))
		amdgpu_violation(amdgpu, "spm-reset",
				 "page fault: streaming was reset while the "
				 "RLC still wrote");
	spm_forget_plan(spm);
	spm->is_dead = false;
	if (amdgpu->chip.spm_style < SPM_GFX11)
		spm->position = 0;
}

void
spm_set_state(struct amdgpu *amdgpu, unsigned state)
{
	struct spm *spm = amdgpu->spm;
	unsigned before;

	if (!spm)
		return;
	before = spm->state;
	spm->state = state;
	if (state == PERFMON_RESET)
		reset_samples(amdgpu, before);
	else if (state == before)
		return;
	if (state == PERFMON_COUNT)
		start_samples(amdgpu, before);
	if (state != PERFMON_HOLD)
		return;
	spm->is_settled = before != PERFMON_COUNT;
	if (!spm->is_settled)
		spm_finish(amdgpu);
}

void
spm_settle(struct amdgpu *amdgpu)
{
	if (amdgpu->spm)
		amdgpu->spm->is_settled = true;
}

/* ---- the kernel's register */

void
spm_set_vm(struct amdgpu *amdgpu, const struct vm *vm)
{
	if (amdgpu->spm)
		amdgpu->spm->vm = vm;
}

void
spm_forget_vm(struct amdgpu *amdgpu, const struct vm *vm)
{
	if (amdgpu->spm && amdgpu->spm->vm == vm)
		amdgpu->spm->vm = NULL;
}

bool
spm_is_armed(const struct amdgpu *amdgpu, uint64_t file, const struct vm *vm)
{
	const struct spm *spm = amdgpu->spm;

	return spm && spm->state == PERFMON_COUNT &&
	       (spm->user == file || spm->vm == vm);
}
