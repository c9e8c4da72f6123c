/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The eleven commands of GL_AMD_performance_monitor. A context that is not
 * served has those of its driver.
 */
#include "gl_real.h"

#include "gl_context.h"
#include "gl_export.h"
#include "gl_queries.h"
#include "gl_tell.h"

/* Name, cause and remedy. */
#define MESSAGE_SIZE 1200

/* A command that goes on. */
struct call {
	struct gl_context *context;
	struct gl_monitors *monitors;
	const struct gl_counters *counters;
	struct drmperf_error error;
};

static bool
begin(struct call *call)
{
	call->context = gl_context_enter();
	if (!call->context)
		return false;
	call->monitors = gl_context_monitors(call->context);
	call->counters = gl_monitors_counters(call->monitors);
	call->error.cause[0] = '\0';
	return true;
}

/*
 * The same when the GPU has done what came before. Others may go on meanwhile:
 * it may be waiting for them.
 */
static bool
begin_when_done(struct call *call)
{
	if (!begin(call))
		return false;
	gl_context_leave(call->context);
	GL_REAL(glFinish)();
	return begin(call);
}

/* The program learns of the error; then others may go on. */
static void
end(struct call *call, const char *command, GLenum error)
{
	char message[MESSAGE_SIZE];

	if (error)
		gl_context_record(call->context, error);
	gl_context_leave(call->context);
	if (!call->error.cause[0])
		return;
	door_tell(GL_LIBRARY, command, call->error.code, &call->error);
	door_reason(command, call->error.code, &call->error, message,
		    sizeof(message));
	gl_context_debug(message);
}

/* What the context's driver has under that name, if anything. */
#define FORWARD(name, ...)                                                     \
	do {                                                                   \
		__typeof__(&(name)) its = GL_REAL(name);                       \
		if (its)                                                       \
			its(__VA_ARGS__);                                      \
	} while (0)

GL_EXPORT void
glGetPerfMonitorGroupsAMD(GLint *count, GLsizei size, GLuint *groups)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_query_groups(call.counters, count, size, groups,
				    &call.error));
	else
		FORWARD(glGetPerfMonitorGroupsAMD, count, size, groups);
}

GL_EXPORT void
glGetPerfMonitorCountersAMD(GLuint group, GLint *count, GLint *max_active,
			    GLsizei size, GLuint *counters)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_query_counters(call.counters, group, count, max_active,
				      size, counters, &call.error));
	else
		FORWARD(glGetPerfMonitorCountersAMD, group, count, max_active,
			size, counters);
}

GL_EXPORT void
glGetPerfMonitorGroupStringAMD(GLuint group, GLsizei size, GLsizei *length,
			       GLchar *string)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_query_group_string(call.counters, group, size, length,
					  string, &call.error));
	else
		FORWARD(glGetPerfMonitorGroupStringAMD, group, size, length,
			string);
}

GL_EXPORT void
glGetPerfMonitorCounterStringAMD(GLuint group, GLuint counter, GLsizei size,
				 GLsizei *length, GLchar *string)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_query_counter_string(call.counters, group, counter, size,
					    length, string, &call.error));
	else
		FORWARD(glGetPerfMonitorCounterStringAMD, group, counter, size,
			length, string);
}

GL_EXPORT void
glGetPerfMonitorCounterInfoAMD(GLuint group, GLuint counter, GLenum pname,
			       void *data)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_query_counter_info(call.counters, group, counter, pname,
					  data, &call.error));
	else
		FORWARD(glGetPerfMonitorCounterInfoAMD, group, counter, pname,
			data);
}

GL_EXPORT void
glGenPerfMonitorsAMD(GLsizei count, GLuint *monitors)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_monitors_generate(call.monitors, count, monitors,
					 &call.error));
	else
		FORWARD(glGenPerfMonitorsAMD, count, monitors);
}

GL_EXPORT void
glDeletePerfMonitorsAMD(GLsizei count, GLuint *monitors)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_monitors_delete(call.monitors, count, monitors,
				       &call.error));
	else
		FORWARD(glDeletePerfMonitorsAMD, count, monitors);
}

GL_EXPORT void
glSelectPerfMonitorCountersAMD(GLuint monitor, GLboolean enable, GLuint group,
			       GLint count, GLuint *list)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_monitors_select(call.monitors, monitor, enable, group,
				       count, list, &call.error));
	else
		FORWARD(glSelectPerfMonitorCountersAMD, monitor, enable, group,
			count, list);
}

/*
 * Counting begins and ends where the GPU gets there: it is waited for, so that
 * what was drawn before the beginning is not counted, and all that was drawn
 * before the end is.
 */
GL_EXPORT void
glBeginPerfMonitorAMD(GLuint monitor)
{
	struct call call;

	if (begin_when_done(&call))
		end(&call, __func__,
		    gl_monitors_begin(call.monitors, monitor, &call.error));
	else
		FORWARD(glBeginPerfMonitorAMD, monitor);
}

GL_EXPORT void
glEndPerfMonitorAMD(GLuint monitor)
{
	struct call call;

	if (begin_when_done(&call))
		end(&call, __func__,
		    gl_monitors_end(call.monitors, monitor, &call.error));
	else
		FORWARD(glEndPerfMonitorAMD, monitor);
}

GL_EXPORT void
glGetPerfMonitorCounterDataAMD(GLuint monitor, GLenum pname, GLsizei size,
			       GLuint *data, GLint *written)
{
	struct call call;

	if (begin(&call))
		end(&call, __func__,
		    gl_monitors_data(call.monitors, monitor, pname, size, data,
				     written, &call.error));
	else
		FORWARD(glGetPerfMonitorCounterDataAMD, monitor, pname, size,
			data, written);
}
