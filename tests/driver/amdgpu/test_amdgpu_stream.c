/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a stream's counters are in its samples, on a Navi 10's shape. */
#include "driver/amdgpu/stream/layout.h"

#include <errno.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

#define FIRST_GROUP 3
#define ALL DRMPERF_ALL_INSTANCES
#define REQUESTS 128
#define NONE STREAM_NO_ENTRY

/* That many events of a block, from one on. */
struct wish {
	const char *block;
	unsigned first, count;
	int32_t instance;
};

struct wanted_place {
	uint32_t low, high;
	unsigned code; /* of the low entry */
};

/* Lines of a sample, of the global segment, and of each engine's. */
static const struct {
	const char *generation;
	struct wish wishes[12];
	unsigned lines, segments[3];
	struct wanted_place first, last;
} fitting[] = {
	/*
	 * 32 bits, since two wires are enough: a line for even lanes and one
	 * for odd ones
	 */
	{ "gfx10.1",
	  { { "CPF", 24, 1, ALL } },
	  2,
	  { 2, 0, 0 },
	  { 4, 16, 0x80 },
	  { 4, 16, 0x80 } },
	{ "gfx10.1",
	  { { "CPF", 24, 2, ALL } },
	  2,
	  { 2, 0, 0 },
	  { 4, 16, 0x80 },
	  { 5, 17, 0x82 } },
	/* 16 bits: the second event is in an odd lane, the third in an even */
	{ "gfx10.1",
	  { { "CPF", 22, 3, ALL } },
	  2,
	  { 2, 0, 0 },
	  { 4, NONE, 0x80 },
	  { 5, NONE, 0x82 } },
	{ "gfx10.1",
	  { { "CPF", 21, 4, ALL } },
	  2,
	  { 2, 0, 0 },
	  { 4, NONE, 0x80 },
	  { 17, NONE, 0x83 } },
	/* what is asked for twice is there once */
	{ "gfx10.1",
	  { { "CPF", 24, 1, ALL }, { "CPF", 24, 1, 0 } },
	  2,
	  { 2, 0, 0 },
	  { 4, 16, 0x80 },
	  { 4, 16, 0x80 } },
	/* 20 even entries with the time stamp, 16 odd ones */
	{ "gfx10.1",
	  { { "GL2C", 3, 1, ALL } },
	  3,
	  { 3, 0, 0 },
	  { 4, 16, 0x200 },
	  { 35, 31, 0x7a00 } },
	{ "gfx10.1",
	  { { "TCP", 9, 1, 0 } },
	  3,
	  { 1, 2, 0 },
	  { 16, 32, 0x1c0 },
	  { 16, 32, 0x1c0 } },
	{ "gfx10.1",
	  { { "TCP", 9, 1, ALL } },
	  9,
	  { 1, 4, 4 },
	  { 16, 32, 0x1c0 },
	  { 115, 131, 0x4dc0 } },
	{ "gfx10.1",
	  { { "SQ", 4, 1, ALL } },
	  5,
	  { 1, 2, 2 },
	  { 16, 32, 0x240 },
	  { 48, 64, 0x240 } },
	/* engines have as many lines as the one that has most */
	{ "gfx11",
	  { { "TCP", 9, 1, 0 } },
	  5,
	  { 1, 2, 0 },
	  { 16, 32, 0x3800 },
	  { 16, 32, 0x3800 } },
	{ "gfx11",
	  { { "TCP", 9, 1, 39 } },
	  5,
	  { 1, 0, 2 },
	  { 48, 64, 0x3d20 },
	  { 48, 64, 0x3d20 } },
	{ "gfx11",
	  { { "TCP", 9, 1, ALL } },
	  9,
	  { 1, 4, 4 },
	  { 16, 32, 0x3800 },
	  { 115, 131, 0x3d20 } },
	{ "gfx11",
	  { { "SQ_WGP", 4, 1, ALL } },
	  5,
	  { 1, 2, 2 },
	  { 16, 32, 0x8800 },
	  { 57, 73, 0x8d00 } },
	/* blocks of engines in the global segment have the engine's number */
	{ "gfx12",
	  { { "GE_SE", 4, 1, ALL } },
	  2,
	  { 2, 0, 0 },
	  { 4, 16, 0x8800 },
	  { 5, 17, 0x8820 } },
};

static const struct {
	const char *generation;
	struct wish wishes[12];
	bool follows;
	int ret;
	const char *cause, *remedy;
} refused[] = {
	{ "gfx10.1",
	  { { "GRBM", 0, 1, ALL } },
	  false,
	  -ENOTSUP,
	  "counters of GRBM cannot be streamed",
	  "GRBM" },
	{ "gfx10.1", { { "SQ", 4, 1, ALL } }, true, -ENOTSUP, "neighbour", "" },
	{ "gfx10.1",
	  { { "CPF", 20, 5, ALL } },
	  false,
	  -ENOSPC,
	  "CPF streams 4 events at once at most, not 5",
	  "CPF" },
	{ "gfx10.1",
	  { { "SQ", 4, 17, ALL } },
	  false,
	  -ENOSPC,
	  "SQ streams 16 events at once at most, not 17",
	  "SQ" },
	{ "gfx10.1",
	  { { "TCP", 1, 8, ALL },
	    { "TA", 1, 4, ALL },
	    { "TD", 1, 4, ALL },
	    { "DB", 1, 8, ALL },
	    { "CB", 1, 4, ALL },
	    { "GL1C", 1, 4, ALL },
	    { "SX", 1, 8, ALL },
	    { "SPI", 1, 16, ALL },
	    { "PA_SU", 1, 16, ALL },
	    { "SQ", 4, 8, ALL } },
	  false,
	  -ENOSPC,
	  "TCP has the most",
	  "TCP" },
	{ "gfx11.5",
	  { { "SQ_WGP", 4, 1, ALL } },
	  false,
	  -ENOTSUP,
	  "counters of SQ_WGP are not streamed",
	  "STREAM.SQ_WGP" },
	{ "gfx12",
	  { { "SQ", 4, 1, ALL } },
	  false,
	  -ENOTSUP,
	  "are not streamed: only AMD's driver",
	  "DRMPERF_UNTESTED=STREAM" },
	{ "gfx8",
	  { { "SQ", 4, 1, ALL } },
	  false,
	  -ENOTSUP,
	  "how is not known",
	  "doc/traces.md" },
};

static struct amdgpu_table table;
static struct gpu gpu;
static struct counter_request requests[REQUESTS];
static size_t request_count;
static struct stream_layout *layout;

static void
read_wishes(const struct wish *wish, bool follows)
{
	request_count = 0;
	for (; wish->block; wish++)
		for (unsigned i = 0; i < wish->count; i++)
			requests[request_count++] = (struct counter_request){
				.group = FIRST_GROUP +
					 (group_index)amdgpu_table_block(
						 &table, wish->block),
				.selector = wish->first + i,
				.slots = UINT64_MAX,
				.instance = wish->instance,
				.follows = follows,
			};
}

static void
open_gpu(const char *generation, const char *untested)
{
	amdgpu_table_open(&table, generation, &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	gpu = (struct gpu){
		.chip = table.chip,
		.topology = table.topology,
		.core = table.core,
		.first_group = FIRST_GROUP,
	};
	gpu.topology.untested = untested;
}

/* Return the code of an entry of a sample, or 0. */
static unsigned
find_code(uint32_t at)
{
	for (size_t i = 0; i < layout->entry_count; i++) {
		const struct stream_entry *entry = &layout->entries[i];
		const unsigned line =
			layout->segments[entry->segment].first_line +
			stream_entry_line(entry);

		if (line * STREAM_LINE_ENTRIES +
			    entry->place % STREAM_LINE_ENTRIES ==
		    at)
			return entry->code;
	}
	return 0;
}

static void
check_place(const struct stream_place *place, const struct wanted_place *wanted)
{
	ck_assert_uint_eq(place->low, wanted->low);
	ck_assert_uint_eq(place->high, wanted->high);
	ck_assert_uint_eq(find_code(place->low), wanted->code);
	if (wanted->high != NONE)
		ck_assert_uint_eq(find_code(place->high), wanted->code + 1);
}

TEST_CASE(layout, NULL, NULL, "amdgpu_stream");

TEST_LOOP(layout, counters_that_fit_get_a_layout, ARRAY_SIZE(fitting))
{
	struct drmperf_error error = { 0 };

	open_gpu(fitting[_i].generation, "STREAM STREAM.SQ_WGP");
	read_wishes(fitting[_i].wishes, false);
	ck_assert_msg(!stream_layout_create(&gpu, requests, request_count,
					    &layout, &error),
		      "%s", error.cause);
	ck_assert_uint_eq(layout->lines, fitting[_i].lines);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(layout->segments[i].lines,
				  fitting[_i].segments[i]);
	for (unsigned i = 0; i < STREAM_TIME_ENTRIES; i++)
		ck_assert_uint_eq(find_code(i), layout->table.time_codes[i]);
	check_place(&layout->places[0], &fitting[_i].first);
	check_place(&layout->places[layout->place_count - 1],
		    &fitting[_i].last);
	stream_layout_destroy(layout);
	amdgpu_table_close(&table);
}

TEST_LOOP(layout, layout_is_refused, ARRAY_SIZE(refused))
{
	struct drmperf_error error = { 0 };

	open_gpu(refused[_i].generation, NULL);
	read_wishes(refused[_i].wishes, refused[_i].follows);
	ck_assert_int_eq(stream_layout_create(&gpu, requests, request_count,
					      &layout, &error),
			 refused[_i].ret);
	ck_assert_msg(strstr(error.cause, refused[_i].cause), "%s",
		      error.cause);
	ck_assert_msg(strstr(error.remedy, refused[_i].remedy), "%s",
		      error.remedy);
	amdgpu_table_close(&table);
}
