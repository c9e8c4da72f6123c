/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EU stall sampling under xe that drmsim simulates, seen by a program below it:
 * the query, who may open a stream and how, what is read of rows that the
 * scenario tells, when rows are dropped, and what a reset leaves. Numbers,
 * layouts and the order of checks are those of Linux 6.15 xe_eu_stall.c, what
 * follows a reset that of 2026; fields of records are decoded here again.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/xe_node.h"
#include "tests/support/scene.h"

#define QUERY_EU_STALL 10
#define EU_STALL 1
#define RECORD 64
#define BUFFER 8192 /* rows of an XeCore */

/* Properties. */
enum {
	GT = 1,
	RATE,
	WAIT,
};

static uint8_t data[16 << 20];

static int
open_stream(int fd, const struct xe_property *properties, unsigned count)
{
	struct xe_link links[8];
	int stream;

	ck_assert_uint_le(count, 8);
	stream =
		xe_observe(fd, EU_STALL, 0, xe_chain(links, properties, count));
	node_keep(stream);
	return stream;
}

/* Open a stream of GT 0: shortest interval, not blocking, enabled. */
static int
enabled_stream(int fd)
{
	static const struct xe_property properties[] = { { GT, 0 },
							 { RATE, 251 } };
	int stream = node_opened(open_stream(fd, properties, 2));

	xe_set_nonblocking(stream);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	return stream;
}

static uint64_t
record_field(const uint8_t *record, unsigned first, unsigned bits)
{
	uint64_t value = 0;

	for (unsigned b = 0; b < bits; b++) {
		unsigned at = first + b;

		value |= (uint64_t)(record[at / 8] >> at % 8 & 1) << b;
	}
	return value;
}

/* Return the address in a record of Xe2. */
static uint64_t
ip_of(const uint8_t *record)
{
	return record_field(record, 0, 29);
}

/* Count the records read that have an address. */
static unsigned
count_ip(int bytes, uint64_t ip)
{
	unsigned count = 0;

	for (int at = 0; at < bytes; at += RECORD)
		count += ip_of(data + at) == ip;
	return count;
}

static void
set_up(void)
{
	scene_set("gpu0.eu-stall-row", "none");
	scene_set("gpu0.eu-stall-rate", "0");
}

/* ------------------------------------------------------------------ */
/* The query                                                            */

TEST_CASE(opening, NULL, nodes_close, "drmsim_eu_stall");

TEST_LOOP(opening, the_query_reports_rates_and_record_size, 6)
{
	static const enum gpu gpus[] = { LNL, BMG, PTL, PVC, NVLP, CRI };
	int fd = node_open(gpus[_i]);
	uint32_t size;

	ck_assert_int_eq(xe_query(fd, QUERY_EU_STALL, data, sizeof(data)), 136);
	ck_assert_uint_eq(xe_u64(data), 0);
	ck_assert_uint_eq(xe_u64(data + 8), 1);
	ck_assert_uint_eq(xe_u64(data + 16), RECORD);
	ck_assert_uint_eq(xe_u64(data + 24), 524288);
	for (unsigned i = 0; i < 5; i++)
		ck_assert_uint_eq(xe_u64(data + 32 + 8 * i), 0);
	ck_assert_uint_eq(xe_u64(data + 72), 7);
	for (unsigned i = 0; i < 7; i++)
		ck_assert_uint_eq(xe_u64(data + 80 + 8 * i), 251 * (i + 1));
	for (size = 1; size < 200; size += 45)
		ck_assert_int_eq(xe_query_once(fd, QUERY_EU_STALL, &size, data),
				 size == 136 ? 0 : -EINVAL);
	size = 136;
	ck_assert_int_eq(xe_query_once(fd, QUERY_EU_STALL, &size, NULL),
			 -EFAULT);
}

TEST_LOOP(opening, gpus_without_it, 3)
{
	static const struct xe_property gt = { GT, 0 };
	static const enum gpu gpus[] = { MTL, DG2, OTHER_TGL };
	int fd = node_open(gpus[_i]);
	uint32_t size = 0;

	ck_assert_int_eq(xe_query_once(fd, QUERY_EU_STALL, &size, NULL),
			 -ENODEV);
	ck_assert_int_eq(open_stream(fd, &gt, 1), -ENODEV);
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, 0), -ENODEV);
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 1, 0), -EINVAL);
}

TEST(opening, kernel_without_it)
{
	static const struct xe_property gt = { GT, 0 };
	int fd = node_open(LNL);
	uint32_t size = 0;

	scene_set("gpu0.eu-stall", "off");
	ck_assert_int_eq(xe_query_once(fd, QUERY_EU_STALL, &size, NULL),
			 -EINVAL);
	ck_assert_int_eq(open_stream(fd, &gt, 1), -EINVAL);
	scene_set("gpu0.eu-stall", "on");
	ck_assert_int_eq(xe_query_once(fd, QUERY_EU_STALL, &size, NULL), 0);
	node_opened(open_stream(fd, &gt, 1));
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static const struct opening {
	enum gpu gpu;
	unsigned count;
	struct xe_property properties[6];
	int result; /* 0: opens */
} openings[] = {
	{ LNL, 1, { { GT, 0 } }, 0 },
	{ LNL, 1, { { GT, 256 } }, 0 }, /* 8 bits of it are taken */
	{ PVC, 1, { { GT, 1 } }, 0 },
	{ LNL, 1, { { GT, 2 } }, -EINVAL },
	{ LNL, 1, { { GT, 255 } }, -EINVAL },
	{ LNL, 1, { { GT, 1 } }, -EINVAL }, /* media: no XeCore to wait for */
	{ LNL, 1, { { RATE, 251 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { RATE, 251 } }, 0 },
	{ LNL, 2, { { RATE, 1757 }, { GT, 0 } }, 0 },
	{ LNL, 2, { { GT, 0 }, { RATE, 300 } }, 0 },
	{ LNL, 2, { { GT, 0 }, { RATE, 2007 } }, 0 },
	{ LNL, 2, { { GT, 0 }, { RATE, 2008 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { RATE, 2510 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { RATE, 250 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { RATE, 0 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { WAIT, 0 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { WAIT, 8 * BUFFER } }, 0 },
	{ LNL, 2, { { GT, 0 }, { WAIT, 8 * BUFFER + 1 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { WAIT, UINT64_MAX } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { WAIT, UINT64_C(1) << 32 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { WAIT, (UINT64_C(1) << 32) + 1 } }, 0 },
	{ LNL, 2, { { GT, 0 }, { 0, 0 } }, -EINVAL },
	{ LNL, 2, { { GT, 0 }, { 4, 0 } }, -EINVAL },
	/* of several the last one holds */
	{ LNL, 3, { { GT, 0 }, { WAIT, 0 }, { WAIT, 1 } }, 0 },
	{ LNL, 3, { { GT, 255 }, { GT, 0 }, { WAIT, 1 } }, -EINVAL },
	{ LNL,
	  5,
	  { { GT, 0 }, { WAIT, 1 }, { WAIT, 1 }, { WAIT, 1 }, { WAIT, 1 } },
	  0 },
	{ LNL,
	  6,
	  { { GT, 0 },
	    { WAIT, 1 },
	    { WAIT, 1 },
	    { WAIT, 1 },
	    { WAIT, 1 },
	    { WAIT, 1 } },
	  -E2BIG },
};

TEST_LOOP(opening, properties_decide_whether_a_stream_opens,
	  ARRAY_SIZE(openings))
{
	const struct opening *c = &openings[_i];
	int fd = node_open(c->gpu);
	int stream = open_stream(fd, c->properties, c->count);

	ck_assert_msg(c->result ? stream == c->result : stream >= 0,
		      "case %d: %d", _i, stream);
}

/* A link's own words, judged before the property in it. */
TEST(opening, links_are_checked_before_properties)
{
	struct xe_link link = { .property = GT };
	uintptr_t at = (uintptr_t)&link;
	int fd = node_open(LNL);

	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, 0), -EFAULT);
	link.name = 1;
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, at), -EINVAL);
	link.name = 0;
	link.pad = 1;
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, at), -EINVAL);
	link.pad = 0;
	link.pad2 = 1;
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, at), -EINVAL);
	link.pad2 = 0;
	link.next = 8;
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, at), -EFAULT);
	link.next = 0;
	/* only OPEN, only this type of stream */
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 1, at), -EINVAL);
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 2, at), -EINVAL);
	ck_assert_int_eq(xe_observe(fd, 2, 0, at), -EINVAL);
}

/* Rights are checked before the properties. */
TEST(opening, rights_are_checked_before_properties)
{
	static const struct xe_property gt = { GT, 0 }, none = { GT, 255 };
	int fd = node_open(LNL);

	scene_set("unprivileged", "1");
	ck_assert_int_eq(open_stream(fd, &gt, 1), -EACCES);
	ck_assert_int_eq(open_stream(fd, &none, 1), -EACCES);
	ck_assert_int_eq(xe_observe(fd, EU_STALL, 0, 0), -EACCES);
	scene_set("gpu0.observation-paranoid", "0");
	node_opened(open_stream(fd, &gt, 1));
	scene_set("unprivileged", "0");
	scene_set("gpu0.observation-paranoid", "1");
}

TEST(opening, one_stream_for_each_gt)
{
	static const struct xe_property first = { GT, 0 }, second = { GT, 1 };
	static const struct xe_property no_wait[] = { { GT, 0 }, { WAIT, 0 } };
	int fd = node_open(PVC), other = node_open(PVC);
	int stream = node_opened(open_stream(fd, &first, 1));

	node_opened(open_stream(other, &second, 1));
	ck_assert_int_eq(open_stream(other, &first, 1), -EBUSY);
	/* asked before how many rows are waited for */
	ck_assert_int_eq(open_stream(fd, no_wait, 2), -EBUSY);
	ck_assert_int_eq(fcntl(stream, F_GETFD), 0);
	ck_assert_int_eq(fcntl(stream, F_GETFL) & O_NONBLOCK, 0);
	node_close(stream);
	node_opened(open_stream(other, &first, 1));
}

TEST(opening, a_stream_knows_its_three_ioctls)
{
	static const struct xe_property gt = { GT, 0 };
	uint64_t answer[5] = { 0 };
	int fd = node_open(LNL), stream = node_opened(open_stream(fd, &gt, 1));

	for (unsigned round = 0; round < 2; round++) {
		ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
		ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
		ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
		ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	}
	ck_assert_int_eq(node_call(stream, STREAM_CONFIG, answer), -EINVAL);
	ck_assert_int_eq(node_call(stream, STREAM_STATUS, answer), -EINVAL);
	ck_assert_int_eq(node_call(stream, STREAM_INFO, answer), -EINVAL);
	ck_assert_int_eq(node_call(stream, 0x6905, answer), -EINVAL);
	ck_assert_ptr_eq(mmap(NULL, 4096, PROT_READ, MAP_SHARED, stream, 0),
			 MAP_FAILED);
	ck_assert_int_eq(errno, ENODEV);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

TEST_CASE(reading, NULL, nodes_close, "drmsim_eu_stall");

TEST(reading, read_takes_whole_records)
{
	static const struct xe_property gt = { GT, 0 };
	int fd = node_open(LNL), stream = open_stream(fd, &gt, 1);

	set_up();
	xe_set_nonblocking(stream);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EINVAL);
	ck_assert(!node_is_readable(stream));
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert_int_eq(xe_read(stream, data, RECORD - 1), -EINVAL);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EAGAIN);
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1");
	scene_set("gpu0.eu-stall-emit", "5");
	scene_pass(MS);
	/* what the timer has not seen is not there */
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EAGAIN);
	ck_assert(!node_is_readable(stream));
	scene_pass(6 * MS);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, 3 * RECORD - 1), 2 * RECORD);
	/* what is left over is read; poll() waits for the timer again */
	ck_assert(!node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 3 * RECORD);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EINVAL);
}

/* Each XeCore's rows by their weights, one XeCore after the other. */
TEST(reading, rows_come_by_xecore)
{
	int fd = node_open(LNL), stream = enabled_stream(fd), got, at = 0;

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 weight=3");
	scene_set("gpu0.eu-stall-row", "0x200 cores=0x82 weight=2");
	scene_set("gpu0.eu-stall-row", "0x300");
	scene_set("gpu0.eu-stall-emit", "12");
	scene_pass(6 * MS);
	got = xe_read(stream, data, sizeof(data));
	ck_assert_int_eq(got, 8 * 12 * RECORD);
	for (unsigned core = 0; core < 8; core++) {
		unsigned twos = core == 1 || core == 7 ? 2 : 0;

		for (unsigned n = 0; n < 12; n++, at += RECORD) {
			unsigned turn = n % (4 + twos);
			uint64_t ip = turn < 3		? 0x100
				      : turn < 3 + twos ? 0x200
							: 0x300;

			ck_assert_uint_eq(ip_of(data + at), ip);
		}
	}
	ck_assert_uint_eq(count_ip(got, 0x200), 8);
}

/*
 * Rows a second of each XeCore, for an interval of 251 clocks; longer ones
 * bring fewer.
 */
TEST_LOOP(reading, rows_come_by_rate, 7)
{
	const struct xe_property properties[] = {
		{ GT, 0 },
		{ RATE, 251 * ((uint64_t)_i + 1) },
	};
	int fd = node_open(LNL), stream = open_stream(fd, properties, 2);

	set_up();
	xe_set_nonblocking(stream);
	scene_set("gpu0.eu-stall-row", "0x100");
	scene_set("gpu0.eu-stall-rate", "42000");
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	scene_pass(50 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)),
			 8 * (2100 / (_i + 1)) * RECORD);
}

/* What is fused off writes no rows; the other XeCores keep their numbers. */
TEST(reading, fused_off_cores_write_no_rows)
{
	int fd = node_open(LNL), stream, got;

	set_up();
	scene_set("gpu0.subslices", "0xd:0xf");
	stream = enabled_stream(fd);
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x3");
	scene_set("gpu0.eu-stall-row", "0x200 cores=0x10");
	scene_set("gpu0.eu-stall-emit", "10");
	scene_pass(6 * MS);
	got = xe_read(stream, data, sizeof(data));
	scene_set("gpu0.subslices", "0xf:0xf");
	ck_assert_uint_eq(count_ip(got, 0x100), 10);
	ck_assert_uint_eq(count_ip(got, 0x200), 10);
	ck_assert_int_eq(got, 20 * RECORD);
}

TEST(reading, poll_waits_for_rows)
{
	static const struct xe_property properties[] = { { GT, 0 },
							 { WAIT, 30 } };
	int fd = node_open(LNL), stream = open_stream(fd, properties, 2);

	set_up();
	xe_set_nonblocking(stream);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x5");
	scene_set("gpu0.eu-stall-emit", "14");
	scene_pass(6 * MS);
	ck_assert(!node_is_readable(stream));
	scene_set("gpu0.eu-stall-emit", "1");
	scene_pass(6 * MS);
	ck_assert(node_is_readable(stream));
	/* read() takes what there is, however few */
	ck_assert_int_eq(xe_read(stream, data, 29 * RECORD), 29 * RECORD);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), RECORD);
}

/* A blocking read ends when the timer has seen rows. */
TEST(reading, a_blocking_read_waits_for_rows)
{
	static const struct xe_property gt = { GT, 0 };
	int fd = node_open(LNL), stream = open_stream(fd, &gt, 1);
	uint64_t before, after;

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1");
	scene_set("gpu0.eu-stall-rate", "1000");
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert_int_eq(drmsim_now(&before), 0);
	/* one in 4 ms: the interval is four times the shortest */
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), RECORD);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, 5 * MS);
	scene_set("gpu0.eu-stall-rate", "500");
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), RECORD);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, 15 * MS);
}

static void
ignore_signal(int number)
{
	(void)number;
}

static atomic_bool read_has_ended;

static void *
read_stream(void *stream)
{
	static uint8_t record[RECORD];
	const intptr_t result = xe_read(*(int *)stream, record, RECORD);

	atomic_store(&read_has_ended, true);
	return (void *)result;
}

TEST(reading, signal_ends_a_blocking_read)
{
	static const struct xe_property gt = { GT, 0 };
	const struct sigaction action = { .sa_handler = ignore_signal };
	int fd = node_open(LNL), stream = open_stream(fd, &gt, 1);
	const uint64_t calls = scene_calls("xe_eu_stall_read");
	pthread_t thread;
	void *result;

	atomic_store(&read_has_ended, false);
	set_up();
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_stream, &stream),
			 0);
	while (scene_calls("xe_eu_stall_read") == calls)
		sched_yield();
	/* The first signal may come before the thread waits. */
	while (!atomic_load(&read_has_ended)) {
		ck_assert_int_eq(pthread_kill(thread, SIGUSR1), 0);
		sched_yield();
	}
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_int_eq((intptr_t)result, -EINTR);
}

/* Rows that could not be copied stay. */
TEST(reading, read_into_a_hole)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);
	uint8_t *end =
		mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(end, MAP_FAILED);
	ck_assert_int_eq(mprotect(end, 4096, PROT_READ | PROT_WRITE), 0);
	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x3");
	scene_set("gpu0.eu-stall-emit", "40");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, NULL, 4096), -EFAULT);
	/* one XeCore's rows fit, those of the next do not */
	ck_assert_int_eq(xe_read(stream, end, 8192), 40 * RECORD);
	ck_assert_int_eq(xe_read(stream, end + 4096, 4096), -EFAULT);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 40 * RECORD);
	munmap(end, 8192);
}

/* What was not read before DISABLE is not read after ENABLE. */
TEST(reading, enable_begins_anew)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1");
	scene_set("gpu0.eu-stall-emit", "9000");
	scene_pass(6 * MS);
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	/* the mark of the timer stays */
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(drmsim_set("gpu0.eu-stall-emit", "1"), -EINVAL);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert(node_is_readable(stream));
	scene_set("gpu0.eu-stall-emit", "3");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 3 * RECORD);
}

/* ------------------------------------------------------------------ */
/* What goes wrong                                                      */

TEST_CASE(mishaps, NULL, nodes_close, "drmsim_eu_stall");

/* A buffer holds 8192 rows. A read reports drops once, then rows. */
TEST(mishaps, drops_are_reported_once_before_rows)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x6");
	scene_set("gpu0.eu-stall-emit", "8192");
	scene_pass(6 * MS);
	scene_set("gpu0.eu-stall-row", "none");
	scene_set("gpu0.eu-stall-row", "0x200 cores=0x2");
	scene_set("gpu0.eu-stall-emit", "8");
	/* the timer has not looked yet */
	ck_assert_int_eq(xe_read(stream, data, RECORD), RECORD);
	scene_pass(6 * MS);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), -EIO);
	ck_assert(!node_is_readable(stream));
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)),
			 (2 * BUFFER - 1) * RECORD);
	ck_assert_uint_eq(count_ip((2 * BUFFER - 1) * RECORD, 0x200), 0);
	scene_set("gpu0.eu-stall-emit", "8");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 8 * RECORD);
}

/* An XeCore that a read does not reach keeps its mark: EIO every other time. */
TEST(mishaps, drops_told_again)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x3");
	scene_set("gpu0.eu-stall-emit", "8200");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EIO);
	ck_assert_int_eq(xe_read(stream, data, RECORD), RECORD);
	/* the first XeCore's mark is gone, the second's is not */
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EIO);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)),
			 (2 * BUFFER - 1) * RECORD);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EAGAIN);
}

/* Without a reader the rate fills the buffers. */
TEST(mishaps, full_by_rate)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100");
	scene_set("gpu0.eu-stall-rate", "100000");
	scene_pass(80 * MS);
	ck_assert_int_eq(xe_read(stream, data, RECORD), RECORD);
	scene_pass(10 * MS);
	ck_assert_int_eq(xe_read(stream, data, RECORD), -EIO);
}

/* The timer finds the registers cleared; DISABLE and ENABLE write them. */
TEST(mishaps, a_reset_clears_the_registers)
{
	int fd = node_open(LNL), stream = enabled_stream(fd);

	set_up();
	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1");
	scene_set("gpu0.eu-stall-emit", "5");
	scene_pass(6 * MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	/* not seen yet */
	ck_assert_int_eq(xe_read(stream, data, 2 * RECORD), 2 * RECORD);
	ck_assert_int_eq(drmsim_set("gpu0.eu-stall-emit", "5"), -EINVAL);
	scene_pass(6 * MS);
	for (unsigned round = 0; round < 2; round++) {
		ck_assert(node_is_readable(stream));
		ck_assert_int_eq(xe_read(stream, data, RECORD), -ENODEV);
		ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	}
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	scene_set("gpu0.eu-stall-emit", "4");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, data, sizeof(data)), 4 * RECORD);
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

/* Where fields are; 0: there is none. */
static const struct {
	enum gpu gpu;
	const char *key, *row;
	uint64_t ip;
	unsigned ip_bits;
	struct {
		unsigned first, value;
	} counts[10];
	unsigned ex_id, end_flag;
} layouts[] = {
	{ LNL,
	  "gpu0.eu-stall-row",
	  "0x1abcdef0 tdr=1 other=2 control=3 pipestall=254 send=255 "
	  "dist_acc=6 sbid=7 sync=8 inst_fetch=9 active=129 ex_id=5",
	  0x1abcdef0,
	  29,
	  { { 29, 1 },
	    { 37, 2 },
	    { 45, 3 },
	    { 53, 254 },
	    { 61, 255 },
	    { 69, 6 },
	    { 77, 7 },
	    { 85, 8 },
	    { 93, 9 },
	    { 101, 129 } },
	  109,
	  112 },
	{ PVC,
	  "gpu4.eu-stall-row",
	  "0x1abcdef0 other=2 control=3 pipestall=254 send=255 dist_acc=6 "
	  "sbid=7 sync=8 inst_fetch=9 active=129",
	  0x1abcdef0,
	  29,
	  { { 29, 129 },
	    { 37, 2 },
	    { 45, 3 },
	    { 53, 254 },
	    { 61, 255 },
	    { 69, 6 },
	    { 77, 7 },
	    { 85, 8 },
	    { 93, 9 } },
	  0,
	  0 },
	{ NVLP,
	  "gpu8.eu-stall-row",
	  "0x1abcdef012345678 tdr=1 other=2 control=3 pipestall=254 send=255 "
	  "dist_acc=6 sbid=7 sync=8 inst_fetch=9 active=129 ex_id=5",
	  0x1abcdef012345678,
	  61,
	  { { 61, 1 },
	    { 69, 2 },
	    { 77, 3 },
	    { 85, 254 },
	    { 93, 255 },
	    { 101, 6 },
	    { 109, 7 },
	    { 117, 8 },
	    { 125, 9 },
	    { 133, 129 } },
	  141,
	  144 },
};

TEST_CASE(records, NULL, nodes_close, "drmsim_eu_stall");

TEST_LOOP(records, a_record_has_the_layout_of_its_gpu, ARRAY_SIZE(layouts))
{
	int fd = node_open(layouts[_i].gpu), stream = enabled_stream(fd);
	char key[32];

	set_up();
	scene_set(layouts[_i].key, layouts[_i].row);
	snprintf(key, sizeof(key), "gpu%d.eu-stall-emit", layouts[_i].gpu);
	scene_set(key, "1");
	scene_pass(6 * MS);
	ck_assert_int_eq(xe_read(stream, data, RECORD), RECORD);
	ck_assert_uint_eq(record_field(data, 0, layouts[_i].ip_bits),
			  layouts[_i].ip);
	for (unsigned c = 0; c < 10 && layouts[_i].counts[c].first; c++)
		ck_assert_uint_eq(
			record_field(data, layouts[_i].counts[c].first, 8),
			layouts[_i].counts[c].value);
	if (layouts[_i].ex_id)
		ck_assert_uint_eq(record_field(data, layouts[_i].ex_id, 3), 5);
	if (layouts[_i].end_flag)
		ck_assert_uint_eq(record_field(data, layouts[_i].end_flag, 1),
				  1);
	scene_set(layouts[_i].key, "none");
}

/* Lines of a scenario that are refused. */
static const struct {
	const char *key, *value;
} wrong[] = {
	{ "gpu0.eu-stall", "7.0" },
	{ "gpu0.eu-stall-row", "" },
	{ "gpu0.eu-stall-row", "somewhere" },
	{ "gpu0.eu-stall-row", "0x20000000" }, /* above 29 bits */
	{ "gpu0.eu-stall-row", "0x100 active" },
	{ "gpu0.eu-stall-row", "0x100 active=256" },
	{ "gpu0.eu-stall-row", "0x100 idle=1" },
	{ "gpu0.eu-stall-row", "0x100 ex_id=8" },
	{ "gpu0.eu-stall-row", "0x100 weight=0" },
	{ "gpu0.eu-stall-row", "0x100 weight=1000001" },
	{ "gpu4.eu-stall-row", "0x100 tdr=1" },
	{ "gpu4.eu-stall-row", "0x100 ex_id=1" },
	{ "gpu0.eu-stall-rate", "-1" },
	{ "gpu0.eu-stall-rate", "100000001" },
	{ "gpu0.eu-stall-emit", "1" }, /* no stream samples */
};

TEST_LOOP(records, wrong_settings_are_refused, ARRAY_SIZE(wrong))
{
	ck_assert_int_eq(drmsim_set(wrong[_i].key, wrong[_i].value), -EINVAL);
}

TEST_MACHINE("drmsim_eu_stall", XE_GPUS);
