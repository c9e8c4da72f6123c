/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Most of the time new counters go to free slots, and one command buffer
 * programs those and takes a sample. Sometimes a counter has to make room: it
 * then counts for a moment in its old and its new slot, and a sample of both,
 * latched at the same instant, is where the one ends and the other begins. For
 * that the new slot must be free; so moves go round by round, each into slots
 * that are free by then, before the new counters come.
 */
#include "driver/amdgpu/count/change.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/amdgpu/count/tally.h"

/* One command buffer's worth of change. */
struct step {
	struct selection *next;
	struct selection *moved; /* in their old slots; may be empty */
	struct commands_block *blocks;
	struct tape *tape;
};

static void
step_finish(struct step *step)
{
	selection_destroy(step->next);
	selection_destroy(step->moved);
	free(step->blocks);
	tape_destroy(step->tape);
}

/* Takes next over, also on failure. */
static int
step_init(struct step *step, const struct gfx_run *run, struct selection *next,
	  struct drmperf_error *error)
{
	size_t size = run->gpu->core.block_count * sizeof(*step->blocks);

	memset(step, 0, sizeof(*step));
	step->next = next;
	step->blocks = malloc(size + 1);
	if (!step->blocks ||
	    selection_part(run->selection, next, SELECTION_MOVED, &step->moved))
		return error_set(error, -ENOMEM, "no memory");
	if (run->started)
		memcpy(step->blocks, run->blocks, size);
	else
		memset(step->blocks, 0, size);
	run_select(step->blocks, next);
	return tape_create(run->channel, run->dies, next, step->moved,
			   step->blocks, &step->tape, error);
}

static void
step_commit(struct step *step, struct gfx_run *run)
{
	struct step old = { .next = run->selection,
			    .moved = step->moved,
			    .blocks = run->blocks,
			    .tape = run->tape };

	run->selection = step->next;
	run->blocks = step->blocks;
	run->tape = step->tape;
	step_finish(&old);
}

/* ------------------------------------------------------------------ */

/* Old slots of moved counters have been read behind the rest. */
static int
end_moved(struct step *step)
{
	const struct commands_sample *sample = tape_sample(step->tape);
	int ret = 0;

	for (size_t i = 0; !ret && i < step->moved->cell_count; i++)
		ret = tally_add_cell(
			&step->moved->cells[i],
			&sample->results[step->next->cell_count + i]);
	return ret;
}

/* What the cell's counter has counted so far, in the selection it is from. */
static const struct cell *
find_old(const struct selection *from, const struct step *step,
	 const struct cell *cell)
{
	const struct counter *counter = selection_find(
		from, step->next, &step->next->counters[cell->counter]);

	return counter ? selection_cell(from, counter, cell->instance) : NULL;
}

static int
carry_on(struct step *step, const struct gfx_run *run, size_t index)
{
	const struct commands_result *result =
		&tape_sample(step->tape)->results[index];
	struct cell *cell = &step->next->cells[index];
	const struct cell *old = find_old(step->moved, step, cell);

	tally_begin_cell(step->next, cell, result);
	if (old) {
		cell->total = old->total;
		return 0;
	}
	old = find_old(run->selection, step, cell);
	if (!old)
		return 0;
	cell->total = old->total;
	cell->last = old->last;
	return tally_add_cell(cell, result);
}

/* A run that does not count: values stay as they are. */
static void
inherit(struct step *step, const struct gfx_run *run)
{
	for (size_t i = 0; i < step->next->cell_count; i++) {
		struct cell *cell = &step->next->cells[i];
		const struct cell *old = find_old(run->selection, step, cell);

		if (old)
			cell->total = old->total;
	}
}

static enum run_trouble
check(const struct step *step, const struct gfx_run *run)
{
	const struct selection *before = run->selection;
	uint64_t timestamp = tape_sample(step->tape)->timestamp;
	uint64_t witnessed = UINT64_MAX; /* a new witness has no past */

	if (before->witness && before->witness == step->next->witness)
		witnessed = before->cells[before->witness_cell].total;
	return run_check(run, step->next, witnessed, timestamp);
}

static enum run_trouble
take_over(struct step *step, const struct gfx_run *run)
{
	int ret = end_moved(step);

	for (size_t i = 0; !ret && i < step->next->cell_count; i++)
		ret = carry_on(step, run, i);
	return ret ? RUN_BACKWARDS : check(step, run);
}

static int
step_run(struct step *step, struct gfx_run *run, struct drmperf_error *error)
{
	enum run_trouble trouble;
	uint64_t timestamp;

	if (tape_run(step->tape, TAPE_CHANGE, &run->failure))
		return run_fail(run, error);
	timestamp = tape_sample(step->tape)->timestamp;
	trouble = take_over(step, run);
	if (run_explain(run, trouble, timestamp))
		return run_fail(run, error);
	run->timestamp = timestamp;
	step_commit(step, run);
	return 0;
}

/* Takes next over. */
static int
change_to(struct gfx_run *run, struct selection *next,
	  struct drmperf_error *error)
{
	struct step step;
	int ret;

	ret = step_init(&step, run, next, error);
	if (!ret && run->started) {
		ret = step_run(&step, run, error);
	} else if (!ret) {
		inherit(&step, run);
		step_commit(&step, run);
	}
	if (ret)
		step_finish(&step);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Moves                                                                */

static bool
is_taken(const struct selection *selection, size_t block, uint32_t slot)
{
	for (size_t i = 0; i < selection->counter_count; i++) {
		if (selection->counters[i].block == block &&
		    selection->counters[i].slot == slot)
			return true;
	}
	return false;
}

/* All counters that must stay side by side with this one can move, or none. */
static bool
can_move(const struct selection *from, const struct selection *next,
	 uint32_t index)
{
	uint32_t head = index;
	bool found = true;

	while (from->counters[head].after != SLOT_NONE)
		head = from->counters[head].after;
	for (uint32_t i = head; found;) {
		const struct counter *counter = &from->counters[i];
		const struct counter *goal =
			selection_find(next, from, counter);

		if (is_taken(from, counter->block, goal->slot))
			return false;
		found = false;
		for (uint32_t k = i + 1; k < from->counter_count; k++) {
			if (from->counters[k].after != i)
				continue;
			found = true;
			i = k;
			break;
		}
	}
	return true;
}

/*
 * Move what can be moved from the slots in now to those in next. Returns how
 * many counters have moved; *left becomes the number of those that wait.
 */
static size_t
move_round(const struct selection *now, const struct selection *next,
	   struct selection *moved, size_t *left)
{
	size_t count = 0;

	*left = 0;
	for (uint32_t i = 0; i < now->counter_count; i++) {
		const struct counter *counter = &now->counters[i];
		const struct counter *goal = selection_find(next, now, counter);

		if (goal->slot == counter->slot)
			continue;
		if (can_move(now, next, i)) {
			moved->counters[i].slot = goal->slot;
			count++;
		} else {
			(*left)++;
		}
	}
	return count;
}

/*
 * What stays, in the slots it has after so many rounds; *left is how many
 * counters then still have to move. -EBUSY if they stand in each other's way.
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
	for (size_t i = 0; i < from->counter_count; i++) {
		const struct counter *goal =
			selection_find(next, from, &from->counters[i]);

		if (goal && goal->slot != from->counters[i].slot)
			return true;
	}
	return false;
}

static int
say_stuck(int ret, struct drmperf_error *error)
{
	if (ret != -EBUSY)
		return error_set(error, ret, "no memory");
	error_set(error, ret,
		  "running counters cannot make room without "
		  "losing counts");
	error_remedy(error, "stop one of the running sessions first, or count "
			    "the events of both in one session");
	return ret;
}

/* One round; after it the run answers no requests until the last change. */
static int
run_round(struct gfx_run *run, const struct selection *next, size_t *left,
	  struct drmperf_error *error)
{
	struct selection *now;
	int ret;

	ret = after_rounds(run->selection, next, 1, &now, left);
	if (!ret)
		ret = change_to(run, now, error);
	if (ret && !run->failure.code) {
		error_set(&run->failure, ret,
			  "the counters could not be "
			  "regrouped: %s",
			  strerror(-ret));
		error_remedy(&run->failure,
			     "stop the session and start it again");
		if (error)
			*error = run->failure;
	}
	return ret;
}

/* That the last round gets through is made sure before the first. */
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
		return say_stuck(ret, error);
	selection_destroy(now);
	do {
		ret = run_round(run, next, &left, error);
	} while (!ret && left);
	return ret;
}

static int
change_locked(struct gfx_run *run, const struct counter_request *requests,
	      size_t count, struct drmperf_error *error)
{
	const struct gpu *gpu = run->gpu;
	struct selection *next;
	int ret;

	ret = selection_create(&gpu->core, gpu->first_group, requests, count,
			       run->selection, &next, error);
	if (ret)
		return ret;
	if (run->started)
		ret = run_keep(run, next, error);
	if (!ret)
		ret = make_room(run, next, error);
	if (ret) {
		selection_destroy(next);
		return ret;
	}
	return change_to(run, next, error);
}

int
gfx_change(void *data, const struct counter_request *requests, size_t count,
	   struct drmperf_error *error)
{
	struct gfx_run *run = data;
	int ret;

	if (run->failure.code)
		return run_fail(run, error);
	/* Taken in any case: a keeper may come to life on the way. */
	pthread_mutex_lock(&run->mutex);
	ret = change_locked(run, requests, count, error);
	pthread_mutex_unlock(&run->mutex);
	return ret;
}
