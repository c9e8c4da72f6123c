/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Change the counters of a running run. Usually new counters go to free slots:
 * one command buffer programs them and takes a sample. If a counter has to
 * move, it counts for a moment in its old and its new slot, and a sample that
 * latches both at the same instant ends the one and begins the other. The new
 * slot must be free for that. So moves happen in rounds, each into slots that
 * are free by then, before the new counters are added.
 */
#include "driver/amdgpu/perfcounter/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/selection/selection_build.h"
#include "driver/amdgpu/perfcounter/accumulator.h"
#include "driver/amdgpu/perfcounter/checks.h"
#include "driver/amdgpu/perfcounter/sample.h"

/* One command buffer's worth of change. */
struct step {
	struct selection *next;
	struct selection *moved; /* in their old slots; may be empty */
	struct select_regs *selects;
	struct ibs *ibs;
};

static void
step_finish(struct step *step)
{
	selection_destroy(step->next);
	selection_destroy(step->moved);
	free(step->selects);
	ibs_destroy(step->ibs);
}

/* Return the number of XCCs whose totals both selections keep. */
static unsigned
common_xccs(const struct selection *a, const struct selection *b)
{
	return a->xccs && b->xccs ? a->xccs : 0;
}

/* Takes next over, also on failure. */
static int
step_init(struct step *step, const struct gfx_run *run, struct selection *next,
	  struct drmperf_error *error)
{
	int ret;

	memset(step, 0, sizeof(*step));
	step->next = next;
	step->selects = select_regs_create(&run->gpu->core);
	if (!step->selects ||
	    selection_part(run->selection, next, SELECTION_MOVED, &step->moved))
		return error_set(error, -ENOMEM, "no memory");
	step->moved->xccs = common_xccs(next, run->selection);
	if (run->started)
		slot_table_load(run->table, step->selects);
	run_select(step->selects, next);
	ret = run_write_ibs(run, next, step->moved, step->selects,
			    !run->started, &step->ibs, error);
	step->moved->xcc_stride = next->xcc_stride;
	return ret;
}

static void
step_commit(struct step *step, struct gfx_run *run)
{
	struct step old = { .next = run->selection,
			    .moved = step->moved,
			    .selects = run->selects,
			    .ibs = run->ibs };

	run->selection = step->next;
	run->selects = step->selects;
	run->ibs = step->ibs;
	step_finish(&old);
}

/* ------------------------------------------------------------------ */

/* Add what moved counters have counted in old slots, read behind the rest. */
static int
end_moved(struct step *step)
{
	const struct commands_sample *sample = ibs_sample(step->ibs);
	int ret = 0;

	for (size_t i = 0; !ret && i < step->moved->cell_count; i++)
		ret = accumulator_add_cell(
			step->moved, i,
			&sample->results[step->next->cell_count + i]);
	return ret;
}

static void
inherit_totals(struct selection *next, size_t index,
	       const struct selection *from, size_t old)
{
	for (unsigned xcc = 0; xcc <= common_xccs(next, from); xcc++)
		next->numbers.totals[selection_on_xcc(next, index, xcc)] =
			from->numbers.totals[selection_on_xcc(from, old, xcc)];
}

static int
continue_cell(struct step *step, const struct gfx_run *run, size_t index)
{
	const struct commands_result *result =
		&ibs_sample(step->ibs)->results[index];
	const struct selection *before = run->selection;
	struct selection *next = step->next;
	size_t old = selection_find_cell(step->moved, next, index);

	accumulator_begin_cell(next, index, result);
	if (old != SELECTION_NO_CELL) {
		inherit_totals(next, index, step->moved, old);
		return 0;
	}
	old = selection_find_cell(before, next, index);
	if (old == SELECTION_NO_CELL)
		return 0;
	for (unsigned xcc = 0; xcc <= common_xccs(next, before); xcc++)
		selection_copy_numbers(next, index, before, old, xcc);
	return accumulator_add_cell(next, index, result);
}

/* Inherit the values of a run that does not count: they stay as they are. */
static void
step_inherit_values(struct step *step, const struct gfx_run *run)
{
	for (size_t i = 0; i < step->next->cell_count; i++) {
		size_t old = selection_find_cell(run->selection, step->next, i);

		if (old != SELECTION_NO_CELL)
			inherit_totals(step->next, i, run->selection, old);
	}
}

/*
 * Return the total of the core clock's event before this step; UINT64_MAX if
 * the event is new.
 */
static uint64_t
core_clock_before(const struct step *step, const struct gfx_run *run)
{
	const struct selection *before = run->selection;

	return before->core_clock &&
			       before->core_clock == step->next->core_clock
		       ? before->numbers.totals[before->core_clock_cell]
		       : UINT64_MAX;
}

static enum sample_status
continue_cells(struct step *step, const struct taken_sample *sample)
{
	struct gfx_run *run = sample->run;
	enum sample_status status = checks_continue(sample, run->ibs);
	int ret;

	/* checks_continue() has checked the readback */
	if (!status)
		status = checks_find(sample, SAMPLE_RESET, SAMPLE_MODE_ENDED);
	if (status)
		return status;
	ret = end_moved(step);
	for (size_t i = 0; !ret && i < step->next->cell_count; i++)
		ret = continue_cell(step, run, i);
	return ret ? SAMPLE_WENT_BACK
		   : checks_find(sample, SAMPLE_TIME_BACK, SAMPLE_BLOCK_GATED);
}

static int
step_run(struct step *step, struct gfx_run *run, struct drmperf_error *error)
{
	const struct taken_sample sample = {
		.run = run,
		.selection = step->next,
		.ibs = step->ibs,
		.core_clock_total = core_clock_before(step, run),
	};

	slot_table_reserve(run->table, step->next, step->ibs->block_clocks.all,
			   step->ibs->block_clocks.count);
	if (run_note_reset(run, ibs_run(step->ibs, IB_CHANGE, &run->failure))) {
		slot_table_roll_back(run->table, run->selection);
		return run_fail(run, error);
	}
	run_note_steering(run, step->ibs);
	slot_table_commit(run->table, step->next);
	if (checks_explain(&sample, continue_cells(step, &sample)))
		return run_fail(run, error);
	run->timestamp = ibs_sample(step->ibs)->timestamp;
	step_commit(step, run);
	return 0;
}

/* Takes next over. */
static int
change_selection(struct gfx_run *run, struct selection *next,
		 struct drmperf_error *error)
{
	struct step step;
	int ret;

	ret = step_init(&step, run, next, error);
	if (!ret && run->started)
		ret = checks_allow_selects(run, step.selects, error);
	if (!ret && run->started) {
		ret = step_run(&step, run, error);
	} else if (!ret) {
		step_inherit_values(&step, run);
		step_commit(&step, run);
	}
	if (ret)
		step_finish(&step);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Moves                                                                */

static bool
is_taken(const struct selection *selection, const struct value_cell *at,
	 uint32_t slot)
{
	size_t instance = selection_instance(selection, at);

	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];

		if (cell->slot == slot &&
		    selection_instance(selection, cell) == instance)
			return true;
	}
	return false;
}

/* Return whether a cell can move, with all cells that must sit next to it. */
static bool
can_move(const struct selection *from, const struct selection *next,
	 size_t cell)
{
	size_t head = cell, before;

	while ((before = selection_cell_before(from, head)) !=
	       SELECTION_NO_CELL)
		head = before;
	for (size_t i = head; i != SELECTION_NO_CELL;
	     i = selection_cell_behind(from, i)) {
		size_t goal = selection_find_cell(next, from, i);

		if (is_taken(from, &from->cells[i], next->cells[goal].slot))
			return false;
	}
	return true;
}

/*
 * Move what can be moved from the slots in now to those in next. Returns how
 * many cells have moved; *left becomes the number of those that wait.
 */
static size_t
move_round(const struct selection *now, const struct selection *next,
	   struct selection *moved, size_t *left)
{
	size_t count = 0;

	*left = 0;
	for (size_t i = 0; i < now->cell_count; i++) {
		size_t goal = selection_find_cell(next, now, i);
		uint32_t slot = next->cells[goal].slot;

		if (slot == now->cells[i].slot)
			continue;
		if (can_move(now, next, i)) {
			moved->cells[i].slot = slot;
			count++;
		} else {
			(*left)++;
		}
	}
	return count;
}

/*
 * Select the cells that stay, in the slots they have after n rounds; *left is
 * the number of counters that still have to move then. Returns 0, or -EBUSY if
 * they stand in each other's way.
 */
static int
after_rounds(const struct selection *from, const struct selection *next,
	     unsigned rounds, struct selection **out, size_t *left)
{
	struct selection *now = NULL, *moved;
	int ret;

	*left = 1;
	ret = selection_part(from, next, SELECTION_KEPT, &now);
	for (unsigned i = 0; !ret && *left && i < rounds; i++) {
		ret = selection_part(now, next, SELECTION_KEPT, &moved);
		if (ret)
			break;
		if (!move_round(now, next, moved, left) && *left)
			ret = -EBUSY;
		selection_destroy(now);
		now = moved;
	}
	if (ret)
		selection_destroy(now);
	else
		*out = now;
	return ret;
}

static bool
has_moves(const struct selection *from, const struct selection *next)
{
	for (size_t i = 0; i < from->cell_count; i++) {
		size_t goal = selection_find_cell(next, from, i);

		if (goal != SELECTION_NO_CELL &&
		    next->cells[goal].slot != from->cells[i].slot)
			return true;
	}
	return false;
}

static int
explain_stuck(int ret, struct drmperf_error *error)
{
	if (ret != -EBUSY)
		return error_set(error, ret, "no memory");
	error_set(error, ret,
		  "running counters cannot make room without "
		  "losing counts");
	error_remedy(error, "stop counting some events first, or count all "
			    "of them together");
	return ret;
}

/* Run one round. The run serves no requests from then until the last change. */
static int
run_round(struct gfx_run *run, const struct selection *next, size_t *left,
	  struct drmperf_error *error)
{
	struct selection *now;
	int ret;

	ret = after_rounds(run->selection, next, 1, &now, left);
	if (!ret)
		ret = change_selection(run, now, error);
	if (ret && !run->failure.code) {
		error_set(&run->failure, ret,
			  "the counters could not be "
			  "regrouped: %s",
			  strerror(-ret));
		error_remedy(&run->failure, "stop counting and start again");
		if (error)
			*error = run->failure;
	}
	return ret;
}

/* Make room, after checking that all rounds can complete. */
static int
make_room(struct gfx_run *run, const struct selection *next,
	  struct drmperf_error *error)
{
	struct selection *now;
	size_t left;
	int ret;

	if (!run->started || !has_moves(run->selection, next))
		return 0;
	ret = after_rounds(run->selection, next, UINT32_MAX, &now, &left);
	if (ret)
		return explain_stuck(ret, error);
	selection_destroy(now);
	do {
		ret = run_round(run, next, &left, error);
	} while (!ret && left);
	return ret;
}

/* Make a selection for the requests, next to what other processes count. */
static int
build_next_selection(struct gfx_run *run,
		     const struct counter_request *requests, size_t count,
		     struct selection **out, struct drmperf_error *error)
{
	const struct gpu *gpu = run->gpu;
	const struct other_slots *others =
		run->started ? slot_table_others(run->table, false) : NULL;
	int ret;

	if (others)
		checks_lose_core_clock(run, run->selection);
	ret = selection_create_around(&gpu->core, gpu->first_group, requests,
				      count, run->selection, others, out,
				      error);
	if (ret == -ENOSPC && others)
		ret = selection_create_around(
			&gpu->core, gpu->first_group, requests, count,
			run->selection, slot_table_others(run->table, true),
			out, error);
	if (ret == -ENOSPC && others &&
	    !selection_create(&gpu->core, gpu->first_group, requests, count,
			      NULL, out, NULL)) {
		ret = slot_table_explain_full(run->table, *out, error);
		selection_destroy(*out);
	}
	return ret;
}

static int
change_locked(struct gfx_run *run, const struct counter_request *requests,
	      size_t count, struct drmperf_error *error)
{
	struct selection *next;
	int ret;

	if (run->started && !slot_table_is_counting(run->table)) {
		checks_explain_lost(run);
		return run_fail(run, error);
	}
	ret = build_next_selection(run, requests, count, &next, error);
	if (ret)
		return ret;
	if (run->started)
		ret = run_ensure_thread(run, next, error);
	if (!ret)
		ret = make_room(run, next, error);
	if (ret) {
		selection_destroy(next);
		return ret;
	}
	return change_selection(run, next, error);
}

static int
change_shared(struct gfx_run *run, const struct counter_request *requests,
	      size_t count, struct drmperf_error *error)
{
	struct counter_request *copy;
	int ret;

	copy = run_copy_requests(requests, count);
	if (!copy)
		return error_set(error, -ENOMEM, "no memory");
	ret = slot_table_lock(run->table, error);
	if (!ret) {
		ret = change_locked(run, requests, count, error);
		slot_table_unlock(run->table);
	}
	if (ret) {
		free(copy);
		return ret;
	}
	free(run->requests);
	run->requests = copy;
	run->request_count = count;
	return 0;
}

int
gfx_reconfigure(void *data, const struct counter_request *requests,
		size_t count, struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (run->failure.code)
		return run_fail(run, error);
	/* Always locked: a thread may be started in between. */
	pthread_mutex_lock(&run->mutex);
	latest_forget(&run->latest);
	ret = change_shared(run, requests, count, error);
	if (!ret && run->started)
		run_publish(run);
	pthread_mutex_unlock(&run->mutex);
	return ret;
}
