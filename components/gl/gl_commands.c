/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The eleven commands of GL_AMD_performance_monitor. A context that is not
 * served has those of its driver; where that has none they do nothing.
 */
#include "gl_real.h"

#include "gl_context.h"
#include "gl_egl_fence.h"
#include "gl_export.h"
#include "gl_gpu.h"
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
call_begin(struct call *call)
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
 * Begin a call when the GPU has done all commands before, or with a fence
 * behind them. Other threads may go on during the wait: the GPU may depend on
 * them.
 */
static bool
begin_in_turn(struct call *call, struct gl_fence **fence)
{
	bool is_exact;

	if (!call_begin(call))
		return false;
	is_exact = gl_context_is_exact(call->context);
	gl_context_leave(call->context);
	*fence = is_exact ? NULL : gl_egl_fence_create();
	if (!*fence)
		GL_REAL(glFinish)();
	if (call_begin(call))
		return true;
	gl_fence_destroy(*fence);
	return false;
}

/* Begin a call when a monitor's results are there, if they are going to be. */
static bool
begin_when_ended(struct call *call, GLuint monitor)
{
	struct gl_counting *ending;

	if (!call_begin(call))
		return false;
	ending = gl_monitors_ending(call->monitors, monitor);
	if (!ending)
		return true;
	gl_context_leave(call->context);
	gl_counting_wait(ending);
	gl_counting_release(ending);
	return call_begin(call);
}

/* Set the program's GL error, and let other threads go on. */
static void
call_end(struct call *call, const char *command, GLenum error)
{
	char message[MESSAGE_SIZE];

	if (error)
		gl_context_record(call->context, error);
	gl_context_leave(call->context);
	if (!call->error.cause[0])
		return;
	fe_report(GL_LIBRARY, command, call->error.code, &call->error);
	fe_reason(command, call->error.code, &call->error, message,
		  sizeof(message));
	gl_context_debug(GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH, message);
}

/*
 * Call the context's driver if it has the extension: some drivers have the
 * functions without it, which crash for lack of support behind them.
 */
#define FORWARD(name, ...)                                                     \
	do {                                                                   \
		__typeof__(&(name)) its =                                      \
			gl_context_is_drivers() ? GL_REAL(name) : NULL;        \
                                                                               \
		if (its)                                                       \
			its(__VA_ARGS__);                                      \
	} while (0)

/*
 * List the groups. Their names are the same on all machines: the GPU that they
 * belong to is reported in addition.
 */
static void
list_groups(struct call *call, GLint *count, GLsizei size, GLuint *groups)
{
	const bool is_new = gl_context_introduce(call->context);
	struct drmperf_error gpu = { 0 };

	gl_gpu_describe(call->counters->device, &gpu);
	call_end(call, "glGetPerfMonitorGroupsAMD",
		 gl_query_groups(call->counters, count, size, groups,
				 &call->error));
	if (is_new)
		gl_context_debug(GL_DEBUG_TYPE_OTHER,
				 GL_DEBUG_SEVERITY_NOTIFICATION, gpu.cause);
}

GL_EXPORT void
glGetPerfMonitorGroupsAMD(GLint *count, GLsizei size, GLuint *groups)
{
	struct call call;

	if (call_begin(&call))
		list_groups(&call, count, size, groups);
	else
		FORWARD(glGetPerfMonitorGroupsAMD, count, size, groups);
}

GL_EXPORT void
glGetPerfMonitorCountersAMD(GLuint group, GLint *count, GLint *max_active,
			    GLsizei size, GLuint *counters)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_query_counters(call.counters, group, count,
					   max_active, size, counters,
					   &call.error));
	else
		FORWARD(glGetPerfMonitorCountersAMD, group, count, max_active,
			size, counters);
}

GL_EXPORT void
glGetPerfMonitorGroupStringAMD(GLuint group, GLsizei size, GLsizei *length,
			       GLchar *string)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_query_group_string(call.counters, group, size,
					       length, string, &call.error));
	else
		FORWARD(glGetPerfMonitorGroupStringAMD, group, size, length,
			string);
}

GL_EXPORT void
glGetPerfMonitorCounterStringAMD(GLuint group, GLuint counter, GLsizei size,
				 GLsizei *length, GLchar *string)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_query_counter_string(call.counters, group, counter,
						 size, length, string,
						 &call.error));
	else
		FORWARD(glGetPerfMonitorCounterStringAMD, group, counter, size,
			length, string);
}

GL_EXPORT void
glGetPerfMonitorCounterInfoAMD(GLuint group, GLuint counter, GLenum pname,
			       void *data)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_query_counter_info(call.counters, group, counter,
					       pname, data, &call.error));
	else
		FORWARD(glGetPerfMonitorCounterInfoAMD, group, counter, pname,
			data);
}

GL_EXPORT void
glGenPerfMonitorsAMD(GLsizei count, GLuint *monitors)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_monitors_generate(call.monitors, count, monitors,
					      &call.error));
	else
		FORWARD(glGenPerfMonitorsAMD, count, monitors);
}

GL_EXPORT void
glDeletePerfMonitorsAMD(GLsizei count, GLuint *monitors)
{
	struct call call;

	if (call_begin(&call))
		call_end(&call, __func__,
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

	if (call_begin(&call))
		call_end(&call, __func__,
			 gl_monitors_select(call.monitors, monitor, enable,
					    group, count, list, &call.error));
	else
		FORWARD(glSelectPerfMonitorCountersAMD, monitor, enable, group,
			count, list);
}

/*
 * Begin a monitor. Counting begins and ends where the GPU gets there. In an
 * exact context it is waited for, so that what was drawn before the beginning
 * is not counted, and all that was drawn before the end is; in others a worker
 * waits.
 */
GL_EXPORT void
glBeginPerfMonitorAMD(GLuint monitor)
{
	struct gl_fence *fence;
	struct call call;

	if (begin_in_turn(&call, &fence))
		call_end(&call, __func__,
			 gl_monitors_begin(call.monitors, monitor, fence,
					   &call.error));
	else
		FORWARD(glBeginPerfMonitorAMD, monitor);
}

GL_EXPORT void
glEndPerfMonitorAMD(GLuint monitor)
{
	struct gl_fence *fence;
	struct call call;

	if (begin_in_turn(&call, &fence))
		call_end(&call, __func__,
			 gl_monitors_end(call.monitors, monitor, fence,
					 &call.error));
	else
		FORWARD(glEndPerfMonitorAMD, monitor);
}

GL_EXPORT void
glGetPerfMonitorCounterDataAMD(GLuint monitor, GLenum pname, GLsizei size,
			       GLuint *data, GLint *written)
{
	struct call call;

	if (pname == GL_PERFMON_RESULT_AMD ? begin_when_ended(&call, monitor)
					   : call_begin(&call))
		call_end(&call, __func__,
			 gl_monitors_data(call.monitors, monitor, pname, size,
					  data, written, &call.error));
	else
		FORWARD(glGetPerfMonitorCounterDataAMD, monitor, pname, size,
			data, written);
}
