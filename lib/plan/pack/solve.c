/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void
measure(struct pack_sizes *sizes, const struct pack_job *job)
{
	const struct pack_space *space = &job->part->space;
	size_t rows = (size_t)space->item_count + 1;

	sizes->items = larger(sizes->items, space->item_count);
	sizes->alternatives =
		larger(sizes->alternatives, space->alternative_count);
	sizes->counters = larger(sizes->counters, space->counter_count);
	sizes->demands = larger(sizes->demands,
				space->demand_first[space->alternative_count]);
	sizes->wants = larger(sizes->wants,
			      space->want_first[space->alternative_count]);
	sizes->rules = larger(sizes->rules, space->rule_count);
	sizes->settings = larger(sizes->settings, space->setting_count);
	for (uint32_t s = 0; s < space->setting_count; s++)
		sizes->values = larger(sizes->values, space->value_count[s]);
	sizes->needs =
		larger(sizes->needs, (size_t)space->rule_count *
					     (job->profile.value_count + 1));
	sizes->words = larger(sizes->words, rows * space->words);
	sizes->uses = larger(sizes->uses, rows * space->rule_count);
	sizes->slots = larger(sizes->slots, rows * space->setting_count);
}

static int
job_init(struct pack_job *job, struct pack_part *part, struct arena *arena)
{
	size_t size = ((size_t)part->space.item_count + 1) * sizeof(uint32_t);

	job->part = part;
	job->best.pass = arena_alloc(arena, size);
	job->best.alternative = arena_alloc(arena, size);
	if (!job->best.pass || !job->best.alternative)
		return -ENOMEM;
	job->bound = 1;
	return pack_profile_init(&job->profile, &part->space);
}

int
pack_solver_init(struct pack_solver *solver, const struct pack_space *space,
		 struct pack_passes *passes, struct arena *arena)
{
	struct pack_sizes sizes = { 0 };
	struct pack_part *parts = NULL;
	uint32_t count = 0;
	int ret;

	*solver = (struct pack_solver){ 0 };
	ret = pack_reduce(space, passes, arena, &solver->reduction);
	if (!ret)
		ret = pack_divide(&solver->reduction, arena, &parts, &count);
	if (ret)
		return ret;
	solver->jobs =
		arena_alloc(arena, ((size_t)count + 1) * sizeof(*solver->jobs));
	if (!solver->jobs)
		return -ENOMEM;
	while (!ret && solver->job_count < count) {
		struct pack_job *job = &solver->jobs[solver->job_count];

		ret = job_init(job, &parts[solver->job_count], arena);
		if (!ret) {
			solver->job_count++;
			measure(&sizes, job);
		}
	}
	if (!ret)
		ret = pack_work_init(&solver->work, &sizes);
	if (ret)
		pack_solver_finish(solver);
	return ret;
}

void
pack_solver_finish(struct pack_solver *solver)
{
	for (uint32_t i = 0; i < solver->job_count; i++)
		pack_profile_finish(&solver->jobs[i].profile);
	pack_work_finish(&solver->work);
	*solver = (struct pack_solver){ 0 };
}

/* ------------------------------------------------------------------ */
/* Solving                                                              */

static void
begin(struct pack_solver *solver, struct pack_job *job)
{
	pack_work_begin(&solver->work, &job->part->space, &job->profile,
			&job->best);
	solver->work.bound = job->bound;
}

/* Allow so many steps more, but none beyond the end. */
static void
allow(struct pack_work *work, uint64_t steps, uint64_t end)
{
	work->stop = work->passes.steps + steps;
	if (work->stop > end)
		work->stop = end;
}

/* Raise the bound as long as a search says that it is not reached. */
static void
search_from_below(struct pack_work *work)
{
	while (work->bound < work->best->pass_count) {
		if (pack_search(work, work->bound) != PACK_VERDICT_IMPOSSIBLE)
			return;
	}
}

/*
 * Try to settle a part, or at least to save a pass: each way gets a share of
 * the steps that are left, so that one which leads nowhere does not starve the
 * others.
 */
static void
improve(struct pack_solver *solver, struct pack_job *job, uint64_t end)
{
	struct pack_work *work = &solver->work;
	uint64_t left;

	begin(solver, job);
	left = end - work->passes.steps;
	allow(work, left / 4, end);
	search_from_below(work);
	if (work->bound + 1 < job->best.pass_count) {
		allow(work, left / 4, end);
		pack_search(work, job->best.pass_count - 1);
	}
	allow(work, end, end);
	search_from_below(work);
	job->bound = work->bound;
}

static void
make_first_plans(struct pack_solver *solver)
{
	for (uint32_t i = 0; i < solver->job_count; i++) {
		struct pack_job *job = &solver->jobs[i];

		begin(solver, job);
		pack_bound(&solver->work);
		pack_greedy(&solver->work);
		job->bound = solver->work.bound;
		if (job->bound > solver->bound)
			solver->bound = job->bound;
	}
}

/* The part that needs most passes. */
static struct pack_job *
worst_job(const struct pack_solver *solver)
{
	struct pack_job *worst = NULL;

	for (uint32_t i = 0; i < solver->job_count; i++) {
		struct pack_job *job = &solver->jobs[i];

		if (!worst || job->best.pass_count > worst->best.pass_count)
			worst = job;
	}
	return worst;
}

void
pack_solver_run(struct pack_solver *solver, uint64_t steps)
{
	struct pack_work *work = &solver->work;
	struct pack_job *worst;

	work->passes.steps = 0;
	work->stop = steps / 4;
	make_first_plans(solver);
	while ((worst = worst_job(solver)) != NULL) {
		uint32_t passes = worst->best.pass_count;
		uint32_t bound = worst->bound;

		solver->pass_count = passes;
		if (passes <= solver->bound || work->passes.steps >= steps)
			break;
		improve(solver, worst, steps);
		if (worst->bound > solver->bound)
			solver->bound = worst->bound;
		if (worst->best.pass_count == passes && worst->bound == bound)
			break;
	}
}
