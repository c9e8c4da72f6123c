/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread traces by command buffers written by hand: how generations begin and
 * end one, as Mesa and AMD PAL do. Addresses and values: Mesa, Linux.
 */
#ifndef DRMPERF_TESTS_DRMSIM_SQTT_HAND_H
#define DRMPERF_TESTS_DRMSIM_SQTT_HAND_H

#include "tests/drmsim/chips.h"
#include "tests/drmsim/sqtt_tokens.h"

#define SQTT_VEGA10 GPUS /* behind those of chips.h */
#define SQTT_STRIX (GPUS + 1)
#define SQTT_SIZE 0x10000u /* bytes for each engine, of which tests use less */
#define SQTT_ENGINES 8
#define SQTT_START 0x33u
#define SQTT_STOP 0x34u
#define SQTT_FINISH 0x37u
#define SQTT_FLUSH 7u /* CS_PARTIAL_FLUSH */
#define SQTT_USERDATA_2 0x30d08u
#define SQTT_ENABLE 0xb878u

struct sqtt_generation {
	const char *name;
	unsigned gpu; /* on the machine */
	unsigned engines;
	enum sqtt_family family;
	unsigned version; /* of the stream's header */
	bool is_config; /* its registers are reached by COPY_DATA only */
	bool is_absolute; /* WPTR holds an address */
	/* registers; 0: it has none */
	uint32_t base, base_high, size, mask, token_mask, reset, mode;
	uint32_t wptr, status, count;
	uint32_t mask_value, token_value, mode_value, mode_off;
	uint32_t done, busy; /* fields of STATUS */
	uint32_t all_vmid_mask, all_vmid_mode; /* bits */
	uint32_t clock_register;
	/* waves by a counter of SQ */
	uint32_t waves_select, waves_lo, waves_value;
};

enum {
	SQTT_GFX103,
	SQTT_GFX11,
	SQTT_GFX12,
	SQTT_GFX9,
	SQTT_GFX101,
	SQTT_GFX115,
	SQTT_MI200,
	SQTT_GENERATIONS
};

extern const struct sqtt_generation sqtt_generations[SQTT_GENERATIONS];

/* A trace of a GPU; tests change it before sqtt_start(). */
struct sqtt_trace {
	const struct sqtt_generation *generation;
	struct hand_gpu gpu;
	uint32_t size; /* bytes for each engine */
	uint32_t mask, token_mask, mode;
	unsigned engines; /* that are traced */
	amdgpu_bo_handle bo;
	amdgpu_va_handle va;
	uint64_t address;
	uint8_t *memory;
	uint32_t wptr[SQTT_ENGINES], status[SQTT_ENGINES], count[SQTT_ENGINES];
};

/* Open a trace: a stable pstate, clocks on, a buffer, and counters of waves. */
void
sqtt_open(struct sqtt_trace *trace, const struct sqtt_generation *generation,
	  unsigned ip);
void
sqtt_close(struct sqtt_trace *trace);
/* Take away the buffer, which a test may do earlier. */
void
sqtt_free_buffer(struct sqtt_trace *trace);

/* Emit packets, without submitting them. */
void
sqtt_emit_register(struct sqtt_trace *trace, uint32_t reg, uint32_t value);
void
sqtt_emit_engine(struct sqtt_trace *trace, unsigned engine);
void
sqtt_emit_arm(struct sqtt_trace *trace);
void
sqtt_emit_begin(struct sqtt_trace *trace);
void
sqtt_emit_end(struct sqtt_trace *trace);
void
sqtt_emit_wait(struct sqtt_trace *trace, unsigned engine, uint32_t mask,
	       bool is_equal);
/* Stop engines, with or without a wait for FINISH_DONE, and read them. */
void
sqtt_emit_stop(struct sqtt_trace *trace, bool waits);

/* Start with all that belongs to it; sqtt_stop() likewise. */
void
sqtt_start(struct sqtt_trace *trace);
void
sqtt_stop(struct sqtt_trace *trace);

/* Return the bytes that an engine has written. */
size_t
sqtt_bytes(const struct sqtt_trace *trace, unsigned engine);
/* Decode what an engine has written. */
void
sqtt_read(const struct sqtt_trace *trace, unsigned engine,
	  struct sqtt_stream *stream);
/* Return the waves of all engines. */
uint64_t
sqtt_waves(const struct sqtt_trace *trace);

#endif /* DRMPERF_TESTS_DRMSIM_SQTT_HAND_H */
