/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is no table is refused, at its line and whichever way it is read.
 */
#include "table/rows.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"
#include "tests/table/t_xml.h"

#include <errno.h>
#include <string.h>

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

TEST_CASE(all, NULL, NULL, "table_malformed");

TEST_LOOP(all, malformed_files_are_refused_with_a_line, ARRAY_SIZE(malformed))
{
	struct table *table = NULL;
	int err = t_xml_parse_lists(malformed[_i].text, &table);

	ck_assert_msg(err == -EBADMSG &&
			      !strcmp(t_xml_error, malformed[_i].cause),
		      "line %d: %d, %s", malformed[_i].line, err, t_xml_error);
	ck_assert_ptr_null(table);
}

/* ------------------------------------------------------------------ */
/* Rubbish                                                              */

static const char good_list[] =
	"<a><list of='b' columns='c  d'>\n1 2: " LONG "\n<!-- x -->\n"
	"3 \"4 5\": &lt; " LONG "\n6 e=7 f=\"8: 9\": &amp; x\n</list></a>";

/* A good file with some bytes changed is read, or refused with a line. */
TEST_LOOP(all, changed_files_are_read_or_refused, 2)
{
	const char *original = _i ? good_list : t_xml_good;
	size_t length = strlen(original);
	unsigned long state = 4711;
	size_t round, i, refused = 0;

	ck_assert_uint_le(length, 1000);
	for (round = 0; round < 20000; round++) {
		char text[1000];
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
