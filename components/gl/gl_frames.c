/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ends of frames, for `drmperf gl --print`: a frame ends when the GPU has
 * done all that was asked for before its buffer is shown.
 */
#include "gl_real.h"

#include "frontend/frame_marks.h"
#include "gl_context.h"
#include "gl_export.h"
#include "gl_renderer.h"

static void
frame_end(void)
{
	__typeof__(&glFinish) finish;
	struct gl_current current;
	char address[GL_ADDRESS_SIZE];

	if (!frame_marks_are_wanted())
		return;
	current = gl_renderer_current();
	finish = current.context ? GL_REAL(glFinish) : NULL;
	if (finish)
		finish();
	gl_context_gpu_address(&current, address);
	frame_marks_set(address);
}

GL_EXPORT EGLBoolean
eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
	__typeof__(&eglSwapBuffers) real = GL_REAL(eglSwapBuffers);

	frame_end();
	return real ? real(display, surface) : EGL_FALSE;
}

GL_EXPORT EGLBoolean
eglSwapBuffersWithDamageKHR(EGLDisplay display, EGLSurface surface,
			    const EGLint *rects, EGLint count)
{
	__typeof__(&eglSwapBuffersWithDamageKHR) real =
		GL_REAL(eglSwapBuffersWithDamageKHR);

	frame_end();
	return real ? real(display, surface, rects, count) : EGL_FALSE;
}

GL_EXPORT EGLBoolean
eglSwapBuffersWithDamageEXT(EGLDisplay display, EGLSurface surface,
			    const EGLint *rects, EGLint count)
{
	__typeof__(&eglSwapBuffersWithDamageEXT) real =
		GL_REAL(eglSwapBuffersWithDamageEXT);

	frame_end();
	return real ? real(display, surface, rects, count) : EGL_FALSE;
}

GL_EXPORT void
glXSwapBuffers(Display *display, GLXDrawable drawable)
{
	__typeof__(&glXSwapBuffers) real = GL_REAL(glXSwapBuffers);

	frame_end();
	if (real)
		real(display, drawable);
}
