/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PCIe link of a GPU, in made-up trees of sysfs: which device's link is
 * taken where a switch is between GPU and slot.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/pcie_link.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

static struct arena *arena;
static struct sensor list[PCIE_LINK_SENSORS];
static const char *files[PCIE_LINK_SENSORS];

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

TEST_CASE(all, set_up, tear_down, "pcie_link");

/* A device below another: its vendor, lanes and rate; NULL: no such file. */
struct device {
	const char *vendor, *width, *speed;
};

#define AMD "0x1002\n"
#define INTEL "0x8086\n"
#define OTHER "0x10b5\n"
#define RATE "16.0 GT/s PCIe\n"
#define INNER "2.5 GT/s PCIe\n"

static const struct tree {
	struct device devices[5]; /* from the root port to the GPU */
	uint64_t width, speed; /* 0: there is no link */
} trees[] = {
	/* a card without a switch, in ports of another vendor and of its own */
	{ { { INTEL, "16\n", INNER }, { AMD, "16\n", RATE } }, 16, 16000 },
	{ { { AMD, "8\n", INNER }, { AMD, "16\n", RATE } }, 16, 16000 },
	/* cards with a switch of their own, whose inner link is another */
	{ { { INTEL, "8\n", INNER },
	    { AMD, "8\n", RATE },
	    { AMD, "16\n", INNER },
	    { AMD, "16\n", INNER } },
	  8,
	  16000 },
	{ { { INTEL, "4\n", INNER },
	    { INTEL, "16\n", "16.0 GT/s\n" },
	    { INTEL, "1\n", INNER },
	    { INTEL, "1\n", INNER } },
	  16,
	  16000 },
	/* a switch of the computer */
	{ { { INTEL, "4\n", INNER },
	    { OTHER, "4\n", INNER },
	    { OTHER, "16\n", INNER },
	    { AMD, "16\n", RATE } },
	  16,
	  16000 },
	/* of the processor: no lanes, no files, a rate that is not known */
	{ { { INTEL, "0\n", "Unknown\n" } }, 0, 0 },
	{ { { INTEL, NULL, NULL } }, 0, 0 },
	{ { { INTEL, "16\n", "Unknown\n" } }, 16, 0 },
};

TEST_LOOP(all, the_link_is_that_of_the_slot, ARRAY_SIZE(trees))
{
	const struct tree *tree = &trees[_i];
	size_t count = 0;
	char path[200];
	uint64_t value;

	snprintf(path, sizeof(path), "%s", test_folder);
	for (const struct device *at = tree->devices; at->vendor; at++) {
		strcat(path, "/d");
		ck_assert(!mkdir(path, 0700));
		test_file_write(at->vendor, "%s/vendor", path);
		if (at->width)
			test_file_write(at->width, "%s/current_link_width",
					path);
		if (at->speed)
			test_file_write(at->speed, "%s/current_link_speed",
					path);
	}
	ck_assert(!pcie_link_add(path, arena, list, files, &count));
	ck_assert_int_eq((int)count, (tree->width > 0) + (tree->speed > 0));
	if (tree->width) {
		ck_assert_str_eq(list[0].name, "pcie-link-width");
		ck_assert(!sensor_read_file(files[0], &value));
		ck_assert_uint_eq(value, tree->width);
	}
	if (tree->speed) {
		ck_assert_str_eq(list[1].name, "pcie-link-speed");
		ck_assert(!sensor_read_file(files[1], &value));
		ck_assert_uint_eq(value, tree->speed);
	}
}

/* What a file of sysfs may hold; 0: nothing that is a number. */
static const struct {
	const char *text;
	uint64_t value;
} texts[] = {
	{ "17\n", 17 },
	{ "2.5 GT/s PCIe\n", 2500 },
	{ "64.0 GT/s PCIe\n", 64000 },
	{ "17", 0 },
	{ "", 0 },
	{ "\n", 0 },
	{ "17 18\n", 0 },
	{ "2.5\n", 0 },
	{ "2.5 MT/s\n", 0 },
	{ "2. GT/s\n", 0 },
	{ ".5 GT/s\n", 0 },
	{ "12345678901234567890\n", 0 },
};

TEST_LOOP(all, number_of_file, ARRAY_SIZE(texts))
{
	char path[200];
	uint64_t value = 0;
	int ret;

	test_file_write(texts[_i].text, "%s/file", test_folder);
	snprintf(path, sizeof(path), "%s/file", test_folder);
	ret = sensor_read_file(path, &value);
	ck_assert_int_eq(ret, texts[_i].value ? 0 : -EBADMSG);
	ck_assert_uint_eq(value, texts[_i].value);
}
