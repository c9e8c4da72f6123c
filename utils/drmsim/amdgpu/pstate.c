/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_ctx.c. */
#include "amdgpu/pstate.h"

#include <amdgpu_drm.h>
#include <errno.h>

#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/scheduler.h"
#include "amdgpu/sysfs.h"
#include "machine/clock.h"
#include "machine/note.h"

/*
 * On gfx10 the kernel clears the very bit that keeps the counters' clock on,
 * and sets it when the pstate is given back [Linux 6.1, nv.c, gfx_v10_0.c].
 */
static void
switch_clock(struct amdgpu *amdgpu, bool is_stable)
{
	const struct chip *chip = &amdgpu->chip;
	uint32_t *reg =
		&amdgpu->dies[0]->registers[chip->reg.rlc_perfmon_clk_cntl];

	if (chip->perfmon_clock != CLOCK_REGISTER)
		return;
	*reg = is_stable ? *reg & ~1u : *reg | 1;
	amdgpu->kernel_clock_bit = !is_stable;
	amdgpu->clock_bit = amdgpu->clock_is_left = false;
}

static void
set_level(struct amdgpu *amdgpu, uint32_t level)
{
	bool was_stable = amdgpu->pstate != AMDGPU_CTX_STABLE_PSTATE_NONE;
	bool is_stable = level != AMDGPU_CTX_STABLE_PSTATE_NONE;

	scheduler_wake(amdgpu);
	/* counters of clocks have to be right up to here */
	counting_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	amdgpu->last_work = sim_now(amdgpu->gpu->sim);
	if (was_stable != is_stable)
		switch_clock(amdgpu, is_stable);
	amdgpu->pstate = level;
	sysfs_show(amdgpu);
}

int
pstate_set(struct amdgpu *amdgpu, struct context *context, uint32_t flags)
{
	uint32_t level = flags & AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK;

	if (!amdgpu_pstate_name(level))
		return -EINVAL;
	if (amdgpu->pstate_owner && amdgpu->pstate_owner != context)
		return -EBUSY;
	if (level == amdgpu->pstate)
		return 0;
	set_level(amdgpu, level);
	amdgpu->pstate_owner = level ? context : NULL;
	return 0;
}

/* The kernel gives the clocks back with the context that held them. */
void
pstate_drop(struct amdgpu *amdgpu, struct context *context)
{
	const char *name = amdgpu_pstate_name(amdgpu->pstate);
	struct sim_file *file = context->client->file;

	if (amdgpu->pstate_owner != context)
		return;
	amdgpu->pstate_owner = NULL;
	if (file->killed)
		sim_note_cleanup(amdgpu->gpu, file->pid, "pstate",
				 "killed holding %s: back to auto", name);
	else
		sim_note_violation(amdgpu->gpu, file->pid, "pstate",
				   "context %u ended holding %s", context->id,
				   name);
	set_level(amdgpu, AMDGPU_CTX_STABLE_PSTATE_NONE);
}
