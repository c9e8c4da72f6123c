/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every table in events/amdgpu is as events/README.md says, and the checks of
 * that can fail: each finds its fault in a copy that was broken on purpose.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/rows.h"
#include "tests/support/check.h"
#include "tests/events/lint.h"
#include "tests/support/suite.h"

/* Generations that GPUs exist of; a table that got lost is a failure. */
static const char *const generations[] = {
	"gfx7",	  "gfx8",    "gfx9",	"gfx906", "gfx908",  "gfx90a", "gfx940",
	"gfx950", "gfx10.1", "gfx10.3", "gfx11",  "gfx11.5", "gfx12",
};

static const char *
events_folder(void)
{
	static char path[4096];
	const char *top = getenv("TOP_DIR");

	snprintf(path, sizeof(path), "%s/events/amdgpu", top ? top : ".");
	return path;
}

static struct table *
read_named(const char *name)
{
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;
	char path[4200];

	snprintf(path, sizeof(path), "%s/%s.xml", events_folder(), name);
	ck_assert_msg(!table_read(path, &table, &error) &&
			      !table_expand(table, &error),
		      "%s: %s", path, error.cause);
	return table;
}

TEST_CASE(tables, NULL, NULL, "events");

TEST_LOOP(tables, tables_of_generations_have_no_faults, ARRAY_SIZE(generations))
{
	struct table *table = read_named(generations[_i]);
	static struct lint lint;

	lint_generation(&lint, table);
	ck_assert_msg(!lint.complaints, "%u complaints:\n%s", lint.complaints,
		      lint.text);
	table_destroy(table);
}

TEST(tables, the_table_of_chips_has_no_faults)
{
	struct table *table = read_named("chips");
	static struct lint lint;

	lint_chips(&lint, table);
	ck_assert_msg(!lint.complaints, "%u complaints:\n%s", lint.complaints,
		      lint.text);
	table_destroy(table);
}

/* A table that no chip leads to is dead; so is one the list above has not. */
TEST(tables, tables_are_used)
{
	struct table *table = read_named("chips");
	struct dirent *entry;
	DIR *dir = opendir(events_folder());
	unsigned files = 0;

	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir)))
		files += strstr(entry->d_name, ".xml") != NULL;
	closedir(dir);
	/* chips, metric groups, verdicts, products and gpu_metrics */
	ck_assert_uint_eq(files, ARRAY_SIZE(generations) + 5);
	for (size_t i = 0; i < ARRAY_SIZE(generations); i++) {
		const struct element *chip;

		for (chip = element_named(table->root->child, "chip"); chip;
		     chip = element_named(chip->next, "chip"))
			if (!strcmp(element_attribute(chip, "generation"),
				    generations[i]))
				break;
		ck_assert_msg(chip, "no chip has %s", generations[i]);
	}
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* The checks can fail                                                  */

static const char good_table[] =
	"<events driver=\"amdgpu\" generation=\"gfx0\" level=\"9\" "
	"version=\"1\">\n"
	"<register name=\"GRBM_GFX_INDEX\" offset=\"0x30800\"/>\n"
	"<register name=\"CP_PERFMON_CNTL\" offset=\"0x36020\" "
	"value=\"0x402\"/>\n"
	"<commands samples=\"compute\" graphics=\"gfx\" stop=\"1\"/>"
	"<block name=\"SQ\" style=\"sq\" scope=\"se\" instances=\"1\" "
	"bits=\"64\" window=\"uconfig\" event-count=\"300\">\n"
	"<description>Sequencer of waves.</description>\n"
	"<slot select=\"0x36700\" select1=\"0x36740\" lo=\"0x34700\" "
	"hi=\"0x34704\" id-bits=\"9\"/>\n"
	"<slot select=\"0x36704\" lo=\"0x34708\" hi=\"0x3470c\" "
	"id-bits=\"8\"/>\n"
	"<event id=\"1\" name=\"ACCUM\" unit=\"entry-cycles\" "
	"follows=\"1\">Sums.</event>\n"
	"<event id=\"4\" name=\"WAVES\" unit=\"waves\">Waves begun.</event>\n"
	"<event id=\"299\" name=\"SQC\" unit=\"events\" slots=\"0x1\" "
	"alias=\"SQC_X\">Cache "
	"accesses.</event>\n"
	"</block>\n"
	"<block name=\"EA\" style=\"cfg\" scope=\"global\" "
	"instances=\"memory-interfaces\" bits=\"48\" window=\"copy\" "
	"result-control=\"0xabec\" event-count=\"77\">\n"
	"<description>Memory interface.</description>\n"
	"<slot select=\"0xabe4\" lo=\"0xabdc\" hi=\"0xabe0\" id-bits=\"8\"/>\n"
	"<slot select=\"0xabe8\" lo=\"0xabdc\" hi=\"0xabe0\" id-bits=\"8\"/>\n"
	"<event id=\"55\" name=\"REQUESTS\" unit=\"requests\" "
	"alias=\"EA_Y\">All that left.</event>\n"
	"</block>\n"
	"<hidden event=\"SQ.SQC\" reason=\"it counts nothing\"/>\n"
	"<core_clock block=\"SQ\" event=\"WAVES\"/>\n"
	"<metric name=\"Both\" unit=\"events\" type=\"uint64\" "
	"kind=\"cumulative\" expression=\"SQ.WAVES+EA.REQUESTS\">A sum."
	"</metric>\n"
	"<metric name=\"Share\" unit=\"percent\" type=\"double\" "
	"kind=\"average\" expression=\"100*accumulate(SQ.WAVES)/Both/CU_NUM\">"
	"A share.</metric>\n"
	"</events>\n";

static const char good_chips[] =
	"<chips driver=\"amdgpu\">\n"
	"<chip name=\"One\" family=\"141\" revisions=\"0x01-0x13\" "
	"ip=\"9.4.3 9.4.4\" generation=\"gfx0\" target=\"gfx01\" "
	"cu-per-sa=\"16\"/>\n"
	"<chip name=\"Two\" family=\"141\" revisions=\"0x14-0x27\" "
	"generation=\"gfx0\" target=\"gfx02\" gfxoff=\"1\"/>\n"
	"</chips>\n";

/* What to break, by its first occurrence, and what the lint has to say. */
struct fault {
	const char *find, *replace, *complaint;
};

static const struct fault table_faults[] = {
	{ "driver=\"amdgpu\"", "driver=\"i915\"", "driver is not amdgpu" },
	{ "<events", "<tables", "is not <events>" },
	{ "gfx0", "gfx1", "generation is not that of the file" },
	{ "version=\"1\"", "version=\"2\"", "version" },
	{ "version=\"1\"", "", "version is missing" },
	{ "level=\"9\"", "level=\"0\"", "level is 0" },
	{ "level=\"9\"", "level=\"9\" size=\"1\"", "unknown attribute size" },
	{ "<core_clock", "<witnes", "unknown element" },
	/* registers */
	{ "name=\"GRBM_GFX_INDEX\"", "name=\"INDEX\"",
	  "register GRBM_GFX_INDEX is missing" },
	{ "\"0x30800\"", "\"0x9100\"", "offset is outside its window" },
	{ "\"0x36020\"", "\"0x36021\"", "offset is not a register" },
	{ "\"0x36020\"", "\"0x136020\"", "offset is not a register" },
	{ "CP_PERFMON_CNTL", "GRBM_GFX_INDEX", "is that of line 2" },
	{ "value=\"0x402\"", "value=\"many\"", "value" },
	{ "value=\"0x402\"", "valve=\"0x402\"", "unknown attribute valve" },
	/* commands */
	{ "samples=\"compute\"", "samples=\"dma\"", "samples is \"dma\"" },
	{ "stop=\"1\"", "stop=\"2\"", "stop" },
	{ "stop=\"1\"", "", "stop is missing" },
	{ "stop=\"1\"", "stop=\"1\" source=\"2\"", "source is neither" },
	{ "stop=\"1\"", "stop=\"1\" stale=\"0x9000\"",
	  "stale is outside its window" },
	{ "graphics=\"gfx\"", "", "graphics is missing" },
	/* blocks */
	{ "<block name=\"SQ\"", "<block name=\"S|Q\"", "no legal name" },
	{ "<block name=\"EA\"", "<block name=\"sq\"", "is that of line 4" },
	{ "<block name=\"EA\"", "<block name=\"SQ\" targets=\"gfx01\"",
	  "is that of line 4" },
	{ "<block name=\"SQ\"", "<block name=\"EA\" target=\"gfx01\"",
	  "unknown attribute target" },
	{ "style=\"sq\"", "style=\"pile\"", "style is \"pile\"" },
	{ "scope=\"se\"", "scope=\"cu\"", "scope is \"cu\"" },
	{ "instances=\"1\"", "instances=\"0\"", "instances is 0" },
	{ "memory-interfaces", "cows", "instances is \"cows\"" },
	{ "bits=\"64\"", "bits=\"63\"", "bits is not 64, 48 or 32" },
	{ "bits=\"64\"", "bits=\"32\"", "hi has no place" },
	{ "window=\"uconfig\"", "window=\"copy\"",
	  "select is outside its window" },
	{ "window=\"copy\"", "window=\"uconfig\"", "outside its window" },
	{ "event-count=\"300\"", "", "event-count is missing" },
	{ "event-count=\"300\"", "event-count=\"299\"",
	  "id is not below event-count" },
	{ "event-count=\"300\"", "event-count=\"300\" unit=\"sheep\"",
	  "\"sheep\" is no unit" },
	{ "Sequencer of waves.", "", "no description" },
	{ "result-control=\"0xabec\"", "", "needs result-control" },
	{ "result-control=\"0xabec\"", "result-control=\"0x36000\"",
	  "result-control is outside" },
	/* slots */
	{ "lo=\"0x34708\"", "lo=\"0x9000\"", "lo is outside its window" },
	{ "hi=\"0x3470c\"", "", "hi is missing" },
	{ "hi=\"0x3470c\"", "hi=\"0x3470e\"", "hi is not a register" },
	{ "select=\"0x36704\"", "select=\"0x36700\"", "select is select of" },
	{ "select=\"0x36704\"", "select=\"0x36740\"", "select is select1 of" },
	{ "lo=\"0x34708\"", "lo=\"0x34704\"", "lo is hi of line 6" },
	{ "select=\"0xabe8\"", "select=\"0xabe4\"", "select is select of" },
	{ "id-bits=\"9\"", "id-bits=\"0\"", "id-bits is 0" },
	{ "id-bits=\"9\"", "id-bits=\"11\"", "id-bits" },
	{ "id-bits=\"8\"", "id-bits=\"8\" part=\"2\"", "parts are not of" },
	{ "id-bits=\"9\"", "id-bits=\"9\" part=\"1\"", "parts are not of" },
	/* events */
	{ "id-bits=\"9\"", "id-bits=\"8\"", "id fits no slot" },
	{ "slots=\"0x1\"", "slots=\"0x3\"", "slots that cannot hold" },
	{ "slots=\"0x1\"", "slots=\"0\"", "slots that cannot hold" },
	{ "id=\"4\"", "id=\"1\"", "id is that of line 8" },
	{ "id=\"4\"", "", "id is missing" },
	{ "name=\"WAVES\"", "name=\"accum\"", "is that of line 8" },
	{ "name=\"WAVES\"", "name=\"WA,VES\"", "no legal name" },
	{ "unit=\"waves\"", "unit=\"wave\"", "\"wave\" is no unit" },
	{ "unit=\"waves\"", "unit=\"none\"", "it has no unit" },
	{ "unit=\"waves\"", "", "it has no unit" },
	{ "Waves begun.", "", "no description" },
	{ "Waves begun.", "Waves.", "the description is the name" },
	{ "Waves begun.", "waves begun.", "is no sentence" },
	{ "Waves begun.", "Sums.", "the description is that of line 8" },
	{ "follows=\"1\"", "follows=\"yes\"", "follows is not 1" },
	{ "alias=\"SQC_X\"", "alias=\"EA_y\"", "alias is that of line" },
	{ "alias=\"SQC_X\"", "alias=\"X Y\"", "no legal name" },
	{ "alias=\"SQC_X\"", "slot=\"1\"", "unknown attribute slot" },
	/* clocks */
	{ "event-count=\"77\"", "event-count=\"77\" clock=\"7\"",
	  "clock is no event" },
	{ "event-count=\"77\"", "event-count=\"77\" clock=\"55\"",
	  "style is \"cfg\"" },
	{ "event-count=\"77\"", "event-count=\"77\" clock=\"55\"",
	  "clock cannot be tested" },
	{ "event-count=\"77\"", "event-count=\"77\" clock-source=\"me\"",
	  "clock is missing" },
	/* events of the core clock */
	{ "event=\"WAVES\"", "event=\"WAVE\"", "there is no event SQ.WAVE" },
	{ "<core_clock block=\"SQ\" event=\"WAVES\"/>", "", "no core_clock" },
	/* hidden events */
	{ "event=\"SQ.SQC\"", "event=\"SQ.SQX\"", "there is no event SQ.SQX" },
	{ "event=\"SQ.SQC\"", "event=\"SQ.WAVES\"",
	  "SQ.WAVES, which it uses, is hidden" },
	{ "reason=\"it", "cause=\"it", "reason is missing" },
	/* metrics */
	{ "name=\"Both\"", "name=\"Share\"", "is that of line" },
	{ "name=\"Both\"", "name=\"Bo th\"", "no legal name" },
	{ "unit=\"percent\"", "unit=\"%\"", "\"%\" is no unit" },
	{ "unit=\"percent\"", "", "it has no unit" },
	{ "type=\"double\"", "type=\"float\"", "type is none" },
	{ "kind=\"average\"", "kind=\"mean\"", "kind is none" },
	{ "A share.", "Share.", "the description is the name" },
	{ "EA.REQUESTS\"", "EA.REQUEST\"", "EA.REQUEST" },
	{ "EA.REQUESTS\"", "\"", "expression" },
	{ "EA.REQUESTS\"", "Share\"", "it uses its own value" },
	{ "/CU_NUM", "/CU_NUMBER", "CU_NUMBER" },
	{ "/CU_NUM", "/SQ.SQC", "needs 3 of 2 counters" },
	{ "accumulate(SQ.WAVES)", "accumulate(EA.REQUESTS)",
	  "a counter with one beside it" },
};

static const struct fault chips_faults[] = {
	{ "driver=\"amdgpu\"", "", "driver is missing" },
	{ "name=\"Two\"", "name=\"One\"", "is that of line 2" },
	{ "name=\"Two\"", "", "name is missing" },
	{ "family=\"141\"", "", "family is missing" },
	{ "0x14-0x27", "0x13-0x27", "revisions of line 2" },
	{ "0x14-0x27", "0x27-0x14", "no range of revisions" },
	{ "0x14-0x27", "0x14-0x127", "no range of revisions" },
	{ "0x14-0x27", "0x14", "no range of revisions" },
	{ "9.4.3 9.4.4", "9.4.3,9.4.4", "no IP version" },
	{ "generation=\"gfx0\"", "", "generation is missing" },
	{ "target=\"gfx01\"", "", "target is missing" },
	{ "cu-per-sa=\"16\"", "cu-per-sa=\"0\"", "cu-per-sa is 0" },
	{ "cu-per-sa=\"16\"", "cus=\"16\"", "unknown attribute cus" },
};

static char broken[sizeof(good_table) + 200];

static void
break_copy(const char *good, const struct fault *fault)
{
	const char *at = strstr(good, fault->find);

	ck_assert_msg(at, "%s is not in the table", fault->find);
	snprintf(broken, sizeof(broken), "%.*s%s%s", (int)(at - good), good,
		 fault->replace, at + strlen(fault->find));
	/* an element is renamed at both ends */
	at = strstr(broken, "</events>");
	if (at && !strcmp(fault->find, "<events"))
		memcpy(broken + (at - broken), "</tables>", 9);
}

static unsigned
lint_text(struct lint *lint, const char *path, const char *text,
	  void (*check)(struct lint *, const struct table *))
{
	struct drmperf_error error = { .cause = "" };
	struct table *table;

	ck_assert_msg(!table_parse(path, text, strlen(text), &table, &error) &&
			      !table_expand(table, &error),
		      "%s", error.cause);
	check(lint, table);
	table_destroy(table);
	return lint->complaints;
}

static void
check_fault(const char *path, const char *good, const struct fault *fault,
	    void (*check)(struct lint *, const struct table *))
{
	static struct lint lint;

	break_copy(good, fault);
	ck_assert_msg(lint_text(&lint, path, broken, check),
		      "%s instead of %s passes", fault->replace, fault->find);
	ck_assert_msg(strstr(lint.text, fault->complaint),
		      "%s instead of %s: wanted \"%s\", got\n%s",
		      fault->replace, fault->find, fault->complaint, lint.text);
}

TEST_CASE(faults, NULL, NULL, "events");

TEST(faults, good_copies_pass)
{
	static struct lint lint;

	ck_assert_msg(
		!lint_text(&lint, "gfx0.xml", good_table, lint_generation),
		"%s", lint.text);
	ck_assert_msg(!lint_text(&lint, "chips.xml", good_chips, lint_chips),
		      "%s", lint.text);
}

TEST_LOOP(faults, a_fault_in_a_table_is_found, ARRAY_SIZE(table_faults))
{
	check_fault("gfx0.xml", good_table, &table_faults[_i], lint_generation);
}

TEST_LOOP(faults, a_fault_in_the_table_of_chips_is_found,
	  ARRAY_SIZE(chips_faults))
{
	check_fault("chips.xml", good_chips, &chips_faults[_i], lint_chips);
}
