/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What i915 that drmsim simulates is asked, seen by a program below it: which
 * configurations it takes and from whom, parameters, queries. Its streams are
 * the matter of test_drmsim_i915_streams.
 */
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/i915_node.h"
#include "tests/support/scene.h"

/* ------------------------------------------------------------------ */
/* Configurations                                                       */

TEST_CASE(configs, NULL, nodes_close, "drmsim_i915_kernel");

TEST(configs, config_appears_and_goes)
{
	int fd = node_open(SKL);
	int id = node_add(fd, SKL, UUID);

	ck_assert_int_ge(id, 2);
	ck_assert_int_eq(node_read_id(SKL, UUID), id);
	ck_assert_int_eq(node_add(fd, SKL, UUID), -EADDRINUSE);
	ck_assert_int_eq(node_remove(fd, id), 0);
	ck_assert_int_eq(node_remove(fd, id), -ENOENT);
	ck_assert_int_eq(node_read_id(SKL, UUID), -ENOENT);
	ck_assert_int_eq(node_remove(fd, 0x7fffffff), -ENOENT);
}

/* What is wrong with a configuration that would be right otherwise. */
enum flaw {
	NO_FLAW,
	BAD_UUID,
	EMPTY,
	BAD_MUX,
	BAD_BOOLEAN,
	BAD_FLEX,
	GOOD_FLEX,
	BAD_POINTER,
	BAD_MUX_AT_END, /* of what can be read */
	GOOD_MUX_AT_END,
};

static const struct flaw_case {
	enum gpu gpu;
	enum flaw flaw;
	int result; /* 0: an id */
} flaws[] = {
	{ SKL, NO_FLAW, 0 },
	{ SKL, BAD_UUID, -EINVAL },
	{ SKL, EMPTY, -EINVAL },
	{ SKL, BAD_MUX, -EINVAL },
	{ SKL, BAD_BOOLEAN, -EINVAL },
	{ SKL, BAD_FLEX, -EINVAL },
	{ SKL, GOOD_FLEX, 0 },
	{ SKL, BAD_POINTER, -EFAULT },
	{ HSW, NO_FLAW, 0 },
	{ HSW, GOOD_FLEX, -EINVAL },
	{ TGL, NO_FLAW, 0 },
	{ DG2, NO_FLAW, 0 },
	{ MTL, GOOD_FLEX, 0 },
	{ SKL, BAD_MUX_AT_END, -EINVAL },
	{ SKL, GOOD_MUX_AT_END, -EFAULT },
};

/* Put the address of a register in front of memory that is not there. */
static void
end_with(struct node_registers *r, uint32_t address)
{
	uint32_t *end = scene_memory_end();

	end[-1] = address;
	r->config.mux_regs_ptr = (uintptr_t)(end - 1);
}

static void
spoil_registers(struct node_registers *r, enum flaw flaw)
{
	switch (flaw) {
	case NO_FLAW:
		return;
	case BAD_UUID:
		r->config.uuid[8] = '+';
		return;
	case EMPTY:
		r->config.n_mux_regs = 0;
		r->config.boolean_regs_ptr = 0;
		return;
	case BAD_MUX:
		r->mux[0] = 0x2000;
		return;
	case BAD_BOOLEAN:
		r->boolean[0] = 0x9888;
		return;
	case BAD_FLEX:
	case GOOD_FLEX:
		r->flex[0] = flaw == BAD_FLEX ? 0xe460 : 0xe458;
		r->config.n_flex_regs = 1;
		r->config.flex_regs_ptr = (uintptr_t)r->flex;
		return;
	case BAD_POINTER:
		r->config.mux_regs_ptr = 8;
		return;
	case BAD_MUX_AT_END:
		end_with(r, 0x2000);
		return;
	case GOOD_MUX_AT_END:
		end_with(r, 0x9888);
		return;
	}
}

TEST_LOOP(configs, config_is_checked, ARRAY_SIZE(flaws))
{
	const struct flaw_case *c = &flaws[_i];
	int fd = node_open(c->gpu);
	struct node_registers r;
	int result;

	node_make_registers(&r, c->gpu, UUID);
	spoil_registers(&r, c->flaw);
	result = node_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &r.config);
	if (c->result == 0) {
		ck_assert_int_ge(result, 2);
		ck_assert_int_eq(node_remove(fd, result), 0);
	} else {
		ck_assert_int_eq(result, c->result);
	}
}

TEST(configs, config_needs_privilege)
{
	int fd = node_open(HSW);
	int id;

	scene_set("unprivileged", "1");
	ck_assert_int_eq(node_add(fd, HSW, UUID), -EACCES);
	/* before the id is looked at */
	ck_assert_int_eq(node_remove(fd, 77), -EACCES);
	scene_set("perf-stream-paranoid", "0");
	id = node_add(fd, HSW, UUID);
	ck_assert_int_ge(id, 2);
	ck_assert_int_eq(node_remove(fd, id), 0);
	scene_set("perf-stream-paranoid", "1");
	scene_set("unprivileged", "0");
}

/*
 * A process that drops what it had from the simulator's owner has nothing left.
 */
TEST(configs, privilege_can_be_dropped)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct had[2] = { 0 }, none[2] = { 0 };
	int fd = node_open(HSW), status;
	pid_t pid = fork();

	if (pid == 0) {
		if (syscall(SYS_capget, &head, had) ||
		    syscall(SYS_capset, &head, none))
			_exit(1);
		/* without these, as in a container, nothing is dropped */
		if (had[0].effective & 1u << CAP_SYS_ADMIN ||
		    had[1].effective & 1u << (CAP_PERFMON - 32))
			_exit(node_add(fd, HSW, UUID) == -EACCES ? 0 : 2);
		_exit(node_remove(fd, node_add(fd, HSW, UUID)) ? 3 : 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

TEST(configs, user_can_be_changed)
{
	int status, fd;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		if (setgid(2) || setuid(2))
			_exit(77);
		fd = node_open(HSW);
		_exit(fd >= 0 && node_add(fd, HSW, UUID) == -EACCES ? 0 : 2);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		printf("skip user_can_be_changed: this user may not\n");
	else
		ck_assert_int_eq(status, 0);
}

/* The sysctl's file is what counts, whichever process has written it. */
TEST(configs, sysctl_can_be_written)
{
	/* the simulated one's */
	static const char path[] = "/proc/sys/dev/i915/perf_stream_paranoid";
	int node = node_open(SKL), fd, id;
	char text[8] = "";

	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(read(fd, text, sizeof(text)), 2);
	ck_assert_str_eq(text, "1\n");
	ck_assert_int_eq(pwrite(fd, "0\n", 2, 0), 2);
	scene_set("unprivileged", "1");
	id = node_add(node, SKL, UUID);
	ck_assert_int_ge(id, 2);
	node_remove(node, id);
	ck_assert_int_eq(pwrite(fd, "1\n", 2, 0), 2);
	ck_assert_int_eq(node_add(node, SKL, UUID), -EACCES);
	scene_set("unprivileged", "0");
	node_close(fd);
	node_close(node);
}

TEST(configs, without_oa_nothing_can_be_opened)
{
	struct drm_i915_perf_open_param param = { .num_properties = 1 };
	int fd = node_open(DG2);

	scene_set("gpu5.oa-support", "0");
	ck_assert_int_eq(node_add(fd, DG2, UUID), -524);
	ck_assert_int_eq(node_call(fd, DRM_IOCTL_I915_PERF_OPEN, &param), -524);
	ck_assert_int_eq(access("/sys/class/drm/card5/metrics", F_OK), -1);
	scene_set("gpu5.oa-support", "1");
	ck_assert_int_eq(access("/sys/class/drm/card5/metrics", F_OK), 0);
}

/* ------------------------------------------------------------------ */
/* Questions                                                            */

static int
get_parameter(int fd, int number)
{
	int value = -1, result;
	struct drm_i915_getparam get = { .param = number, .value = &value };

	result = node_call(fd, DRM_IOCTL_I915_GETPARAM, &get);
	return result ? result : value;
}

static const struct parameter {
	enum gpu gpu;
	const char *kernel;
	int number, value;
} parameters[] = {
	{ SKL, "6.12", 4, 0x1912 },	{ SKL, "6.12", 32, 6 },
	{ SKL, "6.12", 46, 1 },		{ SKL, "6.12", 47, 7 },
	{ SKL, "6.12", 51, 12000000 },	{ SKL, "6.12", 54, 7 },
	{ SKL, "6.1", 54, 5 },		{ SKL, "6.12", 57, 12000000 },
	{ SKL, "6.1", 57, -EINVAL },	{ DG2, "6.12", 51, 19200000 },
	{ DG2, "6.12", 57, 38400000 },	{ DG2, "6.12", 47, -EINVAL },
	{ HSW, "6.12", 57, 12500000 },	{ TGL, "6.12", 34, 96 },
	{ SKL, "6.12", 9999, -EINVAL },
};

TEST_CASE(questions, NULL, nodes_close, "drmsim_i915_kernel");

TEST_LOOP(questions, parameters_have_their_values, ARRAY_SIZE(parameters))
{
	const struct parameter *c = &parameters[_i];
	int fd = node_open(c->gpu);
	char key[16];

	snprintf(key, sizeof(key), "gpu%d.kernel", c->gpu);
	scene_set(key, c->kernel);
	ck_assert_int_eq(get_parameter(fd, c->number), c->value);
	scene_set(key, "6.12");
}

/* Returns the item's length as the kernel left it. */
static int
query_item(int fd, uint64_t id, uint32_t flags, void *buffer, int length)
{
	struct drm_i915_query_item item = { .query_id = id,
					    .flags = flags,
					    .length = length,
					    .data_ptr = (uintptr_t)buffer };
	struct drm_i915_query all = { .num_items = 1,
				      .items_ptr = (uintptr_t)&item };

	ck_assert_int_eq(node_call(fd, DRM_IOCTL_I915_QUERY, &all), 0);
	return item.length;
}

/* What the kernel tells of Skylake's slices, subslices of each, their EUs. */
static const uint8_t skl_topology[] = {
	0, 0, 3, 0, 4,	  0,	8,    0, 1, 0, 1, 0, 4, 0, 1, 0,
	1, 7, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

TEST(questions, the_topology_query_reports_the_units)
{
	uint8_t buffer[256];
	int fd = node_open(SKL), dg2 = node_open(DG2);
	int size = query_item(fd, 1, 0, NULL, 0);

	ck_assert_int_eq(size, sizeof(skl_topology));
	ck_assert_int_eq(query_item(fd, 1, 0, buffer, size - 1), -EINVAL);
	ck_assert_int_eq(query_item(fd, 1, 1, NULL, 0), -EINVAL);
	memset(buffer, 0, sizeof(buffer));
	ck_assert_int_eq(query_item(fd, 1, 0, buffer, sizeof(buffer)), size);
	ck_assert_mem_eq(buffer, skl_topology, sizeof(skl_topology));
	buffer[0] = 1; /* flags */
	ck_assert_int_eq(query_item(fd, 1, 0, buffer, sizeof(buffer)), -EINVAL);
	/* one item's fault is that item's, and its length may be kept */
	ck_assert_int_eq(query_item(fd, 1, 0, NULL, size), -EFAULT);
	ck_assert_int_eq(query_item(fd, 1, 0, NULL, -EFAULT), -EFAULT);
	buffer[0] = 0;
	ck_assert_int_eq(query_item(fd, 1, 0, buffer, -EFAULT), size);
	ck_assert_int_eq(
		query_item(fd, 1, 0, (void *)(uintptr_t)skl_topology, size),
		-EFAULT);
	ck_assert_int_eq(query_item(fd, 6, 0, NULL, 0), -ENODEV);
	ck_assert_int_eq(query_item(fd, 99, 0, NULL, 0), -EINVAL);

	/* one slice of 32, two bytes of EUs each */
	ck_assert_int_eq(query_item(dg2, 1, 0, NULL, 0), 16 + 1 + 4 + 64);
	ck_assert_int_eq(query_item(dg2, 6, 0, NULL, 0), 16 + 1 + 4 + 64);
	ck_assert_int_eq(query_item(dg2, 6, 1, NULL, 0), -EINVAL);
}

TEST(questions, the_engine_query_reports_all_engines)
{
	uint8_t buffer[16 + 7 * 56] = { 0 };
	struct drm_i915_engine_info engines[7];
	int fd = node_open(DG2);

	ck_assert_int_eq(query_item(fd, 2, 0, NULL, 0), sizeof(buffer));
	ck_assert_int_eq(query_item(fd, 2, 0, buffer, sizeof(buffer)),
			 sizeof(buffer));
	ck_assert_uint_eq(node_word(buffer), 7);
	memcpy(engines, buffer + 16, sizeof(engines));
	ck_assert_uint_eq(engines[0].engine.engine_class, 0);
	ck_assert_uint_eq(engines[3].engine.engine_class, 2);
	ck_assert_uint_eq(engines[3].engine.engine_instance, 1);
	ck_assert_uint_eq(engines[6].engine.engine_class, 4);
	/* what comes in must be zeros */
	ck_assert_int_eq(query_item(fd, 2, 0, buffer, sizeof(buffer)), -EINVAL);
}

/* A header of 48 bytes, whose first 8 or 36 say which, then a config. */
struct config_answer {
	union {
		uint64_t id;
		char uuid[48];
	} header;
	struct drm_i915_perf_oa_config config;
};

/*
 * Check what of each region is in use, as the kernel tells it to this process.
 */
static void
check_regions(int fd, unsigned count, const uint64_t *total,
	      const uint64_t *used)
{
	union {
		uint8_t room[512];
		struct drm_i915_query_memory_regions header;
	} answer = { .room = { 0 } };
	const struct drm_i915_memory_region_info *list = answer.header.regions;
	int size = query_item(fd, DRM_I915_QUERY_MEMORY_REGIONS, 0, NULL, 0);

	ck_assert_int_eq(size, (int)(sizeof(answer.header) +
				     count * sizeof(*list)));
	ck_assert_int_eq(query_item(fd, DRM_I915_QUERY_MEMORY_REGIONS, 0,
				    &answer, sizeof(answer)),
			 size);
	ck_assert_uint_eq(answer.header.num_regions, count);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_eq(list[i].region.memory_class, i);
		ck_assert_uint_eq(list[i].probed_size, total[i]);
		ck_assert_uint_eq(list[i].unallocated_size,
				  total[i] - used[i]);
	}
}

TEST(questions, memory_regions_hide_what_is_privileged)
{
	const uint64_t mib = 1 << 20;
	const uint64_t total[] = { 16384 * mib, 16384 * mib };
	int fd = node_open(SKL), dg2 = node_open(DG2);
	uint8_t buffer[512] = { 0 };

	check_regions(fd, 1, total, (uint64_t[]){ 0 });
	check_regions(dg2, 2, total, (uint64_t[]){ 0, 72 * mib });
	scene_set("unprivileged", "1");
	check_regions(dg2, 2, total, (uint64_t[]){ 0, 0 });
	scene_set("unprivileged", "0");
	ck_assert_int_eq(query_item(dg2, 4, 0, buffer, 191), -EINVAL);
	ck_assert_int_eq(query_item(dg2, 4, 1, buffer, 192), -EINVAL);
	ck_assert_int_eq(query_item(dg2, 4, 0, NULL, 192), -EFAULT);
	ck_assert_int_eq(query_item(dg2, 4, 0, buffer, 192), 192);
	/* the number of regions that the answer has left */
	ck_assert_int_eq(query_item(dg2, 4, 0, buffer, 192), -EINVAL);
}

TEST(questions, loaded_configs_are_listed_and_read_back)
{
	struct config_answer answer = { 0 };
	uint32_t mux[2] = { 0 };
	uint64_t list[16] = { 0 };
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID);

	ck_assert_int_eq(sizeof(answer), 48 + 72);
	ck_assert_int_eq(query_item(fd, 3, 1, NULL, 0), 48 + 16);
	ck_assert_int_eq(query_item(fd, 3, 1, list, sizeof(list)), 48 + 16);
	ck_assert_uint_eq(list[0], 2);
	ck_assert_uint_eq(list[6], 1);
	ck_assert_uint_eq(list[7], (uint64_t)id);

	memcpy(answer.header.uuid, UUID, 36);
	ck_assert_int_eq(query_item(fd, 3, 2, NULL, 0), sizeof(answer));
	ck_assert_int_eq(query_item(fd, 3, 2, &answer, sizeof(answer) - 1),
			 -EINVAL);
	ck_assert_int_eq(query_item(fd, 3, 2, &answer, sizeof(answer)),
			 sizeof(answer));
	ck_assert_mem_eq(answer.config.uuid, UUID, 36);
	ck_assert_uint_eq(answer.config.n_mux_regs, 1);
	ck_assert_uint_eq(answer.config.n_flex_regs, 0);

	answer.config.mux_regs_ptr = (uintptr_t)mux;
	answer.config.n_boolean_regs = 0;
	answer.header.id = (unsigned)id;
	ck_assert_int_eq(query_item(fd, 3, 3, &answer, sizeof(answer)),
			 sizeof(answer));
	ck_assert_uint_eq(mux[0], 0x9888);
	ck_assert_uint_eq(mux[1], 0x12345600 | 'f');
	answer.header.id = 1;
	ck_assert_int_eq(query_item(fd, 3, 3, &answer, sizeof(answer)),
			 -ENOENT);
	ck_assert_int_eq(query_item(fd, 3, 4, &answer, sizeof(answer)),
			 -EINVAL);
}

static uint64_t
read_timestamp(int fd, uint64_t offset, int expected)
{
	struct drm_i915_reg_read reg = { .offset = offset };

	ck_assert_int_eq(node_call(fd, DRM_IOCTL_I915_REG_READ, &reg),
			 expected);
	return reg.val;
}

TEST(questions, an_engines_timestamp_has_its_own_rate)
{
	int fd = node_open(DG2);
	uint64_t before = read_timestamp(fd, 0x2358 | 1, 0);

	/* the command streamer counts at half the rate of the OA unit */
	scene_pass(10 * MS);
	ck_assert_uint_eq(read_timestamp(fd, 0x2358 | 1, 0) - before, 192000);
	read_timestamp(fd, 0x2358 | 2, -EINVAL);
	read_timestamp(fd, 0x2360, -EINVAL);
}

TEST_MACHINE("drmsim_i915_kernel", I915_GPUS);
