/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that make contexts, count in them with GL_AMD_performance_monitor,
 * and destroy them, all at once.
 *
 * usage: gl_threads THREADS ROUNDS
 *
 * Each context has to be as new: its first monitor has the same name, and none
 * of another one's errors is in it. Ends with 0; 1 if something failed (told on
 * standard error); 2 if there is no context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static EGLDisplay display;
static long rounds;

static bool
count_work(const char **failed)
{
	GLuint monitor = 0, counter = 0, size = 0;

	glGenPerfMonitorsAMD(1, &monitor);
	*failed = "the first monitor of a context";
	if (monitor != 1)
		return false;
	glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, 0, 1, &counter);
	glBeginPerfMonitorAMD(monitor);
	glFlush();
	glEndPerfMonitorAMD(monitor);
	glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_SIZE_AMD,
				       sizeof(size), &size, NULL);
	*failed = "a result";
	if (size != 16)
		return false;
	*failed = "no error before there is one";
	if (glGetError() != GL_NO_ERROR)
		return false;
	/* it, and what goes on, stay for who comes next to fall over */
	glBeginPerfMonitorAMD(monitor);
	glEndPerfMonitorAMD(77);
	return true;
}

/*
 * Use a context that is destroyed while it is current in one round, before that
 * in the next.
 */
static const char *
use_context(bool while_current, bool releases)
{
	static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
					     EGL_NONE };
	const char *failed = "a context";
	EGLContext context;

	eglBindAPI(EGL_OPENGL_ES_API);
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				   attributes);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return failed;
	if (count_work(&failed))
		failed = NULL;
	if (while_current)
		eglDestroyContext(display, context);
	if (releases)
		eglReleaseThread();
	else
		eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
			       EGL_NO_CONTEXT);
	if (!while_current)
		eglDestroyContext(display, context);
	return failed;
}

static void *
run_thread(void *data)
{
	const char *failed = NULL;

	for (long i = 0; !failed && i < rounds; i++)
		failed = use_context(i % 2, i % 4 == 3);
	if (failed)
		fprintf(stderr, "no: %s\n", failed);
	return failed ? data : NULL;
}

int
main(int argc, char **argv)
{
	const int most = argc > 2 ? atoi(argv[1]) : 0;
	pthread_t threads[64];
	int failed = 0;

	rounds = argc > 2 ? atol(argv[2]) : 0;
	if (most < 1 || most > 64)
		return 1;
	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
					EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL))
		return 2;
	for (int i = 0; i < most; i++)
		if (pthread_create(&threads[i], NULL, run_thread, &rounds))
			abort();
	for (int i = 0; i < most; i++) {
		void *result;

		pthread_join(threads[i], &result);
		failed |= !!result;
	}
	eglTerminate(display);
	if (!failed)
		printf("%d threads\n", most);
	return failed;
}
