/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts that begin, move and end while they count with
 * GL_AMD_performance_monitor.
 *
 * usage: gl_lives LIFE
 *
 * Writes the LIFE and ends with 0 if it went as it has to; 1 if not (told on
 * standard error); 2 if there is no context. Lives: see at the end.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MANY 10000

static EGLDisplay display;

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static void
print_check(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "no: %s\n", what);
	_Exit(1);
}

static void
initialize_egl(void)
{
	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
					EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL))
		exit(2);
}

static void
make_current(EGLContext context)
{
	print_check(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
				   context),
		    "eglMakeCurrent");
}

static EGLContext
create_context(EGLContext shared)
{
	static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
					     EGL_NONE };
	EGLContext context;

	eglBindAPI(EGL_OPENGL_ES_API);
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, shared,
				   attributes);
	if (context == EGL_NO_CONTEXT)
		exit(2);
	return context;
}

/* Create a monitor of the current context. */
static GLuint
generate_monitor(void)
{
	GLuint monitor = 0, counter = 0;

	glGenPerfMonitorsAMD(1, &monitor);
	glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, 0, 1, &counter);
	return monitor;
}

static GLuint
begin_monitor(void)
{
	const GLuint monitor = generate_monitor();

	glBeginPerfMonitorAMD(monitor);
	print_check(glGetError() == GL_NO_ERROR, "a monitor begins");
	return monitor;
}

static GLuint
ask_monitor(GLuint monitor, GLenum what)
{
	GLuint number = 77;

	glGetPerfMonitorCounterDataAMD(monitor, what, sizeof(number), &number,
				       NULL);
	return number;
}

static void
end_monitor(GLuint monitor)
{
	GLuint data[4];
	GLint written = 0;

	glEndPerfMonitorAMD(monitor);
	print_check(glGetError() == GL_NO_ERROR, "a monitor ends");
	glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD,
				       sizeof(data), data, &written);
	print_check(written == sizeof(data), "it has a result");
}

/* ------------------------------------------------------------------ */
/* Threads                                                              */

struct visitor {
	pthread_t thread;
	void (*visit)(EGLContext context);
	EGLContext context;
	sem_t arrived, may_go;
};

static struct visitor *here; /* what the thread is */

static void *
run_visitor(void *data)
{
	here = data;
	eglBindAPI(EGL_OPENGL_ES_API);
	here->visit(here->context);
	return NULL;
}

static void
send_visitor(struct visitor *visitor, void (*visit)(EGLContext context),
	     EGLContext context)
{
	visitor->visit = visit;
	visitor->context = context;
	sem_init(&visitor->arrived, 0, 0);
	sem_init(&visitor->may_go, 0, 0);
	print_check(
		!pthread_create(&visitor->thread, NULL, run_visitor, visitor),
		"a thread");
}

static void
fetch_visitor(struct visitor *visitor)
{
	sem_post(&visitor->may_go);
	pthread_join(visitor->thread, NULL);
}

/* ------------------------------------------------------------------ */
/* Lives                                                                */

static GLuint moving;

static void
begin_there(EGLContext context)
{
	make_current(context);
	moving = begin_monitor();
	make_current(EGL_NO_CONTEXT);
}

/* End a monitor in another thread than it began in. */
static void
monitor_moves(void)
{
	EGLContext context = create_context(EGL_NO_CONTEXT);
	struct visitor visitor;

	send_visitor(&visitor, begin_there, context);
	fetch_visitor(&visitor);
	make_current(context);
	end_monitor(moving);
}

static void
count_there(EGLContext context)
{
	GLuint monitor;

	make_current(context);
	monitor = begin_monitor();
	sem_post(&here->arrived);
	sem_wait(&here->may_go);
	end_monitor(monitor);
	make_current(EGL_NO_CONTEXT);
	/* whatever has its handle now is new */
	make_current(create_context(EGL_NO_CONTEXT));
	print_check(begin_monitor() == 1, "a new context has no monitor");
}

/* Destroy a context that counts, current in another thread. */
static void
context_is_destroyed(void)
{
	EGLContext context = create_context(EGL_NO_CONTEXT);
	struct visitor visitor;

	send_visitor(&visitor, count_there, context);
	sem_wait(&visitor.arrived);
	print_check(eglDestroyContext(display, context), "eglDestroyContext");
	fetch_visitor(&visitor);
}

/*
 * Take as many counters of group 0 as count at once: the first, or those
 * behind.
 */
static GLuint
begin_full(bool is_behind)
{
	GLuint monitor = 0;
	GLint count = 0, most = 0;

	glGetPerfMonitorCountersAMD(0, &count, &most, 0, NULL);
	print_check(most && 2 * most <= count, "the group has more than fit");
	glGenPerfMonitorsAMD(1, &monitor);
	for (GLint i = 0; i < most; i++) {
		GLuint counter = (GLuint)(is_behind ? most + i : i);

		glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, 0, 1,
					       &counter);
	}
	glBeginPerfMonitorAMD(monitor);
	print_check(glGetError() == GL_NO_ERROR, "a monitor begins");
	return monitor;
}

static void
count_and_leave(EGLContext context)
{
	make_current(context);
	begin_full(false);
	sem_post(&here->arrived);
	sem_wait(&here->may_go);
}

/*
 * End a thread that leaves its context bound, which is destroyed: others have
 * its counters.
 */
static void
context_is_abandoned(void)
{
	EGLContext context = create_context(EGL_NO_CONTEXT);
	struct visitor visitor;

	send_visitor(&visitor, count_and_leave, context);
	sem_wait(&visitor.arrived);
	print_check(eglDestroyContext(display, context), "eglDestroyContext");
	fetch_visitor(&visitor);
	make_current(create_context(EGL_NO_CONTEXT));
	end_monitor(begin_full(true));
}

/* Check that EGL refuses to, and nothing is lost. */
static void
monitor_is_kept(void)
{
	EGLContext context = create_context(EGL_NO_CONTEXT);
	GLuint monitor;

	make_current(context);
	monitor = begin_monitor();
	make_current(EGL_NO_CONTEXT);
	print_check(!eglDestroyContext((EGLDisplay)&monitor, context),
		    "no display");
	make_current(context);
	end_monitor(monitor);
}

/* Check that contexts that share objects do not share monitors. */
static void
contexts_share(void)
{
	EGLContext first = create_context(EGL_NO_CONTEXT),
		   second = create_context(first);
	GLuint monitor;

	make_current(first);
	generate_monitor();
	monitor = begin_monitor();
	make_current(second);
	glEndPerfMonitorAMD(monitor);
	print_check(glGetError() == GL_INVALID_VALUE, "it is not there");
	make_current(first);
	end_monitor(monitor);
}

/* Check that what is still to come does not outlive its display. */
static void
display_is_terminated(void)
{
	for (int i = 0; i < 5; i++) {
		make_current(create_context(EGL_NO_CONTEXT));
		glEndPerfMonitorAMD(begin_monitor());
		make_current(EGL_NO_CONTEXT);
		print_check(eglTerminate(display), "eglTerminate");
		initialize_egl();
	}
	make_current(create_context(EGL_NO_CONTEXT));
	end_monitor(begin_monitor());
}

/* Leave monitors to the end of the program, which ends as it likes. */
static void
monitors_are_left(void)
{
	make_current(create_context(EGL_NO_CONTEXT));
	glEndPerfMonitorAMD(begin_monitor());
	begin_monitor();
}

/* Check that what ended before glFinish() can be had at once. */
static void
results_are_finished(void)
{
	GLuint monitors[5];

	make_current(create_context(EGL_NO_CONTEXT));
	for (size_t i = 0; i < ARRAY_SIZE(monitors); i++) {
		monitors[i] = begin_monitor();
		glEndPerfMonitorAMD(monitors[i]);
	}
	glFinish();
	for (size_t i = 0; i < ARRAY_SIZE(monitors); i++)
		print_check(ask_monitor(monitors[i],
					GL_PERFMON_RESULT_AVAILABLE_AMD) == 1,
			    "it is available");
}

/* Take as many as a program has that measures each draw call of a frame. */
static void
many_monitors(void)
{
	static GLuint monitors[MANY];
	GLuint counter = 0;

	make_current(create_context(EGL_NO_CONTEXT));
	glGenPerfMonitorsAMD(MANY, monitors);
	for (int i = 0; i < MANY; i++)
		glSelectPerfMonitorCountersAMD(monitors[i], GL_TRUE, 0, 1,
					       &counter);
	for (int i = MANY; i > 0; i -= MANY / 10) {
		glBeginPerfMonitorAMD(monitors[i - 1]);
		end_monitor(monitors[i - 1]);
	}
	glDeletePerfMonitorsAMD(MANY / 2, monitors);
	glDeletePerfMonitorsAMD(1, monitors);
	print_check(glGetError() == GL_INVALID_VALUE, "one that was deleted");
	glBeginPerfMonitorAMD(monitors[MANY / 2]);
	end_monitor(monitors[MANY / 2]);
	print_check(generate_monitor() == MANY + 1, "no name is given twice");
}

static const struct life {
	const char *name;
	void (*live)(void);
} lives[] = {
	{ "moves", monitor_moves },
	{ "destroyed", context_is_destroyed },
	{ "abandoned", context_is_abandoned },
	{ "kept", monitor_is_kept },
	{ "shared", contexts_share },
	{ "terminated", display_is_terminated },
	{ "left", monitors_are_left },
	{ "finished", results_are_finished },
	{ "many", many_monitors },
};

int
main(int argc, char **argv)
{
	initialize_egl();
	for (size_t i = 0; argc == 2 && i < ARRAY_SIZE(lives); i++) {
		if (strcmp(argv[1], lives[i].name))
			continue;
		lives[i].live();
		puts(lives[i].name);
		return 0;
	}
	return 1;
}
