/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of i915 that drmsim simulates, seen by a program below it: which
 * errors come in which order when one is opened.
 */
#include <errno.h>
#include <i915_drm.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"
#include "tests/drmsim/i915_node.h"
#include "tests/support/scene.h"

/* Properties that younger kernels have. */
#define CLASS 9
#define INSTANCE 10
#define SET UINT64_MAX /* stands for one that is */

/* clang-format off */
static const struct opening {
	const char *what;
	enum gpu gpu;
	const char *kernel;
	uint32_t flags;
	struct node_property properties[12];
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
	  { { 2, 1 }, { 3, NODE_NO_SET }, { 4, 10 } }, -EINVAL },
	{ "the last of several counts", SKL, "6.12", 0,
	  { { 2, 1 }, { 3, NODE_NO_SET }, { 3, SET }, { 4, 10 } }, 0 },
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
fill_properties(const struct node_property *from, int id,
		struct node_property *out)
{
	unsigned n = 0;

	for (; n < 12 && from[n].id; n++) {
		out[n] = from[n];
		if (out[n].value == SET)
			out[n].value = (uint64_t)id;
	}
	return n;
}

TEST_CASE(opens, NULL, nodes_close, "drmsim_i915_opening");

TEST_LOOP(opens, properties_decide_whether_a_stream_opens, ARRAY_SIZE(openings))
{
	const struct opening *c = &openings[_i];
	struct node_property properties[12];
	char key[16];
	int fd = node_open(c->gpu);
	int id = node_add(fd, c->gpu, UUID), stream;
	unsigned n;

	snprintf(key, sizeof(key), "gpu%d.kernel", c->gpu);
	scene_set(key, c->kernel);
	n = fill_properties(c->properties, id, properties);
	stream = node_perf_open(fd, c->flags, properties, n);
	if (c->result == 0)
		ck_assert_msg(stream >= 0, "%s: %d", c->what, stream);
	else
		ck_assert_msg(stream == c->result, "%s: %d", c->what, stream);
	if (stream >= 0)
		node_close(stream);
	scene_set(key, "6.12");
	ck_assert_int_eq(node_remove(fd, id), 0);
}

/* What of its subslices gen11 can be asked for. */
static const struct gen11 {
	const char *there, *kernel;
	uint64_t mask;
	uint16_t eus;
	int result;
} gen11[] = {
	{ "0xff", "6.12", 0xff, 8, 0 },
	{ "0xff", "6.12", 0x0f, 8, 0 },
	{ "0xff", "6.12", 0x3f, 8, -EINVAL },
	{ "0xff", "6.12", 0x07, 8, -EINVAL },
	{ "0xff", "6.12", 0xff, 7, -EINVAL },
	{ "0x7f", "6.12", 0xff, 8, -EINVAL },
	{ "0x7f", "6.12", 0x7f, 8, -EINVAL },
	{ "0x7f", "6.1", 0x7f, 8, -EINVAL },
	{ "0x7f", "6.12", 0x07, 8, 0 },
	{ "0x1f", "6.12", 0x1f, 8, -EINVAL },
	{ "0x3f", "6.12", 0x3f, 8, 0 },
	{ "0x07", "6.1", 0x07, 8, 0 },
};

TEST_LOOP(opens, subslices_of_gen11, ARRAY_SIZE(gen11))
{
	const struct gen11 *c = &gen11[_i];
	const struct drm_i915_gem_context_param_sseu sseu = {
		.slice_mask = 1,
		.subslice_mask = c->mask,
		.min_eus_per_subslice = c->eus,
		.max_eus_per_subslice = c->eus,
	};
	int fd = node_open(ICL), id = node_add(fd, ICL, UUID), stream;
	const struct node_property properties[] = {
		{ 2, 1 },
		{ 3, (uint64_t)id },
		{ 4, 10 },
		{ 7, (uintptr_t)&sseu },
	};

	scene_set("gpu4.subslices", c->there);
	scene_set("gpu4.kernel", c->kernel);
	stream = node_perf_open(fd, 0, properties, ARRAY_SIZE(properties));
	if (stream >= 0)
		node_close(stream);
	ck_assert_int_eq(stream < 0 ? stream : 0, c->result);
	scene_set("gpu4.subslices", "0xff");
	scene_set("gpu4.kernel", "6.12");
	ck_assert_int_eq(node_remove(fd, id), 0);
}

TEST(opens, one_stream_at_a_time)
{
	const struct node_property media[] = {
		{ 2, 1 }, { 3, 2 }, { 4, 14 }, { CLASS, 2 }, { INSTANCE, 0 },
	};
	const struct node_property render[] = { { 2, 1 }, { 3, 2 }, { 4, 12 } };
	int fd = node_open(SKL), other = node_open(SKL), mtl = node_open(MTL);
	int id = node_add(fd, SKL, UUID), stream = node_stream(fd, id, 13, 0),
	    both;

	ck_assert_int_ge(stream, 0);
	ck_assert_int_eq(node_stream(other, id, 13, 0), -EBUSY);
	/* busy hides a bad set, and a missing privilege hides busy */
	ck_assert_int_eq(node_stream(other, NODE_NO_SET, 13, 0), -EBUSY);
	scene_set("unprivileged", "1");
	ck_assert_int_eq(node_stream(other, id, 13, 0), -EACCES);
	scene_set("unprivileged", "0");
	node_close(stream);
	stream = node_opened(node_stream(other, id, 13, 0));
	node_close(stream);
	node_remove(fd, id);

	id = node_add(mtl, MTL, UUID);
	ck_assert_int_eq(id, 2);
	stream =
		node_opened(node_perf_open(mtl, 0, render, ARRAY_SIZE(render)));
	both = node_perf_open(mtl, 0, media, ARRAY_SIZE(media));
	ck_assert_int_ge(both, 0);
	ck_assert_int_eq(node_perf_open(mtl, 0, media, ARRAY_SIZE(media)),
			 -EBUSY);
}

/* Firmware that keeps the media engines' C6 on leaves them without a unit. */
TEST(opens, firmware_with_c6_leaves_media_without_a_unit)
{
	const struct node_property media[] = {
		{ 2, 1 }, { 3, 2 }, { 4, 14 }, { CLASS, 2 }, { INSTANCE, 0 },
	};
	const struct node_property render[] = { { 2, 1 }, { 3, 2 }, { 4, 12 } };
	int fd = node_open(MTL), stream, value;
	struct drm_i915_getparam get = { .param = 54, .value = &value };

	ck_assert_int_eq(node_add(fd, MTL, UUID), 2);
	scene_set("gpu3.media-c6", "1");
	ck_assert_int_eq(node_call(fd, DRM_IOCTL_I915_GETPARAM, &get), 0);
	ck_assert_int_eq(value, 6);
	ck_assert_int_eq(node_perf_open(fd, 0, media, ARRAY_SIZE(media)),
			 -EINVAL);
	stream = node_opened(node_perf_open(fd, 0, render, ARRAY_SIZE(render)));
	node_close(stream);
	scene_set("gpu3.media-c6", "0");
	stream = node_opened(node_perf_open(fd, 0, media, ARRAY_SIZE(media)));
}

TEST(opens, fast_rates_need_a_privilege)
{
	int fd = node_open(SKL), id = node_add(fd, SKL, UUID), stream;

	scene_set("unprivileged", "1");
	scene_set("perf-stream-paranoid", "0");
	/* 12 MHz / 128 = 93750 Hz, below 100000; twice that is above */
	stream = node_opened(node_stream(fd, id, 6, 0));
	node_close(stream);
	ck_assert_int_eq(node_stream(fd, id, 5, 0), -EACCES);
	scene_set("oa-max-sample-rate", "200000");
	stream = node_opened(node_stream(fd, id, 5, 0));
	node_close(stream);
	scene_set("oa-max-sample-rate", "1");
	/* slower than once a second is never refused */
	stream = node_opened(node_stream(fd, id, 23, 0));
	node_close(stream);
	scene_set("oa-max-sample-rate", "100000");
	scene_set("perf-stream-paranoid", "1");
	scene_set("unprivileged", "0");
}

TEST(opens, haswell_owner_needs_none)
{
	const struct node_property own[] = {
		{ 1, 0 }, { 2, 1 }, { 3, 2 }, { 4, 5 }, { 5, 13 },
	};
	int fd = node_open(HSW), id = node_add(fd, HSW, UUID), stream;

	ck_assert_int_eq(id, 2);
	scene_set("unprivileged", "1");
	ck_assert_int_eq(node_perf_open(fd, 0, own + 1, 4), -EACCES);
	stream = node_opened(node_perf_open(fd, 0, own, 5));
	node_close(stream);
	scene_set("unprivileged", "0");
}

/* The driver keeps 8 bits of a class and an instance, 32 of a context. */
TEST(opens, numbers_are_cut_as_the_driver_cuts_them)
{
	const struct node_property media[] = { { 2, 1 },
					       { 3, 2 },
					       { 4, 14 },
					       { CLASS, 0x102 },
					       { INSTANCE, 0x7700 } };
	const struct node_property none[] = {
		{ 2, 1 }, { 3, 2 }, { 4, 14 }, { CLASS, 0x1ff }, { INSTANCE, 0 }
	};
	const struct node_property own[] = {
		{ 1, UINT64_C(1) << 32 },
		{ 2, 1 },
		{ 3, 2 },
		{ 4, 5 },
		{ 5, 13 },
	};
	int fd = node_open(MTL), id = node_add(fd, MTL, UUID), stream;

	stream = node_opened(node_perf_open(fd, 0, media, ARRAY_SIZE(media)));
	node_close(stream);
	ck_assert_int_eq(node_perf_open(fd, 0, none, ARRAY_SIZE(none)),
			 -EINVAL);
	node_remove(fd, id);
	node_close(fd);
	fd = node_open(HSW);
	id = node_add(fd, HSW, UUID);
	stream = node_opened(node_perf_open(fd, 0, own, ARRAY_SIZE(own)));
}

/* Format 0 is one of the OAG, which is judged before privileges are. */
TEST(opens, media_without_format)
{
	const struct node_property media[] = {
		{ 2, 1 },
		{ 3, 2 },
		{ CLASS, 2 },
		{ INSTANCE, 0 },
	};
	int fd = node_open(MTL);

	ck_assert_int_eq(node_add(fd, MTL, UUID), 2);
	scene_set("unprivileged", "1");
	ck_assert_int_eq(node_perf_open(fd, 0, media, ARRAY_SIZE(media)),
			 -EINVAL);
	/* the render engine's lacks a format, too: that is judged later */
	ck_assert_int_eq(node_perf_open(fd, 0, media, 2), -EACCES);
	scene_set("unprivileged", "0");
	ck_assert_int_eq(node_perf_open(fd, 0, media, 2), -EINVAL);
}

TEST_MACHINE("drmsim_i915_opening", I915_GPUS);
