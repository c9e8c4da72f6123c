/* SPDX-License-Identifier: BSD-3-Clause */
/* Description files of drmsim that include others. */
#include "drmsim/base/text.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files of a case: name and text; the first one is read. */
struct text_case {
	const char *name;
	const char *files[4][2];
	int error;
	unsigned line;
	const char *words; /* first word of each line, and its second */
};

static const struct text_case cases[] = {
	{ "no include", { { "a", "x 1\n\ny 2\n" } }, 0, 0, "x=1 y=2 " },
	{ "in the middle",
	  { { "a", "x 1\ninclude b\ny 2\n" }, { "b", "z 3\nx 4\n" } },
	  0,
	  0,
	  "x=1 z=3 x=4 y=2 " },
	{ "at both ends",
	  { { "a", "include b\ny 2\ninclude c" },
	    { "b", "z 3\n" },
	    { "c", "w 5\n" } },
	  0,
	  0,
	  "z=3 y=2 w=5 " },
	{ "of an include",
	  { { "a", "include b\n" },
	    { "b", "include c\nx 1\n" },
	    { "c", "y 2" } },
	  0,
	  0,
	  "y=2 x=1 " },
	{ "an empty one",
	  { { "a", "include b\nx 1\n" }, { "b", "# no\n" } },
	  0,
	  0,
	  "x=1 " },
	{ "a missing one", { { "a", "x 1\n\ninclude b\n" } }, -EINVAL, 3, "" },
	{ "itself", { { "a", "x 1\ninclude a\n" } }, -EINVAL, 2, "" },
	{ "without a name", { { "a", "include\n" } }, -EINVAL, 1, "" },
	{ "one that is broken",
	  { { "a", "x 1\ninclude b\n" }, { "b", "y \"2\n" } },
	  -EINVAL,
	  2,
	  "" },
};

static void
write_files(const struct text_case *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(c->files) && c->files[i][0]; i++)
		test_file_write(c->files[i][1], "%s/%s", test_folder,
				c->files[i][0]);
}

TEST_CASE(includes, NULL, NULL, "drmsim_text");

TEST_LOOP(includes, included_files_are_read_in_place, ARRAY_SIZE(cases))
{
	const struct text_case *c = &cases[_i];
	char path[128], words[256] = "";
	struct sim_text *text = NULL;
	unsigned line = 77;
	int error;

	test_folder_make();
	write_files(c);
	snprintf(path, sizeof(path), "%s/a", test_folder);
	error = sim_text_read(path, &text, &line);
	for (size_t i = 0; text && i < text->count; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words),
			 "%s=%s ", text->lines[i].words[0],
			 text->lines[i].words[1]);
	sim_text_free(text);
	test_folder_remove();
	ck_assert_msg(error == c->error, "%s: %d", c->name, error);
	ck_assert_msg(line == c->line, "%s: line %u", c->name, line);
	ck_assert_msg(strcmp(words, c->words) == 0, "%s: %s", c->name, words);
}
