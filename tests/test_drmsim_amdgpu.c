/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated Vega 10 against command buffers written by hand, through
 * libdrm_amdgpu as other programs use it. Nothing of libdrmperf takes part:
 * what is expected follows from utils/drmsim/README.md. Runs itself below
 * drmsim, in virtual time.
 */
#include "drmsim/control.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define NODE "/dev/dri/renderD128"
#define MS 1000000u
#define SECOND 1000000000u

/* Byte addresses of registers. */
#define GRBM_GFX_INDEX 0x30800u
#define CP_PERFMON_CNTL 0x36020u
#define SQ_PERFCOUNTER_CTRL 0x36780u
#define SQ_PERFCOUNTER_MASK 0x36784u
#define SQ_PERFCOUNTER_CTRL2 0x36788u
#define RLC_PERFMON_CLK_CNTL 0x372fcu
#define RLC_PERFMON_CNTL 0x37300u
#define COMPUTE_PERFCOUNT_ENABLE 0xb82cu
#define COMPUTE_NUM_THREAD_X 0xb81cu

#define BROADCAST 0xe0000000u
#define SQ_MASKS 0x0f0ff000u

/* ---- a machine of one context, one command buffer, one result buffer */

#define RESULTS 1024 /* dwords */

struct gpu {
	int fd;
	amdgpu_device_handle device;
	amdgpu_context_handle context;
	amdgpu_bo_handle ib_bo, result_bo;
	amdgpu_va_handle ib_va, result_va;
	uint64_t ib_address, result_address;
	uint32_t *ib;
	volatile uint32_t *results;
	unsigned count;	  /* dwords in ib */
	unsigned ip;	  /* AMDGPU_HW_IP_... */
	bool forget_result; /* leave the result buffer out of the list */
};

static void
make_buffer(struct gpu *gpu, uint64_t size, amdgpu_bo_handle *bo,
	    amdgpu_va_handle *va, uint64_t *address, void **memory)
{
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = size,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};

	ck_assert_int_eq(amdgpu_bo_alloc(gpu->device, &request, bo), 0);
	ck_assert_int_eq(amdgpu_va_range_alloc(gpu->device,
					       amdgpu_gpu_va_range_general,
					       size, 4096, 0, address, va, 0),
			 0);
	ck_assert_int_eq(amdgpu_bo_va_op(*bo, 0, size, *address, 0,
					 AMDGPU_VA_OP_MAP),
			 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(*bo, memory), 0);
}

static void
open_gpu(struct gpu *gpu, unsigned ip)
{
	uint32_t major, minor;
	void *memory;

	memset(gpu, 0, sizeof(*gpu));
	gpu->ip = ip;
	gpu->fd = open(NODE, O_RDWR | O_CLOEXEC);
	ck_assert_msg(gpu->fd >= 0, "%s: %s", NODE, strerror(errno));
	ck_assert_int_eq(amdgpu_device_initialize(gpu->fd, &major, &minor,
						  &gpu->device),
			 0);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(gpu->device,
					       AMDGPU_CTX_PRIORITY_NORMAL,
					       &gpu->context),
			 0);
	make_buffer(gpu, 65536, &gpu->ib_bo, &gpu->ib_va, &gpu->ib_address,
		    &memory);
	gpu->ib = memory;
	make_buffer(gpu, RESULTS * 4, &gpu->result_bo, &gpu->result_va,
		    &gpu->result_address, &memory);
	gpu->results = memory;
}

static void
close_gpu(struct gpu *gpu)
{
	amdgpu_bo_cpu_unmap(gpu->ib_bo);
	amdgpu_bo_cpu_unmap(gpu->result_bo);
	amdgpu_bo_va_op(gpu->ib_bo, 0, 65536, gpu->ib_address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_bo_va_op(gpu->result_bo, 0, RESULTS * 4, gpu->result_address, 0,
			AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(gpu->ib_va);
	amdgpu_va_range_free(gpu->result_va);
	amdgpu_bo_free(gpu->ib_bo);
	amdgpu_bo_free(gpu->result_bo);
	amdgpu_cs_ctx_free(gpu->context);
	amdgpu_device_deinitialize(gpu->device);
	close(gpu->fd);
}

static int
submit(struct gpu *gpu, uint64_t *sequence)
{
	amdgpu_bo_handle bos[] = { gpu->ib_bo, gpu->result_bo };
	struct amdgpu_cs_ib_info ib = { .ib_mc_address = gpu->ib_address };
	struct amdgpu_cs_request request = {
		.ip_type = gpu->ip,
		.number_of_ibs = 1,
		.ibs = &ib,
	};
	int error;

	do
		gpu->ib[gpu->count++] = 0xffff1000;
	while (gpu->count % 8);
	ib.size = gpu->count;
	gpu->count = 0;
	error = amdgpu_bo_list_create(gpu->device, gpu->forget_result ? 1 : 2,
				      bos, NULL, &request.resources);
	if (error)
		return error;
	error = amdgpu_cs_submit(gpu->context, 0, &request, 1);
	amdgpu_bo_list_destroy(request.resources);
	*sequence = request.seq_no;
	return error;
}

static int
wait_for(struct gpu *gpu, uint64_t sequence, uint64_t ns, uint32_t *expired)
{
	struct amdgpu_cs_fence fence = {
		.context = gpu->context,
		.ip_type = gpu->ip,
		.fence = sequence,
	};

	return amdgpu_cs_query_fence_status(&fence, ns, 0, expired);
}

static void
run(struct gpu *gpu)
{
	uint64_t sequence;
	uint32_t expired = 0;

	ck_assert_int_eq(submit(gpu, &sequence), 0);
	ck_assert_int_eq(wait_for(gpu, sequence, SECOND, &expired), 0);
	ck_assert_int_eq(expired, 1);
}

/* ---- packets */

static void
emit(struct gpu *gpu, uint32_t dword)
{
	gpu->ib[gpu->count++] = dword;
}

static void
packet(struct gpu *gpu, uint32_t opcode, uint32_t dwords)
{
	emit(gpu, 3u << 30 | (dwords - 1) << 16 | opcode << 8);
}

static void
set_uconfig(struct gpu *gpu, uint32_t reg, uint32_t value)
{
	packet(gpu, 0x79, 2);
	emit(gpu, (reg - 0x30000) / 4);
	emit(gpu, value);
}

static void
set_sh(struct gpu *gpu, uint32_t reg, uint32_t value)
{
	packet(gpu, 0x76, 2);
	emit(gpu, (reg - 0xb000) / 4);
	emit(gpu, value);
}

/* An immediate to a register by COPY_DATA. */
static void
copy_to_register(struct gpu *gpu, uint32_t reg, uint32_t value)
{
	packet(gpu, 0x40, 5);
	emit(gpu, 5 | 4 << 8 | 1 << 20);
	emit(gpu, value);
	emit(gpu, 0);
	emit(gpu, reg / 4);
	emit(gpu, 0);
}

/* A register to a dword of the results. */
static void
copy_to_result(struct gpu *gpu, uint32_t reg, unsigned index)
{
	uint64_t to = gpu->result_address + 4 * index;

	packet(gpu, 0x40, 5);
	emit(gpu, 4 | 5 << 8 | 1 << 20);
	emit(gpu, reg / 4);
	emit(gpu, 0);
	emit(gpu, (uint32_t)to);
	emit(gpu, (uint32_t)(to >> 32));
}

static void
event(struct gpu *gpu, uint32_t type)
{
	packet(gpu, 0x46, 1);
	emit(gpu, type);
}

static void
prepare(struct gpu *gpu)
{
	set_uconfig(gpu, RLC_PERFMON_CLK_CNTL, 1);
	set_uconfig(gpu, GRBM_GFX_INDEX, BROADCAST);
	set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	set_uconfig(gpu, SQ_PERFCOUNTER_CTRL, 0x7f);
	set_uconfig(gpu, SQ_PERFCOUNTER_MASK, 0xffffffff);
	set_uconfig(gpu, SQ_PERFCOUNTER_CTRL2, 1);
}

/* Leave the hardware as a good program does. */
static void
leave(struct gpu *gpu)
{
	set_uconfig(gpu, GRBM_GFX_INDEX, BROADCAST);
	set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	set_uconfig(gpu, RLC_PERFMON_CNTL, 0);
	set_uconfig(gpu, SQ_PERFCOUNTER_CTRL2, 0);
	set_uconfig(gpu, RLC_PERFMON_CLK_CNTL, 0);
	run(gpu);
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

/* Lines of the report: "violation" or "cleanup", of a kind. */
static uint64_t
notes(const char *what, const char *kind)
{
	static char report[1 << 16];
	char pattern[64], *save = NULL;
	uint64_t count = 0;

	ck_assert_int_eq(drmsim_command("report", report, sizeof(report)), 0);
	snprintf(pattern, sizeof(pattern), " kind=%s ", kind);
	for (char *line = strtok_r(report, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		count += strncmp(line, what, strlen(what)) == 0 &&
			 strstr(line, pattern) != NULL;
	return count;
}

/* What the README publishes: events a second, of which a millisecond has. */
static uint64_t
in_a_millisecond(unsigned block, unsigned id, unsigned instance)
{
	return 1 + instance + 256ull * id + 262144ull * block;
}

static uint64_t
result64(const struct gpu *gpu, unsigned index)
{
	return gpu->results[index] | (uint64_t)gpu->results[index + 1] << 32;
}

/* ---- counters that follow CP_PERFMON_CNTL */

struct counter_case {
	const char *name;
	unsigned block;
	uint32_t select, lo, hi;
	uint32_t select_or;
	uint32_t id;
	uint32_t index; /* GRBM_GFX_INDEX to read one instance */
	unsigned instance;
};

static const struct counter_case counter_cases[] = {
	{ "CPC 0", 23, 0x36024, 0x34018, 0x3401c, 0, 5, BROADCAST, 0 },
	{ "CPC 1", 23, 0x3600c, 0x34010, 0x34014, 0, 6, BROADCAST, 0 },
	{ "GRBM", 17, 0x36104, 0x3410c, 0x34110, 0, 20, BROADCAST, 0 },
	{ "GRBMSE of SE 2", 18, 0x36110, 0x34124, 0x34128, 0, 3, BROADCAST,
	  2 },
	{ "SQ of SE 0", 6, 0x36700, 0x34700, 0x34704, SQ_MASKS, 26, 0x60000000,
	  0 },
	{ "SQ of SE 3", 6, 0x3671c, 0x34738, 0x3473c, SQ_MASKS, 27, 0x60030000,
	  3 },
	{ "SPI, high half below", 5, 0x36604, 0x3460c, 0x34608, 0, 13,
	  0x60010000, 1 },
	{ "TA of CU 7 in SE 1", 8, 0x36b00, 0x34b00, 0x34b04, 0, 15, 0x00010007,
	  23 },
	{ "TCP of CU 15 in SE 3", 10, 0x36d14, 0x34d18, 0x34d1c, 0, 60,
	  0x0003000f, 63 },
	{ "CB 3 of SE 2", 14, 0x37014, 0x35030, 0x35034, 0, 300, 0x00020003,
	  11 },
	{ "TCC 9", 11, 0x36e10, 0x34e10, 0x34e14, 0, 200, 0xa0000009, 9 },
	{ "PA_SU of SE 1", 3, 0x36408, 0x34408, 0x3440c, 0, 100, 0x60010000,
	  1 },
};

static void
count_one_millisecond(struct gpu *gpu, const struct counter_case *c)
{
	prepare(gpu);
	set_uconfig(gpu, c->select, c->id | c->select_or);
	set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	run(gpu);
	advance(MS);
	set_uconfig(gpu, CP_PERFMON_CNTL, 0x402);
	set_uconfig(gpu, GRBM_GFX_INDEX, c->index);
	copy_to_result(gpu, c->lo, 0);
	copy_to_result(gpu, c->hi, 1);
	set_uconfig(gpu, GRBM_GFX_INDEX, BROADCAST);
	run(gpu);
}

START_TEST(one_millisecond)
{
	const struct counter_case *c = &counter_cases[_i];
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	count_one_millisecond(&gpu, c);
	ck_assert_msg(result64(&gpu, 0) ==
			      in_a_millisecond(c->block, c->id, c->instance),
		      "%s: %llu", c->name,
		      (unsigned long long)result64(&gpu, 0));
	/* held: time goes on, the value does not */
	advance(MS);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x402);
	set_uconfig(&gpu, GRBM_GFX_INDEX, c->index);
	copy_to_result(&gpu, c->lo, 0);
	set_uconfig(&gpu, GRBM_GFX_INDEX, BROADCAST);
	run(&gpu);
	ck_assert_uint_eq(gpu.results[0],
			  in_a_millisecond(c->block, c->id, c->instance));
	leave(&gpu);
	close_gpu(&gpu);
	ck_assert_uint_eq(notes("violation", "broadcast-read"), 0);
}
END_TEST

/* Style cfg: a switch of its own, registers anywhere, and no latch. */
static const struct counter_case cfg_cases[] = {
	{ "ATC 2", 26, 0x3100, 0x310c, 0x3110, 0x3108, 3, BROADCAST, 0 },
	{ "ATCL2 1", 27, 0x37504, 0x35400, 0x35404, 0x37508, 3, BROADCAST, 0 },
	{ "EA 1 of interface 6", 29, 0xabe8, 0xabdc, 0xabe0, 0xabec, 55,
	  0xa0000006, 6 },
};

START_TEST(cfg_style)
{
	const struct counter_case *c = &cfg_cases[_i];
	uint32_t control = c->select_or;
	uint32_t number = strcmp(c->name, "ATC 2") == 0 ? 2 : 1;
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	copy_to_register(&gpu, c->select, c->id | 1u << 28 | 1u << 29);
	copy_to_register(&gpu, control, 1u << 24);
	run(&gpu);
	advance(MS);
	copy_to_register(&gpu, control, number);
	set_uconfig(&gpu, GRBM_GFX_INDEX, c->index);
	copy_to_result(&gpu, c->lo, 0);
	copy_to_result(&gpu, c->hi, 1);
	set_uconfig(&gpu, GRBM_GFX_INDEX, BROADCAST);
	run(&gpu);
	ck_assert_msg(gpu.results[0] ==
			      in_a_millisecond(c->block, c->id, c->instance),
		      "%s: %u", c->name, gpu.results[0]);
	/* above the 48 bits stands something else */
	ck_assert_uint_eq(gpu.results[1] & 0xffff, 0);
	ck_assert_uint_ne(gpu.results[1], 0);
	copy_to_register(&gpu, control, 0);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* Splitting an interval loses nothing, whatever the rate. */
START_TEST(fractions_add_up)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	set("rate", "SQ.26 0.333333");
	prepare(&gpu);
	set_uconfig(&gpu, 0x36700, 26 | SQ_MASKS);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	run(&gpu);
	for (unsigned i = 0; i < 300; i++) {
		advance(100 * MS);
		/* each look counts up to now */
		set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
		run(&gpu);
	}
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	set_uconfig(&gpu, GRBM_GFX_INDEX, 0x60000000);
	copy_to_result(&gpu, 0x34700, 0);
	set_uconfig(&gpu, GRBM_GFX_INDEX, BROADCAST);
	run(&gpu);
	/* 30 s of 0.333333 are 9.99999 */
	ck_assert_uint_eq(gpu.results[0], 9);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* ---- what makes counters stand still */

struct still_case {
	const char *name;
	uint32_t reg, value; /* written instead of what prepare() wrote */
	uint32_t select;
};

static const struct still_case still_cases[] = {
	{ "gated clock", RLC_PERFMON_CLK_CNTL, 0, 26 | SQ_MASKS },
	{ "no stage", SQ_PERFCOUNTER_CTRL, 0, 26 | SQ_MASKS },
	{ "no array", SQ_PERFCOUNTER_MASK, 0, 26 | SQ_MASKS },
	{ "no bank", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x0f0f0000 },
	{ "no SIMD", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x000ff000 },
	{ "no client", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x0f00f000 },
	{ "NONE", SQ_PERFCOUNTER_CTRL, 0x7f, SQ_MASKS },
	{ "fault", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | SQ_MASKS },
};

START_TEST(stands_still)
{
	const struct still_case *c = &still_cases[_i];
	struct gpu gpu;

	if (strcmp(c->name, "fault") == 0)
		ck_assert_int_eq(drmsim_fault("gated-clock"), 0);
	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, c->reg, c->value);
	set_uconfig(&gpu, 0x36700, c->select);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	run(&gpu);
	advance(MS);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x402);
	set_uconfig(&gpu, GRBM_GFX_INDEX, 0x60000000);
	copy_to_result(&gpu, 0x34700, 0);
	set_uconfig(&gpu, GRBM_GFX_INDEX, BROADCAST);
	gpu.results[0] = 77;
	run(&gpu);
	ck_assert_msg(gpu.results[0] == 0, "%s: %u", c->name, gpu.results[0]);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* Without a sample the latch has what it had. */
START_TEST(latch_is_stale)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, 0x36104, 20);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	run(&gpu);
	advance(MS);
	copy_to_result(&gpu, 0x3410c, 0);
	run(&gpu);
	ck_assert_uint_eq(gpu.results[0], 0);
	ck_assert_uint_ne(notes("violation", "unlatched-read"), 0);
	event(&gpu, 27);
	copy_to_result(&gpu, 0x3410c, 0);
	run(&gpu);
	ck_assert_uint_eq(gpu.results[0], in_a_millisecond(17, 20, 0));
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

START_TEST(broadcast_read)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, 0x36e00, 3);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	copy_to_result(&gpu, 0x34e00, 0);
	run(&gpu);
	ck_assert_uint_eq(notes("violation", "broadcast-read"), 1);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

START_TEST(index_left)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, GRBM_GFX_INDEX, 0xa0000003);
	run(&gpu);
	ck_assert_uint_eq(notes("violation", "grbm-index"), 1);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* Who leaves without stopping is told of it. */
START_TEST(left_running)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, 0x36104, 20);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	run(&gpu);
	close_gpu(&gpu);
	ck_assert_uint_eq(notes("violation", "counters-running"), 1);
	ck_assert_uint_eq(notes("violation", "clock-bit"), 1);
	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* ---- wraps */

struct wrap_case {
	const char *name, *start;
	uint32_t select, lo, hi, index;
	uint64_t mask;
	unsigned block;
	uint64_t value;
};

static const struct wrap_case wrap_cases[] = {
	{ "64 bits", "TCC 0xffffffffffffffff", 0x36e00, 0x34e00, 0x34e04,
	  0xa0000000, UINT64_MAX, 11, UINT64_MAX },
	{ "48 bits", "PA_SU 0xfffffffffff0", 0x36400, 0x34400, 0x34404,
	  0x60000000, (1ull << 48) - 1, 3, 0xfffffffffff0 },
	{ "through 32 bits", "TCC 0xfffffff0", 0x36e00, 0x34e00, 0x34e04,
	  0xa0000000, UINT64_MAX, 11, 0xfffffff0 },
};

START_TEST(wraps)
{
	const struct wrap_case *c = &wrap_cases[_i];
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	set("start-value", c->start);
	prepare(&gpu);
	set_uconfig(&gpu, c->select, 7);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	run(&gpu);
	advance(MS);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	set_uconfig(&gpu, GRBM_GFX_INDEX, c->index);
	copy_to_result(&gpu, c->lo, 0);
	copy_to_result(&gpu, c->hi, 1);
	set_uconfig(&gpu, GRBM_GFX_INDEX, BROADCAST);
	run(&gpu);
	ck_assert_msg(result64(&gpu, 0) ==
			      ((c->value + in_a_millisecond(c->block, 7, 0)) &
			       c->mask),
		      "%s: %llx", c->name,
		      (unsigned long long)result64(&gpu, 0));
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* ---- work */

/* Groups of 100 threads: two waves each, dealt out to four SEs. */
static void
dispatch(struct gpu *gpu, uint32_t groups)
{
	set_sh(gpu, COMPUTE_NUM_THREAD_X, 100);
	set_sh(gpu, COMPUTE_NUM_THREAD_X + 4, 1);
	set_sh(gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	packet(gpu, 0x15, 4);
	emit(gpu, groups);
	emit(gpu, 1);
	emit(gpu, 1);
	emit(gpu, 1);
	packet(gpu, 0x46, 1);
	emit(gpu, 7 | 4 << 8);
}

static void
read_waves(struct gpu *gpu)
{
	set_uconfig(gpu, CP_PERFMON_CNTL, 0x402);
	for (unsigned se = 0; se < 4; se++) {
		set_uconfig(gpu, GRBM_GFX_INDEX, 0x60000000 | se << 16);
		copy_to_result(gpu, 0x34700, se);
	}
	set_uconfig(gpu, GRBM_GFX_INDEX, BROADCAST);
}

START_TEST(waves)
{
	static const struct {
		uint32_t enable, force;
		uint32_t expected[4];
	} cases[] = {
		{ 1, 0, { 6, 6, 5, 5 } },
		{ 0, 1, { 6, 6, 5, 5 } },
		{ 0, 0, { 0, 0, 0, 0 } },
	};
	struct gpu gpu;
	uint64_t before, after;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	set("default", "zero");
	prepare(&gpu);
	set_uconfig(&gpu, SQ_PERFCOUNTER_CTRL2, cases[_i].force);
	set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, cases[_i].enable);
	set_uconfig(&gpu, 0x36700, 4 | SQ_MASKS);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	dispatch(&gpu, 11);
	read_waves(&gpu);
	set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	ck_assert_int_eq(drmsim_now(&before), 0);
	run(&gpu);
	ck_assert_int_eq(drmsim_now(&after), 0);
	/* 22 waves: six for the first two engines, five for the others */
	for (unsigned se = 0; se < 4; se++)
		ck_assert_uint_eq(gpu.results[se], cases[_i].expected[se]);
	/* and the work took the time of one round of waves */
	ck_assert_uint_eq(after - before, 10000);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* ---- rubbish */

struct bad_case {
	const char *name;
	unsigned ip;
	uint32_t dwords[6];
	unsigned count;
};

static const struct bad_case bad_cases[] = {
	{ "unknown packet", 1, { 0xc000ee00, 0 }, 2 },
	{ "type 0", 0, { 0x00000100, 0 }, 2 },
	{ "type 1", 0, { 0x40000000, 0 }, 2 },
	{ "cut off", 1, { 0xc0807900, 0x200, BROADCAST }, 3 },
	{ "outside of UCONFIG", 1, { 0xc0017900, 0x3fff + 1, 0 }, 3 },
	{ "CAM reset on compute", 1, { 0xc0017904, 0x200, BROADCAST }, 3 },
	{ "PFP_SYNC_ME on compute", 1, { 0xc0004200, 0 }, 2 },
	{ "REG_RMW on compute", 1, { 0xc0022100, 0xc200, 0, 0 }, 4 },
	{ "no memory there", 1,
	  { 0xc0044000, 0x00100505, 0, 0, 0x1000, 0x7fff }, 6 },
	{ "no memory there", 0,
	  { 0xc0044000, 0x00100505, 0, 0, 0x1000, 0x7fff }, 6 },
};

START_TEST(bad_packet_hangs)
{
	const struct bad_case *c = &bad_cases[_i];
	struct gpu gpu;
	uint64_t sequence, flags = 0;
	uint32_t expired = 0;
	int error;

	open_gpu(&gpu, c->ip);
	for (unsigned i = 0; i < c->count; i++)
		emit(&gpu, c->dwords[i]);
	/* what is cut off has to be at the end */
	ck_assert_int_eq(submit(&gpu, &sequence), 0);
	error = wait_for(&gpu, sequence, 1000, &expired);
	ck_assert_int_eq(error, 0);
	ck_assert_msg(!expired, "%s: passed", c->name);
	error = wait_for(&gpu, sequence, AMDGPU_TIMEOUT_INFINITE, &expired);
	ck_assert_msg(error == -ECANCELED, "%s: %d", c->name, error);
	ck_assert_int_eq(amdgpu_cs_query_reset_state2(gpu.context, &flags), 0);
	ck_assert_uint_ne(flags & AMDGPU_CTX_QUERY2_FLAGS_RESET, 0);
	ck_assert_uint_ne(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY, 0);
	/* the context is of no use any more, a new one is */
	ck_assert_int_eq(submit(&gpu, &sequence), -ECANCELED);
	amdgpu_cs_ctx_free(gpu.context);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(gpu.device, 0, &gpu.context),
			 0);
	leave(&gpu);
	close_gpu(&gpu);
}
END_TEST

/* A wait for what never comes ends, too. */
START_TEST(endless_wait)
{
	struct gpu gpu;
	uint64_t sequence;
	uint32_t expired = 0;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	packet(&gpu, 0x3c, 6);
	emit(&gpu, 3 | 1 << 4);
	emit(&gpu, (uint32_t)gpu.result_address);
	emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	emit(&gpu, 1);
	emit(&gpu, 0xffffffff);
	emit(&gpu, 4);
	ck_assert_int_eq(submit(&gpu, &sequence), 0);
	ck_assert_int_eq(wait_for(&gpu, sequence, AMDGPU_TIMEOUT_INFINITE,
				  &expired),
			 -ECANCELED);
	close_gpu(&gpu);
}
END_TEST

/* The processor sees what a process writes while it waits. */
START_TEST(wait_for_memory)
{
	struct gpu gpu;
	uint64_t sequence;
	uint32_t expired = 0;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	packet(&gpu, 0x3c, 6);
	emit(&gpu, 3 | 1 << 4);
	emit(&gpu, (uint32_t)gpu.result_address);
	emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	emit(&gpu, 5);
	emit(&gpu, 0xff);
	emit(&gpu, 4);
	ck_assert_int_eq(submit(&gpu, &sequence), 0);
	ck_assert_int_eq(wait_for(&gpu, sequence, 0, &expired), 0);
	ck_assert_int_eq(expired, 0);
	gpu.results[0] = 0x105;
	ck_assert_int_eq(wait_for(&gpu, sequence, AMDGPU_TIMEOUT_INFINITE,
				  &expired),
			 0);
	ck_assert_int_eq(expired, 1);
	close_gpu(&gpu);
}
END_TEST

/* What the end of its own work writes is waited for in simulated time. */
START_TEST(wait_for_own_end)
{
	struct gpu gpu;
	uint64_t before, after;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	set_sh(&gpu, COMPUTE_NUM_THREAD_X, 64);
	set_sh(&gpu, COMPUTE_NUM_THREAD_X + 4, 1);
	set_sh(&gpu, COMPUTE_NUM_THREAD_X + 8, 1);
	packet(&gpu, 0x15, 4);
	emit(&gpu, 1);
	emit(&gpu, 1);
	emit(&gpu, 1);
	emit(&gpu, 1);
	packet(&gpu, 0x49, 7);
	emit(&gpu, 40 | 5 << 8);
	emit(&gpu, 1u << 29);
	emit(&gpu, (uint32_t)gpu.result_address);
	emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	emit(&gpu, 4711);
	emit(&gpu, 0);
	emit(&gpu, 0);
	packet(&gpu, 0x3c, 6);
	emit(&gpu, 3 | 1 << 4);
	emit(&gpu, (uint32_t)gpu.result_address);
	emit(&gpu, (uint32_t)(gpu.result_address >> 32));
	emit(&gpu, 4711);
	emit(&gpu, 0xffffffff);
	emit(&gpu, 4);
	ck_assert_int_eq(drmsim_now(&before), 0);
	run(&gpu);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_eq(gpu.results[0], 4711);
	ck_assert_uint_eq(after - before, 10000);
	close_gpu(&gpu);
}
END_TEST

START_TEST(buffer_not_listed)
{
	struct gpu gpu;
	uint64_t sequence;
	uint32_t expired = 0;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	gpu.forget_result = true;
	copy_to_result(&gpu, 0x8010, 0);
	ck_assert_int_eq(submit(&gpu, &sequence), 0);
	ck_assert_int_eq(wait_for(&gpu, sequence, AMDGPU_TIMEOUT_INFINITE,
				  &expired),
			 -ECANCELED);
	close_gpu(&gpu);
}
END_TEST

/* ---- the kernel's rules */

START_TEST(refused_submissions)
{
	struct gpu gpu;
	uint64_t sequence;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	gpu.ip = AMDGPU_HW_IP_UVD;
	ck_assert_int_eq(submit(&gpu, &sequence), -EINVAL);
	gpu.ip = 77;
	ck_assert_int_eq(submit(&gpu, &sequence), -EINVAL);
	gpu.ip = AMDGPU_HW_IP_COMPUTE;
	ck_assert_int_eq(drmsim_fault("cs:1:ENOMEM"), 0);
	ck_assert_int_eq(submit(&gpu, &sequence), -ENOMEM);
	run(&gpu);
	close_gpu(&gpu);
}
END_TEST

START_TEST(registers_by_ioctl)
{
	struct gpu gpu;
	uint32_t value;
	unsigned busy = 0;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	set("busy", "gui 37.5");
	for (unsigned i = 0; i < 80; i++) {
		ck_assert_int_eq(amdgpu_read_mm_registers(gpu.device, 0x2004, 1,
							  0xffffffff, 0,
							  &value),
				 0);
		busy += value >> 31;
	}
	ck_assert_uint_eq(busy, 30);
	/* counters are not given away, nor engines that are not there */
	ck_assert_int_eq(amdgpu_read_mm_registers(gpu.device, 0x34700 / 4, 1,
						  0xffffffff, 0, &value),
			 -EFAULT);
	ck_assert_int_eq(amdgpu_read_mm_registers(gpu.device, 0x2004, 1,
						  0xff09, 0, &value),
			 -EINVAL);
	close_gpu(&gpu);
}
END_TEST

START_TEST(stable_pstate)
{
	struct gpu first, second;
	uint32_t flags = 77;

	open_gpu(&first, AMDGPU_HW_IP_COMPUTE);
	open_gpu(&second, AMDGPU_HW_IP_COMPUTE);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 first.context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_PEAK, NULL),
			 0);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 second.context,
				 AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_STANDARD, NULL),
			 -EBUSY);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 second.context,
				 AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &flags),
			 0);
	ck_assert_uint_eq(flags, AMDGPU_CTX_STABLE_PSTATE_PEAK);
	ck_assert_uint_eq(notes("violation", "pstate"), 0);
	amdgpu_cs_ctx_free(first.context);
	ck_assert_uint_eq(notes("violation", "pstate"), 1);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 second.context,
				 AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &flags),
			 0);
	ck_assert_uint_eq(flags, AMDGPU_CTX_STABLE_PSTATE_NONE);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(first.device, 0, &first.context),
			 0);
	close_gpu(&first);
	close_gpu(&second);
}
END_TEST

/* ---- open files */

static void
hold_until_killed(int go)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	ck_assert_int_eq(flock(gpu.fd, LOCK_EX | LOCK_NB), 0);
	amdgpu_cs_ctx_stable_pstate(gpu.context,
				    AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				    AMDGPU_CTX_STABLE_PSTATE_PEAK, NULL);
	ck_assert_int_eq(write(go, "", 1), 1);
	for (;;)
		pause();
}

/* Lock and power state go with a process that is killed. */
START_TEST(killed_process)
{
	uint32_t flags = 0;
	struct gpu gpu;
	int pipes[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(pipes), 0);
	pid = fork();
	if (pid == 0)
		hold_until_killed(pipes[1]);
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	ck_assert_int_eq(flock(gpu.fd, LOCK_EX | LOCK_NB), -1);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 gpu.context, AMDGPU_CTX_OP_GET_STABLE_PSTATE,
				 0, &flags),
			 0);
	ck_assert_uint_eq(flags, AMDGPU_CTX_STABLE_PSTATE_PEAK);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_uint_eq(notes("cleanup", "pstate"), 1);
	ck_assert_uint_eq(notes("violation", "pstate"), 0);
	ck_assert_int_eq(flock(gpu.fd, LOCK_EX | LOCK_NB), 0);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 gpu.context, AMDGPU_CTX_OP_GET_STABLE_PSTATE,
				 0, &flags),
			 0);
	ck_assert_uint_eq(flags, AMDGPU_CTX_STABLE_PSTATE_NONE);
	close_gpu(&gpu);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

/* EA: with a switch of its own, which CP_PERFMON_CNTL does not touch. */
#define EA_CONFIG 0xabe8
#define EA_CONTROL 0xabec

static void
run_ea_counter(struct gpu *gpu)
{
	prepare(gpu);
	copy_to_register(gpu, EA_CONFIG, 55 | 1u << 28 | 1u << 29);
	copy_to_register(gpu, EA_CONTROL, 1u << 24);
	run(gpu);
}

static void
count_until_killed(int go)
{
	struct gpu gpu;

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	run_ea_counter(&gpu);
	ck_assert_int_eq(write(go, "", 1), 1);
	for (;;)
		pause();
}

/* A process that was killed left this; who counts after it is not blamed. */
START_TEST(left_by_another)
{
	struct gpu gpu;
	int pipes[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(pipes), 0);
	pid = fork();
	if (pid == 0)
		count_until_killed(pipes[1]);
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_uint_eq(notes("cleanup", "counters"), 1);
	ck_assert_uint_eq(notes("cleanup", "clock-bit"), 1);

	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	prepare(&gpu);
	set_uconfig(&gpu, 0x36104, 20);
	set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	run(&gpu);
	leave(&gpu);
	close_gpu(&gpu);
	ck_assert_uint_eq(notes("violation", "counters-running"), 0);
	ck_assert_uint_eq(notes("violation", "clock-bit"), 0);

	/* but who runs it again must stop it */
	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	run_ea_counter(&gpu);
	leave(&gpu);
	close_gpu(&gpu);
	ck_assert_uint_eq(notes("violation", "counters-running"), 1);
	open_gpu(&gpu, AMDGPU_HW_IP_COMPUTE);
	copy_to_register(&gpu, EA_CONTROL, 0);
	run(&gpu);
	leave(&gpu);
	close_gpu(&gpu);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

static void
open_and_close_for_ever(void)
{
	for (;;)
		close(open(NODE, O_RDWR));
}

/* The news of others' closings come in between. */
START_TEST(killed_among_others)
{
	pid_t other = fork();
	int pipes[2];
	char byte;

	if (other == 0)
		open_and_close_for_ever();
	ck_assert_int_eq(pipe(pipes), 0);
	for (unsigned i = 1; i <= 30; i++) {
		pid_t pid = fork();

		if (pid == 0)
			hold_until_killed(pipes[1]);
		ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		ck_assert_uint_eq(notes("violation", "pstate"), 0);
	}
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

static bool
answers(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool good = version && strcmp(version->name, "amdgpu") == 0;

	drmFreeVersion(version);
	return good;
}

/* A duplicate is the same open file; so is what a child inherits. */
START_TEST(inherited_files)
{
	int fd = open(NODE, O_RDWR), copy = dup(fd), status;
	struct drm_version version = { 0 };
	struct stat node;
	pid_t pid;

	ck_assert_int_eq(fstat(fd, &node), 0);
	ck_assert(S_ISCHR(node.st_mode));
	ck_assert_uint_eq(major(node.st_rdev), 226);
	ck_assert_uint_eq(minor(node.st_rdev), 128);
	close(fd);
	pid = fork();
	if (pid == 0)
		_exit(answers(copy) ? 0 : 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert(answers(copy));
	close(copy);
	ck_assert_int_eq(ioctl(copy, DRM_IOCTL_VERSION, &version), -1);
	ck_assert_int_eq(errno, EBADF);
}
END_TEST

static volatile sig_atomic_t alarms;

static void
count_alarm(int number)
{
	(void)number;
	alarms++;
}

/* A sleeping call ends with a signal, as its handler asks for. */
START_TEST(interrupted_wait)
{
	struct sigaction action = { .sa_handler = count_alarm };
	struct drm_syncobj_create create = { 0 };
	struct drm_syncobj_wait wait = {
		.count_handles = 1,
		.timeout_nsec = INT64_MAX,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};
	int fd = open(NODE, O_RDWR);

	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
	wait.handles = (uintptr_t)&create.handle;
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq((int)ualarm(50000, 0), 0);
	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), -1);
	ck_assert_int_eq(errno, EINTR);
	ck_assert_int_eq(alarms, 1);
	/* and the connection is as good as before */
	ck_assert(answers(fd));
	close(fd);
}
END_TEST

START_TEST(bad_pointer)
{
	int fd = open(NODE, O_RDWR);

	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_VERSION, (void *)16), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(ioctl(fd, DRM_IOWR(0x3f, int), NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	close(fd);
}
END_TEST

/* ---- the suite */

/* Before each test: the report and the settings of the one before go. */
static void
forget(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
	drmsim_set("gated-clock", "off");
}

static Suite *
amdgpu_suite(void)
{
	Suite *suite = suite_create("drmsim_amdgpu");
	TCase *counters = tcase_create("counters");
	TCase *kernel = tcase_create("kernel");

	tcase_add_checked_fixture(counters, forget, NULL);
	tcase_add_checked_fixture(kernel, forget, NULL);

	tcase_add_loop_test(counters, one_millisecond, 0,
			    ARRAY_SIZE(counter_cases));
	tcase_add_loop_test(counters, cfg_style, 0, ARRAY_SIZE(cfg_cases));
	tcase_add_test(counters, fractions_add_up);
	tcase_add_loop_test(counters, stands_still, 0,
			    ARRAY_SIZE(still_cases));
	tcase_add_test(counters, latch_is_stale);
	tcase_add_test(counters, broadcast_read);
	tcase_add_test(counters, index_left);
	tcase_add_test(counters, left_running);
	tcase_add_loop_test(counters, wraps, 0, ARRAY_SIZE(wrap_cases));
	tcase_add_loop_test(counters, waves, 0, 3);
	tcase_add_loop_test(kernel, bad_packet_hangs, 0,
			    ARRAY_SIZE(bad_cases));
	tcase_add_test(kernel, endless_wait);
	tcase_add_test(kernel, wait_for_memory);
	tcase_add_test(kernel, wait_for_own_end);
	tcase_add_test(kernel, buffer_not_listed);
	tcase_add_test(kernel, refused_submissions);
	tcase_add_test(kernel, registers_by_ioctl);
	tcase_add_test(kernel, stable_pstate);
	tcase_add_test(kernel, killed_process);
	tcase_add_test(kernel, left_by_another);
	tcase_add_test(kernel, killed_among_others);
	tcase_add_test(kernel, inherited_files);
	tcase_add_test(kernel, interrupted_wait);
	tcase_add_test(kernel, bad_pointer);
	suite_add_tcase(suite, counters);
	suite_add_tcase(suite, kernel);
	return suite;
}

/* Begin again below the simulator. */
static int
run_simulated(char **argv)
{
	const char *build = getenv("BUILD_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/bin/drmsim", build ? build : "build");
	execl(path, path, "--time=virtual", "--gpu=vega10", "--", argv[0],
	      (char *)NULL);
	perror(path);
	return EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	SRunner *runner;
	Suite *suite;
	int failed;

	(void)argc;
	if (!drmsim_is_present())
		return run_simulated(argv);
	suite = amdgpu_suite();
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
