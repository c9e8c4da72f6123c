/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The few instructions of shaders that are followed, by their encodings in
 * AMD's documents of the instruction sets and in LLVM's tests of its assembler
 * (llvm/test/MC/AMDGPU).
 */
#ifndef DRMSIM_AMDGPU_SHADER_INSTRUCTION_H
#define DRMSIM_AMDGPU_SHADER_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define INSTRUCTION_DWORDS 3 /* at most */

enum operation {
	OPERATION_END,
	OPERATION_NOTHING, /* waits, and does nothing else */
	OPERATION_SCALAR_MOVE,
	OPERATION_MOVE,
	OPERATION_SHIFT_LEFT,
	OPERATION_ADD,
	OPERATION_LOAD, /* a dword */
	OPERATION_STORE,
};

enum memory_space { SPACE_BUFFER, SPACE_FLAT, SPACE_GLOBAL };

/* Sources of 9 bits: scalar registers, then constants, then vector ones. */
#define SOURCE_LITERAL 255
#define SOURCE_VECTORS 256

struct instruction {
	enum operation operation;
	unsigned dwords;
	unsigned destination, source, other; /* other: a vector register */
	uint32_t literal;
	/* LOAD and STORE */
	enum memory_space space;
	unsigned address, data; /* vector registers */
	unsigned base;		/* scalar: an address, or four of a buffer */
	bool has_base;		/* else the vector has all of the address */
	unsigned scalar_offset; /* buffers: a source */
	int32_t offset;
	bool by_offset, by_index; /* buffers: what the vector has */
	bool lacks_format; /* gfx12: buffer without its format */
	bool past_cache;	  /* not to be taken from the nearest cache */
};

/*
 * Decode an instruction of a generation from 7 to 12; words holds
 * INSTRUCTION_DWORDS. Returns false: it is none of those above.
 */
bool instruction_decode(unsigned generation, const uint32_t *words,
			struct instruction *out);

#endif /* DRMSIM_AMDGPU_SHADER_INSTRUCTION_H */
