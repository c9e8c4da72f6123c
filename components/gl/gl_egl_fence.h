/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fences of EGL, which need no context where they are waited for. GLX has
 * nothing like it.
 */
#ifndef GL_EGL_FENCE_H
#define GL_EGL_FENCE_H

#include <stdbool.h>

#include "gl_fence.h"
#include "gl_renderer.h"

/* Return whether a context can have fences. */
bool
gl_egl_fence_is_there(const struct gl_current *current);

/*
 * Create a fence behind all that the current context has asked for so far,
 * which is on its way to the GPU then. NULL: there is none.
 */
struct gl_fence *
gl_egl_fence_create(void);

#endif /* GL_EGL_FENCE_H */
