/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A place in what a context has asked the GPU to do: any thread can wait until
 * the GPU has got there.
 */
#ifndef GL_FENCE_H
#define GL_FENCE_H

#include <stdint.h>

/* Whoever makes one has it as the first member of something larger. */
struct gl_fence {
	/*
	 * Wait so long. 1: the GPU has got there; 0: not yet; -errno: nobody
	 * will ever know.
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
