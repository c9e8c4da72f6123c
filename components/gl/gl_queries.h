/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The five commands of GL_AMD_performance_monitor that ask what there is. Each
 * returns the error that OpenGL shall have, or GL_NO_ERROR, and says why; on
 * error nothing is written.
 */
#ifndef GL_QUERIES_H
#define GL_QUERIES_H

#include "gl_counters.h"

GLenum gl_query_groups(const struct gl_counters *counters, GLint *count,
		       GLsizei size, GLuint *groups,
		       struct drmperf_error *error);

GLenum gl_query_counters(const struct gl_counters *counters, GLuint group,
			 GLint *count, GLint *max_active, GLsizei size,
			 GLuint *list, struct drmperf_error *error);

GLenum gl_query_group_string(const struct gl_counters *counters, GLuint group,
			     GLsizei size, GLsizei *length, GLchar *string,
			     struct drmperf_error *error);

GLenum gl_query_counter_string(const struct gl_counters *counters, GLuint group,
			       GLuint counter, GLsizei size, GLsizei *length,
			       GLchar *string, struct drmperf_error *error);

GLenum gl_query_counter_info(const struct gl_counters *counters, GLuint group,
			     GLuint counter, GLenum pname, void *data,
			     struct drmperf_error *error);

/* Report these errors for other commands. Return GL_INVALID_VALUE. */
GLenum gl_refuse_group(const struct gl_counters *counters, GLuint group,
		       struct drmperf_error *error);
GLenum gl_refuse_counter(const struct gl_group *group, GLuint counter,
			 struct drmperf_error *error);
GLenum gl_refuse_negative(const char *parameter, GLint value,
			  struct drmperf_error *error);

#endif /* GL_QUERIES_H */
