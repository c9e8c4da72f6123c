/* SPDX-License-Identifier: BSD-3-Clause */
/* State of thread traces: for gfx/sqtt*.c alone. */
#ifndef DRMSIM_AMDGPU_GFX_SQTT_STATE_H
#define DRMSIM_AMDGPU_GFX_SQTT_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "amdgpu/gfx/chip.h"

struct amdgpu;
struct ring;
struct vm;

#define TRACE_UNIT 32u /* bytes */

/* Where a command or a wave comes from. */
struct trace_source {
	unsigned me, pipe;
	bool is_gfx;
};

/* Waves of one launch in one engine: rounds of as many as it has room for. */
struct trace_run {
	struct trace_run *next;
	struct trace_source source;
	unsigned stage, threads; /* threads: of a whole wave */
	uint64_t from, ns; /* of all rounds */
	uint64_t waves, at_once, rounds;
	uint64_t step; /* twice the round, plus 1: its end */
	uint64_t first_slot;
};

struct trace {
	unsigned die, se;
	/* registers, as written */
	uint32_t base_lo, base_hi, buffer_size, mask, token_mask, control;
	/* the buffer, as latched */
	uint64_t base, size, position; /* bytes */
	uint64_t units; /* that were to be written */
	uint64_t lost; /* tokens */
	/* who armed it */
	const struct vm *vm;
	uint64_t file;
	pid_t pid;
	bool is_armed, is_draining; /* is_draining: no more, but to its end */
	bool is_full, has_failed; /* has_failed: a write has faulted */
	bool is_reported; /* its buffer has been taken away */
	bool is_flushed;
	bool shows_end; /* FINISH_DONE comes */
	uint64_t finish_at; /* 0: not asked for; SIM_NEVER: never */
	uint64_t busy_until;
	uint64_t armed_at, clock; /* clock: of the last token, since then */
	uint8_t unit[TRACE_UNIT];
	unsigned bits; /* in the unit */
	struct trace_run *runs;
	uint64_t next_slot;
};

struct sqtt {
	struct trace *traces; /* of all dies */
	unsigned count;
	bool started[DIES_MAX]; /* by the event of the graphics ring */
};

/* A wave's place in its engine. */
struct trace_place {
	unsigned sa, unit, simd, wave; /* unit: WGP, or CU up to gfx9 */
};

/* Report what the file that traces has done wrong. */
#define trace_violation(amdgpu, trace, kind, ...)                              \
	sim_note_violation((amdgpu)->gpu, (trace)->pid, kind, __VA_ARGS__)

/* ---- sqtt_token.c: tokens go to the buffer, if the trace still takes them */
void
trace_put_header(struct amdgpu *amdgpu, struct trace *trace);
/*
 * Put a token of a register that is written; is_cs: a shader's, counted from
 * 0xb800 on.
 */
void
trace_put_register(struct amdgpu *amdgpu, struct trace *trace,
		   const struct trace_source *source, bool is_cs,
		   uint32_t address, uint32_t data);
void
trace_put_event(struct amdgpu *amdgpu, struct trace *trace,
		const struct trace_source *source, unsigned event);
void
trace_put_dispatch(struct amdgpu *amdgpu, struct trace *trace,
		   const struct trace_source *source);
void
trace_put_wave_start(struct amdgpu *amdgpu, struct trace *trace, uint64_t time,
		     const struct trace_run *run,
		     const struct trace_place *place);
void
trace_put_wave_end(struct amdgpu *amdgpu, struct trace *trace, uint64_t time,
		   const struct trace_run *run,
		   const struct trace_place *place);
/* Return whether waves leave any token. */
bool
trace_takes_waves(const struct amdgpu *amdgpu, const struct trace *trace);
/* Write what there is of a unit, with at least 16 bytes of zeros behind. */
void
trace_flush(struct amdgpu *amdgpu, struct trace *trace);
/* Return the number by which the trace's owner is shown. */
unsigned
trace_vmid(const struct trace *trace);

/* ---- sqtt_work.c */
/* See that a ring writes a register that takes markers. */
void
trace_see_marker(struct ring *ring, uint32_t dword, uint32_t value);
/* Write tokens of the waves that begin and end up to a moment. */
void
trace_advance(struct amdgpu *amdgpu, struct trace *trace, uint64_t now);
void
trace_forget_runs(struct trace *trace);

#endif /* DRMSIM_AMDGPU_GFX_SQTT_STATE_H */
