/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shaders of straight-line code, put together instruction by instruction. Of
 * vector registers there are 0 to 7; 0 begins with the number of the thread.
 * Memory is what the launch gives, from offset 0 on.
 *
 * Encodings: AMD's ISA documents of Sea Islands, GCN 3, Vega, RDNA 1, 3 and 4.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_SHADER_H
#define DRMPERF_SELFTEST_AMDGPU_SHADER_H

#include <stdint.h>

/* Instructions are fetched beyond the end of a shader. */
#define SHADER_DWORDS 256u
#define SHADER_LEAST_REST 64u

struct shader {
	unsigned level; /* major version of the graphics core */
	unsigned count;
	uint32_t dwords[SHADER_DWORDS];
};

void shader_begin(struct shader *shader, unsigned level);

void shader_move(struct shader *shader, unsigned to, uint32_t value);
/* Move the number of the group, of a launch that gives memory. */
void
shader_move_group(struct shader *shader, unsigned to);
void shader_shift_left(struct shader *shader, unsigned to, unsigned from,
		       unsigned bits);
/* Add: to = from + value. */
void shader_add(struct shader *shader, unsigned to, unsigned from,
		uint32_t value);
/* Add: to = to + from. */
void
shader_add_register(struct shader *shader, unsigned to, unsigned from);
/* Load a dword at the offset that a register has, in bytes. */
void shader_load(struct shader *shader, unsigned to, unsigned offset);
void shader_store(struct shader *shader, unsigned from, unsigned offset);
/* Wait until all that has been loaded and stored is there. */
void shader_wait(struct shader *shader);

/* Ends it, and fills the rest. */
void shader_end(struct shader *shader);

/* Write the four dwords that describe where the memory is. */
void shader_describe(unsigned level, uint64_t address, uint32_t bytes,
		     uint32_t out[4]);

#endif /* DRMPERF_SELFTEST_AMDGPU_SHADER_H */
