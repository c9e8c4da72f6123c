/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU that the current context draws with, as EGL or GLX describe it. */
#ifndef GL_RENDERER_H
#define GL_RENDERER_H

#include "gl_gpu.h"

/*
 * A current context, and how to distinguish it from others while it is there.
 */
struct gl_current {
	void *context; /* EGLContext or GLXContext; NULL: there is none */
	void *display; /* EGLDisplay or Display */
	bool is_egl;
};

/* Return what is current in the calling thread. */
struct gl_current gl_renderer_current(void);

void
gl_renderer_query(const struct gl_current *current, struct gl_renderer *out);

#endif /* GL_RENDERER_H */
