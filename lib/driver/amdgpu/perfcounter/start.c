/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/start.h"

#include <errno.h>

#include "driver/amdgpu/selection/selection_build.h"
#include "driver/amdgpu/perfcounter/checks.h"
#include "driver/amdgpu/perfcounter/sample.h"

/* ------------------------------------------------------------------ */
/* Terms that all processes have to agree on                            */

/* Return whether xccs is a mask of several XCCs, which then count together. */
static bool
are_all(uint32_t xccs)
{
	return xccs & (xccs - 1);
}

/*
 * Return whether a mask of XCCs from shared memory is possible: one XCC, none
 * on a GPU of one XCC, or all if this process counts on all.
 */
static bool
are_possible(const struct gfx_run *run, const struct slot_table_config *terms)
{
	const unsigned count = run->gpu->core.xccs;

	if (count < 2)
		return !terms->xccs;
	if (are_all(run->xccs) || are_all(terms->xccs))
		return terms->xccs == run->xccs;
	return terms->xccs && terms->xccs >> count == 0;
}

static int
adopt_terms(struct gfx_run *run, struct drmperf_error *error)
{
	const struct slot_table_config terms = slot_table_config(run->table);

	if (terms.streams)
		return slot_table_explain_alone(run->table, error);
	if (!are_possible(run, &terms))
		return slot_table_explain_other(run->table,
						"the die it counts on", error);
	if (!run->clock.optional && run->clock.mode != terms.clock)
		return slot_table_explain_other(run->table, "its clock mode",
						error);
	if (terms.clock > DRMPERF_CLOCK_DEFAULT &&
	    terms.clock <= DRMPERF_CLOCK_PEAK)
		run->clock.mode = (enum drmperf_clock_mode)terms.clock;
	/*
	 * If entering a clock mode clears RLC_PERFMON_CLK_CNTL, it would stop
	 * other processes that count without the mode.
	 */
	if (terms.clock == DRMPERF_CLOCK_DEFAULT &&
	    !core_clock_is_kernels(&run->gpu->core))
		run->clock.mode = DRMPERF_CLOCK_DEFAULT;
	run->xccs = terms.xccs;
	return 0;
}

/* ------------------------------------------------------------------ */
/* The first                                                            */

static int
start_as_first(struct gfx_run *run, struct drmperf_error *error)
{
	const struct slot_table_config terms = {
		.stages = run->selection->stages,
		.xccs = run->xccs,
		.clock = run->clock.mode,
	};
	int ret;

	slot_table_reset(run->table, &terms);
	ret = clock_mode_hold(&run->clock, run->gpu, run->ctx, error);
	if (!ret)
		ret = run_check_clock(run, error);
	if (ret)
		return ret;
	slot_table_reserve(run->table, run->selection,
			   run->ibs->block_clocks.all,
			   run->ibs->block_clocks.count);
	run->generation = slot_table_generation(run->table);
	run->started = true;
	ret = ibs_run(run->ibs, IB_START, error);
	if (ret) {
		slot_table_roll_back(run->table, NULL);
		run->failure.code = ret;
		return ret;
	}
	run_note_steering(run, run->ibs);
	if (!ibs_found_clock(run->ibs, slot_table_found_clock(run->table)))
		log_write(&run->gpu->log, DRMPERF_LOG_INFO,
			  "%s: counters ran that no process used: one was "
			  "killed, or could not stop them; they are put back "
			  "when this run stops",
			  amd_device_node(run->gpu->dev));
	checks_begin(run);
	slot_table_commit(run->table, run->selection);
	run->members = slot_table_members(run->table);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Beside others                                                        */

/* Takes the selection over, also on failure. */
static int
take_part(struct gfx_run *run, struct selection *selection,
	  struct drmperf_error *error)
{
	struct taken_sample sample = { .run = run, .selection = selection };
	int ret = run_adopt_selection(run, selection, error);

	if (ret) {
		selection_destroy(selection);
		return ret;
	}
	ret = checks_allow_selects(run, run->selects, error);
	if (ret)
		return ret;
	slot_table_reserve(run->table, selection, run->ibs->block_clocks.all,
			   run->ibs->block_clocks.count);
	run->generation = slot_table_generation(run->table);
	run->started = true;
	ret = run_note_reset(run, ibs_run(run->ibs, IB_CHANGE, error));
	if (ret) {
		slot_table_roll_back(run->table, NULL);
		run->failure.code = ret;
		return ret;
	}
	run_note_steering(run, run->ibs);
	slot_table_commit(run->table, selection);
	run->members = slot_table_members(run->table);
	sample.ibs = run->ibs;
	ret = checks_explain(&sample, checks_continue(&sample, NULL));
	return ret ? run_fail(run, error) : 0;
}

/*
 * Select slots next to those of others. Core clock events of others give way
 * where there is no room otherwise.
 */
static int
select_next_to_others(struct gfx_run *run, const struct other_slots *others,
		      struct selection **out, struct drmperf_error *error)
{
	const struct gpu *gpu = run->gpu;
	int ret;

	ret = selection_create_around(&gpu->core, gpu->first_group,
				      run->requests, run->request_count, NULL,
				      others, out, error);
	if (ret != -ENOSPC)
		return ret;
	return selection_create_around(
		&gpu->core, gpu->first_group, run->requests, run->request_count,
		NULL, slot_table_others(run->table, true), out, error);
}

static int
start_shared(struct gfx_run *run, const struct other_slots *others,
	     struct drmperf_error *error)
{
	struct selection *selection;
	int ret;

	ret = adopt_terms(run, error);
	if (ret)
		return ret;
	ret = select_next_to_others(run, others, &selection, error);
	if (ret == -ENOSPC)
		return slot_table_explain_full(run->table, run->selection,
					       error);
	if (ret)
		return ret;
	ret = clock_mode_hold(&run->clock, run->gpu, run->ctx, error);
	if (!ret)
		ret = run_check_clock(run, error);
	if (ret) {
		selection_destroy(selection);
		return ret;
	}
	return take_part(run, selection, error);
}

int
run_start(struct gfx_run *run, struct drmperf_error *error)
{
	const struct other_slots *others = slot_table_others(run->table, false);

	run->clock = run->asked;
	return others ? start_shared(run, others, error)
		      : start_as_first(run, error);
}

/* ------------------------------------------------------------------ */
/* The end                                                              */

/*
 * Restore the hardware, in a fresh context if the old one has seen a reset and
 * takes no commands. That is tried even if the GPU seems to have gone: if it
 * has, the kernel refuses at once.
 */
static int
gfx_run_restore(struct gfx_run *run, struct drmperf_error *error)
{
	int ret = run->failure.code;

	if (ret != -ECANCELED && ret != -ETIME)
		ret = ibs_run(run->ibs, IB_STOP, error);
	if (!ret)
		return 0;
	ret = amd_context_renew(run->ctx, error);
	if (ret)
		return ret;
	return ibs_run(run->ibs, IB_STOP, error);
}

int
run_stop(struct gfx_run *run, struct drmperf_error *error)
{
	slot_table_release(run->table);
	if (slot_table_others(run->table, false))
		return 0;
	/* Slots that others have programmed since are to be cleared as well. */
	run_update_ibs(run, NULL);
	ibs_set_clock(run->ibs, *slot_table_found_clock(run->table));
	return gfx_run_restore(run, error);
}
