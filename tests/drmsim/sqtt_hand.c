/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/sqtt_hand.h"

#include <string.h>

#define ENGINE_INDEX 0x40000000u
#define POINTER_MASK 0x1fffffffu

const struct sqtt_generation sqtt_generations[SQTT_GENERATIONS] = {
	[SQTT_GFX103] = {
		.name = "gfx10.3",
		.gpu = NAVI21,
		.engines = 4,
		.family = SQTT_NIBBLES_GFX10,
		.version = 2,
		.is_config = true,
		.base = 0x8d00,
		.size = 0x8d04,
		.mask = 0x8d14,
		.token_mask = 0x8d18,
		.mode = 0x8d1c,
		.wptr = 0x8d10,
		.status = 0x8d20,
		.count = 0x8d24,
		.mask_value = 0x1fc00,
		.token_value = 0x3f1127,
		.mode_value = 0xa0422f41,
		.mode_off = 3,
		.done = 0xfff000,
		.busy = 1 << 25,
		.all_vmid_mode = 1 << 2,
		.clock_register = 0x37390,
		.waves_select = 0x36700,
		.waves_lo = 0x34700,
		.waves_value = 4 | SQ_MASKS,
	},
	[SQTT_GFX11] = {
		.name = "gfx11",
		.gpu = NAVI31,
		.engines = 6,
		.family = SQTT_NIBBLES_GFX11,
		.version = 3,
		.is_absolute = true,
		.base = 0x367a0,
		.size = 0x367a4,
		.mask = 0x367b4,
		.token_mask = 0x367b8,
		.mode = 0x367b0,
		.wptr = 0x367bc,
		.status = 0x367d0,
		.count = 0x367e8,
		.mask_value = 0x15400,
		.token_value = 0x3f1127,
		.mode_value = 0x80023d41,
		.mode_off = 3,
		.done = 0xfff000,
		.busy = 1 << 25,
		.all_vmid_mode = 1 << 2,
		.waves_select = 0x36740,
		.waves_lo = 0x34790,
		.waves_value = 20,
	},
	[SQTT_GFX12] = {
		.name = "gfx12",
		.gpu = NAVI48,
		.engines = 4,
		.family = SQTT_NIBBLES_GFX12,
		.version = 4,
		.base = 0x3679c,
		.base_high = 0x367a0,
		.size = 0x36798,
		.mask = 0x367b4,
		.token_mask = 0x367b8,
		.mode = 0x367b0,
		.wptr = 0x367bc,
		.status = 0x367d0,
		.count = 0x367e8,
		.mask_value = 0x15400,
		.token_value = 0x083f6127,
		.mode_value = 0x80405d41,
		.mode_off = 3,
		.done = 0xfff000,
		.busy = 1 << 25,
		.all_vmid_mode = 1 << 2,
		.waves_select = 0x36600,
		.waves_lo = 0x34604,
		.waves_value = 50,
	},
	[SQTT_GFX9] = {
		.name = "gfx9",
		.gpu = SQTT_VEGA10,
		.engines = 4,
		.family = SQTT_WORDS,
		.base = 0x30cc0,
		.base_high = 0x30cdc,
		.size = 0x30cc4,
		.mask = 0x30cc8,
		.token_mask = 0x30ccc,
		.reset = 0x30cd4,
		.mode = 0x30cd8,
		.wptr = 0x30ce4,
		.status = 0x30ce8,
		.count = 0x30cf0,
		.mask_value = 0xcf80,
		.token_value = 0xffbfff,
		.mode_value = 0x6249249,
		.mode_off = 3 << 21,
		.done = 0x3ff0000,
		.busy = 1 << 30,
		.all_vmid_mask = 1 << 12,
		.clock_register = 0x372fc,
		.waves_select = 0x36700,
		.waves_lo = 0x34700,
		.waves_value = 4 | SQ_MASKS,
	},
	[SQTT_GFX101] = {
		.name = "gfx10.1",
		.gpu = NAVI10,
		.engines = 2,
		.family = SQTT_NIBBLES_GFX10,
		.version = 1,
		.is_config = true,
		.base = 0x8d00,
		.size = 0x8d04,
		.mask = 0x8d14,
		.token_mask = 0x8d18,
		.mode = 0x8d1c,
		.wptr = 0x8d10,
		.status = 0x8d20,
		.count = 0x8d24,
		.mask_value = 0x1fc00,
		.token_value = 0x3f0927,
		.mode_value = 0x80022f41,
		.mode_off = 3,
		.done = 0xfff000,
		.busy = 1 << 25,
		.all_vmid_mode = 1 << 2,
		.clock_register = 0x37390,
		.waves_select = 0x36700,
		.waves_lo = 0x34700,
		.waves_value = 4 | SQ_MASKS,
	},
	[SQTT_GFX115] = {
		.name = "gfx11.5",
		.gpu = SQTT_STRIX,
		.engines = 1,
		.family = SQTT_NIBBLES_GFX11,
		.version = 3,
		.base = 0x367a0,
		.size = 0x367a4,
		.mask = 0x367b4,
		.token_mask = 0x367b8,
		.mode = 0x367b0,
		.wptr = 0x367bc,
		.status = 0x367d0,
		.count = 0x367e8,
		.mask_value = 0x15400,
		.token_value = 0x3f1127,
		.mode_value = 0x80023d41,
		.mode_off = 3,
		.done = 0xfff000,
		.busy = 1 << 25,
		.all_vmid_mode = 1 << 2,
		.waves_select = 0x36740,
		.waves_lo = 0x34790,
		.waves_value = 20,
	},
	[SQTT_MI200] = {
		.name = "gfx90a",
		.gpu = MI200,
		.engines = 8,
		.family = SQTT_WORDS,
		.base = 0x30cc0,
		.base_high = 0x30cdc,
		.size = 0x30cc4,
		.mask = 0x30cc8,
		.token_mask = 0x30ccc,
		.reset = 0x30cd4,
		.mode = 0x30cd8,
		.wptr = 0x30ce4,
		.status = 0x30ce8,
		.count = 0x30cf0,
		.mask_value = 0xcf80,
		.token_value = 0xffbfff,
		.mode_value = 0x6249249,
		.mode_off = 3 << 21,
		.done = 0x3ff0000,
		.busy = 1 << 30,
		.all_vmid_mask = 1 << 12,
		.clock_register = 0x372fc,
		.waves_select = 0x36700,
		.waves_lo = 0x34700,
		.waves_value = 4 | SQ_MASKS,
	},};

/* ---- set-up */

static void
make_traces_buffer(struct sqtt_trace *trace)
{
	const uint64_t bytes = (uint64_t)SQTT_SIZE * SQTT_ENGINES;
	struct amdgpu_bo_alloc_request request = {
		.alloc_size = bytes,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct hand_gpu *gpu = &trace->gpu;
	void *memory;

	ck_assert_int_eq(amdgpu_bo_alloc(gpu->device, &request, &trace->bo), 0);
	ck_assert_int_eq(amdgpu_va_range_alloc(gpu->device,
					       amdgpu_gpu_va_range_general,
					       bytes, 4096, 0, &trace->address,
					       &trace->va, 0),
			 0);
	ck_assert_int_eq(amdgpu_bo_va_op(trace->bo, 0, bytes, trace->address, 0,
					 AMDGPU_VA_OP_MAP),
			 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(trace->bo, &memory), 0);
	trace->memory = memory;
	memset(memory, 0xff, bytes);
}

/* Let the counter of waves run. */
static void
count_waves(struct sqtt_trace *trace)
{
	const struct sqtt_generation *g = trace->generation;
	struct hand_gpu *gpu = &trace->gpu;

	if (g->clock_register)
		hand_set_uconfig(gpu, g->clock_register, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	/* MI: of all VMIDs */
	hand_set_uconfig(gpu, SQ_CTRL, g->gpu == MI200 ? 0xffff007f : 0x7f);
	if (g->family == SQTT_WORDS)
		hand_set_uconfig(gpu, SQ_MASK, 0xffffffff);
	if (chip_has_sqg((enum gpu)g->gpu) || g->gpu == SQTT_STRIX)
		hand_set_uconfig(gpu, SQG_CTRL, 0x807f);
	hand_set_uconfig(gpu, g->waves_select, g->waves_value);
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 1);
	if (gpu->ip == GFX)
		hand_event(gpu, 23); /* PERFCOUNTER_START */
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_run(gpu);
}

void
sqtt_open(struct sqtt_trace *trace, const struct sqtt_generation *generation,
	  unsigned ip)
{
	memset(trace, 0, sizeof(*trace));
	trace->generation = generation;
	trace->size = SQTT_SIZE;
	trace->mask = generation->mask_value;
	trace->token_mask = generation->token_value;
	trace->mode = generation->mode_value;
	trace->engines = generation->engines;
	hand_open(&trace->gpu, generation->gpu, ip);
	trace->gpu.select_bits =
		CAM_RESET * (ip == GFX && generation->family != SQTT_WORDS);
	chip_hold(&trace->gpu, AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	make_traces_buffer(trace);
	count_waves(trace);
}

void
sqtt_free_buffer(struct sqtt_trace *trace)
{
	amdgpu_bo_cpu_unmap(trace->bo);
	amdgpu_bo_va_op(trace->bo, 0, (uint64_t)SQTT_SIZE * SQTT_ENGINES,
			trace->address, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(trace->va);
	amdgpu_bo_free(trace->bo);
	trace->bo = NULL;
}

void
sqtt_close(struct sqtt_trace *trace)
{
	struct hand_gpu *gpu = &trace->gpu;

	if (trace->bo)
		sqtt_free_buffer(trace);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	if (gpu->ip == GFX && trace->generation->gpu != NAVI31)
		hand_event(gpu, 24); /* PERFCOUNTER_STOP */
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	if (trace->generation->clock_register)
		hand_set_uconfig(gpu, trace->generation->clock_register, 0);
	hand_run(gpu);
	chip_hold(gpu, NO_PSTATE);
	hand_close(gpu);
}

/* ---- packets */

void
sqtt_emit_register(struct sqtt_trace *trace, uint32_t reg, uint32_t value)
{
	if (trace->generation->is_config)
		hand_copy_to_register(&trace->gpu, reg, value);
	else
		hand_set_uconfig(&trace->gpu, reg, value);
}

void
sqtt_emit_engine(struct sqtt_trace *trace, unsigned engine)
{
	hand_set_uconfig(&trace->gpu, GRBM_GFX_INDEX,
			 ENGINE_INDEX | engine << 16);
}

static void
emit_buffer(struct sqtt_trace *trace, unsigned engine)
{
	const struct sqtt_generation *g = trace->generation;
	const uint64_t at = trace->address + (uint64_t)engine * SQTT_SIZE;
	const uint32_t pages = trace->size >> 12;
	const uint32_t high = (uint32_t)(at >> 44);

	if (g->family == SQTT_WORDS) {
		sqtt_emit_register(trace, g->base_high, high);
		sqtt_emit_register(trace, g->base, (uint32_t)(at >> 12));
		sqtt_emit_register(trace, g->size, pages);
		sqtt_emit_register(trace, g->reset, 1u << 31);
		return;
	}
	if (g->base_high) {
		sqtt_emit_register(trace, g->size, pages);
		sqtt_emit_register(trace, g->base, (uint32_t)(at >> 12));
		sqtt_emit_register(trace, g->base_high, high);
		sqtt_emit_register(trace, g->wptr, 0);
		return;
	}
	sqtt_emit_register(trace, g->size, pages << 8 | (high & 0xf));
	sqtt_emit_register(trace, g->base, (uint32_t)(at >> 12));
}

void
sqtt_emit_arm(struct sqtt_trace *trace)
{
	const struct sqtt_generation *g = trace->generation;

	for (unsigned i = 0; i < trace->engines; i++) {
		sqtt_emit_engine(trace, i);
		emit_buffer(trace, i);
		sqtt_emit_register(trace, g->mask, trace->mask);
		sqtt_emit_register(trace, g->token_mask, trace->token_mask);
		if (g->family == SQTT_WORDS)
			sqtt_emit_register(trace, g->status, 0);
		sqtt_emit_register(trace, g->mode, trace->mode);
	}
	hand_set_uconfig(&trace->gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

void
sqtt_emit_begin(struct sqtt_trace *trace)
{
	if (trace->gpu.ip == GFX)
		hand_event(&trace->gpu, SQTT_START);
	else
		hand_set_sh(&trace->gpu, SQTT_ENABLE, 1);
}

void
sqtt_emit_end(struct sqtt_trace *trace)
{
	if (trace->gpu.ip == GFX)
		hand_event(&trace->gpu, SQTT_STOP);
	else
		hand_set_sh(&trace->gpu, SQTT_ENABLE, 0);
}

void
sqtt_emit_wait(struct sqtt_trace *trace, unsigned engine, uint32_t mask,
	       bool is_equal)
{
	struct hand_gpu *gpu = &trace->gpu;

	sqtt_emit_engine(trace, engine);
	hand_packet(gpu, 0x3c, 6);
	hand_emit(gpu, is_equal ? 3 : 4);
	hand_emit(gpu, trace->generation->status / 4);
	hand_emit(gpu, 0);
	hand_emit(gpu, 0);
	hand_emit(gpu, mask);
	hand_emit(gpu, 4);
}

void
sqtt_emit_stop(struct sqtt_trace *trace, bool waits)
{
	const struct sqtt_generation *g = trace->generation;
	struct hand_gpu *gpu = &trace->gpu;

	for (unsigned i = 0; i < trace->engines; i++) {
		sqtt_emit_engine(trace, i);
		if (waits && g->family != SQTT_WORDS)
			sqtt_emit_wait(trace, i, g->done, false);
		sqtt_emit_register(trace, g->mode, trace->mode & ~g->mode_off);
		sqtt_emit_wait(trace, i, g->busy, true);
		hand_copy_to_result(gpu, g->wptr, 4 * i);
		hand_copy_to_result(gpu, g->status, 4 * i + 1);
		hand_copy_to_result(gpu, g->count, 4 * i + 2);
	}
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

void
sqtt_start(struct sqtt_trace *trace)
{
	sqtt_emit_arm(trace);
	sqtt_emit_begin(trace);
	hand_run(&trace->gpu);
}

void
sqtt_stop(struct sqtt_trace *trace)
{
	struct hand_gpu *gpu = &trace->gpu;

	hand_event(gpu, SQTT_FLUSH | 4 << 8);
	sqtt_emit_end(trace);
	hand_event(gpu, SQTT_FINISH);
	sqtt_emit_stop(trace, true);
	hand_run(gpu);
	for (unsigned i = 0; i < trace->engines; i++) {
		trace->wptr[i] = gpu->results[4 * i];
		trace->status[i] = gpu->results[4 * i + 1];
		trace->count[i] = gpu->results[4 * i + 2];
	}
}

/* ---- results */

size_t
sqtt_bytes(const struct sqtt_trace *trace, unsigned engine)
{
	uint64_t units = trace->wptr[engine];

	if (trace->generation->is_absolute)
		units -= (trace->address + (uint64_t)engine * SQTT_SIZE) / 32;
	return (size_t)(units & POINTER_MASK) * 32;
}

void
sqtt_read(const struct sqtt_trace *trace, unsigned engine,
	  struct sqtt_stream *stream)
{
	const size_t bytes = sqtt_bytes(trace, engine);

	ck_assert_uint_lt(bytes, trace->size);
	ck_assert_msg(sqtt_decode(trace->generation->family,
				  trace->memory + (size_t)engine * SQTT_SIZE,
				  bytes, stream),
		      "%s: engine %u: no stream of tokens",
		      trace->generation->name, engine);
}

uint64_t
sqtt_waves(const struct sqtt_trace *trace)
{
	struct sqtt_stream stream;
	uint64_t waves = 0;

	for (unsigned i = 0; i < trace->engines; i++) {
		sqtt_read(trace, i, &stream);
		waves += stream.starts;
	}
	return waves;
}
