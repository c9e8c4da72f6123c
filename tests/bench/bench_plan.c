/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How few passes, how sure, how fast: planning compared with plain
 * first-fit-decreasing, and with AMD's own scheduler where its figures are
 * known.
 *
 *	bench_plan		a table
 *	bench_plan NAME		plans that case once, for callgrind to count
 *				plan_once()
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/pack/pack.h"
#include "tests/bench/row.h"
#include "tests/plan/pack/reference.h"
#include "tests/plan/pack/facts.h"
#include "tests/plan/pack/random.h"

/* The budget of drmperf_plan_create() unless told otherwise. */
#define STEPS (UINT64_C(100000000) / PACK_STEP_NS)
#define EVENTS 10000

/* ------------------------------------------------------------------ */
/* Cases                                                                */

static const struct random_kind kinds[] = {
	{ "metrics", 120, 12, 8, 24, 5, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "stages", 150, 16, 8, 24, 4, 1, 1, 4, 30, 0, 0, 0, 0 },
	{ "one-pool", 100, 1, 8, 60, 4, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "choice", 100, 8, 6, 24, 4, 3, 1, 1, 0, 0, 0, 0, 0 },
	{ "cover", 150, 30, 64, 20, 1, 4, 1, 30, 0, 0, 0, 100, 0 },
	{ "slots", 80, 4, 8, 24, 3, 1, 1, 1, 0, 20, 20, 0, 0 },
};

/* Find the first of its kind that is of about the full size. */
static int
make_random(const char *name, struct pack_problem *out)
{
	const struct random_kind *kind = kinds;
	uint64_t state = 20230905;

	while (strcmp(kind->name, name) != 0)
		kind++;
	*out = (struct pack_problem){ 0 };
	while (out->item_count < kind->items * 3 / 4 ||
	       out->pool_count < kind->pools * 3 / 4) {
		pack_problem_finish(out);
		random_problem(kind, &state, out);
	}
	return out->error;
}

static int
make_devices(const char *name, struct pack_problem *out)
{
	static const struct random_kind device = {
		"device", 1250, 40, 8, 100, 3, 1, 1, 4, 20, 0, 0, 0, 0,
	};
	uint64_t state = 8;

	(void)name;
	*out = (struct pack_problem){ 0 };
	for (uint32_t i = 0; i < 8; i++) {
		uint32_t before = out->item_count;
		struct random_kind kind = device;

		/* several problems side by side make up a device */
		while (out->item_count - before < device.items) {
			kind.items = device.items - (out->item_count - before);
			random_problem(&kind, &state, out);
		}
	}
	return out->error;
}

static const struct bench_case {
	const char *name;
	int (*make)(const char *name, struct pack_problem *out);
	const char *theirs; /* passes of AMD's scheduler */
} cases[] = {
	{ "gfx8", facts_gpa, "-" },	    { "gfx9", facts_gpa, "-" },
	{ "gfx10.1", facts_gpa, "19" },	    { "gfx10.3", facts_gpa, "28" },
	{ "gfx11", facts_gpa, "24" },	    { "gfx12", facts_gpa, "18" },
	{ "sklgt2", facts_oa, "-" },	    { "tglgt2", facts_oa, "-" },
	{ "mtlgt3", facts_oa, "-" },	    { "acmgt3", facts_oa, "-" },
	{ "metrics", make_random, "-" },    { "stages", make_random, "-" },
	{ "one-pool", make_random, "-" },   { "choice", make_random, "-" },
	{ "cover", make_random, "-" },	    { "slots", make_random, "-" },
	{ "8-devices", make_devices, "-" },
};

/* ------------------------------------------------------------------ */
/* Figures                                                              */

/* Plan once, which Callgrind counts. */
static __attribute__((noinline)) int
plan_once(const struct pack_problem *problem, struct pack_plan **out)
{
	const struct pack_options options = { .steps = STEPS, .split = true };
	struct pack *pack;
	int ret = pack_create(problem, &pack);

	if (!ret)
		ret = pack_plan_create(pack, &options, out);
	if (!ret)
		pack_destroy(pack);
	return ret;
}

/* Count passes by plain first-fit-decreasing of the same items and parts. */
static int
count_plain(const struct pack_problem *problem, const struct pack_plan *plan,
	    uint32_t *out)
{
	struct pack_problem rest;
	int ret;

	split_problem(problem, plan, &rest);
	ret = rest.error;
	if (!ret)
		*out = plain_passes(&rest);
	pack_problem_finish(&rest);
	return ret;
}

static uint32_t
count_cut(const struct pack_problem *problem, const struct pack_plan *plan)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < problem->item_count; i++)
		count += plan->states[i] == PACK_STATE_CUT;
	return count;
}

static int
tell_absent(const struct bench_case *bench)
{
	printf("skip plan of %s: no tables of facts beside the source tree\n",
	       bench->name);
	return 0;
}

/* Lists for all generations of AMD. */
static double longest_ms;

static void
tell_row(const struct bench_case *bench, const struct pack_plan *plan,
	 double time)
{
	char what[64];

	snprintf(what, sizeof(what), "plan of %s", bench->name);
	row_print(what, plan->pass_count, "passes",
		  (struct row_goal){ "bound", plan->bound, 1 });
	if (bench->make == facts_gpa && time > longest_ms)
		longest_ms = time;
}

static int
run_case(const struct bench_case *bench)
{
	struct pack_problem problem;
	struct pack_plan *plan;
	double begin, time;
	char plain[16] = "-";
	uint32_t passes = 0;
	int ret = bench->make(bench->name, &problem);

	if (ret == -ENOENT)
		return tell_absent(bench);
	begin = bench_cpu_ms();
	if (!ret)
		ret = plan_once(&problem, &plan);
	time = bench_cpu_ms() - begin;
	/* the plain one is slow where passes are many */
	if (!ret && problem.item_count < 2000) {
		ret = count_plain(&problem, plan, &passes);
		snprintf(plain, sizeof(plain), "%u", passes);
	}
	if (ret) {
		fprintf(stderr, "%s: %s\n", bench->name, strerror(-ret));
		return ret;
	}
	printf("%-10s %6u %5u %6u %6u  %-6s %6s %6s %9.2f\n", bench->name,
	       problem.item_count, count_cut(&problem, plan), plan->pass_count,
	       plan->bound, plan->bound == plan->pass_count ? "proved" : "",
	       plain, bench->theirs, time);
	tell_row(bench, plan, time);
	pack_plan_destroy(plan);
	pack_problem_finish(&problem);
	return 0;
}

static int
run_quietly(const struct bench_case *bench)
{
	struct pack_problem problem;
	struct pack_plan *plan;
	int ret = bench->make(bench->name, &problem);

	if (ret == -ENOENT)
		return tell_absent(bench);
	if (!ret)
		ret = plan_once(&problem, &plan);
	if (ret) {
		fprintf(stderr, "%s: %s\n", bench->name, strerror(-ret));
		return ret;
	}
	pack_plan_destroy(plan);
	pack_problem_finish(&problem);
	return 0;
}

int
main(int argc, char **argv)
{
	int ret = 0;

	if (argc < 2)
		printf("%-10s %6s %5s %6s %6s  %-6s %6s %6s %9s\n", "case",
		       "events", "cut", "passes", "bound", "", "plain", "AMD's",
		       "ms");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases) && !ret; i++) {
		if (argc < 2)
			ret = run_case(&cases[i]);
		else if (!strcmp(argv[1], cases[i].name))
			return run_quietly(&cases[i]) ? 1 : 0;
	}
	if (argc > 1)
		return 1;
	if (longest_ms > 0)
		row_print("plan of any AMD generation", longest_ms, "ms",
			  (struct row_goal){ "limit", 100, 1 });
	return ret ? 1 : 0;
}
