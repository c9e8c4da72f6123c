/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread traces: what stands in their buffers, how they end, whose work they
 * see, and what is reported of wrong use.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/drmsim/sqtt_hand.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define US 1000u
#define MARKER 0xc342u /* USERDATA_2, in dwords */

static struct sqtt_trace trace;

static void
close_trace(void)
{
	if (trace.gpu.device)
		sqtt_close(&trace);
}

static void
forget_report(void)
{
	drmsim_command("clear", NULL, 0);
	/* COMPUTE_THREAD_TRACE_ENABLE is the queue's */
	drmsim_set("compute-ring", "stays");
	/* MI is read by source 4 here, too */
	drmsim_set("copy-source", "works");
	drmsim_set("all-vmid", "ignored");
	drmsim_set("finish-done", "comes");
}

TEST_CASE(tracing, forget_report, close_trace, "drmsim_sqtt");

static void
assert_clean(const char *name)
{
	const char *report = scene_report();

	ck_assert_msg(!strstr(report, "violation"), "%s: %s", name, report);
}

/* ---- waves */

/* A dispatch on each kind of queue, and how many waves it has. */
static const struct wave_case {
	const char *name;
	unsigned generation, ip;
	uint32_t groups, threads, wave;
} wave_cases[] = {
	{ "gfx10.3, compute", SQTT_GFX103, COMPUTE, 13, 64, 64 },
	{ "gfx10.3, graphics", SQTT_GFX103, GFX, 13, 64, 64 },
	{ "gfx10.3, more than one round", SQTT_GFX103, COMPUTE, 3000, 64, 64 },
	{ "gfx10.3, half a wave", SQTT_GFX103, COMPUTE, 5, 32, 64 },
	{ "gfx11, compute", SQTT_GFX11, COMPUTE, 13, 64, 64 },
	{ "gfx11, graphics", SQTT_GFX11, GFX, 13, 64, 64 },
	{ "gfx11, more than one round", SQTT_GFX11, COMPUTE, 4000, 64, 64 },
	{ "gfx12, compute", SQTT_GFX12, COMPUTE, 13, 64, 64 },
	{ "gfx12, graphics", SQTT_GFX12, GFX, 13, 64, 64 },
	{ "gfx9, compute", SQTT_GFX9, COMPUTE, 13, 128, 64 },
	{ "gfx9, graphics", SQTT_GFX9, GFX, 13, 64, 64 },
	{ "gfx9, more than one round", SQTT_GFX9, COMPUTE, 3000, 64, 64 },
	{ "gfx10.1, compute", SQTT_GFX101, COMPUTE, 13, 64, 64 },
	{ "gfx10.1, graphics", SQTT_GFX101, GFX, 13, 64, 64 },
	{ "gfx11.5, compute", SQTT_GFX115, COMPUTE, 13, 64, 64 },
	{ "gfx90a, compute", SQTT_MI200, COMPUTE, 13, 64, 64 },
};

/* Return what the counters of an engine say. */
static uint32_t
counted_waves(struct sqtt_trace *trace, unsigned engine)
{
	struct hand_gpu *gpu = &trace->gpu;
	const uint32_t index = 0x60000000 | engine << 16;

	if (trace->generation->gpu == NAVI48)
		return chip_count(gpu, NAVI48, trace->generation->waves_lo,
				  index);
	return chip_count(gpu, NAVI21, trace->generation->waves_lo, index);
}

/*
 * Expect zeros: decoders of others want 16 bytes of them behind the last token.
 */
static void
assert_zeros(const struct sqtt_trace *trace, unsigned engine)
{
	static const uint8_t zeros[16];
	const uint8_t *end = trace->memory + (size_t)engine * SQTT_SIZE +
			     sqtt_bytes(trace, engine);

	ck_assert_mem_eq(end - sizeof(zeros), zeros, sizeof(zeros));
}

TEST_LOOP(tracing, a_trace_has_every_wave, ARRAY_SIZE(wave_cases))
{
	const struct wave_case *c = &wave_cases[_i];
	const unsigned ip = c->ip;
	const struct sqtt_generation *g = &sqtt_generations[c->generation];
	const uint64_t in_a_group = (c->threads + c->wave - 1) / c->wave;
	struct sqtt_stream stream;
	uint64_t sum = 0, threads = 0;

	sqtt_open(&trace, g, ip);
	sqtt_start(&trace);
	hand_dispatch(&trace.gpu, c->groups, c->threads, 1);
	hand_run(&trace.gpu);
	scene_pass(100 * US);
	sqtt_stop(&trace);
	for (unsigned i = 0; i < g->engines; i++) {
		sqtt_read(&trace, i, &stream);
		assert_zeros(&trace, i);
		ck_assert_uint_eq(stream.version, g->version);
		ck_assert_uint_eq(stream.starts, counted_waves(&trace, i));
		ck_assert_uint_eq(stream.ends, stream.starts);
		ck_assert_uint_eq(stream.unmatched, 0);
		ck_assert_uint_eq(stream.dispatches, 1);
		ck_assert_uint_gt(stream.most_at_once, 0);
		sum += stream.starts;
		threads += stream.threads;
		ck_assert_uint_eq(trace.status[i] & g->done,
				  g->family == SQTT_WORDS ? 0 : g->done);
	}
	ck_assert_uint_eq(sum, c->groups * in_a_group);
	ck_assert_uint_eq(threads, (uint64_t)c->groups * c->threads);
	sqtt_close(&trace);
	assert_clean(c->name);
}

/* ---- the stream */

/* Which clocks a wave takes, by the stable clock: 10 us. */
static const struct stream_case {
	unsigned generation, ip;
	uint64_t clocks;
	bool me1_marker; /* is_cs of a marker on this queue */
	uint32_t events, event_bits;
} stream_cases[] = {
	{ SQTT_GFX103, GFX, 18250, false, 0x31100, 3 << 24 },
	{ SQTT_GFX103, COMPUTE, 18250, true, 0x31100, 3 << 24 },
	{ SQTT_GFX11, GFX, 19000, false, 0, 0 },
	{ SQTT_GFX11, GFX, 19000, false, 0x31100, 3 << 24 },
	{ SQTT_GFX11, COMPUTE, 19000, false, 0x31100, 3 << 24 },
	{ SQTT_GFX12, GFX, 19000, false, 0x31120, 3 },
	{ SQTT_GFX9, COMPUTE, 11380 / 4, false, 0x31100, 3 << 24 },
	{ SQTT_GFX9, GFX, 11380 / 4, false, 0, 0 },
};

/* Markers, registers and events stand in the stream, and times are true. */
TEST_LOOP(tracing, a_trace_has_markers_registers_and_events,
	  ARRAY_SIZE(stream_cases))
{
	const struct stream_case *c = &stream_cases[_i];
	const unsigned ip = c->ip;
	const struct sqtt_generation *g = &sqtt_generations[c->generation];
	const bool is_cs = c->me1_marker;
	struct sqtt_stream stream;
	struct hand_gpu *gpu = &trace.gpu;

	sqtt_open(&trace, g, ip);
	if (g->family != SQTT_WORDS)
		trace.token_mask &= ~(1u << 7);
	hand_set_sh(gpu, 0xb848, 0x1234); /* COMPUTE_PGM_RSRC1 */
	/* SPI_CONFIG_CNTL, SPI_SQG_EVENT_CTL: events at both ends */
	if (c->events)
		hand_set_uconfig(gpu, c->events, c->event_bits);
	sqtt_start(&trace);
	scene_pass(3 * US);
	hand_set_uconfig(gpu, SQTT_USERDATA_2, 0xabcd0001);
	hand_set_uconfig(gpu, SQTT_USERDATA_2, 0xabcd0001);
	hand_set_uconfig(gpu, SQTT_USERDATA_2 + 4, 0xabcd0002);
	hand_set_sh(gpu, 0xb900, 0x5678); /* COMPUTE_USER_DATA_0 */
	hand_dispatch(gpu, 1, 64, 1);
	hand_run(gpu);
	scene_pass(50 * US);
	sqtt_stop(&trace);
	sqtt_read(&trace, 0, &stream);
	ck_assert_uint_eq(sqtt_writes(&stream, is_cs, MARKER, 0xabcd0001), 2);
	ck_assert_uint_eq(sqtt_writes(&stream, is_cs, MARKER + 1, 0xabcd0002),
			  1);
	/* what stood there before, and what was written while it was on */
	ck_assert_uint_eq(sqtt_writes(&stream, true, 0x12, 0x1234), 1);
	ck_assert_uint_eq(sqtt_writes(&stream, true, 0x40, 0x5678), 1);
	if (ip == COMPUTE)
		ck_assert_uint_eq(sqtt_writes(&stream, true, 0x1e, 0), 1);
	if (ip == COMPUTE && g->family != SQTT_WORDS)
		ck_assert_uint_eq(sqtt_writes(&stream, true, 0xff, SQTT_FLUSH),
				  1);
	ck_assert_uint_eq(stream.events > 0, c->events != 0);
	ck_assert_uint_eq(stream.starts, 1);
	ck_assert_uint_eq(stream.last_end - stream.first_start, c->clocks);
	if (c->events)
		hand_set_uconfig(gpu, c->events, 0);
	sqtt_close(&trace);
	assert_clean(g->name);
}

/* What masks leave out; those of gfx9 say what is in. */
static const struct mask_case {
	const char *name;
	unsigned generation;
	uint32_t mask_off, token_on, token_off, mode_off;
	bool has_waves, has_markers;
} mask_cases[] = {
	{ "everything", SQTT_GFX11, 0, 0, 0, 0, true, true },
	{ "TOKEN_EXCLUDE of waves", SQTT_GFX11, 0, 1 << 4, 0, 0, false, true },
	{ "TOKEN_EXCLUDE of registers", SQTT_GFX11, 0, 1 << 6, 0, 0, true,
	  false },
	{ "REG_INCLUDE of graphics", SQTT_GFX11, 0, 0, 1 << 18, 0, true,
	  false },
	{ "WTYPE_INCLUDE of compute", SQTT_GFX11, 1 << 16, 0, 0, 0, false,
	  true },
	{ "gfx10.1 has no bit of waves", SQTT_GFX101, 0, 1 << 4, 0, 0, true,
	  true },
	{ "gfx9: everything", SQTT_GFX9, 0, 0, 0, 0, true, true },
	{ "gfx9: TOKEN_MASK of waves", SQTT_GFX9, 0, 0, 1 << 3 | 1 << 6, 0,
	  false, true },
	{ "gfx9: TOKEN_MASK of registers", SQTT_GFX9, 0, 0, 1 << 2, 0, true,
	  false },
	{ "gfx9: REG_MASK of markers", SQTT_GFX9, 0, 0, 1 << 19, 0, true,
	  false },
	{ "gfx9: MASK_CS", SQTT_GFX9, 0, 0, 0, 7 << 18, false, true },
};

TEST_LOOP(tracing, masks_leave_their_tokens_out, ARRAY_SIZE(mask_cases))
{
	const struct mask_case *c = &mask_cases[_i];
	struct sqtt_stream stream;

	sqtt_open(&trace, &sqtt_generations[c->generation], GFX);
	trace.mask &= ~c->mask_off;
	trace.token_mask |= c->token_on;
	trace.token_mask &= ~c->token_off;
	trace.mode &= ~c->mode_off;
	sqtt_start(&trace);
	hand_set_uconfig(&trace.gpu, SQTT_USERDATA_2, 77);
	hand_dispatch(&trace.gpu, 6, 64, 1);
	sqtt_stop(&trace);
	sqtt_read(&trace, 0, &stream);
	ck_assert_msg((stream.starts > 0) == c->has_waves, "%s", c->name);
	ck_assert_msg(sqtt_writes(&stream, false, MARKER, 77) == c->has_markers,
		      "%s", c->name);
}

/* Only between the beginning and the end of a trace is work seen. */
TEST_LOOP(tracing, only_work_during_the_trace_is_in_it, 2)
{
	const struct sqtt_generation *g = &sqtt_generations[SQTT_GFX103];
	struct hand_gpu *gpu = &trace.gpu;

	sqtt_open(&trace, g, _i ? COMPUTE : GFX);
	sqtt_emit_arm(&trace);
	hand_dispatch(gpu, 4, 64, 1);
	hand_event(gpu, SQTT_FLUSH | 4 << 8);
	sqtt_emit_begin(&trace);
	hand_dispatch(gpu, 8, 64, 1);
	hand_event(gpu, SQTT_FLUSH | 4 << 8);
	sqtt_emit_end(&trace);
	hand_dispatch(gpu, 16, 64, 1);
	sqtt_stop(&trace);
	ck_assert_uint_eq(sqtt_waves(&trace), 8);
	sqtt_close(&trace);
	assert_clean(g->name);
}

/* A draw is a wave. */
TEST(tracing, a_draw_is_traced_as_a_wave)
{
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX11], GFX);
	sqtt_start(&trace);
	for (unsigned i = 0; i < 3; i++) {
		hand_packet(&trace.gpu, 0x2d, 2); /* DRAW_INDEX_AUTO */
		hand_emit(&trace.gpu, 3);
		hand_emit(&trace.gpu, 2);
	}
	sqtt_stop(&trace);
	ck_assert_uint_eq(sqtt_waves(&trace), 3);
}

/* ---- the buffer */

enum {
	WORDS_FULL,
	NIBBLES_FULL
};

/* What finds no room is missing, and WPTR says so. */
TEST_LOOP(tracing, a_full_buffer_shows_in_the_pointer, NIBBLES_FULL + 1)
{
	const struct sqtt_generation *g =
		&sqtt_generations[_i == WORDS_FULL ? SQTT_GFX9 : SQTT_GFX11];

	sqtt_open(&trace, g, GFX);
	trace.size = 4096;
	sqtt_start(&trace);
	hand_dispatch(&trace.gpu, 8000, 64, 1);
	hand_run(&trace.gpu);
	sqtt_stop(&trace);
	for (unsigned i = 0; i < g->engines; i++) {
		ck_assert_uint_eq(sqtt_bytes(&trace, i), trace.size - 32);
		if (_i == WORDS_FULL)
			ck_assert_uint_gt(trace.count[i], trace.wptr[i]);
		else
			ck_assert_uint_gt(trace.count[i], 0);
		/* nothing behind the last unit but one */
		ck_assert_uint_eq(
			trace.memory[(size_t)i * SQTT_SIZE + trace.size - 1],
			0xff);
	}
	sqtt_close(&trace);
	assert_clean(g->name);
}

/*
 * A trace of gfx12 continues at the write pointer that it finds; those of other
 * generations start at the beginning of the buffer.
 */
TEST_LOOP(tracing, a_trace_begins_where_its_generation_does, 4)
{
	static const unsigned which[] = { SQTT_GFX12, SQTT_GFX11, SQTT_GFX103,
					  SQTT_GFX9 };
	const struct sqtt_generation *g = &sqtt_generations[which[_i]];
	size_t first;

	sqtt_open(&trace, g, COMPUTE);
	sqtt_start(&trace);
	sqtt_stop(&trace);
	first = sqtt_bytes(&trace, 0);
	ck_assert_uint_gt(first, 0);
	sqtt_emit_engine(&trace, 0);
	if (g->family == SQTT_WORDS)
		sqtt_emit_register(&trace, g->reset, 1u << 31);
	else if (g->base_high)
		sqtt_emit_register(&trace, g->base_high,
				   (uint32_t)(trace.address >> 44));
	else
		sqtt_emit_register(&trace, g->base,
				   (uint32_t)(trace.address >> 12));
	sqtt_emit_register(&trace, g->mode, trace.mode);
	hand_set_uconfig(&trace.gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	sqtt_emit_begin(&trace);
	trace.engines = 1;
	sqtt_stop(&trace);
	ck_assert_uint_eq(sqtt_bytes(&trace, 0), _i ? first : 2 * first);
	sqtt_close(&trace);
	assert_clean(g->name);
}

enum {
	UNMAPPED,
	READ_ONLY,
	TOO_LARGE,
	NO_BUFFER
};

/* A write where no buffer is fails, and shows in STATUS. */
TEST_LOOP(tracing, a_write_without_a_buffer_shows_in_the_status,
	  2 * (NO_BUFFER + 1))
{
	const struct sqtt_generation *g =
		&sqtt_generations[_i % 2 ? SQTT_GFX103 : SQTT_GFX9];
	const unsigned kind = (unsigned)_i / 2;
	const uint32_t error = g->family == SQTT_WORDS ? 1u << 28 : 1u << 24;
	const uint64_t bytes = (uint64_t)SQTT_SIZE * SQTT_ENGINES;
	struct hand_gpu *gpu = &trace.gpu;

	sqtt_open(&trace, g, COMPUTE);
	trace.engines = 1;
	if (kind == UNMAPPED)
		amdgpu_bo_va_op(trace.bo, 0, bytes, trace.address, 0,
				AMDGPU_VA_OP_UNMAP);
	if (kind == READ_ONLY)
		amdgpu_bo_va_op_raw(gpu->device, trace.bo, 0, bytes,
				    trace.address, AMDGPU_VM_PAGE_READABLE,
				    AMDGPU_VA_OP_REPLACE);
	if (kind == TOO_LARGE)
		trace.address += bytes - 4096;
	if (kind == NO_BUFFER)
		trace.size = 0;
	sqtt_start(&trace);
	hand_dispatch(gpu, 4000, 64, 1);
	hand_run(gpu);
	sqtt_stop(&trace);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-fault"),
			  kind != NO_BUFFER);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-buffer"),
			  kind == NO_BUFFER);
	ck_assert_uint_eq(!(trace.status[0] & error), kind == NO_BUFFER);
	if (kind == TOO_LARGE)
		trace.address -= bytes - 4096;
	if (kind == UNMAPPED)
		amdgpu_bo_va_op(trace.bo, 0, bytes, trace.address, 0,
				AMDGPU_VA_OP_MAP);
}

static const struct finish_case {
	unsigned generation;
	bool has_event, waits, is_whole;
} finish_cases[] = {
	{ SQTT_GFX11, false, false, false },
	{ SQTT_GFX11, true, false, false },
	{ SQTT_GFX11, true, true, true },
	/* which waits for BUSY alone */
	{ SQTT_GFX9, false, false, false },
	{ SQTT_GFX9, true, false, true },
};

/* Without the event, or before it has done its work, the end is missing. */
TEST_LOOP(tracing, without_its_end_a_trace_is_cut, ARRAY_SIZE(finish_cases))
{
	const struct finish_case *c = &finish_cases[_i];
	struct hand_gpu *gpu = &trace.gpu;
	const uint8_t *last;

	sqtt_open(&trace, &sqtt_generations[c->generation], COMPUTE);
	sqtt_start(&trace);
	hand_dispatch(gpu, 1, 64, 1);
	hand_event(gpu, SQTT_FLUSH | 4 << 8);
	sqtt_emit_end(&trace);
	if (c->has_event)
		hand_event(gpu, SQTT_FINISH);
	sqtt_emit_stop(&trace, c->waits);
	hand_run(gpu);
	trace.wptr[0] = gpu->results[0];
	/* only the last unit is filled up with zeros */
	last = trace.memory + sqtt_bytes(&trace, 0) - 1;
	ck_assert_uint_eq(!*last, c->is_whole);
}

/* ---- the ways registers are reached */

enum {
	BY_COPY_PERF,
	BY_COPY_REGISTER,
	BY_WRITE_DATA,
	BY_SET_CONFIG
};

static void
emit_mode(struct sqtt_trace *trace, unsigned way, uint32_t value)
{
	const uint32_t reg = trace->generation->mode;
	struct hand_gpu *gpu = &trace->gpu;

	switch (way) {
	case BY_COPY_PERF:
		hand_copy_to_register(gpu, reg, value);
		return;
	case BY_COPY_REGISTER:
		hand_packet(gpu, 0x40, 5);
		hand_emit(gpu, 5 | 1 << 20);
		hand_emit(gpu, value);
		hand_emit(gpu, 0);
		hand_emit(gpu, reg / 4);
		hand_emit(gpu, 0);
		return;
	case BY_WRITE_DATA:
		hand_packet(gpu, 0x37, 4);
		hand_emit(gpu, 1 << 20);
		hand_emit(gpu, reg / 4);
		hand_emit(gpu, 0);
		hand_emit(gpu, value);
		return;
	case BY_SET_CONFIG:
		hand_packet(gpu, 0x68, 2);
		hand_emit(gpu, (reg - 0x8000) / 4);
		hand_emit(gpu, value);
		return;
	}
}

/* gfx10's registers are reached by COPY_DATA to counters' space alone. */
TEST_LOOP(tracing, registers_of_gfx10_need_the_right_copy, BY_SET_CONFIG + 1)
{
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX103], COMPUTE);
	trace.engines = 1;
	sqtt_emit_arm(&trace);
	sqtt_emit_engine(&trace, 0);
	emit_mode(&trace, BY_COPY_PERF, 0);
	hand_copy_to_result(&trace.gpu, trace.generation->mode, 0);
	emit_mode(&trace, (unsigned)_i, trace.mode);
	hand_copy_to_result(&trace.gpu, trace.generation->mode, 1);
	emit_mode(&trace, BY_COPY_PERF, 0);
	hand_set_uconfig(&trace.gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(&trace.gpu);
	ck_assert_uint_eq(trace.gpu.results[0], 0);
	ck_assert_uint_eq(trace.gpu.results[1],
			  _i == BY_COPY_PERF ? trace.mode : 0);
	ck_assert_uint_eq(hand_notes("violation", "privileged"),
			  _i != BY_COPY_PERF);
	scene_pass(10 * US);
}

/* A marker that repeats one gets lost, unless the filter is reset. */
TEST_LOOP(tracing, a_repeated_marker_is_lost, 3)
{
	const bool is_reset = _i == 1;
	struct sqtt_stream stream;

	sqtt_open(&trace, &sqtt_generations[SQTT_GFX11],
		  _i == 2 ? COMPUTE : GFX);
	sqtt_start(&trace);
	trace.gpu.select_bits = is_reset * CAM_RESET;
	hand_set_uconfig(&trace.gpu, SQTT_USERDATA_2, 5);
	hand_set_uconfig(&trace.gpu, SQTT_USERDATA_2, 5);
	trace.gpu.select_bits = _i == 2 ? 0 : CAM_RESET;
	sqtt_stop(&trace);
	sqtt_read(&trace, 0, &stream);
	ck_assert_uint_eq(sqtt_writes(&stream, false, MARKER, 5), _i ? 2 : 1);
	ck_assert_uint_eq(hand_notes("violation", "filter-cam"), !_i);
}

/* ---- whose waves */

static const struct vmid_case {
	const char *name;
	unsigned generation;
	bool asks, works;
	uint64_t waves;
} vmid_cases[] = {
	{ "its own only", SQTT_GFX103, false, true, 5 },
	{ "ALL_VMID does nothing", SQTT_GFX103, true, false, 5 },
	{ "ALL_VMID works", SQTT_GFX103, true, true, 12 },
	{ "gfx11: ALL_VMID works", SQTT_GFX11, true, true, 12 },
	{ "gfx12 has no ALL_VMID", SQTT_GFX12, true, true, 5 },
	{ "gfx9: its own only", SQTT_GFX9, false, true, 5 },
	{ "gfx9: VM_ID_MASK does nothing", SQTT_GFX9, true, false, 5 },
	{ "gfx9: VM_ID_MASK works", SQTT_GFX9, true, true, 12 },
};

/*
 * Fork a process with an address space of its own, before this one opens
 * anything, since libdrm would have one device for both. It waits for a byte.
 */
static void
dispatch_elsewhere(struct child *other, unsigned number)
{
	struct hand_gpu gpu;

	if (!child_fork(other))
		return;
	child_await(other);
	hand_open(&gpu, number, GFX);
	hand_dispatch(&gpu, 7, 64, 1);
	hand_run(&gpu);
	hand_close(&gpu);
	_exit(0);
}

TEST_LOOP(tracing, other_processes_are_traced_where_asked,
	  ARRAY_SIZE(vmid_cases))
{
	const struct vmid_case *c = &vmid_cases[_i];
	const struct sqtt_generation *g = &sqtt_generations[c->generation];
	struct child other;

	dispatch_elsewhere(&other, g->gpu);
	scene_set("all-vmid", c->works ? "works" : "ignored");
	sqtt_open(&trace, g, GFX);
	if (c->asks) {
		trace.mask |= g->all_vmid_mask;
		trace.mode |= g->all_vmid_mode;
	}
	sqtt_start(&trace);
	hand_dispatch(&trace.gpu, 5, 64, 1);
	hand_run(&trace.gpu);
	child_tell(&other);
	child_finish(&other);
	sqtt_stop(&trace);
	ck_assert_msg(sqtt_waves(&trace) == c->waves, "%s: %llu", c->name,
		      (unsigned long long)sqtt_waves(&trace));
	/* OWNER_VMID */
	if (g->family != SQTT_WORDS)
		ck_assert_uint_ne(trace.status[0] >> 28, 0);
	sqtt_close(&trace);
	assert_clean(c->name);
}

/* ---- waits that do not end */

static const struct hang_case {
	const char *name;
	unsigned generation;
	bool has_no_pstate, has_no_event;
	const char *harvest, *finish_done;
	bool hangs;
} hang_cases[] = {
	{ "gfx9", SQTT_GFX9, false, false, NULL, "comes", true },
	{ "no pstate", SQTT_GFX11, true, false, NULL, "comes", true },
	{ "no event", SQTT_GFX11, false, true, NULL, "comes", true },
	{ "whole", SQTT_GFX103, false, false, NULL, "whole-chips", false },
	{ "gfx11 with fewer backends", SQTT_GFX11, false, false, "rb 5 1",
	  "whole-chips", false },
	{ "fewer backends", SQTT_GFX103, false, false, "rb 3 1", "comes",
	  false },
	{ "fewer backends, as of Navi 23", SQTT_GFX103, false, false, "rb 3 1",
	  "whole-chips", true },
	{ "an array without units", SQTT_GFX12, false, false, "cu 0 0 0xff",
	  "comes", true },
};

static void
fuse_off(const struct sqtt_generation *g, const char *what)
{
	char key[32];

	snprintf(key, sizeof(key), "gpu%u.harvest", g->gpu);
	scene_set(key, what);
}

/* Change the context: one that was reset is of no use any more. */
static void
change_context(struct hand_gpu *gpu)
{
	chip_hold(gpu, NO_PSTATE);
	amdgpu_cs_ctx_free(gpu->context);
	ck_assert_int_eq(amdgpu_cs_ctx_create2(gpu->device, 0, &gpu->context),
			 0);
}

/* The last one, since it changes chips for good. */
TEST_CASE(hangs, forget_report, close_trace, "drmsim_sqtt");

TEST_LOOP(hangs, a_wait_for_a_trace_may_hang, ARRAY_SIZE(hang_cases))
{
	const struct hang_case *c = &hang_cases[_i];
	const struct sqtt_generation *g = &sqtt_generations[c->generation];
	struct hand_gpu *gpu = &trace.gpu;
	int error;

	scene_set("finish-done", c->finish_done);
	if (c->harvest)
		fuse_off(g, c->harvest);
	sqtt_open(&trace, g, GFX);
	if (c->has_no_pstate)
		chip_hold(gpu, NO_PSTATE);
	sqtt_start(&trace);
	sqtt_emit_end(&trace);
	if (!c->has_no_event)
		hand_event(gpu, SQTT_FINISH);
	sqtt_emit_wait(&trace, 0, g->done, false);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	error = hand_try(gpu, HAND_SECOND);
	ck_assert_msg((error != 0) == c->hangs, "%s: %d", c->name, error);
	ck_assert_uint_eq(hand_notes("violation", "hang"), c->hangs);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-pstate") > 0,
			  c->has_no_pstate);
	if (c->hangs) {
		change_context(gpu);
	} else {
		sqtt_emit_stop(&trace, false);
		hand_run(gpu);
	}
}

/* ---- misuse */

enum {
	STOPPED,
	LEFT,
	NOT_WAITED_FOR
};

/* Closing a file whose traces may still write is reported. */
TEST_LOOP(tracing, closing_an_armed_trace_is_a_violation, NOT_WAITED_FOR + 1)
{
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX103], COMPUTE);
	sqtt_start(&trace);
	if (_i == STOPPED)
		sqtt_stop(&trace);
	if (_i == NOT_WAITED_FOR) {
		sqtt_emit_engine(&trace, 0);
		sqtt_emit_register(&trace, trace.generation->mode, 0);
	}
	sqtt_emit_end(&trace);
	sqtt_close(&trace);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-armed"), _i != STOPPED);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-freed") > 0,
			  _i != STOPPED);
}

/* So is a process that is killed meanwhile. */
TEST_LOOP(tracing, killing_a_tracing_process_is_a_violation, 2)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		child_begin();
		sqtt_open(&trace, &sqtt_generations[SQTT_GFX11], GFX);
		sqtt_start(&trace);
		if (_i)
			sqtt_stop(&trace);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-armed"), !_i);
}

/* A buffer is taken away while a trace may write it, or after that. */
TEST_LOOP(tracing, freeing_a_traced_buffer_is_a_violation, 2)
{
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX11], GFX);
	sqtt_start(&trace);
	if (!_i)
		sqtt_free_buffer(&trace);
	sqtt_stop(&trace);
	if (_i)
		sqtt_free_buffer(&trace);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-freed") > 0, !_i);
}

/* All engines are armed, or read, at once. */
TEST(tracing, all_engines_at_once_are_a_violation)
{
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX11], COMPUTE);
	sqtt_emit_arm(&trace);
	sqtt_emit_register(&trace, trace.generation->mode, 0);
	hand_run(&trace.gpu);
	scene_pass(10 * US);
	assert_clean("stopped at once");
	sqtt_emit_register(&trace, trace.generation->mode, trace.mode);
	hand_copy_to_result(&trace.gpu, trace.generation->wptr, 0);
	sqtt_emit_register(&trace, trace.generation->mode, 0);
	hand_run(&trace.gpu);
	scene_pass(10 * US);
	ck_assert_uint_gt(hand_notes("violation", "sqtt-steering"), 0);
	ck_assert_uint_eq(hand_notes("violation", "broadcast-read"), 1);
}

static void
arm_elsewhere(struct child *other)
{
	struct sqtt_trace trace = {
		.generation = &sqtt_generations[SQTT_GFX11],
		.size = SQTT_SIZE,
		.address = 1 << 20,
		.engines = 1,
	};

	if (!child_fork(other))
		return;
	child_await(other);
	trace.mode = trace.generation->mode_value;
	hand_open(&trace.gpu, trace.generation->gpu, COMPUTE);
	sqtt_emit_arm(&trace);
	sqtt_emit_stop(&trace, false);
	hand_run(&trace.gpu);
	hand_close(&trace.gpu);
	_exit(0);
}

/* Two tracers at once overwrite each other. */
TEST_LOOP(tracing, two_tracers_overwrite_each_other, 2)
{
	struct child other;

	arm_elsewhere(&other);
	sqtt_open(&trace, &sqtt_generations[SQTT_GFX11], COMPUTE);
	sqtt_start(&trace);
	if (_i)
		sqtt_stop(&trace);
	child_tell(&other);
	child_finish(&other);
	ck_assert_uint_eq(hand_notes("violation", "sqtt-taken"), !_i);
	if (!_i) {
		hand_event(&trace.gpu, SQTT_FINISH);
		sqtt_emit_end(&trace);
		sqtt_emit_stop(&trace, false);
		hand_run(&trace.gpu);
	}
}

/* The machine of chips.h, and a Vega 10 and a Strix behind its GPUs. */
TEST_MACHINE("drmsim_sqtt", CHIPS, "--gpu=vega10", "--gpu=strix");
