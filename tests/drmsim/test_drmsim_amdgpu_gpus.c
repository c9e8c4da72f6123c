/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every simulated AMD GPU but the Vegas: what its kernel tells, its counters by
 * command buffers written by hand, and what makes them stand still.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xf86drm.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/drmsim/chips.h"

/* ---- what the kernel tells */

TEST_CASE(kernel, NULL, hand_finish, "drmsim_amdgpu_gpus");

TEST_LOOP(kernel, the_kernel_reports_a_gpus_identity, GPUS)
{
	const struct chip *f = &chips[_i];
	struct drm_amdgpu_info_device dev = { 0 };
	struct amdgpu_gpu_info info;
	drmVersionPtr version;

	hand_open(&hand, (unsigned)_i, COMPUTE);
	ck_assert_int_eq(amdgpu_query_info(hand.device, AMDGPU_INFO_DEV_INFO,
					   sizeof(dev), &dev),
			 0);
	ck_assert_uint_eq(dev.device_id, f->device);
	ck_assert_uint_eq(dev.pci_rev, f->revision);
	ck_assert_uint_eq(dev.family, f->family);
	ck_assert_uint_eq(dev.external_rev, f->external_rev);
	ck_assert_uint_eq(dev.num_shader_engines, f->engines);
	ck_assert_uint_eq(dev.num_shader_arrays_per_engine, f->arrays);
	ck_assert_uint_eq(dev.num_cu_per_sh, f->units_per_array);
	ck_assert_uint_eq(dev.cu_active_number, f->units);
	ck_assert_uint_eq(dev.num_tcc_blocks, f->channels);
	ck_assert_uint_eq(dev.num_rb_pipes, f->backends);
	ck_assert_uint_eq(dev.wave_front_size, f->wave);
	ck_assert_uint_eq(dev.gpu_counter_freq, f->khz);
	ck_assert_uint_eq(dev.cu_bitmap[1][1], f->bitmap_1_1);
	ck_assert_uint_eq(dev.cu_bitmap[1][3], f->bitmap_1_3);
	/* libdrm asks for registers on its own, the more the older the GPU */
	ck_assert_int_eq(amdgpu_query_gpu_info(hand.device, &info), 0);
	ck_assert_uint_eq(info.gb_addr_cfg, f->addr_config);
	ck_assert_uint_eq(info.family_id, f->family);
	version = drmGetVersion(hand.fd);
	ck_assert_int_eq(version->version_minor, f->drm_minor);
	drmFreeVersion(version);
}

TEST_LOOP(kernel, a_gpu_has_the_rings_of_its_chip, GPUS)
{
	const struct chip *f = &chips[_i];
	struct drm_amdgpu_info_hw_ip ip;
	uint32_t version;
	uint64_t sequence;

	hand_open(&hand, (unsigned)_i, GFX);
	ck_assert_int_eq(amdgpu_query_hw_ip_info(hand.device, GFX, 0, &ip), 0);
	ck_assert_uint_eq(ip.available_rings, f->has_gfx ? 1 : 0);
	ck_assert_int_eq(amdgpu_query_hw_ip_info(hand.device, COMPUTE, 0, &ip),
			 0);
	ck_assert_uint_eq(ip.available_rings, 0xf);
	ck_assert_uint_eq(ip.hw_ip_version_major, f->ip_major);
	ck_assert_uint_eq(ip.hw_ip_version_minor, f->ip_minor);
	memcpy(&version, (char *)&ip + sizeof(ip) - 4, 4);
	ck_assert_uint_eq(version, f->discovery);
	ck_assert_int_eq(hand_submit(&hand, &sequence),
			 f->has_gfx ? 0 : -EINVAL);
}

/* How much of DEV_INFO there is, and the newest sensors: by the kernel. */
TEST_LOOP(kernel, answers_depend_on_the_kernels_version, 3)
{
	static const struct {
		enum gpu gpu;
		unsigned size;
		int error;
	} cases[] = {
		{ NAVI21, 368, -EINVAL },
		{ MI300, 440, 0 },
		{ NAVI48, 440, 0 },
	};
	uint8_t answer[1024];
	uint32_t mhz;
	unsigned size = sizeof(answer);

	hand_open(&hand, cases[_i].gpu, COMPUTE);
	memset(answer, 0xee, sizeof(answer));
	ck_assert_int_eq(amdgpu_query_info(hand.device, AMDGPU_INFO_DEV_INFO,
					   sizeof(answer), answer),
			 0);
	while (size > 0 && answer[size - 1] == 0xee)
		size--;
	ck_assert_uint_eq(size, cases[_i].size);
	ck_assert_int_eq(amdgpu_query_sensor_info(hand.device, 0xa, 4, &mhz),
			 cases[_i].error);
}

/* ---- counting */

struct counter_case {
	enum gpu gpu;
	const char *name;
	unsigned block; /* its number */
	uint32_t select, lo, hi;
	uint32_t select_or;
	uint32_t id;
	uint32_t index; /* GRBM_GFX_INDEX to read one instance */
	unsigned instance;
};

static const struct counter_case counter_cases[] = {
	{ NAVI21, "GL2C, channel 3", 38, 0x36e00, 0x34e00, 0x34e04, 0, 3,
	  0xa0000003, 3 },
	{ NAVI21, "TA, unit 7 of SE 1, SA 1", 8, 0x36b08, 0x34b08, 0x34b0c, 0,
	  200, 0x0001010d, 37 },
	{ NAVI21, "the 16th of SQ, SE 3", 6, 0x3673c, 0x34778, 0x3477c, 0, 64,
	  0x60030000, 3 },
	{ NAVI21, "CB, backend 1 of SE 2", 14, 0x37004, 0x35018, 0x3501c, 0,
	  300, 0x00020001, 9 },
	{ NAVI21, "RMI, write side 1 of SA 1", 31, 0x3740c, 0x35310, 0x35314, 0,
	  77, 0x00000101, 7 },
	{ NAVI21, "SDMA, engine 1", 20, 0x378c8, 0x359c0, 0x359c4, 0, 9,
	  HAND_BROADCAST, 1 },
	{ NAVI21, "SPI, high half below", 5, 0x36620, 0x34624, 0x34620, 0, 331,
	  0x60020000, 2 },
	{ NAVI21, "EA, its generic counter", 29, 0x36800, 0x34980, 0x34984, 0,
	  55, 0xa0000005, 5 },
	{ NAVI21, "GE_DIST", 46, 0x362b0, 0x342b0, 0x342b4, 0, 62,
	  HAND_BROADCAST, 0 },
	{ NAVI21, "GRBMSE of SE 3", 18, 0x36114, 0x3412c, 0x34130, 0, 4,
	  HAND_BROADCAST, 3 },
	{ MI200, "SQ, SE 7", 6, 0x36704, 0x34708, 0x3470c, SQ_MASKS, 327,
	  0x60070000, 7 },
	{ MI200, "TCC, channel 31", 11, 0x36e08, 0x34e08, 0x34e0c, 0, 20,
	  0xa000001f, 31 },
	{ MI200, "TCP, unit 12 of SE 5", 10, 0x36d14, 0x34d18, 0x34d1c, 0, 60,
	  0x0005000c, 82 },
	{ MI200, "CPC", 23, 0x36024, 0x34018, 0x3401c, 0, 25, HAND_BROADCAST,
	  0 },
	{ NAVI31, "SQ, SE 5", 6, 0x36740, 0x34790, 0x34794, 0, 30, 0x60050000,
	  5 },
	{ NAVI31, "SQ_WGP, 3 of SE 4, SA 1", 49, 0x36710, 0x34710, 0, 0, 500,
	  0x0004010c, 39 },
	{ NAVI31, "SQ_WGP, odd counter", 49, 0x36708, 0x34708, 0, 0, 473,
	  0x00000000, 0 },
	{ NAVI31, "TD, unit 5 of SE 2", 9, 0x36c00, 0x34c00, 0x34c04, 0, 33,
	  0x00020009, 37 },
	{ NAVI31, "GL2C, channel 23", 38, 0x36e14, 0x34e18, 0x34e1c, 0, 258,
	  0xa0000017, 23 },
	{ NAVI31, "GRBMSE of SE 5", 18, 0x3611c, 0x3413c, 0x34140, 0, 4,
	  HAND_BROADCAST, 5 },
	{ NAVI31, "PC of SE 3, high half below", 50, 0x36634, 0x3463c, 0x34638,
	  0, 11, 0x60030000, 3 },
	{ POLARIS10, "SQ, SE 3", 6, 0x3671c, 0x34738, 0x3473c, SQ_MASKS, 26,
	  0x60030000, 3 },
	{ POLARIS10, "TCC, channel 7", 11, 0x36e00, 0x34e00, 0x34e04, 0, 6,
	  0xa0000007, 7 },
	{ POLARIS10, "TA, unit 8 of SE 2", 8, 0x36b00, 0x34b00, 0x34b04, 0, 15,
	  0x00020008, 26 },
	{ POLARIS10, "CPC with six bits", 23, 0x36024, 0x34018, 0x3401c, 0, 24,
	  HAND_BROADCAST, 0 },
	{ MI100, "SQ, SE 7", 6, 0x36700, 0x34700, 0x34704, SQ_MASKS, 26,
	  0x60070000, 7 },
	{ MI100, "TCP, unit 14 of SE 3", 10, 0x36d08, 0x34d08, 0x34d0c, 0, 40,
	  0x0003000e, 62 },
	{ MI100, "TCA 31", 12, 0x36e40, 0x34e40, 0x34e44, 0, 58, 0xa000001f,
	  31 },
	{ NAVI10, "TA, unit 9 of SE 1: below the SPI", 8, 0x36b00, 0x34b00,
	  0x34b04, 0, 15, 0x00010025, 29 },
	{ NAVI10, "TA, unit 5 of SE 1: above it", 8, 0x36b00, 0x34b00, 0x34b04,
	  0, 15, 0x00010009, 25 },
	{ NAVI10, "SQ, SE 1, with banks", 6, 0x36720, 0x34740, 0x34744, 0xf000,
	  64, 0x60010000, 1 },
	{ NAVI10, "PA_SU of SE 0, SA 1", 3, 0x36400, 0x34400, 0x34404, 0, 100,
	  0x40000100, 1 },
	{ NAVI10, "SDMA, engine 1", 20, 0x6330, 0x6338, 0x633c, 0, 9,
	  HAND_BROADCAST, 1 },
	{ MI300, "SQ, SE 3 of the first die", 6, 0x36700, 0x34700, 0x34704,
	  SQ_MASKS, 26, 0x60030000, 3 },
	{ MI300, "TCC, channel 15", 11, 0x36e00, 0x34e00, 0x34e04, 0, 20,
	  0xa000000f, 15 },
	{ NAVI48, "SQ, SE 3", 6, 0x36744, 0x34798, 0x3479c, 0, 30, 0x60030000,
	  3 },
	{ NAVI48, "SQ_WGP, 2 of SE 1, SA 1", 49, 0x36700, 0x34700, 0, 0, 50,
	  0x00010108, 14 },
	{ NAVI48, "UTCL1, 1 of SE 2", 45, 0x37688, 0x35690, 0x35694, 0, 70,
	  0x20020001, 5 },
	{ NAVI48, "GL2C, channel 31", 38, 0x36e00, 0x34e00, 0x34e04, 0, 249,
	  0xa000001f, 31 },
	{ NAVI48, "GRBMSE of SE 3", 18, 0x363e4, 0x343f0, 0x343f4, 0, 25,
	  0x60030000, 3 },
	{ BONAIRE, "SQ, SE 1", 6, 0x36708, 0x34710, 0x34714, SQ_MASKS, 26,
	  0x60010000, 1 },
	{ BONAIRE, "TCC, channel 3", 11, 0x36e00, 0x34e00, 0x34e04, 0, 6,
	  0xa0000003, 3 },
	{ BONAIRE, "TD, unit 6 of SE 1", 9, 0x36c00, 0x34c00, 0x34c04, 0, 54,
	  0x00010006, 13 },
	{ BONAIRE, "IA, legacy width", 1, 0x36214, 0x34228, 0x3422c, 0, 17,
	  HAND_BROADCAST, 0 },
};

/* Write a register inside of the UCONFIG window or outside of it. */
static void
write_any(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	if (reg >= 0x30000)
		hand_set_uconfig(gpu, reg, value);
	else
		hand_copy_to_register(gpu, reg, value);
}

static void
start_counter(struct hand_gpu *gpu, const struct counter_case *c)
{
	chip_prepare(gpu, c->gpu);
	write_any(gpu, c->select, c->id | c->select_or);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_run(gpu);
}

TEST_CASE(counters, chips_forget, hand_finish, "drmsim_amdgpu_gpus");

TEST_LOOP(counters, a_counter_of_each_gpu_counts_one_millisecond,
	  ARRAY_SIZE(counter_cases))
{
	const struct counter_case *c = &counter_cases[_i];
	uint64_t expected = hand_in_a_millisecond(c->block, c->id, c->instance);

	hand_open(&hand, c->gpu, COMPUTE);
	start_counter(&hand, c);
	scene_pass(HAND_MS);
	chip_sample(&hand, c->gpu);
	hand.results[1] = 0;
	hand_read(&hand, c->index, c->lo, c->hi);
	hand_run(&hand);
	ck_assert_msg(hand_result64(&hand, 0) == expected, "%s: %s: %llu, %llu",
		      chips[c->gpu].name, c->name,
		      (unsigned long long)hand_result64(&hand, 0),
		      (unsigned long long)expected);
	chip_leave(&hand, c->gpu);
	ck_assert_uint_eq(hand_notes("violation", "broadcast-read"), 0);
	ck_assert_uint_eq(hand_notes("violation", "unlatched-read"), 0);
	ck_assert_uint_eq(hand_notes("violation", "clock-bit"), 0);
}

/* The graphics ring, where there is one, with the first case of each GPU. */
TEST_LOOP(counters, the_graphics_ring_counts_too, GPUS)
{
	const struct counter_case *c = counter_cases;

	while ((int)c->gpu != _i)
		c++;
	if (!chips[c->gpu].has_gfx)
		return;
	hand_open(&hand, c->gpu, GFX);
	hand.select_bits = chips[c->gpu].ip_major >= 10 ? CAM_RESET : 0;
	start_counter(&hand, c);
	scene_pass(HAND_MS);
	chip_sample(&hand, c->gpu);
	hand_read(&hand, c->index, c->lo, c->hi);
	hand_run(&hand);
	ck_assert_uint_eq(hand_result64(&hand, 0),
			  hand_in_a_millisecond(c->block, c->id, c->instance));
}

/* ---- what makes counters stand still */

struct still_case {
	enum gpu gpu;
	const char *name;
	uint32_t reg, value; /* written after what chip_prepare() wrote */
	uint32_t pstate; /* then set; NONE: given back */
	uint32_t select, id, lo, index;
	unsigned block, instance;
	bool counts;
};

#define KEEP 0xffffffffu

static const struct still_case still_cases[] = {
	{ NAVI10, "a pstate clears the clock bit", 0, 0, PEAK, 0x36104, 20,
	  0x3410c, HAND_BROADCAST, 17, 0, false },
	{ NAVI10, "no clock bit", 0x37390, 0, KEEP, 0x36104, 20, 0x3410c,
	  HAND_BROADCAST, 17, 0, false },
	{ NAVI10, "no bank", 0, 0, KEEP, 0x36700, 64, 0x34700, 0x60000000, 6, 0,
	  false },
	{ POLARIS10, "no clock bit", 0x372fc, 0, KEEP, 0x36104, 20, 0x3410c,
	  HAND_BROADCAST, 17, 0, false },
	{ POLARIS10, "no SIMD", 0, 0, KEEP, 0x36700, 26 | 0x000ff000, 0x34700,
	  0x60000000, 6, 0, false },
	{ POLARIS10, "a pstate is enough", 0x372fc, 0, PEAK, 0x36104, 20,
	  0x3410c, HAND_BROADCAST, 17, 0, true },
	{ BONAIRE, "gfx7 has no clock bit", 0, 0, KEEP, 0x36104, 20, 0x3410c,
	  HAND_BROADCAST, 17, 0, true },
	{ NAVI31, "no pstate", 0x37390, 1, NO_PSTATE, 0x36104, 20, 0x3410c,
	  HAND_BROADCAST, 17, 0, false },
	{ NAVI31, "no VMID", SQG_CTRL2, 1, KEEP, 0x36740, 30, 0x34790,
	  0x60000000, 6, 0, false },
	{ NAVI31, "VMIDs of SQ are not those of SQG", SQ_CTRL2, 1, KEEP,
	  0x36740, 30, 0x34790, 0x60000000, 6, 0, true },
	{ NAVI31, "no VMID for TA", SQ_CTRL2, 1, KEEP, 0x36b00, 20, 0x34b00,
	  0x00000000, 8, 0, false },
	{ NAVI31, "stages that are no more", SQG_CTRL, 0x2a, KEEP, 0x36740, 30,
	  0x34790, 0x60000000, 6, 0, false },
	{ NAVI31, "TA without stages", SQ_CTRL, 0, KEEP, 0x36b00, 20, 0x34b00,
	  0x00000000, 8, 0, false },
	{ NAVI31, "GL1C without stages", SQ_CTRL, 0, KEEP, 0x36e80, 20, 0x34e80,
	  0x00000000, 35, 0, false },
	{ NAVI31, "SQ_WGP, wide event in an odd counter", 0, 0, KEEP, 0x36708,
	  474, 0x34708, 0x00000000, 49, 0, false },
	{ NAVI21, "no mask register", SQ_MASK, 0, KEEP, 0x36700, 64, 0x34700,
	  0x60000000, 6, 0, true },
};

TEST_LOOP(counters, a_counter_that_is_not_enabled_stands_still,
	  ARRAY_SIZE(still_cases))
{
	const struct still_case *c = &still_cases[_i];

	/* which some cases leave out, and who counts there need not have */
	scene_set("select-masks", c->counts ? "ignored" : "needed");
	hand_open(&hand, c->gpu, COMPUTE);
	chip_prepare(&hand, c->gpu);
	if (c->reg)
		hand_set_uconfig(&hand, c->reg, c->value);
	hand_set_uconfig(&hand, c->select, c->id);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	if (c->pstate != KEEP)
		chip_hold(&hand, c->pstate);
	scene_pass(HAND_MS);
	chip_sample(&hand, c->gpu);
	hand_read(&hand, c->index, c->lo, 0);
	hand.results[0] = 77;
	hand_run(&hand);
	ck_assert_msg(hand.results[0] ==
			      (c->counts ? hand_in_a_millisecond(c->block,
								 c->id & 0x1ff,
								 c->instance)
					 : 0),
		      "%s: %s: %u", chips[c->gpu].name, c->name,
		      hand.results[0]);
	if (chip_has_sqg(c->gpu)) {
		hand_set_uconfig(&hand, SQ_CTRL2, 0x1fffe);
		hand_set_uconfig(&hand, SQG_CTRL2, 0x1fffe);
	}
	if (c->pstate == PEAK)
		chip_hold(&hand, NO_PSTATE);
}

/* ---- work */

static void
dispatch_groups(struct hand_gpu *gpu, uint32_t groups, uint32_t threads,
		uint32_t initiator)
{
	hand_dispatch(gpu, groups, threads, initiator);
	hand_event(gpu, 7 | 4 << 8);
}

struct wave_case {
	enum gpu gpu;
	const char *name;
	uint32_t select, value, lo;
	uint32_t initiator;
	uint32_t ctrl; /* of SQ and SQG */
	uint32_t force, enable;
	uint32_t waves; /* of SE 0, which is dealt the first */
};

/* Eight groups of 100 threads. */
static const struct wave_case wave_cases[] = {
	{ BONAIRE, "64", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 1, 8 },
	{ POLARIS10, "64", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 1, 4 },
	{ MI100, "64", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 1, 2 },
	{ MI200, "64", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 1, 2 },
	{ MI200, "forced", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 1, 0, 2 },
	{ MI200, "not allowed", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 0,
	  0 },
	{ MI300, "64", 0x36700, 4 | SQ_MASKS, 0x34700, 1, 0x7f, 0, 1, 4 },
	{ NAVI10, "64", 0x36700, 4 | 0xf000, 0x34700, 1, 0x7f, 0, 1, 8 },
	{ NAVI10, "32", 0x36700, 4 | 0xf000, 0x34700, 0x8001, 0x7f, 0, 1, 16 },
	{ NAVI21, "64", 0x36700, 4, 0x34700, 1, 0x7f, 0, 1, 4 },
	{ NAVI21, "32", 0x36700, 4, 0x34700, 0x8001, 0x7f, 0, 1, 8 },
	/* DISABLE_ME1PIPE0 to PIPE3: the pipes of compute rings */
	{ NAVI21, "pipes off", 0x36700, 4, 0x34700, 1, 0xf007f, 0, 1, 0 },
	{ NAVI21, "pipes of ME0 off", 0x36700, 4, 0x34700, 1, 0xc07f, 0, 1, 4 },
	{ NAVI21, "another stage", 0x36700, 4, 0x34700, 1, 0x3f, 0, 1, 0 },
	{ NAVI31, "SQG, 32", 0x36740, 20, 0x34790, 0x8001, 0x55, 0, 1, 6 },
	{ NAVI31, "SQ_WGP, 32", 0x36700, 4, 0x34700, 0x8001, 0x55, 0, 1, 1 },
	{ NAVI48, "SQG, 64", 0x36740, 19, 0x34790, 1, 0x55, 0, 1, 4 },
};

TEST_LOOP(counters, waves_of_each_gpu_count_where_allowed,
	  ARRAY_SIZE(wave_cases))
{
	const struct wave_case *c = &wave_cases[_i];

	hand_open(&hand, c->gpu, COMPUTE);
	scene_set("default", "zero");
	chip_prepare(&hand, c->gpu);
	hand_set_uconfig(&hand, SQ_CTRL, c->ctrl);
	hand_set_uconfig(&hand, SQ_CTRL2, c->force | 0x1fffe);
	if (chip_has_sqg(c->gpu))
		hand_set_uconfig(&hand, SQG_CTRL, c->ctrl | 1u << 19);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, c->enable);
	hand_set_uconfig(&hand, c->select, c->value);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	dispatch_groups(&hand, 8, 100, c->initiator);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_set_uconfig(&hand, SQ_CTRL2, 0x1fffe);
	hand_run(&hand);
	ck_assert_msg(chip_count(&hand, c->gpu, c->lo,
				 c->lo == 0x34700 && c->gpu == NAVI31
					 ? 0
					 : 0x60000000) == c->waves,
		      "%s: %s: %u", chips[c->gpu].name, c->name,
		      hand.results[0]);
}

/* Registers of what is not there, or cannot be there, read as junk. */
TEST_LOOP(counters, absent_instances_read_as_junk, 16)
{
	static const struct {
		enum gpu gpu;
		const char *harvest;
		uint32_t lo, index;
		bool is_junk;
	} cases[] = {
		{ NAVI21, "se 2", 0x34700, 0x60020000, true },
		{ NAVI21, "se 2", 0x34700, 0x60030000, false },
		{ NAVI21, "cu 1 1 0xc0", 0x34b00, 0x0001010d, true },
		{ NAVI21, "cu 1 1 0xc0", 0x34b00, 0x0001000d, false },
		{ NAVI10, NULL, 0x34b00, 0x0000000c, true },
		{ NAVI10, NULL, 0x34b00, 0x00000020, false },
		{ NAVI31, NULL, 0x34700, 0x00000001, true },
		{ NAVI31, "cu 0 0 0x2", 0x34700, 0x00000000, false },
		{ NAVI31, "cu 0 0 0x1", 0x34700, 0x00000000, true },
		/* both sides of an RMI have its number */
		{ NAVI21, NULL, 0x35310, 0x00000001, false },
		{ NAVI21, NULL, 0x35300, 0x00000001, false },
		{ NAVI21, NULL, 0x35300, 0x00000002, true },
		{ MI200, NULL, 0x34b00, 0x0000000d, true },
		{ MI200, NULL, 0x34b00, 0x0000000c, false },
		/* gfx12 has fewer bits of each index; others do not count */
		{ NAVI48, NULL, 0x34600, 0x60130000, false },
		{ NAVI31, NULL, 0x34600, 0x60130000, true },
	};
	char key[32];

	hand_open(&hand, cases[_i].gpu, COMPUTE);
	snprintf(key, sizeof(key), "gpu%u.harvest", cases[_i].gpu);
	if (cases[_i].harvest)
		scene_set(key, cases[_i].harvest);
	chip_prepare(&hand, cases[_i].gpu);
	chip_sample(&hand, cases[_i].gpu);
	hand_read(&hand, cases[_i].index, cases[_i].lo, 0);
	hand_run(&hand);
	ck_assert_msg((hand.results[0] != 0) == cases[_i].is_junk,
		      "case %d: 0x%x", _i, hand.results[0]);
}

TEST_MACHINE("drmsim_amdgpu_gpus", CHIPS);
