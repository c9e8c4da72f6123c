/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What streams of xe that drmsim simulates deliver, seen by a program below it:
 * bare reports, what they count by the registers, reading, poll, status, and
 * what goes wrong with a unit.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/xe_node.h"
#include "tests/support/scene.h"

#define REPORT 576
#define TICK_HZ 19200000
/* The default clock of Battlemage: 2841.6 MHz. */
#define CLOCKS UINT64_C(148)

static uint8_t data[8 << 20];

static uint64_t
in_report(unsigned n, unsigned offset)
{
	return xe_u64(data + (size_t)n * REPORT + offset);
}

/* Return what PEC counter p has counted from one report to the next. */
static uint64_t
counted_by(unsigned n, unsigned p)
{
	return in_report(n + 1, 32 + 8 * p) - in_report(n, 32 + 8 * p);
}

static uint64_t
status_of(int stream)
{
	uint64_t status[5] = { 9, 9, 9, 9, 9 };

	ck_assert_int_eq(node_call(stream, STREAM_STATUS, status), 0);
	ck_assert_uint_eq(status[0], 0);
	return status[1];
}

/* Add a set. One register after the other is written when it is used. */
static int
add_set(int fd, const char *uuid, const struct xe_pair *pairs, unsigned count)
{
	int id = xe_add(fd, uuid, pairs, count);

	ck_assert_int_ge(id, 1);
	return id;
}

static void
use_set(int stream, int id)
{
	const struct xe_property set = { 3, (uint64_t)id };
	struct xe_link link;

	ck_assert_int_ge(node_call(stream, STREAM_CONFIG,
				   (void *)(uintptr_t)xe_chain(&link, &set, 1)),
			 1);
}

static const struct xe_pair plain[] = {
	{ 0x13000, 0x402 }, /* P0 */
	{ 0x13038, 0x601 }, /* P7 */
	{ 0x13040, 0x601 }, /* P8 */
	{ 0xe458, 0x050 << 12 }, /* P8: one stage only */
	{ 0x13300, 0x5a00 }, /* P32, in its three copies: busy */
	{ 0x13500, 0x5a00 },	 { 0x13700, 0x5a00 },
	{ 0x13308, 0x4405 }, /* P33, one copy of three */
	{ 0x13308 + 0x200, 0 },	 { 0x13308 + 0x400, 0 },
	{ 0x13010, 0x3e00 }, /* P2: clocks of all XeCores */
	{ 0x13018, 0x00713e00 }, /* P3: of the eighth */
	{ 0x13020, 0x03f13e00 }, /* P4: of one that is not there */
};

/* Return the steps in 256ths of a tick. */
static uint64_t
steps_of(uint32_t selector)
{
	return 256 + selector % (256 * (CLOCKS - 1));
}

/* ------------------------------------------------------------------ */

TEST_CASE(counting, NULL, nodes_close, "drmsim_xe_streams");

/* Reports of 2^13 ticks, 427 us. */
TEST(counting, reports_count_what_registers_say)
{
	int fd = node_open(BMG);
	int id = add_set(fd, UUID, plain, ARRAY_SIZE(plain));
	int stream = xe_oag(fd, id, 12), got;
	uint64_t ticks, clocks;

	ck_assert_int_ge(stream, 0);
	scene_pass(10 * MS);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_ge(got, 20 * REPORT);
	ck_assert_int_eq(got % REPORT, 0);
	for (unsigned n = 0; n + 1 < (unsigned)got / REPORT; n++) {
		ck_assert_uint_eq(in_report(n, 0) >> 19 & 0x3f, 1);
		ck_assert_uint_eq(in_report(n, 8) % 8192, 4096);
		ticks = in_report(n + 1, 8) - in_report(n, 8);
		clocks = in_report(n + 1, 24) - in_report(n, 24);
		ck_assert_uint_eq(ticks, 8192);
		ck_assert_uint_eq(clocks, CLOCKS * ticks);
		ck_assert_uint_eq(counted_by(n, 0),
				  ticks / 256 * steps_of(0x402));
		ck_assert_uint_eq(counted_by(n, 7),
				  ticks / 256 * steps_of(0x601));
		ck_assert_uint_eq(counted_by(n, 8),
				  ticks / 256 * steps_of(0x601) * 6 / 16);
		ck_assert_uint_eq(counted_by(n, 32), clocks);
		ck_assert_uint_le(counted_by(n, 33),
				  ticks / 256 * steps_of(0x4405) / 3 + 1);
		ck_assert_uint_ge(counted_by(n, 33),
				  ticks / 256 * steps_of(0x4405) / 3);
		ck_assert_uint_eq(counted_by(n, 2), 20 * clocks);
		ck_assert_uint_eq(counted_by(n, 3), clocks);
		ck_assert_uint_eq(counted_by(n, 4), 0);
		ck_assert_uint_eq(counted_by(n, 1), 0);
	}
}

/* Return how much P8 counts of an event in a report, in sixteenths of all. */
static uint64_t
share_of_p8(int stream)
{
	int got = xe_read(stream, data, sizeof(data));

	/* the first ones are of the time before */
	scene_pass(10 * MS);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_ge(got, 2 * REPORT);
	return counted_by(0, 8) * 16 / (8192 / 256 * steps_of(0x601));
}

/* What a set does not write is what the one before it has left there. */
TEST(counting, registers_that_a_set_omits_stay)
{
	static const struct xe_pair filter[] = { { 0xe458, 0x060 << 12 } };
	static const struct xe_pair select[] = { { 0x13040, 0x601 } };
	static const struct xe_pair clear[] = { { 0xe458, 0 } };
	int fd = node_open(BMG), stream;
	int filtered = add_set(fd, UUID, filter, 1);
	int selected = add_set(fd, OTHER_UUID, select, 1);
	int cleared =
		add_set(fd, "11234567-89ab-cdef-0123-456789abcdef", clear, 1);

	stream = xe_oag(fd, filtered, 12);
	node_close(stream);
	/* another file, another stream: the filter is still there */
	stream = xe_oag(fd, selected, 12);
	ck_assert_uint_eq(share_of_p8(stream), 7);
	use_set(stream, cleared);
	ck_assert_uint_eq(share_of_p8(stream), 16);
}

/* Each unit has its own selectors, by 32 bits in MPEC8u32. */
TEST(counting, each_media_unit_has_its_selectors)
{
	static const struct xe_pair pairs[] = {
		{ 0x394200, 1 },
		{ 0x394208, 2 },
		{ 0x394a00, 0x200 },
		{ 0x393200, 3 },
	};
	static const uint32_t selectors[][2] = {
		{ 0 }, { 3, 0 }, { 1, 2 }, { 0x200, 0 }
	};
	int fd = node_open(BMG), id = add_set(fd, UUID, pairs, 4);

	for (unsigned unit = 1; unit < 4; unit++) {
		const struct xe_property properties[] = { { 1, unit },
							  { 2, 1 },
							  { 3, (uint64_t)id },
							  { 4, MPEC8U32 },
							  { 5, 12 } };
		int stream = node_opened(xe_stream(fd, properties, 5));

		xe_set_nonblocking(stream);
		scene_pass(10 * MS);
		ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 10 * 128);
		ck_assert_uint_eq(xe_u64(data + 128 + 8) - xe_u64(data + 8),
				  8192);
		for (unsigned m = 0; m < 2; m++) {
			uint32_t s = selectors[unit][m];
			uint32_t value = node_word(data + 128 + 32 + 4 * m) -
					 node_word(data + 32 + 4 * m);

			ck_assert_uint_eq(value, s ? 32 * (256 + s) : 0);
		}
		node_close(stream);
	}
}

/* Sizes of reports by format; the header is the same. */
static const struct {
	uint32_t format;
	int size;
} formats[] = {
	{ 0x00010105, 576 }, { 0x01010105, 640 }, { 0x00000105, 320 },
	{ 0x00010505, 320 }, { 0x00000505, 192 }, { 0x00010605, 320 },
	{ 0x00000605, 192 }, { 0x00010305, 320 }, { 0x00010405, 320 },
};

TEST_LOOP(counting, sizes_of_reports, ARRAY_SIZE(formats))
{
	const struct xe_pair pairs[] = { { 0x13000, 0x402 } };
	int fd = node_open(PTL), id = add_set(fd, UUID, pairs, 1), stream, got;
	const struct xe_property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, formats[_i].format },
		{ 5, 12 },
	};
	int size = formats[_i].size;

	stream = node_opened(xe_stream(fd, properties, 4));
	xe_set_nonblocking(stream);
	scene_pass(10 * MS);
	ck_assert_int_eq(xe_read(stream, data, (size_t)size - 1), -ENOSPC);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_ge(got, 2 * size);
	ck_assert_int_eq(got % size, 0);
	for (int n = 0; n + 1 < got / size; n++)
		ck_assert_uint_eq(xe_u64(data + (n + 1) * size + 8) -
					  xe_u64(data + n * size + 8),
				  8192);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

TEST_CASE(reading, NULL, nodes_close, "drmsim_xe_streams");

/* Reports of 2^14 ticks, 853 us, and a timer of 5 ms. */
TEST(reading, poll_waits_for_the_timer)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1);
	int stream = xe_oag(fd, id, 13), got;

	scene_pass(4 * MS);
	ck_assert(!node_is_readable(stream));
	/* a read looks at the unit itself */
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_ge(got, 2 * REPORT);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(xe_read(stream, data, 0), -EAGAIN);
	scene_pass(6 * MS);
	ck_assert(node_is_readable(stream));
	/* too small a buffer leaves it readable */
	ck_assert_int_eq(xe_read(stream, data, REPORT - 1), -ENOSPC);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, 2 * REPORT - 1), REPORT);
	ck_assert(node_is_readable(stream));
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), REPORT);
	ck_assert(!node_is_readable(stream));
}

/* Property 13: neither poll nor a blocking read see fewer. */
TEST(reading, wait_for_reports)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), stream, got;
	const struct xe_property properties[] = {
		{ 2, 1 },  { 3, (uint64_t)id }, { 4, PEC64U64 },
		{ 5, 13 }, { 13, 12 },		{ 12, 131072 },
	};
	uint64_t before, after;

	stream = node_opened(xe_stream(fd, properties, 6));
	scene_pass(6 * MS);
	ck_assert(!node_is_readable(stream));
	ck_assert_int_eq(drmsim_now(&before), 0);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_int_ge(got, 12 * REPORT);
	ck_assert_uint_eq(after - before, 9 * MS);
	/* who does not block gets what there is */
	xe_set_nonblocking(stream);
	scene_pass(3 * MS);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_ge(got, REPORT);
	ck_assert_int_lt(got, 12 * REPORT);
}

TEST(reading, blocking_needs_a_period)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), stream;
	const struct xe_property properties[] = { { 2, 1 },
						  { 3, (uint64_t)id },
						  { 4, PEC64U64 } };

	stream = node_opened(xe_stream(fd, properties, 3));
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EINVAL);
	xe_set_nonblocking(stream);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
}

/* Whole reports only, up to the first that faults. */
TEST(reading, read_into_a_hole)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1);
	int stream = xe_oag(fd, id, 13);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t first;

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_READ), 0);
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, pages + page - REPORT - 8, page),
			 REPORT);
	first = xe_u64(pages + page - REPORT - 8 + 8);
	ck_assert_int_eq(xe_read(stream, pages + page - 8, page), -EFAULT);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), REPORT);
	ck_assert_uint_eq(in_report(0, 8) - first, 1 << 14);
	munmap(pages, 2 * page);
}

TEST(reading, enable_and_disable)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), stream;
	const struct xe_property properties[] = {
		{ 2, 1 }, { 3, (uint64_t)id }, { 4, PEC64U64 }, { 5, 13 },
		{ 6, 1 },
	};

	stream = node_opened(xe_stream(fd, properties, 5));
	xe_set_nonblocking(stream);
	scene_pass(10 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	scene_pass(4 * MS);
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	/* what was written before is there still, and nothing after it */
	ck_assert(node_is_readable(stream));
	scene_pass(10 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 3 * REPORT);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, 0x6909, NULL), -EINVAL);
}

/* CONFIG answers with the set before, after half a millisecond. */
TEST(reading, a_config_change_answers_with_the_old_set)
{
	static const struct xe_pair pairs[] = { { 0x13000, 0x777 } };
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1);
	int other = add_set(fd, OTHER_UUID, pairs, 1);
	int stream = xe_oag(fd, id, 12);
	struct xe_property property = { 3, (uint64_t)other };
	struct xe_link link;
	uint64_t before, after;
	void *chain = (void *)(uintptr_t)xe_chain(&link, &property, 1);

	ck_assert_int_eq(drmsim_now(&before), 0);
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, chain), id);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, MS / 2);
	xe_read(stream, data, sizeof(data));
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 2 * REPORT);
	ck_assert_uint_eq(counted_by(0, 0), 32 * steps_of(0x777));
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, chain), other);
	link.value = 0x7777;
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, chain), -ENODEV);
	link.property = 4;
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, chain), -EINVAL);
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, NULL), -EFAULT);
}

struct change {
	int stream, result;
	void *chain;
};

static void *
change_set(void *argument)
{
	struct change *change = argument;

	change->result =
		node_call(change->stream, STREAM_CONFIG, change->chain);
	return NULL;
}

/* An engine writes it, behind what it does: the old set counts until then. */
TEST(reading, another_set_behind_a_long_kernel)
{
	static const struct xe_pair pairs[] = { { 0x13000, 0x777 } };
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1);
	int other = add_set(fd, OTHER_UUID, pairs, 1);
	struct change change = { .stream = xe_oag(fd, id, 12) };
	struct xe_property property = { 3, (uint64_t)other };
	const uint64_t calls = scene_calls("xe_oa_ioctl");
	struct xe_link link;
	pthread_t thread;

	change.chain = (void *)(uintptr_t)xe_chain(&link, &property, 1);
	scene_set("long-kernel", "1");
	ck_assert_int_eq(pthread_create(&thread, NULL, change_set, &change), 0);
	while (scene_calls("xe_oa_ioctl") == calls)
		sched_yield();
	xe_read(change.stream, data, sizeof(data));
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(change.stream, data, sizeof(data)),
			 2 * REPORT);
	ck_assert_uint_eq(counted_by(0, 0), 32 * steps_of(plain[0].value));
	scene_set("long-kernel", "0");
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(change.result, id);
	xe_read(change.stream, data, sizeof(data));
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(change.stream, data, sizeof(data)),
			 2 * REPORT);
	ck_assert_uint_eq(counted_by(0, 0), 32 * steps_of(0x777));
}

TEST(reading, the_info_call_reports_the_buffers_size)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), stream;
	const struct xe_property properties[] = {
		{ 2, 1 }, { 3, (uint64_t)id }, { 4, PEC64U64 }, { 12, 1 << 20 }
	};
	uint64_t answer[5] = { 0 };

	stream = xe_oag(fd, id, 13);
	ck_assert_int_eq(node_call(stream, STREAM_INFO, answer), 0);
	ck_assert_uint_eq(answer[1], 16 << 20);
	node_close(stream);
	stream = xe_stream(fd, properties, 4);
	ck_assert_int_eq(node_call(stream, STREAM_INFO, answer), 0);
	ck_assert_uint_eq(answer[1], 1 << 20);
	ck_assert_int_eq(node_call(stream, STREAM_INFO, NULL), -EFAULT);
	ck_assert_uint_eq(status_of(stream), 0);
}

/* ------------------------------------------------------------------ */
/* What goes wrong                                                      */

/*
 * What is flagged makes one read fail, with EIO; STATUS repeats the last
 * read's.
 */
static const struct flag {
	const char *key, *value;
	uint64_t status;
} flags[] = {
	{ "gpu2.oa-lose", "3", 1 },
	{ "gpu2.oa-overflow", "1", 2 },
	{ "gpu2.oa-status", "4", 4 },
	{ "gpu2.oa-status", "8", 8 },
};

TEST_CASE(mishaps, NULL, nodes_close, "drmsim_xe_streams");

TEST_LOOP(mishaps, flags_are_told_once, ARRAY_SIZE(flags))
{
	const struct flag *c = &flags[_i];
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1);
	int stream = xe_oag(fd, id, 13);

	scene_pass(6 * MS);
	scene_set(c->key, c->value);
	ck_assert_uint_eq(status_of(stream), 0);
	scene_pass(6 * MS);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EIO);
	ck_assert(node_is_readable(stream));
	ck_assert_uint_eq(status_of(stream), c->status);
	ck_assert_uint_eq(status_of(stream), c->status);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 5 * REPORT);
	ck_assert_uint_eq(status_of(stream), 0);
}

/* A buffer that is full: nothing more comes until the unit is enabled again. */
TEST(mishaps, a_full_buffer_stays_full_until_enabled)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), stream;
	const struct xe_property properties[] = {
		{ 2, 1 },  { 3, (uint64_t)id }, { 4, PEC64U64 },
		{ 5, 10 }, { 12, 131072 },
	};

	stream = node_opened(xe_stream(fd, properties, 5));
	xe_set_nonblocking(stream);
	/* 227 reports of 107 us */
	scene_pass(30 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EIO);
	ck_assert_uint_eq(status_of(stream), 2);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 226 * REPORT);
	scene_pass(10 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 90 * REPORT);
}

/* An engine's reset takes what the set has written; time goes on. */
TEST(mishaps, reset_loses_the_set)
{
	int fd = node_open(BMG);
	int id = add_set(fd, UUID, plain, ARRAY_SIZE(plain));
	int stream = xe_oag(fd, id, 12);

	scene_pass(10 * MS);
	ck_assert_int_eq(drmsim_reset_gpu(2), 0);
	xe_read(stream, data, sizeof(data));
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 3 * REPORT);
	ck_assert_uint_eq(in_report(2, 8) - in_report(1, 8), 8192);
	ck_assert_uint_eq(in_report(2, 24) - in_report(1, 24), CLOCKS * 8192);
	for (unsigned p = 0; p < 64; p++)
		ck_assert_uint_eq(counted_by(1, p), 0);
	ck_assert_uint_eq(status_of(stream), 0);
	/* nothing else writes it again */
	use_set(stream, id);
	xe_read(stream, data, sizeof(data));
	scene_pass(10 * MS);
	ck_assert_int_ge(xe_read(stream, data, sizeof(data)), 3 * REPORT);
	ck_assert_uint_eq(counted_by(1, 32), CLOCKS * 8192);
}

TEST(mishaps, a_report_out_of_turn)
{
	int fd = node_open(BMG), id = add_set(fd, UUID, plain, 1), got;
	int stream = xe_oag(fd, id, 13);
	unsigned reasons = 0;

	scene_pass(2 * MS);
	scene_set("gpu2.oa-trigger", "64");
	scene_set("gpu2.contexts", "0x21:1ms,0x22:1ms");
	scene_pass(10 * MS);
	got = xe_read(stream, data, sizeof(data));
	for (unsigned n = 0; n < (unsigned)got / REPORT; n++) {
		unsigned reason = in_report(n, 0) >> 19 & 0x7f;

		reasons |= reason;
		if (reason == 8)
			ck_assert((uint32_t)in_report(n, 16) == 0x21 ||
				  (uint32_t)in_report(n, 16) == 0x22);
	}
	ck_assert_uint_eq(reasons, 1 | 8 | 64);
	scene_set("gpu2.contexts", "0x20");
}

TEST_MACHINE("drmsim_xe_streams", XE_GPUS);
