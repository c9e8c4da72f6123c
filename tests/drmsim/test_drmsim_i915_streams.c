/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of i915 that drmsim simulates, seen by a program below it: what they
 * deliver.
 */
#include <errno.h>
#include <i915_drm.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/i915_node.h"
#include "tests/support/scene.h"
#include "tests/support/threads.h"

#define SAMPLE 264u

static uint8_t data[1 << 20];

static int
read_stream(int stream, size_t size)
{
	ssize_t got = read(stream, data, size);

	return got < 0 ? -errno : (int)got;
}

static uint32_t
in_report(unsigned n, unsigned offset)
{
	return node_word(data + n * SAMPLE + 8 + offset);
}

TEST_CASE(streams, NULL, nodes_close, "drmsim_i915_streams");

/* Reports of 1365 us, and a timer of 5 ms. */
TEST(streams, poll_waits_for_the_timer)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_opened(node_stream(fd, id, 13, 2));

	scene_pass(4 * MS);
	ck_assert(!node_is_readable(stream));
	/* there are reports, but no read has looked yet */
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	scene_pass(2 * MS);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(read_stream(stream, SAMPLE - 1), -ENOSPC);
	/* too small a buffer leaves it readable */
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(read_stream(stream, 2 * SAMPLE - 1), SAMPLE);
	ck_assert(node_is_readable(stream));
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert(!node_is_readable(stream));
	scene_pass(3 * MS);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
}

/* A reader who blocks looks by himself: he does not wait for the timer. */
TEST(streams, blocking_read_looks_itself)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID), stream;
	uint64_t before, after;

	stream = node_stream(fd, id, 13, 0);
	scene_pass(4 * MS);
	ck_assert_int_eq(drmsim_now(&before), 0);
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(before, after);
	/* now there is nothing: he sleeps until the timer has looked */
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, 1 * MS);
	node_close(stream);
	/* without a period there is nothing to wait for */
	const struct node_property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
	};
	stream = node_perf_open(fd, 0, properties, ARRAY_SIZE(properties));
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
}

/* A period of 87 ms: the timer finds nothing many times. */
TEST(streams, blocking_read_waits_long)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_stream(fd, id, 19, 0);

	ck_assert_int_eq(read_stream(stream, sizeof(data)), SAMPLE);
}

/* Records go out one by one: the first that faults ends the read. */
TEST(streams, read_into_a_hole)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_stream(fd, id, 13, 2);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t first;

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_READ), 0);
	scene_pass(6 * MS);
	ck_assert_int_eq(read(stream, pages + page - SAMPLE - 8, page), SAMPLE);
	ck_assert_uint_eq(node_word(pages + page - SAMPLE - 8), 1);
	first = node_word(pages + page - SAMPLE - 8 + 8 + 4);
	ck_assert_int_eq(read(stream, pages + page - SAMPLE + 8, page), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(read(stream, pages + page - 8, SAMPLE - 8), -1);
	ck_assert_int_eq(errno, ENOSPC);
	/* what was not read is not lost: it is 2^14 ticks younger */
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert_uint_eq(in_report(0, 4) - first, 1 << 14);
	munmap(pages, 2 * page);
}

TEST(streams, enable_and_disable)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_stream(fd, id, 13, 2 | 4);

	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	scene_pass(10 * MS);
	ck_assert(node_is_readable(stream));
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	/* what was there is gone */
	ck_assert(!node_is_readable(stream));
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(node_call(stream, _IO('i', 9), NULL), -EINVAL);
}

/* Each counter of a report, from the formulas of the model's README. */
TEST(streams, counters_follow_the_models_formulas)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, TEST_OA), got;
	int stream = node_stream(fd, id, 9, 0);
	uint32_t ticks, clocks;

	scene_set("gpu1.oa-start", "A7 0xffffffff00");
	scene_set("gpu1.oa-start", "B1 0xfffffff0");
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	scene_pass(100 * MS);
	got = read_stream(stream, sizeof(data));
	/* 1024 ticks are 85.3 us: 1171 whole ones, the last not landed */
	ck_assert_int_ge(got, 1170 * (int)SAMPLE);
	for (unsigned n = 0; n < 1170; n++) {
		ck_assert_uint_eq(in_report(n, 0) >> 19 & 0x3f, 1);
		ck_assert_uint_eq(in_report(n, 0) >> 16 & 1, 1);
		ck_assert_uint_eq(in_report(n, 4) & 1023, 512);
		ck_assert_uint_eq(in_report(n, 8), 0x20);
		if (n == 0)
			continue;
		ticks = in_report(n, 4) - in_report(n - 1, 4);
		clocks = in_report(n, 12) - in_report(n - 1, 12);
		ck_assert_uint_eq(ticks, 1024);
		ck_assert_uint_eq(clocks, 1024 * 95);
		ck_assert_uint_eq(in_report(n, 16) - in_report(n - 1, 16),
				  clocks);
		ck_assert_uint_eq(in_report(n, 44) - in_report(n - 1, 44),
				  4 * ticks);
		ck_assert_uint_eq(in_report(n, 156) - in_report(n - 1, 156),
				  35 * ticks);
		ck_assert_uint_eq(in_report(n, 192) - in_report(n - 1, 192), 0);
		ck_assert_uint_eq(in_report(n, 196) - in_report(n - 1, 196),
				  clocks);
		ck_assert_uint_eq(in_report(n, 204) - in_report(n - 1, 204),
				  clocks / 2);
	}
	scene_set("gpu1.oa-start", "A7 0x80000");
	scene_set("gpu1.oa-start", "B1 0x2f0000");
}

struct reader {
	int stream;
	_Atomic pid_t thread;
};

/*
 * Read in a thread. One that sleeps in read() can be cancelled, and lets go of
 * the file.
 */
static void *
read_in_thread(void *data)
{
	struct reader *reader = data;
	char record[SAMPLE];

	reader->thread = gettid();
	while (read(reader->stream, record, sizeof(record)) > 0)
		;
	return NULL;
}

TEST(streams, blocked_read_is_cancelled)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	struct reader reader = { .stream = node_stream(fd, id, 9, 0) };
	pthread_t thread;
	void *result;

	scene_set("gpu1.oa-stall", "1");
	ck_assert_int_eq(pthread_create(&thread, NULL, read_in_thread, &reader),
			 0);
	while (!reader.thread)
		sched_yield();
	thread_await_sleep(reader.thread);
	ck_assert_int_eq(pthread_cancel(thread), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, PTHREAD_CANCELED);
	node_close(reader.stream);
	node_opened(node_stream(fd, id, 9, 0));
}

/* Also where nothing had been written since the last read. */
TEST(streams, overflow_wakes_who_blocks)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_stream(fd, id, 9, 0);

	scene_set("gpu1.oa-overflow", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
}

TEST(streams, lost_reports_reach_the_stream)
{
	struct drm_version version = { 0 };
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);
	int stream = node_stream(fd, id, 9, 2);

	scene_pass(10 * MS);
	scene_set("gpu1.oa-lose", "5");
	scene_pass(10 * MS);
	ck_assert_int_gt(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_OA_REPORT_LOST);
	scene_set("gpu1.oa-overflow", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	scene_pass(10 * MS);
	ck_assert_int_gt(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_SAMPLE);
	/* 16 MiB at 85 us are 5.6 s */
	scene_pass(6000ull * MS);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	/* a reset takes what is routed, not time */
	ck_assert_int_eq(drmsim_reset_gpu(SKL), 0);
	scene_pass(10 * MS);
	ck_assert_int_gt(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(node_word(data), DRM_I915_PERF_RECORD_SAMPLE);
	scene_set("gpu1.oa-end", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	node_close(stream);
	stream = node_opened(node_stream(fd, id, 9, 2));
	scene_set("gpu1.gone", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -ENODEV);
	scene_set("gpu1.gone", "0");
	/* what was opened before stays dead: the GPU is another device now */
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -ENODEV);
	ck_assert_int_eq(node_call(fd, DRM_IOCTL_VERSION, &version), -ENODEV);
	node_close(stream);
	node_close(fd);
	fd = node_open(SKL);
	ck_assert_int_eq(node_call(fd, DRM_IOCTL_VERSION, &version), 0);
	node_remove(fd, id);
}

/* Return the rate of a counter in reports as the simulator's README has it. */
static uint32_t
custom_per_256(const char *uuid, char bank, unsigned index)
{
	struct node_registers r;
	uint32_t words[5], h = 2166136261u;

	node_make_registers(&r, SKL, uuid);
	/* one register in each list */
	memcpy(words, r.mux, 8);
	memcpy(words + 2, r.boolean, 8);
	words[4] = (uint32_t)bank << 8 | index;
	for (size_t i = 0; i < sizeof(words); i++)
		h = (h ^ (words[i / 4] >> i % 4 * 8 & 0xff)) * 16777619u;
	return 256 + h % (256 * 94);
}

/* CONFIG returns the id before and works some time later. */
TEST(streams, a_config_change_works_some_time_later)
{
	int fd = node_open(SKL), first = node_add(fd, SKL, UUID);
	int second = node_add(fd, SKL, OTHER_UUID);
	int stream = node_stream(fd, first, 9, 0);
	uint32_t before = custom_per_256(UUID, 'B', 0);
	uint32_t after = custom_per_256(OTHER_UUID, 'B', 0);
	unsigned changed = 0;

	ck_assert_uint_ne(before, after);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_CONFIG,
				   (void *)(intptr_t)NODE_NO_SET),
			 -EINVAL);
	/* of the number 32 bits are kept */
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_CONFIG,
				   (void *)(intptr_t)(second | 1ll << 32)),
			 first);
	ck_assert_int_eq(node_call(stream, I915_PERF_IOCTL_CONFIG,
				   (void *)(intptr_t)second),
			 second);
	/* the stream keeps what is removed */
	ck_assert_int_eq(node_remove(fd, second), 0);
	scene_pass(20 * MS);
	read_stream(stream, 100 * SAMPLE);
	for (unsigned n = 1; n < 100; n++) {
		uint32_t delta = in_report(n, 192) - in_report(n - 1, 192);

		if (delta == 4 * before)
			ck_assert_uint_eq(changed, 0);
		else if (delta == 4 * after)
			changed++;
		else
			ck_assert_uint_eq(changed++, 0);
	}
	/* within 500 us, five or six reports */
	ck_assert_uint_ge(changed, 92);
	ck_assert_uint_le(changed, 96);
}

/* Load registers of EUs, or none, and count: what A7 counts in 1024 ticks. */
static uint32_t
count_eu(int fd, enum gpu gpu, const char *uuid, uint32_t flex)
{
	struct node_registers r;
	int id, stream;

	node_make_registers(&r, gpu, uuid);
	r.flex[0] = 0xe458;
	r.flex[1] = flex;
	r.config.n_flex_regs = flex != 0;
	r.config.flex_regs_ptr = (uintptr_t)r.flex;
	id = node_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &r.config);
	stream = node_opened(node_stream(fd, id, 9, 0));
	scene_pass(10 * MS);
	ck_assert_int_ge(read_stream(stream, 2 * SAMPLE), 2 * (int)SAMPLE);
	node_close(stream);
	node_remove(fd, id);
	return in_report(1, 44) - in_report(0, 44);
}

/* What a set without them finds in the EUs. */
static const struct eu {
	enum gpu gpu;
	uint32_t left; /* of the selector of the set before */
} eus[] = {
	{ SKL, 0 }, /* the kernel writes 0 */
	{ ICL, 0 },
	{ TGL, 0x123 }, /* it writes nothing */
};

TEST_LOOP(streams, registers_of_eus_stay, ARRAY_SIZE(eus))
{
	const struct eu *c = &eus[_i];
	int fd = node_open(c->gpu);
	uint32_t full = count_eu(fd, c->gpu, UUID, 0x123);

	ck_assert_uint_eq(full, 1024 * (64 + 0x123) / 16);
	ck_assert_uint_eq(count_eu(fd, c->gpu, OTHER_UUID, 0),
			  1024 * (64 + c->left) / 16);
	/* a reset forgets them */
	ck_assert_int_eq(drmsim_reset_gpu(c->gpu), 0);
	ck_assert_uint_eq(count_eu(fd, c->gpu, OTHER_UUID, 0), 1024 * 64 / 16);
}

/* Return how far the newest report's timestamp is ahead of the engine's. */
static int64_t
ns_ahead(int fd, int stream)
{
	struct drm_i915_reg_read reg = { .offset = 0x2358 | 1 };
	int got = 0, next;

	while ((next = read_stream(stream, sizeof(data))) > 0)
		got = next;
	ck_assert_int_eq(next, -EAGAIN);
	ck_assert_int_gt(got, 0);
	ck_assert_int_eq(node_call(fd, DRM_IOCTL_I915_REG_READ, &reg), 0);
	return (int32_t)(in_report((unsigned)got / SAMPLE - 1, 4) -
			 (uint32_t)reg.val);
}

/* An OA clock of its own: 7000 ticks ahead, then 200 millionths faster. */
TEST(streams, clock_of_its_own)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID), stream;
	int64_t begin, later;

	scene_set("gpu1.oa-clock-offset", "7000");
	stream = node_stream(fd, id, 6, 2);
	scene_pass(10 * MS);
	begin = ns_ahead(fd, stream);
	/* the timer has looked not 5 ms ago, and a period is 128 ticks */
	ck_assert_int_le(begin, 7000);
	ck_assert_int_gt(begin, 7000 - 256 - 60000);
	scene_set("gpu1.oa-clock-drift", "200");
	scene_pass(500 * MS);
	later = ns_ahead(fd, stream);
	/* 1200 in half a second of 12 MHz */
	ck_assert_int_ge(later - begin, 1200 - 128);
	ck_assert_int_le(later - begin, 1200 + 128);
	scene_set("gpu1.oa-clock-drift", "-200");
	scene_pass(500 * MS);
	ck_assert_int_lt(ns_ahead(fd, stream), later - 1200 + 256);
	scene_set("gpu1.oa-clock-drift", "0");
	scene_set("gpu1.oa-clock-offset", "0");
}

TEST(streams, contexts_and_idle)
{
	struct drm_i915_gem_context_create_ext create = { 0 };
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID), got, stream;
	unsigned switches = 0, idles = 0;

	ck_assert_int_eq(
		node_call(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create),
		0);
	scene_set("gpu1.contexts", "0x100:1ms,0x200:1ms,idle:1ms");
	stream = node_stream(fd, id, 9, 2);
	scene_pass(3000ull * MS / 2);
	got = read_stream(stream, sizeof(data));
	for (int at = 0; at < got; at += (int)SAMPLE) {
		unsigned n = (unsigned)at / SAMPLE;
		uint32_t reason = in_report(n, 0) >> 19 & 0x3f;

		switches += reason == 8;
		idles += reason == 16;
		if (reason == 16)
			ck_assert_uint_eq(in_report(n, 8), UINT32_MAX);
	}
	ck_assert_int_eq(switches, 2 * idles);
	ck_assert_uint_ge(idles, 80);
	node_close(stream);

	const struct node_property own[] = {
		{ 1, create.ctx_id },
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
		{ 5, 9 },
	};
	stream = node_perf_open(fd, 2, own, ARRAY_SIZE(own));
	scene_pass(20 * MS);
	got = read_stream(stream, sizeof(data));
	for (int at = 0; at < got; at += (int)SAMPLE) {
		uint32_t context = in_report((unsigned)at / SAMPLE, 8);

		ck_assert(context == 0x100 || context == UINT32_MAX);
	}
	ck_assert_int_gt(got, 0);
	scene_set("gpu1.contexts", "0x20");
}

TEST_MACHINE("drmsim_i915_streams", I915_GPUS);
