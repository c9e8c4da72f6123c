/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streaming counters: what samples hold, where they are written, and what is
 * reported of wrong use.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/spm_hand.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MODE(mode) ((uint32_t)(mode) << 20)
#define US 1000u

/* In the order of cases below. */
enum {
	GFX103,
	GFX11,
	GFX101,
	GFX12,
	GFX9,
	GENERATIONS
};

/* What generations share: registers, and the entries of a time stamp. */
#define OF_GFX10                                                               \
	.clock_register = 0x37390, .khz = 100000, .segment_size = 0x37210,     \
	.global_address = 0x37224, .global_data = 0x37228,                     \
	.se_address = 0x3721c, .se_data = 0x37220,                             \
	.times = { 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0 }, .unit = 1, .waves = 55,   \
	.groups = 52
#define OF_GFX11                                                               \
	.khz = 100000, .segment_size = 0x3721c, .wrptr = 0x37210,              \
	.global_address = 0x37220, .global_data = 0x37224,                     \
	.se_address = 0x37228, .se_data = 0x3722c, .sizes = SPM_SIZES_GFX11,   \
	.instance_first = true, .times = { 0xf840, 0xf841, 0xf842, 0xf843 },   \
	.clocks = 1900, .waves = 50, .groups = 47

static const struct spm_generation generations[GENERATIONS] = {
	[GFX103] = { .gpu = NAVI21, .engines = 4, .clocks = 1825, OF_GFX10 },
	[GFX11] = { .gpu = NAVI31, .engines = 6, .unit = 32, OF_GFX11 },
	[GFX101] = { .gpu = NAVI10, .engines = 2, .clocks = 1300, OF_GFX10 },
	[GFX12] = { .gpu = NAVI48, .engines = 4, .unit = 1, OF_GFX11 },
	[GFX9] = {
		.gpu = SPM_VEGA10,
		.clock_register = 0x372fc,
		.khz = 27000,
		.engines = 4,
		.segment_size = 0x37210,
		.global_address = 0x3726c,
		.global_data = 0x37270,
		.se_address = 0x37214,
		.se_data = 0x37218,
		.sizes = SPM_SIZES_GFX9,
		.times = { 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0 },
		.unit = 1,
		.clocks = 1138,
		.waves = 52,
		.groups = 49,
	},
};

/* ---- sums */

/* A counter: where its select is, how the muxsel names it. */
struct counter_case {
	const char *name;
	unsigned generation;
	uint32_t index; /* of GRBM_GFX_INDEX for the selects */
	uint32_t select, value;
	uint32_t select1, value1;
	unsigned segment, code, sa, instance, wire;
	bool is_odd, is_32;
	/* in the formula */
	unsigned block, event, number;
};

static const struct counter_case counter_cases[] = {
	{ "SPI, even lane", GFX103, 0x60020000, 0x36600, 20 | MODE(1), 0, 0,
	  SPM_SE(2), 8, 0, 0, 0, false, false, 5, 20, 2 },
	{ "SPI, odd lane", GFX103, 0x60020000, 0x36600, 20 | 21 << 10 | MODE(1),
	  0, 0, SPM_SE(2), 8, 0, 0, 0, true, false, 5, 21, 2 },
	{ "SPI, the second select", GFX103, 0x60000000, 0x36600, MODE(1),
	  0x36610, 30, SPM_SE(0), 8, 0, 0, 1, false, false, 5, 30, 0 },
	{ "SPI, its odd lane", GFX103, 0x60000000, 0x36600, MODE(1), 0x36610,
	  30 | 31 << 10, SPM_SE(0), 8, 0, 0, 1, true, false, 5, 31, 0 },
	{ "SPI, the second module", GFX103, 0x60030000, 0x36604, 33 | MODE(1),
	  0, 0, SPM_SE(3), 8, 0, 0, 2, false, false, 5, 33, 3 },
	{ "SPI, 32 bits", GFX103, 0x60010000, 0x36600, 22 | MODE(3), 0, 0,
	  SPM_SE(1), 8, 0, 0, 0, false, true, 5, 22, 1 },
	{ "SPI, 32 bits of the second select", GFX103, 0x60010000, 0x36600,
	  MODE(3), 0x36610, 35, SPM_SE(1), 8, 0, 0, 1, false, true, 5, 35, 1 },
	{ "SQ", GFX103, 0x60010000, 0x36708, 40 | MODE(3), 0, 0, SPM_SE(1), 9,
	  0, 0, 2, false, true, 6, 40, 1 },
	{ "TCP", GFX103, 0x00020105, 0x36d00, 11 | MODE(1), 0, 0, SPM_SE(2), 7,
	  1, 3, 0, false, false, 10, 11, 2 * 20 + 10 + 3 },
	{ "CB", GFX103, 0x00020101, 0x37004, 12 | MODE(1), 0, 0, SPM_SE(2), 0,
	  1, 1, 0, false, false, 14, 12, 2 * 4 + 2 + 1 },
	{ "GL2C", GFX103, 0xa0000007, 0x36e00, 13 | MODE(1), 0, 0, SPM_GLOBAL,
	  8, 0, 7, 0, false, false, 38, 13, 7 },
	{ "CPF", GFX103, 0xe0000000, 0x3601c, 14 | MODE(1), 0, 0, SPM_GLOBAL, 2,
	  0, 0, 0, false, false, 0, 14, 0 },
	{ "GE_SE, by engine", GFX103, 0x60030000, 0x362d0, 15 | MODE(1), 0, 0,
	  SPM_GLOBAL, 17, 0, 3, 0, false, false, 47, 15, 3 },
	{ "EA", GFX103, 0xa0000002, 0x36800, 16 | MODE(1), 0, 0, SPM_GLOBAL, 11,
	  0, 2, 0, false, false, 29, 16, 2 },
	{ "gfx11: SPI", GFX11, 0x60050000, 0x36600, 20 | 21 << 10 | MODE(1), 0,
	  0, SPM_SE(5), 8, 0, 0, 0, true, false, 5, 21, 5 },
	{ "gfx11: SQG", GFX11, 0x60010000, 0x36748, 30 | MODE(3), 0, 0,
	  SPM_SE(1), 9, 0, 0, 2, false, true, 6, 30, 1 },
	{ "gfx11: TCP", GFX11, 0x00020105, 0x36d00, 11 | MODE(1), 0, 0,
	  SPM_SE(2), 7, 1, 3, 0, false, false, 10, 11, 2 * 16 + 8 + 3 },
	{ "gfx11: GL2C", GFX11, 0xa0000011, 0x36e08, 13 | MODE(1), 0, 0,
	  SPM_GLOBAL, 8, 0, 17, 2, false, false, 38, 13, 17 },
	{ "gfx11: GUS", GFX11, 0xe0000000, 0x37800, 16 | MODE(1), 0, 0,
	  SPM_GLOBAL, 10, 0, 0, 0, false, false, 42, 16, 0 },
	{ "gfx11: PC", GFX11, 0x60020000, 0x36630, 16 | MODE(1), 0, 0,
	  SPM_SE(2), 18, 0, 0, 0, false, false, 50, 16, 2 },
	{ "gfx11: a WGP, even", GFX11, 0x40020100, 0x36710, 40 | MODE(1), 0, 0,
	  SPM_SE(2), 17, 1, 3, 2, false, false, 49, 40, 2 * 8 + 4 + 3 },
	{ "gfx11: a WGP, odd", GFX11, 0x40020100, 0x36714, 41 | MODE(1), 0, 0,
	  SPM_SE(2), 17, 1, 2, 2, true, false, 49, 41, 2 * 8 + 4 + 2 },
	{ "gfx11: a WGP, 32 bits", GFX11, 0x40020100, 0x36710, 42 | MODE(3), 0,
	  0, SPM_SE(2), 17, 1, 1, 2, false, true, 49, 42, 2 * 8 + 4 + 1 },
	{ "gfx10.1: SQ", GFX101, 0x60010000, 0x36708, 40 | 0xf000 | MODE(3), 0,
	  0, SPM_SE(1), 9, 0, 0, 2, false, true, 6, 40, 1 },
	{ "gfx10.1: TCP", GFX101, 0x00010105, 0x36d00, 11 | MODE(1), 0, 0,
	  SPM_SE(1), 7, 1, 3, 0, false, false, 10, 11, 20 + 10 + 3 },
	{ "gfx10.1: EA", GFX101, 0xa0000002, 0x36800, 16 | MODE(1), 0, 0,
	  SPM_GLOBAL, 11, 0, 2, 0, false, false, 29, 16, 2 },
	{ "gfx10.1: GE", GFX101, 0xe0000000, 0x36208, 17 | 18 << 10 | MODE(1),
	  0, 0, SPM_GLOBAL, 6, 0, 0, 2, true, false, 33, 18, 0 },
	{ "gfx12: SPI", GFX12, 0x60030000, 0x36600, MODE(1), 0x36618,
	  20 | 21 << 10, SPM_SE(3), 8, 0, 0, 1, true, false, 5, 21, 3 },
	{ "gfx12: SQG", GFX12, 0x60010000, 0x36748, 30 | MODE(3), 0, 0,
	  SPM_SE(1), 9, 0, 0, 2, false, true, 6, 30, 1 },
	{ "gfx12: GL2C", GFX12, 0xa0000011, 0x36e08, 13 | MODE(1), 0, 0,
	  SPM_GLOBAL, 8, 0, 17, 2, false, false, 38, 13, 17 },
	{ "gfx12: WGS", GFX12, 0x60020000, 0x376cc, 16 | MODE(1), 0, 0,
	  SPM_SE(2), 23, 0, 0, 0, false, false, 53, 16, 2 },
	{ "gfx12: GL1XC", GFX12, 0x20020003, 0x36ea0, 16 | MODE(1), 0, 0,
	  SPM_SE(2), 25, 0, 3, 0, false, false, 52, 16, 2 * 4 + 3 },
	{ "gfx12: a WGP, odd", GFX12, 0x40020100, 0x36714, 41 | MODE(1), 0, 0,
	  SPM_SE(2), 17, 1, 2, 2, true, false, 49, 41, 2 * 8 + 4 + 2 },
	{ "gfx9: SPI, the fourth engine", GFX9, 0x60030000, 0x36600,
	  20 | 21 << 10 | MODE(1), 0, 0, SPM_SE(3), 8, 0, 0, 0, true, false, 5,
	  21, 3 },
	{ "gfx9: SQ", GFX9, 0x60010000, 0x36708, 40 | 0x0f0ff000 | MODE(3), 0,
	  0, SPM_SE(1), 9, 0, 0, 2, false, true, 6, 40, 1 },
	{ "gfx9: TCP", GFX9, 0x20020003, 0x36d00, 11 | MODE(1), 0, 0, SPM_SE(2),
	  7, 0, 3, 0, false, false, 10, 11, 2 * 16 + 3 },
	{ "gfx9: TCC", GFX9, 0xa0000007, 0x36e08, 13 | MODE(1), 0, 0,
	  SPM_GLOBAL, 4, 0, 7, 2, false, false, 11, 13, 7 },
	{ "gfx9: RMI", GFX9, 0x20010001, 0x37400, 14 | MODE(1), 0, 0, SPM_SE(1),
	  11, 0, 1, 0, false, false, 31, 14, 2 + 1 },
};

/* Put a counter into the last entry of an even line and of an odd one. */
static void
put_counter(struct spm_stream *stream, const struct counter_case *c)
{
	const bool is_global = c->segment == SPM_GLOBAL;

	stream->lines[c->segment] = 2;
	for (unsigned odd = 0; odd < 2; odd++)
		if (c->is_32 || odd == c->is_odd)
			stream->entries[c->segment][odd][15] = spm_entry(
				stream->generation, is_global, c->code, c->sa,
				c->instance, 2 * c->wire + odd);
	hand_set_uconfig(&stream->gpu, GRBM_GFX_INDEX, c->index);
	hand_set_uconfig(&stream->gpu, c->select, c->value);
	if (c->select1)
		hand_set_uconfig(&stream->gpu, c->select1, c->value1);
	hand_set_uconfig(&stream->gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

static uint64_t
counter_value(const struct spm_stream *stream, const struct counter_case *c,
	      unsigned sample)
{
	uint64_t low = spm_value(stream, sample, c->segment, 0, 15);
	uint64_t high = spm_value(stream, sample, c->segment, 1, 15);

	if (c->is_32)
		return low | high << 16;
	return c->is_odd ? high : low;
}

static struct spm_stream stream;

static void
close_stream(void)
{
	if (stream.gpu.device)
		spm_close(&stream);
}

static void
forget_report(void)
{
	chips_forget();
	for (unsigned i = 0; i < GENERATIONS; i++)
		chip_reset((enum gpu)generations[i].gpu);
	drmsim_command("clear", NULL, 0);
	drmsim_set("gpu0.clock", "sclk-stable 1825");
}

TEST_CASE(streaming, forget_report, close_stream, "drmsim_spm");

static void
assert_no_spm_violation(const char *name)
{
	const char *report = scene_report();

	ck_assert_msg(!strstr(report, "kind=spm-"), "%s: %s", name, report);
}

TEST_LOOP(streaming, samples_add_up_to_the_count, ARRAY_SIZE(counter_cases))
{
	const struct counter_case *c = &counter_cases[_i];
	uint64_t sum = 0;

	spm_open(&stream, &generations[c->generation], GFX);
	stream.samples = 1001;
	stream.interval = generations[c->generation].clocks;
	put_counter(&stream, c);
	spm_start(&stream, 0);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(spm_position(&stream), 1000 * spm_stride(&stream));
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t value = counter_value(&stream, c, i);

		ck_assert_msg(value > 0, "%s: sample %u", c->name, i);
		sum += value;
	}
	ck_assert_msg(
		sum == hand_in_a_millisecond(c->block, c->event, c->number),
		"%s: %llu", c->name, (unsigned long long)sum);
	spm_stop(&stream);
	spm_close(&stream);
	assert_no_spm_violation(c->name);
}

/* The waves and groups that samples have are those that counters have. */
TEST_LOOP(streaming, samples_have_the_waves_that_counters_have, GENERATIONS)
{
	const struct spm_generation *generation = &generations[_i];
	struct hand_gpu *gpu = &stream.gpu;
	uint64_t waves = 0, groups = 0;

	spm_open(&stream, generation, COMPUTE);
	stream.interval = generation->clocks;
	put_counter(&stream,
		    &(struct counter_case){
			    .index = 0x60000000,
			    .select = 0x36600,
			    .value = generation->waves |
				     generation->groups << 10 | MODE(1),
			    .segment = SPM_SE(0),
			    .code = 8,
		    });
	stream.entries[SPM_SE(0)][1][15] =
		spm_entry(generation, false, 8, 0, 0, 1);
	hand_set_uconfig(gpu, 0x36604, generation->waves);
	hand_set_uconfig(gpu, 0x36608, generation->groups);
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 1);
	spm_start(&stream, 1);
	for (unsigned i = 0; i < 3; i++) {
		hand_dispatch(gpu, 8, 64, 1);
		hand_run(gpu);
		scene_pass(20 * US + 500);
	}
	/* up to the end of an interval */
	scene_pass(US);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0x401 | SPM_START);
	hand_read(gpu, 0x60000000, 0x3460c, 0x34614);
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(gpu);
	for (unsigned i = 0; i < spm_position(&stream) / spm_stride(&stream);
	     i++) {
		waves += spm_value(&stream, i, SPM_SE(0), 0, 15);
		groups += spm_value(&stream, i, SPM_SE(0), 1, 15);
	}
	ck_assert_uint_gt(waves, 0);
	ck_assert_uint_eq(waves, gpu->results[0]);
	ck_assert_uint_eq(groups, gpu->results[1]);
	spm_stop(&stream);
}

/* ---- values that do not fit */

struct clamp_case {
	const char *name;
	unsigned mode;
	bool is_32;
	const char *rate; /* of SPI.20, a second: samples are of 10 ms */
	uint64_t value;
};

static const struct clamp_case clamp_cases[] = {
	{ "16 bits, just so", 1, false, "SPI.20 6553500", 0xffff },
	{ "16 bits end there", 1, false, "SPI.20 6553600", 0xffff },
	{ "16 bits go round", 2, false, "SPI.20 6554100", 5 },
	{ "32 bits", 3, true, "SPI.20 6554100", 65541 },
	{ "32 bits end there", 3, true, "SPI.20 429496730000", 0xffffffff },
	{ "32 bits go round", 4, true, "SPI.20 429496730000", 4 },
};

TEST_LOOP(streaming, samples_are_clamped_at_their_width,
	  ARRAY_SIZE(clamp_cases))
{
	const struct clamp_case *c = &clamp_cases[_i];
	struct counter_case counter = {
		.index = 0xe0000000,
		.select = 0x36600,
		.value = 20 | MODE(c->mode),
		.segment = SPM_SE(1),
		.code = 8,
		.is_32 = c->is_32,
	};

	scene_set("rate", c->rate);
	scene_set("gpu0.clock", "sclk-stable 1");
	spm_open(&stream, &generations[GFX103], COMPUTE);
	stream.interval = 10000;
	put_counter(&stream, &counter);
	spm_start(&stream, 0);
	scene_pass(10 * HAND_MS);
	ck_assert_uint_eq(spm_position(&stream), spm_stride(&stream));
	ck_assert_msg(counter_value(&stream, &counter, 0) == c->value,
		      "%s: 0x%llx", c->name,
		      (unsigned long long)counter_value(&stream, &counter, 0));
	spm_stop(&stream);
	spm_close(&stream);
	assert_no_spm_violation(c->name);
}

/* ---- the ring */

/* Samples have the time of their end, and the ring begins again. */
TEST_LOOP(streaming, the_ring_of_samples_begins_again, GENERATIONS)
{
	const struct spm_generation *generation = &generations[_i];
	unsigned stride;

	spm_open(&stream, generation, GFX);
	stream.interval = 10 * generation->clocks;
	stream.samples = 7;
	stream.base_offset = 4096 + 32;
	stream.lines[SPM_SE(1)] = 3;
	spm_start(&stream, 0);
	stride = spm_stride(&stream);
	scene_pass(9 * US);
	ck_assert_uint_eq(spm_position(&stream), 0);
	scene_pass(US);
	ck_assert_uint_eq(spm_position(&stream), stride);
	scene_pass(50 * US);
	ck_assert_uint_eq(spm_position(&stream), 6 * stride);
	for (unsigned i = 1; i < 6; i++)
		ck_assert_uint_eq(spm_time(&stream, i) -
					  spm_time(&stream, i - 1),
				  generation->khz / 100);
	scene_pass(20 * US);
	ck_assert_uint_eq(spm_position(&stream), stride);
	ck_assert_uint_gt(spm_time(&stream, 0), spm_time(&stream, 6));
	spm_stop(&stream);
	scene_pass(100 * US);
	ck_assert_uint_eq(spm_position(&stream), stride);
	spm_close(&stream);
	assert_no_spm_violation("ring");
}

/* ---- what is reported */

/* What differs from a right stream; 0: nothing. */
struct misuse_case {
	const char *name, *kind;
	uint64_t base_offset, size_change;
	uint32_t ring_mode, interval, accum_mode, muxsel_index;
	unsigned total, forgotten;
	/* before the setup is emitted, or NULL */
	void (*change)(struct spm_stream *stream);
};

static const struct counter_case plain_spi = {
	.index = 0x60000000,
	.select = 0x36600,
	.value = 20 | MODE(1),
	.segment = SPM_SE(0),
	.code = 8,
};

static void
put_plain(struct spm_stream *stream)
{
	put_counter(stream, &plain_spi);
}

static void
put_with(struct spm_stream *stream, uint32_t select)
{
	struct counter_case c = plain_spi;

	c.value = select;
	put_counter(stream, &c);
}

static void
forget_time(struct spm_stream *stream)
{
	stream->entries[SPM_GLOBAL][0][3] = 0;
}

static void
swap_lanes(struct spm_stream *stream)
{
	uint16_t entry;

	put_plain(stream);
	entry = stream->entries[SPM_SE(0)][0][15];
	stream->entries[SPM_SE(0)][0][15] = 0;
	stream->entries[SPM_SE(0)][1][15] = entry;
}

static void
name_no_block(struct spm_stream *stream)
{
	put_plain(stream);
	stream->entries[SPM_SE(0)][0][15] =
		spm_entry(stream->generation, false, 15, 0, 0, 0);
}

static void
name_no_wire(struct spm_stream *stream)
{
	put_plain(stream);
	stream->entries[SPM_SE(0)][0][15] =
		spm_entry(stream->generation, false, 8, 0, 0, 16);
}

static void
name_half(struct spm_stream *stream)
{
	put_with(stream, 20 | MODE(3));
}

static void
forget_mode(struct spm_stream *stream)
{
	put_with(stream, 20);
}

static void
stream_sq_narrow(struct spm_stream *stream)
{
	put_counter(stream, &(struct counter_case){
				    .index = 0xe0000000,
				    .select = 0x36700,
				    .value = 40 | MODE(1),
				    .segment = SPM_SE(0),
				    .code = 9,
			    });
}

static void
forget_select(struct spm_stream *stream)
{
	put_plain(stream);
	stream->entries[SPM_SE(0)][0][14] =
		spm_entry(stream->generation, false, 8, 0, 0, 4);
}

static void
write_privileged(struct spm_stream *stream)
{
	hand_copy_to_register(&stream->gpu, 0x37214, 0);
}

static const struct misuse_case misuse_cases[] = {
	{ "ring not aligned", "spm-ring", .base_offset = 16 },
	{ "size not aligned", "spm-ring", .size_change = 8 },
	{ "samples do not fill the ring", "spm-ring", .size_change = SPM_HEADER,
	  .change = put_plain },
	{ "a ring that stalls", "spm-ring", .ring_mode = 1 },
	{ "interval too short", "spm-interval", .interval = 31 },
	{ "accumulating", "spm-accum", .accum_mode = 1 },
	{ "sizes do not add up", "spm-segment", .total = 4,
	  .change = put_plain },
	{ "muxsel not written", "spm-muxsel", .forgotten = SPM_SE(0) + 1,
	  .change = put_plain },
	{ "muxsel of one instance", "spm-steering",
	  .muxsel_index = 0x40000000 },
	{ "time stamp not whole", "spm-time", .change = forget_time },
	{ "even lane in an odd line", "spm-muxsel", .change = swap_lanes },
	{ "no such block", "spm-muxsel", .change = name_no_block },
	{ "no such wire", "spm-muxsel", .change = name_no_wire },
	{ "half of 32 bits", "spm-muxsel", .change = name_half },
	{ "counter without a mode", "spm-mode", .change = forget_mode },
	{ "SQ with 16 bits", "spm-mode", .change = stream_sq_narrow },
	{ "counter that nothing selected", "spm-mode",
	  .change = forget_select },
	{ "a register of the kernel", "privileged",
	  .change = write_privileged },
	{ "nothing", NULL, .change = put_plain },
};

static void
change_stream(const struct misuse_case *c)
{
	stream.base_offset = c->base_offset;
	stream.size_change = c->size_change;
	stream.ring_mode = c->ring_mode;
	stream.accum_mode = c->accum_mode;
	stream.muxsel_index = c->muxsel_index;
	stream.total = c->total;
	stream.forgotten = c->forgotten;
	if (c->interval)
		stream.interval = c->interval;
	if (c->change)
		c->change(&stream);
}

TEST_LOOP(streaming, misuse_of_a_stream_is_a_violation,
	  ARRAY_SIZE(misuse_cases))
{
	const struct misuse_case *c = &misuse_cases[_i];

	spm_open(&stream, &generations[GFX103], GFX);
	change_stream(c);
	spm_start(&stream, 0);
	scene_pass(10 * US);
	spm_stop(&stream);
	spm_close(&stream);
	if (c->kind)
		ck_assert_msg(hand_notes("violation", c->kind) > 0, "%s: %s",
			      c->name, c->kind);
	else
		assert_no_spm_violation(c->name);
}

/* From gfx11 on samples begin where those of the run before ended. */
TEST_LOOP(streaming, samples_go_on_at_the_write_pointer, 2)
{
	static struct spm_generation generation;
	bool is_written = _i;

	generation = generations[GFX11];
	if (!is_written)
		generation.wrptr = 0;
	spm_open(&stream, &generation, GFX);
	stream.interval = 10 * generation.clocks;
	for (unsigned run = 1; run < 3; run++) {
		spm_start(&stream, 0);
		scene_pass(30 * US);
		spm_stop(&stream);
		ck_assert_uint_eq(spm_position(&stream),
				  (is_written ? 3 : 3 * run) *
					  spm_stride(&stream));
	}
	ck_assert_uint_eq(hand_notes("violation", "spm-wrptr"), !is_written);
}

/* Engines with fewer lines than another one have junk in the rest. */
TEST(streaming, missing_lines_are_filled_with_junk)
{
	spm_open(&stream, &generations[GFX11], GFX);
	put_counter(&stream, &plain_spi);
	spm_start(&stream, 0);
	scene_pass(10 * US);
	ck_assert_uint_eq(spm_stride(&stream), SPM_HEADER * (1 + 6 * 2));
	ck_assert_uint_gt(spm_value(&stream, 0, SPM_SE(0), 0, 15), 0);
	spm_stop(&stream);
	/* one engine without any of its lines */
	stream.lines[SPM_SE(0)] = 0;
	stream.lines[SPM_SE(4)] = 2;
	spm_start(&stream, 0);
	scene_pass(10 * US);
	spm_stop(&stream);
	spm_close(&stream);
	assert_no_spm_violation("fillers");
}

/* ---- doubts */

/* Sources disagree where the number of a WGP stands. */
TEST_LOOP(streaming, the_number_of_a_wgp_follows_the_reading, 5)
{
	static const struct {
		const char *reading;
		unsigned number;
		uint64_t value;
		bool is_known;
	} cases[] = {
		{ "plain", 2, 2, true },    { "plain", 1, 1, true },
		{ "shifted", 4, 2, true },  { "shifted", 2, 1, true },
		{ "shifted", 1, 0, false },
	};
	struct counter_case c = {
		.index = 0xe0000000,
		.select = 0x36700,
		.value = 40 | MODE(1),
		.segment = SPM_SE(0),
		.code = 17,
		.instance = cases[_i].number,
	};

	scene_set("spm-wgp", cases[_i].reading);
	scene_set("gpu2.rate", "SQ_WGP.40 instance=1 1000000");
	scene_set("gpu2.rate", "SQ_WGP.40 instance=2 2000000");
	spm_open(&stream, &generations[GFX11], GFX);
	stream.interval = generations[GFX11].clocks;
	put_counter(&stream, &c);
	spm_start(&stream, 0);
	scene_pass(US);
	if (cases[_i].is_known)
		ck_assert_uint_eq(counter_value(&stream, &c, 0),
				  cases[_i].value);
	ck_assert_uint_eq(hand_notes("violation", "spm-muxsel"),
			  !cases[_i].is_known);
	spm_stop(&stream);
}

/* The header may stay as it is until the end. */
TEST_LOOP(streaming, the_header_may_stay_until_the_end, 2)
{
	scene_set("spm-header", _i ? "stopped" : "running");
	spm_open(&stream, &generations[GFX103], GFX);
	stream.interval = generations[GFX103].clocks;
	spm_start(&stream, 0);
	scene_pass(10 * US);
	ck_assert_uint_eq(spm_position(&stream),
			  _i ? 0 : 10 * spm_stride(&stream));
	ck_assert_uint_gt(spm_time(&stream, 9), 0);
	spm_stop(&stream);
	ck_assert_uint_eq(spm_position(&stream), 10 * spm_stride(&stream));
}

/* A value that is SET again is lost on the graphics ring, as selects are. */
TEST_LOOP(streaming, a_repeated_value_is_lost_on_the_graphics_ring, 3)
{
	unsigned lost = _i == 1;

	spm_open(&stream, &generations[GFX103], _i < 2 ? GFX : COMPUTE);
	hand_set_uconfig(&stream.gpu, 0x37224, 0);
	stream.gpu.select_bits = lost ? 0 : stream.gpu.select_bits;
	hand_set_uconfig(&stream.gpu, 0x37224, 0);
	hand_run(&stream.gpu);
	ck_assert_uint_eq(hand_notes("violation", "filter-cam"), lost);
}

/* ---- states */

enum {
	WAIT_EVENT,
	WAIT_JOB,
	WAIT_NOTHING,
	WAIT_NO_STOP
};

/* A reset before the RLC has written all samples is reported. */
TEST_LOOP(streaming, a_reset_before_the_end_is_a_violation, WAIT_NO_STOP + 1)
{
	struct hand_gpu *gpu = &stream.gpu;

	spm_open(&stream, &generations[GFX103], GFX);
	spm_start(&stream, 0);
	scene_pass(10 * US);
	if (_i != WAIT_NO_STOP)
		hand_set_uconfig(gpu, CP_PERFMON_CNTL, SPM_STOP);
	if (_i == WAIT_EVENT)
		spm_emit_idle(&stream);
	if (_i == WAIT_JOB)
		hand_run(gpu);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_run(gpu);
	ck_assert_uint_eq(hand_notes("violation", "spm-reset"),
			  _i == WAIT_NOTHING || _i == WAIT_NO_STOP);
}

TEST(streaming, a_stream_without_a_pstate_is_a_violation)
{
	spm_open(&stream, &generations[GFX103], GFX);
	chip_hold(&stream.gpu, NO_PSTATE);
	spm_start(&stream, 0);
	ck_assert_uint_eq(hand_notes("violation", "spm-pstate"), 1);
	spm_stop(&stream);
}

/* ---- the address space */

/*
 * Return what the kernel answers; libdrm has one device for all files of a
 * process.
 */
static int
ask_vm(int fd, uint32_t op, uint32_t flags)
{
	union drm_amdgpu_vm args = { .in = { .op = op, .flags = flags } };

	return ioctl(fd, DRM_IOCTL_AMDGPU_VM, &args) ? -errno : 0;
}

/* One file at a time; a second one is refused until it goes. */
TEST(streaming, one_file_at_a_time_has_the_vmid)
{
	static const struct {
		const char *name;
		bool is_second; /* of two files */
		uint32_t op, flags;
		int answer;
	} steps[] = {
		{ "the first", false, AMDGPU_VM_OP_RESERVE_VMID, 0, 0 },
		{ "again", false, AMDGPU_VM_OP_RESERVE_VMID, 0, 0 },
		{ "the second", true, AMDGPU_VM_OP_RESERVE_VMID, 0, -ENOENT },
		{ "not its own", true, AMDGPU_VM_OP_UNRESERVE_VMID, 0, 0 },
		{ "still not", true, AMDGPU_VM_OP_RESERVE_VMID, 0, -ENOENT },
		{ "flags", true, AMDGPU_VM_OP_UNRESERVE_VMID, 1, -EINVAL },
		{ "another operation", true, 3, 0, -EINVAL },
		{ "given back", false, AMDGPU_VM_OP_UNRESERVE_VMID, 0, 0 },
		{ "now the second", true, AMDGPU_VM_OP_RESERVE_VMID, 0, 0 },
		{ "not the first", false, AMDGPU_VM_OP_RESERVE_VMID, 0,
		  -ENOENT },
	};
	int files[2];

	for (unsigned i = 0; i < 2; i++)
		files[i] = open(HAND_NODE, O_RDWR | O_CLOEXEC);
	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++)
		ck_assert_msg(ask_vm(files[steps[i].is_second], steps[i].op,
				     steps[i].flags) == steps[i].answer,
			      "%s", steps[i].name);
	/* closing a file releases its VMID */
	close(files[1]);
	ck_assert_int_eq(ask_vm(files[0], AMDGPU_VM_OP_RESERVE_VMID, 0), 0);
	close(files[0]);
}

enum {
	NO_VMID,
	LATE_VMID,
	UNMAPPED,
	READ_ONLY,
	VMID_GONE,
	TOO_SMALL
};

/* A write of the RLC faults, and it writes no more. */
TEST_LOOP(streaming, a_faulting_write_ends_the_stream, TOO_SMALL + 1)
{
	struct hand_gpu *gpu = &stream.gpu;
	uint32_t position = 0;

	spm_open(&stream, &generations[GFX103], GFX);
	if (_i == NO_VMID || _i == LATE_VMID)
		amdgpu_vm_unreserve_vmid(gpu->device, 0);
	if (_i == READ_ONLY)
		ck_assert_int_eq(amdgpu_bo_va_op_raw(gpu->device, stream.bo, 0,
						     stream.bytes,
						     stream.address,
						     AMDGPU_VM_PAGE_READABLE,
						     AMDGPU_VA_OP_REPLACE),
				 0);
	if (_i == TOO_SMALL)
		stream.base_offset = stream.bytes - 2 * SPM_HEADER;
	spm_start(&stream, 0);
	/* the kernel writes RLC_SPM_VMID with the next job only */
	if (_i == LATE_VMID)
		amdgpu_vm_reserve_vmid(gpu->device, 0);
	if (_i >= UNMAPPED && _i != READ_ONLY) {
		scene_pass(3 * US);
		position = spm_position(&stream);
		ck_assert_uint_gt(position, 0);
	}
	if (_i == UNMAPPED)
		amdgpu_bo_va_op(stream.bo, 0, stream.bytes, stream.address, 0,
				AMDGPU_VA_OP_UNMAP);
	if (_i == VMID_GONE)
		amdgpu_vm_unreserve_vmid(gpu->device, 0);
	scene_pass(10 * US);
	ck_assert_uint_eq(hand_notes("violation", "spm-fault"), 1);
	ck_assert_uint_eq(spm_position(&stream), position);
	spm_stop(&stream);
	if (_i == UNMAPPED)
		amdgpu_bo_va_op(stream.bo, 0, stream.bytes, stream.address, 0,
				AMDGPU_VA_OP_MAP);
}

/* Closing a file while the RLC writes for it is reported. */
TEST_LOOP(streaming, closing_an_armed_file_is_a_violation, 2)
{
	spm_open(&stream, &generations[GFX103], GFX);
	spm_start(&stream, 0);
	if (_i)
		spm_stop(&stream);
	hand_set_uconfig(&stream.gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(&stream.gpu, 0x37390, 0);
	hand_run(&stream.gpu);
	chip_hold(&stream.gpu, NO_PSTATE);
	amdgpu_bo_cpu_unmap(stream.bo);
	amdgpu_va_range_free(stream.va);
	amdgpu_bo_free(stream.bo);
	hand_close(&stream.gpu);
	ck_assert_uint_eq(hand_notes("violation", "spm-armed"), !_i);
	scene_pass(10 * US);
	ck_assert_uint_eq(hand_notes("violation", "spm-fault"), !_i);
}

/* So is a process that is killed while the RLC writes for it. */
TEST_LOOP(streaming, killing_an_armed_process_is_a_violation, 2)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		child_begin();
		spm_open(&stream, &generations[GFX103], GFX);
		spm_start(&stream, 0);
		if (_i)
			spm_stop(&stream);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	ck_assert_uint_eq(hand_notes("violation", "spm-armed"), !_i);
}

/* The machine of chips.h, and a Vega 10 behind its GPUs. */
TEST_MACHINE("drmsim_spm", CHIPS, "--gpu=vega10");
