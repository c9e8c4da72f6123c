/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/shader/instruction.h"

static uint32_t
word_bits(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & (uint32_t)((1ull << (high - low + 1)) - 1);
}

static int32_t
signed_bits(uint32_t word, unsigned high, unsigned low)
{
	uint32_t value = word_bits(word, high, low);
	uint32_t sign = 1u << (high - low);

	return (int32_t)((value ^ sign) - sign);
}

/* A number by generation, 7 to 12. */
struct numbers {
	uint8_t of[6];
};

static unsigned
opcode_number(const struct numbers *numbers, unsigned generation)
{
	return numbers->of[generation - 7];
}

/* Take a source that is followed, with the literal behind the instruction. */
static bool
take_source(unsigned source, const uint32_t *words, struct instruction *out)
{
	out->source = source;
	if (source == SOURCE_LITERAL) {
		out->literal = words[1];
		out->dwords = 2;
		return true;
	}
	/* scalar registers, 0 to 64, -1 to -16, vector registers */
	return source < 106 || (source >= 108 && source <= 123) ||
	       (source >= 128 && source <= 208) || source >= SOURCE_VECTORS;
}

/* ---- scalar */

static bool
decode_sopp(unsigned generation, uint32_t word, struct instruction *out)
{
	static const struct numbers end = { { 1, 1, 1, 1, 48, 48 } };
	static const struct numbers wait = { { 12, 12, 12, 12, 9, 9 } };
	unsigned operation = word_bits(word, 22, 16);

	out->operation = OPERATION_NOTHING;
	if (operation == opcode_number(&end, generation)) {
		out->operation = OPERATION_END;
		return true;
	}
	if (operation == 0) /* s_nop */
		return true;
	/* gfx12 has s_wait_loadcnt and its like */
	return generation < 12 ? operation == opcode_number(&wait, generation)
			       : operation >= 0x40 && operation <= 0x49;
}

/* Decode s_waitcnt_vscnt null, of gfx10 and gfx11. */
static bool
decode_sopk(unsigned generation, uint32_t word, struct instruction *out)
{
	unsigned operation = word_bits(word, 27, 23),
		 register_ = word_bits(word, 22, 16);

	out->operation = OPERATION_NOTHING;
	return (generation == 10 && operation == 0x17 && register_ == 125) ||
	       (generation == 11 && operation == 0x18 && register_ == 124);
}

static bool
decode_sop1(unsigned generation, const uint32_t *words, struct instruction *out)
{
	static const struct numbers move = { { 3, 0, 0, 3, 0, 0 } };
	uint32_t word = words[0];

	out->operation = OPERATION_SCALAR_MOVE;
	out->destination = word_bits(word, 22, 16);
	return word_bits(word, 15, 8) == opcode_number(&move, generation) &&
	       out->destination < 106 &&
	       take_source(word_bits(word, 7, 0), words, out);
}

/* ---- vector */

static bool
decode_vop1(const uint32_t *words, struct instruction *out)
{
	uint32_t word = words[0];

	if (word_bits(word, 16, 9) != 1)
		return false;
	out->operation = OPERATION_MOVE;
	out->destination = word_bits(word, 24, 17);
	return take_source(word_bits(word, 8, 0), words, out);
}

static bool
decode_vop2(unsigned generation, const uint32_t *words, struct instruction *out)
{
	static const struct numbers shift = { { 26, 18, 18, 26, 24, 24 } };
	static const struct numbers add = { { 37, 25, 52, 37, 37, 37 } };
	uint32_t word = words[0];
	unsigned operation = word_bits(word, 30, 25);

	if (operation == opcode_number(&shift, generation))
		out->operation = OPERATION_SHIFT_LEFT;
	else if (operation == opcode_number(&add, generation))
		out->operation = OPERATION_ADD;
	else
		return false;
	out->destination = word_bits(word, 24, 17);
	out->other = word_bits(word, 16, 9);
	return take_source(word_bits(word, 8, 0), words, out);
}

/* ---- memory */

/* Loads and stores of a dword have these numbers in all of its forms. */
static bool
decode_direction(unsigned generation, unsigned operation,
		 struct instruction *out)
{
	static const struct numbers load = { { 12, 20, 20, 12, 20, 20 } };
	static const struct numbers store = { { 28, 28, 28, 28, 26, 26 } };

	if (operation == opcode_number(&load, generation))
		out->operation = OPERATION_LOAD;
	else if (operation == opcode_number(&store, generation))
		out->operation = OPERATION_STORE;
	else
		return false;
	return true;
}

static bool
decode_buffer(unsigned generation, const uint32_t *words,
	      struct instruction *out)
{
	uint32_t first = words[0], second = words[1];
	bool is_new = generation >= 11;

	out->dwords = 2;
	out->space = SPACE_BUFFER;
	out->offset = (int32_t)word_bits(first, 11, 0);
	out->past_cache = word_bits(first, 14, 14);
	out->by_offset =
		is_new ? word_bits(second, 22, 22) : word_bits(first, 12, 12);
	out->by_index =
		is_new ? word_bits(second, 23, 23) : word_bits(first, 13, 13);
	out->address = word_bits(second, 7, 0);
	out->data = word_bits(second, 15, 8);
	out->base = 4 * word_bits(second, 20, 16);
	out->scalar_offset = word_bits(second, 31, 24);
	/* nothing with 64-bit addresses or to the LDS */
	if (!is_new && (word_bits(first, 16, 16) ||
			(generation == 7 && word_bits(first, 15, 15))))
		return false;
	return decode_direction(generation,
				word_bits(first, is_new ? 25 : 24, 18), out);
}

static bool
decode_buffer_gfx12(const uint32_t *words, struct instruction *out)
{
	out->dwords = 3;
	out->space = SPACE_BUFFER;
	out->scalar_offset = word_bits(words[0], 6, 0);
	out->data = word_bits(words[1], 7, 0);
	out->base = word_bits(words[1], 17, 9);
	out->past_cache = word_bits(words[1], 19, 18);
	out->by_offset = word_bits(words[1], 30, 30);
	out->by_index = word_bits(words[1], 31, 31);
	out->address = word_bits(words[2], 7, 0);
	out->offset = (int32_t)word_bits(words[2], 31, 8);
	/* what compilers give there (LLVM's tests, Mesa's aco) */
	out->lacks_format = word_bits(words[1], 29, 23) != 1;
	return decode_direction(12, word_bits(words[0], 21, 14), out);
}

/* Decode the segment of flat, scratch and global. */
static bool
take_segment(unsigned segment, struct instruction *out)
{
	out->space = segment ? SPACE_GLOBAL : SPACE_FLAT;
	return segment == 0 || segment == 2;
}

static bool
decode_flat(unsigned generation, const uint32_t *words, struct instruction *out)
{
	static const struct numbers none = { { 0, 0, 127, 125, 124, 124 } };
	uint32_t first = words[0], second = words[1];
	unsigned segment = 0, base = word_bits(second, 22, 16);
	bool is_new = generation >= 11;

	out->dwords = 2;
	if (generation >= 9) {
		segment = is_new ? word_bits(first, 17, 16)
				 : word_bits(first, 15, 14);
		out->offset = signed_bits(first, generation == 10 ? 11 : 12, 0);
		out->has_base = segment &&
				base != opcode_number(&none, generation) &&
				base != 127;
	}
	if (!segment)
		out->offset = (int32_t)word_bits(first, 11, 0);
	out->past_cache =
		is_new ? word_bits(first, 14, 14) : word_bits(first, 16, 16);
	out->base = base;
	out->address = word_bits(second, 7, 0);
	out->data = word_bits(second, 15, 8);
	if (!decode_direction(generation, word_bits(first, 24, 18), out))
		return false;
	if (out->operation == OPERATION_LOAD)
		out->data = word_bits(second, 31, 24);
	return take_segment(segment, out);
}

static bool
decode_flat_gfx12(const uint32_t *words, struct instruction *out)
{
	out->dwords = 3;
	out->base = word_bits(words[0], 6, 0);
	out->has_base = out->base != 124;
	out->past_cache = word_bits(words[1], 19, 18);
	out->address = word_bits(words[2], 7, 0);
	out->offset = signed_bits(words[2], 31, 8);
	if (!decode_direction(12, word_bits(words[0], 21, 14), out))
		return false;
	out->data = out->operation == OPERATION_LOAD
			    ? word_bits(words[1], 7, 0)
			    : word_bits(words[1], 30, 23);
	return take_segment(word_bits(words[0], 25, 24), out);
}

bool
instruction_decode(unsigned generation, const uint32_t *words,
		   struct instruction *out)
{
	uint32_t word = words[0];

	*out = (struct instruction){ .dwords = 1 };
	if (generation < 7 || generation > 12)
		return false;
	if (word_bits(word, 31, 23) == 0x17f)
		return decode_sopp(generation, word, out);
	if (word_bits(word, 31, 23) == 0x17d)
		return decode_sop1(generation, words, out);
	if (word_bits(word, 31, 28) == 0xb)
		return decode_sopk(generation, word, out);
	if (word_bits(word, 31, 25) == 0x3f)
		return decode_vop1(words, out);
	if (!word_bits(word, 31, 31))
		return decode_vop2(generation, words, out);
	if (generation == 12 && word_bits(word, 31, 26) == 0x31)
		return decode_buffer_gfx12(words, out);
	if (generation == 12 && word_bits(word, 31, 26) == 0x3b)
		return decode_flat_gfx12(words, out);
	if (generation < 12 && word_bits(word, 31, 26) == 0x38)
		return decode_buffer(generation, words, out);
	if (generation < 12 && word_bits(word, 31, 26) == 0x37)
		return decode_flat(generation, words, out);
	return false;
}
