/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every simulated AMD GPU but the Vegas, all in one machine: what its kernel
 * tells, its counters by command buffers written by hand, and what its
 * generation does differently. Addresses and layouts: AMD PAL, Mesa, Linux.
 */
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/drmsim/hand.h"
#include "tests/suite.h"

#include <amdgpu_drm.h>
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xf86drm.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define CP_PERFMON_CNTL 0x36020u
#define GRBM_GFX_INDEX 0x30800u
#define SQ_CTRL 0x36780u
#define SQ_MASK 0x36784u
#define SQ_CTRL2 0x36788u
#define SQG_CTRL 0x36760u
#define SQG_CTRL2 0x36768u
#define GRBMH_SYNC 0x81ccu
#define COMPUTE_PERFCOUNT_ENABLE 0xb82cu
#define COMPUTE_NUM_THREAD_X 0xb81cu
#define SQ_MASKS 0x0f0ff000u /* banks, clients, SIMDs: up to gfx9 */
#define CAM_RESET 4u
#define GFX AMDGPU_HW_IP_GFX
#define COMPUTE AMDGPU_HW_IP_COMPUTE

/* In the order in which they stand in the machine. */
enum gpu {
	NAVI21,
	MI200,
	NAVI31,
	POLARIS10,
	MI100,
	NAVI10,
	MI300,
	NAVI48,
	BONAIRE,
	GPUS
};

struct facts {
	const char *name;
	unsigned device, revision, family, external_rev;
	unsigned engines, arrays, units_per_array, units, channels, backends;
	unsigned wave, khz;
	bool has_gfx;
	unsigned ip_major, ip_minor;
	uint32_t discovery;
	int drm_minor;
	uint32_t addr_config;
	uint32_t bitmap_1_1, bitmap_1_3; /* of cu_bitmap */
	/* how its counters' clock is kept on */
	uint32_t clock_register;
	bool needs_pstate;
};

static const struct facts all[GPUS] = {
	[NAVI21] = { "navi21", 0x73bf, 0xc0,  143,   0x29,   4,	      2,   10,
		     80,       16,     16,    32,    100000, true,    10,  0,
		     0x0a0300, 49,     0x444, 0x3ff, 0,	     0x37390, true },
	[MI200] = { "mi200",	0x740f, 0x02, 141,     0x3d,	 8,
		    1,		14,	104,  32,      0,	 64,
		    100000,	false,	9,    0,       0x090402, 49,
		    0x22014042, 0x1fff, 0,    0x372fc, false },
	[NAVI31] = { "navi31", 0x744c, 0xc8,  145,  0x01,   6,	  2,   8,
		     96,       24,     24,    32,   100000, true, 11,  0,
		     0x0b0000, 49,     0x545, 0xff, 0xff,   0,	  true },
	[POLARIS10] = { "polaris10", 0x67df, 0xe7, 130,	    0x51, 4, 1, 9, 36,
			8,	     8,	     64,   25000,   true, 8, 0, 0, 49,
			0x22011003,  0,	     0,	   0x372fc, false },
	[MI100] = { "mi100",	0x738c, 0x01, 141,     0x33,	 8,
		    1,		16,	120,  32,      0,	 64,
		    100000,	false,	9,    0,       0x090401, 49,
		    0x22014042, 0x7fff, 0,    0x372fc, false },
	[NAVI10] = { "navi10",	 0x731f, 0xc1, 143,	0x03,	  2,
		     2,		 10,	 40,   16,	16,	  32,
		     100000,	 true,	 10,   0,	0x0a010a, 49,
		     0x00100044, 0x3ff,	 0,    0x37390, false },
	[MI300] = { "mi300",	0x74a1, 0x00, 141,     0x47,	 4,
		    1,		10,	304,  16,      0,	 64,
		    100000,	false,	9,    4,       0x090403, 54,
		    0x2a114042, 0,	0,    0x372fc, false },
	[NAVI48] = { "navi48", 0x7550, 0xc0,  152,  0x51,   4,	  2,   8,
		     64,       32,     16,    32,   100000, true, 12,  0,
		     0x0c0001, 61,     0x545, 0xff, 0,	    0,	  true },
	[BONAIRE] = { "bonaire", 0x6658, 0x00,	     120, 0x15,	 2,    1,    7,
		      14,	 4,	 4,	     64,  27000, true, 7,    2,
		      0,	 49,	 0x12010001, 0,	  0,	 0,    false },
};

/* ---- what the kernel tells */

START_TEST(identity)
{
	const struct facts *f = &all[_i];
	struct drm_amdgpu_info_device dev = { 0 };
	struct amdgpu_gpu_info info;
	struct hand_gpu gpu;
	drmVersionPtr version;

	hand_open(&gpu, (unsigned)_i, COMPUTE);
	ck_assert_int_eq(amdgpu_query_info(gpu.device, AMDGPU_INFO_DEV_INFO,
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
	ck_assert_int_eq(amdgpu_query_gpu_info(gpu.device, &info), 0);
	ck_assert_uint_eq(info.gb_addr_cfg, f->addr_config);
	ck_assert_uint_eq(info.family_id, f->family);
	version = drmGetVersion(gpu.fd);
	ck_assert_int_eq(version->version_minor, f->drm_minor);
	drmFreeVersion(version);
	hand_close(&gpu);
}
END_TEST

START_TEST(rings)
{
	const struct facts *f = &all[_i];
	struct drm_amdgpu_info_hw_ip ip;
	uint32_t version;
	struct hand_gpu gpu;
	uint64_t sequence;

	hand_open(&gpu, (unsigned)_i, GFX);
	ck_assert_int_eq(amdgpu_query_hw_ip_info(gpu.device, GFX, 0, &ip), 0);
	ck_assert_uint_eq(ip.available_rings, f->has_gfx ? 1 : 0);
	ck_assert_int_eq(amdgpu_query_hw_ip_info(gpu.device, COMPUTE, 0, &ip),
			 0);
	ck_assert_uint_eq(ip.available_rings, 0xf);
	ck_assert_uint_eq(ip.hw_ip_version_major, f->ip_major);
	ck_assert_uint_eq(ip.hw_ip_version_minor, f->ip_minor);
	memcpy(&version, (char *)&ip + sizeof(ip) - 4, 4);
	ck_assert_uint_eq(version, f->discovery);
	ck_assert_int_eq(hand_submit(&gpu, &sequence),
			 f->has_gfx ? 0 : -EINVAL);
	hand_close(&gpu);
}
END_TEST

/* How much of DEV_INFO there is, and the newest sensors: by the kernel. */
START_TEST(kernel_version)
{
	static const struct {
		enum gpu gpu;
		unsigned size;
		int error;
	} cases[] = {
		{ NAVI21, 368, -EINVAL },
		{ MI300, 424, 0 },
		{ NAVI48, 424, 0 },
	};
	uint8_t answer[1024];
	uint32_t mhz;
	struct hand_gpu gpu;
	unsigned size = sizeof(answer);

	hand_open(&gpu, cases[_i].gpu, COMPUTE);
	memset(answer, 0xee, sizeof(answer));
	ck_assert_int_eq(amdgpu_query_info(gpu.device, AMDGPU_INFO_DEV_INFO,
					   sizeof(answer), answer),
			 0);
	while (size > 0 && answer[size - 1] == 0xee)
		size--;
	ck_assert_uint_eq(size, cases[_i].size);
	ck_assert_int_eq(amdgpu_query_sensor_info(gpu.device, 0xa, 4, &mhz),
			 cases[_i].error);
	hand_close(&gpu);
}
END_TEST

/* ---- counting */

static void
hold_pstate(struct hand_gpu *gpu, uint32_t level)
{
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 gpu->context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 level, NULL),
			 0);
}

static bool
has_sqg(enum gpu number)
{
	return number == NAVI31 || number == NAVI48;
}

/* Clocks on, counters at zero, everything let through. */
static void
prepare(struct hand_gpu *gpu, enum gpu number)
{
	const struct facts *f = &all[number];

	if (f->needs_pstate)
		hold_pstate(gpu, AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	if (f->clock_register)
		hand_set_uconfig(gpu, f->clock_register, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, SQ_CTRL, 0x7f);
	hand_set_uconfig(gpu, SQ_MASK, 0xffffffff);
	if (has_sqg(number))
		hand_set_uconfig(gpu, SQG_CTRL, 0x8007f);
}

static void
leave(struct hand_gpu *gpu, enum gpu number)
{
	const struct facts *f = &all[number];

	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	if (f->clock_register)
		hand_set_uconfig(gpu, f->clock_register, 0);
	hand_run(gpu);
	if (f->needs_pstate)
		hold_pstate(gpu, AMDGPU_CTX_STABLE_PSTATE_NONE);
	hand_close(gpu);
}

/* Wait for a register to hold a value. */
static void
wait_register(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	hand_packet(gpu, 0x3c, 6);
	hand_emit(gpu, 3);
	hand_emit(gpu, reg / 4);
	hand_emit(gpu, 0);
	hand_emit(gpu, value);
	hand_emit(gpu, 0xffffffff);
	hand_emit(gpu, 4);
}

/* gfx12: nothing may be read before the sample has reached the engines. */
static void
wait_for_sample(struct hand_gpu *gpu, enum gpu number)
{
	if (number != NAVI48)
		return;
	for (unsigned se = 0; se < all[number].engines; se++) {
		hand_set_uconfig(gpu, GRBM_GFX_INDEX, 0x60000000 | se << 16);
		if (gpu->ip == GFX) {
			wait_register(gpu, GRBMH_SYNC, 1);
			hand_copy_to_register(gpu, GRBMH_SYNC, 1);
		}
		hand_set_uconfig(gpu, SQG_CTRL, 0x7f);
		wait_register(gpu, SQG_CTRL, 0x7f);
	}
}

/* Sample without stopping: the form that all generations bear. */
static void
sample(struct hand_gpu *gpu, enum gpu number)
{
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0x401);
	wait_for_sample(gpu, number);
}

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

/* A register inside of the UCONFIG window or outside of it. */
static void
write_any(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	if (reg >= 0x30000)
		hand_set_uconfig(gpu, reg, value);
	else
		hand_copy_to_register(gpu, reg, value);
}

/* Read one instance's counter into results 0 and 1. */
static void
read_counter(struct hand_gpu *gpu, const struct counter_case *c)
{
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, c->index);
	hand_copy_to_result(gpu, c->lo, 0);
	if (c->hi)
		hand_copy_to_result(gpu, c->hi, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

static void
start_counter(struct hand_gpu *gpu, const struct counter_case *c)
{
	prepare(gpu, c->gpu);
	write_any(gpu, c->select, c->id | c->select_or);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_run(gpu);
}

START_TEST(one_millisecond)
{
	const struct counter_case *c = &counter_cases[_i];
	uint64_t expected = hand_in_a_millisecond(c->block, c->id, c->instance);
	struct hand_gpu gpu;

	hand_open(&gpu, c->gpu, COMPUTE);
	start_counter(&gpu, c);
	hand_advance(HAND_MS);
	sample(&gpu, c->gpu);
	gpu.results[1] = 0;
	read_counter(&gpu, c);
	hand_run(&gpu);
	ck_assert_msg(hand_result64(&gpu, 0) == expected, "%s: %s: %llu, %llu",
		      all[c->gpu].name, c->name,
		      (unsigned long long)hand_result64(&gpu, 0),
		      (unsigned long long)expected);
	leave(&gpu, c->gpu);
	ck_assert_uint_eq(hand_notes("violation", "broadcast-read"), 0);
	ck_assert_uint_eq(hand_notes("violation", "unlatched-read"), 0);
	ck_assert_uint_eq(hand_notes("violation", "clock-bit"), 0);
}
END_TEST

/* The graphics ring, where there is one, with the first case of each GPU. */
START_TEST(on_graphics)
{
	const struct counter_case *c = counter_cases;
	struct hand_gpu gpu;

	while ((int)c->gpu != _i)
		c++;
	if (!all[c->gpu].has_gfx)
		return;
	hand_open(&gpu, c->gpu, GFX);
	gpu.select_bits = all[c->gpu].ip_major >= 10 ? CAM_RESET : 0;
	start_counter(&gpu, c);
	hand_advance(HAND_MS);
	sample(&gpu, c->gpu);
	read_counter(&gpu, c);
	hand_run(&gpu);
	ck_assert_uint_eq(hand_result64(&gpu, 0),
			  hand_in_a_millisecond(c->block, c->id, c->instance));
	leave(&gpu, c->gpu);
}
END_TEST

/* ---- what makes counters stand still */

struct still_case {
	enum gpu gpu;
	const char *name;
	uint32_t reg, value; /* written after what prepare() wrote */
	uint32_t pstate; /* then set; NONE: given back */
	uint32_t select, id, lo, index;
	unsigned block, instance;
	bool counts;
};

#define KEEP 0xffffffffu
#define NO_PSTATE AMDGPU_CTX_STABLE_PSTATE_NONE
#define PEAK AMDGPU_CTX_STABLE_PSTATE_PEAK

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

START_TEST(stands_still)
{
	const struct still_case *c = &still_cases[_i];
	struct hand_gpu gpu;

	hand_open(&gpu, c->gpu, COMPUTE);
	prepare(&gpu, c->gpu);
	if (c->reg)
		hand_set_uconfig(&gpu, c->reg, c->value);
	hand_set_uconfig(&gpu, c->select, c->id);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	if (c->pstate != KEEP)
		hold_pstate(&gpu, c->pstate);
	hand_advance(HAND_MS);
	sample(&gpu, c->gpu);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, c->index);
	hand_copy_to_result(&gpu, c->lo, 0);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	gpu.results[0] = 77;
	hand_run(&gpu);
	ck_assert_msg(gpu.results[0] ==
			      (c->counts ? hand_in_a_millisecond(c->block,
								 c->id & 0x1ff,
								 c->instance)
					 : 0),
		      "%s: %s: %u", all[c->gpu].name, c->name, gpu.results[0]);
	if (has_sqg(c->gpu)) {
		hand_set_uconfig(&gpu, SQ_CTRL2, 0x1fffe);
		hand_set_uconfig(&gpu, SQG_CTRL2, 0x1fffe);
	}
	if (c->pstate == PEAK)
		hold_pstate(&gpu, NO_PSTATE);
	leave(&gpu, c->gpu);
}
END_TEST

/* Registers of what is not there, or cannot be there, read as junk. */
START_TEST(absent_instances)
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
	struct hand_gpu gpu;
	char key[32];

	hand_open(&gpu, cases[_i].gpu, COMPUTE);
	snprintf(key, sizeof(key), "gpu%u.harvest", cases[_i].gpu);
	if (cases[_i].harvest)
		hand_set(key, cases[_i].harvest);
	prepare(&gpu, cases[_i].gpu);
	sample(&gpu, cases[_i].gpu);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, cases[_i].index);
	hand_copy_to_result(&gpu, cases[_i].lo, 0);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(&gpu);
	ck_assert_msg((gpu.results[0] != 0) == cases[_i].is_junk,
		      "case %d: 0x%x", _i, gpu.results[0]);
	leave(&gpu, cases[_i].gpu);
}
END_TEST

/* ---- traps of single generations */

/* What a counter of the GPU's first case has counted so far. */
static uint32_t
count_of(struct hand_gpu *gpu, enum gpu number, uint32_t lo, uint32_t index)
{
	sample(gpu, number);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, index);
	hand_copy_to_result(gpu, lo, 0);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(gpu);
	return gpu->results[0];
}

/* As after power-up: no select, no count, nothing stuck. */
static void
reset(enum gpu number)
{
	char command[32];

	snprintf(command, sizeof(command), "reset-gpu %u", number);
	ck_assert_int_eq(drmsim_command(command, NULL, 0), 0);
}

/* gfx10: SQ counters that are stopped may be dead until a reboot. */
START_TEST(stopped_sq)
{
	enum gpu number = _i ? NAVI10 : NAVI21;
	struct hand_gpu gpu;

	hand_open(&gpu, number, COMPUTE);
	/* selects of a count that has ended do not matter */
	prepare(&gpu, number);
	hand_set_uconfig(&gpu, 0x36700, 64 | 0xf000);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_run(&gpu);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0x402);
	hand_run(&gpu);
	ck_assert_uint_eq(hand_notes("violation", "risk"), 0);
	/* but those of this one do */
	hand_set_uconfig(&gpu, 0x36700, 64 | 0xf000);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0x402);
	hand_run(&gpu);
	ck_assert_uint_eq(hand_notes("violation", "risk"), 1);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	/* as for radv, which does so */
	ck_assert_uint_eq(count_of(&gpu, number, 0x34700, 0x60000000),
			  hand_in_a_millisecond(6, 64, 0));
	leave(&gpu, number);
	reset(number);
}
END_TEST

/* gfx11: the event STOP leaves CB's counters at zero. */
START_TEST(stop_event)
{
	struct hand_gpu gpu;

	hand_open(&gpu, NAVI31, GFX);
	gpu.select_bits = CAM_RESET;
	prepare(&gpu, NAVI31);
	hand_set_uconfig(&gpu, 0x37004, 20);
	hand_set_uconfig(&gpu, 0x36104, 20);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_event(&gpu, 23);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(count_of(&gpu, NAVI31, 0x35018, 0),
			  hand_in_a_millisecond(14, 20, 0));
	hand_event(&gpu, 24);
	hand_run(&gpu);
	ck_assert_uint_eq(hand_notes("violation", "stuck"), 1);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(count_of(&gpu, NAVI31, 0x35018, 0), 0);
	ck_assert_uint_eq(count_of(&gpu, NAVI31, 0x3410c, HAND_BROADCAST),
			  2 * hand_in_a_millisecond(17, 20, 0));
	leave(&gpu, NAVI31);
	reset(NAVI31);
}
END_TEST

/* gfx10 and later: the same select for another instance may be dropped. */
START_TEST(filtered_select)
{
	static const struct {
		enum gpu gpu;
		unsigned ip;
		uint32_t bits;
		bool is_lost;
	} cases[] = {
		{ NAVI21, GFX, 0, true },
		{ NAVI21, GFX, CAM_RESET, false },
		{ NAVI21, COMPUTE, 0, false },
		{ NAVI48, GFX, 0, true },
		{ POLARIS10, GFX, 0, false },
	};
	enum gpu number = cases[_i].gpu;
	unsigned block = number == POLARIS10 ? 11 : 38; /* TCC or GL2C */
	struct hand_gpu gpu;

	reset(number);
	hand_open(&gpu, number, cases[_i].ip);
	prepare(&gpu, number);
	gpu.select_bits = cases[_i].bits;
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, 0xa0000000);
	hand_set_uconfig(&gpu, 0x36e00, 5);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, 0xa0000001);
	hand_set_uconfig(&gpu, 0x36e00, 5);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(count_of(&gpu, number, 0x34e00, 0xa0000000),
			  hand_in_a_millisecond(block, 5, 0));
	ck_assert_uint_eq(
		count_of(&gpu, number, 0x34e00, 0xa0000001),
		cases[_i].is_lost ? 0 : hand_in_a_millisecond(block, 5, 1));
	ck_assert_uint_eq(hand_notes("violation", "filter-cam"),
			  cases[_i].is_lost);
	leave(&gpu, number);
}
END_TEST

/* gfx10.3: an idle GPU forgets, unless a pstate is held. */
START_TEST(gfxoff)
{
	struct hand_gpu gpu;

	hand_open(&gpu, NAVI21, COMPUTE);
	hand_set_uconfig(&gpu, 0x37390, 1);
	hand_set_uconfig(&gpu, 0x36104, 20);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(_i ? 99 * HAND_MS : 100 * HAND_MS);
	ck_assert_uint_eq(count_of(&gpu, NAVI21, 0x3410c, HAND_BROADCAST),
			  _i ? 99 * hand_in_a_millisecond(17, 20, 0) : 0);
	hold_pstate(&gpu, PEAK);
	hand_set_uconfig(&gpu, 0x37390, 1);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&gpu, 0x36104, 20);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_SECOND);
	ck_assert_uint_eq(count_of(&gpu, NAVI21, 0x3410c, HAND_BROADCAST),
			  1000 * hand_in_a_millisecond(17, 20, 0) & 0xffffffff);
	hold_pstate(&gpu, NO_PSTATE);
	leave(&gpu, NAVI21);
}
END_TEST

/* A WGP counts what its SIMDs see that were told to. */
START_TEST(simds)
{
	static const uint32_t written[] = { 1, 2, 4 };
	struct hand_gpu gpu;
	uint64_t whole = hand_in_a_millisecond(49, 4 * 16, 1);

	hand_open(&gpu, NAVI31, COMPUTE);
	prepare(&gpu, NAVI31);
	/* another event does not make those count that are not told of this */
	hand_set_uconfig(&gpu, 0x36700, 5);
	for (uint32_t simd = 0; simd < written[_i]; simd++) {
		hand_set_uconfig(&gpu, GRBM_GFX_INDEX, 4 + simd);
		hand_set_uconfig(&gpu, 0x36700, 4 * 16);
	}
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(count_of(&gpu, NAVI31, 0x34700, 4),
			  whole * written[_i] / 4);
	leave(&gpu, NAVI31);
}
END_TEST

/* ---- work */

static void
dispatch(struct hand_gpu *gpu, uint32_t groups, uint32_t threads,
	 uint32_t initiator)
{
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X, threads);
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X + 4, 1);
	hand_set_sh(gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	hand_packet(gpu, 0x15, 4);
	hand_emit(gpu, groups);
	hand_emit(gpu, 1);
	hand_emit(gpu, 1);
	hand_emit(gpu, initiator);
	hand_packet(gpu, 0x46, 1);
	hand_emit(gpu, 7 | 4 << 8);
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

START_TEST(waves)
{
	const struct wave_case *c = &wave_cases[_i];
	struct hand_gpu gpu;

	hand_open(&gpu, c->gpu, COMPUTE);
	hand_set("default", "zero");
	prepare(&gpu, c->gpu);
	hand_set_uconfig(&gpu, SQ_CTRL, c->ctrl);
	hand_set_uconfig(&gpu, SQ_CTRL2, c->force | 0x1fffe);
	if (has_sqg(c->gpu))
		hand_set_uconfig(&gpu, SQG_CTRL, c->ctrl | 1u << 19);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, c->enable);
	hand_set_uconfig(&gpu, c->select, c->value);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	dispatch(&gpu, 8, 100, c->initiator);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_set_uconfig(&gpu, SQ_CTRL2, 0x1fffe);
	hand_run(&gpu);
	ck_assert_msg(count_of(&gpu, c->gpu, c->lo,
			       c->lo == 0x34700 && c->gpu == NAVI31
				       ? 0
				       : 0x60000000) == c->waves,
		      "%s: %s: %u", all[c->gpu].name, c->name, gpu.results[0]);
	leave(&gpu, c->gpu);
}
END_TEST

/* ---- gfx12: reads may overtake a sample */

struct late_case {
	const char *name;
	unsigned ip;
	uint32_t select, id, lo;
	bool sync, toggle, poll, is_old;
	unsigned block;
};

static const struct late_case late_cases[] = {
	{ "SQ, nothing done", COMPUTE, 0x36740, 30, 0x34790, false, false,
	  false, true, 6 },
	{ "SQ, toggled and waited for", COMPUTE, 0x36740, 30, 0x34790, false,
	  true, true, false, 6 },
	{ "SQ, toggled only", COMPUTE, 0x36740, 30, 0x34790, false, true, false,
	  true, 6 },
	{ "SQ, what was there waited for", COMPUTE, 0x36740, 30, 0x34790, false,
	  false, true, true, 6 },
	{ "SPI on compute", COMPUTE, 0x36600, 19, 0x34604, false, false, false,
	  false, 5 },
	{ "SPI on graphics", GFX, 0x36600, 19, 0x34604, false, false, false,
	  true, 5 },
	{ "SPI on graphics, waited for", GFX, 0x36600, 19, 0x34604, true, false,
	  false, false, 5 },
	{ "a global block", GFX, 0x36104, 19, 0x3410c, false, false, false,
	  false, 17 },
};

START_TEST(late_sample)
{
	const struct late_case *c = &late_cases[_i];
	uint64_t one = hand_in_a_millisecond(c->block, c->id, 0);
	uint32_t flag;
	struct hand_gpu gpu;

	reset(NAVI48);
	hand_open(&gpu, NAVI48, c->ip);
	gpu.select_bits = c->ip == GFX ? CAM_RESET : 0;
	prepare(&gpu, NAVI48);
	hand_set_uconfig(&gpu, c->select, c->id);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	flag = c->toggle ? 0x7f : 0x8007f;
	hand_advance(HAND_MS);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, 0x60000000);
	if (c->sync)
		wait_register(&gpu, GRBMH_SYNC, 1);
	if (c->toggle)
		hand_set_uconfig(&gpu, SQG_CTRL, flag);
	if (c->poll)
		wait_register(&gpu, SQG_CTRL, flag);
	hand_copy_to_result(&gpu, c->lo, 0);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(&gpu);
	ck_assert_msg(gpu.results[0] == (c->is_old ? 0 : one), "%s: %u",
		      c->name, gpu.results[0]);
	ck_assert_uint_eq(hand_notes("violation", "unlatched-read"), c->is_old);
	leave(&gpu, NAVI48);
}
END_TEST

/* ---- MI300: several dies, of which a submission sees one */

/* WRITE_DATA of a dword to a result. */
static void
write_result(struct hand_gpu *gpu, unsigned index, uint32_t value)
{
	uint64_t to = gpu->result_address + 4 * index;

	hand_packet(gpu, 0x37, 4);
	hand_emit(gpu, 5 << 8 | 1 << 20);
	hand_emit(gpu, (uint32_t)to);
	hand_emit(gpu, (uint32_t)(to >> 32));
	hand_emit(gpu, value);
}

START_TEST(dies)
{
	const unsigned die = (unsigned)_i;
	char number[16];
	struct hand_gpu gpu;

	snprintf(number, sizeof(number), "%u", die);
	hand_set("gpu6.die", number);
	hand_open(&gpu, MI300, COMPUTE);
	prepare(&gpu, MI300);
	hand_set_uconfig(&gpu, 0x36700, 26 | SQ_MASKS);
	hand_set_uconfig(&gpu, 0x36e00, 20);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	/* what follows PRED_EXEC is for the dies with a bit there */
	for (unsigned d = 0; d < 8; d++) {
		gpu.results[16 + d] = 0;
		hand_packet(&gpu, 0x23, 1);
		hand_emit(&gpu, 1u << (24 + d) | 5);
		write_result(&gpu, 16 + d, 1);
	}
	write_result(&gpu, 24, 4711);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	for (unsigned d = 0; d < 8; d++)
		ck_assert_uint_eq(gpu.results[16 + d], d == die);
	ck_assert_uint_eq(gpu.results[24], 4711);
	ck_assert_uint_eq(count_of(&gpu, MI300, 0x34700, 0x60020000),
			  hand_in_a_millisecond(6, 26, 4 * die + 2));
	ck_assert_uint_eq(count_of(&gpu, MI300, 0x34e00, 0xa0000007),
			  hand_in_a_millisecond(11, 20, 16 * die + 7));
	/* a neighbour knows nothing of it */
	hand_set("gpu6.die", die ? "0" : "7");
	ck_assert_uint_eq(count_of(&gpu, MI300, 0x34700, 0x60020000), 0);
	hand_set("gpu6.die", number);
	leave(&gpu, MI300);
	hand_set("gpu6.die", "any");
}
END_TEST

/* What an AID has is reached by the first of its two dies. */
START_TEST(aid)
{
	struct hand_gpu gpu;

	hand_set("gpu6.die", _i ? "3" : "2");
	hand_open(&gpu, MI300, COMPUTE);
	prepare(&gpu, MI300);
	hand_copy_to_register(&gpu, 0x30f8, 3 | 1u << 28 | 1u << 29);
	hand_copy_to_register(&gpu, 0x3108, 1u << 24);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	hand_copy_to_register(&gpu, 0x3108, 0);
	hand_copy_to_result(&gpu, 0x310c, 0);
	hand_run(&gpu);
	if (_i == 0)
		ck_assert_uint_eq(gpu.results[0],
				  hand_in_a_millisecond(26, 3, 1));
	else
		ck_assert_uint_eq(gpu.results[0], 0xbadf00d5);
	leave(&gpu, MI300);
	hand_set("gpu6.die", "any");
}
END_TEST

/* ---- gfx7 and gfx8: one end-of-pipe event does not wait */

static void
end_of_pipe(struct hand_gpu *gpu, unsigned index, uint32_t value)
{
	uint64_t to = gpu->result_address + 4 * index;

	hand_packet(gpu, 0x47, 5);
	hand_emit(gpu, 40 | 5 << 8);
	hand_emit(gpu, (uint32_t)to);
	hand_emit(gpu, (uint32_t)(to >> 32) | 1u << 29);
	hand_emit(gpu, value);
	hand_emit(gpu, 0);
}

START_TEST(lone_end_of_pipe)
{
	enum gpu number = _i % 2 ? BONAIRE : POLARIS10;
	unsigned events = _i / 2 ? 2 : 1;
	uint64_t before, after;
	struct hand_gpu gpu;

	hand_open(&gpu, number, GFX);
	hand_set_sh(&gpu, COMPUTE_NUM_THREAD_X, 64);
	hand_set_sh(&gpu, COMPUTE_NUM_THREAD_X + 4, 1);
	hand_set_sh(&gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	hand_packet(&gpu, 0x15, 4);
	for (unsigned i = 0; i < 4; i++)
		hand_emit(&gpu, 1);
	gpu.results[0] = gpu.results[1] = gpu.results[2] = 0;
	for (unsigned i = 0; i < events; i++)
		end_of_pipe(&gpu, i, 1);
	/* wait for the last of them, then look at the GPU's clock */
	hand_packet(&gpu, 0x3c, 6);
	hand_emit(&gpu, 3 | 1 << 4);
	hand_emit(&gpu, (uint32_t)(gpu.result_address + 4 * (events - 1)));
	hand_emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	hand_emit(&gpu, 1);
	hand_emit(&gpu, 0xffffffff);
	hand_emit(&gpu, 4);
	hand_packet(&gpu, 0x40, 5);
	hand_emit(&gpu, 9 | 5 << 8 | 1 << 16 | 1 << 20);
	hand_emit(&gpu, 0);
	hand_emit(&gpu, 0);
	hand_emit(&gpu, (uint32_t)(gpu.result_address + 8));
	hand_emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	ck_assert_int_eq(drmsim_now(&before), 0);
	hand_run(&gpu);
	after = hand_result64(&gpu, 2) * 1000000 / all[number].khz;
	/* the work takes 10 us; a tick of the clock is 40 ns */
	if (events == 1)
		ck_assert_uint_le(after, before);
	else
		ck_assert_uint_ge(after + 100, before + 10000);
	hand_close(&gpu);
}
END_TEST

/* ---- packets that a generation knows or does not */

struct packet_case {
	enum gpu gpu;
	const char *name;
	unsigned ip;
	uint32_t header;
	unsigned count; /* dwords of body: zeros */
	bool hangs;
};

#define TYPE3(opcode, count) (0xc0000000u | ((count)-1) << 16 | (opcode) << 8)

static const struct packet_case packet_cases[] = {
	{ NAVI21, "ACQUIRE_MEM of gfx10", GFX, TYPE3(0x58, 7), 7, false },
	{ NAVI21, "ACQUIRE_MEM of gfx9", GFX, TYPE3(0x58, 6), 6, true },
	{ NAVI48, "ACQUIRE_MEM of gfx9", COMPUTE, TYPE3(0x58, 6), 6, true },
	{ MI200, "ACQUIRE_MEM of gfx9", COMPUTE, TYPE3(0x58, 6), 6, false },
	{ MI200, "ACQUIRE_MEM of gfx10", COMPUTE, TYPE3(0x58, 7), 7, true },
	{ BONAIRE, "SURFACE_SYNC", GFX, TYPE3(0x43, 4), 4, false },
	{ NAVI10, "SURFACE_SYNC", GFX, TYPE3(0x43, 4), 4, true },
	{ BONAIRE, "RELEASE_MEM on compute", COMPUTE, TYPE3(0x49, 6), 6,
	  false },
	{ BONAIRE, "RELEASE_MEM on graphics", GFX, TYPE3(0x49, 6), 6, true },
	{ POLARIS10, "RELEASE_MEM of gfx9", COMPUTE, TYPE3(0x49, 7), 7, true },
	{ MI100, "RELEASE_MEM of gfx8", COMPUTE, TYPE3(0x49, 6), 6, true },
	{ MI300, "RELEASE_MEM", COMPUTE, TYPE3(0x49, 7), 7, false },
	{ POLARIS10, "EVENT_WRITE_EOP", GFX, TYPE3(0x47, 5), 5, false },
	{ NAVI31, "EVENT_WRITE_EOP", GFX, TYPE3(0x47, 5), 5, true },
	{ NAVI21, "counter window", COMPUTE, TYPE3(0x3d, 1), 1, true },
	{ NAVI31, "counter window, old firmware", COMPUTE, TYPE3(0x3d, 1), 1,
	  true },
	{ NAVI48, "counter window", COMPUTE, TYPE3(0x3d, 1), 1, false },
	{ NAVI48, "counter window", GFX, TYPE3(0x3d, 1), 1, false },
	{ NAVI21, "PERFMON_CONTROL", COMPUTE, TYPE3(0x54, 2), 2, false },
	{ NAVI21, "PERFMON_CONTROL, cut short", COMPUTE, TYPE3(0x54, 1), 1,
	  true },
	{ NAVI10, "PERFMON_CONTROL of gfx10.3", GFX, TYPE3(0x54, 2), 2, true },
	{ MI200, "PERFMON_CONTROL", COMPUTE, TYPE3(0x54, 2), 2, true },
	{ NAVI31, "CAM reset on compute", COMPUTE, TYPE3(0x79, 2) | CAM_RESET,
	  2, true },
	{ POLARIS10, "SET_UCONFIG_REG_INDEX", GFX, TYPE3(0x7a, 2), 2, true },
	{ NAVI10, "SET_UCONFIG_REG_INDEX", GFX, TYPE3(0x7a, 2), 2, false },
	{ NAVI48, "unknown packet", COMPUTE, TYPE3(0xee, 1), 1, true },
	{ BONAIRE, "PFP_SYNC_ME on compute", COMPUTE, TYPE3(0x42, 1), 1, true },
	{ NAVI21, "SET_SH_REG_PAIRS", COMPUTE, TYPE3(0xba, 2), 2, true },
	{ NAVI48, "SET_SH_REG_PAIRS_PACKED", GFX, TYPE3(0xbb, 4), 4, true },
	{ NAVI31, "PAIRS_PACKED of another length", GFX, TYPE3(0xbb, 4), 4,
	  true },
	{ BONAIRE, "SET_PREDICATION of gfx7", GFX, TYPE3(0x20, 2), 2, false },
	{ BONAIRE, "SET_PREDICATION of gfx9", GFX, TYPE3(0x20, 3), 3, true },
	{ NAVI10, "SET_PREDICATION of gfx7", GFX, TYPE3(0x20, 2), 2, true },
	{ NAVI10, "SET_PREDICATION", COMPUTE, TYPE3(0x20, 3), 3, true },
	{ POLARIS10, "LOAD_SH_REG_INDEX on compute", COMPUTE, TYPE3(0x63, 4), 4,
	  true },
	{ NAVI21, "LOAD_SH_REG_INDEX on compute", COMPUTE, TYPE3(0x63, 4), 4,
	  false },
	{ BONAIRE, "LOAD_CONTEXT_REG_INDEX", GFX, TYPE3(0x9f, 4), 4, true },
	{ POLARIS10, "LOAD_CONTEXT_REG_INDEX", GFX, TYPE3(0x9f, 4), 4, false },
	{ NAVI10, "mesh of gfx10.3", GFX, TYPE3(0x4c, 8), 8, true },
	{ NAVI21, "mesh of gfx10.3", GFX, TYPE3(0x4c, 8), 8, false },
	{ NAVI21, "mesh of gfx11", GFX, TYPE3(0x4e, 4), 4, true },
	{ NAVI48, "mesh of gfx11", GFX, TYPE3(0x4e, 4), 4, false },
	{ NAVI21, "task state", COMPUTE, TYPE3(0xa9, 2), 2, false },
	{ NAVI31, "tasks on graphics", GFX, TYPE3(0xad, 10), 10, true },
	{ NAVI31, "tasks: none", COMPUTE, TYPE3(0xad, 10), 10, false },
	{ NAVI31, "HDP_FLUSH", COMPUTE, TYPE3(0x95, 1), 1, false },
	{ NAVI31, "HDP_FLUSH on graphics", GFX, TYPE3(0x95, 1), 1, true },
	{ MI300, "INVALIDATE_TLBS", COMPUTE, TYPE3(0x98, 1), 1, false },
	{ MI300, "UNMAP_QUEUES", COMPUTE, TYPE3(0xa3, 5), 5, true },
	{ NAVI48, "MAP_QUEUES", COMPUTE, TYPE3(0xa2, 6), 6, true },
	{ NAVI10, "SWITCH_BUFFER", GFX, TYPE3(0x8b, 1), 1, false },
	{ NAVI31, "SWITCH_BUFFER", GFX, TYPE3(0x8b, 1), 1, true },
	{ POLARIS10, "MEM_SEMAPHORE of gfx9", GFX, TYPE3(0x39, 3), 3, true },
	{ NAVI31, "MEM_SEMAPHORE", GFX, TYPE3(0x39, 3), 3, true },
	{ NAVI48, "CONTEXT_PUSH", GFX, TYPE3(0xab, 1), 1, false },
	{ NAVI48, "STREAMOUT_STATS_QUERY", GFX, TYPE3(0xc3, 5), 5, false },
	{ NAVI48, "interleaved, nowhere", GFX, TYPE3(0xa8, 2), 2, true },
	{ NAVI21, "DRAW_INDEX_2, cut short", GFX, TYPE3(0x27, 4), 4, true },
};

START_TEST(packets)
{
	const struct packet_case *c = &packet_cases[_i];
	struct hand_gpu gpu;
	uint64_t sequence;
	uint32_t expired = 0;
	int error;

	hand_open(&gpu, c->gpu, c->ip);
	hand_emit(&gpu, c->header);
	for (unsigned i = 0; i < c->count; i++)
		hand_emit(&gpu, 0);
	ck_assert_int_eq(hand_submit(&gpu, &sequence), 0);
	error = hand_wait(&gpu, sequence, AMDGPU_TIMEOUT_INFINITE, &expired);
	ck_assert_msg(error == (c->hangs ? -ECANCELED : 0), "%s: %s: %d",
		      all[c->gpu].name, c->name, error);
	hand_close(&gpu);
}
END_TEST

/* ---- gfx11: registers in pairs with their values */

#define CS_REGISTER(byte) (((byte)-0xb000u) / 4)

static const struct pairs_case {
	enum gpu gpu;
	unsigned ip;
	uint32_t opcode;
	uint32_t dwords[7];
	unsigned count;
} pairs_cases[] = {
	{ NAVI31,
	  GFX,
	  0xba,
	  { CS_REGISTER(0xb81c), 7, CS_REGISTER(0xb824), 9 },
	  4 },
	{ NAVI48,
	  COMPUTE,
	  0xba,
	  { CS_REGISTER(0xb81c), 7, CS_REGISTER(0xb824), 9 },
	  4 },
	{ NAVI31,
	  COMPUTE,
	  0xbb,
	  { 2, CS_REGISTER(0xb81c) | CS_REGISTER(0xb824) << 16, 7, 9 },
	  4 },
	/* an odd number is made up with one of them */
	{ NAVI31,
	  GFX,
	  0xbd,
	  { 4, CS_REGISTER(0xb81c) | CS_REGISTER(0xb820) << 16, 7, 8,
	    CS_REGISTER(0xb824) | CS_REGISTER(0xb81c) << 16, 9, 7 },
	  7 },
};

START_TEST(register_pairs)
{
	const struct pairs_case *c = &pairs_cases[_i];
	struct hand_gpu gpu;

	hand_open(&gpu, c->gpu, c->ip);
	hand_packet(&gpu, c->opcode, c->count);
	for (unsigned i = 0; i < c->count; i++)
		hand_emit(&gpu, c->dwords[i]);
	hand_copy_to_result(&gpu, COMPUTE_NUM_THREAD_X, 0);
	hand_copy_to_result(&gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], 7);
	ck_assert_uint_eq(gpu.results[1], 9);
	hand_close(&gpu);
}
END_TEST

/* Newer firmware knows the window; it has to be closed again. */
START_TEST(counter_window)
{
	struct hand_gpu gpu;

	hand_set("gpu2.firmware", "8 2290");
	hand_open(&gpu, NAVI31, COMPUTE);
	hand_packet(&gpu, 0x3d, 1);
	hand_emit(&gpu, 7);
	if (_i == 0) {
		hand_packet(&gpu, 0x3d, 1);
		hand_emit(&gpu, 0);
	}
	hand_run(&gpu);
	ck_assert_uint_eq(hand_notes("violation", "counter-window"),
			  (unsigned)_i);
	hand_set("gpu2.firmware", "8 494");
	hand_close(&gpu);
}
END_TEST

/* ---- the suite */

static void
forget(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
}

#define LOOP(tcase, test, array)                                               \
	tcase_add_loop_test(tcase, test, 0, (int)ARRAY_SIZE(array))

static Suite *
gpus_suite(void)
{
	Suite *suite = suite_create("drmsim_amdgpu_gpus");
	TCase *kernel = tcase_create("kernel");
	TCase *counters = tcase_create("counters");
	TCase *traps = tcase_create("traps");

	tcase_add_checked_fixture(counters, forget, NULL);
	tcase_add_checked_fixture(traps, forget, NULL);
	tcase_add_loop_test(kernel, identity, 0, GPUS);
	tcase_add_loop_test(kernel, rings, 0, GPUS);
	tcase_add_loop_test(kernel, kernel_version, 0, 3);
	LOOP(counters, one_millisecond, counter_cases);
	tcase_add_loop_test(counters, on_graphics, 0, GPUS);
	LOOP(counters, stands_still, still_cases);
	LOOP(counters, waves, wave_cases);
	tcase_add_loop_test(traps, stopped_sq, 0, 2);
	tcase_add_test(traps, stop_event);
	tcase_add_loop_test(traps, filtered_select, 0, 5);
	tcase_add_loop_test(traps, gfxoff, 0, 2);
	tcase_add_loop_test(traps, simds, 0, 3);
	LOOP(traps, late_sample, late_cases);
	tcase_add_loop_test(traps, dies, 0, 8);
	tcase_add_loop_test(traps, aid, 0, 2);
	tcase_add_loop_test(traps, lone_end_of_pipe, 0, 4);
	LOOP(traps, packets, packet_cases);
	LOOP(traps, register_pairs, pairs_cases);
	tcase_add_loop_test(traps, counter_window, 0, 2);
	tcase_add_loop_test(traps, absent_instances, 0, 16);
	suite_add_tcase(suite, kernel);
	suite_add_tcase(suite, counters);
	suite_add_tcase(suite, traps);
	return suite;
}

static const char *const options[] = {
	"--time",	"virtual",	   "--gpu=navi21",  "--gpu=mi200",
	"--gpu=navi31", "--gpu=polaris10", "--gpu=mi100",   "--gpu=navi10",
	"--gpu=mi300",	"--gpu=navi48",	   "--gpu=bonaire", NULL
};

static const struct machine machines[] = {
	{ options, "drmsim_amdgpu_gpus" },
};

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	return suite_run(gpus_suite());
}
