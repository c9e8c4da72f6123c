/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verdicts: what a driver's table concludes from events.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/suite.h"

static struct drmperf_error error;
static struct drmperf_verdicts *verdicts;

static int
create_verdicts(unsigned device)
{
	return drmperf_verdicts_create(made_up_device(device), &verdicts,
				       &error);
}

static const char good[] =
	"<verdicts>\n"
	"  <verdict name='absent' text='t'>\n"
	"    <when any='SQ.WAVES'/><when any='SQ.NONE SQ.NEITHER'/>\n"
	"  </verdict>\n"
	"  <verdict name='no sum' text='t'><when sum='SQ.NONE'/></verdict>\n"
	"  <verdict name='absent base' text='t'>\n"
	"    <when any='SQ.WAVES' per='SQ.NONE'/>\n"
	"  </verdict>\n"
	"  <verdict name='first' text='so it is' weak='1' next='look'>\n"
	"    <when any='SQ.NONE SQ.WAVES' from='20' below='80'/>\n"
	"    <when sum='SQ.CYCLES SQ.NONE SQ.WAVES' peak='1'/>\n"
	"    <when any='SQ.WAVES' per='SQ.CYCLES'/>\n"
	"  </verdict>\n"
	"  <verdict name='last' text='t' open='1'>\n"
	"    <when any='SQ.CYCLES'/>\n"
	"  </verdict>\n"
	"</verdicts>\n";

static void
expect_events(const struct drmperf_condition *condition, unsigned device,
	      size_t count, const char *first)
{
	const struct drmperf_event *event = condition->events[0];

	ck_assert_uint_eq(condition->event_count, count);
	ck_assert_str_eq(drmperf_event_name(event), first);
	ck_assert_uint_eq(drmperf_device_index(drmperf_event_device(event)),
			  device);
}

TEST_CASE(all, made_up_set_up, made_up_clean_up, "verdicts");

/* In their order, those that the device has all events of. */
TEST(all, verdicts_of_a_table)
{
	made_up_use_table("verdicts.xml", good);
	for (unsigned device = 0; device <= 2; device += 2) {
		const struct drmperf_verdict *verdict;

		ck_assert_int_eq(create_verdicts(device), 0);
		ck_assert_uint_eq(verdicts->count, 2);
		verdict = &verdicts->list[0];
		ck_assert_str_eq(verdict->name, "first");
		ck_assert_str_eq(verdict->text, "so it is");
		ck_assert_str_eq(verdict->next, "look");
		ck_assert(verdict->is_weak);
		ck_assert(!verdict->is_open);
		ck_assert_uint_eq(verdict->condition_count, 3);
		expect_events(&verdict->conditions[0], device, 1,
			      "red::SQ.WAVES");
		ck_assert_double_eq(verdict->conditions[0].from, 20);
		ck_assert_double_eq(verdict->conditions[0].below, 80);
		ck_assert(!verdict->conditions[0].of_peak);
		ck_assert_ptr_null(verdict->conditions[0].per);
		expect_events(&verdict->conditions[1], device, 2,
			      "red::SQ.CYCLES");
		ck_assert(verdict->conditions[1].of_peak);
		ck_assert_double_eq(verdict->conditions[1].from, -INFINITY);
		ck_assert_double_eq(verdict->conditions[1].below, INFINITY);
		ck_assert_str_eq(drmperf_event_name(verdict->conditions[2].per),
				 "red::SQ.CYCLES");
		verdict++;
		ck_assert_str_eq(verdict->name, "last");
		ck_assert_ptr_null(verdict->next);
		ck_assert(!verdict->is_weak);
		ck_assert(verdict->is_open);
		drmperf_verdicts_destroy(verdicts);
	}
	drmperf_verdicts_destroy(NULL);
}

TEST(all, without_a_table_there_are_no_verdicts)
{
	ck_assert_int_eq(create_verdicts(0), 0);
	ck_assert_uint_eq(verdicts->count, 0);
	drmperf_verdicts_destroy(verdicts);
}

#define VERDICT(of, when)                                                      \
	"<verdicts>\n<verdict" of ">\n" when "</verdict>\n</verdicts>"
#define GOOD " name='n' text='t'"

static const struct {
	const char *text, *cause;
} bad[] = {
	{ "<groups/>", "is no table of verdicts" },
	{ VERDICT(" text='t'", "<when any='SQ.WAVES'/>\n"), "verdicts.xml:2" },
	{ VERDICT(" name='n'", "<when any='SQ.WAVES'/>\n"), "verdicts.xml:2" },
	{ VERDICT(GOOD, ""), "verdicts.xml:2" },
	{ VERDICT(GOOD, "<when/>\n"), "needs one of any and sum" },
	{ VERDICT(GOOD, "<when any='SQ.WAVES' sum='SQ.WAVES'/>\n"),
	  "needs one of any and sum" },
	{ VERDICT(GOOD, "<when any='SQ.WAVES' from='x'/>\n"),
	  "verdicts.xml:3" },
	{ VERDICT(GOOD, "<when any='SQ.WAVES' below='-1'/>\n"),
	  "verdicts.xml:3" },
};

TEST_LOOP(all, a_malformed_table_is_refused, ARRAY_SIZE(bad))
{
	made_up_use_table("verdicts.xml", bad[_i].text);
	ck_assert_int_eq(create_verdicts(0), -EBADMSG);
	ck_assert_msg(strstr(error.cause, bad[_i].cause), "%s", error.cause);
}

TEST(all, device_that_fails)
{
	made_up.red_error = -EACCES;
	made_up.bridge_error = -EACCES;
	made_up_use_table("verdicts.xml", good);
	ck_assert_int_eq(create_verdicts(0), -EACCES);
}

TEST(all, a_child_gets_no_verdicts)
{
	pid_t child = fork();

	if (!child)
		child_end(create_verdicts(0) != -ECHILD);
	child_join(child);
}
