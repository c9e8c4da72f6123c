/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a list is one pass, and which words tell why it is not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "drmperf.h"
#include "plan/fit.h"
#include "plan/plan.h"
#include "tests/support/check.h"
#include "tests/plan/two_gpus.h"
#include "tests/support/suite.h"

/* Whether a list is one pass; if not, words that the complaint must have. */
static const struct pass_case {
	const char *list;
	int expected;
	const char *cause[4], *remedy[4];
} pass_cases[] = {
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3", 0, { NULL }, { NULL } },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4",
	  -ENOSPC,
	  { "SQ.W4", "group SQ of device 0 counts 4", "5 are", "SQ.W1" },
	  { "leave out one of fake::SQ.W4:device=0", "SQ.W3", "drmperf split",
	    NULL } },
	{ "SQ.W0 SQ.W0 SQ.W1 SQ.W1 SQ.W2 SQ.W2", 0, { NULL }, { NULL } },
	{ "SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W4/1", 0, { NULL }, { NULL } },
	{ "metric.Busy SQ.W0 SQ.W3", 0, { NULL }, { NULL } },
	{ "metric.Busy SQ.W3 metric.Hit SQ.W4",
	  -ENOSPC,
	  { "SQ.W4", "metric.Busy", "and 5 are", NULL },
	  { "SQ.W4", "metric.Busy", " or ", NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ metric.Hit metric.Mixed",
	  0,
	  { NULL },
	  { NULL } },
	/* what is wanted of one instance takes no slot of others */
	{ "TCC.HIT[0] TCC.MISS[1] TCC.REQ[2] TCC.READ[3] TCC.WRITE[4]",
	  0,
	  { NULL },
	  { NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ[1] TCC.WRITE[2]",
	  0,
	  { NULL },
	  { NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ TCC.HIT[2]",
	  0,
	  { NULL },
	  { NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ TCC.WRITE[3]",
	  -ENOSPC,
	  { "TCC.WRITE:device=0:instance=3 does not fit",
	    "instance 3 of group TCC of device 0 counts 4", "5 are", NULL },
	  { "TCC.HIT", NULL } },
	{ "TCC.HIT[5] TCC.MISS[5] TCC.REQ[5] TCC.READ[5] TCC.WRITE[5]",
	  -ENOSPC,
	  { "instance 5 of group TCC of device 0 counts 4", NULL },
	  { "TCC.HIT:device=0:instance=5", NULL } },
	{ "TCC.HIT TCC.MISS TCC.REQ TCC.READ[7] TCC.READ TCC.WRITE",
	  -ENOSPC,
	  { "instance 7 of group TCC", "5 are", NULL },
	  { NULL } },
	{ "TCC.HIT[7] TCC.HIT[7]/1 TCC.MISS TCC.REQ TCC.READ",
	  0,
	  { NULL },
	  { NULL } },
	{ "metric.Level[1] SQ.W2 SQ.W3[0]", 0, { NULL }, { NULL } },
	{ "metric.Level[1] SQ.W2 SQ.W3[1]",
	  -ENOSPC,
	  { "SQ.W3:device=0:instance=1", "instance 1 of group SQ", NULL },
	  { NULL } },
	/* a setting is shared by all instances */
	{ "SQ.W0[0] SQ.CS0[1]",
	  -ENOSPC,
	  { "SQ.CS0", "counters of gfx of device 0", NULL },
	  { NULL } },
	{ "TA.T0 TA.T1 TA.T2", -ENOSPC, { "group TA", NULL }, { NULL } },
	{ "TA.T1 TA.T2 metric.Mixed",
	  -ENOSPC,
	  { "metric.Mixed", "group TA", "TA.T1", "TA.T2" },
	  { NULL } },
	{ "SQ.W0 SQ.CS0",
	  -ENOSPC,
	  { "SQ.CS0", "counters of gfx of device 0", "SQ.W0", NULL },
	  { "leave out fake::SQ.CS0:device=0 or fake::SQ.W0:device=0", NULL } },
	{ "TA.T0 TCC.HIT SQ.CS0", -ENOSPC, { "TA.T0", NULL }, { NULL } },
	{ "TCC.HIT SQ.CS0 SQ.CS1 WIDE.N0", 0, { NULL }, { NULL } },
	{ "SQ.W0/0 SQ.CS0/1", 0, { NULL }, { NULL } },
	{ "WIDE.H0 WIDE.N0 WIDE.N1 WIDE.H1", 0, { NULL }, { NULL } },
	{ "WIDE.H0 WIDE.N0 WIDE.H1 WIDE.H2",
	  -ENOSPC,
	  { "group WIDE of device 0 counts 2 of this kind", "WIDE.H0",
	    "WIDE.H1", NULL },
	  { NULL } },
	{ "Render.GpuBusy Render.Pixels", 0, { NULL }, { NULL } },
	{ "Render.Pixels oa.GpuBusy", 0, { NULL }, { NULL } },
	{ "oa.GpuBusy Compute.Threads", 0, { NULL }, { NULL } },
	{ "Render.Pixels oa.GpuBusy Compute.Threads",
	  -ENOSPC,
	  { "Compute.Threads", "oa of device 0 counts one group",
	    "Render.Pixels", NULL },
	  { NULL } },
	{ "Render.Pixels/0 Compute.Threads/1", 0, { NULL }, { NULL } },
	{ "Render.Pixels SQ.W0 CLOCKS.C0", 0, { NULL }, { NULL } },
	{ "CLOCKS.C0 TWIN.C0", 0, { NULL }, { NULL } },
	{ "CLOCKS.C0 TWIN.C0 CLOCKS.C1",
	  -ENOSPC,
	  { "group CLOCKS of device 0 counts 2", "TWIN.C0", NULL },
	  { NULL } },
	{ "metric.Level SQ.W2", 0, { NULL }, { NULL } },
	{ "metric.Level SQ.W0 SQ.W1 SQ.W3", 0, { NULL }, { NULL } },
	{ "metric.Level metric.Level2",
	  -ENOSPC,
	  { "metric.Level2", "and 5 are", NULL },
	  { NULL } },
	{ "metric.Nothing", 0, { NULL }, { NULL } },
	{ "SQ.W0 metric.Large",
	  -E2BIG,
	  { "metric.Large:device=0 fits no pass", "group TA of device 0",
	    "3 are wanted", NULL },
	  { "leave out fake::metric.Large", "--cut-metrics", NULL } },
	{ "metric.Stages",
	  -E2BIG,
	  { "metric.Stages", "counters of gfx", "two", NULL },
	  { NULL } },
	/* an event that fits nowhere is named before what merely is too much */
	{ "TA.T0 TA.T1 TA.T2 metric.Large",
	  -E2BIG,
	  { "metric.Large", NULL },
	  { NULL } },
};

TEST_CASE(all, two_gpus_set_up, two_gpus_clean_up, "plan_one_pass");

TEST_LOOP(all, selections_fit_one_pass_or_are_refused, ARRAY_SIZE(pass_cases))
{
	const struct pass_case *test = &pass_cases[_i];
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	const struct drmperf_event *chosen[TWO_GPUS_NAMES];
	struct drmperf_error error = { .cause = "" };
	size_t count = two_gpus_read(test->list, selections);
	int ret;

	ret = plan_check_one_pass(two_gpus_drmperf, selections, count, chosen,
				  &error);
	ck_assert_msg(ret == test->expected, "%s: %d: %s", test->list, ret,
		      error.cause);
	if (ret)
		ck_assert_int_eq(error.code, ret);
	two_gpus_expect(test->list, error.cause, test->cause);
	two_gpus_expect(test->list, error.remedy, test->remedy);
	/* without anyone to tell */
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections,
					     count, chosen, NULL),
			 ret);
}

/* Which device serves, where any of several may. */
TEST(all, any_is_chosen)
{
	static const struct {
		const char *list;
		const char *chosen; /* of the first */
	} cases[] = {
		{ "oa.GpuBusy", "fake::Render.GpuBusy" },
		{ "oa.GpuBusy Render.Pixels", "fake::Render.GpuBusy" },
		{ "oa.GpuBusy Compute.Threads", "fake::Compute.GpuBusy" },
		{ "oa.GpuBusy oa.Threads", "fake::Compute.GpuBusy" },
		{ "Compute.Threads oa.GpuBusy", "fake::Compute.Threads" },
		{ "oa.GpuBusy/1 Compute.Threads/0", "fake::Render.GpuBusy" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drmperf_selection selections[TWO_GPUS_NAMES];
		const struct drmperf_event *chosen[TWO_GPUS_NAMES];
		size_t count = two_gpus_read(cases[i].list, selections);

		ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf,
						     selections, count, chosen,
						     NULL),
				 0);
		ck_assert_str_eq(drmperf_event_name(chosen[0]),
				 cases[i].chosen);
	}
}

/* A counter takes its slot in the instances where it counts. */
TEST(all, a_counter_takes_slots_where_it_counts)
{
	struct drmperf_selection selections[8];
	const struct drmperf_event *chosen[8];
	struct drmperf_error error;
	size_t count = two_gpus_read("TCC.HIT TCC.HIT TCC.HIT TCC.MISS TCC.REQ "
				     "TCC.READ",
				     selections);

	for (int i = 0; i < 5; i++)
		selections[i].instance = i;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections,
					     count, chosen, NULL),
			 0);
	count = two_gpus_read("TCC.HIT TCC.MISS TCC.REQ TCC.READ TCC.WRITE",
			      selections);
	for (int i = 0; i < 5; i++)
		selections[i].instance = i;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections,
					     count, chosen, NULL),
			 0);
	for (int i = 0; i < 5; i++)
		selections[i].instance = 4;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections,
					     count, chosen, NULL),
			 -ENOSPC);
	selections[0].instance = 16;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections, 1,
					     chosen, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "TCC.HIT"));
	selections[0].instance = -2;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections, 1,
					     chosen, NULL),
			 -EINVAL);
	two_gpus_read("metric.Mixed", selections);
	selections[0].instance = 0;
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections, 1,
					     chosen, NULL),
			 -EINVAL);
}

/* Long lists of names end where there is room for no more. */
TEST(all, long_lists_of_names_end_where_room_does)
{
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	const struct drmperf_event *chosen[TWO_GPUS_NAMES];
	struct drmperf_error error;
	size_t count = 0;

	while (count < TWO_GPUS_NAMES - 1)
		count += two_gpus_read("Render.Pixels", &selections[count]);
	count += two_gpus_read("Compute.Threads", &selections[count]);
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, selections,
					     count, chosen, &error),
			 -ENOSPC);
	two_gpus_expect("many", error.cause,
			(const char *const[]){ " more", NULL });
	two_gpus_expect(
		"many", error.remedy,
		(const char *const[]){ " more", "drmperf split finds", NULL });
}

/* ------------------------------------------------------------------ */
/* One after another                                                    */

static unsigned searches;

/* Replace the library's. */
int
pack_create(const struct pack_problem *problem, struct pack **out)
{
	searches++;
	return ((__typeof__(&pack_create))dlsym(RTLD_NEXT, "pack_create"))(
		problem, out);
}

static void
forget_plan(void)
{
	plan_problem_destroy(plan_fit_take(two_gpus_drmperf));
}

/* Check what is said of a list if nothing is known of its beginning. */
static int
check_afresh(const struct drmperf_selection *selections, size_t count,
	     struct drmperf_error *error)
{
	const struct drmperf_event *chosen[TWO_GPUS_NAMES];
	struct plan_problem *known = plan_fit_take(two_gpus_drmperf);
	int ret = plan_check_one_pass(two_gpus_drmperf, selections, count,
				      chosen, error);

	forget_plan();
	if (known)
		plan_fit_keep(two_gpus_drmperf, known);
	return ret;
}

/* Check that events that were chosen fit by themselves. */
static void
check_chosen(const char *list, const struct drmperf_selection *selections,
	     const struct drmperf_event *const *chosen, size_t count)
{
	struct drmperf_selection own[TWO_GPUS_NAMES];
	struct drmperf_error error = { .cause = "" };

	for (size_t i = 0; i < count; i++)
		own[i] = (struct drmperf_selection){
			.event = chosen[i], .instance = selections[i].instance
		};
	ck_assert_msg(!check_afresh(own, count, &error), "%s: %s", list,
		      error.cause);
}

/* Add as PAPI does: what does not fit is left out, and the next is tried. */
static void
add_one_by_one(const char *list, const struct drmperf_selection *all,
	       size_t count)
{
	struct drmperf_selection added[TWO_GPUS_NAMES];
	const struct drmperf_event *chosen[TWO_GPUS_NAMES];
	struct drmperf_error error, afresh;
	size_t length = 0;

	forget_plan();
	for (size_t i = 0; i < count; i++) {
		int ret;

		memset(&error, 0, sizeof(error));
		memset(&afresh, 0, sizeof(afresh));
		added[length] = all[i];
		ret = plan_check_one_pass(two_gpus_drmperf, added, length + 1,
					  chosen, &error);
		ck_assert_msg(check_afresh(added, length + 1, &afresh) == ret,
			      "%s, %zu: %d %s %s", list, i, ret, error.cause,
			      afresh.cause);
		ck_assert_str_eq(error.cause, afresh.cause);
		ck_assert_str_eq(error.remedy, afresh.remedy);
		if (!ret)
			check_chosen(list, added, chosen, ++length);
	}
}

TEST_LOOP(all, one_by_one, ARRAY_SIZE(pass_cases))
{
	const char *list = pass_cases[_i].list;
	struct drmperf_selection selections[TWO_GPUS_NAMES],
		backwards[TWO_GPUS_NAMES];
	size_t count = two_gpus_read(list, selections);

	for (size_t i = 0; i < count; i++)
		backwards[count - 1 - i] = selections[i];
	add_one_by_one(list, selections, count);
	add_one_by_one(list, backwards, count);
}

/* Where a counter may sit in any slot, and one is left, nothing is searched. */
TEST(all, added_without_a_search)
{
	static const char *const names =
		"SQ.W0 SQ.W1 SQ.W2 SQ.W3 SQ.W0 TCC.HIT TCC.MISS TCC.REQ "
		"TCC.READ metric.Busy Render.Pixels SQ.W0/1 SQ.W1/1 "
		"TCC.HIT[0]/1 TCC.HIT[1]/1 TCC.HIT[2]/1 TCC.MISS[0]/1";
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	const struct drmperf_event *chosen[TWO_GPUS_NAMES];
	size_t count = two_gpus_read(names, selections);

	forget_plan();
	searches = 0;
	for (size_t i = 1; i <= count; i++)
		ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf,
						     selections, i, chosen,
						     NULL),
				 0);
	ck_assert_uint_eq(searches, 1);
	/* another list */
	ck_assert_int_eq(plan_check_one_pass(two_gpus_drmperf, &selections[1],
					     count - 1, chosen, NULL),
			 0);
	ck_assert_uint_eq(searches, 2);
}

/* Plans of a growing list do as well: one pass, of all in their order. */
TEST(all, planned_without_a_search)
{
	struct drmperf_selection selections[TWO_GPUS_NAMES];
	size_t count = two_gpus_read("SQ.W0 SQ.W1 TCC.HIT metric.Busy "
				     "Render.Pixels SQ.W1/1 TCC.HIT[1]/1",
				     selections);

	forget_plan();
	for (size_t i = 1; i <= count; i++) {
		struct drmperf_plan *plan;
		const size_t *events;
		size_t n;

		ck_assert_int_eq(drmperf_plan_create(two_gpus_drmperf,
						     selections, i, NULL, &plan,
						     NULL),
				 0);
		ck_assert_uint_eq(drmperf_plan_passes(plan), 1);
		ck_assert(drmperf_plan_is_proved(plan));
		ck_assert_ptr_null(drmperf_plan_conflict(plan, 0));
		events = drmperf_plan_pass_events(plan, 0, &n);
		ck_assert_uint_eq(n, i);
		for (size_t k = 0; k < n; k++) {
			ck_assert_uint_eq(events[k], k);
			ck_assert(!drmperf_plan_event_is_cut(plan, k));
		}
		drmperf_plan_destroy(plan);
		if (i == 1)
			searches = 0;
	}
	ck_assert_uint_eq(searches, 0);
}
