/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The JSON that the command line tool writes, character by character.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf/util/json.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static char *text;
static size_t size;
static struct json json;

static void
begin_text(void)
{
	json = (struct json){ .out = open_memstream(&text, &size) };
	ck_assert_ptr_nonnull(json.out);
}

static void
expect_text(const char *expected)
{
	ck_assert_int_eq(fclose(json.out), 0);
	ck_assert_str_eq(text, expected);
	free(text);
}

TEST_CASE(json, NULL, NULL, "tool_json");

TEST(json, commas_stand_between_values)
{
	begin_text();
	json_open(&json, NULL, '{');
	json_open(&json, "empty", '[');
	json_close(&json, ']');
	json_open(&json, "lists", '[');
	for (int i = 0; i < 2; i++) {
		json_open(&json, NULL, '[');
		json_uint(&json, NULL, 1);
		json_uint(&json, NULL, 2);
		json_close(&json, ']');
	}
	json_close(&json, ']');
	json_bool(&json, "yes", true);
	json_bool(&json, "no", false);
	json_open(&json, "object", '{');
	json_close(&json, '}');
	json_close(&json, '}');
	expect_text("{\"empty\": [], \"lists\": [[1, 2], [1, 2]], "
		    "\"yes\": true, \"no\": false, \"object\": {}}");
}

static const struct {
	const char *value, *expected;
} strings[] = {
	{ "", "\"\"" },
	{ "a \"word\"", "\"a \\\"word\\\"\"" },
	{ "C:\\dir", "\"C:\\\\dir\"" },
	{ "tab\tline\nend\x1f", "\"tab\\u0009line\\u000aend\\u001f\"" },
	/* those that a terminal takes for commands, and one that is none */
	{ "\x7f/'", "\"\\u007f/'\"" },
	{ "\xc2\x80\xc2\x9b\xc2\xa0", "\"\\u0080\\u009b\xc2\xa0\"" },
	{ "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
	{ "\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	/* Latin 1, a character cut off, too many bytes, a surrogate */
	{ "gr\xfc", "\"gr\\ufffd\"" },
	{ "\xe2\x82", "\"\\ufffd\\ufffd\"" },
	{ "\xc0\xaf", "\"\\ufffd\\ufffd\"" },
	{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
	{ "\xff\"", "\"\\ufffd\\\"\"" },
};

TEST_LOOP(json, strings_and_keys_are_escaped, ARRAY_SIZE(strings))
{
	begin_text();
	json_text(&json, NULL, strings[_i].value);
	expect_text(strings[_i].expected);
	/* keys, too */
	begin_text();
	json_bool(&json, strings[_i].value, true);
	fflush(json.out);
	ck_assert_int_eq(strncmp(text, strings[_i].expected,
				 strlen(strings[_i].expected)),
			 0);
	fclose(json.out);
	free(text);
}

TEST(json, numbers_are_written_as_short_as_they_can_be)
{
	begin_text();
	json_open(&json, NULL, '[');
	json_uint(&json, NULL, 0);
	json_uint(&json, NULL, UINT64_MAX);
	json_double(&json, NULL, 0.5);
	json_double(&json, NULL, -1e300);
	json_double(&json, NULL, 0.1);
	/* no shorter one is the same */
	json_double(&json, NULL, 0.1 + 0.2);
	/* JSON has no word for these */
	json_double(&json, NULL, NAN);
	json_double(&json, NULL, INFINITY);
	json_close(&json, ']');
	expect_text("[0, 18446744073709551615, 0.5, -1e+300, "
		    "0.1, 0.30000000000000004, null, null]");
}
