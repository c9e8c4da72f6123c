/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that measures each frame that it draws with
 * GL_AMD_performance_monitor, and takes the results some frames later, as
 * overlays do.
 *
 * usage: gl_frames FRAMES LAYERS [GROUP COUNTER]
 *
 * A frame is that many layers over a picture of 1024 by 1024; without a counter
 * nothing is measured. Writes "frame", how many microseconds a frame took from
 * the first to the end of the last; "calls", how many of them the commands of a
 * frame took; "late", of how many frames the results were not there at once;
 * "value", what was counted of them in all. Ends with 0; 1 if
 * something failed (told on standard error); 2 if there is no context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE 1024
#define BEHIND 3 /* frames that results are taken after */

static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
				     EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE };

static double
now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void
make_picture(void)
{
	GLuint texture, framebuffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, NULL);
	glBindTexture(GL_TEXTURE_2D, 0);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
			       GL_TEXTURE_2D, texture, 0);
	glViewport(0, 0, SIZE, SIZE);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void
draw_layers(int layers)
{
	glBegin(GL_QUADS);
	for (int i = 0; i < layers; i++) {
		glColor4f(0.1F, 0.2F, 0.3F, 0.5F);
		glVertex2f(-1, -1);
		glVertex2f(1, -1);
		glVertex2f(1, 1);
		glVertex2f(-1, 1);
	}
	glEnd();
	glFlush();
}

/* Return false: it has none. */
static bool
add_result(GLuint monitor, uint64_t *sum)
{
	GLuint data[4] = { 0 };
	uint64_t value;
	GLint bytes = 0;

	glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD,
				       sizeof(data), data, &bytes);
	memcpy(&value, data + 2, sizeof(value));
	*sum += value;
	return bytes == sizeof(data);
}

static bool
is_available(GLuint monitor)
{
	GLuint available = 0;

	glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD,
				       sizeof(available), &available, NULL);
	return available;
}

struct measure {
	GLuint monitors[BEHIND];
	bool is_on;
	uint64_t sum;
	int late;
	double calls_us;
};

static void
begin_measure(struct measure *measure, GLuint group, GLuint counter)
{
	measure->is_on = true;
	glGenPerfMonitorsAMD(BEHIND, measure->monitors);
	for (int i = 0; i < BEHIND; i++)
		glSelectPerfMonitorCountersAMD(measure->monitors[i], GL_TRUE,
					       group, 1, &counter);
}

static bool
draw_frame(struct measure *measure, int frame, int layers)
{
	const GLuint monitor = measure->monitors[frame % BEHIND];
	double before;

	if (measure->is_on && frame >= BEHIND &&
	    !add_result(monitor, &measure->sum))
		return false;
	before = now_us();
	if (measure->is_on)
		glBeginPerfMonitorAMD(monitor);
	draw_layers(layers);
	if (measure->is_on)
		glEndPerfMonitorAMD(monitor);
	measure->calls_us += now_us() - before;
	measure->late += measure->is_on && !is_available(monitor);
	return glGetError() == GL_NO_ERROR;
}

static bool
take_last(struct measure *measure, int frames)
{
	bool good = true;

	for (int i = frames - BEHIND; measure->is_on && i < frames; i++)
		good &= i < 0 || add_result(measure->monitors[i % BEHIND],
					    &measure->sum);
	return good;
}

static int
run_frames(struct measure *measure, int frames, int layers)
{
	const double before = now_us();
	bool good = true;

	for (int i = 0; good && i < frames; i++)
		good = draw_frame(measure, i, layers);
	glFinish();
	if (!good || !take_last(measure, frames)) {
		fprintf(stderr, "gl_frames: a frame has no result\n");
		return 1;
	}
	printf("frame %.1f\ncalls %.1f\nlate %d\nvalue %" PRIu64 "\n",
	       (now_us() - before) / frames, measure->calls_us / frames,
	       measure->late, measure->sum);
	return 0;
}

int
main(int argc, char **argv)
{
	EGLDisplay display = eglGetPlatformDisplay(
		EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	struct measure measure = { 0 };
	EGLContext context;
	int rc;

	if (argc != 3 && argc != 5) {
		fprintf(stderr, "usage: gl_frames FRAMES LAYERS "
				"[GROUP COUNTER]\n");
		return 1;
	}
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
		return 2;
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				   attributes);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return 2;
	make_picture();
	draw_layers(1);
	glFinish();
	if (argc == 5)
		begin_measure(&measure, (GLuint)atoi(argv[3]),
			      (GLuint)atoi(argv[4]));
	rc = run_frames(&measure, atoi(argv[1]), atoi(argv[2]));
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
	return rc;
}
