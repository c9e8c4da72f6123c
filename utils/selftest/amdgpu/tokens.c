/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/tokens.h"

#include "base/array.h"

#define VERSION_BIT 7
#define VERSION_MASK 0x3f

enum token_kind {
	OTHER,
	HEADER,
	START,
	START_EXT, /* on gfx12 bytes may follow, see skip_extension() */
	END
};

/*
 * Lengths in nibbles; later, where gfx12 has another one; 0: only gfx12 has it.
 */
struct trace_token {
	uint8_t mask, match, nibbles, later;
	enum token_kind kind;
};

/* The first one that matches it is: those of more bits come first. */
static const struct trace_token tokens[] = {
	{ 0xff, 0x61, 6, 0, OTHER }, /* EVENT */
	{ 0xff, 0xe1, 8, 0, OTHER }, /* EVENT_BIG */
	{ 0x7f, 0x01, 12, 16, OTHER }, /* TS_DELTA_OR_MARK */
	{ 0x7f, 0x06, 0, 14, OTHER }, /* SHADER_DATA */
	{ 0x7f, 0x11, 16, 0, HEADER },
	{ 0x7f, 0x21, 18, 0, OTHER }, /* NEW_PC */
	{ 0x7f, 0x31, 12, 0, OTHER }, /* UTILCTR */
	{ 0x7f, 0x46, 0, 8, OTHER }, /* SHADER_DATA_SHORT */
	{ 0x7f, 0x51, 6, 0, OTHER }, /* MISC */
	{ 0x7f, 0x66, 0, 6, OTHER }, /* EXEC_POPCOUNT1 */
	{ 0x7f, 0x71, 16, 0, OTHER }, /* SNAPSHOT */
	{ 0x3f, 0x16, 0, 12, OTHER }, /* EXEC_POPCOUNT3 */
	{ 0x1f, 0x04, 6, 0, OTHER }, /* IMMEDIATE_MASK */
	{ 0x1f, 0x05, 5, 6, OTHER }, /* WAVEALLOC */
	{ 0x1f, 0x06, 13, 14, OTHER }, /* SHADER_DATA */
	{ 0x1f, 0x0c, 8, 0, START },
	{ 0x1f, 0x14, 6, 0, OTHER }, /* WAVERDY */
	{ 0x1f, 0x15, 5, 0, END },
	{ 0x1f, 0x16, 7, 8, OTHER }, /* PERF */
	{ 0x1f, 0x1c, 12, 10, START_EXT }, /* WAVE_START_EXT */
	{ 0x0f, 0x00, 1, 0, OTHER }, /* NOP */
	{ 0x0f, 0x08, 2, 0, OTHER }, /* TS_DELTA_SHORT */
	{ 0x0f, 0x09, 16, 0, OTHER }, /* REG */
	{ 0x0f, 0x0d, 3, 0, OTHER }, /* IMMEDIATE */
	{ 0x0f, 0x0e, 2, 0, OTHER }, /* ALUEXEC */
	{ 0x0f, 0x0f, 2, 0, OTHER }, /* VMEMEXEC */
	{ 0x07, 0x02, 5, 0, OTHER }, /* INST */
	{ 0x07, 0x03, 3, 0, OTHER }, /* VALUINST */
};

/* Bytes of tokens of gfx9, by the type in their lowest four bits. */
static const uint8_t old_bytes[16] = {
	2, 8, 8, 4, 2, 6, 2, 2, 2, 2, 2, 8, 6, 4, 8, 6,
};
#define OLD_START 3
#define OLD_END 6

static unsigned
nibble_at(const uint8_t *bytes, size_t at)
{
	return bytes[at / 2] >> (at % 2 * 4) & 0xf;
}

/* Return the bits from a nibble on, of which what lies behind the end is 0. */
static uint32_t
bits_at(const uint8_t *bytes, size_t nibbles, size_t at)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < 8 && at + i < nibbles; i++)
		bits |= nibble_at(bytes, at + i) << 4 * i;
	return bits;
}

static const struct trace_token *
find_token(uint32_t bits, bool is_later)
{
	for (size_t i = 0; i < ARRAY_SIZE(tokens); i++) {
		if ((bits & tokens[i].mask) == tokens[i].match &&
		    (is_later || tokens[i].nibbles))
			return &tokens[i];
	}
	return NULL;
}

/* Skip what gfx12 puts behind the start of a wave: bytes that are odd. */
static size_t
skip_extension(const uint8_t *bytes, size_t nibbles, size_t at)
{
	while (at < nibbles && nibble_at(bytes, at) & 1)
		at += 2;
	return at;
}

static void
count_token(enum token_kind kind, uint32_t bits, struct token_counts *out)
{
	if (kind == HEADER)
		out->version = bits >> VERSION_BIT & VERSION_MASK;
	out->starts += kind == START || kind == START_EXT;
	out->ends += kind == END;
}

static bool
count_old(const uint8_t *bytes, size_t size, struct token_counts *out)
{
	size_t at = 0;

	while (at < size) {
		const unsigned type = bytes[at] & 0xf;

		out->starts += type == OLD_START;
		out->ends += type == OLD_END;
		at += old_bytes[type];
	}
	return at == size;
}

bool
tokens_count(unsigned level, const void *data, size_t size,
	     struct token_counts *out)
{
	const uint8_t *bytes = data;
	const size_t nibbles = 2 * size;
	const bool is_later = level >= 12;
	size_t at = 0;

	*out = (struct token_counts){ 0 };
	if (level < 10)
		return count_old(bytes, size, out);
	while (at < nibbles) {
		const uint32_t bits = bits_at(bytes, nibbles, at);
		const struct trace_token *token = find_token(bits, is_later);

		if (!token)
			return false;
		count_token(token->kind, bits, out);
		at += is_later && token->later ? token->later : token->nibbles;
		if (is_later && token->kind == START_EXT)
			at = skip_extension(bytes, nibbles, at);
	}
	return at == nibbles;
}
