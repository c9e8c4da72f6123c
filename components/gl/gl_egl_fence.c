/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_egl_fence.h"

#include <errno.h>
#include <stdlib.h>

#include "gl_extensions.h"
#include "gl_real.h"

struct egl_fence {
	struct gl_fence fence; /* first */
	EGLDisplay display;
	EGLSyncKHR sync;
};

static int
wait_for_egl_fence(struct gl_fence *fence, uint64_t ns)
{
	const struct egl_fence *its = (const struct egl_fence *)fence;

	switch (GL_REAL(eglClientWaitSyncKHR)(its->display, its->sync, 0, ns)) {
	case EGL_CONDITION_SATISFIED_KHR:
		return 1;
	case EGL_TIMEOUT_EXPIRED_KHR:
		return 0;
	default:
		return -EIO;
	}
}

static void
egl_fence_destroy(struct gl_fence *fence)
{
	struct egl_fence *its = (struct egl_fence *)fence;

	GL_REAL(eglDestroySyncKHR)(its->display, its->sync);
	free(its);
}

bool
gl_egl_fence_is_there(const struct gl_current *current)
{
	return current->is_egl &&
	       gl_extensions_list_has(GL_REAL(eglQueryString)(current->display,
							 EGL_EXTENSIONS),
				 "EGL_KHR_fence_sync") &&
	       GL_REAL(eglCreateSyncKHR) && GL_REAL(eglClientWaitSyncKHR) &&
	       GL_REAL(eglDestroySyncKHR);
}

struct gl_fence *
gl_egl_fence_create(void)
{
	struct egl_fence *its = calloc(1, sizeof(*its));

	if (!its)
		return NULL;
	its->fence = (struct gl_fence){ wait_for_egl_fence, egl_fence_destroy };
	its->display = GL_REAL(eglGetCurrentDisplay)();
	its->sync = GL_REAL(eglCreateSyncKHR)(its->display, EGL_SYNC_FENCE_KHR,
					      NULL);
	if (its->sync == EGL_NO_SYNC_KHR) {
		free(its);
		return NULL;
	}
	/* a thread that waits for it cannot flush this context */
	GL_REAL(glFlush)();
	return &its->fence;
}
