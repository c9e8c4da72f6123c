/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_queries.h"

#include <errno.h>
#include <string.h>

#include "gl_tell.h"

/* ------------------------------------------------------------------ */
/* Errors                                                               */

GLenum
gl_refuse_group(const struct gl_counters *counters, GLuint group,
		struct drmperf_error *error)
{
	fe_fail(error, -EINVAL, "",
		"there is no group %u; they go from 0 to %u", group,
		counters->group_count - 1);
	return GL_INVALID_VALUE;
}

GLenum
gl_refuse_counter(const struct gl_group *group, GLuint counter,
		  struct drmperf_error *error)
{
	fe_fail(error, -EINVAL, "",
		"there is no counter %u in group %s; they go from 0 to %u",
		counter, group->name, group->count - 1);
	return GL_INVALID_VALUE;
}

GLenum
gl_refuse_negative(const char *parameter, GLint value,
		   struct drmperf_error *error)
{
	fe_fail(error, -EINVAL, "", "%s is %d, less than 0", parameter, value);
	return GL_INVALID_VALUE;
}

/* Return the error for what there is not: a group, or a counter. */
static GLenum
counters_refuse(const struct gl_counters *counters, GLuint group,
		GLuint counter, struct drmperf_error *error)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	return its ? gl_refuse_counter(its, counter, error)
		   : gl_refuse_group(counters, group, error);
}

/* ------------------------------------------------------------------ */
/* Numbers                                                              */

static void
write_numbers(GLuint count, GLsizei size, GLuint *out)
{
	for (GLuint i = 0; out && i < count && i < (GLuint)size; i++)
		out[i] = i;
}

GLenum
gl_query_groups(const struct gl_counters *counters, GLint *count, GLsizei size,
		GLuint *groups, struct drmperf_error *error)
{
	if (size < 0)
		return gl_refuse_negative("groupsSize", size, error);
	if (count)
		*count = (GLint)counters->group_count;
	write_numbers(counters->group_count, size, groups);
	return GL_NO_ERROR;
}

GLenum
gl_query_counters(const struct gl_counters *counters, GLuint group,
		  GLint *count, GLint *max_active, GLsizei size, GLuint *list,
		  struct drmperf_error *error)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	if (!its)
		return gl_refuse_group(counters, group, error);
	if (size < 0)
		return gl_refuse_negative("countersSize", size, error);
	if (count)
		*count = (GLint)its->count;
	if (max_active)
		*max_active = (GLint)its->max_active;
	write_numbers(its->count, size, list);
	return GL_NO_ERROR;
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

static GLenum
write_string(const char *name, GLsizei size, GLsizei *length, GLchar *string,
	     struct drmperf_error *error)
{
	size_t count = strlen(name);

	if (size < 0)
		return gl_refuse_negative("bufSize", size, error);
	if (size && string) {
		if (count >= (size_t)size)
			count = (size_t)size - 1;
		memcpy(string, name, count);
		string[count] = '\0';
	}
	if (length)
		*length = (GLsizei)count;
	return GL_NO_ERROR;
}

GLenum
gl_query_group_string(const struct gl_counters *counters, GLuint group,
		      GLsizei size, GLsizei *length, GLchar *string,
		      struct drmperf_error *error)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	if (!its)
		return gl_refuse_group(counters, group, error);
	return write_string(its->name, size, length, string, error);
}

GLenum
gl_query_counter_string(const struct gl_counters *counters, GLuint group,
			GLuint counter, GLsizei size, GLsizei *length,
			GLchar *string, struct drmperf_error *error)
{
	const struct gl_counter *its =
		gl_counters_find(counters, group, counter);

	if (!its)
		return counters_refuse(counters, group, counter, error);
	return write_string(its->name, size, length, string, error);
}

GLenum
gl_query_counter_info(const struct gl_counters *counters, GLuint group,
		      GLuint counter, GLenum pname, void *data,
		      struct drmperf_error *error)
{
	const struct gl_counter *its =
		gl_counters_find(counters, group, counter);

	if (!its)
		return counters_refuse(counters, group, counter, error);
	if (pname != GL_COUNTER_TYPE_AMD && pname != GL_COUNTER_RANGE_AMD) {
		fe_fail(error, -EINVAL, "", "0x%x is no property of a counter",
			pname);
		return GL_INVALID_ENUM;
	}
	if (!data) {
		fe_fail(error, -EINVAL, "", "data is NULL");
		return GL_INVALID_OPERATION;
	}
	if (pname == GL_COUNTER_TYPE_AMD)
		memcpy(data, &its->type, sizeof(its->type));
	else
		gl_counter_write_range(its, data);
	return GL_NO_ERROR;
}
