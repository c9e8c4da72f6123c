/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/rows.h"
#include "tests/suite.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static char folder[] = "/tmp/drmperf-table-XXXXXX";
static char error_text[600];

static const char good[] = "<?xml version=\"1.0\"?>\n"
			   "<!-- where it comes from -->\n"
			   "<events driver=\"amdgpu\" generation=\"gfx9\">\n"
			   "  <block name=\"SQ\" limit=\"0x1F\" none=\"\">\n"
			   "    A  block\n"
			   "    <event id=\"4\" name=\"WAVES\">Waves\n"
			   "      started &amp; &lt;run&gt;. </event>\n"
			   "    of events.\n"
			   "    <event id=\"5\"/>\n"
			   "  </block>\n"
			   "  <metric/>\n"
			   "</events>\n";

static int
parse(const char *text, struct table **out)
{
	struct drmperf_error error = { .cause = "" };
	int err = table_parse("t.xml", text, strlen(text), out, &error);

	strcpy(error_text, error.cause);
	return err;
}

/* The same, and make elements of lists. */
static int
parse_lists(const char *text, struct table **out)
{
	struct drmperf_error error = { .cause = "" };
	int err = parse(text, out);

	if (err)
		return err;
	err = table_expand(*out, &error);
	if (err) {
		table_destroy(*out);
		*out = NULL;
		strcpy(error_text, error.cause);
	}
	return err;
}

START_TEST(tree)
{
	struct table *table;
	struct element *block, *event, *metric;

	ck_assert_int_eq(parse(good, &table), 0);
	ck_assert_str_eq(table->path, "t.xml");
	ck_assert_str_eq(table->root->name, "events");
	ck_assert_int_eq(table->root->line, 3);
	ck_assert_uint_eq(table->root->attribute_count, 2);
	ck_assert_str_eq(element_attribute(table->root, "driver"), "amdgpu");
	ck_assert_str_eq(table->root->text, "");
	ck_assert_ptr_null(table->root->next);

	block = element_named(table->root->child, "block");
	ck_assert_int_eq(block->line, 4);
	ck_assert_str_eq(block->text, "A block of events.");
	ck_assert_str_eq(element_attribute(block, "none"), "");
	ck_assert_ptr_null(element_attribute(block, "nothing"));

	event = element_named(block->child, "event");
	ck_assert_str_eq(event->text, "Waves started & <run>.");
	ck_assert_str_eq(element_attribute(event, "name"), "WAVES");
	event = element_named(event->next, "event");
	ck_assert_str_eq(element_attribute(event, "id"), "5");
	ck_assert_int_eq(event->line, 9);
	ck_assert_ptr_null(element_named(event->next, "event"));

	metric = element_named(table->root->child, "metric");
	ck_assert_ptr_eq(block->next, metric);
	ck_assert_ptr_null(metric->child);
	ck_assert_uint_eq(metric->attribute_count, 0);
	ck_assert_ptr_null(element_named(NULL, "metric"));
	table_destroy(table);
	table_destroy(NULL);
}
END_TEST

/* Long enough to be kept from expat, where that is allowed. */
#define LONG                                                                   \
	"A text of so many characters, all of them plain, that expat is "      \
	"spared it."

static const struct {
	const char *xml;
	const char *text; /* of the root */
	const char *child; /* of its first child */
} texts[] = {
	{ "<a/>", "", NULL },
	{ "<a>x</a>", "x", NULL },
	{ "<a> \n\t x \r\n y\t</a>", "x y", NULL },
	{ "<a>x<b> y </b>z</a>", "xz", "y" },
	{ "<a>x <b>y</b> z</a>", "x z", "y" },
	{ "<a>1<![CDATA[<2>]]>&#51;</a>", "1<2>3", NULL },
	{ "<a><b/>\xc3\xa4</a>", "\xc3\xa4", "" },
	{ "<a>" LONG "</a>", LONG, NULL },
	{ "<a>\nx\n\n\t" LONG "\n" LONG "\n</a>", "x " LONG " " LONG, NULL },
	{ "<a>" LONG "\xc3\xa4</a>", LONG "\xc3\xa4", NULL },
	{ "<a>" LONG "&lt;" LONG "</a>", LONG "<" LONG, NULL },
	{ "<a>" LONG " > " LONG "</a>", LONG " > " LONG, NULL },
	{ "<a><b>" LONG "</b>" LONG "</a>", LONG, LONG },
	{ "<a><b/>" LONG "</a>", LONG, "" },
	{ "<a><b c='>'>" LONG "</b></a>", "", LONG },
	{ "<a c='>" LONG "'><b>x</b></a>", "", "x" },
	{ "<a><!-- <b>" LONG "</b> --><b>1" LONG "</b></a>", "", "1" LONG },
	{ "<a><?b <b>" LONG "</b> ?><b>1" LONG "</b></a>", "", "1" LONG },
	{ "<a><![CDATA[<b>" LONG "</b>]]><b>1" LONG "</b></a>",
	  "<b>" LONG "</b>", "1" LONG },
};

START_TEST(text_of_elements)
{
	struct table *table;

	ck_assert_int_eq(parse(texts[_i].xml, &table), 0);
	ck_assert_str_eq(table->root->text, texts[_i].text);
	if (texts[_i].child)
		ck_assert_str_eq(table->root->child->text, texts[_i].child);
	table_destroy(table);
}
END_TEST

/* 32 levels are allowed, and the test of malformed files has 33. */
START_TEST(nesting)
{
	char text[32 * 7 + 1] = "";
	struct table *table;
	int i;

	for (i = 0; i < 32; i++)
		strcat(text, "<a>");
	for (i = 0; i < 32; i++)
		strcat(text, "</a>");
	ck_assert_int_eq(parse(text, &table), 0);
	table_destroy(table);
}
END_TEST

/* Elements written as lines stand among others, each in its own line. */
START_TEST(lists)
{
	static const char text[] =
		"<a>\n"
		"<event id='1'/>\n"
		"<list of='event' columns='id  name unit '\n"
		">\n"
		"\n"
		"  4 WAVES waves: Waves:  a<!-- x --> b\n"
		"<!-- two\n"
		"lines --> 5\tITEMS slots=0x3\talias=A\t:\t\xc3\xa4. \r\n"
		"6::\n"
		"\"7 a\" name=\"= b:\" unit=\"\": &lt;&amp;&gt; x \"y\" &amp;\n"
		"<![CDATA[8: <x>]]> &#60;&quot;\n"
		"</list><event id='7'/>\n"
		"<list of='x' columns=''>y=:last</list>\n"
		"<list of='x' columns='y'/>\n"
		"<list of='x' columns='y'><!-- --> <!-- none --></list>\n"
		"<b/></a>\n";
	static const struct {
		const char *name, *text, *names[3], *values[3];
		int line;
	} wanted[] = {
		{ "event", "", { "id" }, { "1" }, 2 },
		{ "event",
		  "Waves:  a b",
		  { "id", "name", "unit" },
		  { "4", "WAVES", "waves" },
		  6 },
		{ "event",
		  "\xc3\xa4.",
		  { "id", "name", "slots" },
		  { "5", "ITEMS", "0x3" },
		  8 },
		{ "event", ":", { "id" }, { "6" }, 9 },
		{ "event",
		  "<&> x \"y\" &",
		  { "id", "name", "unit" },
		  { "7 a", "= b:", "" },
		  10 },
		{ "event", "<x> <\"", { "id" }, { "8" }, 11 },
		{ "event", "", { "id" }, { "7" }, 12 },
		{ "x", "last", { "y" }, { "" }, 13 },
		{ "b", "", { NULL }, { NULL }, 16 },
	};
	const struct element *element;
	struct table *table;

	ck_assert_msg(!parse_lists(text, &table), "%s", error_text);
	ck_assert_str_eq(table->root->text, "");
	element = table->root->child;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		ck_assert_ptr_nonnull(element);
		ck_assert_str_eq(element->name, wanted[i].name);
		ck_assert_str_eq(element->text, wanted[i].text);
		ck_assert_int_eq(element->line, wanted[i].line);
		for (size_t k = 0; k < 3 && wanted[i].names[k]; k++)
			ck_assert_str_eq(
				element_attribute(element, wanted[i].names[k]),
				wanted[i].values[k]);
		ck_assert(!element->attribute_count == !wanted[i].names[0]);
		element = element->next;
	}
	ck_assert_ptr_null(element);
	table_destroy(table);
}
END_TEST

/* A list longer than what expat is given at a time. */
START_TEST(long_list)
{
	enum {
		LINES = 5000
	};
	const struct element *element;
	struct table *table;
	char *text = malloc(LINES * 24 + 100), *at, id[16];

	at = stpcpy(text, "<a><list of='event' columns='id name'>\n");
	for (unsigned i = 0; i < LINES; i++)
		at += sprintf(at, "%u N%u: Text %u.\n", i, i, i);
	strcpy(at, "</list></a>");
	ck_assert_int_eq(parse_lists(text, &table), 0);
	free(text);
	element = table->root->child;
	for (unsigned i = 0; i < LINES; i++, element = element->next) {
		snprintf(id, sizeof(id), "%u", i);
		ck_assert_str_eq(element_attribute(element, "id"), id);
		ck_assert_str_eq(element->text + strlen("Text "),
				 strcat(id, "."));
		ck_assert_int_eq(element->line, (int)i + 2);
	}
	ck_assert_ptr_null(element);
	table_destroy(table);
}
END_TEST

/*
 * Those of one name in their order, and nothing else is read: the faults in
 * other lists are nobody's business until somebody asks for these.
 */
START_TEST(rows)
{
	static const char text[] = "<a>\n"
				   "<b id='1'>x</b>\n"
				   "<list of='c' columns=''>\n"
				   "a fault\n"
				   "</list>\n"
				   "<list of='b' columns='id'>\n"
				   "2: y\n"
				   "3: z\n"
				   "</list>\n"
				   "<c/><b id='4'/>\n"
				   "</a>\n";
	static const struct {
		const char *id, *text;
		int line;
	} wanted[] = { { "1", "x", 2 },
		       { "2", "y", 7 },
		       { "3", "z", 8 },
		       { "4", "", 10 } };
	struct drmperf_error error = { .cause = "" };
	const struct element *row;
	struct table *table;
	struct rows rows;

	ck_assert_int_eq(parse(text, &table), 0);
	/* a table can be read again */
	for (size_t i = 0; i < 2 * ARRAY_SIZE(wanted); i++) {
		size_t k = i % ARRAY_SIZE(wanted);

		if (!k)
			rows_begin(&rows, table, table->root->child, "b",
				   table->arena);
		ck_assert_int_eq(rows_next(&rows, &row, &error), 1);
		ck_assert_str_eq(row->name, "b");
		ck_assert_str_eq(row->text, wanted[k].text);
		ck_assert_str_eq(element_attribute(row, "id"), wanted[k].id);
		ck_assert_int_eq(row->line, wanted[k].line);
	}
	ck_assert_int_eq(rows_next(&rows, &row, &error), 0);
	rows_begin(&rows, table, table->root->child, "c", table->arena);
	ck_assert_int_eq(rows_next(&rows, &row, &error), -EBADMSG);
	ck_assert_str_eq(error.cause, "t.xml:4: a line of a list has more "
				      "words than columns");
	rows_begin(&rows, table, NULL, "b", table->arena);
	ck_assert_int_eq(rows_next(&rows, &row, &error), 0);
	table_destroy(table);
}
END_TEST

/* Words longer than the pieces that they are kept in. */
START_TEST(long_words)
{
	enum {
		LENGTH = 10000
	};
	const char *begin = "<a><list of='b' columns='c d'>x ";
	char *text = malloc(LENGTH + 100), *at;
	struct table *table;

	at = stpcpy(text, begin);
	memset(at, 'y', LENGTH);
	strcpy(at + LENGTH, "\n:z</list></a>");
	ck_assert_int_eq(parse_lists(text, &table), -EBADMSG);
	strcpy(at + LENGTH, ":z\nx y: z</list></a>");
	ck_assert_int_eq(parse_lists(text, &table), 0);
	free(text);
	ck_assert_uint_eq(strlen(element_attribute(table->root->child, "d")),
			  LENGTH);
	ck_assert_str_eq(element_attribute(table->root->child, "c"), "x");
	ck_assert_str_eq(table->root->child->text, "z");
	table_destroy(table);
}
END_TEST

/* ------------------------------------------------------------------ */

static const struct {
	int line;
	const char *text;
	const char *cause;
} malformed[] = {
#define LIST "<a>\n<list of='b' columns='c d'>\n"
	{ __LINE__, LIST "1: x.\n2 3\n</list></a>",
	  "t.xml:4: a line of a list lacks its colon" },
	{ __LINE__, LIST "1: x.\n\n2</list></a>",
	  "t.xml:5: a line of a list lacks its colon" },
	{ __LINE__, LIST "1=2=3: x.</list></a>",
	  "t.xml:3: a line of a list lacks its colon" },
	{ __LINE__, LIST ": x.</list></a>",
	  "t.xml:3: a line of a list lacks its colon" },
	{ __LINE__, LIST "1 2 3: x.\n</list></a>",
	  "t.xml:3: a line of a list has more words than columns" },
	{ __LINE__,
	  LIST "a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 "
	       "n=1 o=1 p=1 q=1: x.\n</list></a>",
	  "t.xml:3: too many words in a line of a list" },
	{ __LINE__,
	  LIST "1: " LONG "\n<!-- x -->2: &lt; &" LONG "\n</list></a>",
	  "t.xml:4: not well-formed (invalid token)" },
	{ __LINE__, LIST "1: " LONG "\n<!-- x\n -->2: " LONG "\n3</list></a>",
	  "t.xml:6: a line of a list lacks its colon" },
	{ __LINE__, LIST "1 \"x: y.\n2: \"\n</list></a>",
	  "t.xml:3: a quotation mark is not closed" },
	{ __LINE__, LIST "1 d=\"x: y.\n</list></a>",
	  "t.xml:3: a quotation mark is not closed" },
	{ __LINE__, LIST "\"1\"x: y.\n</list></a>",
	  "t.xml:3: a line of a list lacks its colon" },
	{ __LINE__, LIST "1: x.\n<b/></list></a>",
	  "t.xml:4: a list has lines, no elements" },
	{ __LINE__, LIST "1: x.\n</a>", "t.xml:4: mismatched tag" },
	{ __LINE__, LIST "1: x.\n\n</list>\n</b>", "t.xml:6: mismatched tag" },
	{ __LINE__, LIST "1: " LONG "\n\n</list>\n</b>",
	  "t.xml:6: mismatched tag" },
	{ __LINE__, "<a>\n<b>\n" LONG "\n</b></c>", "t.xml:4: mismatched tag" },
	{ __LINE__, "<a>\n<b>\n" LONG "</a>", "t.xml:3: mismatched tag" },
	{ __LINE__, "<a>\n" LONG "\x01</a>",
	  "t.xml:2: not well-formed (invalid token)" },
	{ __LINE__, LIST "1: " LONG "\xff</list></a>",
	  "t.xml:3: not well-formed (invalid token)" },
	{ __LINE__, "<a>" LONG "]]></a>",
	  "t.xml:1: not well-formed (invalid token)" },
	{ __LINE__, "<a/>\n" LONG "<a/>",
	  "t.xml:2: junk after document element" },
	{ __LINE__, "<a><list of='b'>\n</list></a>",
	  "t.xml:1: a list needs the attributes of and columns" },
	{ __LINE__, "<a><list columns='b'>\n</list></a>",
	  "t.xml:1: a list needs the attributes of and columns" },
	{ __LINE__, "<a><list of='b' columns='a b c d e f g h i'/></a>",
	  "t.xml:1: a list has no more than 8 columns" },
#undef LIST

	{ __LINE__, "", "t.xml:1: no element found" },
	{ __LINE__, "<a>\n<b>\n</a>", "t.xml:3: mismatched tag" },
	{ __LINE__, "<a>\n\n", "t.xml:3: no element found" },
	{ __LINE__, "<a x=1/>", "t.xml:1: not well-formed (invalid token)" },
	{ __LINE__, "<a x='1' x='2'/>", "t.xml:1: duplicate attribute" },
	{ __LINE__, "<a/><b/>", "t.xml:1: junk after document element" },
	{ __LINE__, "<a>&nothing;</a>", "t.xml:1: undefined entity" },
	{ __LINE__, "<a>\xff</a>", "t.xml:1: not well-formed (invalid token)" },
	{ __LINE__, "<!DOCTYPE a [<!ENTITY b 'b'>]>\n<a>&b;</a>",
	  "t.xml:1: a document type declaration is not allowed" },
	{ __LINE__,
	  "<a><a><a><a><a><a><a><a><a><a><a>\n<a><a><a><a><a><a><a><a><a><a>"
	  "<a>\n<a><a><a><a><a><a><a><a><a><a><a>",
	  "t.xml:3: elements are nested too deeply" },
};

START_TEST(malformed_files)
{
	struct table *table = NULL;
	int err = parse_lists(malformed[_i].text, &table);

	ck_assert_msg(err == -EBADMSG &&
			      !strcmp(error_text, malformed[_i].cause),
		      "line %d: %d, %s", malformed[_i].line, err, error_text);
	ck_assert_ptr_null(table);
}
END_TEST

/* ------------------------------------------------------------------ */

static const struct {
	int line;
	const char *value;
	uint64_t max;
	int err;
	uint64_t number;
	const char *cause;
} numbers[] = {
	{ __LINE__, "0", 10, 0, 0, NULL },
	{ __LINE__, "10", 10, 0, 10, NULL },
	{ __LINE__, "0x1f", 100, 0, 31, NULL },
	{ __LINE__, "0XAB", 1000, 0, 0xab, NULL },
	{ __LINE__, "18446744073709551615", UINT64_MAX, 0, UINT64_MAX, NULL },
	{ __LINE__, "0xffffffffffffffff", UINT64_MAX, 0, UINT64_MAX, NULL },
	{ __LINE__, "010", 100, 0, 10, NULL },
	{ __LINE__, "11", 10, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"11\" is larger than 10" },
	{ __LINE__, "18446744073709551616", UINT64_MAX, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"18446744073709551616\" is not a number" },
	{ __LINE__, "0x10000000000000000", UINT64_MAX, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"0x10000000000000000\" is not a number" },
	{ __LINE__, "", 10, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"\" is not a number" },
	{ __LINE__, "0x", 10, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"0x\" is not a number" },
	{ __LINE__, " 1", 10, -EBADMSG, 0,
	  "t.xml:2: <b> n=\" 1\" is not a number" },
	{ __LINE__, "-1", 10, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"-1\" is not a number" },
	{ __LINE__, "1f", 100, -EBADMSG, 0,
	  "t.xml:2: <b> n=\"1f\" is not a number" },
	{ __LINE__, NULL, 10, -EBADMSG, 0, "t.xml:2: <b> has no attribute n" },
};

START_TEST(attributes)
{
	struct drmperf_error error = { .cause = "" };
	struct table *table;
	struct element *element;
	char text[200];
	uint64_t number = 77;
	int err;

	snprintf(text, sizeof(text), "<a>\n<b %s%s%s/></a>",
		 numbers[_i].value ? "n='" : "",
		 numbers[_i].value ? numbers[_i].value : "",
		 numbers[_i].value ? "'" : "");
	ck_assert_int_eq(parse(text, &table), 0);
	element = table->root->child;
	err = element_uint(table, element, "n", numbers[_i].max, &number,
			   &error);
	ck_assert_msg(err == numbers[_i].err, "line %d: %d", numbers[_i].line,
		      err);
	ck_assert_uint_eq(number, err ? 77 : numbers[_i].number);
	if (err) {
		ck_assert_str_eq(error.cause, numbers[_i].cause);
		ck_assert_int_eq(error.code, err);
	}

	err = element_uint_or(table, element, "n", numbers[_i].max, 5, &number,
			      NULL);
	ck_assert_int_eq(err, numbers[_i].value ? numbers[_i].err : 0);
	if (!err)
		ck_assert_uint_eq(number,
				  numbers[_i].value ? numbers[_i].number : 5);
	table_destroy(table);
}
END_TEST

START_TEST(text_attributes)
{
	struct drmperf_error error;
	const char *text = "before";
	struct table *table;

	ck_assert_int_eq(parse("<a name='x'/>", &table), 0);
	ck_assert_int_eq(
		element_text(table, table->root, "unit", &text, &error),
		-EBADMSG);
	ck_assert_str_eq(error.cause, "t.xml:1: <a> has no attribute unit");
	ck_assert_str_eq(text, "before");
	ck_assert_int_eq(element_text(table, table->root, "name", &text, NULL),
			 0);
	ck_assert_str_eq(text, "x");
	ck_assert_int_eq(element_error(table, table->root, &error, "is %d", 5),
			 -EBADMSG);
	ck_assert_str_eq(error.cause, "t.xml:1: <a> is 5");
	table_destroy(table);
}
END_TEST

/* ------------------------------------------------------------------ */

static const struct {
	const char *text;
	bool gfx9, gfx10;
} owners[] = {
	{ "<events driver='amdgpu' generation='gfx9'/>", true, false },
	{ "<events driver='amdgpu'/>", true, true },
	{ "<events driver='amdgpu' target='gfx9'/>", true, false },
	{ "<events driver='amdgpu' target='gfx900'/>", true, false },
	{ "<events driver='amdgpu' target='gfx9' except='gfx900'/>", false,
	  false },
	{ "<events driver='amdgpu' target='gfx90'/>", true, false },
	{ "<events driver='amdgpu' target='gfx906'/>", false, false },
	{ "<events driver='i915'/>", false, false },
	{ "<events generation='gfx9'/>", false, false },
	{ "<chips driver='amdgpu'/>", false, false },
};

START_TEST(whose_table)
{
	struct table *table;

	ck_assert_int_eq(parse(owners[_i].text, &table), 0);
	ck_assert(table_is_for(table, "amdgpu", "gfx9", "gfx900") ==
		  owners[_i].gfx9);
	ck_assert(table_is_for(table, "amdgpu", "gfx10", NULL) ==
		  owners[_i].gfx10);
	table_destroy(table);
}
END_TEST

static const struct {
	const char *names, *generation, *target;
	bool is_for;
} targets[] = {
	{ "gfx9", "gfx906", "gfx906", false }, /* too general */
	{ "gfx906", "gfx906", "gfx906", true },
	{ "gfx940", "gfx940", "gfx942", true }, /* the generation */
	{ "gfx942", "gfx940", "gfx942", true },
	{ "gfx941", "gfx940", "gfx942", false },
	{ "gfx10", "gfx10.3", "gfx1030", true },
	{ "gfx1031", "gfx10.3", "gfx1030", false },
	{ "skl", "sklgt2", "sklgt2", true },
};

START_TEST(whose_target)
{
	struct table *table;
	char text[100];

	snprintf(text, sizeof(text), "<events driver='a' target='%s'/>",
		 targets[_i].names);
	ck_assert_int_eq(parse(text, &table), 0);
	ck_assert(table_is_for(table, "a", targets[_i].generation,
			       targets[_i].target) == targets[_i].is_for);
	table_destroy(table);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Files                                                                */

static void
write_file(const char *name, const char *text)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void
make_folder(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	ck_assert(!mkdir(path, 0700));
}

static void
set_up(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	make_folder("one");
	make_folder("two");
	make_folder("two/amdgpu");
	make_folder("three");
	make_folder("three/amdgpu");
	write_file("one/amdgpu", "a file where a folder is expected");
	write_file("two/amdgpu/gfx9.xml", "<second/>");
	write_file("three/amdgpu/gfx9.xml", "<third/>");
	write_file("three/amdgpu/gfx8.xml", "<third/>");
	write_file("two/amdgpu/gfx7.xml", "<second>");
	write_file("three/amdgpu/gfx7.xml", "<third/>");
}

static void
clean_up(void)
{
	char command[200];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert(!system(command));
}

START_TEST(first_folder_that_has_it)
{
	char one[100], two[100], three[100];
	const char *const folders[] = { "/nonexistent", one, two, three };
	const struct table_path path = { folders, ARRAY_SIZE(folders) };
	struct drmperf_error error;
	struct table *table;

	snprintf(one, sizeof(one), "%s/one", folder);
	snprintf(two, sizeof(two), "%s/two", folder);
	snprintf(three, sizeof(three), "%s/three", folder);
	ck_assert_int_eq(table_find(&path, "amdgpu", "gfx9", &table, &error),
			 0);
	ck_assert_str_eq(table->root->name, "second");
	table_destroy(table);
	ck_assert_int_eq(table_find(&path, "amdgpu", "gfx8", &table, &error),
			 0);
	ck_assert_str_eq(table->root->name, "third");
	table_destroy(table);
	/* a broken one is not passed over */
	ck_assert_int_eq(table_find(&path, "amdgpu", "gfx7", &table, &error),
			 -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.cause, "/two/amdgpu/gfx7.xml:1: "));
	ck_assert_int_eq(table_find(&path, "amdgpu", "gfx6", &table, &error),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.cause, "amdgpu/gfx6.xml"));
	ck_assert_ptr_nonnull(strstr(error.cause, three));
	ck_assert_str_ne(error.remedy, "");
}
END_TEST

START_TEST(unreadable)
{
	struct drmperf_error error;
	struct table *table = NULL;
	char path[100];

	ck_assert_int_eq(table_read("/nonexistent", &table, &error), -ENOENT);
	ck_assert_str_eq(error.cause, "cannot read /nonexistent: No such file "
				      "or directory");
	ck_assert_int_eq(table_read(folder, &table, &error), -EISDIR);
	ck_assert_ptr_nonnull(strstr(error.cause, ": it is a folder that has"));
	ck_assert_int_eq(table_read("/dev/null", &table, &error), -EINVAL);
	snprintf(path, sizeof(path), "%s/fifo", folder);
	ck_assert(!mkfifo(path, 0600));
	ck_assert_int_eq(table_read(path, &table, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "/fifo: it is a pipe or a "
						  "device, not a file"));
	ck_assert_ptr_null(table);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Rubbish                                                              */

static const char good_list[] =
	"<a><list of='b' columns='c  d'>\n1 2: " LONG "\n<!-- x -->\n"
	"3 \"4 5\": &lt; " LONG "\n6 e=7 f=\"8: 9\": &amp; x\n</list></a>";

/* A good file with some bytes changed is read, or refused with a line. */
START_TEST(mutations)
{
	const char *original = _i ? good_list : good;
	size_t length = strlen(original);
	unsigned long state = 4711;
	size_t round, i, refused = 0;

	for (round = 0; round < 20000; round++) {
		char text[sizeof(good) + sizeof(good_list)];
		struct drmperf_error error = { .cause = "" };
		struct table *table = NULL;
		size_t changes;

		memcpy(text, original, length);
		state = state * 6364136223846793005ul + 1442695040888963407ul;
		changes = 1 + (state >> 60) % 4;
		for (i = 0; i < changes; i++) {
			state = state * 6364136223846793005ul + 1;
			text[(state >> 40) % length] = (char)(state >> 32);
		}
		if (table_parse("t.xml", text, length, &table, &error) ||
		    table_expand(table, &error)) {
			ck_assert(!strncmp(error.cause, "t.xml:", 6));
			refused++;
		}
		table_destroy(table);
	}
	ck_assert_uint_gt(refused, 1000);
	ck_assert_uint_lt(refused, 20000);
}
END_TEST

/* Write a tree as text. */
static void
dump(const struct element *element, FILE *to)
{
	for (; element; element = element->next) {
		fprintf(to, "%d <%s", element->line, element->name);
		for (size_t i = 0; i < element->attribute_count; i++)
			fprintf(to, " %s=%s", element->attributes[i].name,
				element->attributes[i].value);
		fprintf(to, "> %s {\n", element->text);
		dump(element->child, to);
		fprintf(to, "}\n");
	}
}

/* What becomes of a text with something before it: a tree, or a complaint. */
static char *
outcome(const char *before, const char *text)
{
	char *all, *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);
	struct table *table;

	ck_assert_int_gt(asprintf(&all, "%s%s", before, text), 0);
	if (parse_lists(all, &table)) {
		fprintf(to, "%s\n", error_text);
	} else {
		dump(table->root, to);
		table_destroy(table);
	}
	fclose(to);
	free(all);
	return out;
}

/* Places that look like a long text behind a tag, or like the end of one. */
static const char *const pieces[] = {
	"<a>",
	"</a>",
	"<b c='d'>",
	"</b>",
	"<b/>",
	"<list of='b' columns='c'>",
	"</list>",
	"1: " LONG "\n",
	LONG LONG "\n",
	"2: &lt; " LONG "\n",
	LONG " &amp; " LONG,
	"&#60;",
	"&",
	"]]>",
	"]",
	"<!-- > " LONG " -->",
	"<!-- <list of='b' columns='c'> 3: " LONG "\n -->",
	"<![CDATA[4: <b> " LONG "\n]]>",
	"<?x <b> " LONG " ?>",
	"<b c='> " LONG "'>",
	"<list of='b' columns='c' d='> " LONG "'>",
	"\n",
	"\x01",
	"5: x\n",
};

/*
 * Long plain texts take a way past expat unless there is a character in the
 * file that is no ASCII: what comes out must be the same.
 */
START_TEST(past_expat)
{
	unsigned long state = 4711;
	size_t trees = 0;

	for (size_t round = 0; round < 20000; round++) {
		char text[6000] = "<a><list of='b' columns='c'>\n";
		char *past, *through;

		if (round % 2)
			strcpy(text, "<a>");
		for (size_t i = 0; i < 6; i++) {
			state = state * 6364136223846793005ul +
				1442695040888963407ul;
			strcat(text,
			       pieces[(state >> 40) % ARRAY_SIZE(pieces)]);
		}
		strcat(text, round % 2 ? "</a>" : "</list></a>");
		past = outcome("<!-- a -->", text);
		through = outcome("<!-- \xc3\xa4 -->", text);
		ck_assert_str_eq(past, through);
		trees += strncmp(past, "t.xml", 5) != 0;
		free(past);
		free(through);
	}
	ck_assert_uint_gt(trees, 100);
}
END_TEST

/* Texts and names longer than any buffer that grows. */
START_TEST(large)
{
	const size_t size = 3 << 20;
	char *text = malloc(size + 100);
	struct table *table;
	size_t i;

	strcpy(text, "<a b='");
	memset(text + 6, 'x', size);
	strcpy(text + 6 + size, "'/>");
	ck_assert_int_eq(parse(text, &table), 0);
	ck_assert_uint_eq(strlen(element_attribute(table->root, "b")), size);
	table_destroy(table);

	strcpy(text, "<a>");
	for (i = 0; i < size / 4; i++)
		memcpy(text + 3 + 4 * i, "xy \n", 4);
	strcpy(text + 3 + size, "</a>");
	ck_assert_int_eq(parse(text, &table), 0);
	ck_assert_uint_eq(strlen(table->root->text), 3 * (size / 4) - 1);
	table_destroy(table);
	free(text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("table");
	TCase *text = tcase_create("text");
	TCase *files = tcase_create("files");

	tcase_add_test(text, tree);
	tcase_add_loop_test(text, text_of_elements, 0, ARRAY_SIZE(texts));
	tcase_add_test(text, nesting);
	tcase_add_test(text, lists);
	tcase_add_test(text, long_list);
	tcase_add_test(text, rows);
	tcase_add_test(text, long_words);
	tcase_add_loop_test(text, malformed_files, 0, ARRAY_SIZE(malformed));
	tcase_add_loop_test(text, attributes, 0, ARRAY_SIZE(numbers));
	tcase_add_test(text, text_attributes);
	tcase_add_loop_test(text, whose_table, 0, ARRAY_SIZE(owners));
	tcase_add_loop_test(text, whose_target, 0, ARRAY_SIZE(targets));
	tcase_add_loop_test(text, mutations, 0, 2);
	tcase_add_test(text, past_expat);
	tcase_add_test(text, large);
	tcase_add_checked_fixture(files, set_up, clean_up);
	tcase_add_test(files, first_folder_that_has_it);
	tcase_add_test(files, unreadable);
	suite_add_tcase(suite, text);
	suite_add_tcase(suite, files);
	return suite_run(suite);
}
