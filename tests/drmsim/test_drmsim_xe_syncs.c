/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Syncs of OA streams of xe that drmsim simulates: which ones OPEN and CONFIG
 * take, what a new metric set waits for, what is signalled when it is active,
 * and waits for a user fence. Numbers and layouts are those of Linux
 * include/uapi/drm/xe_drm.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drmsim/control.h"
#include "tests/drmsim/xe_node.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/support/scene.h"

#define REPORT 576
#define SYNCOBJ 0
#define TIMELINE 1
#define USER_FENCE 2
#define SIGNAL 1
/* The kernel's delay behind the registers. */
#define SETTLING (MS / 2)
/* What a report of 8192 ticks has of the first set: two a tick. */
#define EVENTS 16384
#define VALUE UINT64_C(0x1122334455667788)

struct sync {
	uint64_t extensions;
	uint32_t type, flags;
	uint64_t address, value, reserved[2];
};

/* What stands for something that a test makes, in the address of a sync. */
enum {
	NOTHING, /* handles begin with 1 */
	SIGNALLED = 0x10001,
	EMPTY,
	PASSED, /* a timeline, up to point 5 */
	MEMORY,
};

static const struct xe_pair first_set[] = { { 0x13000, 0x100 } };
static const struct xe_pair second_set[] = { { 0x13000, 0x777 } };

static struct {
	int fd, first, second; /* metric sets */
	uint32_t signalled, empty, passed;
	uint64_t fence;
	uint8_t reports[1024 * REPORT];
} world;

static void
make_world(void)
{
	uint64_t point = 5;

	memset(&world, 0, sizeof(world));
	world.fd = node_open(BMG);
	world.first = xe_add(world.fd, UUID, first_set, 1);
	world.second = xe_add(world.fd, OTHER_UUID, second_set, 1);
	ck_assert_int_ge(world.first, 1);
	ck_assert_int_ge(world.second, 1);
	ck_assert_int_eq(drmSyncobjCreate(world.fd, DRM_SYNCOBJ_CREATE_SIGNALED,
					  &world.signalled),
			 0);
	ck_assert_int_eq(drmSyncobjCreate(world.fd, 0, &world.empty), 0);
	ck_assert_int_eq(drmSyncobjCreate(world.fd, 0, &world.passed), 0);
	ck_assert_int_eq(
		drmSyncobjTimelineSignal(world.fd, &world.passed, &point, 1),
		0);
}

TEST_CASE(taken, make_world, nodes_close, "drmsim_xe_syncs");
TEST_CASE(signalled, make_world, nodes_close, "drmsim_xe_syncs");

static uint64_t
stands_for(uint64_t address)
{
	switch (address) {
	case SIGNALLED:
		return world.signalled;
	case EMPTY:
		return world.empty;
	case PASSED:
		return world.passed;
	case MEMORY:
		return (uintptr_t)&world.fence;
	}
	return address;
}

static int
open_with(struct sync *syncs, unsigned count)
{
	const struct xe_property properties[] = {
		{ 2, 1 },	 { 3, (uint64_t)world.first },
		{ 4, PEC64U64 }, { 5, 12 },
		{ 10, count },	 { 11, (uintptr_t)syncs },
	};
	int stream = xe_stream(world.fd, properties, ARRAY_SIZE(properties));

	if (stream >= 0)
		xe_set_nonblocking(stream);
	return stream;
}

static int
change_with(int stream, int set, struct sync *syncs, unsigned count)
{
	const struct xe_property properties[] = {
		{ 3, (uint64_t)set },
		{ 10, count },
		{ 11, (uintptr_t)syncs },
	};
	struct xe_link links[ARRAY_SIZE(properties)];

	return node_call(stream, STREAM_CONFIG,
			 (void *)(uintptr_t)xe_chain(links, properties,
						     ARRAY_SIZE(properties)));
}

static uint64_t
read_clock(void)
{
	uint64_t now;

	ck_assert_int_eq(drmsim_now(&now), 0);
	return now;
}

/* Pass 10 ms: events of the first PEC counter between the last two reports. */
static uint64_t
count_events(int stream)
{
	const uint8_t *last;
	int size;

	scene_pass(10 * MS);
	size = xe_read(stream, world.reports, sizeof(world.reports));
	ck_assert_int_ge(size, 2 * REPORT);
	ck_assert_int_lt(size, (int)sizeof(world.reports));
	last = world.reports + size - REPORT + 32;
	return xe_u64(last) - xe_u64(last - REPORT);
}

static bool
is_done(uint32_t handle)
{
	return drmSyncobjWait(world.fd, &handle, 1, 0, 0, NULL) == 0;
}

/* ------------------------------------------------------------------ */
/* What is taken                                                        */

#define WRITABLE                                                               \
	{                                                                      \
		.type = USER_FENCE, .flags = SIGNAL, .address = MEMORY         \
	}

static const struct {
	struct sync syncs[2];
	unsigned count;
	int result;
} cases[] = {
	{ { { .address = SIGNALLED } }, 1, 0 },
	{ { { .address = EMPTY, .flags = SIGNAL } }, 1, 0 },
	{ { { .address = SIGNALLED, .extensions = 1 } }, 1, 0 },
	{ { { .type = TIMELINE, .address = PASSED, .value = 5 } }, 1, 0 },
	{ { { .type = TIMELINE, .address = PASSED, .value = 3 } }, 1, 0 },
	{ { { .type = TIMELINE,
	      .flags = SIGNAL,
	      .address = EMPTY,
	      .value = 1 } },
	  1,
	  0 },
	{ { WRITABLE }, 1, 0 },
	/* bits that have no meaning, before what they stand beside */
	{ { { .flags = 2, .address = NOTHING } }, 1, -EINVAL },
	{ { { .address = SIGNALLED, .reserved = { 1 } } }, 1, -EINVAL },
	{ { { .address = SIGNALLED, .reserved = { 0, 1 } } }, 1, -EINVAL },
	{ { { .type = 3 } }, 1, -EINVAL },
	/* a handle has 32 bits, a timeline no point 0 */
	{ { { .address = 1ull << 32 } }, 1, -EINVAL },
	{ { { .type = TIMELINE, .address = 1ull << 32, .value = 1 } },
	  1,
	  -EINVAL },
	{ { { .type = TIMELINE, .address = 0xffff } }, 1, -EINVAL },
	{ { { .address = 0xffff } }, 1, -ENOENT },
	{ { { .address = 0xffff, .flags = SIGNAL } }, 1, -ENOENT },
	{ { { .type = TIMELINE, .address = 0xffff, .value = 1 } }, 1, -ENOENT },
	/* nothing that could be waited for */
	{ { { .address = EMPTY } }, 1, -EINVAL },
	{ { { .type = TIMELINE, .address = EMPTY, .value = 1 } }, 1, -EINVAL },
	{ { { .type = TIMELINE, .address = PASSED, .value = 6 } }, 1, -EINVAL },
	{ { { .type = TIMELINE, .address = SIGNALLED, .value = 1 } },
	  1,
	  -EINVAL },
	/* user fences: one, which cannot be waited for, at a multiple of 8 */
	{ { { .type = USER_FENCE, .address = 4 } }, 1, -EOPNOTSUPP },
	{ { { .type = USER_FENCE, .flags = SIGNAL, .address = 4 } },
	  1,
	  -EINVAL },
	{ { { .type = USER_FENCE, .flags = SIGNAL, .address = 8 } },
	  1,
	  -EFAULT },
	{ { WRITABLE, WRITABLE }, 2, -EINVAL },
	{ { WRITABLE, { .address = 0xffff } }, 2, -ENOENT },
	{ { { .address = 0xffff }, { .flags = 2 } }, 2, -ENOENT },
};

static void
take_case(unsigned i, struct sync syncs[2])
{
	memcpy(syncs, cases[i].syncs, sizeof(cases[i].syncs));
	for (unsigned n = 0; n < 2; n++)
		syncs[n].address = stands_for(syncs[n].address);
}

TEST_LOOP(taken, syncs_of_open_are_checked, ARRAY_SIZE(cases))
{
	struct sync syncs[2];
	int stream;

	take_case((unsigned)_i, syncs);
	stream = open_with(syncs, cases[_i].count);
	ck_assert_int_eq(stream < 0 ? stream : 0, cases[_i].result);
	/* what failed leaves the unit free */
	if (stream < 0)
		stream = open_with(NULL, 0);
	ck_assert_int_ge(stream, 0);
}

TEST_LOOP(taken, syncs_of_config_are_checked, ARRAY_SIZE(cases))
{
	int stream = open_with(NULL, 0), result;
	struct sync syncs[2];

	take_case((unsigned)_i, syncs);
	result = change_with(stream, world.second, syncs, cases[_i].count);
	ck_assert_int_eq(result < 0 ? result : 0, cases[_i].result);
	/* what failed leaves the set as it was */
	ck_assert_int_eq(change_with(stream, world.first, NULL, 0),
			 result < 0 ? world.first : world.second);
}

TEST(taken, array_is_checked)
{
	struct sync sync = { .address = world.signalled };
	int stream;

	ck_assert_int_eq(open_with(NULL, 1), -EINVAL);
	ck_assert_int_eq(open_with((void *)8, 1), -EFAULT);
	ck_assert_int_eq(open_with(&sync, 1025), -EINVAL);
	stream = open_with(&sync, 0);
	ck_assert_int_ge(stream, 0);
	/* the error of a taken unit goes before that of an unknown set */
	ck_assert_int_eq(open_with((void *)8, 1), -EBUSY);
	ck_assert_int_eq(change_with(stream, 0x7777, (void *)8, 1), -ENODEV);
	ck_assert_int_eq(change_with(stream, world.second, (void *)8, 1),
			 -EFAULT);
	node_close(stream);
	xe_remove(world.fd, world.first);
	ck_assert_int_eq(open_with((void *)8, 1), -EFAULT);
	ck_assert_int_eq(open_with(&sync, 1), -EINVAL);
}

/* Handles are those of the node that the stream was opened through. */
TEST(taken, handles_go_with_the_node)
{
	struct sync sync = { .address = world.signalled };
	int stream = open_with(NULL, 0), fd = node_open(BMG);

	ck_assert_int_eq(change_with(stream, world.second, &sync, 1),
			 world.first);
	node_close(world.fd);
	world.fd = fd;
	/* closing is noticed with the next call */
	while (change_with(stream, world.first, &sync, 1) >= 0)
		sched_yield();
	ck_assert_int_eq(change_with(stream, world.first, &sync, 1), -ENOENT);
	/* what was added through a node that is closed stays */
	xe_remove(fd, world.first);
	xe_remove(fd, world.second);
}

/* ------------------------------------------------------------------ */
/* Waits for a user fence                                               */

struct user_fence_wait {
	uint64_t extensions, address;
	uint16_t operation, flags;
	uint32_t pad;
	uint64_t value, mask;
	int64_t timeout;
	uint32_t queue, pad2;
	uint64_t reserved[2];
};

#define WAIT_USER_FENCE _IOWR('d', 0x4a, struct user_fence_wait)
enum {
	EQUAL,
	DIFFERENT,
	GREATER,
	GREATER_EQUAL,
	LESS,
	LESS_EQUAL
};

/* The fence is 5 there. */
static const struct wait {
	struct user_fence_wait wait;
	int result;
} waits[] = {
	{ { .operation = EQUAL, .value = 5 }, 0 },
	{ { .operation = EQUAL, .value = 4 }, -ETIME },
	{ { .operation = EQUAL, .value = 0xff05, .mask = 0xff }, 0 },
	{ { .operation = DIFFERENT, .value = 4 }, 0 },
	{ { .operation = DIFFERENT, .value = 5 }, -ETIME },
	{ { .operation = GREATER, .value = 4 }, 0 },
	{ { .operation = GREATER, .value = 5 }, -ETIME },
	{ { .operation = GREATER_EQUAL, .value = 5 }, 0 },
	{ { .operation = GREATER_EQUAL, .value = 6 }, -ETIME },
	{ { .operation = LESS, .value = 6 }, 0 },
	{ { .operation = LESS, .value = 5 }, -ETIME },
	{ { .operation = LESS_EQUAL, .value = 5 }, 0 },
	{ { .operation = LESS_EQUAL, .value = 4 }, -ETIME },
	{ { .operation = LESS_EQUAL + 1 }, -EINVAL },
	{ { .extensions = 1 }, -EINVAL },
	{ { .pad = 1 }, -EINVAL },
	{ { .pad2 = 1 }, -EINVAL },
	{ { .reserved = { 1 } }, -EINVAL },
	{ { .reserved = { 0, 1 } }, -EINVAL },
	{ { .flags = 2 }, -EINVAL },
	{ { .address = 4 }, -EINVAL },
	{ { .address = 8 }, -EFAULT },
	{ { .queue = 1, .value = 5 }, -ENOENT },
};

TEST_LOOP(taken, user_fence_is_compared, ARRAY_SIZE(waits))
{
	const struct wait *c = &waits[_i];
	struct user_fence_wait wait = c->wait;

	world.fence = 5;
	if (!wait.address)
		wait.address = (uintptr_t)&world.fence;
	if (!wait.mask)
		wait.mask = UINT64_MAX;
	wait.timeout = (int64_t)MS;
	ck_assert_int_eq(node_call(world.fd, WAIT_USER_FENCE, &wait),
			 c->result);
	ck_assert_int_eq(wait.timeout, c->result == -ETIME ? 0 : (int64_t)MS);
}

/* The kernel looks at the time after it has found the value. */
TEST(taken, user_fence_needs_time)
{
	struct user_fence_wait wait = { .address = (uintptr_t)&world.fence,
					.mask = UINT64_MAX };

	ck_assert_int_eq(node_call(world.fd, WAIT_USER_FENCE, &wait), -ETIME);
	wait.flags = 1;
	wait.timeout = 1;
	ck_assert_int_eq(node_call(world.fd, WAIT_USER_FENCE, &wait), -ETIME);
	ck_assert_int_eq(wait.timeout, 1);
}

/* The set has settled when the wait for its fence ends. */
TEST_LOOP(signalled, user_fence_is_waited_for, 2)
{
	struct sync sync = { .type = USER_FENCE,
			     .flags = SIGNAL,
			     .address = (uintptr_t)&world.fence,
			     .value = VALUE };
	struct user_fence_wait wait = { .address = (uintptr_t)&world.fence,
					.value = VALUE,
					.mask = UINT64_MAX,
					.timeout =
						_i ? -1 : (int64_t)(10 * MS) };
	const uint64_t before = read_clock();
	int stream = open_with(&sync, 1);

	ck_assert_int_ge(stream, 0);
	ck_assert_int_eq(node_call(world.fd, WAIT_USER_FENCE, &wait), 0);
	ck_assert_uint_eq(world.fence, VALUE);
	ck_assert_uint_eq(read_clock() - before, SETTLING);
	ck_assert_int_eq(wait.timeout,
			 _i ? INT64_MAX : (int64_t)(10 * MS - SETTLING));
}

/* ------------------------------------------------------------------ */
/* What is signalled                                                    */

/* OPEN does not wait then; the fence is written when the set has settled. */
TEST(signalled, opening_signals_its_fence_later)
{
	struct sync syncs[] = {
		{ .type = USER_FENCE,
		  .flags = SIGNAL,
		  .address = (uintptr_t)&world.fence,
		  .value = VALUE },
		{ .address = world.empty, .flags = SIGNAL },
		{ .type = TIMELINE,
		  .address = world.passed,
		  .flags = SIGNAL,
		  .value = 9 },
	};
	const uint64_t before = read_clock();
	int stream = open_with(syncs, 3);
	uint64_t point;

	ck_assert_int_ge(stream, 0);
	ck_assert_uint_eq(read_clock(), before);
	scene_pass(SETTLING - 1);
	ck_assert_uint_eq(world.fence, 0);
	ck_assert(!is_done(world.empty));
	ck_assert_int_eq(drmSyncobjQuery(world.fd, &world.passed, &point, 1),
			 0);
	ck_assert_uint_eq(point, 5);
	scene_pass(1);
	ck_assert_uint_eq(world.fence, VALUE);
	ck_assert(is_done(world.empty));
	ck_assert_int_eq(drmSyncobjQuery(world.fd, &world.passed, &point, 1),
			 0);
	ck_assert_uint_eq(point, 9);
	ck_assert_uint_eq(count_events(stream), EVENTS);
}

/* With nothing to signal, OPEN and CONFIG wait for themselves. */
TEST(signalled, waits_alone_take_the_time)
{
	struct sync sync = { .address = world.signalled };
	const uint64_t before = read_clock();
	int stream = open_with(&sync, 1);

	ck_assert_int_ge(stream, 0);
	ck_assert_uint_eq(read_clock(), before + SETTLING);
	ck_assert_int_eq(change_with(stream, world.second, &sync, 1),
			 world.first);
	ck_assert_uint_eq(read_clock(), before + 2 * SETTLING);
}

/* Virtual time goes on to the end of a change that another one waits for. */
TEST(signalled, a_change_may_wait_for_the_one_before)
{
	struct sync signals = { .address = world.empty, .flags = SIGNAL };
	struct sync waits = { .address = world.empty };
	const uint64_t before = read_clock();
	int stream = open_with(&signals, 1);

	ck_assert_int_ge(stream, 0);
	ck_assert_uint_eq(read_clock(), before);
	ck_assert_int_eq(change_with(stream, world.second, &waits, 1),
			 world.first);
	ck_assert_uint_eq(read_clock(), before + 2 * SETTLING);
}

/* A program that waits for the syncobj gets on when the set is active. */
TEST(signalled, syncobj_is_waited_for)
{
	struct sync sync = { .address = world.empty, .flags = SIGNAL };
	int stream = open_with(NULL, 0);
	const uint64_t before = read_clock();

	ck_assert_int_eq(change_with(stream, world.second, &sync, 1),
			 world.first);
	ck_assert_uint_eq(read_clock(), before);
	ck_assert_int_eq(
		drmSyncobjWait(world.fd, &world.empty, 1, INT64_MAX, 0, NULL),
		0);
	ck_assert_uint_eq(read_clock(), before + SETTLING);
}

/* Open a stream of a media unit, whose set is active after 100 ms. */
static int
open_slow_media(struct sync *sync)
{
	const struct xe_property properties[] = {
		{ 1, 1 },	 { 2, 1 },  { 3, (uint64_t)world.first },
		{ 4, MPEC8U32 }, { 10, 1 }, { 11, (uintptr_t)sync },
	};
	int stream;

	scene_set("gpu2.oa-settling", "100ms");
	stream = xe_stream(world.fd, properties, ARRAY_SIZE(properties));
	ck_assert_int_ge(stream, 0);
	return stream;
}

static void
close_slow_media(int stream)
{
	node_close(stream);
	scene_set("gpu2.oa-settling", "500us");
}

/* The old set counts until the fence of another change has been signalled. */
TEST(signalled, sets_wait_for_fences)
{
	struct sync signals = { .address = world.empty, .flags = SIGNAL };
	struct sync waits[] = {
		{ .address = world.empty },
		{ .type = USER_FENCE,
		  .flags = SIGNAL,
		  .address = (uintptr_t)&world.fence,
		  .value = VALUE },
	};
	int stream = open_with(NULL, 0), other = open_slow_media(&signals);

	ck_assert_int_eq(change_with(stream, world.second, waits, 2),
			 world.first);
	/* the fence is the one that the syncobj held then */
	ck_assert_int_eq(drmSyncobjReset(world.fd, &world.empty, 1), 0);
	ck_assert_uint_eq(count_events(stream), EVENTS);
	scene_pass(100 * MS);
	ck_assert_uint_eq(world.fence, 0);
	ck_assert_uint_gt(count_events(stream), EVENTS);
	scene_pass(100 * MS);
	ck_assert_uint_eq(world.fence, VALUE);
	ck_assert_uint_gt(count_events(stream), EVENTS);
	close_slow_media(other);
}

/* Changes of one unit take their turns: one that waits holds up the next. */
TEST(signalled, changes_keep_their_order)
{
	struct sync signals = { .address = world.empty, .flags = SIGNAL };
	struct sync waits[] = {
		{ .address = world.empty },
		{ .address = world.signalled, .flags = SIGNAL },
	};
	struct sync fence = { .type = USER_FENCE,
			      .flags = SIGNAL,
			      .address = (uintptr_t)&world.fence,
			      .value = VALUE };
	int stream = open_with(NULL, 0), other = open_slow_media(&signals);

	ck_assert_int_eq(change_with(stream, world.second, waits, 2),
			 world.first);
	ck_assert_int_eq(change_with(stream, world.first, &fence, 1),
			 world.second);
	scene_pass(199 * MS);
	ck_assert_uint_eq(world.fence, 0);
	ck_assert(!is_done(world.signalled));
	scene_pass(MS);
	ck_assert_uint_eq(world.fence, VALUE);
	ck_assert(is_done(world.signalled));
	ck_assert_uint_eq(count_events(stream), EVENTS);
	close_slow_media(other);
}

/* An engine gets there when it is free, and the caller need not wait for it. */
TEST(signalled, long_kernel_delays_the_fence)
{
	struct sync fence = { .type = USER_FENCE,
			      .flags = SIGNAL,
			      .address = (uintptr_t)&world.fence,
			      .value = VALUE };
	int stream = open_with(NULL, 0);

	scene_set("gpu2.long-kernel", "1");
	ck_assert_int_eq(change_with(stream, world.second, &fence, 1),
			 world.first);
	ck_assert_uint_eq(count_events(stream), EVENTS);
	ck_assert_uint_eq(world.fence, 0);
	scene_set("gpu2.long-kernel", "0");
	ck_assert_uint_gt(count_events(stream), EVENTS);
	ck_assert_uint_eq(world.fence, VALUE);
}

TEST_MACHINE("drmsim_xe_syncs", XE_GPUS);
