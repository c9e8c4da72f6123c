/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/plan/pack/checker.h"
#include "tests/plan/pack/random.h"
#include "tests/support/suite.h"

#define NONE PACK_NONE
#define STEPS 6000000

/* ------------------------------------------------------------------ */
/* Problems as text                                                     */

/*
 * Add a problem in few words, for tables of cases:
 *
 *	p4        a pool of 4 slots; p* without limit; p4=1 wants value 1 of
 *	          setting 0
 *	c0        a counter of pool 0; c0/3 fits slots 0 and 1 (a mask, in hex);
 *	          c0>2 sits after counter 2; c0=1 wants value 1 of setting 0;
 *	          c0~1 has the tie 1
 *	i0,1|2    an item: counters 0 and 1, or counter 2
 */
static void
add_pool(struct pack_problem *out, const char *word)
{
	struct pack_pool pool = { .setting = NONE };
	const char *value = strchr(word, '=');

	pool.slots = word[1] == '*' ? PACK_UNLIMITED
				    : (uint32_t)strtoul(word + 1, NULL, 10);
	if (value) {
		pool.setting = 0;
		pool.value = (uint32_t)strtoul(value + 1, NULL, 10);
	}
	pack_problem_add_pool(out, &pool);
}

static void
add_counter(struct pack_problem *out, const char *word)
{
	struct pack_counter counter = {
		.pool = (uint32_t)strtoul(word + 1, NULL, 10),
		.slots = PACK_ANY_SLOT,
		.after = NONE,
		.setting = NONE,
	};
	const char *mask = strchr(word, '/'), *after = strchr(word, '>');
	const char *value = strchr(word, '='), *tie = strchr(word, '~');

	if (tie)
		counter.tie = (uint32_t)strtoul(tie + 1, NULL, 10);
	if (mask)
		counter.slots = strtoull(mask + 1, NULL, 16);
	if (after)
		counter.after = (uint32_t)strtoul(after + 1, NULL, 10);
	if (value) {
		counter.setting = 0;
		counter.value = (uint32_t)strtoul(value + 1, NULL, 10);
	}
	pack_problem_add_counter(out, &counter);
}

static void
add_item(struct pack_problem *out, const char *word)
{
	const char *at = word + 1;

	while (*at) {
		char *end = NULL;

		if (*at >= '0' && *at <= '9') {
			uint32_t counter = (uint32_t)strtoul(at, &end, 10);

			pack_problem_add_demand(out, counter);
			at = end;
		}
		if (*at == '|')
			pack_problem_end_alternative(out);
		if (*at)
			at++;
	}
	pack_problem_end_alternative(out);
	pack_problem_end_item(out);
}

static void
read_problem(const char *text, struct pack_problem *out)
{
	char buffer[1024], *rest = buffer, *word;

	*out = (struct pack_problem){ 0 };
	pack_problem_add_setting(out);
	ck_assert_uint_lt(strlen(text), sizeof(buffer));
	strcpy(buffer, text);
	while ((word = strsep(&rest, " ")) != NULL) {
		switch (*word) {
		case 'p':
			add_pool(out, word);
			break;
		case 'c':
			add_counter(out, word);
			break;
		case 'i':
			add_item(out, word);
			break;
		}
	}
}

static struct pack_problem problem;
static struct pack *pack;

static void
set_up(const char *text)
{
	read_problem(text, &problem);
	ck_assert_int_eq(problem.error, 0);
	ck_assert_int_eq(pack_create(&problem, &pack), 0);
}

static void
tear_down(void)
{
	pack_destroy(pack);
	pack_problem_finish(&problem);
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

TEST_CASE(one_pass, NULL, NULL, "pack");

static const struct fit_case {
	const char *name;
	const char *text; /* are all of its items one pass? */
	bool fits;
	const char *alternatives; /* a digit per item, from 0 in each item */
} fit_cases[] = {
	{ "nothing", "p1", true, "" },
	{ "no counters", "p0 i i", true, "00" },
	{ "full", "p2 c0 c0 i0 i1", true, "00" },
	{ "overfull", "p2 c0 c0 c0 i0 i1 i2", false, NULL },
	{ "shared", "p2 c0 c0 i0 i1 i0,1", true, "000" },
	{ "two pools", "p1 p1 c0 c1 i0 i1", true, "00" },
	{ "no limit", "p* c0 c0 c0 i0,1,2", true, "0" },
	{ "more than 64", "p65 c0/1 c0/1 i0,1", true, "0" },
	{ "a narrow slot", "p2 c0/2 c0/2 i0 i1", false, NULL },
	{ "slots differ", "p2 c0/2 c0/1 i0 i1", true, "00" },
	{ "neighbours", "p2 c0 c0>0 i0,1", true, "0" },
	{ "neighbours in a full pool", "p3 c0 c0>0 c0 c0>2 i0,1 i2,3", false,
	  NULL },
	{ "two after one", "p4 c0 c0>0 c0>0 i0,1 i0,2", false, NULL },
	{ "one stage", "p4 c0=1 c0=1 c0 i0 i1 i2", true, "000" },
	{ "two stages", "p4 c0=1 c0=2 i0 i1", false, NULL },
	{ "two stages in one item", "p4 c0=1 c0=2 i0,1", false, NULL },
	{ "a stage against its pool", "p4=1 c0=2 i0", false, NULL },
	{ "one set", "p*=1 p*=2 c0 c1 c0 i0|1 i2", true, "00" },
	{ "the other set", "p*=1 p*=2 c0 c1 c1 i0|1 i2", true, "10" },
	{ "two sets", "p*=1 p*=2 c0 c1 i0 i1", false, NULL },
	{ "the only common set",
	  "p*=1 p*=2 p*=3 c0 c1 c1 c2 c0 c2 i0|1 i2|3 i1|2|4 i4|2", true,
	  "1001" },
	{ "no common set", "p*=1 p*=2 p*=3 c0 c1 c1 c2 c0 c2 i0|1 i2|3 i4|5",
	  false, NULL },
	{ "a choice that fills up", "p1 p1 c0 c0 c1 i0|2 i1", true, "10" },
};

TEST_LOOP(one_pass, items_fit_one_pass_or_do_not, ARRAY_SIZE(fit_cases))
{
	const struct fit_case *test = &fit_cases[_i];
	uint32_t items[8], chosen[8];

	set_up(test->text);
	for (uint32_t i = 0; i < problem.item_count; i++)
		items[i] = i;
	ck_assert_msg(pack_fits(pack, items, problem.item_count, chosen) ==
			      test->fits,
		      "%s", test->name);
	for (uint32_t i = 0; test->fits && i < problem.item_count; i++)
		ck_assert_msg(chosen[i] - problem.alternative_first[i] ==
				      (uint32_t)(test->alternatives[i] - '0'),
			      "%s, item %u: %u", test->name, i, chosen[i]);
	ck_assert_msg(checker_items_fit(&problem, items, problem.item_count) ==
			      test->fits,
		      "%s: what does the checker think?", test->name);
	tear_down();
}

/* ------------------------------------------------------------------ */
/* Explanations                                                         */

/* Why the last item does not fit beside all others. */
static const struct conflict_case {
	const char *name;
	const char *text;
	enum pack_cause cause;
	uint32_t where; /* pool or setting */
	uint32_t limit, wanted;
	const char *holders, *removal, *choices; /* digits */
} conflict_cases[] = {
	{ "a full pool", "p2 p* c0 c0 c1 c0 i0 i2 i1 i3", PACK_CAUSE_POOL, 0, 2,
	  3, "02", "0", "02" },
	{ "two of one item are too many",
	  "p4 c0 c0 c0 c0 c0 c0 i0 i1 i2,3 i4,5", PACK_CAUSE_POOL, 0, 4, 6,
	  "012", "2", "2" },
	{ "a shared counter is no help", "p2 c0 c0 c0 i0 i0,1 i0,2",
	  PACK_CAUSE_POOL, 0, 2, 3, "01", "1", "1" },
	{ "two have to go", "p2 c0 c0 c0 c0 i0 i1 i2,3", PACK_CAUSE_POOL, 0, 2,
	  4, "01", "01", "" },
	{ "narrow slots", "p4 c0/3 c0/3 c0 c0/3 i0 i1 i2 i3", PACK_CAUSE_SLOTS,
	  0, 2, 3, "01", "0", "01" },
	{ "neighbours", "p3 c0 c0>0 c0/2 i0,1 i2", PACK_CAUSE_SLOTS, 0, 3, 3,
	  "0", "0", "0" },
	{ "neighbours in one of two pools",
	  "p3 p3 c0 c0>0 c0/2 c1 c1>3 c1/4 i0,1 i5 i2,3,4", PACK_CAUSE_SLOTS, 0,
	  3, 3, "0", "0", "0" },
	{ "another stage", "p4 c0=1 c0 c0=1 c0=2 i0 i1 i2 i3",
	  PACK_CAUSE_SETTING, 0, 1, 2, "02", "02", "" },
	{ "another set", "p*=1 p*=2 c0 c1 i0 i1", PACK_CAUSE_SETTING, 0, 1, 2,
	  "0", "0", "0" },
	{ "an item that could do otherwise is innocent",
	  "p*=1 p*=2 c0 c1 c0 c1 i0|1 i2 i3", PACK_CAUSE_SETTING, 0, 1, 2, "1",
	  "1", "1" },
	{ "no common set", "p*=1 p*=2 p*=3 c0 c1 c0 c2 c1 c2 i0|1 i2|3 i4|5",
	  PACK_CAUSE_SETTING, 0, 1, 2, "1", "0", "01" },
	{ "either could, but not both",
	  "p*=1 p*=2 p1 c0 c1 c2 c2 c1 i0|1,2 i0|1,3 i4", PACK_CAUSE_SETTING, 0,
	  1, 2, "01", "0", "01" },
	{ "a pool and a stage", "p1 p4 c0 c1=1 c0 c1=2 i0 i1 i2,3",
	  PACK_CAUSE_SETTING, 0, 1, 2, "1", "01", "" },
	{ "too large for any", "p2 c0 c0 c0 c0 i0 i1,2,3", PACK_CAUSE_POOL, 0,
	  2, 3, "", "", "" },
	{ "two stages of its own", "p2 c0=1 c0=2 i i0,1", PACK_CAUSE_SETTING, 0,
	  1, 2, "", "", "" },
	{ "the nearest alternative", "p1 p1 c0 c0 c1 c1 i0 i2 i1|3",
	  PACK_CAUSE_POOL, 0, 1, 2, "0", "0", "01" },
	{ "an alternative that never counts", "p1 p2 c0 c1=1 c1=2 c0 i0 i1,2|3",
	  PACK_CAUSE_POOL, 0, 1, 2, "0", "0", "0" },
};

static void
expect_list(const char *name, const char *what, const uint32_t *list,
	    uint32_t count, const char *expected)
{
	char text[32] = "";

	for (uint32_t i = 0; i < count && i < sizeof(text) - 1; i++) {
		text[i] = (char)('0' + list[i]);
		text[i + 1] = '\0';
	}
	ck_assert_msg(!strcmp(text, expected), "%s: %s are %s, not %s", name,
		      what, text, expected);
}

TEST_LOOP(one_pass, a_conflict_names_its_cause, ARRAY_SIZE(conflict_cases))
{
	const struct conflict_case *test = &conflict_cases[_i];
	struct pack_conflict conflict;
	uint32_t items[8], count;

	set_up(test->text);
	count = problem.item_count - 1;
	for (uint32_t i = 0; i <= count; i++)
		items[i] = i;
	ck_assert_int_eq(pack_explain(pack, items, count, count, &conflict), 0);
	ck_assert_msg(conflict.cause == test->cause, "%s: cause %d", test->name,
		      conflict.cause);
	ck_assert_msg((test->cause == PACK_CAUSE_SETTING
			       ? conflict.setting
			       : conflict.pool) == test->where,
		      "%s: where", test->name);
	ck_assert_msg(conflict.limit == test->limit &&
			      conflict.wanted == test->wanted,
		      "%s: %u of %u", test->name, conflict.wanted,
		      conflict.limit);
	expect_list(test->name, "holders", conflict.holders,
		    conflict.holder_count, test->holders);
	expect_list(test->name, "removed", conflict.removal,
		    conflict.removal_count, test->removal);
	expect_list(test->name, "choices", conflict.choices,
		    conflict.choice_count, test->choices);
	tear_down();
}

TEST(one_pass, destroying_nothing_does_nothing)
{
	pack_destroy(NULL);
	pack_plan_destroy(NULL);
}

TEST(one_pass, what_fits_has_no_conflict)
{
	struct pack_conflict conflict;
	uint32_t items[] = { 0, 1, 2 };

	set_up("p2 c0 c0 c0 i0 i1 i2 i0");
	ck_assert_int_eq(pack_explain(pack, items, 2, 3, &conflict), -EINVAL);
	ck_assert_int_eq(pack_explain(pack, items, 3, 3, &conflict), -EINVAL);
	tear_down();
}

/* The removal is as small as any, and does make room. */
TEST(one_pass, a_removal_is_the_smallest_that_makes_room)
{
	static const struct random_kind kind = {
		"removal", 12, 4, 6, 10, 4, 2, 1, 3, 20, 20, 10, 20, 0,
	};
	uint64_t state = 99;
	int asked = 0;

	for (int round = 0; round < 400; round++) {
		uint32_t items[16], count = 0, extra = 0;
		struct pack_conflict conflict;

		problem = (struct pack_problem){ 0 };
		random_problem(&kind, &state, &problem);
		ck_assert_int_eq(pack_create(&problem, &pack), 0);
		for (; extra < problem.item_count; extra++) {
			items[count] = extra;
			if (!pack_item_fits(pack, extra))
				continue;
			if (!checker_items_fit(&problem, items, count + 1))
				break;
			count++;
		}
		if (extra < problem.item_count) {
			uint32_t fewest = UINT32_MAX, kept[16], size;

			ck_assert_int_eq(pack_explain(pack, items, count, extra,
						      &conflict),
					 0);
			for (uint32_t out = 1; out < 1u << count; out++) {
				size = 0;
				for (uint32_t i = 0; i < count; i++) {
					if (!(out >> i & 1))
						kept[size++] = items[i];
				}
				kept[size++] = extra;
				if (count + 1 - size < fewest &&
				    checker_items_fit(&problem, kept, size))
					fewest = count + 1 - size;
			}
			ck_assert_uint_eq(conflict.removal_count, fewest);
			size = 0;
			for (uint32_t i = 0, r = 0; i < count; i++) {
				if (r < fewest &&
				    conflict.removal[r] == items[i])
					r++;
				else
					kept[size++] = items[i];
			}
			kept[size++] = extra;
			ck_assert(checker_items_fit(&problem, kept, size));
			asked++;
		}
		tear_down();
	}
	ck_assert_int_gt(asked, 150);
}

/* ------------------------------------------------------------------ */
/* Plans                                                                */

/* Expected: passes separated by a bar, items as letters from a. */
static const struct plan_case {
	const char *name;
	const char *text;
	const char *passes;
	uint32_t bound;
	bool split;
} plan_cases[] = {
	{ "nothing at all", "p1", "", 0, false },
	{ "no counters", "p1 i i", "ab", 1, false },
	{ "one pass", "p2 c0 c0 i0 i1", "ab", 1, false },
	{ "as given", "p2 c0 c0 c0 c0 i0 i1 i2 i3", "ab|cd", 2, false },
	{ "the same twice", "p1 c0 c0 i0 i1 i0 i1", "ac|bd", 2, false },
	{ "part of another", "p2 c0 c0 c0 c0 i0 i2,3 i0,1 i3", "ac|bd", 2,
	  false },
	{ "side by side", "p1 p1 c0 c0 c1 c1 i0 i1 i2 i3", "ac|bd", 2, false },
	{ "the longer one counts", "p1 p2 c0 c0 c0 c1 c1 i3 i0 i1 i4 i2",
	  "abd|c|e", 3, false },
	{ "not as given where that takes more", /* 1 2 | 3 3 takes three */
	  "p4 c0 c0 c0 c0 c0 c0 c0 c0 i0 i1,2 i3,4,5 i6,7", "ac|bd", 2, false },
	{ "by stage", "p4 c0=1 c0=2 c0=1 c0=2 i0 i1 i2 i3", "ac|bd", 2, false },
	{ "without a stage anywhere", "p2 c0=1 c0=2 c0 c0 i0 i2 i1 i3", "ab|cd",
	  2, false },
	{ "any set", "p*=1 p*=2 c0 c1 c1 c0 i0|1 i2 i3|1", "abc", 1, false },
	{ "exact cover", /* the second set has most, but is not needed */
	  "p*=1 p*=2 p*=3 c0 c1 c2 i0 i0|1 i0|1 i1|2 i1|2 i2", "abc|def", 2,
	  false },
	{ "too large, left out", "p2 c0 c0 c0 i0,1,2 i0", "b", 1, false },
	{ "too large, split", "p2 c0 c0 c0 i0,1,2 i0", "ab|a", 2, true },
	{ "split where it has company", "p2 c0 c0 c0 c0 i0,1,2 i2,3 i1",
	  "ac|ab", 2, true },
	{ "split into no more than needed", /* not also into the second pass */
	  "p2 p1 c0 c0 c0 c1 c1 c1 i3 i4 i0,1,2,5", "ac|b|c", 3, true },
	{ "two stages, split", "p4 c0=1 c0=2 i0,1", "a|a", 2, true },
	{ "ties hold when split",
	  "p1 p1 p1 c0~1 c1~1 c1~2 c2~2 c2~3 c0~3 i0,1,2,3,4,5", "a|a|a", 3,
	  true },
	{ "neighbours stay together when split", "p2 c0 c0>0 c0 i0,1,2", "a|a",
	  2, true },
	{ "not even in parts", "p1 c0/2 c0 i0,1 i1", "b", 1, true },
};

TEST_CASE(passes, NULL, NULL, "pack");

TEST_LOOP(passes, a_plan_has_the_fewest_passes, ARRAY_SIZE(plan_cases))
{
	const struct plan_case *test = &plan_cases[_i];
	const struct pack_options options = { .steps = STEPS,
					      .split = test->split };
	struct pack_plan *plan;
	char text[128] = "", complaint[128];
	size_t length = 0;

	set_up(test->text);
	ck_assert_int_eq(pack_plan_create(pack, &options, &plan), 0);
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		const struct pack_pass *at = &plan->passes[pass];

		if (pass)
			text[length++] = '|';
		for (uint32_t i = 0; i < at->item_count; i++)
			text[length++] = (char)('a' + at->items[i]);
	}
	ck_assert_msg(!strcmp(text, test->passes), "%s: %s, not %s", test->name,
		      text, test->passes);
	ck_assert_msg(plan->bound == test->bound, "%s: bound %u", test->name,
		      plan->bound);
	ck_assert_msg(
		checker_accepts(&problem, plan, complaint, sizeof(complaint)),
		"%s: %s", test->name, complaint);
	pack_plan_destroy(plan);
	tear_down();
}

/* An item that was split is named once for all its parts in the way. */
TEST(passes, a_pass_says_why_it_begins)
{
	static const struct {
		enum pack_cause cause;
		const char *holders, *removal;
	} expected[] = {
		{ PACK_CAUSE_NONE, "", "" },
		{ PACK_CAUSE_POOL, "2", "02" },
		{ PACK_CAUSE_POOL, "", "" }, /* why it was split */
	};
	const struct pack_options options = { .steps = STEPS, .split = true };
	struct pack_plan *plan;

	set_up("p1 p2 c0 c0 c1 c1 c1 c1 c1 i0 i1,5,6 i2,3,4");
	ck_assert_int_eq(pack_plan_create(pack, &options, &plan), 0);
	ck_assert_uint_eq(plan->pass_count, ARRAY_SIZE(expected));
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		const struct pack_conflict *conflict =
			&plan->passes[pass].conflict;

		ck_assert_int_eq(conflict->cause, expected[pass].cause);
		expect_list("a pass", "holders", conflict->holders,
			    conflict->holder_count, expected[pass].holders);
		expect_list("a pass", "removed", conflict->removal,
			    conflict->removal_count, expected[pass].removal);
	}
	pack_plan_destroy(plan);
	tear_down();
}
