/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_ctx.c, amdgpu_pm.c. */
#include "amdgpu/pstate.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counting.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/scheduler.h"
#include "amdgpu/sysfs.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/note.h"
#include "machine/power.h"

/* That the owner was freed. */
static struct context ended;

/*
 * Switch the clock of the counters. On gfx10 the kernel clears the very bit
 * that keeps the counters' clock on, and sets it when the pstate is given back
 * [Linux 6.1, nv.c, gfx_v10_0.c].
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

/* Write a level, which overrides what any context has set. */
int
pstate_write(struct amdgpu *amdgpu, const char *name)
{
	for (uint32_t level = 0; amdgpu_pstate_name(level); level++) {
		if (strcmp(amdgpu_pstate_name(level), name) != 0)
			continue;
		if (level != amdgpu->pstate)
			set_level(amdgpu, level);
		amdgpu->pstate_owner = NULL;
		return 0;
	}
	return -EINVAL;
}

void
pstate_clear(struct amdgpu *amdgpu)
{
	if (amdgpu->pstate != AMDGPU_CTX_STABLE_PSTATE_NONE)
		set_level(amdgpu, AMDGPU_CTX_STABLE_PSTATE_NONE);
	amdgpu->pstate_owner = NULL;
}

/*
 * Note who owns the level. A file that is closed ends what it holds, which is
 * as good as giving it back: processes may have shared it.
 */
static void
note_owner(const struct amdgpu *amdgpu, const struct context *context,
	   bool is_closed)
{
	const char *name = amdgpu_pstate_name(amdgpu->pstate);
	const struct sim_file *file = context->client->file;

	if (file->killed)
		sim_note_cleanup(amdgpu->gpu, file->pid, "pstate",
				 "killed holding %s: back to auto", name);
	else if (!is_closed)
		sim_note_violation(amdgpu->gpu, file->pid, "pstate",
				   "context %u ended holding %s", context->id,
				   name);
}

static void
note_revival(const struct amdgpu *amdgpu, const struct context *context,
	     bool is_closed)
{
	const char *name = amdgpu_pstate_name(amdgpu->pstate);
	const struct sim_file *file = context->client->file;

	if (is_closed)
		sim_note_cleanup(amdgpu->gpu, file->pid, "pstate",
				 "closed after %s had ended, which is back",
				 name);
	else
		sim_note_violation(amdgpu->gpu, file->pid, "pstate",
				   "context %u ended after %s had, which is "
				   "back",
				   context->id, name);
}

/*
 * Drop a level. The kernel puts the level back that it saw when the context was
 * made, unless another context owns the level. A context that is no more owns
 * it then, until sysfs is written: any other request for a level is refused.
 */
void
pstate_drop(struct amdgpu *amdgpu, struct context *context, bool is_closed)
{
	const bool is_owner = amdgpu->pstate_owner == context;
	const uint32_t seen = context->pstate_seen;

	const struct sim_file *file = context->client->file;

	if (sim_gpu_is_gone(file->gpu, file->removals) ||
	    (amdgpu->pstate_owner && !is_owner))
		return;
	if (is_owner)
		note_owner(amdgpu, context, is_closed);
	if (seen != amdgpu->pstate) {
		set_level(amdgpu, seen);
		amdgpu->pstate_owner = seen ? &ended : NULL;
		if (seen)
			note_revival(amdgpu, context, is_closed);
	} else if (is_owner) {
		amdgpu->pstate_owner = &ended;
	}
}
