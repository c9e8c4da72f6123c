/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses GL_AMD_performance_monitor as others do: it makes a
 * context without a window, looks the extension up in each way that there is,
 * and counts around a clear.
 *
 * usage: gl_client CONTEXT LOOKUP [blindly | [GROUP.COUNTER]...]
 *
 * CONTEXT is core, compatibility, es2 or es3; LOOKUP says how it finds the
 * functions: egl (eglGetProcAddress), glx (glXGetProcAddressARB), or dlsym.
 * Writes "string", "indexed" and "number" with yes or no, which is whether the
 * extension is found so, "error" with what glGetError() told of two mistakes,
 * a line "GROUP.COUNTER VALUE" for each counter, and, if that is asked
 * for, nothing but "called blindly" when it has called the commands without
 * looking for the extension, with a context and without one. Ends with 0; 1 if
 * something failed (told on standard error); 2 if there is no such context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTENSION "GL_AMD_performance_monitor"
#define MOST_COUNTERS 16
#define MOST_RESULTS 4096

#define FUNCTIONS(X)                                                           \
	X(glGetString)                                                         \
	X(glGetStringi)                                                        \
	X(glGetIntegerv)                                                       \
	X(glGetInteger64v)                                                     \
	X(glGetFloatv)                                                         \
	X(glGetDoublev)                                                        \
	X(glGetError)                                                          \
	X(glClear)                                                             \
	X(glEnable)                                                            \
	X(glDebugMessageCallback)                                              \
	X(glGetPerfMonitorGroupsAMD)                                           \
	X(glGetPerfMonitorCountersAMD)                                         \
	X(glGetPerfMonitorGroupStringAMD)                                      \
	X(glGetPerfMonitorCounterStringAMD)                                    \
	X(glGetPerfMonitorCounterInfoAMD)                                      \
	X(glGenPerfMonitorsAMD)                                                \
	X(glDeletePerfMonitorsAMD)                                             \
	X(glSelectPerfMonitorCountersAMD)                                      \
	X(glBeginPerfMonitorAMD)                                               \
	X(glEndPerfMonitorAMD)                                                 \
	X(glGetPerfMonitorCounterDataAMD)

#define MEMBER(name) __typeof__(&(name)) name;
static struct {
	FUNCTIONS(MEMBER)
} gl;

static int
print_failure(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	return 1;
}

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

static const struct kind {
	const char *name;
	EGLenum api;
	EGLint attributes[7];
} kinds[] = {
	{ "core",
	  EGL_OPENGL_API,
	  { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
	    EGL_CONTEXT_OPENGL_PROFILE_MASK,
	    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE } },
	{ "compatibility",
	  EGL_OPENGL_API,
	  { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 1,
	    EGL_NONE } },
	{ "es2",
	  EGL_OPENGL_ES_API,
	  { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE } },
	{ "es3",
	  EGL_OPENGL_ES_API,
	  { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE } },
};

static const struct kind *
find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

static bool
make_current(const struct kind *kind, EGLDisplay *display, EGLContext *context)
{
	*display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
					 EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(*display, NULL, NULL) || !eglBindAPI(kind->api))
		return false;
	*context = eglCreateContext(*display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				    kind->attributes);
	return *context != EGL_NO_CONTEXT &&
	       eglMakeCurrent(*display, EGL_NO_SURFACE, EGL_NO_SURFACE,
			      *context);
}

/* ------------------------------------------------------------------ */
/* Functions                                                            */

static void *library;

static void *
look_up_egl(const char *name)
{
	return (void *)eglGetProcAddress(name);
}

static void *
look_up_glx(const char *name)
{
	return (void *)glXGetProcAddressARB((const GLubyte *)name);
}

static void *
look_up_dlsym(const char *name)
{
	return dlsym(library, name);
}

static bool
load_library(const char *how)
{
	void *(*look_up)(const char *name) = !strcmp(how, "egl") ? look_up_egl
					     : !strcmp(how, "glx")
						     ? look_up_glx
						     : look_up_dlsym;

	library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return false;
#define LOAD(name) gl.name = (__typeof__(gl.name))look_up(#name);
	FUNCTIONS(LOAD)
	return gl.glGetString && gl.glGetPerfMonitorCounterDataAMD;
}

/* ------------------------------------------------------------------ */
/* Output                                                               */

static void
print_check(const char *what, bool is_so)
{
	printf("%s %s\n", what, is_so ? "yes" : "no");
}

static bool
list_has_extension(const char *list)
{
	const char *at = list ? strstr(list, EXTENSION) : NULL;

	return at && !strstr(at + 1, EXTENSION);
}

/*
 * Return whether the other ways to ask for the number agree; ES has no doubles.
 */
static bool
number_agrees(GLint count)
{
	GLint64 wide = 0;
	GLfloat number = 0;
	GLdouble precise = 0;

	gl.glGetInteger64v(GL_NUM_EXTENSIONS, &wide);
	gl.glGetFloatv(GL_NUM_EXTENSIONS, &number);
	gl.glGetDoublev(GL_NUM_EXTENSIONS, &precise);
	return wide == count && (GLint)number == count &&
	       (precise == 0 || (GLint)precise == count);
}

/* Return whether it is there at all. */
static bool
tell_extension(void)
{
	const bool is_listed =
		list_has_extension((const char *)gl.glGetString(GL_EXTENSIONS));
	GLint count = 0, found = 0;

	print_check("string", is_listed);
	while (gl.glGetError() != GL_NO_ERROR)
		;
	gl.glGetIntegerv(GL_NUM_EXTENSIONS, &count);
	for (GLint i = 0; i < count; i++) {
		const GLubyte *name = gl.glGetStringi(GL_EXTENSIONS, (GLuint)i);

		found += name && !strcmp((const char *)name, EXTENSION);
	}
	print_check("indexed", found == 1);
	while (gl.glGetError() != GL_NO_ERROR)
		;
	print_check("number",
		    count && number_agrees(count) &&
			    !gl.glGetStringi(GL_EXTENSIONS, (GLuint)count));
	while (gl.glGetError() != GL_NO_ERROR)
		;
	return is_listed || found == 1;
}

/* Print the errors: the driver's mistake, ours, and the driver's again. */
static void
tell_errors(void)
{
	gl.glEnable(GL_EXTENSIONS);
	gl.glEndPerfMonitorAMD(12345);
	gl.glClear(1);
	printf("error");
	for (GLenum error; (error = gl.glGetError());)
		printf(" 0x%x", error);
	printf("\n");
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

struct wanted {
	const char *name;
	GLuint group, counter;
};

static bool
find_in_group(GLuint group, const char *name, struct wanted *out)
{
	GLint count = 0;

	gl.glGetPerfMonitorCountersAMD(group, &count, NULL, 0, NULL);
	for (GLint i = 0; i < count; i++) {
		char its[256] = "";

		gl.glGetPerfMonitorCounterStringAMD(group, (GLuint)i,
						    sizeof(its), NULL, its);
		out->group = group;
		out->counter = (GLuint)i;
		if (!strcmp(its, name))
			return true;
	}
	return false;
}

static int
find_counter(const char *name, struct wanted *out)
{
	const char *point = strchr(name, '.');
	GLuint groups[256];
	GLint count = 0;

	out->name = name;
	gl.glGetPerfMonitorGroupsAMD(&count, 256, groups);
	for (GLint i = 0; point && i < count; i++) {
		char its[256] = "";

		gl.glGetPerfMonitorGroupStringAMD(groups[i], sizeof(its), NULL,
						  its);
		if (strlen(its) == (size_t)(point - name) &&
		    !strncmp(its, name, strlen(its)) &&
		    find_in_group(groups[i], point + 1, out))
			return 0;
	}
	return print_failure(name, "no such counter");
}

/* Print the value. Returns the words that it takes. */
static GLint
print_value(const char *name, const GLuint *result)
{
	GLuint type = 0;
	uint64_t wide;
	float number;

	gl.glGetPerfMonitorCounterInfoAMD(result[0], result[1],
					  GL_COUNTER_TYPE_AMD, &type);
	memcpy(&number, result + 2, sizeof(number));
	if (type == GL_UNSIGNED_INT64_AMD) {
		memcpy(&wide, result + 2, sizeof(wide));
		printf("%s %" PRIu64 "\n", name, wide);
		return 2;
	}
	if (type == GL_UNSIGNED_INT)
		printf("%s %u\n", name, result[2]);
	else
		printf("%s %g\n", name, (double)number);
	return 1;
}

static int
print_results(const struct wanted *wanted, const GLuint *results, GLint bytes)
{
	const GLint words = bytes / (GLint)sizeof(GLuint);

	for (GLint i = 0; i < words; wanted++) {
		if (results[i] != wanted->group ||
		    results[i + 1] != wanted->counter)
			return print_failure(wanted->name, "no result");
		i += 2 + print_value(wanted->name, results + i);
	}
	return 0;
}

/* Count the wanted, which have to be in the order of groups and counters. */
static int
count_wanted(const struct wanted *wanted, int number)
{
	GLuint results[MOST_RESULTS], monitor, available = 0;
	GLint bytes = 0;

	gl.glGenPerfMonitorsAMD(1, &monitor);
	for (int i = 0; i < number; i++) {
		GLuint counter = wanted[i].counter;

		gl.glSelectPerfMonitorCountersAMD(monitor, GL_TRUE,
						  wanted[i].group, 1, &counter);
	}
	gl.glBeginPerfMonitorAMD(monitor);
	gl.glClear(GL_COLOR_BUFFER_BIT);
	gl.glEndPerfMonitorAMD(monitor);
	if (gl.glGetError() == GL_INVALID_OPERATION)
		return print_failure("monitor", "cannot count these");
	/* as the extension's sample: what is not yet there is waited for */
	gl.glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD,
					  sizeof(results), results, &bytes);
	gl.glGetPerfMonitorCounterDataAMD(monitor,
					  GL_PERFMON_RESULT_AVAILABLE_AMD,
					  sizeof(available), &available, NULL);
	gl.glDeletePerfMonitorsAMD(1, &monitor);
	if (!available)
		return print_failure("monitor", "no result");
	return print_results(wanted, results, bytes);
}

/*
 * Call what a program that does not look for the extension calls. Without it
 * nothing is defined to come of that; the program goes on.
 */
static int
call_blindly(void)
{
	GLuint numbers[16] = { 0 };
	GLint length = 0;
	char text[16] = "";

	gl.glGetPerfMonitorGroupsAMD(&length, 16, numbers);
	gl.glGetPerfMonitorCountersAMD(0, &length, &length, 16, numbers);
	gl.glGetPerfMonitorGroupStringAMD(0, sizeof(text), &length, text);
	gl.glGetPerfMonitorCounterStringAMD(0, 0, sizeof(text), &length, text);
	gl.glGetPerfMonitorCounterInfoAMD(0, 0, GL_COUNTER_TYPE_AMD, numbers);
	gl.glGenPerfMonitorsAMD(1, numbers);
	gl.glSelectPerfMonitorCountersAMD(1, GL_TRUE, 0, 1, numbers + 1);
	gl.glBeginPerfMonitorAMD(1);
	gl.glEndPerfMonitorAMD(1);
	gl.glGetPerfMonitorCounterDataAMD(1, GL_PERFMON_RESULT_AMD,
					  sizeof(numbers), numbers, &length);
	gl.glDeletePerfMonitorsAMD(1, numbers);
	printf("called blindly\n");
	return 0;
}

static void APIENTRY
show_message(GLenum source, GLenum type, GLuint id, GLenum severity,
	     GLsizei length, const GLchar *message, const void *data)
{
	(void)type;
	(void)id;
	(void)severity;
	(void)length;
	(void)data;
	if (source == GL_DEBUG_SOURCE_THIRD_PARTY)
		printf("message %s\n", message);
}

static int
use_counters(int number, char **names)
{
	struct wanted wanted[MOST_COUNTERS];
	int rc = 0;

	gl.glClear(GL_COLOR_BUFFER_BIT);
	if (!tell_extension())
		return 0;
	tell_errors();
	if (gl.glDebugMessageCallback) {
		gl.glEnable(GL_DEBUG_OUTPUT);
		gl.glDebugMessageCallback(show_message, NULL);
	}
	while (gl.glGetError() != GL_NO_ERROR)
		;
	for (int i = 0; !rc && i < number; i++)
		rc = find_counter(names[i], &wanted[i]);
	return rc || !number ? rc : count_wanted(wanted, number);
}

int
main(int argc, char **argv)
{
	const struct kind *kind = argc > 2 ? find_kind(argv[1]) : NULL;
	EGLDisplay display;
	EGLContext context;
	int rc;

	if (!kind || argc - 3 > MOST_COUNTERS)
		return print_failure("usage", "gl_client CONTEXT LOOKUP "
					      "[GROUP.COUNTER]...");
	if (!make_current(kind, &display, &context))
		return 2;
	if (!load_library(argv[2]))
		rc = print_failure(argv[2], "does not find the functions");
	else if (argc > 3 && !strcmp(argv[3], "blindly"))
		rc = call_blindly();
	else
		rc = use_counters(argc - 3, argv + 3);
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	if (!rc && argc > 3 && !strcmp(argv[3], "blindly"))
		rc = call_blindly();
	eglDestroyContext(display, context);
	eglTerminate(display);
	return rc;
}
