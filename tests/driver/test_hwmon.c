/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors in folders of the class hwmon.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/hwmon.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

static struct arena *arena;

static const struct hwmon_channel channels[] = {
	{ "energy1_input", { .name = "energy" } },
	{ "temp1_input", { .name = "temp" } },
	{ "in0_input", { .name = "voltage" } },
};

static void
put_file(const char *name, const char *text)
{
	test_file_write(text, "%s/hwmon/%s", test_folder, name);
}

static void
make_folder(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", test_folder, name);
	ck_assert(!mkdir(path, 0700));
}

static void
set_up(void)
{
	test_folder_make();
	arena = arena_create();
	ck_assert_ptr_nonnull(arena);
}

static void
tear_down(void)
{
	arena_destroy(arena);
	test_folder_remove();
}

TEST_CASE(all, set_up, tear_down, "hwmon");

/* A GT's folder, and one of a longer name, are not the GPU's. */
TEST(all, a_folder_is_found_by_its_whole_name)
{
	const char *folder = test_folder;

	ck_assert(!hwmon_find(test_folder, "i915", arena, &folder));
	ck_assert_ptr_null(folder);
	make_folder("hwmon");
	make_folder("hwmon/hwmon2");
	put_file("hwmon2/name", "i915_gt0\n");
	make_folder("hwmon/hwmon3");
	make_folder("hwmon/other");
	put_file("other/name", "i915\n");
	ck_assert(!hwmon_find(test_folder, "i915", arena, &folder));
	ck_assert_ptr_null(folder);
	put_file("hwmon3/name", "i915\n");
	ck_assert(!hwmon_find(test_folder, "i915", arena, &folder));
	ck_assert_ptr_nonnull(folder);
	ck_assert_str_eq(folder + strlen(test_folder), "/hwmon/hwmon3");
}

TEST(all, what_is_there)
{
	struct sensor list[3] = { { .name = "first" } };
	const char *files[3] = { "first" };
	const char *folder;
	size_t count = 1;

	ck_assert(!hwmon_add(NULL, channels, 3, arena, list, files, &count));
	ck_assert_uint_eq(count, 1);
	make_folder("hwmon");
	make_folder("hwmon/hwmon0");
	put_file("hwmon0/name", "xe\n");
	put_file("hwmon0/in0_input", "900\n");
	put_file("hwmon0/temp1_input", "no number\n");
	put_file("hwmon0/energy1_input", "123\n");
	ck_assert(!hwmon_find(test_folder, "xe", arena, &folder));
	ck_assert(!hwmon_add(folder, channels, 3, arena, list, files, &count));
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(list[0].name, "first");
	ck_assert_str_eq(list[1].name, "energy");
	ck_assert_str_eq(list[2].name, "voltage");
	ck_assert_str_eq(strrchr(files[2], '/'), "/in0_input");
}
