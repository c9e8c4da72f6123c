/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens: their bits, and their way into the buffer. From gfx10 on a stream
 * consists of nibbles, before of words. Facts: AMD's rocprof-trace-decoder
 * (gfx10token.h, gfx12token.h, gfx9token.h), tinygrad (sqtt.py), Linux 7.1.8
 * (gc_9_0_sh_mask.h).
 */
#include <amdgpu_drm.h>
#include <stddef.h>
#include <string.h>

#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt_state.h"
#include "amdgpu/gfx/vm.h"
#include "kernel/bo.h"
#include "machine/note.h"

#define VMIDS 7u /* that Linux gives to graphics jobs, from 1 on */
#define UNIT_BITS (8 * TRACE_UNIT)
#define WORD_CLOCKS 4u /* unit of times on gfx9 */
#define DP_RATE 6u

enum token {
	TOKEN_TIME, /* passing time, as short as it goes */
	TOKEN_LONG_TIME,
	TOKEN_SHORT_TIME,
	TOKEN_HEADER,
	TOKEN_WAVE_START,
	TOKEN_WAVE_END,
	TOKEN_REGISTER,
	TOKEN_REGISTER_CS,
	TOKEN_DISPATCH,
	TOKEN_EVENT,
	TOKEN_EVENT_CS,
	TOKENS
};

/* The least bits of a token, how long it is, and where it has its time. */
struct layout {
	uint64_t match;
	unsigned bits, delta_shift, delta_bits;
	int exclude; /* bit of TOKEN_EXCLUDE, or of TOKEN_MASK; -1: none */
};

/* TOKEN_MASK of gfx9 includes types of tokens by number. */
static const struct layout gfx9_layouts[TOKENS] = {
	[TOKEN_TIME] = { 0, 16, 4, 8, -1 },
	[TOKEN_WAVE_START] = { 3, 32, 4, 1, 3 },
	[TOKEN_WAVE_END] = { 6, 16, 4, 1, 6 },
	[TOKEN_REGISTER] = { 2, 64, 4, 1, 2 },
	[TOKEN_REGISTER_CS] = { 5, 48, 4, 1, 5 },
	[TOKEN_EVENT] = { 7, 16, 4, 1, 7 },
	[TOKEN_EVENT_CS] = { 8, 16, 4, 1, 8 },
};

static const struct layout gfx10_layouts[TOKENS] = {
	[TOKEN_TIME] = { 0x51, 24, 7, 9, -1 },
	[TOKEN_HEADER] = { 0x11, 64, 0, 0, -1 },
	[TOKEN_WAVE_START] = { 0xc, 32, 5, 2, 4 },
	[TOKEN_WAVE_END] = { 0x15, 20, 5, 3, 4 },
	[TOKEN_REGISTER] = { 0x9, 64, 4, 3, 6 },
	[TOKEN_DISPATCH] = { 0x71, 64, 7, 3, 6 },
	[TOKEN_EVENT] = { 0x61, 24, 8, 3, 7 },
};

static const struct layout gfx11_layouts[TOKENS] = {
	[TOKEN_TIME] = { 0x51, 24, 7, 9, -1 },
	[TOKEN_LONG_TIME] = { 0x1, 48, 12, 36, -1 },
	[TOKEN_SHORT_TIME] = { 0x8, 8, 4, 4, -1 },
	[TOKEN_HEADER] = { 0x11, 64, 0, 0, -1 },
	[TOKEN_WAVE_START] = { 0xc, 32, 5, 2, 4 },
	[TOKEN_WAVE_END] = { 0x15, 20, 5, 3, 4 },
	[TOKEN_REGISTER] = { 0x9, 64, 4, 3, 6 },
	[TOKEN_DISPATCH] = { 0x71, 64, 7, 3, 6 },
	[TOKEN_EVENT] = { 0x61, 24, 8, 3, 7 },
};

static const struct layout gfx12_layouts[TOKENS] = {
	[TOKEN_TIME] = { 0x51, 24, 7, 9, -1 },
	[TOKEN_LONG_TIME] = { 0x1, 64, 12, 52, -1 },
	[TOKEN_SHORT_TIME] = { 0x8, 8, 4, 4, -1 },
	[TOKEN_HEADER] = { 0x11, 64, 0, 0, -1 },
	[TOKEN_WAVE_START] = { 0xc, 32, 5, 2, 4 },
	[TOKEN_WAVE_END] = { 0x15, 20, 5, 3, 4 },
	[TOKEN_REGISTER] = { 0x9, 64, 4, 3, 6 },
	[TOKEN_DISPATCH] = { 0x71, 64, 7, 3, 6 },
	[TOKEN_EVENT] = { 0x61, 24, 8, 3, 7 },
};

static const struct layout *
layouts_of(const struct amdgpu *amdgpu)
{
	switch (amdgpu->chip.sqtt_style) {
	case SQTT_GFX9:
		return gfx9_layouts;
	case SQTT_GFX11:
	case SQTT_GFX11_5:
		return gfx11_layouts;
	case SQTT_GFX12:
		return gfx12_layouts;
	default:
		return gfx10_layouts;
	}
}

unsigned
trace_vmid(const struct trace *trace)
{
	return 1 + (unsigned)(trace->file % VMIDS);
}

/* ---- the buffer */

static uint8_t *
unit_memory(struct amdgpu *amdgpu, struct trace *trace)
{
	const uint64_t address = trace->base + trace->position;
	struct sim_bo *bo;
	uint64_t there;
	uint8_t *at = trace->vm ? vm_at(trace->vm, address,
					AMDGPU_VM_PAGE_WRITEABLE, &there, &bo)
				: NULL;

	if (at && there >= TRACE_UNIT)
		return at;
	trace->has_failed = true;
	trace_violation(amdgpu, trace, "sqtt-fault",
			"page fault of the thread trace at 0x%llx, %s",
			(unsigned long long)address,
			trace->vm ? "where no buffer is"
				  : "whose process has gone");
	return NULL;
}

/* Return whether a trace has room: the last unit of a buffer stays empty. */
static bool
trace_has_room(const struct trace *trace)
{
	return trace->size > TRACE_UNIT &&
	       trace->position < trace->size - TRACE_UNIT;
}

static void
write_unit(struct amdgpu *amdgpu, struct trace *trace)
{
	uint8_t *to;

	trace->units++;
	trace->is_full |= !trace_has_room(trace);
	to = trace->is_full ? NULL : unit_memory(amdgpu, trace);
	if (to) {
		memcpy(to, trace->unit, TRACE_UNIT);
		trace->position += TRACE_UNIT;
	}
	memset(trace->unit, 0, TRACE_UNIT);
	trace->bits = 0;
}

/* Decoders want zeros behind the last token: AMD's, and tinygrad's. */
#define ZEROS_LEAST 128u /* bits */

void
trace_flush(struct amdgpu *amdgpu, struct trace *trace)
{
	const unsigned zeros = trace->bits ? UNIT_BITS - trace->bits : 0;

	trace->is_flushed = true;
	if (trace->has_failed)
		return;
	if (trace->bits)
		write_unit(amdgpu, trace);
	if (zeros < ZEROS_LEAST && !trace->has_failed)
		write_unit(amdgpu, trace);
}

static void
write_bits(struct amdgpu *amdgpu, struct trace *trace, uint64_t value,
	   unsigned bits)
{
	for (unsigned i = 0; i < bits && !trace->has_failed; i += 4) {
		uint8_t nibble = value >> i & 0xf;

		trace->unit[trace->bits / 8] |=
			(uint8_t)(nibble << trace->bits % 8);
		trace->bits += 4;
		if (trace->bits == UNIT_BITS)
			write_unit(amdgpu, trace);
	}
}

/* ---- time */

static uint64_t
delta_most(const struct layout *layout)
{
	return (1ull << layout->delta_bits) - 1;
}

#define SHORT_TIME_LEAST 4u
#define LONG_TIME_LEAST 4096u

/* Write the token of time that covers most of a gap. Returns what is left. */
static uint64_t
write_time(struct amdgpu *amdgpu, struct trace *trace, uint64_t gap)
{
	const struct layout *all = layouts_of(amdgpu);
	const struct layout *layout = &all[TOKEN_TIME];
	const struct layout *brief = &all[TOKEN_SHORT_TIME];
	uint64_t least = 0, more;

	if (brief->bits && gap >= SHORT_TIME_LEAST &&
	    gap <= SHORT_TIME_LEAST + delta_most(brief)) {
		layout = brief;
		least = SHORT_TIME_LEAST;
	} else if (all[TOKEN_LONG_TIME].bits && gap >= LONG_TIME_LEAST) {
		layout = &all[TOKEN_LONG_TIME];
	}
	more = gap - least;
	if (more > delta_most(layout))
		more = delta_most(layout);
	write_bits(amdgpu, trace, layout->match | more << layout->delta_shift,
		   layout->bits);
	return gap - least - more;
}

/* Return the shader clocks from the arming on, in the unit of the stream. */
static uint64_t
clock_at(const struct amdgpu *amdgpu, const struct trace *trace, uint64_t time)
{
	const uint64_t passed =
		time > trace->armed_at ? time - trace->armed_at : 0;
	unsigned __int128 clocks =
		(unsigned __int128)passed * amdgpu_sclk(amdgpu) / 1000;

	return (uint64_t)clocks /
	       (amdgpu->chip.sqtt_style == SQTT_GFX9 ? WORD_CLOCKS : 1);
}

/* ---- tokens */

static bool
is_included(const struct amdgpu *amdgpu, const struct trace *trace,
	    const struct layout *layout)
{
	if (!layout->bits)
		return false;
	if (layout->exclude < 0)
		return true;
	/* gfx10.1 has another meaning for the bit of waves */
	if (amdgpu->chip.sqtt_style == SQTT_GFX10_1 && layout->exclude == 4)
		return true;
	return (trace->token_mask >> layout->exclude & 1) ==
	       (amdgpu->chip.sqtt_style == SQTT_GFX9);
}

bool
trace_takes_waves(const struct amdgpu *amdgpu, const struct trace *trace)
{
	const struct layout *all = layouts_of(amdgpu);

	return is_included(amdgpu, trace, &all[TOKEN_WAVE_START]) ||
	       is_included(amdgpu, trace, &all[TOKEN_WAVE_END]);
}

/* Put a token at a moment: its fields, without what all of its kind have. */
static void
put_token(struct amdgpu *amdgpu, struct trace *trace, uint64_t time,
	  enum token token, uint64_t fields)
{
	const struct layout *layout = &layouts_of(amdgpu)[token];
	uint64_t clock = clock_at(amdgpu, trace, time), gap;

	if (!trace->is_armed || trace->is_flushed || trace->has_failed ||
	    !is_included(amdgpu, trace, layout))
		return;
	if (trace->is_full) {
		trace->lost++;
		trace->units++;
		return;
	}
	gap = clock > trace->clock ? clock - trace->clock : 0;
	trace->clock += gap;
	while (gap > delta_most(layout) && !trace->is_full &&
	       !trace->has_failed)
		gap = write_time(amdgpu, trace, gap);
	if (gap <= delta_most(layout))
		fields |= gap << layout->delta_shift;
	write_bits(amdgpu, trace, layout->match | fields, layout->bits);
}

void
trace_put_header(struct amdgpu *amdgpu, struct trace *trace)
{
	static const unsigned versions[] = {
		[SQTT_GFX10_1] = 1, [SQTT_GFX10_3] = 2, [SQTT_GFX11] = 3,
		[SQTT_GFX11_5] = 3, [SQTT_GFX12] = 4,
	};
	const struct chip *chip = &amdgpu->chip;
	uint64_t fields;

	if (chip->sqtt_style == SQTT_GFX9)
		return;
	fields = (uint64_t)versions[chip->sqtt_style] << 7 |
		 (trace->mask & 3) << 13 | (trace->mask >> 4 & 7) << 15 |
		 (trace->mask >> 9 & 1) << 19 |
		 (uint64_t)(chip->sa_per_se - 1) << 20 |
		 (uint64_t)((chip->cu_per_sa / 2 - 1) & 7) << 21 |
		 (uint64_t)DP_RATE << 28;
	if (chip->sqtt_style == SQTT_GFX12)
		fields |= (uint64_t)(trace->token_mask >> 14 & 1) << 59;
	put_token(amdgpu, trace, trace->armed_at, TOKEN_HEADER, fields);
}

/* Classes of registers, bits of REG_INCLUDE. */
#define INCLUDES_GFX_UCONFIG (1u << 2)
#define INCLUDES_COMPUTE (1u << 3)
/* REG_TYPE and REG_OP of gfx9. */
#define TYPE_USERDATA 3u
#define OPERATION_WRITE 1u

static void
put_gfx9_register(struct amdgpu *amdgpu, struct trace *trace,
		  const struct trace_source *source, bool is_cs,
		  uint32_t address, uint32_t data)
{
	const uint64_t place = source->pipe << 5 | source->me << 7;

	if (is_cs)
		put_token(amdgpu, trace, amdgpu->now, TOKEN_REGISTER_CS,
			  place | (uint64_t)(address & 0x7f) << 9 |
				  (uint64_t)data << 16);
	else if (trace->token_mask >> (16 + TYPE_USERDATA) & 1)
		put_token(amdgpu, trace, amdgpu->now, TOKEN_REGISTER,
			  place | TYPE_USERDATA << 10 | OPERATION_WRITE << 15 |
				  (uint64_t)address << 16 |
				  (uint64_t)data << 32);
}

void
trace_put_register(struct amdgpu *amdgpu, struct trace *trace,
		   const struct trace_source *source, bool is_cs,
		   uint32_t address, uint32_t data)
{
	const enum sqtt_style style = amdgpu->chip.sqtt_style;

	if (style == SQTT_GFX9) {
		put_gfx9_register(amdgpu, trace, source, is_cs, address, data);
		return;
	}
	if (!(trace->token_mask >> 16 &
	      (is_cs ? INCLUDES_COMPUTE : INCLUDES_GFX_UCONFIG)))
		return;
	/* gfx10 has so the markers of compute, too */
	if (style <= SQTT_GFX10_3 && !source->is_gfx)
		is_cs = true;
	put_token(amdgpu, trace, amdgpu->now, TOKEN_REGISTER,
		  source->pipe << 7 | source->me << 9 | (uint64_t)is_cs << 15 |
			  (uint64_t)address << 16 | (uint64_t)data << 32);
}

/* Bits for events at the top and at the bottom of the pipe. */
#define SPI_CONFIG_CNTL BYTE_TO_DWORD(0x31100u)
#define SPI_CONFIG_EVENTS (3u << 24)
#define SPI_SQG_EVENT_CTL BYTE_TO_DWORD(0x31120u) /* gfx12 */
#define SPI_SQG_EVENTS 3u

/* Return whether the SPI sends events to traces. */
static bool
has_events(const struct amdgpu *amdgpu, const struct trace *trace)
{
	const uint32_t *registers = amdgpu->dies[trace->die]->registers;

	if (amdgpu->chip.sqtt_style == SQTT_GFX12)
		return (registers[SPI_SQG_EVENT_CTL] & SPI_SQG_EVENTS) ==
		       SPI_SQG_EVENTS;
	return (registers[SPI_CONFIG_CNTL] & SPI_CONFIG_EVENTS) ==
	       SPI_CONFIG_EVENTS;
}

#define EVENT_REGISTER 0xffu /* of shaders, by which EVENT_WRITE shows */
#define DRAW_EVENT_EN (1u << 31)

void
trace_put_event(struct amdgpu *amdgpu, struct trace *trace,
		const struct trace_source *source, unsigned event)
{
	const bool shows = has_events(amdgpu, trace);

	if (amdgpu->chip.sqtt_style == SQTT_GFX9) {
		if (shows)
			put_token(amdgpu, trace, amdgpu->now,
				  source->is_gfx ? TOKEN_EVENT : TOKEN_EVENT_CS,
				  event << 10);
		return;
	}
	if (!source->is_gfx)
		trace_put_register(amdgpu, trace, source, true, EVENT_REGISTER,
				   event);
	if (shows && trace->control & DRAW_EVENT_EN)
		put_token(amdgpu, trace, amdgpu->now, TOKEN_EVENT, event << 18);
}

#define REG_INIT_DISPATCH 2u

void
trace_put_dispatch(struct amdgpu *amdgpu, struct trace *trace,
		   const struct trace_source *source)
{
	if (amdgpu->chip.sqtt_style == SQTT_GFX9) {
		/* COMPUTE_DISPATCH_INITIATOR */
		trace_put_register(amdgpu, trace, source, true, 0, 1);
		return;
	}
	put_token(amdgpu, trace, amdgpu->now, TOKEN_DISPATCH,
		  trace_vmid(trace) << 10 | source->pipe << 14 |
			  source->me << 16 | REG_INIT_DISPATCH << 18 | 1 << 20);
}

/* ---- waves */

void
trace_put_wave_start(struct amdgpu *amdgpu, struct trace *trace, uint64_t time,
		     const struct trace_run *run,
		     const struct trace_place *place)
{
	const struct trace_source *source = &run->source;
	uint64_t fields;

	switch (amdgpu->chip.sqtt_style) {
	case SQTT_GFX9:
		fields = place->sa << 5 | place->unit << 6 | place->wave << 10 |
			 place->simd << 14 | source->pipe << 16 |
			 source->me << 18 | (uint64_t)run->threads << 22;
		break;
	case SQTT_GFX12:
		fields = place->sa << 7 | place->simd << 8 | place->unit << 10 |
			 place->wave << 15 | source->pipe << 20 |
			 source->me << 22 | (uint64_t)run->threads << 25;
		break;
	default:
		fields = place->sa << 7 | place->simd << 8 | place->unit << 10 |
			 place->wave << 13 | source->pipe << 21 |
			 source->me << 23 | (uint64_t)run->threads << 25;
		break;
	}
	put_token(amdgpu, trace, time, TOKEN_WAVE_START, fields);
}

void
trace_put_wave_end(struct amdgpu *amdgpu, struct trace *trace, uint64_t time,
		   const struct trace_run *run, const struct trace_place *place)
{
	uint64_t fields;

	(void)run;
	if (amdgpu->chip.sqtt_style == SQTT_GFX9)
		fields = place->sa << 5 | place->unit << 6 | place->wave << 10 |
			 place->simd << 14;
	else
		fields = place->sa << 8 | place->simd << 9 | place->unit << 11 |
			 place->wave << 15;
	put_token(amdgpu, trace, time, TOKEN_WAVE_END, fields);
}
