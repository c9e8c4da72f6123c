/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of tables: their texts and attributes.
 */
#include "table/table.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"
#include "tests/table/t_xml.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST_CASE(all, NULL, NULL, "table");

TEST(all, a_file_becomes_a_tree)
{
	struct table *table;
	struct element *block, *event, *metric;

	ck_assert_int_eq(t_xml_parse(t_xml_good, &table), 0);
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

TEST_LOOP(all, text_of_elements, ARRAY_SIZE(texts))
{
	struct table *table;

	ck_assert_int_eq(t_xml_parse(texts[_i].xml, &table), 0);
	ck_assert_str_eq(table->root->text, texts[_i].text);
	if (texts[_i].child)
		ck_assert_str_eq(table->root->child->text, texts[_i].child);
	table_destroy(table);
}

/* 32 levels are allowed, and the test of malformed files has 33. */
TEST(all, deep_nesting_is_allowed_up_to_a_limit)
{
	char text[32 * 7 + 1] = "";
	struct table *table;
	int i;

	for (i = 0; i < 32; i++)
		strcat(text, "<a>");
	for (i = 0; i < 32; i++)
		strcat(text, "</a>");
	ck_assert_int_eq(t_xml_parse(text, &table), 0);
	table_destroy(table);
}

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

TEST_LOOP(all, numbers_are_read_or_refused, ARRAY_SIZE(numbers))
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
	ck_assert_int_eq(t_xml_parse(text, &table), 0);
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

TEST(all, a_missing_attribute_is_named)
{
	struct drmperf_error error;
	const char *text = "before";
	struct table *table;

	ck_assert_int_eq(t_xml_parse("<a name='x'/>", &table), 0);
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

/* Texts and names longer than any buffer that grows. */
TEST(all, large_texts_and_names_are_read)
{
	const size_t size = 3 << 20;
	char *text = malloc(size + 100);
	struct table *table;
	size_t i;

	strcpy(text, "<a b='");
	memset(text + 6, 'x', size);
	strcpy(text + 6 + size, "'/>");
	ck_assert_int_eq(t_xml_parse(text, &table), 0);
	ck_assert_uint_eq(strlen(element_attribute(table->root, "b")), size);
	table_destroy(table);

	strcpy(text, "<a>");
	for (i = 0; i < size / 4; i++)
		memcpy(text + 3 + 4 * i, "xy \n", 4);
	strcpy(text + 3 + size, "</a>");
	ck_assert_int_eq(t_xml_parse(text, &table), 0);
	ck_assert_uint_eq(strlen(table->root->text), 3 * (size / 4) - 1);
	table_destroy(table);
	free(text);
}
