/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that draws frames, and shows each by eglSwapBuffers.
 *
 * usage: gl_swaps FRAMES [again]
 *
 * "again": a child process draws as many, too. Ends with 0; 1 if something
 * failed; 2 if there is no context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
				 EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
				 EGL_NONE };
static const EGLint size[] = { EGL_WIDTH, 64, EGL_HEIGHT, 64, EGL_NONE };

static int
draw_frames(int frames)
{
	EGLDisplay display = eglGetPlatformDisplay(
		EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLContext context;
	EGLSurface surface;
	EGLConfig config;
	EGLint count;

	if (!eglInitialize(display, NULL, NULL) ||
	    !eglBindAPI(EGL_OPENGL_API) ||
	    !eglChooseConfig(display, wanted, &config, 1, &count) || !count)
		return 2;
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
	surface = eglCreatePbufferSurface(display, config, size);
	if (!eglMakeCurrent(display, surface, surface, context))
		return 2;
	for (int i = 0; i < frames; i++) {
		glClear(GL_COLOR_BUFFER_BIT);
		if (!eglSwapBuffers(display, surface)) {
			fputs("eglSwapBuffers failed\n", stderr);
			return 1;
		}
	}
	eglTerminate(display);
	return 0;
}

int
main(int argc, char **argv)
{
	int status = 0;

	if (argc < 2) {
		fputs("usage: gl_swaps FRAMES [again]\n", stderr);
		return 1;
	}
	if (argc > 2) {
		fflush(stdout);
		if (!fork())
			_exit(draw_frames(atoi(argv[1])));
		wait(&status);
		if (status)
			return 1;
	}
	return draw_frames(atoi(argv[1]));
}
