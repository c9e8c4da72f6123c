/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files gpu_metrics that are cut off, contradict themselves, or have what the
 * table of layouts does not know: sensors are left out, nothing is read beyond.
 */
#include "driver/amdgpu/gpu_metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

#define MI350 0x090500 /* version 9.5.0 of the graphics core */

static char folder[] = "/tmp/drmperf-metrics-XXXXXX";
static char path[64];
static struct arena *arena;
static char logged[512];

static void
keep_log(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	(void)level;
	snprintf(logged, sizeof(logged), "%s", message);
}

static void
set_up(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/gpu_metrics", folder);
	arena = arena_create();
	ck_assert_ptr_nonnull(arena);
	logged[0] = '\0';
}

static void
tear_down(void)
{
	arena_destroy(arena);
	unlink(path);
	ck_assert(!rmdir(folder));
}

TEST_CASE(all, set_up, tear_down, "amdgpu_gpu_metrics");

static void
write_file(const void *data, size_t size)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, size, file), size);
	fclose(file);
}

static struct gpu_metrics *
find_metrics(uint32_t core)
{
	static const char *events;
	struct driver_target target = {
		.sysfs = folder,
		.tables = { .directories = &events, .count = 1 },
		.log = { .log = keep_log },
	};
	struct drmperf_error error = { 0 };
	struct gpu_metrics *metrics = NULL;
	char text[200];

	snprintf(text, sizeof(text), "%s/events",
		 getenv("TOP_DIR") ? getenv("TOP_DIR") : ".");
	events = text;
	ck_assert_msg(!gpu_metrics_find(&target, core, arena, &metrics, &error),
		      "%s", error.cause);
	return metrics;
}

/* Return the number of the sensor, or -1. */
static int
index_of(const struct gpu_metrics *metrics, const char *name)
{
	for (size_t i = 0; metrics && i < gpu_metrics_count(metrics); i++) {
		if (!strcmp(gpu_metrics_sensor(metrics, i)->name, name))
			return (int)i;
	}
	return -1;
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static const struct {
	const char *what;
	unsigned said, format, content; /* in the header */
	size_t size; /* of the file */
	bool is_told;
} odd[] = {
	{ "an empty file", 0, 0, 0, 0, false },
	{ "half a header", 120, 1, 3, 3, false },
	{ "a table that was cut off", 120, 1, 3, 100, false },
	{ "a table that is longer than it says", 120, 1, 3, 121, false },
	{ "a version that is not known", 120, 1, 200, 120, true },
	{ "a format that is not known", 120, 9, 3, 120, true },
	{ "1.6 of neither size", 1000, 1, 6, 1000, true },
	{ "1.3 of another size", 128, 1, 3, 128, true },
};

TEST_LOOP(all, odd_tables_have_no_sensors, ARRAY_SIZE(odd))
{
	uint8_t data[1024] = { 0 };

	memset(data, 1, sizeof(data));
	data[0] = (uint8_t)odd[_i].said;
	data[1] = (uint8_t)(odd[_i].said >> 8);
	data[2] = (uint8_t)odd[_i].format;
	data[3] = (uint8_t)odd[_i].content;
	write_file(data, odd[_i].size);
	ck_assert_msg(!find_metrics(MI350), "%s", odd[_i].what);
	ck_assert_msg(!!strstr(logged, "no layout") == odd[_i].is_told,
		      "%s: %s", odd[_i].what, logged);
}

TEST(all, without_gpu_metrics_there_are_no_sensors)
{
	ck_assert_ptr_null(find_metrics(MI350));
	ck_assert_str_eq(logged, "");
}

/* Sensors of certain cores are left out where the core is not known. */
TEST(all, sensors_of_unknown_cores_are_left_out)
{
	uint8_t data[120] = { 120, 0, 1, 3 };

	write_file(data, sizeof(data));
	ck_assert_int_ge(index_of(find_metrics(0), "umc-activity"), 0);
	ck_assert_int_eq(index_of(find_metrics(0), "socket-power"), -1);
	ck_assert_int_eq(index_of(find_metrics(0), "throttle-power"), -1);
	ck_assert_int_ge(index_of(find_metrics(MI350), "socket-power"), 0);
	ck_assert_int_ge(index_of(find_metrics(0x0a0300), "throttle-power"), 0);
}

/* ------------------------------------------------------------------ */
/* Lists                                                                */

/* id << 10 | type << 20 | number of values */
#define ATTRIBUTE(id, type, count) ((id) << 10 | (type) << 20 | (count))
#define U16 2
#define S16 3
#define U32 4
#define HOTSPOT 0
#define UMC 5
#define UNKNOWN 900

struct attribute {
	uint32_t encoding;
	unsigned bytes; /* of values that follow */
	uint8_t value;
};

static const struct list {
	const char *what;
	uint32_t count; /* that the list says */
	struct attribute attributes[4];
	bool has_hotspot, has_umc;
} lists[] = {
	{ "two attributes",
	  2,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 2, 40 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  true,
	  true },
	{ "another order and another type",
	  2,
	  { { ATTRIBUTE(UMC, U32, 1), 4, 0 },
	    { ATTRIBUTE(HOTSPOT, U32, 1), 4, 0 } },
	  true,
	  true },
	{ "an unknown attribute is passed over",
	  2,
	  { { ATTRIBUTE(UNKNOWN, 7, 3), 24, 1 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  false,
	  true },
	{ "fewer than there are",
	  1,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 2, 0 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  true,
	  false },
	{ "more than there are",
	  0xffffffff,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 2, 0 } },
	  true,
	  false },
	{ "values beyond the end",
	  1,
	  { { ATTRIBUTE(HOTSPOT, U16, 1000), 2, 0 } },
	  false,
	  false },
	{ "a value that is missing",
	  1,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 0, 0 } },
	  false,
	  false },
	{ "a type that is not known",
	  2,
	  { { ATTRIBUTE(UNKNOWN, 12, 1), 2, 0 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  false,
	  false },
	{ "no values",
	  2,
	  { { ATTRIBUTE(HOTSPOT, U16, 0), 0, 0 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  false,
	  true },
	{ "an array where there was one value",
	  2,
	  { { ATTRIBUTE(HOTSPOT, U16, 2), 4, 0 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  false,
	  true },
	{ "a number below 0",
	  2,
	  { { ATTRIBUTE(HOTSPOT, S16, 1), 2, 0x80 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0 } },
	  false,
	  true },
	{ "all bits set",
	  2,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 2, 0xff },
	    { ATTRIBUTE(UMC, U16, 1), 2, 0xff } },
	  false,
	  false },
	{ "a load above 100 %",
	  2,
	  { { ATTRIBUTE(HOTSPOT, U16, 1), 2, 0 },
	    { ATTRIBUTE(UMC, U16, 1), 2, 1 } },
	  true,
	  false },
};

/* Make a list in which all bytes of values are the same. Returns the size. */
static size_t
make_list(const struct list *list, uint8_t data[256])
{
	size_t size = 8;

	memset(data, 0, 256);
	for (size_t i = 0; i < ARRAY_SIZE(list->attributes); i++) {
		const struct attribute *attribute = &list->attributes[i];

		if (!attribute->encoding && !attribute->bytes)
			continue;
		memcpy(data + size, &attribute->encoding, 4);
		size += 8;
		memset(data + size, attribute->value, attribute->bytes);
		size += attribute->bytes;
	}
	data[0] = (uint8_t)size;
	data[2] = 1;
	data[3] = 9;
	memcpy(data + 4, &list->count, 4);
	return size;
}

TEST_LOOP(all, lists_are_read_as_they_say, ARRAY_SIZE(lists))
{
	const struct list *list = &lists[_i];
	struct gpu_metrics *metrics;
	uint8_t data[256];

	write_file(data, make_list(list, data));
	metrics = find_metrics(MI350);
	ck_assert_msg((index_of(metrics, "temp-hotspot") >= 0) ==
			      list->has_hotspot,
		      "temp-hotspot of %s", list->what);
	ck_assert_msg((index_of(metrics, "umc-activity") >= 0) == list->has_umc,
		      "umc-activity of %s", list->what);
}

/* Nothing is taken of a list that is another one at the next read. */
TEST(all, a_list_that_changed_gives_no_values)
{
	uint8_t data[256], table[GPU_METRICS_SIZE];
	size_t size = make_list(&lists[0], data);
	struct gpu_metrics *metrics;
	uint64_t value;
	int index;

	write_file(data, size);
	metrics = find_metrics(MI350);
	index = index_of(metrics, "temp-hotspot");
	ck_assert_int_ge(index, 0);
	ck_assert_int_eq(gpu_metrics_read(metrics, table), 0);
	ck_assert_int_eq(
		gpu_metrics_pick(metrics, (size_t)index, table, &value), 0);
	ck_assert_uint_eq(value, 40 << 8 | 40);
	/* as long as before, in another order */
	size = make_list(&(struct list){ .count = 2,
					 .attributes = {
						 lists[0].attributes[1],
						 lists[0].attributes[0],
					 } }, data);
	write_file(data, size);
	ck_assert_int_eq(gpu_metrics_read(metrics, table), 0);
	ck_assert_int_eq(
		gpu_metrics_pick(metrics, (size_t)index, table, &value),
		-EBADMSG);
	/* cut off */
	write_file(data, size - 1);
	ck_assert_int_eq(gpu_metrics_read(metrics, table), -EBADMSG);
	unlink(path);
	ck_assert_int_eq(gpu_metrics_read(metrics, table), -ENOENT);
}
