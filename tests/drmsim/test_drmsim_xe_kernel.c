/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What xe that drmsim simulates is asked, seen by a program below it: queries,
 * which metric sets it takes and from whom, and how a stream is opened. What
 * streams deliver is the matter of test_drmsim_xe_streams.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/xe_node.h"
#include "tests/support/scene.h"

static uint8_t data[4096];

/* ------------------------------------------------------------------ */
/* Queries                                                              */

TEST_CASE(questions, NULL, nodes_close, "drmsim_xe_kernel");

TEST(questions, drivers_stand_side_by_side)
{
	static const char *const names[] = { "xe", "i915", "xe", "xe", "xe",
					     "xe", "xe",   "xe", "xe", "xe" };

	for (enum gpu gpu = LNL; gpu <= CRI; gpu++) {
		int fd = node_open(gpu);
		drmVersion *version = drmGetVersion(fd);

		ck_assert_ptr_nonnull(version);
		ck_assert_str_eq(version->name, names[gpu]);
		drmFreeVersion(version);
		node_close(fd);
	}
}

/* Sizes have to be right to the byte. */
TEST_LOOP(questions, query_wants_its_size, 9)
{
	int fd = node_open(BMG);
	uint32_t query = (uint32_t)_i, size = 0, wrong;

	ck_assert_int_eq(xe_query_once(fd, query, &size, NULL), 0);
	ck_assert_uint_gt(size, 0);
	ck_assert_uint_le(size, sizeof(data));
	wrong = size - 1;
	ck_assert_int_eq(xe_query_once(fd, query, &wrong, data), -EINVAL);
	wrong = size + 1;
	ck_assert_int_eq(xe_query_once(fd, query, &wrong, data), -EINVAL);
	memset(data, 0, sizeof(data));
	if (query == 6)
		data[8] = CLOCK_MONOTONIC;
	ck_assert_int_eq(xe_query_once(fd, query, &size, data), 0);
	/* memory regions have an errno of their own */
	ck_assert_int_eq(xe_query_once(fd, query, &size, NULL),
			 query == 1 ? -ENOSPC : -EFAULT);
}

TEST(questions, bad_queries_are_refused)
{
	int fd = node_open(LNL);
	uint32_t size = 0;
	uint64_t arg[5] = { 0 };

	ck_assert_int_eq(xe_query_once(fd, 11, &size, NULL), -EINVAL);
	arg[0] = 1;
	ck_assert_int_eq(node_call(fd, QUERY, arg), -EINVAL);
	arg[0] = 0;
	arg[4] = 1;
	ck_assert_int_eq(node_call(fd, QUERY, arg), -EINVAL);
	arg[4] = 0;
	ck_assert_int_eq(node_call(fd, QUERY, arg), 0);
}

/*
 * Check the bytes in use of the regions: system, and the GPU's if it has its
 * own.
 */
static void
check_used(int fd, uint32_t count, const uint64_t *used)
{
	uint32_t size = 0, told;
	uint64_t bytes;

	ck_assert_int_eq(xe_query_once(fd, 1, &size, NULL), 0);
	ck_assert_uint_eq(size, 8 + count * 88);
	ck_assert_int_eq(xe_query_once(fd, 1, &size, data), 0);
	memcpy(&told, data, sizeof(told));
	ck_assert_uint_eq(told, count);
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&bytes, data + 8 + i * 88 + 16, sizeof(bytes));
		ck_assert_uint_eq(bytes, used[i]);
	}
}

TEST(questions, memory_in_use_takes_privilege)
{
	const uint64_t mib = 1 << 20;
	int fd = node_open(LNL), bmg = node_open(BMG);

	check_used(fd, 1, (uint64_t[]){ 72 * mib });
	check_used(bmg, 2, (uint64_t[]){ 64 * mib, 72 * mib });
	scene_set("unprivileged", "1");
	check_used(fd, 1, (uint64_t[]){ 0 });
	check_used(bmg, 2, (uint64_t[]){ 0, 0 });
	scene_set("unprivileged", "0");
}

struct engine {
	unsigned class, instance, gt;
};

static unsigned
half_at(const uint8_t *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

static struct engine
engine_at(const uint8_t *at)
{
	return (struct engine){ half_at(at), half_at(at + 2), half_at(at + 4) };
}

TEST(questions, engines_and_gts)
{
	static const struct engine expected[] = {
		{ 0, 0, 0 }, { 1, 0, 0 }, { 4, 0, 0 }, { 2, 0, 1 },
		{ 2, 1, 1 }, { 3, 0, 1 }, { 3, 1, 1 },
	};
	int fd = node_open(BMG);

	ck_assert_int_eq(xe_query(fd, 0, data, sizeof(data)), 8 + 7 * 32);
	ck_assert_uint_eq(node_word(data), 7);
	for (unsigned i = 0; i < 7; i++) {
		struct engine e = engine_at(data + 8 + 32 * i);

		ck_assert_uint_eq(e.class, expected[i].class);
		ck_assert_uint_eq(e.instance, expected[i].instance);
		ck_assert_uint_eq(e.gt, expected[i].gt);
	}
	ck_assert_int_eq(xe_query(fd, 3, data, sizeof(data)), 8 + 2 * 96);
	ck_assert_uint_eq(node_word(data), 2);
	for (unsigned gt = 0; gt < 2; gt++) {
		const uint8_t *at = data + 8 + 96 * gt;

		ck_assert_uint_eq(at[0], gt); /* 0 main, 1 media */
		ck_assert_uint_eq(at[4], gt);
		ck_assert_uint_eq(node_word(at + 12), 19200000);
		ck_assert_uint_eq(xe_u64(at + 16), 2); /* VRAM is near */
		ck_assert_uint_eq(xe_u64(at + 24), 1);
		ck_assert_uint_eq(at[32], gt ? 13 : 20);
		ck_assert_uint_eq(at[34], 1);
	}
}

/* The OA units: their rate, and type, GT and number of engines of each. */
static const struct unit_case {
	enum gpu gpu;
	unsigned count, hz;
	struct {
		unsigned type, gt, engines;
	} units[5];
	unsigned media_hz; /* 0: as all */
} unit_cases[] = {
	{ LNL, 3, 19200000, { { 0, 0, 2 }, { 2, 1, 0 }, { 1, 1, 2 } }, 0 },
	{ BMG,
	  4,
	  19200000,
	  { { 0, 0, 2 }, { 2, 1, 0 }, { 1, 1, 2 }, { 1, 1, 2 } },
	  0 },
	{ PTL, 3, 19200000, { { 0, 0, 2 }, { 2, 1, 0 }, { 1, 1, 4 } }, 0 },
	/* one for the main GT of each tile; their rate is not the engines' */
	{ PVC, 2, 25000000, { { 0, 0, 1 }, { 0, 1, 1 } }, 0 },
	/* the media GT has one unit, which sees the slower reference clock */
	{ MTL, 2, 38400000, { { 0, 0, 2 }, { 1, 1, 3 } }, 19200000 },
	{ DG2, 1, 38400000, { { 0, 0, 2 } }, 0 },
	{ OTHER_TGL, 1, 19200000, { { 0, 0, 1 } }, 0 },
	{ NVLP, 3, 19200000, { { 0, 0, 2 }, { 2, 1, 0 }, { 1, 1, 4 } }, 0 },
	/* the memory fabric's comes behind that of shaders */
	{ CRI,
	  5,
	  19200000,
	  { { 0, 0, 4 }, { 3, 0, 0 }, { 2, 1, 0 }, { 1, 1, 2 }, { 1, 1, 2 } },
	  0 },
};

TEST_LOOP(questions, the_query_reports_the_oa_units, ARRAY_SIZE(unit_cases))
{
	const struct unit_case *c = &unit_cases[_i];
	int fd = node_open(c->gpu), size;
	const uint8_t *at = data + 16;

	size = xe_query(fd, 8, data, sizeof(data));
	ck_assert_int_gt(size, 0);
	ck_assert_uint_eq(node_word(data + 8), c->count);
	for (unsigned u = 0; u < c->count; u++) {
		uint64_t engines = xe_u64(at + 64);

		ck_assert_uint_eq(node_word(at + 8), u);
		ck_assert_uint_eq(node_word(at + 12), c->units[u].type);
		ck_assert_uint_eq(xe_u64(at + 16) & 0xf, 0xf);
		ck_assert_uint_eq(xe_u64(at + 24),
				  u && c->media_hz ? c->media_hz : c->hz);
		ck_assert_uint_eq(at[32], c->units[u].gt);
		ck_assert_uint_eq(engines, c->units[u].engines);
		for (uint64_t e = 0; e < engines; e++)
			ck_assert_uint_eq(engine_at(at + 72 + 8 * e).gt,
					  c->units[u].gt);
		at += 72 + 8 * engines;
	}
	/* entries have no fixed stride: they end where the answer does */
	ck_assert_int_eq((int)(at - data), size);
}

static unsigned
count_bits(const uint8_t *mask, unsigned bytes)
{
	unsigned count = 0;

	for (unsigned i = 0; i < bytes; i++)
		count += (unsigned)__builtin_popcount(mask[i]);
	return count;
}

/* GT 0: XeCores, L3 banks, EUs of an XeCore. */
static const struct shape {
	enum gpu gpu;
	unsigned cores, banks, eus;
	bool media_banks;
	unsigned eu_type; /* 4: of 8 lanes, 5: of 16 */
} shapes[] = {
	{ LNL, 8, 8, 8, true, 5 },    { BMG, 20, 24, 8, true, 5 },
	{ PTL, 12, 8, 8, false, 5 },  { MTL, 4, 8, 16, false, 4 },
	{ DG2, 32, 8, 16, false, 4 }, { OTHER_TGL, 6, 8, 16, false, 4 },
};

TEST_LOOP(questions, the_topology_query_reports_the_units, ARRAY_SIZE(shapes))
{
	const struct shape *c = &shapes[_i];
	unsigned found[2][6] = { 0 };
	int fd = node_open(c->gpu), size, at = 0;

	size = xe_query(fd, 5, data, sizeof(data));
	while (at + 8 <= size) {
		unsigned gt = data[at], type = data[at + 2];
		uint32_t bytes = node_word(data + at + 4);

		ck_assert_uint_lt(gt, 2);
		ck_assert_uint_lt(type, 6);
		found[gt][type] = 1 + count_bits(data + at + 8, bytes);
		at += 8 + (int)bytes;
	}
	ck_assert_int_eq(at, size);
	ck_assert_uint_eq(found[0][1], 1 + c->cores);
	ck_assert_uint_eq(found[0][2], 1 + c->cores);
	ck_assert_uint_eq(found[0][3], 1 + c->banks);
	for (unsigned type = 4; type <= 5; type++)
		ck_assert_uint_eq(found[0][type],
				  type == c->eu_type ? 1 + c->eus : 0);
	/* a GT of media has no XeCore; DG2 and before have one GT */
	ck_assert_uint_le(found[1][1], 1);
	ck_assert_int_eq(found[1][3] > 0, c->media_banks);
}

/* Ponte Vecchio: all of it twice, nothing to draw with, no media. */
TEST(questions, a_gpu_of_two_tiles_has_all_twice)
{
	unsigned found[2][6] = { 0 };
	int fd = node_open(PVC), size, at = 0;

	ck_assert_int_eq(xe_query(fd, 0, data, sizeof(data)), 8 + 18 * 32);
	for (unsigned i = 0; i < 18; i++) {
		struct engine e = engine_at(data + 8 + 32 * i);

		ck_assert_uint_eq(e.class, i % 9 == 8 ? 4 : 1);
		ck_assert_uint_eq(e.instance, i % 9 == 8 ? 0 : i % 9);
		ck_assert_uint_eq(e.gt, i / 9);
	}
	ck_assert_int_eq(xe_query(fd, 3, data, sizeof(data)), 8 + 2 * 96);
	for (unsigned gt = 0; gt < 2; gt++) {
		ck_assert_uint_eq(data[8 + 96 * gt], 0);
		ck_assert_uint_eq(data[8 + 96 * gt + 2], gt);
		ck_assert_uint_eq(data[8 + 96 * gt + 4], gt);
	}
	size = xe_query(fd, 5, data, sizeof(data));
	for (; at + 8 <= size; at += 8 + (int)node_word(data + at + 4))
		found[data[at]][data[at + 2]] =
			count_bits(data + at + 8, node_word(data + at + 4));
	for (unsigned gt = 0; gt < 2; gt++) {
		ck_assert_uint_eq(found[gt][1], 0);
		ck_assert_uint_eq(found[gt][2], 64);
		ck_assert_uint_eq(found[gt][5], 8);
	}
}

TEST(questions, fused_cores_are_not_there)
{
	int fd = node_open(BMG);

	scene_set("gpu2.subslices", "0xf:0:0x3");
	ck_assert_int_gt(xe_query(fd, 5, data, sizeof(data)), 24);
	ck_assert_uint_eq(node_word(data + 8), 0x30f);
	scene_set("gpu2.subslices", "0xf:0xf:0xf:0xf:0xf");
}

/* An engine's timestamp goes on with simulated time. */
TEST(questions, an_engines_timestamp_follows_time)
{
	uint64_t cycles[2], cpu;
	int fd = node_open(LNL);
	struct timespec now;

	for (unsigned i = 0; i < 2; i++) {
		memset(data, 0, 40);
		data[8] = CLOCK_MONOTONIC;
		ck_assert_int_eq(xe_query(fd, 6, data, 40), 40);
		ck_assert_uint_eq(node_word(data + 12), 64);
		cycles[i] = xe_u64(data + 16);
		scene_pass(10 * MS);
	}
	ck_assert_uint_eq(cycles[1] - cycles[0], 192000);
	cpu = xe_u64(data + 24);
	clock_gettime(CLOCK_MONOTONIC, &now);
	ck_assert_uint_le(cpu, (uint64_t)now.tv_sec * 1000000000 +
				       (uint64_t)now.tv_nsec);
}

static const struct cycle_case {
	unsigned class, instance, gt;
	int clock, result;
} cycle_cases[] = {
	{ 0, 0, 0, CLOCK_MONOTONIC, 40 },
	{ 2, 0, 1, CLOCK_REALTIME, 40 },
	{ 0, 0, 0, CLOCK_PROCESS_CPUTIME_ID, -EINVAL },
	{ 0, 1, 0, CLOCK_MONOTONIC, -EINVAL }, /* no second one */
	{ 0, 0, 1, CLOCK_MONOTONIC, -EINVAL }, /* not of that GT */
	{ 0, 0, 2, CLOCK_MONOTONIC, -EINVAL },
	{ 9, 0, 0, 1, -EINVAL },
};

TEST_LOOP(questions, engine_cycles_are_checked, ARRAY_SIZE(cycle_cases))
{
	const struct cycle_case *c = &cycle_cases[_i];
	int fd = node_open(LNL);

	memset(data, 0, 40);
	data[0] = (uint8_t)c->class;
	data[2] = (uint8_t)c->instance;
	data[4] = (uint8_t)c->gt;
	data[8] = (uint8_t)c->clock;
	ck_assert_int_eq(xe_query(fd, 6, data, 40), c->result);
}

/* ------------------------------------------------------------------ */
/* Metric sets                                                          */

static const struct xe_pair good[] = { { 0x13000, 0x402 }, { 0xe458, 0 } };

TEST_CASE(configs, NULL, nodes_close, "drmsim_xe_kernel");

TEST(configs, config_appears_and_goes)
{
	int fd = node_open(BMG), id, other;

	id = xe_add(fd, UUID, good, 2);
	ck_assert_int_ge(id, 1);
	ck_assert_int_eq(node_read_id(BMG, UUID), id);
	ck_assert_int_eq(xe_add(fd, UUID, good, 2), -EADDRINUSE);
	other = xe_add(fd, OTHER_UUID, good, 1);
	ck_assert_int_eq(other, id + 1);
	ck_assert_int_eq(xe_remove(fd, id), 0);
	ck_assert_int_eq(node_read_id(BMG, UUID), -ENOENT);
	ck_assert_int_eq(xe_remove(fd, id), -ENOENT);
	ck_assert_int_eq(xe_remove(fd, 0), -ENOENT);
	/* the lowest that is free */
	ck_assert_int_eq(xe_add(fd, UUID, good, 2), id);
}

static const struct address {
	uint32_t address;
	bool allowed, before_xe2, of_mtl;
} addresses[] = {
	{ 0x13000, true, false, false },
	{ 0x137fc, true, false, false },
	{ 0x12ffc, false, false, false },
	{ 0x13800, false, false, false },
	{ 0xe65c, true, true, true },
	{ 0xe660, false, false, false },
	{ 0x393200, true, true, true },
	{ 0x39323c, true, true, true },
	{ 0x393240, false, false, false },
	{ 0x394a3c, true, false, false },
	{ 0x394200, true, false, false },
	{ 0x394240, false, false, false },
	{ 0xd900, true, true, true },
	{ 0xdd48, true, true, true },
	{ 0xdd4c, false, false, false },
	/* what gen12's list has and this one has not */
	{ 0x9888, false, true, true },
	{ 0x20cc, false, true, false },
	{ 0xd00, false, true, true },
	{ 0xd08, false, false, false },
	/* what Meteor and Arrow Lake's list has beside */
	{ 0x38d100, false, false, true },
	{ 0x38d114, false, false, true },
	{ 0x38d118, false, false, false },
	{ 0x145194, true, false, false },
	{ 0x2358, false, false, false },
	{ 0, false, false, false },
};

static void
check_register(enum gpu gpu, uint32_t address, bool allowed)
{
	struct xe_pair pairs[2] = { { 0xe458, 0 }, { address, 1 } };
	int fd = node_open(gpu), id = xe_add(fd, UUID, pairs, 2);

	if (allowed) {
		ck_assert_int_ge(id, 1);
		xe_remove(fd, id);
	} else {
		ck_assert_int_eq(id, -EINVAL);
		ck_assert_int_eq(node_read_id(gpu, UUID), -ENOENT);
	}
	node_close(fd);
}

TEST_LOOP(configs, registers_are_checked, ARRAY_SIZE(addresses))
{
	const struct address *c = &addresses[_i];

	check_register(PTL, c->address, c->allowed);
	check_register(PVC, c->address, c->before_xe2);
	check_register(OTHER_TGL, c->address, c->before_xe2);
	check_register(MTL, c->address, c->of_mtl);
}

TEST(configs, config_is_checked)
{
	uint64_t bad[7] = { 0 };
	int fd = node_open(LNL);

	ck_assert_int_eq(
		xe_add(fd, "01234567-89ab-cdef+0123-456789abcdef", good, 2),
		-EINVAL);
	ck_assert_int_eq(
		xe_add(fd, "01234567-89ab-cdef-0123-456789abcdeg", good, 2),
		-EINVAL);
	ck_assert_int_eq(xe_add(fd, UUID, good, 0), -EINVAL);
	ck_assert_int_eq(xe_add(fd, UUID, NULL, 1), -EINVAL);
	ck_assert_int_eq(xe_add(fd, UUID, (void *)8, 1), -EFAULT);
	ck_assert_int_eq(xe_observe(fd, 0, 1, 0), -EFAULT);
	bad[0] = 1; /* an extension */
	ck_assert_int_eq(xe_observe(fd, 0, 1, (uintptr_t)bad), -EINVAL);
	ck_assert_int_eq(xe_observe(fd, 0, 2, 0), -EFAULT);
	ck_assert_int_eq(xe_observe(fd, 0, 3, (uintptr_t)bad), -EINVAL);
	ck_assert_int_eq(xe_observe(fd, 2, 0, (uintptr_t)bad), -EINVAL);
	ck_assert_int_eq(xe_observe(fd, 1, 1, (uintptr_t)bad), -EINVAL);
	bad[1] = bad[2] = 0;
	ck_assert_int_eq(node_call(fd, OBSERVATION, bad), -EINVAL);
}

/* A register that is refused goes before one that cannot be read. */
TEST(configs, registers_are_read_one_by_one)
{
	struct xe_pair *end = scene_memory_end();
	int fd = node_open(LNL);

	end[-1] = (struct xe_pair){ 0x2358, 0 };
	ck_assert_int_eq(xe_add(fd, UUID, end - 1, 2), -EINVAL);
	end[-1].address = 0xe458;
	ck_assert_int_eq(xe_add(fd, UUID, end - 1, 2), -EFAULT);
}

static void
drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { 0 };

	if (syscall(SYS_capset, &header, none))
		_exit(100);
}

static int
add_and_open(void)
{
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2), stream;

	if (id < 0)
		return -id;
	stream = xe_oag(fd, id, 13);
	if (stream < 0)
		return -stream;
	node_close(stream);
	xe_remove(fd, id);
	node_close(fd);
	return 0;
}

/* Return what a process without capabilities gets: 0 or an errno. */
static int
unprivileged_result(void)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		drop_capabilities();
		_exit(add_and_open());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
write_sysctl(const char *path, const char *value)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	fputs(value, file);
	fclose(file);
}

/* it is the simulated one's */
#define XE_SYSCTL "/proc/sys/dev/xe/observation_paranoid"
/* and this too */
#define PERF_SYSCTL "/proc/sys/kernel/perf_event_paranoid"

/* Either sysctl opens it to all. */
TEST(configs, either_sysctl_opens_counting_to_all)
{
	ck_assert_int_eq(add_and_open(), 0);
	/* an ordinary user has no capability to drop */
	scene_set("unprivileged", "1");
	ck_assert_int_eq(unprivileged_result(), EACCES);
	write_sysctl(XE_SYSCTL, "0\n");
	ck_assert_int_eq(unprivileged_result(), 0);
	write_sysctl(XE_SYSCTL, "1\n");
	ck_assert_int_eq(unprivileged_result(), EACCES);
	write_sysctl(PERF_SYSCTL, "0\n");
	ck_assert_int_eq(unprivileged_result(), 0);
	/* older kernels do not look at that one */
	scene_set("gpu2.older-privileges", "on");
	ck_assert_int_eq(unprivileged_result(), EACCES);
	write_sysctl(XE_SYSCTL, "0\n");
	ck_assert_int_eq(unprivileged_result(), 0);
	write_sysctl(XE_SYSCTL, "1\n");
	scene_set("gpu2.older-privileges", "off");
	write_sysctl(PERF_SYSCTL, "1\n");
	ck_assert_int_eq(unprivileged_result(), EACCES);
	scene_set("unprivileged", "0");
	write_sysctl(PERF_SYSCTL, "2\n");
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

#define NO_SET 0x7777
#define THE_SET 0xffff /* stands for the id of the set that is there */

static const struct opening {
	struct xe_property properties[8];
	int result; /* 0: a stream */
} openings[] = {
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 5, 13 } }, 0 },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 } }, 0 },
	/* the value counts as yes or no, of a format its low half */
	{ { { 2, 7 }, { 3, THE_SET }, { 4, 0x700000000 | PEC64U64 } }, 0 },
	{ { { 3, THE_SET }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 2, 0 }, { 3, THE_SET }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 2, 1 }, { 3, NO_SET }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 2, 1 }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET } }, -EINVAL },
	/* formats: of i915's numbers, of gen12, of the other kind of unit */
	{ { { 2, 1 }, { 3, THE_SET }, { 4, 10 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, 0x500 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, MPEC8U32 } }, -EINVAL },
	{ { { 1, 2 }, { 2, 1 }, { 3, THE_SET }, { 4, MPEC8U32 } }, 0 },
	{ { { 1, 1 }, { 2, 1 }, { 3, THE_SET }, { 4, 0x104 } }, 0 },
	{ { { 1, 2 }, { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 1, 4 }, { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 5, 31 } }, 0 },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 5, 32 } }, -EINVAL },
	/* a queue that is not there; of a media unit none may be given */
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 7, 5 } }, -ENOENT },
	{ { { 1, 2 }, { 2, 1 }, { 3, THE_SET }, { 4, 0x104 }, { 7, 5 } },
	  -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 9, 1 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 10, 1 } }, -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 12, 131072 } }, 0 },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 12, 65536 } },
	  -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 12, 196608 } },
	  -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 12, 268435456 } },
	  -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 4, PEC64U64 }, { 13, 0 } }, -EINVAL },
	/* as many as the buffer has room for, and one more */
	{ { { 2, 1 },
	    { 3, THE_SET },
	    { 4, PEC64U64 },
	    { 12, 131072 },
	    { 13, 227 } },
	  0 },
	{ { { 2, 1 },
	    { 3, THE_SET },
	    { 4, PEC64U64 },
	    { 12, 131072 },
	    { 13, 228 } },
	  -EINVAL },
	{ { { 2, 1 }, { 3, THE_SET }, { 14, 1 } }, -EINVAL },
};

static int
open_with(int fd, int id, const struct xe_property given[8])
{
	struct xe_property properties[8];
	unsigned count = 0;

	while (count < 8 && given[count].id) {
		properties[count] = given[count];
		if (properties[count].id == 3 &&
		    properties[count].value == THE_SET)
			properties[count].value = (uint64_t)id;
		count++;
	}
	return xe_stream(fd, properties, count);
}

TEST_CASE(opening, NULL, nodes_close, "drmsim_xe_kernel");

TEST(opening, the_memory_fabrics_unit_has_its_own_rules)
{
	static const struct xe_property mert[8] = {
		{ 1, 1 }, { 2, 1 }, { 3, THE_SET }, { 4, MPEC8U32 }, { 5, 10 }
	};
	static const struct xe_property wide[8] = {
		{ 1, 1 }, { 2, 1 }, { 3, THE_SET }, { 4, 0x104 }, { 5, 10 }
	};
	const struct xe_pair off = { 0x145194, 0 }, on = { 0x145194, 1 };
	int fd = node_open(CRI), id;

	ck_assert_int_eq(xe_add(fd, UUID, &on, 1), -EINVAL);
	id = xe_add(fd, UUID, &off, 1);
	ck_assert_int_ge(id, 1);
	ck_assert_int_eq(open_with(fd, id, wide), -EINVAL);
	node_opened(open_with(fd, id, mert));
}

TEST_LOOP(opening, stream_is_checked, ARRAY_SIZE(openings))
{
	const struct opening *c = &openings[_i];
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2), stream;

	ck_assert_int_ge(id, 1);
	stream = open_with(fd, id, c->properties);
	if (c->result == 0) {
		ck_assert_int_ge(stream, 0);
		/* neither flag can be asked for */
		ck_assert_int_eq(fcntl(stream, F_GETFD), 0);
		ck_assert_int_eq(fcntl(stream, F_GETFL) & O_NONBLOCK, 0);
		node_close(stream);
	} else {
		ck_assert_int_eq(stream, c->result);
	}
}

/* Before Xe2 formats are other ones; Ponte Vecchio has a unit for each tile. */
#define UNIT(unit, format)                                                     \
	{                                                                      \
		{ 1, unit }, { 2, 1 }, { 3, THE_SET }, { 4, format },          \
		{                                                              \
			5, 10                                                  \
		}                                                              \
	}

static const struct older_opening {
	enum gpu gpu;
	struct xe_property properties[8];
	int result;
} older_openings[] = {
	{ PVC, UNIT(0, 0x500), 0 },
	{ PVC, UNIT(0, 0x501), 0 },
	{ PVC, UNIT(1, 0x500), 0 },
	{ PVC, UNIT(2, 0x500), -EINVAL },
	{ PVC, UNIT(0, PEC64U64), -EINVAL },
	{ PVC, UNIT(0, MPEC8U32), -EINVAL },
	{ DG2, UNIT(0, 0x500), 0 },
	{ DG2, UNIT(0, 0x501), 0 },
	{ DG2, UNIT(0, 0x200), -EINVAL },
	{ DG2, UNIT(0, MPEC8U32), -EINVAL },
	{ DG2, UNIT(0, PEC64U64), -EINVAL },
	{ DG2, UNIT(0, 12), -EINVAL }, /* i915's number of it */
	{ DG2, UNIT(1, 0x500), -EINVAL },
	{ MTL, UNIT(0, 0x500), 0 },
	{ MTL, UNIT(0, MPEC8U32), -EINVAL },
	{ MTL, UNIT(1, MPEC8U32), 0 },
	{ MTL, UNIT(1, 0x104), 0 },
	{ MTL, UNIT(1, 0x500), -EINVAL },
	{ MTL, UNIT(2, MPEC8U32), -EINVAL },
	{ OTHER_TGL, UNIT(0, 0x500), 0 },
	{ OTHER_TGL, UNIT(0, 0x200), 0 },
	{ OTHER_TGL, UNIT(0, 0), 0 },
	/* The kernel lists C4_B8 but never opens it; this check is the last. */
	{ OTHER_TGL, UNIT(0, 0x700), -EINVAL },
	{ OTHER_TGL, { { 2, 1 }, { 4, 0x700 }, { 7, 1 } }, -ENOENT },
	{ OTHER_TGL, UNIT(0, 0x501), -EINVAL },
	{ OTHER_TGL, UNIT(0, MPEC8U32), -EINVAL },
};

TEST_LOOP(opening, older_stream_is_checked, ARRAY_SIZE(older_openings))
{
	const struct older_opening *c = &older_openings[_i];
	const struct xe_pair pair = { 0x9888, 1 };
	int fd = node_open(c->gpu), id, stream;

	id = xe_add(fd, UUID, &pair, 1);
	ck_assert_int_ge(id, 1);
	stream = open_with(fd, id, c->properties);
	ck_assert_int_eq(stream < 0 ? stream : 0, c->result);
}

static const struct xe_property sampling = { 2, 1 };

TEST(opening, chain_is_checked)
{
	struct xe_property many[17];
	struct xe_link links[17];
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2), stream;

	for (unsigned i = 0; i < 17; i++)
		many[i] = sampling;
	many[0] = (struct xe_property){ 3, (uint64_t)id };
	many[1] = (struct xe_property){ 4, PEC64U64 };
	stream = node_opened(xe_stream(fd, many, 16));
	node_close(stream);
	ck_assert_int_eq(xe_stream(fd, many, 17), -E2BIG);
	ck_assert_int_eq(xe_observe(fd, 0, 0, 0), -EFAULT);
	xe_chain(links, many, 3);
	links[2].next = 8;
	ck_assert_int_eq(xe_observe(fd, 0, 0, (uintptr_t)links), -EFAULT);
	xe_chain(links, many, 3);
	links[1].name = 1;
	ck_assert_int_eq(xe_observe(fd, 0, 0, (uintptr_t)links), -EINVAL);
	xe_chain(links, many, 3);
	links[1].pad2 = 1;
	ck_assert_int_eq(xe_observe(fd, 0, 0, (uintptr_t)links), -EINVAL);
	xe_chain(links, many, 3);
	links[1].property = 0;
	ck_assert_int_eq(xe_observe(fd, 0, 0, (uintptr_t)links), -EINVAL);
}

/* One stream a unit; what is wrong with the set is found behind that. */
TEST(opening, unit_is_taken)
{
	const struct xe_property media[] = {
		{ 1, 3 }, { 2, 1 }, { 3, 0 }, { 4, MPEC8U32 }
	};
	struct xe_property own[4];
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2);
	int stream = xe_oag(fd, id, 13), other;

	ck_assert_int_ge(stream, 0);
	ck_assert_int_eq(xe_oag(fd, id, 13), -EBUSY);
	ck_assert_int_eq(xe_oag(fd, NO_SET, 13), -EBUSY);
	ck_assert_int_eq(xe_oag(fd, id, 32), -EINVAL);
	memcpy(own, media, sizeof(own));
	own[2].value = (uint64_t)id;
	other = node_opened(xe_stream(fd, own, 4));
	node_close(other);
	/* what the stream uses may go */
	ck_assert_int_eq(xe_remove(fd, id), 0);
	node_close(stream);
	ck_assert_int_eq(xe_oag(fd, id, 13), -EINVAL);
}

/* ------------------------------------------------------------------ */
/* The buffer in memory                                                 */

#define BUFFER_SIZE 131072u
#define REPORT_SIZE 576u
#define REPORTS_MAX 8

static const struct mapping {
	size_t length;
	int protection, flags;
	int error; /* 0: is mapped */
} mappings[] = {
	{ BUFFER_SIZE, PROT_READ, MAP_PRIVATE, 0 },
	{ BUFFER_SIZE, PROT_NONE, MAP_PRIVATE, 0 },
	/* what is mapped is whole pages */
	{ BUFFER_SIZE - 1, PROT_READ, MAP_PRIVATE, 0 },
	{ BUFFER_SIZE + 1, PROT_READ, MAP_PRIVATE, EINVAL },
	{ BUFFER_SIZE / 2, PROT_READ, MAP_PRIVATE, EINVAL },
	{ 16 << 20, PROT_READ, MAP_PRIVATE, EINVAL },
	{ BUFFER_SIZE, PROT_READ, MAP_SHARED, EINVAL },
	{ BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, EINVAL },
	{ BUFFER_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, EINVAL },
	/* the file is not open for writing */
	{ BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, EACCES },
};

/* Open a stream with the smallest buffer. */
static int
open_small(int fd, int id)
{
	const struct xe_property properties[] = { { 2, 1 },
						  { 3, (uint64_t)id },
						  { 4, PEC64U64 },
						  { 5, 13 },
						  { 12, BUFFER_SIZE } };
	int stream =
		node_opened(xe_stream(fd, properties, ARRAY_SIZE(properties)));

	xe_set_nonblocking(stream);
	return stream;
}

TEST_CASE(mapping, NULL, nodes_close, "drmsim_xe_kernel");

TEST_LOOP(mapping, mapping_is_checked, ARRAY_SIZE(mappings))
{
	const struct mapping *c = &mappings[_i];
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2);
	int stream = open_small(fd, id);
	void *memory;

	memory = mmap(NULL, c->length, c->protection, c->flags, stream, 0);
	ck_assert_int_eq(memory == MAP_FAILED ? errno : 0, c->error);
	if (memory != MAP_FAILED)
		munmap(memory, c->length);
}

TEST(mapping, mapping_takes_privilege)
{
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2);
	int stream = open_small(fd, id), status;
	pid_t pid;

	scene_set("unprivileged", "1");
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		drop_capabilities();
		_exit(mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, stream,
			   0) == MAP_FAILED
			      ? errno
			      : 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), EACCES);
	scene_set("unprivileged", "0");
}

static bool
is_zero(const uint8_t *bytes, size_t size)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	return size == 0;
}

/*
 * Reports lie in the order in which read() gives them. Of one that was given,
 * the driver clears id and timestamp.
 */
TEST(mapping, mapping_has_the_reports)
{
	uint8_t *before = malloc(BUFFER_SIZE), *given = malloc(BUFFER_SIZE);
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2), size;
	int stream = open_small(fd, id);
	const uint8_t *memory =
		mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, stream, 0);

	ck_assert_ptr_nonnull(before);
	ck_assert_ptr_nonnull(given);
	ck_assert(memory != MAP_FAILED);
	scene_pass(10 * MS);
	memcpy(before, memory, BUFFER_SIZE);
	ck_assert(!is_zero(before, REPORT_SIZE));
	size = xe_read(stream, given, REPORTS_MAX * REPORT_SIZE);
	ck_assert_int_gt(size, 0);
	ck_assert_mem_eq(given, before, (size_t)size);
	ck_assert_int_eq(size % (int)REPORT_SIZE, 0);
	for (int at = 0; at < size; at += (int)REPORT_SIZE) {
		ck_assert(is_zero(memory + at, 16));
		ck_assert_mem_eq(memory + at + 16, before + at + 16,
				 REPORT_SIZE - 16);
	}
	/* a start clears all */
	ck_assert_int_eq(node_call(stream, STREAM_DISABLE, NULL), 0);
	ck_assert_int_eq(node_call(stream, STREAM_ENABLE, NULL), 0);
	ck_assert(is_zero(memory, BUFFER_SIZE));
	munmap((void *)memory, BUFFER_SIZE);
	node_close(stream);
	xe_remove(fd, id);
	node_close(fd);
	free(given);
	free(before);
}

/* What has been written before is there; the ring ends with a whole report. */
TEST(mapping, mapping_goes_around)
{
	const unsigned places = BUFFER_SIZE / REPORT_SIZE;
	int fd = node_open(BMG), id = xe_add(fd, UUID, good, 2), size = 1;
	int stream = open_small(fd, id);
	unsigned count = 0;
	const uint8_t *memory;

	while (count < places - 1) {
		scene_pass(MS);
		size = xe_read(stream, data, REPORT_SIZE);
		if (size > 0)
			count++;
	}
	scene_pass(10 * MS);
	memory = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, stream, 0);
	ck_assert(memory != MAP_FAILED);
	/* the last place, and then the first */
	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *at = memory + (count + i) % places * REPORT_SIZE;

		memcpy(data + 1024, at, REPORT_SIZE);
		ck_assert_int_eq(xe_read(stream, data, REPORT_SIZE),
				 (int)REPORT_SIZE);
		ck_assert_mem_eq(data, data + 1024, REPORT_SIZE);
	}
	munmap((void *)memory, BUFFER_SIZE);
}

TEST_MACHINE("drmsim_xe_kernel", XE_GPUS);
