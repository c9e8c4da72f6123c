/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of i915 that drmsim simulates, seen by a program below it:
 * which errors come in which order, what streams deliver. Runs itself below
 * drmsim, in virtual time, with one GPU of each kind of unit.
 */
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/suite.h"
#include "tests/threads.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

enum gpu {
	HSW,
	SKL,
	TGL,
	MTL,
	DG2,
};

/* Properties that younger kernels have. */
#define CLASS 9
#define INSTANCE 10
#define MISSING 0xdead /* a metric set that is not there */
#define SET UINT64_MAX /* stands for one that is */

#define UUID "01234567-89ab-cdef-0123-456789abcdef"
#define OTHER_UUID "01234567-89ab-cdef-0123-456789abcde0"
/* the self-test set of Skylake GT2 */
#define TEST_OA "c5384091-ce4c-406c-ab4d-4c530f71c7ae"
#define MS 1000000u
#define SAMPLE 264u

static int
open_node(enum gpu gpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%d", 128 + gpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* 0 or a positive result, or -errno. */
static int
call(int fd, unsigned long request, void *arg)
{
	int result = ioctl(fd, request, arg);

	return result < 0 ? -errno : result;
}

static void
set(const char *key, const char *value)
{
	ck_assert_int_eq(drmsim_set(key, value), 0);
}

static void
advance(uint64_t ns)
{
	ck_assert_int_eq(drmsim_advance(ns), 0);
}

/* ------------------------------------------------------------------ */
/* Configurations                                                       */

/* A register that may stand in the boolean list of each GPU. */
static const uint32_t boolean_register[] = { 0x2710, 0x2710, 0xd900, 0xd900,
					     0xd900 };

struct registers {
	struct drm_i915_perf_oa_config config;
	uint32_t mux[4], boolean[4], flex[14];
};

static void
make_registers(struct registers *r, enum gpu gpu, const char *uuid)
{
	memset(r, 0, sizeof(*r));
	memcpy(r->config.uuid, uuid, 36);
	r->mux[0] = 0x9888;
	r->mux[1] = 0x12345678;
	r->boolean[0] = boolean_register[gpu];
	r->boolean[1] = 0xf0800000;
	r->config.n_mux_regs = 1;
	r->config.mux_regs_ptr = (uintptr_t)r->mux;
	r->config.n_boolean_regs = 1;
	r->config.boolean_regs_ptr = (uintptr_t)r->boolean;
}

static int
add(int fd, enum gpu gpu, const char *uuid)
{
	struct registers r;

	make_registers(&r, gpu, uuid);
	return call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &r.config);
}

static int
remove_config(int fd, int id)
{
	uint64_t number = (uint64_t)id;

	return call(fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &number);
}

static int
read_id(enum gpu gpu, const char *uuid)
{
	char path[128];
	FILE *file;
	int id = -1;

	snprintf(path, sizeof(path), "/sys/class/drm/card%d/metrics/%s/id", gpu,
		 uuid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	ck_assert_int_eq(fscanf(file, "%d", &id), 1);
	fclose(file);
	return id;
}

START_TEST(config_appears_and_goes)
{
	int fd = open_node(SKL);
	int id = add(fd, SKL, UUID);

	ck_assert_int_ge(id, 2);
	ck_assert_int_eq(read_id(SKL, UUID), id);
	ck_assert_int_eq(add(fd, SKL, UUID), -EADDRINUSE);
	ck_assert_int_eq(remove_config(fd, id), 0);
	ck_assert_int_eq(remove_config(fd, id), -ENOENT);
	ck_assert_int_eq(read_id(SKL, UUID), -ENOENT);
	ck_assert_int_eq(remove_config(fd, 0x7fffffff), -ENOENT);
	close(fd);
}
END_TEST

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
};

static const struct {
	enum gpu gpu;
	enum flaw flaw;
	int result; /* 0: an id */
} flaws[] = {
	{ SKL, NO_FLAW, 0 },	       { SKL, BAD_UUID, -EINVAL },
	{ SKL, EMPTY, -EINVAL },       { SKL, BAD_MUX, -EINVAL },
	{ SKL, BAD_BOOLEAN, -EINVAL }, { SKL, BAD_FLEX, -EINVAL },
	{ SKL, GOOD_FLEX, 0 },	       { SKL, BAD_POINTER, -EFAULT },
	{ HSW, NO_FLAW, 0 },	       { HSW, GOOD_FLEX, -EINVAL },
	{ TGL, NO_FLAW, 0 },	       { DG2, NO_FLAW, 0 },
	{ MTL, GOOD_FLEX, 0 },
};

static void
spoil(struct registers *r, enum flaw flaw)
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
	}
}

START_TEST(config_is_checked)
{
	int fd = open_node(flaws[_i].gpu);
	struct registers r;
	int result;

	make_registers(&r, flaws[_i].gpu, UUID);
	spoil(&r, flaws[_i].flaw);
	result = call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &r.config);
	if (flaws[_i].result == 0) {
		ck_assert_int_ge(result, 2);
		ck_assert_int_eq(remove_config(fd, result), 0);
	} else {
		ck_assert_int_eq(result, flaws[_i].result);
	}
	close(fd);
}
END_TEST

START_TEST(config_needs_privilege)
{
	int fd = open_node(HSW);
	int id;

	set("unprivileged", "1");
	ck_assert_int_eq(add(fd, HSW, UUID), -EACCES);
	/* before the id is looked at */
	ck_assert_int_eq(remove_config(fd, 77), -EACCES);
	set("perf-stream-paranoid", "0");
	id = add(fd, HSW, UUID);
	ck_assert_int_ge(id, 2);
	ck_assert_int_eq(remove_config(fd, id), 0);
	set("perf-stream-paranoid", "1");
	set("unprivileged", "0");
	close(fd);
}
END_TEST

/* Who drops what he had from the simulator's owner has nothing left. */
START_TEST(privilege_can_be_dropped)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct had[2] = { 0 }, none[2] = { 0 };
	int fd = open_node(HSW), status;
	pid_t pid = fork();

	if (pid == 0) {
		if (syscall(SYS_capget, &head, had) ||
		    syscall(SYS_capset, &head, none))
			_exit(1);
		if (had[0].effective || had[1].effective)
			_exit(add(fd, HSW, UUID) == -EACCES ? 0 : 2);
		_exit(remove_config(fd, add(fd, HSW, UUID)) ? 3 : 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	close(fd);
}
END_TEST

START_TEST(user_can_be_changed)
{
	int status, fd;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		if (setgid(2) || setuid(2))
			_exit(77);
		fd = open_node(HSW);
		_exit(fd >= 0 && add(fd, HSW, UUID) == -EACCES ? 0 : 2);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		printf("skip user_can_be_changed: this user may not\n");
	else
		ck_assert_int_eq(status, 0);
}
END_TEST

/* The sysctl's file is what counts, whoever has written it. */
START_TEST(sysctl_can_be_written)
{
	/* any machine: the simulated one's */
	static const char path[] = "/proc/sys/dev/i915/perf_stream_paranoid";
	int node = open_node(SKL), fd, id;
	char text[8] = "";

	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(read(fd, text, sizeof(text)), 2);
	ck_assert_str_eq(text, "1\n");
	ck_assert_int_eq(pwrite(fd, "0\n", 2, 0), 2);
	set("unprivileged", "1");
	id = add(node, SKL, UUID);
	ck_assert_int_ge(id, 2);
	remove_config(node, id);
	ck_assert_int_eq(pwrite(fd, "1\n", 2, 0), 2);
	ck_assert_int_eq(add(node, SKL, UUID), -EACCES);
	set("unprivileged", "0");
	close(fd);
	close(node);
}
END_TEST

START_TEST(without_support)
{
	struct drm_i915_perf_open_param param = { .num_properties = 1 };
	int fd = open_node(DG2);

	set("gpu4.oa-support", "0");
	ck_assert_int_eq(add(fd, DG2, UUID), -524);
	ck_assert_int_eq(call(fd, DRM_IOCTL_I915_PERF_OPEN, &param), -524);
	ck_assert_int_eq(access("/sys/class/drm/card4/metrics", F_OK), -1);
	set("gpu4.oa-support", "1");
	ck_assert_int_eq(access("/sys/class/drm/card4/metrics", F_OK), 0);
	close(fd);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Opening                                                              */

struct property {
	uint64_t id, value;
};

static int
perf_open(int fd, uint32_t flags, const struct property *properties,
	  unsigned count)
{
	struct drm_i915_perf_open_param param = {
		.flags = flags,
		.num_properties = count,
		.properties_ptr = (uintptr_t)properties
	};

	return call(fd, DRM_IOCTL_I915_PERF_OPEN, &param);
}

/* clang-format off */
static const struct {
	const char *what;
	enum gpu gpu;
	const char *kernel;
	uint32_t flags;
	struct property properties[12];
	int result; /* 0: a descriptor */
} openings[] = {
	{ "all is well", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 5, 13 } }, 0 },
	{ "no period", SKL, "6.12", 0, { { 2, 1 }, { 3, SET }, { 4, 10 } }, 0 },
	{ "unknown flag", SKL, "6.12", 8,
	  { { 2, 1 }, { 3, SET }, { 4, 10 } }, -EINVAL },
	{ "no properties", SKL, "6.12", 0, { { 0, 0 } }, -EINVAL },
	{ "as many as exist", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 },
	    { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 } }, 0 },
	{ "more than exist", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 },
	    { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 } }, -EINVAL },
	{ "more than existed", SKL, "6.1", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 },
	    { 4, 10 }, { 4, 10 }, { 4, 10 } }, -EINVAL },
	{ "unknown property", SKL, "6.12", 0,
	  { { 2, 1 }, { 11, 1 }, { 3, SET }, { 4, 10 } }, -EINVAL },
	{ "property of a later kernel", SKL, "6.1", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { CLASS, 0 }, { INSTANCE, 0 } },
	  -EINVAL },
	{ "set 0", SKL, "6.12", 0, { { 2, 1 }, { 3, 0 }, { 4, 10 } }, -EINVAL },
	{ "unknown set", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, MISSING }, { 4, 10 } }, -EINVAL },
	{ "the last of several counts", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, MISSING }, { 3, SET }, { 4, 10 } }, 0 },
	{ "format of Haswell", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 5 } }, -EINVAL },
	{ "Haswell's format", HSW, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 5 }, { 5, 13 } }, 0 },
	{ "format of Skylake", HSW, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 } }, -EINVAL },
	{ "no format", SKL, "6.12", 0, { { 2, 1 }, { 3, SET } }, -EINVAL },
	{ "exponent", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 5, 31 } }, 0 },
	{ "exponent too large", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 5, 32 } }, -EINVAL },
	{ "poll period", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 8, 100000 } }, 0 },
	{ "poll period too short", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 8, 99999 } }, -EINVAL },
	{ "no sampling", SKL, "6.12", 0,
	  { { 2, 0 }, { 3, SET }, { 4, 10 } }, -EINVAL },
	{ "no sampling of one's own on Gen12", TGL, "6.12", 0,
	  { { 1, 0 }, { 3, SET }, { 4, 10 } }, 0 },
	{ "no sampling of one's own before", SKL, "6.12", 0,
	  { { 1, 0 }, { 3, SET }, { 4, 10 } }, -EINVAL },
	{ "unknown context", SKL, "6.12", 0,
	  { { 1, 99 }, { 2, 1 }, { 3, SET }, { 4, 10 } }, -ENOENT },
	{ "one context", SKL, "6.12", 0,
	  { { 1, 0 }, { 2, 1 }, { 3, SET }, { 4, 10 } }, 0 },
	{ "preemption of nobody", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 6, 1 } }, -EINVAL },
	{ "preemption", SKL, "6.12", 0,
	  { { 1, 0 }, { 2, 1 }, { 3, SET }, { 4, 10 }, { 6, 1 } }, 0 },
	{ "slices nowhere", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { 7, 8 } }, -EFAULT },
	{ "slices on DG2", DG2, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 12 }, { 7, 8 } }, -ENODEV },
	{ "DG2's format", DG2, "6.12", 0, { { 2, 1 }, { 3, SET }, { 4, 12 } },
	  0 },
	{ "class without instance", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { CLASS, 0 } }, -EINVAL },
	{ "engine", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { CLASS, 0 }, { INSTANCE, 0 } },
	  0 },
	{ "engine that is not there", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { CLASS, 0 }, { INSTANCE, 1 } },
	  -EINVAL },
	{ "engine without a unit", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 10 }, { CLASS, 2 }, { INSTANCE, 0 } },
	  -EINVAL },
	{ "media engine", MTL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 14 }, { CLASS, 2 }, { INSTANCE, 1 } },
	  0 },
	{ "media format elsewhere", MTL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 14 } }, -EINVAL },
	{ "render's format for media", MTL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 12 }, { CLASS, 3 }, { INSTANCE, 0 } },
	  -EINVAL },
	{ "compute engine", MTL, "6.12", 0,
	  { { 2, 1 }, { 3, SET }, { 4, 12 }, { CLASS, 4 }, { INSTANCE, 0 } },
	  -EINVAL },
};
/* clang-format on */

static unsigned
fill_properties(const struct property *from, int id, struct property *out)
{
	unsigned n = 0;

	for (; n < 12 && from[n].id; n++) {
		out[n] = from[n];
		if (out[n].value == SET)
			out[n].value = (uint64_t)id;
	}
	return n;
}

START_TEST(opening)
{
	struct property properties[12];
	char key[16];
	int fd = open_node(openings[_i].gpu);
	int id = add(fd, openings[_i].gpu, UUID), stream;
	unsigned n;

	snprintf(key, sizeof(key), "gpu%d.kernel", openings[_i].gpu);
	set(key, openings[_i].kernel);
	n = fill_properties(openings[_i].properties, id, properties);
	stream = perf_open(fd, openings[_i].flags, properties, n);
	if (openings[_i].result == 0)
		ck_assert_msg(stream >= 0, "%s: %d", openings[_i].what, stream);
	else
		ck_assert_msg(stream == openings[_i].result, "%s: %d",
			      openings[_i].what, stream);
	if (stream >= 0)
		close(stream);
	set(key, "6.12");
	ck_assert_int_eq(remove_config(fd, id), 0);
	close(fd);
}
END_TEST

/* A stream on Skylake's unit, or -errno. */
static int
open_stream(int fd, int id, unsigned exponent, uint32_t flags)
{
	const struct property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
		{ 5, exponent },
	};

	return perf_open(fd, flags, properties, ARRAY_SIZE(properties));
}

START_TEST(one_stream_at_a_time)
{
	const struct property media[] = {
		{ 2, 1 }, { 3, 2 }, { 4, 14 }, { CLASS, 2 }, { INSTANCE, 0 },
	};
	const struct property render[] = { { 2, 1 }, { 3, 2 }, { 4, 12 } };
	int fd = open_node(SKL), other = open_node(SKL), mtl = open_node(MTL);
	int id = add(fd, SKL, UUID), stream = open_stream(fd, id, 13, 0), both;

	ck_assert_int_ge(stream, 0);
	ck_assert_int_eq(open_stream(other, id, 13, 0), -EBUSY);
	/* busy hides a bad set, and a missing privilege hides busy */
	ck_assert_int_eq(open_stream(other, MISSING, 13, 0), -EBUSY);
	set("unprivileged", "1");
	ck_assert_int_eq(open_stream(other, id, 13, 0), -EACCES);
	set("unprivileged", "0");
	close(stream);
	stream = open_stream(other, id, 13, 0);
	ck_assert_int_ge(stream, 0);
	close(stream);
	remove_config(fd, id);

	id = add(mtl, MTL, UUID);
	ck_assert_int_eq(id, 2);
	stream = perf_open(mtl, 0, render, ARRAY_SIZE(render));
	both = perf_open(mtl, 0, media, ARRAY_SIZE(media));
	ck_assert_int_ge(stream, 0);
	ck_assert_int_ge(both, 0);
	ck_assert_int_eq(perf_open(mtl, 0, media, ARRAY_SIZE(media)), -EBUSY);
	close(stream);
	close(both);
	remove_config(mtl, id);
	close(fd);
	close(other);
	close(mtl);
}
END_TEST

START_TEST(rate_limit)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID), stream;

	set("unprivileged", "1");
	set("perf-stream-paranoid", "0");
	/* 12 MHz / 128 = 93750 Hz, below 100000; twice that is above */
	stream = open_stream(fd, id, 6, 0);
	ck_assert_int_ge(stream, 0);
	close(stream);
	ck_assert_int_eq(open_stream(fd, id, 5, 0), -EACCES);
	set("oa-max-sample-rate", "200000");
	stream = open_stream(fd, id, 5, 0);
	ck_assert_int_ge(stream, 0);
	close(stream);
	set("oa-max-sample-rate", "1");
	/* slower than once a second is never refused */
	stream = open_stream(fd, id, 23, 0);
	ck_assert_int_ge(stream, 0);
	close(stream);
	set("oa-max-sample-rate", "100000");
	set("perf-stream-paranoid", "1");
	set("unprivileged", "0");
	remove_config(fd, id);
	close(fd);
}
END_TEST

START_TEST(haswell_owner_needs_none)
{
	const struct property own[] = {
		{ 1, 0 }, { 2, 1 }, { 3, 2 }, { 4, 5 }, { 5, 13 },
	};
	int fd = open_node(HSW), id = add(fd, HSW, UUID), stream;

	ck_assert_int_eq(id, 2);
	set("unprivileged", "1");
	ck_assert_int_eq(perf_open(fd, 0, own + 1, 4), -EACCES);
	stream = perf_open(fd, 0, own, 5);
	ck_assert_int_ge(stream, 0);
	close(stream);
	set("unprivileged", "0");
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Streams                                                              */

static uint8_t data[1 << 20];

static int
read_stream(int stream, size_t size)
{
	ssize_t got = read(stream, data, size);

	return got < 0 ? -errno : (int)got;
}

static uint32_t
word(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t
in_report(unsigned n, unsigned offset)
{
	return word(data + n * SAMPLE + 8 + offset);
}

static bool
is_readable(int stream)
{
	struct pollfd poller = { .fd = stream, .events = POLLIN };

	return poll(&poller, 1, 0) == 1 && poller.revents == POLLIN;
}

/* Reports of 1365 us, and a timer of 5 ms. */
START_TEST(poll_waits_for_the_timer)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID);
	int stream = open_stream(fd, id, 13, 2);

	ck_assert_int_ge(stream, 0);
	advance(4 * MS);
	ck_assert(!is_readable(stream));
	/* there are reports, but nobody has looked yet */
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	advance(2 * MS);
	ck_assert(is_readable(stream));
	ck_assert_int_eq(read_stream(stream, SAMPLE - 1), -ENOSPC);
	/* too small a buffer leaves it readable */
	ck_assert(is_readable(stream));
	ck_assert_int_eq(read_stream(stream, 2 * SAMPLE - 1), SAMPLE);
	ck_assert(is_readable(stream));
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert(!is_readable(stream));
	advance(3 * MS);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* A reader who blocks looks by himself: he does not wait for the timer. */
START_TEST(blocking_read_looks_itself)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID), stream;
	uint64_t before, after;

	stream = open_stream(fd, id, 13, 0);
	advance(4 * MS);
	ck_assert_int_eq(drmsim_now(&before), 0);
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(before, after);
	/* now there is nothing: he sleeps until the timer has looked */
	ck_assert_int_ge(read_stream(stream, sizeof(data)), SAMPLE);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(after - before, 1 * MS);
	close(stream);
	/* without a period there is nothing to wait for */
	const struct property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
	};
	stream = perf_open(fd, 0, properties, ARRAY_SIZE(properties));
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* Records go out one by one: the first that faults ends the read. */
START_TEST(read_into_a_hole)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_node(SKL), id = add(fd, SKL, UUID);
	int stream = open_stream(fd, id, 13, 2);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_READ), 0);
	advance(6 * MS);
	ck_assert_int_eq(read(stream, pages + page - SAMPLE - 8, page), SAMPLE);
	ck_assert_uint_eq(word(pages + page - SAMPLE - 8), 1);
	ck_assert_int_eq(read(stream, pages + page - SAMPLE + 8, page), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(read(stream, pages + page - 8, SAMPLE - 8), -1);
	ck_assert_int_eq(errno, ENOSPC);
	/* of three records one is gone */
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 2 * SAMPLE);
	munmap(pages, 2 * page);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

START_TEST(enable_and_disable)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID);
	int stream = open_stream(fd, id, 13, 2 | 4);

	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	advance(10 * MS);
	ck_assert(is_readable(stream));
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	/* what was there is gone */
	ck_assert(!is_readable(stream));
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	ck_assert_int_eq(call(stream, _IO('i', 9), NULL), -EINVAL);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* Each counter of a report, from the formulas of the model's README. */
START_TEST(default_values)
{
	int fd = open_node(SKL), id = add(fd, SKL, TEST_OA), got;
	int stream = open_stream(fd, id, 9, 0);
	uint32_t ticks, clocks;

	set("gpu1.oa-start", "A7 0xffffffff00");
	set("gpu1.oa-start", "B1 0xfffffff0");
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_DISABLE, NULL), 0);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	advance(100 * MS);
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
	set("gpu1.oa-start", "A7 0x80000");
	set("gpu1.oa-start", "B1 0x2f0000");
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

struct reader {
	int stream;
	_Atomic pid_t thread;
};

/* A thread that sleeps in read() can be cancelled, and lets go of the file. */
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

START_TEST(blocked_read_is_cancelled)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID), stream;
	struct reader reader = { .stream = open_stream(fd, id, 9, 0) };
	pthread_t thread;
	void *result;

	set("gpu1.oa-stall", "1");
	ck_assert_int_eq(pthread_create(&thread, NULL, read_in_thread, &reader),
			 0);
	while (!reader.thread)
		sched_yield();
	thread_await_sleep(reader.thread);
	ck_assert_int_eq(pthread_cancel(thread), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, PTHREAD_CANCELED);
	close(reader.stream);
	stream = open_stream(fd, id, 9, 0);
	ck_assert_int_ge(stream, 0);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* Also where nothing had been written since the last read. */
START_TEST(overflow_wakes_who_blocks)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID);
	int stream = open_stream(fd, id, 9, 0);

	set("gpu1.oa-overflow", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

START_TEST(mishaps)
{
	int fd = open_node(SKL), id = add(fd, SKL, UUID);
	int stream = open_stream(fd, id, 9, 2);

	advance(10 * MS);
	set("gpu1.oa-lose", "5");
	advance(10 * MS);
	ck_assert_int_gt(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(word(data), DRM_I915_PERF_RECORD_OA_REPORT_LOST);
	set("gpu1.oa-overflow", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	advance(10 * MS);
	ck_assert_int_gt(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(word(data), DRM_I915_PERF_RECORD_SAMPLE);
	/* 16 MiB at 85 us are 5.6 s */
	advance(6000ull * MS);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), 8);
	ck_assert_uint_eq(word(data), DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	ck_assert_int_eq(drmsim_reset_gpu(SKL), 0);
	advance(10 * MS);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EAGAIN);
	set("gpu1.oa-end", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	ck_assert_int_eq(call(stream, I915_PERF_IOCTL_ENABLE, NULL), 0);
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -EIO);
	close(stream);
	stream = open_stream(fd, id, 9, 2);
	ck_assert_int_ge(stream, 0);
	set("gpu1.gone", "1");
	ck_assert_int_eq(read_stream(stream, sizeof(data)), -ENODEV);
	set("gpu1.gone", "0");
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

static uint32_t
custom_per_256(const char *uuid, const char *slot)
{
	uint32_t h = 2166136261u;
	char name[48];

	snprintf(name, sizeof(name), "%s%s", uuid, slot);
	for (const char *c = name; *c; c++)
		h = (h ^ (uint8_t)*c) * 16777619u;
	return 256 + h % (256 * 94);
}

/* CONFIG returns the id before and works some time later. */
START_TEST(config_changes)
{
	int fd = open_node(SKL), first = add(fd, SKL, UUID);
	int second = add(fd, SKL, OTHER_UUID);
	int stream = open_stream(fd, first, 9, 0);
	uint32_t before = custom_per_256(UUID, "B0");
	uint32_t after = custom_per_256(OTHER_UUID, "B0");
	unsigned changed = 0;

	ck_assert_uint_ne(before, after);
	ck_assert_int_eq(
		call(stream, I915_PERF_IOCTL_CONFIG, (void *)(intptr_t)MISSING),
		-EINVAL);
	ck_assert_int_eq(
		call(stream, I915_PERF_IOCTL_CONFIG, (void *)(intptr_t)second),
		first);
	ck_assert_int_eq(
		call(stream, I915_PERF_IOCTL_CONFIG, (void *)(intptr_t)second),
		second);
	/* the stream keeps what is removed */
	ck_assert_int_eq(remove_config(fd, second), 0);
	advance(20 * MS);
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
	close(stream);
	remove_config(fd, first);
	close(fd);
}
END_TEST

START_TEST(contexts_and_idle)
{
	struct drm_i915_gem_context_create_ext create = { 0 };
	int fd = open_node(SKL), id = add(fd, SKL, UUID), got, stream;
	unsigned switches = 0, idles = 0;

	ck_assert_int_eq(
		call(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create), 0);
	set("gpu1.contexts", "0x100:1ms,0x200:1ms,idle:1ms");
	stream = open_stream(fd, id, 9, 2);
	advance(3000ull * MS / 2);
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
	close(stream);

	const struct property own[] = {
		{ 1, create.ctx_id },
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
		{ 5, 9 },
	};
	stream = perf_open(fd, 2, own, ARRAY_SIZE(own));
	advance(20 * MS);
	got = read_stream(stream, sizeof(data));
	for (int at = 0; at < got; at += (int)SAMPLE) {
		uint32_t context = in_report((unsigned)at / SAMPLE, 8);

		ck_assert(context == 0x100 || context == UINT32_MAX);
	}
	ck_assert_int_gt(got, 0);
	set("gpu1.contexts", "0x20");
	close(stream);
	remove_config(fd, id);
	close(fd);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Questions                                                            */

static int
parameter(int fd, int number)
{
	int value = -1, result;
	struct drm_i915_getparam get = { .param = number, .value = &value };

	result = call(fd, DRM_IOCTL_I915_GETPARAM, &get);
	return result ? result : value;
}

static const struct {
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

START_TEST(parameter_value)
{
	int fd = open_node(parameters[_i].gpu);
	char key[16];

	snprintf(key, sizeof(key), "gpu%d.kernel", parameters[_i].gpu);
	set(key, parameters[_i].kernel);
	ck_assert_int_eq(parameter(fd, parameters[_i].number),
			 parameters[_i].value);
	set(key, "6.12");
	close(fd);
}
END_TEST

/* Returns the item's length as the kernel left it. */
static int
query(int fd, uint64_t id, uint32_t flags, void *buffer, int length)
{
	struct drm_i915_query_item item = { .query_id = id,
					    .flags = flags,
					    .length = length,
					    .data_ptr = (uintptr_t)buffer };
	struct drm_i915_query all = { .num_items = 1,
				      .items_ptr = (uintptr_t)&item };

	ck_assert_int_eq(call(fd, DRM_IOCTL_I915_QUERY, &all), 0);
	return item.length;
}

START_TEST(topology)
{
	static const uint8_t skl[] = {
		0,
		0,
		3,
		0,
		4,
		0,
		8,
		0,
		1,
		0,
		1,
		0,
		4,
		0,
		1,
		0,
		/* slices, subslices of each, EUs of each subslice */
		1,
		7,
		0,
		0,
		0xff,
		0xff,
		0xff,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
	};
	uint8_t buffer[256];
	int fd = open_node(SKL), dg2 = open_node(DG2);
	int size = query(fd, 1, 0, NULL, 0);

	ck_assert_int_eq(size, sizeof(skl));
	ck_assert_int_eq(query(fd, 1, 0, buffer, size - 1), -EINVAL);
	ck_assert_int_eq(query(fd, 1, 1, NULL, 0), -EINVAL);
	memset(buffer, 0, sizeof(buffer));
	ck_assert_int_eq(query(fd, 1, 0, buffer, sizeof(buffer)), size);
	ck_assert_mem_eq(buffer, skl, sizeof(skl));
	buffer[0] = 1; /* flags */
	ck_assert_int_eq(query(fd, 1, 0, buffer, sizeof(buffer)), -EINVAL);
	/* one item's fault is that item's, and its length may be kept */
	ck_assert_int_eq(query(fd, 1, 0, NULL, size), -EFAULT);
	ck_assert_int_eq(query(fd, 1, 0, NULL, -EFAULT), -EFAULT);
	buffer[0] = 0;
	ck_assert_int_eq(query(fd, 1, 0, buffer, -EFAULT), size);
	ck_assert_int_eq(query(fd, 1, 0, (void *)(uintptr_t)skl, size),
			 -EFAULT);
	ck_assert_int_eq(query(fd, 6, 0, NULL, 0), -ENODEV);
	ck_assert_int_eq(query(fd, 99, 0, NULL, 0), -EINVAL);

	/* one slice of 32, two bytes of EUs each */
	ck_assert_int_eq(query(dg2, 1, 0, NULL, 0), 16 + 1 + 4 + 64);
	ck_assert_int_eq(query(dg2, 6, 0, NULL, 0), 16 + 1 + 4 + 64);
	ck_assert_int_eq(query(dg2, 6, 1, NULL, 0), -EINVAL);
	close(fd);
	close(dg2);
}
END_TEST

START_TEST(engines)
{
	uint8_t buffer[16 + 7 * 56] = { 0 };
	struct drm_i915_engine_info engines[7];
	int fd = open_node(DG2);

	ck_assert_int_eq(query(fd, 2, 0, NULL, 0), sizeof(buffer));
	ck_assert_int_eq(query(fd, 2, 0, buffer, sizeof(buffer)),
			 sizeof(buffer));
	ck_assert_uint_eq(word(buffer), 7);
	memcpy(engines, buffer + 16, sizeof(engines));
	ck_assert_uint_eq(engines[0].engine.engine_class, 0);
	ck_assert_uint_eq(engines[3].engine.engine_class, 2);
	ck_assert_uint_eq(engines[3].engine.engine_instance, 1);
	ck_assert_uint_eq(engines[6].engine.engine_class, 4);
	/* what comes in must be zeros */
	ck_assert_int_eq(query(fd, 2, 0, buffer, sizeof(buffer)), -EINVAL);
	close(fd);
}
END_TEST

/* A header of 48 bytes, whose first 8 or 36 say which, then a config. */
struct config_answer {
	union {
		uint64_t id;
		char uuid[48];
	} header;
	struct drm_i915_perf_oa_config config;
};

START_TEST(loaded_configs)
{
	struct config_answer answer = { 0 };
	uint32_t mux[2] = { 0 };
	uint64_t list[16] = { 0 };
	int fd = open_node(SKL), id = add(fd, SKL, UUID);

	ck_assert_int_eq(sizeof(answer), 48 + 72);
	ck_assert_int_eq(query(fd, 3, 1, NULL, 0), 48 + 16);
	ck_assert_int_eq(query(fd, 3, 1, list, sizeof(list)), 48 + 16);
	ck_assert_uint_eq(list[0], 2);
	ck_assert_uint_eq(list[6], 1);
	ck_assert_uint_eq(list[7], (uint64_t)id);

	memcpy(answer.header.uuid, UUID, 36);
	ck_assert_int_eq(query(fd, 3, 2, NULL, 0), sizeof(answer));
	ck_assert_int_eq(query(fd, 3, 2, &answer, sizeof(answer) - 1), -EINVAL);
	ck_assert_int_eq(query(fd, 3, 2, &answer, sizeof(answer)),
			 sizeof(answer));
	ck_assert_mem_eq(answer.config.uuid, UUID, 36);
	ck_assert_uint_eq(answer.config.n_mux_regs, 1);
	ck_assert_uint_eq(answer.config.n_flex_regs, 0);

	answer.config.mux_regs_ptr = (uintptr_t)mux;
	answer.config.n_boolean_regs = 0;
	answer.header.id = (unsigned)id;
	ck_assert_int_eq(query(fd, 3, 3, &answer, sizeof(answer)),
			 sizeof(answer));
	ck_assert_uint_eq(mux[0], 0x9888);
	ck_assert_uint_eq(mux[1], 0x12345678);
	answer.header.id = 1;
	ck_assert_int_eq(query(fd, 3, 3, &answer, sizeof(answer)), -ENOENT);
	ck_assert_int_eq(query(fd, 3, 4, &answer, sizeof(answer)), -EINVAL);
	remove_config(fd, id);
	close(fd);
}
END_TEST

static uint64_t
timestamp(int fd, uint64_t offset, int expected)
{
	struct drm_i915_reg_read reg = { .offset = offset };

	ck_assert_int_eq(call(fd, DRM_IOCTL_I915_REG_READ, &reg), expected);
	return reg.val;
}

START_TEST(timestamps)
{
	int fd = open_node(DG2);
	uint64_t before = timestamp(fd, 0x2358 | 1, 0);

	/* the command streamer counts at half the rate of the OA unit */
	advance(10 * MS);
	ck_assert_uint_eq(timestamp(fd, 0x2358 | 1, 0) - before, 192000);
	timestamp(fd, 0x2358 | 2, -EINVAL);
	timestamp(fd, 0x2360, -EINVAL);
	close(fd);
}
END_TEST

static Suite *
kernel_suite(void)
{
	Suite *suite = suite_create("drmsim_i915_kernel");
	TCase *configs = tcase_create("configs");
	TCase *opens = tcase_create("opens");
	TCase *streams = tcase_create("streams");
	TCase *questions = tcase_create("questions");

	tcase_add_test(configs, config_appears_and_goes);
	tcase_add_loop_test(configs, config_is_checked, 0, ARRAY_SIZE(flaws));
	tcase_add_test(configs, config_needs_privilege);
	tcase_add_test(configs, privilege_can_be_dropped);
	tcase_add_test(configs, user_can_be_changed);
	tcase_add_test(configs, sysctl_can_be_written);
	tcase_add_test(configs, without_support);
	tcase_add_loop_test(opens, opening, 0, ARRAY_SIZE(openings));
	tcase_add_test(opens, one_stream_at_a_time);
	tcase_add_test(opens, rate_limit);
	tcase_add_test(opens, haswell_owner_needs_none);
	tcase_add_test(streams, poll_waits_for_the_timer);
	tcase_add_test(streams, blocking_read_looks_itself);
	tcase_add_test(streams, read_into_a_hole);
	tcase_add_test(streams, enable_and_disable);
	tcase_add_test(streams, default_values);
	tcase_add_test(streams, blocked_read_is_cancelled);
	tcase_add_test(streams, overflow_wakes_who_blocks);
	tcase_add_test(streams, mishaps);
	tcase_add_test(streams, config_changes);
	tcase_add_test(streams, contexts_and_idle);
	tcase_add_loop_test(questions, parameter_value, 0,
			    ARRAY_SIZE(parameters));
	tcase_add_test(questions, topology);
	tcase_add_test(questions, engines);
	tcase_add_test(questions, loaded_configs);
	tcase_add_test(questions, timestamps);
	suite_add_tcase(suite, configs);
	suite_add_tcase(suite, opens);
	suite_add_tcase(suite, streams);
	suite_add_tcase(suite, questions);
	return suite;
}

static const char *const gpus[] = { "--time", "virtual", "--gpu", "hsw",
				    "--gpu",  "skl",	 "--gpu", "tgl",
				    "--gpu",  "mtl",	 "--gpu", "acmgt3",
				    NULL };

static const struct machine machines[] = { { gpus, "drmsim_i915_kernel" } };

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	return suite_run(kernel_suite());
}
