/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of waves, or another cause of traffic. */
#ifndef DRMSIM_AMDGPU_GFX_DISPATCH_H
#define DRMSIM_AMDGPU_GFX_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

/* The stage of compute shaders. */
#define STAGE_CS 6u

/* Work of a shader, summed over all waves; zeros if it is not followed. */
struct shader_work {
	uint64_t valu, salu;
	uint64_t loads, stores, flats; /* instructions; flats: of them */
	uint64_t lines_read, lines_written; /* asked of the nearest cache */
	uint64_t l2_reads, l2_writes;
};

struct dispatch {
	uint64_t waves, groups, threads;
	unsigned die;
	bool allowed; /* its queue allowed counting */
	bool is_gfx;
	bool is_copy; /* by the CP: no waves, and only the L2 sees it */
	unsigned pipe;
	unsigned stage;
	struct shader_work shader;
};

/* Return whether it is known what the shader does. */
static inline bool
dispatch_is_followed(const struct dispatch *dispatch)
{
	const struct shader_work *shader = &dispatch->shader;

	return shader->valu || shader->salu || shader->loads || shader->stores;
}

#endif /* DRMSIM_AMDGPU_GFX_DISPATCH_H */
