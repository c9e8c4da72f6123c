/* SPDX-License-Identifier: BSD-3-Clause */
/* When the rings work: the stretch of time that each was last busy in. */
#ifndef DRMSIM_AMDGPU_GFX_BUSY_H
#define DRMSIM_AMDGPU_GFX_BUSY_H

#include <stdint.h>

struct amdgpu;
struct die;

struct stretch {
	const struct die *die;
	uint64_t from, to; /* to: when the work launched so far ends */
};

/* Return the busy time of all rings of a die together in an interval. */
uint64_t busy_time(const struct amdgpu *amdgpu, const struct die *die,
		   uint64_t from, uint64_t to);

#endif /* DRMSIM_AMDGPU_GFX_BUSY_H */
