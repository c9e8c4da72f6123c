/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which file a table is read from, and whose it is.
 */
#include "table/table.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"
#include "tests/table/t_xml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST_CASE(owner, NULL, NULL, "table_files");

TEST_LOOP(owner, a_table_is_for_its_generations, ARRAY_SIZE(owners))
{
	struct table *table;

	ck_assert_int_eq(t_xml_parse(owners[_i].text, &table), 0);
	ck_assert(table_is_for(table, "amdgpu", "gfx9", "gfx900") ==
		  owners[_i].gfx9);
	ck_assert(table_is_for(table, "amdgpu", "gfx10", NULL) ==
		  owners[_i].gfx10);
	table_destroy(table);
}

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

TEST_LOOP(owner, a_table_is_for_its_targets, ARRAY_SIZE(targets))
{
	struct table *table;
	char text[100];

	snprintf(text, sizeof(text), "<events driver='a' target='%s'/>",
		 targets[_i].names);
	ck_assert_int_eq(t_xml_parse(text, &table), 0);
	ck_assert(table_is_for(table, "a", targets[_i].generation,
			       targets[_i].target) == targets[_i].is_for);
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static void
write_file(const char *name, const char *text)
{
	test_file_write(text, "%s/%s", test_folder, name);
}

static void
set_up(void)
{
	test_folder_make();
	write_file("one/amdgpu", "a file where a folder is expected");
	write_file("two/amdgpu/gfx9.xml", "<second/>");
	write_file("three/amdgpu/gfx9.xml", "<third/>");
	write_file("three/amdgpu/gfx8.xml", "<third/>");
	write_file("two/amdgpu/gfx7.xml", "<second>");
	write_file("three/amdgpu/gfx7.xml", "<third/>");
}

TEST_CASE(files, set_up, test_folder_remove, "table_files");

TEST(files, first_folder_that_has_it)
{
	char one[100], two[100], three[100];
	const char *const folders[] = { "/nonexistent", one, two, three };
	const struct table_path path = { folders, ARRAY_SIZE(folders), NULL };
	struct drmperf_error error;
	struct table *table;

	snprintf(one, sizeof(one), "%s/one", test_folder);
	snprintf(two, sizeof(two), "%s/two", test_folder);
	snprintf(three, sizeof(three), "%s/three", test_folder);
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

TEST(files, read_once_with_a_store)
{
	const char *const folders[] = { test_folder };
	struct table_store store;
	const struct table_path path = { folders, 1, &store };
	struct drmperf_error error;
	struct table *first, *again;

	table_store_init(&store);
	write_file("two/gpu.xml", "<gpu/>");
	ck_assert_int_eq(table_find(&path, "two", "gpu", &first, &error), 0);
	write_file("two/gpu.xml", "<another/>");
	ck_assert_int_eq(table_find(&path, "two", "gpu", &again, &error), 0);
	ck_assert_ptr_eq(again->root, first->root);
	ck_assert_ptr_ne(again->arena, first->arena);
	table_destroy(first);
	ck_assert_str_eq(again->root->name, "gpu");
	table_destroy(again);
	/* what cannot be read is tried again */
	ck_assert_int_eq(table_find(&path, "two/amdgpu", "gfx7", &first,
				    &error),
			 -EBADMSG);
	write_file("two/amdgpu/gfx7.xml", "<mended/>");
	ck_assert_int_eq(table_find(&path, "two/amdgpu", "gfx7", &first,
				    &error),
			 0);
	table_destroy(first);
	table_store_finish(&store);
}

/* Files of sets, and the root of what is read of set B. */
static const struct {
	const char *text, *root;
	int line; /* of the set */
} sets[] = {
	{ "<!-- a comment\n-->\n<registers x='1'>\n"
	  "<set name=\"A\">\n<mux>1</mux>\n</set>\n"
	  "<set name=\"B\" guid='g'>\n<mux>2</mux>\n</set>\n</registers>",
	  "set", 7 },
	/* ways of writing that cannot be told from others at once */
	{ "<registers x='1'>\n<!--\n<set name=\"B\"></set>\n-->\n"
	  "<set name=\"B\">\n<mux>2</mux>\n</set></registers>",
	  "registers", 5 },
	{ "<registers><set name='B'>\n<mux>2</mux>\n</set></registers>",
	  "registers", 1 },
};

TEST_LOOP(files, one_set_of_a_table_is_read, ARRAY_SIZE(sets))
{
	const char *const folders[] = { test_folder };
	const struct table_path path = { folders, 1, NULL };
	const struct element *set;
	struct drmperf_error error;
	struct table *table;

	write_file("two/registers.xml", sets[_i].text);
	ck_assert_int_eq(table_find_set(&path, "two", "registers", "B", &table,
					&error),
			 0);
	ck_assert_str_eq(table->root->name, sets[_i].root);
	set = table->root->child;
	if (strcmp(sets[_i].root, "registers") != 0)
		set = table->root;
	while (strcmp(element_attribute(set, "name"), "B") != 0)
		set = set->next;
	ck_assert_int_eq(set->line, sets[_i].line);
	ck_assert_str_eq(set->child->text, "2");
	ck_assert_int_eq(set->child->line, sets[_i].line + 1);
	table_destroy(table);
}

TEST(files, an_unreadable_file_is_an_error)
{
	struct drmperf_error error;
	struct table *table = NULL;
	char path[100];

	ck_assert_int_eq(table_read("/nonexistent", &table, &error), -ENOENT);
	ck_assert_str_eq(error.cause, "cannot read /nonexistent: No such file "
				      "or directory");
	ck_assert_int_eq(table_read(test_folder, &table, &error), -EISDIR);
	ck_assert_ptr_nonnull(strstr(error.cause, ": it is a folder that has"));
	ck_assert_int_eq(table_read("/dev/null", &table, &error), -EINVAL);
	snprintf(path, sizeof(path), "%s/fifo", test_folder);
	ck_assert(!mkfifo(path, 0600));
	ck_assert_int_eq(table_read(path, &table, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.cause, "/fifo: it is a pipe or a "
						  "device, not a file"));
	ck_assert_ptr_null(table);
}
