/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands of GL_AMD_performance_monitor as the tests make them, without a
 * driver of OpenGL: in one context, of the first simulated GPU.
 */
#ifndef DRMPERF_TESTS_GL_CALLS_H
#define DRMPERF_TESTS_GL_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "gl_monitors.h"
#include "tests/support/check.h"

/* No group, counter or monitor has it. */
#define NONE 0xfffffff0U

/* What has been left alone. */
#define UNTOUCHED 0x5a5a5a5aU

extern struct drmperf *drmperf;
extern struct gl_counters *counters;
extern struct gl_monitors *monitors;
extern struct drmperf_error reason;
extern char why[sizeof(reason.cause)]; /* of what was refused last */

void set_up(void);
void tear_down(void);

void
must_succeed(GLenum error);

/* Check that it fails so, and says why. */
void
must_fail(GLenum error, GLenum expected);

GLuint group_of(const char *name);
GLuint counter_of(GLuint group, const char *name);

GLuint
generate_monitor(void);
void set_selected(GLuint monitor, const char *group, const char *counter,
		  GLboolean enable);
void select_one(GLuint monitor, const char *group, const char *counter);

/* Begin a monitor once what the GPU was to do before has been done. */
GLenum begin_exact(struct gl_monitors *its, GLuint monitor);
GLenum end_exact(struct gl_monitors *its, GLuint monitor);

/*
 * Create a monitor that has counted a millisecond of these, which may be NULL.
 */
GLuint
measured_monitor(const char *group, const char *counter);

GLuint
ask_monitor(GLuint monitor, GLenum what);
bool is_available(GLuint monitor);
GLuint size_of(GLuint monitor);

/* Return how many bytes were written. */
GLint
read_results(GLuint monitor, void *data, size_t size);

/* Return the result that a monitor has of one counter. */
uint64_t wide_result(GLuint monitor);
float float_result(GLuint monitor);

#endif /* DRMPERF_TESTS_GL_CALLS_H */
