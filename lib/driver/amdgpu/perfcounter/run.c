/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/checks/reset_check.h"
#include "driver/amdgpu/perfcounter/accumulator.h"

/*
 * The core clock's event is asked only about intervals in which the slowest
 * clock of a graphics core advances by hundreds.
 */
#define CORE_CLOCK_US 20

uint64_t
run_clock_khz(const struct gfx_run *run)
{
	return amd_device_info(run->gpu->dev)->engine_khz *
	       (run->xccs ? (unsigned)__builtin_popcount(run->xccs) : 1);
}

void
run_set_limits(struct gfx_run *run)
{
	const struct amd_device_info *info = amd_device_info(run->gpu->dev);
	uint64_t khz = info->timestamp_khz;

	run->timestamp_hz = khz * 1000;
	run->core_clock_ticks = run->wrap_ticks = INT64_MAX;
	if (!khz)
		return;
	run->core_clock_ticks = CORE_CLOCK_US * khz / 1000;
	run->wrap_ticks =
		accumulator_least_wrap_us(run_clock_khz(run)) * khz / 1000;
}

int
run_check_clock(struct gfx_run *run, struct drmperf_error *error)
{
	const struct core *core = &run->gpu->core;

	if (!core_clock_is_kernels(core))
		return 0;
	return clock_mode_need(&run->clock, core, run->ctx, error);
}

int
run_note_reset(struct gfx_run *run, int ret)
{
	if (ret == -ECANCELED)
		slot_table_invalidate(run->table);
	return ret;
}

struct counter_request *
run_copy_requests(const struct counter_request *requests, size_t count)
{
	struct counter_request *copy = calloc(count + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, requests, count * sizeof(*copy));
	return copy;
}

/* ------------------------------------------------------------------ */
/* Selects                                                              */

void
run_select(struct select_regs *selects, const struct selection *selection)
{
	for (size_t i = 0; i < selection->core->instance_count; i++)
		selects[i].changed = 0;
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];
		uint32_t id = selection->counters[cell->counter].id;
		struct select_regs *there =
			&selects[selection_instance(selection, cell)];
		uint64_t bit = UINT64_C(1) << cell->slot;

		if (there->used & bit && there->ids[cell->slot] == id)
			continue;
		there->used |= bit;
		there->changed |= bit;
		there->ids[cell->slot] = id;
	}
}

/*
 * Return the select registers as they will be once the selection counts, too.
 */
static struct select_regs *
next_selects(const struct gfx_run *run, const struct selection *selection)
{
	struct select_regs *selects = select_regs_create(&run->gpu->core);

	if (!selects)
		return NULL;
	slot_table_load(run->table, selects);
	run_select(selects, selection);
	return selects;
}

/*
 * Write the IBs of a selection. Every command buffer rewrites
 * SQ_PERFCOUNTER_CTRL, so once other processes may count, all of them must
 * write the same mask.
 */
int
run_write_ibs(const struct gfx_run *run, struct selection *selection,
	      const struct selection *moved, struct select_regs *selects,
	      bool begins, struct ibs **out, struct drmperf_error *error)
{
	struct commands_reset_check reset_check;
	struct block_clocks block_clocks;
	int ret;

	if (selection->xccs && !(run->xccs & (run->xccs - 1)))
		return error_set(error, -ENOTSUP,
				 "an event names a die, but only one die is "
				 "counted");
	selection->also_needs =
		slot_table_is_shared(run->table) ? CORE_NEEDS_SHADERS : 0;
	if (begins)
		reset_check = reset_check_choose(selection);
	else
		slot_table_get_reset_check(run->table, &reset_check);
	/* the IBs of a selection that counts already only have to stop it */
	block_clocks_choose(&block_clocks, selection, selects,
			    begins ? NULL : run->table,
			    begins || (selection != run->selection &&
				       !run->gpu->core.commands.selects_wait));
	ret = ibs_create(run->ctx, run->xccs, selection, moved, selects,
			 &reset_check, &block_clocks, begins,
			 slot_table_sync(run->table), out, error);
	if (!ret)
		selection->xcc_stride = (*out)->xcc_stride;
	return ret;
}

int
run_adopt_selection(struct gfx_run *run, struct selection *selection,
		    struct drmperf_error *error)
{
	struct select_regs *selects = next_selects(run, selection);
	struct select_regs *old_selects = run->selects;
	struct selection *old_selection = run->selection;
	struct ibs *old_ibs = run->ibs, *ibs;
	int ret;

	if (!selects)
		return error_set(error, -ENOMEM, "no memory");
	ret = run_write_ibs(run, selection, NULL, selects, false, &ibs, error);
	if (ret) {
		free(selects);
		return ret;
	}
	/* cleared first: a forked child must not find freed memory */
	run->selection = selection;
	run->selects = selects;
	run->ibs = ibs;
	run->generation = slot_table_generation(run->table);
	ibs_destroy(old_ibs);
	free(old_selects);
	if (selection != old_selection)
		selection_destroy(old_selection);
	return 0;
}

int
run_update_ibs(struct gfx_run *run, struct drmperf_error *error)
{
	if (run->generation == slot_table_generation(run->table))
		return 0;
	if (slot_table_is_within(run->table, run->selects)) {
		run->generation = slot_table_generation(run->table);
		return 0;
	}
	return run_adopt_selection(run, run->selection, error);
}
