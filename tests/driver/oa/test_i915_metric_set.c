/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of metric sets as they may be written: what a set's text means, what
 * is left out on a GPU that lacks hardware, and what is complained about.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "driver/intel/oa/metric_set.h"
#include "driver/intel/oa/raw_counters.h"
#include "tests/support/check.h"
#include "tests/driver/described.h"
#include "tests/support/suite.h"

/* A GPU with slice 0 of two XeCores, the second one absent. */
static struct description_constant constants_list[] = {
	{ "SliceMask", 1 }, { "SkuRevisionId", 4 }, { "XeCore0", 1 },
	{ "XeCore1", 0 },   { "XeCore10", 1 },	    { "XeCore11", 1 },
};

static const struct constants constants = { constants_list,
					    ARRAY_SIZE(constants_list), NULL };

/* What was read of one table, or of two, one after the other. */
struct reading {
	struct description description;
	struct metric_sets sets;
	struct table *tables[2];
	struct drmperf_error error;
};

static struct table *
parse_table(const char *path, const char *text)
{
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;

	ck_assert_msg(!table_parse(path, text, strlen(text), &table, &error),
		      "%s", error.cause);
	return table;
}

static int
describe_set(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	struct reading *reading = device;

	return metric_sets_describe(&reading->sets, group, description, error);
}

/*
 * Read tables, in which events are described when the sets are known if later
 * is set; without more only.
 */
static int
read_tables(struct reading *reading, const char *text, const char *more,
	    bool later)
{
	const struct description_domain domain = { .name = "oa",
						   .device = reading };
	const struct platform platform = {
		.name = "test",
		.generation = OA_XELPG,
		.format = oa_format_find(12, OA_XELPG),
	};
	const char *texts[] = { text, more };
	int ret;

	memset(reading, 0, sizeof(*reading));
	reading->sets.describe = later ? describe_set : NULL;
	ck_assert_int_eq(description_init(&reading->description), 0);
	for (unsigned i = 0; i < OA_UNIT_COUNT; i++)
		description_add_domain(&reading->description, &domain,
				       &reading->sets.domains[i]);
	ret = raw_counters_add(&reading->description, OA_XELPG,
			       reading->sets.domains[OA_UNIT_RENDER],
			       &reading->sets.raw_group);
	for (unsigned i = 0; i < 2 && texts[i] && !ret; i++) {
		reading->tables[i] =
			parse_table(i ? "more.xml" : "test.xml", texts[i]);
		ret = metric_sets_read(&reading->sets, reading->tables[i],
				       &platform, &constants,
				       &reading->description, &reading->error);
	}
	return ret ? ret
		   : described_all(&reading->description, &reading->error);
}

static void
close_reading(struct reading *reading)
{
	metric_sets_finish(&reading->sets);
	description_finish(&reading->description);
	table_destroy(reading->tables[0]);
	table_destroy(reading->tables[1]);
}

static size_t
write_group(const struct description *description, group_index group,
	    const char *separator, char *text, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < description->event_count && at < size; i++) {
		const struct description_event *event = &description->events[i];

		if (event->group != group || event->hidden ||
		    !strcmp(event->name, "ReportAge"))
			continue;
		at += (size_t)snprintf(
			text + at, size - at, "%s%s.%s=%s (%s)", separator,
			description->groups[group].name, event->name,
			event->expression, event->description);
		separator = "; ";
	}
	return at;
}

/* Write all that is listed: "SET.NAME=EXPRESSION (DESCRIPTION); ..." */
static void
write_down(const struct reading *reading, char *text, size_t size)
{
	const struct description *description = &reading->description;
	size_t at = 0;

	text[0] = '\0';
	for (group_index group = 0;
	     group < description->group_count && at < size; group++)
		at += write_group(description, group, at ? "; " : "", text + at,
				  size - at);
}

#define EVENTS(content)                                                        \
	"<events driver=\"i915\" generation=\"test\">" content "</events>"

#define A "<counter name='A' unit='none' expression='A0'>First.</counter>"
#define B                                                                      \
	"<counter name='B' unit='percent' type='double' kind='average' "       \
	"expression='A1' if='SliceMask &amp; 2'>Second.</counter>"
#define X "<counter name='X#' unit='cycles' if='XeCore#1'>Of #1.</counter>"

#define ATTRIBUTES "unit='none' type='uint64' kind='cumulative'"
#define OWN "<counter name='B' expression='A7' " ATTRIBUTES ">Own.</counter>"
#define ABSENT                                                                 \
	"<counter name='A' expression='A6' if='SliceMask &amp; 2' " ATTRIBUTES \
	">Own.</counter>"

static const struct {
	const char *name, *text, *expected;
} good[] = {
	{ "names", EVENTS(A "<set name='S' description='Set.'>A;</set>"),
	  "S.A=A0 (First.)" },
	{ "blanks do not matter",
	  EVENTS(A "<set name='S' description='Set.'>\n  A  \n = B1 ;\n</set>"),
	  "S.A=B1 (First.)" },
	{ "a set may have its own expression",
	  EVENTS(A "<set name='S' description='Set.'>A = B0 + 1;</set>"
		   "<set name='T' description='Set.'>A;</set>"),
	  "S.A=B0 + 1 (First.); T.A=A0 (First.)" },
	{ "a condition of the counter",
	  EVENTS(A B "<set name='S' "
		     "description='Set.'>A; B;"
		     "</set>"),
	  "S.A=A0 (First.)" },
	{ "a condition of the set's text",
	  EVENTS(A B "<set name='S' description='Set.'>"
		     "B if SliceMask; A if SliceMask == 7;</set>"),
	  "S.B=A1 (Second.)" },
	{ "both",
	  EVENTS(A "<set name='S' description='Set.'>"
		   "A = C1 / 2 if SliceMask &amp;&amp; 1;</set>"),
	  "S.A=C1 / 2 (First.)" },
	{ "a condition of the set",
	  EVENTS(A "<set name='S' if='SkuRevisionId &gt;= 5' "
		   "description='Set.'>A;</set>"
		   "<set name='T' if='SkuRevisionId &lt; 5' "
		   "description='Set.'>A;</set>"),
	  "T.A=A0 (First.)" },
	{ "a pattern",
	  EVENTS(X "<set name='S' description='Set.'>"
		   "X0 = B0; X1 = B1; X10 = B2;</set>"),
	  "S.X0=B0 (Of 0.); S.X10=B2 (Of 10.)" },
	{ "a name of its own before a pattern",
	  EVENTS(X "<counter name='X0' unit='none' expression='C0'>Own."
		   "</counter><set name='S' description='Set.'>X0; "
		   "X11 = B1;</set>"),
	  "S.X0=C0 (Own.); S.X11=B1 (Of 11.)" },
	{ "the same, in the other order",
	  EVENTS("<counter name='X0' unit='none' expression='C0'>Own."
		 "</counter>" X "<set name='S' description='Set.'>X11 = B1; "
		 "X0;</set>"),
	  "S.X11=B1 (Of 11.); S.X0=C0 (Own.)" },
	{ "two patterns of the same form",
	  EVENTS("<counter name='L1_#' unit='none' expression='A0'>One #1."
		 "</counter><counter name='L2_#' unit='none' "
		 "expression='A1'>Two #1.</counter>"
		 "<set name='S' description='Set.'>L1_5; L2_6; L1_7;</set>"),
	  "S.L1_5=A0 (One 5.); S.L2_6=A1 (Two 6.); S.L1_7=A0 (One 7.)" },
	{ "numbers in order",
	  EVENTS("<counter name='B#_X#' unit='none' expression='A0'>Of #2, "
		 "bank #1.</counter>"
		 "<set name='S' description='Set.'>B3_X14;</set>"),
	  "S.B3_X14=A0 (Of 14, bank 3.)" },
	{ "a set with nothing left",
	  EVENTS(A B "<set name='S' description='Set.'>B;</set>"
		     "<set name='T' description='Set.'>A;</set>"),
	  "T.A=A0 (First.)" },
	{ "something left of a set behind what is not",
	  EVENTS(A B "<set name='S' description='Set.'>B; B if SliceMask &amp; "
		     "2; A = B7 ;</set>"),
	  "S.A=B7 (First.)" },
	{ "a set with counters of its own",
	  EVENTS("<set name='S' description='Set.'>" ABSENT "</set>"
		 "<set name='T' description='Set.'>" ABSENT OWN "</set>"
		 "<set name='U' description='Set.'><list of='counter' "
		 "columns='name expression unit type kind'>\n"
		 "C C0 none uint64 cumulative: Own.\n</list></set>"),
	  "T.B=A7 (Own.); U.C=C0 (Own.)" },
};

TEST_CASE(all, NULL, NULL, "i915_metric_set");

TEST_LOOP(all, table_means_what_it_says, ARRAY_SIZE(good))
{
	struct reading readings[2];
	char text[4096];

	for (unsigned later = 0; later < 2; later++) {
		struct reading *reading = &readings[later];

		ck_assert_msg(!read_tables(reading, good[_i].text, NULL, later),
			      "%s: %s", good[_i].name, reading->error.cause);
		write_down(reading, text, sizeof(text));
		ck_assert_msg(!strcmp(text, good[_i].expected), "%s: %s",
			      good[_i].name, text);
	}
	described_alike(&readings[0].description, &readings[1].description);
	ck_assert_uint_eq(readings[0].sets.count, readings[1].sets.count);
	close_reading(&readings[0]);
	close_reading(&readings[1]);
}

#define BASIC                                                                  \
	"<events driver='i915' generation='test' basics='T'>"                  \
	"<counter name='T' unit='ns' expression='TIME'>Time.</counter>" A B

TEST_LOOP(all, basics_come_first, 2)
{
	static const char expected[] =
		"S.T=TIME (Time.); S.A=A0 (First.); U.A=A0 (First.)";
	struct reading reading;
	char text[4096];

	ck_assert_int_eq(
		read_tables(&reading,
			    BASIC "<set name='S' description='Set.'>A;</set>"
				  "<set name='N' description='Set.'>B;</set>"
				  "<set name='U' basics='0' description='Set.'>"
				  "A;</set></events>",
			    NULL, _i),
		0);
	write_down(&reading, text, sizeof(text));
	ck_assert_str_eq(text, expected);
	/* nothing but basics is left of N */
	ck_assert_uint_eq(reading.sets.count, 2);
	close_reading(&reading);
}

TEST_LOOP(all, every_set_tells_the_age, 2)
{
	struct reading reading;
	unsigned ages = 0;

	read_tables(&reading,
		    EVENTS(A "<set name='S' description='Set.'>A;</set>"
			     "<set name='T' description='Set.'>A;</set>"),
		    NULL, _i);
	for (size_t i = 0; i < reading.description.event_count; i++)
		ages += !strcmp(reading.description.events[i].name,
				"ReportAge");
	ck_assert_uint_eq(ages, 2);
	close_reading(&reading);
}

TEST(all, media_sets_have_a_unit_of_their_own)
{
	const struct metric_set *set;
	struct reading reading;

	ck_assert_int_eq(
		read_tables(&reading,
			    EVENTS(A "<set name='S' description='Set.'>A;"
				     "</set><set name='M' engine='video' "
				     "format='14' description='Set.'>A;"
				     "</set>"),
			    NULL, false),
		0);
	set = &reading.sets.sets[0];
	ck_assert_int_eq(set->unit, OA_UNIT_RENDER);
	ck_assert_uint_eq(set->format->number, 12);
	set = &reading.sets.sets[1];
	ck_assert_int_eq(set->unit, OA_UNIT_MEDIA);
	ck_assert_uint_eq(set->format->number, 14);
	ck_assert_uint_eq(reading.description.groups[set->group].domain,
			  reading.sets.domains[OA_UNIT_MEDIA]);
	close_reading(&reading);
}

/* A user's table adds to sets, and brings its own with their registers. */
TEST(all, user_table_adds)
{
	static const char expected[] =
		"S.A=A0 (First.); S.Mine=A5 (Mine.); Own.A=A0 (First.)";
	const struct metric_set *set;
	struct reading reading;
	char text[4096];

	ck_assert_int_eq(
		read_tables(&reading,
			    EVENTS(A "<set name='S' engine='video' format='14' "
				     "description='Set.'>A;</set>"),
			    EVENTS(A "<counter name='Mine' unit='none' "
				     "expression='A5'>Mine.</counter>"
				     "<set name='S'>Mine;</set>"
				     "<set name='Own' description='Set.' "
				     "guid='g'>A;<mux>9888: 1</mux></set>"),
			    false),
		0);
	write_down(&reading, text, sizeof(text));
	ck_assert_str_eq(text, expected);
	set = metric_sets_find(&reading.sets, reading.sets.sets[0].group);
	ck_assert_str_eq(set->name, "S");
	ck_assert_ptr_null(set->registers);
	/* what is added to a set leaves its unit alone */
	ck_assert_uint_eq(set->format->number, 14);
	set = metric_sets_find(&reading.sets, reading.sets.sets[2].group);
	ck_assert_str_eq(set->name, "Own");
	ck_assert_ptr_eq(set->table, reading.tables[1]);
	close_reading(&reading);
}

static const struct {
	const char *name, *text, *complaint;
} bad[] = {
	{ "no such counter",
	  EVENTS(A "\n\n<set name='S' description='Set.'>C;</set>"),
	  "test.xml:3: <set> lists C, which no counter element" },
	{ "no semicolon",
	  EVENTS(A "\n<set name='S' description='Set.'>A; A</set>"),
	  "test.xml:2: <set> has no semicolon behind A" },
	{ "no semicolon at all",
	  EVENTS(A "\n<set name='S' description='Set.'>A</set>"),
	  "test.xml:2: <set> has no semicolon behind A" },
	{ "no expression",
	  EVENTS("<counter name='A' unit='none'>First.</counter>\n"
		 "<set name='S' description='Set.'>A;</set>"),
	  "test.xml:2: <set> has no expression for A" },
	{ "unknown unit",
	  EVENTS("\n<counter name='A' unit='cows'>First.</counter>"),
	  "test.xml:2: <counter> has an unknown unit, type or kind" },
	{ "no unit", EVENTS("<counter name='A'>First.</counter>"),
	  "test.xml:1: <counter> has no attribute unit" },
	{ "no description of a set", EVENTS(A "<set name='S'>A;</set>"),
	  "test.xml:1: <set> has no description" },
	{ "no name", EVENTS(A "<set description='Set.'>A;</set>"),
	  "test.xml:1: <set> has no attribute name" },
	{ "unknown engine",
	  EVENTS(A "<set name='S' engine='steam' description='Set.'>A;</set>"),
	  "test.xml:1: <set> is of an unknown engine, steam" },
	{ "unknown format",
	  EVENTS(A "<set name='S' format='5' description='Set.'>A;</set>"),
	  "test.xml:1: <set> has a format that the GPU has not" },
	{ "unknown constant",
	  EVENTS(A "\n<set name='S' if='Cows' description='Set.'>A;</set>"),
	  "test.xml:2: " },
	{ "a condition that is none",
	  EVENTS(A "\n<set name='S' description='Set.'>A if 1 +;</set>"),
	  "test.xml:2: " },
};

TEST_LOOP(all, mistake_is_pointed_out, ARRAY_SIZE(bad))
{
	const char *complaint = bad[_i].complaint;
	struct reading reading;

	for (unsigned later = 0; later < 2; later++) {
		ck_assert_msg(read_tables(&reading, bad[_i].text, NULL,
					  later) == -EBADMSG,
			      "%s", bad[_i].name);
		ck_assert_msg(!strncmp(reading.error.cause, complaint,
				       strlen(complaint)),
			      "%s: %s", bad[_i].name, reading.error.cause);
		close_reading(&reading);
	}
}
