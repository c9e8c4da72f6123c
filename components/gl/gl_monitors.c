/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_monitors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gl_queries.h"
#include "gl_selected.h"
#include "gl_tell.h"

enum state {
	STATE_EMPTY, /* there are no results */
	STATE_ACTIVE, /* a session goes on */
	STATE_VOID, /* it goes on, and its results are invalid already */
	STATE_ENDED, /* the results can be had */
	STATE_FAILED, /* there never will be any */
};

struct monitor {
	GLuint name;
	enum state state;
	struct gl_selected selected;
	struct drmperf_session *session; /* of what is selected, or NULL */
	union drmperf_value *values;
};

struct gl_monitors {
	const struct gl_counters *counters;
	struct monitor **list;
	size_t count;
	GLuint last_name;
};

int
gl_monitors_create(const struct gl_counters *counters, struct gl_monitors **out,
		   struct drmperf_error *error)
{
	struct gl_monitors *monitors = calloc(1, sizeof(*monitors));

	if (!monitors)
		return door_fail(error, -ENOMEM, "", "no memory");
	monitors->counters = counters;
	*out = monitors;
	return 0;
}

const struct gl_counters *
gl_monitors_counters(const struct gl_monitors *monitors)
{
	return monitors->counters;
}

/* Stops it, too. */
static void
drop_session(struct monitor *monitor)
{
	drmperf_session_destroy(monitor->session);
	free(monitor->values);
	monitor->session = NULL;
	monitor->values = NULL;
}

static void
destroy(struct monitor *monitor)
{
	drop_session(monitor);
	gl_selected_free(&monitor->selected);
	free(monitor);
}

void
gl_monitors_destroy(struct gl_monitors *monitors)
{
	if (!monitors)
		return;
	for (size_t i = 0; i < monitors->count; i++)
		destroy(monitors->list[i]);
	free(monitors->list);
	free(monitors);
}

static GLenum
no_memory(struct drmperf_error *error)
{
	door_fail(error, -ENOMEM, "", "no memory");
	return GL_OUT_OF_MEMORY;
}

/* NULL: there is none of that name. */
static struct monitor *
find(const struct gl_monitors *monitors, GLuint name)
{
	for (size_t i = 0; i < monitors->count; i++) {
		if (monitors->list[i]->name == name)
			return monitors->list[i];
	}
	return NULL;
}

static GLenum
refuse_monitor(GLuint name, struct drmperf_error *error)
{
	door_fail(error, -EINVAL, "generate it by glGenPerfMonitorsAMD",
		"there is no monitor %u in this context", name);
	return GL_INVALID_VALUE;
}

static bool
is_active(const struct monitor *monitor)
{
	return monitor->state == STATE_ACTIVE || monitor->state == STATE_VOID;
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

static GLuint
next_name(struct gl_monitors *monitors)
{
	do
		monitors->last_name++;
	while (!monitors->last_name || find(monitors, monitors->last_name));
	return monitors->last_name;
}

/* False if memory is short; there is room in the list. */
static bool
add(struct gl_monitors *monitors)
{
	struct monitor *monitor = calloc(1, sizeof(*monitor));

	if (!monitor)
		return false;
	monitor->name = next_name(monitors);
	monitors->list[monitors->count++] = monitor;
	return true;
}

GLenum
gl_monitors_generate(struct gl_monitors *monitors, GLsizei count, GLuint *names,
		     struct drmperf_error *error)
{
	const size_t before = monitors->count;
	struct monitor **list;

	if (count < 0)
		return gl_refuse_negative("n", count, error);
	if (!count || !names)
		return GL_NO_ERROR;
	list = reallocarray(monitors->list, before + (size_t)count,
			    sizeof(struct monitor *));
	if (!list)
		return no_memory(error);
	monitors->list = list;
	for (GLsizei i = 0; i < count; i++) {
		if (add(monitors))
			continue;
		while (monitors->count > before)
			destroy(list[--monitors->count]);
		return no_memory(error);
	}
	for (GLsizei i = 0; i < count; i++)
		names[i] = list[before + (size_t)i]->name;
	return GL_NO_ERROR;
}

static void
remove_named(struct gl_monitors *monitors, GLuint name)
{
	for (size_t i = 0; i < monitors->count; i++) {
		if (monitors->list[i]->name != name)
			continue;
		destroy(monitors->list[i]);
		monitors->list[i] = monitors->list[--monitors->count];
		return;
	}
}

GLenum
gl_monitors_delete(struct gl_monitors *monitors, GLsizei count,
		   const GLuint *names, struct drmperf_error *error)
{
	if (count < 0)
		return gl_refuse_negative("n", count, error);
	if (!names)
		return GL_NO_ERROR;
	for (GLsizei i = 0; i < count; i++) {
		if (!find(monitors, names[i]))
			return refuse_monitor(names[i], error);
	}
	for (GLsizei i = 0; i < count; i++)
		remove_named(monitors, names[i]);
	return GL_NO_ERROR;
}

/* ------------------------------------------------------------------ */
/* Selecting                                                            */

static void
invalidate(struct monitor *monitor)
{
	drop_session(monitor);
	monitor->state = is_active(monitor) ? STATE_VOID : STATE_EMPTY;
}

GLenum
gl_monitors_select(struct gl_monitors *monitors, GLuint name, GLboolean enable,
		   GLuint group, GLint count, const GLuint *list,
		   struct drmperf_error *error)
{
	const struct gl_counters *counters = monitors->counters;
	const struct gl_group *its = gl_counters_group(counters, group);
	struct monitor *monitor = find(monitors, name);

	if (!monitor)
		return refuse_monitor(name, error);
	if (!its)
		return gl_refuse_group(counters, group, error);
	if (count < 0)
		return gl_refuse_negative("numCounters", count, error);
	if (!list)
		count = 0;
	for (GLint i = 0; i < count; i++) {
		if (list[i] >= its->count)
			return gl_refuse_counter(its, list[i], error);
	}
	if (gl_selected_reserve(&monitor->selected, (size_t)count))
		return no_memory(error);
	invalidate(monitor);
	for (GLint i = 0; i < count; i++) {
		const struct gl_chosen chosen = { group, list[i],
						  &its->counters[list[i]] };

		gl_selected_set(&monitor->selected, &chosen, enable);
	}
	return GL_NO_ERROR;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
check_limits(const struct gl_monitors *monitors, const struct monitor *monitor,
	     struct drmperf_error *error)
{
	const struct gl_group *group;
	size_t count;

	group = gl_selected_overfull(&monitor->selected, monitors->counters,
				     &count);
	if (!group)
		return 0;
	return door_fail(error, -ENOSPC,
		       "select fewer, and count the others when the same is "
		       "drawn again",
		       "%zu counters of group %s are selected, which can count "
		       "%u at once",
		       count, group->name, group->max_active);
}

/* A session, and room for its values, unless there is one. */
static int
prepare(const struct gl_monitors *monitors, struct monitor *monitor,
	struct drmperf_error *error)
{
	const size_t count = monitor->selected.count;
	struct drmperf_selection *selections;
	int rc;

	if (monitor->session)
		return 0;
	selections = calloc(count, sizeof(*selections));
	monitor->values = calloc(count, sizeof(*monitor->values));
	if (!selections || !monitor->values) {
		rc = door_fail(error, -ENOMEM, "", "no memory");
	} else {
		for (size_t i = 0; i < count; i++)
			selections[i] = (struct drmperf_selection){
				monitor->selected.list[i].what->event,
				DRMPERF_ALL_INSTANCES
			};
		rc = drmperf_session_create(monitors->counters->drmperf,
					    selections, count, NULL,
					    &monitor->session, error);
	}
	free(selections);
	if (rc)
		drop_session(monitor);
	return rc;
}

/* Without counters there is nothing to start. */
static int
start(const struct gl_monitors *monitors, struct monitor *monitor,
      struct drmperf_error *error)
{
	int rc;

	if (!monitor->selected.count)
		return 0;
	rc = check_limits(monitors, monitor, error);
	if (!rc)
		rc = prepare(monitors, monitor, error);
	return rc ? rc : drmperf_session_start(monitor->session, error);
}

GLenum
gl_monitors_begin(struct gl_monitors *monitors, GLuint name,
		  struct drmperf_error *error)
{
	struct monitor *monitor = find(monitors, name);

	if (!monitor)
		return refuse_monitor(name, error);
	for (size_t i = 0; i < monitors->count; i++) {
		if (!is_active(monitors->list[i]))
			continue;
		door_fail(error, -EALREADY, "end it first",
			"monitor %u is active, and sessions cannot be nested",
			monitors->list[i]->name);
		return GL_INVALID_OPERATION;
	}
	if (start(monitors, monitor, error))
		return GL_INVALID_OPERATION;
	monitor->state = STATE_ACTIVE;
	return GL_NO_ERROR;
}

/*
 * The values. A failure to stop that leaves them good is told, and is no error
 * of theirs.
 */
static int
finish(struct monitor *monitor, struct drmperf_error *error)
{
	if (!monitor->session)
		return 0;
	drmperf_session_stop(monitor->session, error);
	return drmperf_session_read(monitor->session, monitor->values, NULL,
				    error);
}

GLenum
gl_monitors_end(struct gl_monitors *monitors, GLuint name,
		struct drmperf_error *error)
{
	struct monitor *monitor = find(monitors, name);

	if (!monitor)
		return refuse_monitor(name, error);
	if (!is_active(monitor)) {
		door_fail(error, -EINVAL, "begin it first",
			"monitor %u is not started", name);
		return GL_INVALID_OPERATION;
	}
	if (monitor->state == STATE_VOID) {
		monitor->state = STATE_EMPTY;
		return GL_NO_ERROR;
	}
	if (finish(monitor, error)) {
		monitor->state = STATE_FAILED;
		return GL_INVALID_OPERATION;
	}
	monitor->state = STATE_ENDED;
	return GL_NO_ERROR;
}

/* ------------------------------------------------------------------ */
/* Results                                                              */

/* Who waits for results that will never be there would wait for ever. */
static GLuint
is_available(const struct monitor *monitor)
{
	return monitor->state == STATE_ENDED || monitor->state == STATE_FAILED;
}

static size_t
write_number(GLuint number, size_t size, GLuint *data)
{
	if (size < sizeof(number))
		return 0;
	memcpy(data, &number, sizeof(number));
	return sizeof(number);
}

static size_t
write_result(const struct monitor *monitor, size_t size, GLuint *data)
{
	if (monitor->state == STATE_ENDED)
		return gl_selected_write_results(&monitor->selected,
						 monitor->values, data, size);
	return write_number(0, size, data);
}

static GLuint
result_size(const struct monitor *monitor)
{
	return monitor->state == STATE_ENDED
		       ? (GLuint)gl_selected_result_size(&monitor->selected)
		       : 0;
}

GLenum
gl_monitors_data(const struct gl_monitors *monitors, GLuint name, GLenum pname,
		 GLsizei size, GLuint *data, GLint *written,
		 struct drmperf_error *error)
{
	const struct monitor *monitor = find(monitors, name);
	size_t bytes;

	if (!monitor)
		return refuse_monitor(name, error);
	if (!data) {
		door_fail(error, -EINVAL, "", "data is NULL");
		return GL_INVALID_OPERATION;
	}
	if (size < 0)
		return gl_refuse_negative("dataSize", size, error);
	switch (pname) {
	case GL_PERFMON_RESULT_AVAILABLE_AMD:
		bytes = write_number(is_available(monitor), (size_t)size, data);
		break;
	case GL_PERFMON_RESULT_SIZE_AMD:
		bytes = write_number(result_size(monitor), (size_t)size, data);
		break;
	case GL_PERFMON_RESULT_AMD:
		bytes = write_result(monitor, (size_t)size, data);
		break;
	default:
		door_fail(error, -EINVAL, "",
			"nothing can be asked of a monitor by 0x%x", pname);
		return GL_INVALID_ENUM;
	}
	if (written)
		*written = (GLint)bytes;
	return GL_NO_ERROR;
}
