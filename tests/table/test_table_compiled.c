/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that were compiled: they are what the XML file says, and a file that
 * is not fit to be used is passed over.
 */
#include "table/compiled.h"
#include "table/list.h"
#include "table/rows.h"
#include "table/table.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char text[] =
	"<?xml version='1.0'?>\n"
	"<!-- two lines\n-->\n"
	"<events driver='amdgpu' generation='gfx9'>\n"
	"  <block name='SQ' unit='cycles'>\n"
	"    <description>Of  a &lt;block&gt;.</description>\n"
	"    <list of='event' columns='id name unit'>\n"
	"    4 WAVES waves: Waves &amp; more.  \n"
	"    <!-- a comment -->\n"
	"    14 ITEMS slots=0x3: Work items.\n\n"
	"    15 \"A B\": \n"
	"    </list>\n"
	"  </block>\n"
	"  <list of='metric' columns='name'>A: B</list>\n"
	"  <core_clock/>\n"
	"</events>\n";

#define GFX9 "events/amdgpu/gfx9.xml"
#define COMPILED "events.compiled/amdgpu/gfx9.table"

/* Return the path of a file in the folder; one at a time. */
static const char *
file_path(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", test_folder, name);
	return path;
}

static void
write_file(const char *name, const char *bytes, size_t size)
{
	FILE *file = fopen(file_path(name), "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

/* Let a file be of this second. */
static void
set_time(const char *name, long second)
{
	const struct timespec times[2] = { { .tv_sec = second },
					   { .tv_sec = second } };

	ck_assert_int_eq(utimensat(AT_FDCWD, file_path(name), times, 0), 0);
}

static void
compile_table(const char *source)
{
	const char *build = getenv("BUILD_DIR");
	char command[800];

	snprintf(command, sizeof(command),
		 "%s/obj/utils/compile/compile %s %s/" COMPILED,
		 build ? build : "build", source, test_folder);
	ck_assert_int_eq(system(command), 0);
}

static void
set_up(void)
{
	test_folder_make();
	test_file_write(text, "%s/" GFX9, test_folder);
	test_file_write("", "%s/" COMPILED, test_folder);
	compile_table(file_path(GFX9));
	set_time(GFX9, 1000);
}

TEST_CASE(files, set_up, test_folder_remove, "table_compiled");

static struct table *
find_table(void)
{
	char events[200];
	const char *const folders[] = { events };
	const struct table_path path = { folders, 1, NULL };
	struct table *table;

	snprintf(events, sizeof(events), "%s/events", test_folder);
	ck_assert_int_eq(table_find(&path, "amdgpu", "gfx9", &table, NULL), 0);
	return table;
}

/* Return whether what is found was compiled. */
static bool
is_compiled(void)
{
	struct table *table = find_table();
	bool mapped = table->mapping;

	table_destroy(table);
	return mapped;
}

static void
compare_elements(const struct element *a, const struct element *b)
{
	ck_assert_str_eq(a->name, b->name);
	ck_assert_str_eq(a->text, b->text);
	ck_assert_int_eq(a->line, b->line);
	ck_assert_uint_eq(a->attribute_count, b->attribute_count);
	for (size_t i = 0; i < a->attribute_count; i++) {
		ck_assert_str_eq(a->attributes[i].name, b->attributes[i].name);
		ck_assert_str_eq(a->attributes[i].value,
				 b->attributes[i].value);
	}
	ck_assert(!a->child == !b->child);
	ck_assert(!a->next == !b->next);
	if (a->child)
		compare_elements(a->child, b->child);
	if (a->next)
		compare_elements(a->next, b->next);
}

/* Compare a compiled table with an XML file, all lines of lists with it. */
static void
compare_with(const char *path)
{
	struct table *compiled = find_table(), *xml;

	ck_assert_ptr_nonnull(compiled->mapping);
	ck_assert_int_eq(table_read(path, &xml, NULL), 0);
	ck_assert_uint_eq(rows_most(compiled->root->child, "metric"),
			  rows_most(xml->root->child, "metric"));
	ck_assert_int_eq(table_expand(compiled, NULL), 0);
	ck_assert_int_eq(table_expand(xml, NULL), 0);
	compare_elements(compiled->root, xml->root);
	table_destroy(compiled);
	table_destroy(xml);
}

TEST(files, says_what_the_file_says)
{
	compare_with(file_path(GFX9));
}

TEST(files, says_what_a_whole_generation_says)
{
	char command[400];

	/* A copy is this user's, as what is compiled of it. */
	snprintf(command, sizeof(command), "cp events/amdgpu/gfx9.xml %s",
		 file_path(GFX9));
	ck_assert_int_eq(system(command), 0);
	compile_table(file_path(GFX9));
	compare_with(file_path(GFX9));
}

TEST(files, is_passed_over_where_it_is_not_of_the_file)
{
	char longer[sizeof(text) + 1];

	ck_assert(is_compiled());
	set_time(COMPILED, 999); /* older */
	ck_assert(!is_compiled());
	set_time(COMPILED, 1000); /* packages clamp both */
	ck_assert(is_compiled());
	snprintf(longer, sizeof(longer), "%s\n", text);
	write_file(GFX9, longer, strlen(longer)); /* another size */
	set_time(GFX9, 1000);
	ck_assert(!is_compiled());
	write_file(GFX9, text, strlen(text));
	set_time(GFX9, 1000);
	ck_assert(is_compiled());
	if (!geteuid()) {
		ck_assert_int_eq(chown(file_path(COMPILED), 4711, 4711), 0);
		ck_assert(!is_compiled());
	}
}

/*
 * Use all of a table that may be damaged, where an error is as good as none.
 * Returns whether it was compiled.
 */
static bool
use_table(void)
{
	struct table *table = find_table();
	bool mapped = table->mapping;

	(void)rows_most(table->root->child, "metric");
	(void)table_expand(table, NULL);
	table_destroy(table);
	return mapped;
}

static size_t
read_compiled(char *bytes, size_t room)
{
	FILE *file = fopen(file_path(COMPILED), "r");
	size_t size = file ? fread(bytes, 1, room, file) : 0;

	ck_assert_uint_gt(size, 500);
	ck_assert_uint_lt(size, room);
	ck_assert_int_eq(fclose(file), 0);
	return size;
}

TEST(files, does_no_harm_where_it_is_cut_off)
{
	char bytes[8192];
	size_t size = read_compiled(bytes, sizeof(bytes));

	for (size_t cut = 0; cut < size; cut += 3) {
		write_file(COMPILED, bytes, cut);
		ck_assert(!use_table() || size - cut < TABLE_LIST_SLACK);
	}
}

/* Lines of six elements may be any number, nothing else. */
#define LINES 6

TEST(files, does_no_harm_where_it_is_damaged)
{
	static const uint32_t wrong[] = { 0x7fffffff, 0, 1, 0xfffffffe,
					  0xffffffff };
	char good[8192], bad[8192];
	size_t size = read_compiled(good, sizeof(good)), used = 0;
	const uint32_t *words = (const uint32_t *)(void *)good;
	size_t tree = 4 * (COMPILED_HEADER_WORDS +
			   le32toh(words[COMPILED_WORD_TREE]));

	for (size_t at = 0; at + 4 <= size; at += 4) {
		for (size_t i = 0; i < 5; i++) {
			memcpy(bad, good, size);
			memcpy(bad + at, &wrong[i], 4);
			write_file(COMPILED, bad, size);
			used += use_table() && at < tree && !i;
		}
	}
	ck_assert_uint_eq(used, LINES);
}
