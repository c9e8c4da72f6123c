/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of tables, whose lines are elements.
 */
#include "table/rows.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"
#include "tests/table/t_xml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements written as lines stand among others, each in its own line. */
static const char listed[] =
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
} elements[] = {
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

TEST_CASE(all, NULL, NULL, "table_lists");

TEST(all, lists_stand_for_their_elements)
{
	const struct element *element;
	struct table *table;

	ck_assert_msg(!t_xml_parse_lists(listed, &table), "%s", t_xml_error);
	ck_assert_str_eq(table->root->text, "");
	element = table->root->child;
	for (size_t i = 0; i < ARRAY_SIZE(elements); i++) {
		ck_assert_ptr_nonnull(element);
		ck_assert_str_eq(element->name, elements[i].name);
		ck_assert_str_eq(element->text, elements[i].text);
		ck_assert_int_eq(element->line, elements[i].line);
		for (size_t k = 0; k < 3 && elements[i].names[k]; k++)
			ck_assert_str_eq(element_attribute(
						 element, elements[i].names[k]),
					 elements[i].values[k]);
		ck_assert(!element->attribute_count == !elements[i].names[0]);
		element = element->next;
	}
	ck_assert_ptr_null(element);
	table_destroy(table);
}

#define TEN "123456789 "
#define LONG_TEXT TEN TEN TEN TEN TEN TEN "1234"

/* Long texts with references and comments, behind which lines are known. */
TEST(all, long_texts_keep_their_lines)
{
	static const char text[] =
		"<a><list of='event' columns='id'>\n"
		"1: &lt;" LONG_TEXT "&gt;&amp;\n2: &quot;&#39;\n"
		"<!-- > --> 3: " LONG_TEXT "&apos;\n"
		"<!-- two\nlines --> 4: " LONG_TEXT "\n"
		"<!-- --> 5: " LONG_TEXT "&amp;lt;\n"
		"</list><event/></a>";
	static const struct {
		const char *text;
		int line;
	} wanted[] = {
		{ "<" LONG_TEXT ">&", 2 },
		{ "\"'", 3 },
		{ LONG_TEXT "'", 4 },
		{ LONG_TEXT, 6 },
		{ LONG_TEXT "&lt;", 7 },
		{ "", 8 },
	};
	const struct element *element;
	struct table *table;

	ck_assert_msg(!t_xml_parse_lists(text, &table), "%s", t_xml_error);
	element = table->root->child;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		ck_assert_ptr_nonnull(element);
		ck_assert_str_eq(element->text, wanted[i].text);
		ck_assert_int_eq(element->line, wanted[i].line);
		element = element->next;
	}
	ck_assert_ptr_null(element);
	table_destroy(table);
}

/* A list longer than what expat is given at a time. */
TEST(all, a_long_list_is_read_whole)
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
	ck_assert_int_eq(t_xml_parse_lists(text, &table), 0);
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

/*
 * Elements of one name in their order, and nothing else is read: the faults in
 * other lists do not matter until a caller asks for these.
 */
TEST(all, rows_of_one_name_are_read_alone)
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

	ck_assert_int_eq(t_xml_parse(text, &table), 0);
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

/* Words longer than the pieces that they are kept in. */
TEST(all, long_words_are_read_whole)
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
	ck_assert_int_eq(t_xml_parse_lists(text, &table), -EBADMSG);
	strcpy(at + LENGTH, ":z\nx y: z</list></a>");
	ck_assert_int_eq(t_xml_parse_lists(text, &table), 0);
	free(text);
	ck_assert_uint_eq(strlen(element_attribute(table->root->child, "d")),
			  LENGTH);
	ck_assert_str_eq(element_attribute(table->root->child, "c"), "x");
	ck_assert_str_eq(table->root->child->text, "z");
	table_destroy(table);
}
