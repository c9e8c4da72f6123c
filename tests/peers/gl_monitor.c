/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenGL ES program for the test of radeonsi: counts with
 * GL_AMD_performance_monitor around dispatches of a compute shader with 64
 * threads per work group, in one pass.
 *
 * usage: gl_monitor GROUPS DISPATCHES GROUP.COUNTER...
 *
 * GROUP is a name as Mesa gives it ("SQ", "TCC3"), COUNTER the hardware's
 * number of the event. Writes the renderer's name, then a line
 * "GROUP.COUNTER VALUE" for each. Ends with 0; 1 if something failed (told on
 * standard error); 2 if there is no renderer that can do this.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNTERS 64
#define MAX_GROUPS 1024

struct extension {
	PFNGLGETPERFMONITORGROUPSAMDPROC groups;
	PFNGLGETPERFMONITORGROUPSTRINGAMDPROC group_name;
	PFNGLGENPERFMONITORSAMDPROC generate;
	PFNGLDELETEPERFMONITORSAMDPROC delete;
	PFNGLSELECTPERFMONITORCOUNTERSAMDPROC select;
	PFNGLBEGINPERFMONITORAMDPROC begin;
	PFNGLENDPERFMONITORAMDPROC end;
	PFNGLGETPERFMONITORCOUNTERDATAAMDPROC data;
};

struct wanted {
	const char *name;
	GLuint group;
	GLuint counter;
};

/* Read as the driver writes its results. */
struct result {
	GLuint group;
	GLuint counter;
	uint32_t value[2];
};

static int
print_failure(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	return 1;
}

static bool
make_current(EGLDisplay *display, EGLContext *context)
{
	static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
					     EGL_CONTEXT_MINOR_VERSION, 1,
					     EGL_NONE };

	*display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
					 EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(*display, NULL, NULL) ||
	    !eglBindAPI(EGL_OPENGL_ES_API))
		return false;
	*context = eglCreateContext(*display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
				    attributes);
	return *context != EGL_NO_CONTEXT &&
	       eglMakeCurrent(*display, EGL_NO_SURFACE, EGL_NO_SURFACE,
			      *context);
}

static bool
load_extension(struct extension *gl)
{
	const char *all = (const char *)glGetString(GL_EXTENSIONS);

	if (!all || !strstr(all, "GL_AMD_performance_monitor"))
		return false;
#define LOAD(member, type, name) gl->member = (type)eglGetProcAddress(name)
	LOAD(groups, PFNGLGETPERFMONITORGROUPSAMDPROC,
	     "glGetPerfMonitorGroupsAMD");
	LOAD(group_name, PFNGLGETPERFMONITORGROUPSTRINGAMDPROC,
	     "glGetPerfMonitorGroupStringAMD");
	LOAD(generate, PFNGLGENPERFMONITORSAMDPROC, "glGenPerfMonitorsAMD");
	LOAD(delete, PFNGLDELETEPERFMONITORSAMDPROC, "glDeletePerfMonitorsAMD");
	LOAD(select, PFNGLSELECTPERFMONITORCOUNTERSAMDPROC,
	     "glSelectPerfMonitorCountersAMD");
	LOAD(begin, PFNGLBEGINPERFMONITORAMDPROC, "glBeginPerfMonitorAMD");
	LOAD(end, PFNGLENDPERFMONITORAMDPROC, "glEndPerfMonitorAMD");
	LOAD(data, PFNGLGETPERFMONITORCOUNTERDATAAMDPROC,
	     "glGetPerfMonitorCounterDataAMD");
#undef LOAD
	return true;
}

static int
find_counter(const struct extension *gl, const char *name, struct wanted *out)
{
	GLuint groups[MAX_GROUPS];
	const char *point = strchr(name, '.');
	GLint count;
	GLint i;

	if (!point)
		return print_failure(name, "not GROUP.COUNTER");
	gl->groups(&count, MAX_GROUPS, groups);
	for (i = 0; i < count; i++) {
		char group[64] = "";

		gl->group_name(groups[i], sizeof(group), NULL, group);
		if (strlen(group) != (size_t)(point - name) ||
		    strncmp(group, name, strlen(group)) != 0)
			continue;
		*out = (struct wanted){
			.name = name,
			.group = groups[i],
			.counter = (GLuint)strtoul(point + 1, NULL, 10),
		};
		return 0;
	}
	return print_failure(name, "no such group");
}

static int
use_shader(GLsizeiptr threads)
{
	static const char *const source =
		"#version 310 es\n"
		"layout(local_size_x = 64) in;\n"
		"layout(std430, binding = 0) buffer Data { uint value[]; };\n"
		"void main() { value[gl_GlobalInvocationID.x] = 1u; }\n";
	GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
	GLuint program = glCreateProgram();
	GLuint buffer;
	GLint linked;

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glAttachShader(program, shader);
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	if (!linked)
		return print_failure("compute shader", "does not link");
	glUseProgram(program);
	glGenBuffers(1, &buffer);
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
	glBufferData(GL_SHADER_STORAGE_BUFFER,
		     threads * (GLsizeiptr)sizeof(GLuint), NULL,
		     GL_DYNAMIC_COPY);
	return 0;
}

static int
print_results(const struct wanted *wanted, size_t count,
	      const struct result *results, size_t result_count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < result_count; j++)
			if (results[j].group == wanted[i].group &&
			    results[j].counter == wanted[i].counter)
				break;
		if (j == result_count)
			return print_failure(wanted[i].name, "no result");
		printf("%s %" PRIu64 "\n", wanted[i].name,
		       results[j].value[0] | (uint64_t)results[j].value[1]
						     << 32);
	}
	return 0;
}

static int
count_wanted(const struct extension *gl, struct wanted *wanted,
	     size_t wanted_count, GLuint groups, GLuint dispatches)
{
	struct result results[MAX_COUNTERS];
	GLuint monitor;
	GLuint available = 0;
	GLint written = 0;
	size_t i;

	gl->generate(1, &monitor);
	for (i = 0; i < wanted_count; i++)
		gl->select(monitor, GL_TRUE, wanted[i].group, 1,
			   &wanted[i].counter);
	gl->begin(monitor);
	while (dispatches--)
		glDispatchCompute(groups, 1, 1);
	gl->end(monitor);
	glFinish();
	/* it may still be on its way through Mesa's threads */
	while (!available && glGetError() == GL_NO_ERROR) {
		gl->data(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD,
			 sizeof(available), &available, NULL);
		sched_yield();
	}
	if (!available || glGetError() != GL_NO_ERROR)
		return print_failure("monitor", "no result");
	gl->data(monitor, GL_PERFMON_RESULT_AMD, sizeof(results),
		 (GLuint *)results, &written);
	gl->delete(1, &monitor);
	return print_results(wanted, wanted_count, results,
			     (size_t)written / sizeof(results[0]));
}

int
main(int argc, char **argv)
{
	struct wanted wanted[MAX_COUNTERS];
	struct extension gl;
	EGLDisplay display;
	EGLContext context;
	GLuint groups, dispatches;
	int i, rc;

	if (argc < 4 || argc - 3 > MAX_COUNTERS)
		return print_failure("usage", "gl_monitor GROUPS DISPATCHES "
					      "GROUP.COUNTER...");
	if (!make_current(&display, &context) || !load_extension(&gl))
		return 2;
	groups = (GLuint)strtoul(argv[1], NULL, 10);
	dispatches = (GLuint)strtoul(argv[2], NULL, 10);
	printf("%s\n", (const char *)glGetString(GL_RENDERER));
	for (i = 3; i < argc; i++)
		if (find_counter(&gl, argv[i], &wanted[i - 3]))
			return 1;
	rc = use_shader(64 * (GLsizeiptr)groups);
	if (!rc)
		rc = count_wanted(&gl, wanted, (size_t)(argc - 3), groups,
				  dispatches);
	/* Mesa's threads that compile must have ended before we do. */
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
	return rc;
}
