/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/shader.h"

#include <assert.h>

/* First operands: a literal that follows, or a vector register. */
#define LITERAL 255u
#define VECTOR 256u
#define SMALL(value) (128u + (value)) /* 0 to 64 */

/*
 * Scalar registers: the number of the group is behind the four of the memory;
 * gfx12 has it in ttmp9.
 */
#define GROUP 4u
#define GROUP_GFX12 117u

/*
 * Format bits on gfx12: one has to be given, and this is what compilers give.
 */
#define FORMAT (1u << 23)

/* A scalar operand that is 0. */
#define ZERO 128u
#define NULL_GFX10 125u
#define NULL_GFX11 124u

static void
shader_put(struct shader *shader, uint32_t dword)
{
	assert(shader->count < SHADER_DWORDS);
	shader->dwords[shader->count++] = dword;
}

void
shader_begin(struct shader *shader, unsigned level)
{
	shader->level = level;
	shader->count = 0;
}

/* ------------------------------------------------------------------ */
/* Vector instructions                                                  */

static uint32_t
vop1(unsigned operation, unsigned to, unsigned source)
{
	return 0x7e000000u | to << 17 | operation << 9 | source;
}

static uint32_t
vop2(unsigned operation, unsigned to, unsigned second, unsigned source)
{
	return operation << 25 | to << 17 | second << 9 | source;
}

void
shader_move(struct shader *shader, unsigned to, uint32_t value)
{
	shader_put(shader, vop1(1, to, LITERAL));
	shader_put(shader, value);
}

void
shader_move_group(struct shader *shader, unsigned to)
{
	unsigned from = shader->level < 12 ? GROUP : GROUP_GFX12;

	shader_put(shader, vop1(1, to, from));
}

void
shader_shift_left(struct shader *shader, unsigned to, unsigned from,
		  unsigned bits)
{
	/* v_lshlrev_b32 */
	static const unsigned operations[] = { 26, 18, 18, 26, 24, 24 };

	shader_put(shader,
		   vop2(operations[shader->level - 7], to, from, SMALL(bits)));
}

/* v_add_i32, v_add_u32, v_add_nc_u32 */
static void
put_add(struct shader *shader, unsigned to, unsigned second, unsigned source)
{
	static const unsigned operations[] = { 37, 25, 52, 37, 37, 37 };

	shader_put(shader,
		   vop2(operations[shader->level - 7], to, second, source));
}

void
shader_add(struct shader *shader, unsigned to, unsigned from, uint32_t value)
{
	put_add(shader, to, from, LITERAL);
	shader_put(shader, value);
}

void
shader_add_register(struct shader *shader, unsigned to, unsigned from)
{
	put_add(shader, to, to, VECTOR + from);
}

/* ------------------------------------------------------------------ */
/* Memory                                                               */

/* Put a buffer instruction with the offset in a register, by s[0:3]. */
static void
put_access(struct shader *shader, unsigned operation, unsigned data,
	   unsigned offset)
{
	if (shader->level >= 12) {
		shader_put(shader, 0xc4000000u | operation << 14 | NULL_GFX11);
		shader_put(shader, 1u << 30 | FORMAT | data);
		shader_put(shader, offset);
	} else if (shader->level == 11) {
		shader_put(shader, 0xe0000000u | operation << 18);
		shader_put(shader, ZERO << 24 | 1u << 22 | data << 8 | offset);
	} else {
		shader_put(shader, 0xe0000000u | operation << 18 | 1u << 12);
		shader_put(shader, ZERO << 24 | data << 8 | offset);
	}
}

void
shader_load(struct shader *shader, unsigned to, unsigned offset)
{
	/* buffer_load_dword, buffer_load_b32 */
	static const unsigned operations[] = { 12, 20, 20, 12, 20, 20 };

	put_access(shader, operations[shader->level - 7], to, offset);
}

void
shader_store(struct shader *shader, unsigned from, unsigned offset)
{
	/* buffer_store_dword, buffer_store_b32 */
	static const unsigned operations[] = { 28, 28, 28, 28, 26, 26 };

	put_access(shader, operations[shader->level - 7], from, offset);
}

static uint32_t
encode_sopp(unsigned operation)
{
	return 0xbf800000u | operation << 16;
}

void
shader_wait(struct shader *shader)
{
	if (shader->level >= 12) {
		shader_put(shader, encode_sopp(0x40)); /* s_wait_loadcnt 0 */
		shader_put(shader, encode_sopp(0x41)); /* s_wait_storecnt 0 */
		return;
	}
	shader_put(shader,
		   encode_sopp(shader->level == 11 ? 9 : 12)); /* s_waitcnt 0 */
	/* s_waitcnt_vscnt null, 0 */
	if (shader->level == 10)
		shader_put(shader, 0xbb800000u | NULL_GFX10 << 16);
	else if (shader->level == 11)
		shader_put(shader, 0xbc000000u | NULL_GFX11 << 16);
}

void
shader_end(struct shader *shader)
{
	uint32_t end = encode_sopp(shader->level < 11 ? 1 : 48); /* s_endpgm */

	assert(shader->count + SHADER_LEAST_REST <= SHADER_DWORDS);
	while (shader->count < SHADER_DWORDS)
		shader_put(shader, end);
}

void
shader_describe(unsigned level, uint64_t address, uint32_t bytes,
		uint32_t out[4])
{
	/* its parts in their order */
	const uint32_t order = 4u | 5u << 3 | 6u << 6 | 7u << 9;

	out[0] = (uint32_t)address;
	out[1] = (uint32_t)(address >> 32) & 0xffff;
	out[2] = bytes;
	if (level < 10)
		out[3] = order | 4u << 12 | 4u << 15; /* 32 bits, unsigned */
	else /* the same, and offsets are compared with the size in bytes */
		out[3] = order | 20u << 12 | 3u << 28 |
			 (level == 10 ? 1u << 24 : 0);
}
