/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's own tables of events, and the errors of bad ones.
 */
#include "catalog/resolve.h"
#include "device/device.h"
#include "device/state.h"
#include "expr/program.h"
#include "tests/support/check.h"
#include "tests/device/made_up.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names as long as they may be, but for one character. */
#define TEN "ABCDEFGHIJ"
#define LONG_NAME TEN TEN TEN TEN TEN TEN TEN TEN TEN "12345"

static struct drmperf_error error;

static const char table[] =
	"<!-- mine -->\n"
	"<events driver='red' generation='red1'>\n"
	"  <metric name='Mine' unit='ratio' type='double' kind='average'\n"
	"          expression='SQ.WAVES/SQ.CYCLES' alias='MyOwn'>My own.\n"
	"  </metric>\n"
	"  <metric name='Both' unit='none' type='uint64' kind='cumulative'\n"
	"          expression='7'/>\n"
	"  <metric name='Near' group='SQ' unit='none' type='uint64'\n"
	"          kind='cumulative' expression='WAVES+1'/>\n"
	"</events>\n";

TEST_CASE(all, made_up_set_up, made_up_clean_up, "device_tables");

TEST(all, a_table_of_the_user_adds_events)
{
	struct drmperf_selection selection;
	const struct catalog_value *value;
	char path[400], other[400], both[900];

	made_up_write(path, "/tables/mine.xml", table);
	made_up_write(other, "/tables/other.xml",
		      "<events driver='red' generation='red2'>"
		      "<metric name='Not'/></events>");
	snprintf(both, sizeof(both), ":%s::%s", path, other);
	made_up_create(both);
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::Mine", &selection,
				      NULL));
	ck_assert_int_eq(drmperf_event_unit(selection.event),
			 DRMPERF_UNIT_RATIO);
	ck_assert_int_eq(drmperf_event_kind(selection.event),
			 DRMPERF_KIND_AVERAGE);
	ck_assert_str_eq(drmperf_event_description(selection.event), "My own.");
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::MyOwn", &selection,
				      NULL));
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::Both", &selection,
				      NULL));
	ck_assert(!catalog_resolve(selection.event, &value, NULL));
	ck_assert_uint_eq(expr_eval(value->program, NULL).u64, 7);
	ck_assert(!drmperf_event_find(
		made_up_drmperf, "red::SQ.Near:instance=2", &selection, NULL));
	/* the driver was told, and is asked for its blocks */
	ck_assert_uint_eq(made_up.extra_count, 2);
	/* the other driver's device has none of it */
	ck_assert_int_eq(drmperf_event_find(made_up_drmperf, "blue::Mine",
					    &selection, NULL),
			 -ENOENT);
}

TEST(all, table_of_the_environment)
{
	struct drmperf_selection selection;
	const struct drmperf_options options = { .size = sizeof(options) };
	char path[400];

	made_up_write(path, "/tables/mine.xml", table);
	drmperf_destroy(made_up_drmperf);
	setenv("DRMPERF_EVENTS", path, 1);
	ck_assert(!state_create(&options, made_up_drivers, test_folder,
				&made_up_drmperf, NULL));
	unsetenv("DRMPERF_EVENTS");
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::Mine", &selection,
				      NULL));
}

TEST(all, a_folder_of_the_user_adds_tables)
{
	char path[400];
	size_t installed = made_up_drmperf->tables.count;

	ck_assert_uint_ge(installed, 1);
	made_up_write(path, "/tables/red/red.xml", table);
	made_up_path(path, "/tables");
	made_up_create(path);
	ck_assert_uint_eq(made_up_drmperf->tables.count, installed + 1);
	ck_assert_str_eq(made_up_drmperf->tables.directories[0], path);
	ck_assert_ptr_eq(made_up_device(0)->target.tables.directories,
			 made_up_drmperf->tables.directories);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), NULL), 0);
}

/*
 * What is no file of events is reported, with a cure, and nothing waits for it.
 */
TEST(all, no_user_file)
{
	char path[400];

	made_up_path(path, "/empty");
	ck_assert(!mkdir(path, 0700));
	made_up_create(path);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error),
			 -EISDIR);
	ck_assert_ptr_nonnull(strstr(error.cause, "it is a folder that has no "
						  "folder of tables"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
	made_up_path(path, "/empty/fifo");
	ck_assert(!mkfifo(path, 0600));
	made_up_create(path);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "it is a pipe or a device"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
}

static const struct {
	const char *text;
	int err;
	const char *cause;
} bad_tables[] = {
	{ NULL, -ENOENT, "bad.xml: No such file" },
	{ "", -EBADMSG, "bad.xml:1: not an event table" },
	{ "text", -EBADMSG, "bad.xml:1: not an event table" },
	{ "<!-- x -->\n<?xml y?>\n <foo a=1>", -EBADMSG,
	  "bad.xml:3: <foo> is not the root of an event table" },
	{ "<!-- x", -EBADMSG, "bad.xml:1: not an event table" },
	{ "<events>\n<metric>\n</events>", -EBADMSG,
	  "bad.xml:3: mismatched tag" },
	{ "<events driver='red'>\n<metric name='A'/></events>", -EBADMSG,
	  "bad.xml:2: <metric> has no attribute expression" },
	{ "<events driver='red'>\n<metric/></events>", -EBADMSG,
	  "bad.xml:2: <metric> has no attribute name" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='miles' type='double' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> unit=\"miles\" is not a unit" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='none' type='int' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> type=\"int\" is not a type" },
	{ "<events driver='red'>\n<metric name='A' expression='1'\n"
	  "unit='none' type='double' kind='mean'/></events>",
	  -EBADMSG, "bad.xml:2: <metric> kind=\"mean\" is not a kind" },
	{ "<events driver='red'>\n<metric name='A' expression='1' group='TA'\n"
	  "unit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "<metric> group=\"TA\" is not a group of Red One" },
	{ "<events driver='red'>\n<metric name='A,B' expression='1'\n"
	  "unit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "bad.xml:2: \"A,B\" is not a name for an event" },
	{ "<events driver='red'>\n<metric name='" LONG_NAME "6' "
	  "expression='1'\nunit='none' type='double' kind='average'/></events>",
	  -EBADMSG, "is too long for the name of an event" },
};

TEST_LOOP(all, bad_user_table, ARRAY_SIZE(bad_tables))
{
	struct drmperf_selection selection;
	char path[400];

	made_up_path(path, "/tables/bad.xml");
	if (bad_tables[_i].text)
		test_file_write(bad_tables[_i].text, "%s", path);
	made_up_create(path);
	ck_assert_int_eq(drmperf_device_open(made_up_device(0), &error),
			 bad_tables[_i].err);
	ck_assert_msg(strstr(error.cause, bad_tables[_i].cause), "%s",
		      error.cause);
	ck_assert_ptr_nonnull(strstr(error.remedy, "DRMPERF_EVENTS"));
	/* what was described is given back, and mending the file helps */
	ck_assert_int_eq(made_up.released, made_up.described + made_up.bridged);
	test_file_write(table, "%s", path);
	if (made_up.described) /* read once, if it was well-formed */
		return;
	ck_assert(!drmperf_event_find(made_up_drmperf, "red::Mine", &selection,
				      NULL));
}
