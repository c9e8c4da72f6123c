/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A decoder of thread traces, for tests of drmsim: what a stream of tokens
 * holds. Layouts: AMD's rocprof-trace-decoder, tinygrad's sqtt.py, Linux. It
 * shares nothing with what writes them.
 */
#ifndef DRMPERF_TESTS_DRMSIM_SQTT_TOKENS_H
#define DRMPERF_TESTS_DRMSIM_SQTT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQTT_OPEN_MAX 4096
#define SQTT_WRITES_MAX 256

enum sqtt_family {
	SQTT_WORDS, /* gfx9 */
	SQTT_NIBBLES_GFX10,
	SQTT_NIBBLES_GFX11,
	SQTT_NIBBLES_GFX12
};

/* What a whole stream tells. */
struct sqtt_stream {
	unsigned version; /* of the header; 0: there is none */
	uint64_t starts, ends;
	/* ends of waves that had not begun, and beginnings of those that had */
	uint64_t unmatched;
	uint64_t threads; /* of all waves */
	uint64_t dispatches, events;
	uint64_t clocks; /* sum of all times */
	uint64_t first_start, last_end; /* clocks */
	uint64_t waves_of_sa[2];
	unsigned most_at_once, running;
	/* registers that were written: markers, and those of shaders */
	struct sqtt_write {
		bool is_cs;
		uint32_t address, data;
	} writes[SQTT_WRITES_MAX];
	unsigned write_count;
	uint8_t running_waves[SQTT_OPEN_MAX];
};

/* Decode bytes. Returns false if a token is unknown or cut off by zeros. */
bool
sqtt_decode(enum sqtt_family family, const uint8_t *bytes, size_t size,
	    struct sqtt_stream *stream);
/* Return how many writes of a register have this value. */
unsigned
sqtt_writes(const struct sqtt_stream *stream, bool is_cs, uint32_t address,
	    uint32_t data);

#endif /* DRMPERF_TESTS_DRMSIM_SQTT_TOKENS_H */
