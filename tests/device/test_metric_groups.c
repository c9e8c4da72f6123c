/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric groups: a driver's table of events by what they tell of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/suite.h"

static struct drmperf_error error;
static struct drmperf_metric_groups *groups;

static const char good[] =
	"<metric-groups>\n"
	"  <group name='default' description='all of it'>\n"
	"    <event any='SQ.NONE NONE.AT_ALL SQ.WAVES SQ.CYCLES'/>\n"
	"    <event any='SQ.NONE'/>\n"
	"    <event any='SQ.WAVES'/>\n"
	"    <event any='SQ.CYCLES'/>\n"
	"  </group>\n"
	"  <group name='none' description='of what is not there'>\n"
	"    <event any='SQ.NONE'/>\n"
	"  </group>\n"
	"  <group name='other' description='d' generations='red red10'>\n"
	"    <event any='SQ.WAVES'/>\n"
	"  </group>\n"
	"  <group name='last' description='waves' generations='red0 red1'>\n"
	"    <event any='SQ.WAVES'/>\n"
	"  </group>\n"
	"</metric-groups>\n";

static void
expect_event(const struct drmperf_metric_group *group, size_t index,
	     const char *name, unsigned device)
{
	const struct drmperf_event *event = group->events[index];

	ck_assert_str_eq(drmperf_event_name(event), name);
	ck_assert_uint_eq(drmperf_device_index(drmperf_event_device(event)),
			  device);
}

TEST_CASE(all, made_up_set_up, made_up_clean_up, "metric_groups");

/* Each device gets its own; what it has not is left out, and said once. */
TEST(all, groups_of_a_table)
{
	made_up_use_table("groups.xml", good);
	for (unsigned device = 0; device <= 2; device += 2) {
		const struct drmperf_metric_group *list;

		ck_assert_int_eq(
			drmperf_metric_groups_create(made_up_device(device),
						     &groups, &error),
			0);
		list = groups->list;
		ck_assert_uint_eq(groups->count, 2);
		ck_assert_str_eq(list[0].name, "default");
		ck_assert_str_eq(list[0].description, "all of it");
		ck_assert_uint_eq(list[0].event_count, 2);
		expect_event(&list[0], 0, "red::SQ.WAVES", device);
		expect_event(&list[0], 1, "red::SQ.CYCLES", device);
		ck_assert_str_eq(list[1].name, "last");
		ck_assert_uint_eq(list[1].event_count, 1);
		drmperf_metric_groups_destroy(groups);
	}
	drmperf_metric_groups_destroy(NULL);
}

TEST(all, without_a_table_there_are_no_groups)
{
	ck_assert_int_eq(drmperf_metric_groups_create(made_up_device(0),
						      &groups, &error),
			 0);
	ck_assert_uint_eq(groups->count, 0);
	drmperf_metric_groups_destroy(groups);
}

static const struct {
	const char *text, *cause;
} bad[] = {
	{ "<metric-groups>\n<group description='d'/>\n</metric-groups>",
	  "groups.xml:2" },
	{ "<metric-groups>\n<group name='n'/>\n</metric-groups>",
	  "groups.xml:2" },
	{ "<metric-groups>\n<group name='n' description='d'>\n<event/>\n"
	  "</group></metric-groups>",
	  "groups.xml:3" },
	{ "<metric-groups>\n<group>\n", "groups.xml:3" },
	{ "<events/>", "groups.xml:1: <events> is no table of metric groups" },
};

TEST_LOOP(all, a_malformed_table_is_refused, ARRAY_SIZE(bad))
{
	made_up_use_table("groups.xml", bad[_i].text);
	ck_assert_int_eq(drmperf_metric_groups_create(made_up_device(0),
						      &groups, &error),
			 -EBADMSG);
	ck_assert_msg(strstr(error.cause, bad[_i].cause), "%s", error.cause);
}

TEST(all, device_that_fails)
{
	made_up.red_error = -EACCES;
	made_up.bridge_error = -EACCES;
	made_up_use_table("groups.xml", good);
	ck_assert_int_eq(drmperf_metric_groups_create(made_up_device(0),
						      &groups, &error),
			 -EACCES);
}

TEST(all, a_child_gets_no_groups)
{
	pid_t child = fork();

	if (!child)
		child_end(drmperf_metric_groups_create(made_up_device(0),
						       &groups,
						       &error) != -ECHILD);
	child_join(child);
}
