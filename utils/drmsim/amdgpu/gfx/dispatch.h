/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of waves. */
#ifndef DRMSIM_AMDGPU_GFX_DISPATCH_H
#define DRMSIM_AMDGPU_GFX_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

struct dispatch {
	uint64_t waves, groups, threads;
	unsigned die;
	bool allowed; /* its queue allowed counting */
	bool is_gfx;
	unsigned pipe;
	unsigned stage;
};

#endif /* DRMSIM_AMDGPU_GFX_DISPATCH_H */
