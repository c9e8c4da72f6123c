/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an Intel GPU is taken to be: its units from the kernel's answer, its
 * platform from its device id, the sampling period from its counters' wraps.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

#include "driver/i915/gpu.h"
#include "driver/i915/oa_config.h"
#include "driver/intel/oa/period.h"
#include "driver/i915/topology.h"
#include "tests/support/check.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Topology                                                             */

/* Masks with one byte per slice, and one or two per subslice. */
union answer {
	struct drm_i915_query_topology_info head;
	uint8_t bytes[sizeof(struct drm_i915_query_topology_info) + 128];
};

#define MASK(bits)                                                             \
	{                                                                      \
		{                                                              \
			bits                                                   \
		}                                                              \
	}

static const struct {
	const char *name;
	uint16_t slices, subslices, eus; /* maxima */
	uint8_t slice_mask;
	uint32_t subslice_masks[4];
	uint16_t eu_mask; /* of every subslice, there or not */
	struct gt_shape shape;
	struct gt_topology expected;
} topologies[] = {
	{ "sklgt2",
	  3,
	  4,
	  8,
	  0x1,
	  { 0x7 },
	  0xff,
	  { 3, 0 },
	  { 1, 3, 24, 8, 0x1, MASK(0x7), MASK(0), 0x7 } },
	{ "fused EUs",
	  1,
	  3,
	  8,
	  0x1,
	  { 0x7 },
	  0x7f,
	  { 3, 0 },
	  { 1, 3, 21, 8, 0x1, MASK(0x7), MASK(0), 0x7 } },
	{ "sklgt4 without a subslice",
	  3,
	  3,
	  8,
	  0x7,
	  { 0x7, 0x5, 0x7 },
	  0xff,
	  { 3, 0 },
	  { 3, 8, 64, 8, 0x7, MASK(0x1ef), MASK(0), 0x7 } },
	{ "a slice that is not there",
	  2,
	  3,
	  8,
	  0x2,
	  { 0x7, 0x7 },
	  0xff,
	  { 3, 0 },
	  { 1, 3, 24, 8, 0x2, MASK(0x38), MASK(0), 0 } },
	{ "tglgt2",
	  1,
	  6,
	  16,
	  0x1,
	  { 0x3d },
	  0xffff,
	  { 8, 0 },
	  { 1, 5, 80, 16, 0x1, MASK(0x3d), MASK(0), 0x3d } },
	{ "DG2-G10",
	  1,
	  32,
	  16,
	  0x1,
	  { 0xffffffff },
	  0xffff,
	  { 8, 4 },
	  { 8, 32, 512, 16, 0xff, MASK(0x0f0f0f0f0f0f0f0f), MASK(0xffffffff),
	    0xffffffff } },
	{ "DG2-G11, fused",
	  1,
	  32,
	  16,
	  0x1,
	  { 0x0000d700 },
	  0xffff,
	  { 8, 4 },
	  { 2, 6, 96, 16, 0xc, MASK(0x0d070000), MASK(0xd700), 0xd700 } },
};

static size_t
make_answer(int i, union answer *answer)
{
	unsigned subslice_stride = (topologies[i].subslices + 7u) / 8;
	unsigned eu_stride = (topologies[i].eus + 7u) / 8;
	unsigned eu_offset = 1 + topologies[i].slices * subslice_stride;
	unsigned total = topologies[i].slices * topologies[i].subslices;
	uint8_t *masks = answer->bytes + sizeof(answer->head);

	memset(answer, 0, sizeof(*answer));
	answer->head.max_slices = topologies[i].slices;
	answer->head.max_subslices = topologies[i].subslices;
	answer->head.max_eus_per_subslice = topologies[i].eus;
	answer->head.subslice_offset = 1;
	answer->head.subslice_stride = (uint16_t)subslice_stride;
	answer->head.eu_offset = (uint16_t)eu_offset;
	answer->head.eu_stride = (uint16_t)eu_stride;
	masks[0] = topologies[i].slice_mask;
	for (unsigned s = 0; s < topologies[i].slices; s++)
		memcpy(masks + 1 + s * subslice_stride,
		       &topologies[i].subslice_masks[s], subslice_stride);
	for (unsigned n = 0; n < total; n++)
		memcpy(masks + eu_offset + n * eu_stride,
		       &topologies[i].eu_mask, eu_stride);
	return sizeof(answer->head) + eu_offset + total * eu_stride;
}

TEST_CASE(all, NULL, NULL, "i915_gpu");

TEST_LOOP(all, units_are_counted, ARRAY_SIZE(topologies))
{
	const struct gt_topology *expected = &topologies[_i].expected;
	struct gt_topology topology = { 0 };
	union answer answer;
	size_t length = make_answer(_i, &answer);

	ck_assert_int_eq(i915_topology_decode(&answer, length,
					      &topologies[_i].shape, &topology),
			 0);
	ck_assert_uint_eq(topology.slices, expected->slices);
	ck_assert_uint_eq(topology.subslices, expected->subslices);
	ck_assert_uint_eq(topology.eus, expected->eus);
	ck_assert_uint_eq(topology.eus_per_subslice,
			  expected->eus_per_subslice);
	ck_assert_uint_eq(topology.slice_mask, expected->slice_mask);
	ck_assert_mem_eq(&topology.subslice_mask, &expected->subslice_mask,
			 sizeof(struct gt_mask));
	ck_assert_mem_eq(&topology.xecore_mask, &expected->xecore_mask,
			 sizeof(struct gt_mask));
	ck_assert_uint_eq(topology.first_subslices, expected->first_subslices);
}

/* A part of an answer is none; no byte beyond it is read. */
TEST_LOOP(all, cut_answer_is_refused, ARRAY_SIZE(topologies))
{
	struct gt_topology topology;
	union answer answer;
	size_t length = make_answer(_i, &answer);

	for (size_t cut = 0; cut < length; cut++) {
		void *copy = malloc(cut ? cut : 1);

		memcpy(copy, &answer, cut);
		ck_assert_int_eq(i915_topology_decode(copy, cut,
						      &topologies[_i].shape,
						      &topology),
				 -EPROTO);
		free(copy);
	}
}

static const struct {
	size_t offset; /* of a 16-bit number in the head */
	uint16_t value;
} absurdities[] = {
	{ offsetof(struct drm_i915_query_topology_info, max_slices), 9 },
	{ offsetof(struct drm_i915_query_topology_info, max_slices), 0 },
	{ offsetof(struct drm_i915_query_topology_info, max_subslices), 9 },
	{ offsetof(struct drm_i915_query_topology_info, max_subslices), 0 },
	{ offsetof(struct drm_i915_query_topology_info, eu_offset), 0xffff },
	{ offsetof(struct drm_i915_query_topology_info, eu_stride), 0 },
	{ offsetof(struct drm_i915_query_topology_info, subslice_stride), 0 },
	{ offsetof(struct drm_i915_query_topology_info, subslice_offset),
	  0xffff },
};

TEST_LOOP(all, absurd_answer_is_refused, ARRAY_SIZE(absurdities))
{
	struct gt_topology topology;
	union answer answer;
	size_t length = make_answer(0, &answer);

	memcpy((char *)&answer + absurdities[_i].offset, &absurdities[_i].value,
	       sizeof(absurdities[_i].value));
	ck_assert_int_eq(i915_topology_decode(&answer, length,
					      &topologies[0].shape, &topology),
			 -EPROTO);
}

/* ------------------------------------------------------------------ */
/* Platforms                                                            */

static struct table *
parse_table(const char *text)
{
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;

	ck_assert_msg(!table_parse("platforms.xml", text, strlen(text), &table,
				   &error),
		      "%s", error.cause);
	return table;
}

#define ONE                                                                    \
	"<platform name='one' chip='One' generation='gen9' format='10' "       \
	"timestamp-hz='12000000' eu-threads='7' subslice-bits='3' "            \
	"max-eus='64' ids='0001 00ab'/>"
#define TWO                                                                    \
	"<platform name='two' chip='Two' generation='xelpg' format='12' "      \
	"timestamp-hz='19200000' eu-threads='8' subslice-bits='8' "            \
	"xecores-per-slice='4' ids='00ab 0002'/>"
#define OLD "<unsupported chip='Old' ids='0003'/>"
#define TABLE "<platforms>" ONE TWO OLD "</platforms>"

static const struct {
	uint32_t device;
	unsigned eus; /* 0: not known yet */
	const char *platform;
} devices[] = {
	{ 0x1, 0, "one" },   { 0xab, 0, "one" }, { 0xab, 64, "one" },
	{ 0xab, 65, "two" }, { 0x2, 24, "two" },
};

TEST_LOOP(all, platform_is_found, ARRAY_SIZE(devices))
{
	struct gt_topology topology = { .eus = devices[_i].eus };
	struct drmperf_error error = { .cause = "" };
	struct table *table = parse_table(TABLE);
	struct platform platform;

	ck_assert_msg(!platform_find(table, devices[_i].device,
				     topology.eus ? &topology : NULL, &platform,
				     &error),
		      "%s", error.cause);
	ck_assert_str_eq(platform.name, devices[_i].platform);
	if (!strcmp(platform.name, "two")) {
		ck_assert_str_eq(platform.chip, "Two");
		ck_assert_int_eq(platform.generation, OA_XELPG);
		ck_assert_uint_eq(platform.format->number, 12);
		ck_assert_uint_eq(platform.timestamp_hz, 19200000);
		ck_assert_uint_eq(platform.eu_threads, 8);
		ck_assert_uint_eq(platform.shape.subslice_bits, 8);
		ck_assert_uint_eq(platform.shape.xecores_per_slice, 4);
	}
	table_destroy(table);
}

static const struct {
	const char *text;
	uint32_t device;
	int code;
	const char *cause;
} strangers[] = {
	{ TABLE, 0x3, -ENOTSUP, "no metric sets for Old" },
	{ TABLE, 0x4, -ENOTSUP, "no event table knows device 8086:0004" },
	{ "<platforms><platform name='x' chip='X' generation='gen99' "
	  "format='10' timestamp-hz='1' eu-threads='7' subslice-bits='3' "
	  "ids='0001'/></platforms>",
	  0x1, -EBADMSG, "unknown generation, gen99" },
	{ "<platforms><platform name='x' chip='X' generation='gen9' "
	  "format='5' timestamp-hz='1' eu-threads='7' subslice-bits='3' "
	  "ids='0001'/></platforms>",
	  0x1, -EBADMSG, "impossible format" },
	{ "<platforms><platform name='x' ids='0001'/></platforms>", 0x1,
	  -EBADMSG, "chip" },
};

TEST_LOOP(all, stranger_is_told, ARRAY_SIZE(strangers))
{
	struct drmperf_error error = { .cause = "" };
	struct table *table = parse_table(strangers[_i].text);
	struct platform platform;

	ck_assert_int_eq(platform_find(table, strangers[_i].device, NULL,
				       &platform, &error),
			 strangers[_i].code);
	ck_assert_msg(strstr(error.cause, strangers[_i].cause), "%s",
		      error.cause);
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* Periods                                                              */

static const struct {
	uint64_t hz, ns;
	unsigned exponent;
} exponents[] = {
	{ 12000000, 100000, 9 }, /* 85.3 us */
	{ 12500000, 100000, 9 }, /* 81.9 us */
	{ 19200000, 100000, 9 }, /* 53.3 us */
	{ 38400000, 100000, 10 }, /* 53.3 us */
	{ 12000000, 85333, 9 },	   { 12000000, 85332, 8 },
	{ 12000000, 1, 0 },	   { 12000000, UINT64_MAX, 31 },
	{ 12000000, 1365333, 13 },
};

TEST_LOOP(all, exponent_is_the_largest_that_fits, ARRAY_SIZE(exponents))
{
	ck_assert_uint_eq(oa_exponent(exponents[_i].hz, exponents[_i].ns),
			  exponents[_i].exponent);
}

/* Where no read waits for a report, half a minute of them fits the buffer. */
/* How often a stream is read that is not looked at. */
static const struct {
	size_t report_size;
	uint64_t period_ns;
	unsigned ms;
} idle_cases[] = {
	{ 256, 85333, 100 }, /* the buffer holds 5.6 s */
	{ 576, 53333, 100 }, /* 1.55 s */
	{ 256, 10667, 100 }, /* 0.7 s */
	{ 256, 2560, 41 }, /* 168 ms */
	{ 576, 160, 1 }, /* 4.7 ms */
	{ 64, 0, 1 },
};

TEST_LOOP(all, idle_time_follows_the_period, ARRAY_SIZE(idle_cases))
{
	ck_assert_uint_eq(oa_idle_ms(idle_cases[_i].report_size,
				     idle_cases[_i].period_ns),
			  idle_cases[_i].ms);
}

TEST_LOOP(all, period_is_relaxed, 4)
{
	static const size_t sizes[] = { 64, 128, 192, 256, 576 };
	const uint64_t hz = exponents[_i].hz;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const uint64_t reports = OA_BUFFER_SIZE / sizes[i];
		struct oa_period_needs needs = { .report_size = sizes[i],
						 .buffer_size = OA_BUFFER_SIZE,
						 .relaxed = true };
		const uint64_t wanted = oa_period_choose(&needs);
		const uint64_t ns = oa_period_ns(hz, oa_exponent(hz, wanted));

		ck_assert_uint_ge(reports * ns, 30000000000);
		ck_assert_uint_le(reports * ns, 61000000000);
		needs.relaxed = false;
		needs.wraps = true;
		ck_assert_uint_le(oa_period_choose(&needs), 100000);
	}
}

/* Half of the shortest time in which a counter can wrap, in us. */
static const struct {
	const char *platform;
	uint64_t least, most;
} wraps[] = {
	/* 40 EUs at 1.15 GHz, 32 bits */
	{ "hsw", 46600, 46800 },
	/* three subslices, 32 bits */
	{ "sklgt2", 622000, 623000 },
	/* 32 subslices, 32 bits; 512 EUs, 40 bits, would take 0.93 s */
	{ "acmgt3", 58300, 58400 },
};

TEST_LOOP(all, wraps_are_bounded, ARRAY_SIZE(wraps))
{
	const struct i915_shape *shape = i915_shape_find(wraps[_i].platform);
	struct i915_table table;
	uint64_t us;

	ck_assert_ptr_nonnull(shape);
	i915_table_open(&table, shape, 4);
	us = oa_wrap_ns(&table.gpu.oa, table.gpu.oa.platform.format) / 1000;
	ck_assert_uint_ge(us, wraps[_i].least);
	ck_assert_uint_le(us, wraps[_i].most);
	i915_table_close(&table);
}

/* ------------------------------------------------------------------ */
/* Register lists                                                       */

#define SET(content)                                                           \
	"<registers><set name='S' guid='g'>" content "</set></registers>"

static const struct {
	const char *text;
	size_t mux, boolean, flex; /* pairs */
	uint32_t last[2]; /* pair of mux */
} lists[] = {
	{ SET("<mux>9840: 80 9888: 1 ffffffff</mux>"),
	  3,
	  0,
	  0,
	  { 0x9888, 0xffffffff } },
	{ SET("<mux>\n9840: 80\n9888:\n2\n</mux>"), 2, 0, 0, { 0x9888, 2 } },
	{ SET("<mux>1: 2</mux><boolean>3: 4 5</boolean><flex>6: 7</flex>"),
	  1,
	  2,
	  1,
	  { 1, 2 } },
	{ SET("<flex if='Yes'>1: 2</flex><flex if='No'>3: 4</flex>"
	      "<flex if='Yes &amp;&amp; !No'>5: 6</flex><mux>7: 8</mux>"),
	  1,
	  0,
	  2,
	  { 7, 8 } },
	/* of one id the first one that is true */
	{ SET("<mux if='No'>1: 2</mux><mux if='Yes'>3: 4</mux>"
	      "<mux if='Yes'>5: 6</mux>"),
	  1,
	  0,
	  0,
	  { 3, 4 } },
	/* or that of the lowest priority */
	{ SET("<mux id='1' priority='2' if='Yes'>1: 2</mux>"
	      "<mux id='1' priority='0' if='No'>3: 4</mux>"
	      "<mux id='1' priority='1' if='Yes'>5: 6</mux>"),
	  1,
	  0,
	  0,
	  { 5, 6 } },
	/* ids one behind the other */
	{ SET("<mux id='2' priority='5' if='Yes'>1: 2</mux>"
	      "<mux id='1' if='No'>3: 4</mux>"
	      "<mux if='Yes' priority='10'>5: 6 7</mux>"
	      "<mux if='Yes' priority='11'>8: 9</mux>"),
	  3,
	  0,
	  0,
	  { 1, 2 } },
	{ SET("<mux/>"), 0, 0, 0, { 0, 0 } },
};

static struct description_constant list_constants[] = { { "Yes", 1 },
							{ "No", 0 } };

static const struct constants list_set = { list_constants, 2, NULL };

static int
read_lists(const char *text, struct oa_config *config,
	   struct drmperf_error *error)
{
	struct table *table = parse_table(text);
	int ret = oa_config_registers(&list_set, table, table->root->child,
				      config, error);

	table_destroy(table);
	return ret;
}

TEST_LOOP(all, register_lists_are_chosen, ARRAY_SIZE(lists))
{
	struct drmperf_error error = { .cause = "" };
	struct oa_config config;

	ck_assert_msg(!read_lists(lists[_i].text, &config, &error), "%s",
		      error.cause);
	ck_assert_uint_eq(config.mux.count, lists[_i].mux);
	ck_assert_uint_eq(config.boolean.count, lists[_i].boolean);
	ck_assert_uint_eq(config.flex.count, lists[_i].flex);
	if (config.mux.count)
		ck_assert_mem_eq(&config.mux.pairs[2 * config.mux.count - 2],
				 lists[_i].last, sizeof(lists[_i].last));
	oa_config_free(&config);
}

/* A set of which nothing would be routed. */
TEST(all, set_without_true_list_is_refused)
{
	struct drmperf_error error = { .cause = "" };
	struct oa_config config;

	ck_assert_int_eq(read_lists(SET("<mux if='No'>1: 2</mux>"
					"<flex>3: 4</flex>"),
				    &config, &error),
			 -ENOTSUP);
	ck_assert_str_eq(error.cause, "none of the register lists of metric "
				      "set S is for this GPU");
}

static const char *const bad_lists[] = {
	SET("<mux>80</mux>"),		SET("<mux>9840: zz</mux>"),
	SET("<mux>100000000: 1</mux>"), SET("<mux>1: 100000000</mux>"),
	SET("<max>1: 2</max>"),		SET("<mux if='Perhaps'>1: 2</mux>"),
	SET("<mux id='a'>1: 2</mux>"),	SET("<mux priority='-1'>1: 2</mux>"),
};

TEST_LOOP(all, bad_list_is_refused, ARRAY_SIZE(bad_lists))
{
	struct drmperf_error error = { .cause = "" };
	struct oa_config config;

	ck_assert_int_eq(read_lists(bad_lists[_i], &config, &error), -EBADMSG);
	ck_assert_msg(!strncmp(error.cause, "platforms.xml:1: ", 17), "%s",
		      error.cause);
}
