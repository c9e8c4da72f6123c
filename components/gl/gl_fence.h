/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A place in what a context has asked the GPU to do: any thread can wait until
 * the GPU has got there.
 */
#ifndef GL_FENCE_H
#define GL_FENCE_H

#include <stdint.h>

/* Base of a fence; its maker puts it first in a larger structure. */
struct gl_fence {
	/*
	 * Wait that long. Returns 1 if the GPU has got there, 0 if not yet, or
	 * -errno if that will never be known.
	 */
	int (*wait)(struct gl_fence *fence, uint64_t ns);
	void (*destroy)(struct gl_fence *fence);
};

static inline void
gl_fence_destroy(struct gl_fence *fence)
{
	if (fence)
		fence->destroy(fence);
}

#endif /* GL_FENCE_H */
