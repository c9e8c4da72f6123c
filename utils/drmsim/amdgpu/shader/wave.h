/* SPDX-License-Identifier: BSD-3-Clause */
/* A wave of a shader that is followed: its registers, and what it does. */
#ifndef DRMSIM_AMDGPU_SHADER_WAVE_H
#define DRMSIM_AMDGPU_SHADER_WAVE_H

#include <stdint.h>

#define WAVE_LANES 64
#define WAVE_SCALARS 128
#define WAVE_VECTORS 256
#define WAVE_LINES 64

struct instruction;
struct ring;
struct shader_work;

struct wave {
	struct ring *ring;
	unsigned line_size; /* of the caches, in bytes */
	unsigned lanes;
	uint32_t scalar[WAVE_SCALARS];
	uint32_t vector[WAVE_VECTORS][WAVE_LANES];
	/* Lines read by the wave that the nearest cache holds. */
	uint64_t lines[WAVE_LINES];
	unsigned line_count;
};

/*
 * Adds what memory is asked for to *work. 0; -EFAULT: memory is not there, and
 * the ring hangs.
 */
int wave_execute(struct wave *wave, const struct instruction *instruction,
		 struct shader_work *work);

#endif /* DRMSIM_AMDGPU_SHADER_WAVE_H */
