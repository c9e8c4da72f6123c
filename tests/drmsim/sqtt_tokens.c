/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/sqtt_tokens.h"

#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A field of a token; no bits: the token lacks it. */
struct field {
	uint8_t low, bits;
};

enum kind {
	OTHER,
	HEADER,
	WAVE_START,
	WAVE_END,
	REGISTER,
	REGISTER_CS,
	REG_INIT,
	EVENT,
};

struct token {
	unsigned families; /* bit by family */
	uint8_t mask, match;
	uint8_t bits;
	struct field delta;
	uint8_t more_clocks; /* that it stands for */
	enum kind kind;
	/* of waves */
	struct field sa, unit, simd, wave, threads;
};

#define W (1u << SQTT_WORDS)
#define N10 (1u << SQTT_NIBBLES_GFX10)
#define N11 (1u << SQTT_NIBBLES_GFX11)
#define N12 (1u << SQTT_NIBBLES_GFX12)
#define ALL_NIBBLES (N10 | N11 | N12)

/* Patterns with more bits go first. */
static const struct token tokens[] = {
	{ ALL_NIBBLES,
	  0xff,
	  0x61,
	  24,
	  { 8, 3 },
	  0,
	  EVENT,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ ALL_NIBBLES,
	  0x7f,
	  0x11,
	  64,
	  { 0, 0 },
	  0,
	  HEADER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ ALL_NIBBLES,
	  0x7f,
	  0x71,
	  64,
	  { 7, 3 },
	  0,
	  REG_INIT,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ ALL_NIBBLES,
	  0x7f,
	  0x51,
	  24,
	  { 7, 9 },
	  0,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ N11,
	  0x7f,
	  0x01,
	  48,
	  { 12, 36 },
	  0,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ N12,
	  0x7f,
	  0x01,
	  64,
	  { 12, 52 },
	  0,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ N10 | N11,
	  0x1f,
	  0x0c,
	  32,
	  { 5, 2 },
	  0,
	  WAVE_START,
	  { 7, 1 },
	  { 10, 3 },
	  { 8, 2 },
	  { 13, 5 },
	  { 25, 7 } },
	{ N12,
	  0x1f,
	  0x0c,
	  32,
	  { 5, 2 },
	  0,
	  WAVE_START,
	  { 7, 1 },
	  { 10, 4 },
	  { 8, 2 },
	  { 15, 5 },
	  { 25, 7 } },
	{ N10 | N11,
	  0x1f,
	  0x15,
	  20,
	  { 5, 3 },
	  0,
	  WAVE_END,
	  { 8, 1 },
	  { 11, 3 },
	  { 9, 2 },
	  { 15, 5 },
	  { 0, 0 } },
	{ N12,
	  0x1f,
	  0x15,
	  20,
	  { 5, 3 },
	  0,
	  WAVE_END,
	  { 8, 1 },
	  { 11, 4 },
	  { 9, 2 },
	  { 15, 5 },
	  { 0, 0 } },
	{ ALL_NIBBLES,
	  0x0f,
	  0x09,
	  64,
	  { 4, 3 },
	  0,
	  REGISTER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ N11 | N12,
	  0x0f,
	  0x08,
	  8,
	  { 4, 4 },
	  4,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ ALL_NIBBLES,
	  0x0f,
	  0x00,
	  4,
	  { 0, 0 },
	  0,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  0,
	  16,
	  { 4, 8 },
	  0,
	  OTHER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  2,
	  64,
	  { 4, 1 },
	  0,
	  REGISTER,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  3,
	  32,
	  { 4, 1 },
	  0,
	  WAVE_START,
	  { 5, 1 },
	  { 6, 4 },
	  { 14, 2 },
	  { 10, 4 },
	  { 22, 7 } },
	{ W,
	  0x0f,
	  5,
	  48,
	  { 4, 1 },
	  0,
	  REGISTER_CS,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  6,
	  16,
	  { 4, 1 },
	  0,
	  WAVE_END,
	  { 5, 1 },
	  { 6, 4 },
	  { 14, 2 },
	  { 10, 4 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  7,
	  16,
	  { 4, 1 },
	  0,
	  EVENT,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
	{ W,
	  0x0f,
	  8,
	  16,
	  { 4, 1 },
	  0,
	  EVENT,
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 },
	  { 0, 0 } },
};

static uint64_t
field_of(uint64_t value, struct field field)
{
	return value >> field.low & ((1ull << field.bits) - 1);
}

/* Read up to 64 bits from a nibble on; behind the end there are zeros. */
static uint64_t
read_bits(const uint8_t *bytes, size_t size, size_t nibble)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 16 && (nibble + i) / 2 < size; i++) {
		const uint64_t byte = bytes[(nibble + i) / 2];

		value |= (byte >> (nibble + i) % 2 * 4 & 0xf) << 4 * i;
	}
	return value;
}

static const struct token *
find_token(enum sqtt_family family, uint64_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(tokens); i++)
		if (tokens[i].families >> family & 1 &&
		    (value & tokens[i].mask) == tokens[i].match)
			return &tokens[i];
	return NULL;
}

/* ---- what tokens tell */

static void
note_write(struct sqtt_stream *stream, bool is_cs, uint64_t address,
	   uint64_t data)
{
	if (stream->write_count == SQTT_WRITES_MAX)
		return;
	stream->writes[stream->write_count++] = (struct sqtt_write){
		.is_cs = is_cs,
		.address = (uint32_t)address,
		.data = (uint32_t)data,
	};
}

static void
note_register(enum sqtt_family family, struct sqtt_stream *stream,
	      uint64_t value)
{
	note_write(stream,
		   family != SQTT_WORDS &&
			   field_of(value, (struct field){ 15, 1 }),
		   field_of(value, (struct field){ 16, 16 }),
		   field_of(value, (struct field){ 32, 32 }));
}

static void
note_wave(struct sqtt_stream *stream, const struct token *token, uint64_t value)
{
	const bool is_start = token->kind == WAVE_START;
	const uint64_t sa = field_of(value, token->sa);
	uint8_t *runs =
		&stream->running_waves[sa << 11 |
				       field_of(value, token->unit) << 7 |
				       field_of(value, token->simd) << 5 |
				       field_of(value, token->wave)];

	stream->unmatched += *runs == is_start;
	*runs = is_start;
	if (!is_start) {
		stream->ends++;
		stream->running--;
		stream->last_end = stream->clocks;
		return;
	}
	if (!stream->starts++)
		stream->first_start = stream->clocks;
	stream->waves_of_sa[sa]++;
	stream->threads += field_of(value, token->threads);
	stream->running++;
	if (stream->running > stream->most_at_once)
		stream->most_at_once = stream->running;
}

static void
note_token(enum sqtt_family family, struct sqtt_stream *stream,
	   const struct token *token, uint64_t value)
{
	stream->clocks += field_of(value, token->delta) + token->more_clocks;
	switch (token->kind) {
	case HEADER:
		stream->version =
			(unsigned)field_of(value, (struct field){ 7, 6 });
		break;
	case WAVE_START:
	case WAVE_END:
		note_wave(stream, token, value);
		break;
	case REGISTER:
		note_register(family, stream, value);
		break;
	case REGISTER_CS:
		note_write(stream, true,
			   field_of(value, (struct field){ 9, 7 }),
			   field_of(value, (struct field){ 16, 32 }));
		stream->dispatches += !field_of(value, (struct field){ 9, 7 });
		break;
	case REG_INIT:
		stream->dispatches +=
			field_of(value, (struct field){ 18, 2 }) == 2;
		break;
	case EVENT:
		stream->events++;
		break;
	case OTHER:
		break;
	}
}

bool
sqtt_decode(enum sqtt_family family, const uint8_t *bytes, size_t size,
	    struct sqtt_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	for (size_t at = 0; at < 2 * size;) {
		uint64_t value = read_bits(bytes, size, at);
		const struct token *token = find_token(family, value);

		if (!token || at + token->bits / 4 > 2 * size)
			return false;
		/* only the first token is a header */
		if (family != SQTT_WORDS &&
		    (at == 0) != (token->kind == HEADER))
			return false;
		note_token(family, stream, token, value);
		at += token->bits / 4;
	}
	return true;
}

unsigned
sqtt_writes(const struct sqtt_stream *stream, bool is_cs, uint32_t address,
	    uint32_t data)
{
	unsigned count = 0;

	for (unsigned i = 0; i < stream->write_count; i++)
		count += stream->writes[i].is_cs == is_cs &&
			 stream->writes[i].address == address &&
			 stream->writes[i].data == data;
	return count;
}
