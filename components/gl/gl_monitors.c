/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_monitors.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gl_queries.h"
#include "gl_selected.h"
#include "gl_tell.h"
#include "gl_worker.h"

enum state {
	STATE_EMPTY, /* there are no results */
	STATE_ACTIVE, /* a session goes on */
	STATE_VOID, /* it goes on, and its results are invalid already */
	STATE_ENDING, /* the results will be there when the GPU gets there */
	STATE_ENDED, /* the results can be had */
	STATE_FAILED, /* there never will be any */
};

struct monitor {
	GLuint name;
	enum state state;
	struct gl_selected selected;
	struct gl_counting *counting; /* of what is selected, or NULL */
};

struct gl_monitors {
	const struct gl_counters *counters;
	struct monitor **list; /* by rising name */
	size_t count;
	GLuint last_name;
	struct monitor *active; /* whose session goes on, or NULL */
	struct gl_worker *worker; /* NULL: nothing was to wait for the GPU */
	struct gl_counting *last; /* that was left to it to end, or NULL */
};

int
gl_monitors_create(const struct gl_counters *counters, struct gl_monitors **out,
		   struct drmperf_error *error)
{
	struct gl_monitors *monitors = calloc(1, sizeof(*monitors));

	if (!monitors)
		return fe_fail_memory(error);
	monitors->counters = counters;
	*out = monitors;
	return 0;
}

const struct gl_counters *
gl_monitors_counters(const struct gl_monitors *monitors)
{
	return monitors->counters;
}

/* Stops it, too; a worker that is about to use it does so later. */
static void
drop_counting(struct monitor *monitor)
{
	gl_counting_release(monitor->counting);
	monitor->counting = NULL;
}

static void
monitor_destroy(struct monitor *monitor)
{
	drop_counting(monitor);
	gl_selected_free(&monitor->selected);
	free(monitor);
}

void
gl_monitors_destroy(struct gl_monitors *monitors)
{
	if (!monitors)
		return;
	gl_worker_destroy(monitors->worker);
	gl_counting_release(monitors->last);
	for (size_t i = 0; i < monitors->count; i++)
		monitor_destroy(monitors->list[i]);
	free(monitors->list);
	free(monitors);
}

static GLenum
no_memory(struct drmperf_error *error)
{
	fe_fail_memory(error);
	return GL_OUT_OF_MEMORY;
}

/* Return where the monitor is, or would be: programs have thousands. */
static size_t
place_of(const struct gl_monitors *monitors, GLuint name)
{
	size_t first = 0, behind = monitors->count;

	while (first < behind) {
		const size_t middle = first + (behind - first) / 2;

		if (monitors->list[middle]->name < name)
			first = middle + 1;
		else
			behind = middle;
	}
	return first;
}

/* Return NULL: there is none of that name. */
static struct monitor *
monitors_find(const struct gl_monitors *monitors, GLuint name)
{
	const size_t at = place_of(monitors, name);

	return at < monitors->count && monitors->list[at]->name == name
		       ? monitors->list[at]
		       : NULL;
}

static GLenum
refuse_monitor(GLuint name, struct drmperf_error *error)
{
	fe_fail(error, -EINVAL, "generate it by glGenPerfMonitorsAMD",
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

/*
 * Add a monitor, for which there is room. Returns false if memory is short. No
 * name is given twice, so that a new one is behind all others.
 */
static bool
monitors_add(struct gl_monitors *monitors)
{
	struct monitor *monitor = calloc(1, sizeof(*monitor));

	if (!monitor)
		return false;
	monitor->name = ++monitors->last_name;
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
	if ((GLuint)count > UINT_MAX - monitors->last_name)
		return no_memory(error);
	list = reallocarray(monitors->list, before + (size_t)count,
			    sizeof(struct monitor *));
	if (!list)
		return no_memory(error);
	monitors->list = list;
	for (GLsizei i = 0; i < count; i++) {
		if (monitors_add(monitors))
			continue;
		while (monitors->count > before)
			monitor_destroy(list[--monitors->count]);
		return no_memory(error);
	}
	for (GLsizei i = 0; i < count; i++)
		names[i] = list[before + (size_t)i]->name;
	return GL_NO_ERROR;
}

static void
remove_named(struct gl_monitors *monitors, GLuint name)
{
	const size_t at = place_of(monitors, name);
	struct monitor **its = monitors->list + at;

	/* named twice it has gone already */
	if (!monitors_find(monitors, name))
		return;
	if (monitors->active == *its)
		monitors->active = NULL;
	monitor_destroy(*its);
	monitors->count--;
	memmove(its, its + 1, (monitors->count - at) * sizeof(*its));
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
		if (!monitors_find(monitors, names[i]))
			return refuse_monitor(names[i], error);
	}
	for (GLsizei i = 0; i < count; i++)
		remove_named(monitors, names[i]);
	return GL_NO_ERROR;
}

/* ------------------------------------------------------------------ */
/* Selecting                                                            */

static void
monitor_invalidate(struct monitor *monitor)
{
	drop_counting(monitor);
	monitor->state = is_active(monitor) ? STATE_VOID : STATE_EMPTY;
}

GLenum
gl_monitors_select(struct gl_monitors *monitors, GLuint name, GLboolean enable,
		   GLuint group, GLint count, const GLuint *list,
		   struct drmperf_error *error)
{
	const struct gl_counters *counters = monitors->counters;
	const struct gl_group *its = gl_counters_group(counters, group);
	struct monitor *monitor = monitors_find(monitors, name);

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
	monitor_invalidate(monitor);
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
	return fe_fail(error, -ENOSPC,
		       "select fewer, and count the others when the same is "
		       "drawn again",
		       "%zu counters of group %s are selected, which can count "
		       "%u at once",
		       count, group->name, group->max_active);
}

static int
monitor_prepare(const struct gl_monitors *monitors, struct monitor *monitor,
		struct drmperf_error *error)
{
	const int rc = check_limits(monitors, monitor, error);

	if (rc || monitor->counting)
		return rc;
	return gl_counting_create(monitors->counters->drmperf,
				  &monitor->selected, &monitor->counting,
				  error);
}

/* Check that there is a worker. A child of the process has none. */
static int
check_worker(const struct gl_monitors *monitors, struct drmperf_error *error)
{
	if (!monitors->worker || gl_worker_is_here(monitors->worker))
		return 0;
	return fe_fail(error, -ECHILD, "make a context of its own",
		       "the context is that of a parent process");
}

/*
 * Start a monitor. A context that has a worker leaves all to it: what is exact
 * must not overtake what is not.
 */
static int
monitor_start(struct gl_monitors *monitors, struct monitor *monitor,
	      struct gl_fence *fence, struct drmperf_error *error)
{
	int rc = 0;

	if (fence && !monitors->worker)
		rc = gl_worker_create(&monitors->worker, error);
	if (!rc && monitors->worker)
		return gl_worker_start(monitors->worker, monitor->counting,
				       fence, error);
	gl_fence_destroy(fence);
	return rc ? rc : gl_counting_start(monitor->counting, error);
}

static GLenum
refuse_nested(const struct gl_monitors *monitors, struct drmperf_error *error)
{
	if (!monitors->active)
		return GL_NO_ERROR;
	fe_fail(error, -EALREADY, "end it first",
		"monitor %u is active, and sessions cannot be nested",
		monitors->active->name);
	return GL_INVALID_OPERATION;
}

GLenum
gl_monitors_begin(struct gl_monitors *monitors, GLuint name,
		  struct gl_fence *fence, struct drmperf_error *error)
{
	struct monitor *monitor = monitors_find(monitors, name);
	GLenum refused = monitor ? refuse_nested(monitors, error)
				 : refuse_monitor(name, error);

	if (!refused && monitor->selected.count &&
	    (check_worker(monitors, error) ||
	     monitor_prepare(monitors, monitor, error)))
		refused = GL_INVALID_OPERATION;
	/* without counters there is nothing to start */
	if (refused || !monitor->selected.count)
		gl_fence_destroy(fence);
	else if (monitor_start(monitors, monitor, fence, error))
		refused = GL_INVALID_OPERATION;
	if (refused)
		return refused;
	monitor->state = STATE_ACTIVE;
	monitors->active = monitor;
	return GL_NO_ERROR;
}

static GLenum
refuse_idle(const struct monitor *monitor, struct drmperf_error *error)
{
	if (is_active(monitor))
		return GL_NO_ERROR;
	fe_fail(error, -EINVAL, "begin it first", "monitor %u is not started",
		monitor->name);
	return GL_INVALID_OPERATION;
}

/* Keep the last one: when that has ended, what ended before has, too. */
static void
keep_last_counting(struct gl_monitors *monitors, struct gl_counting *counting)
{
	gl_counting_release(monitors->last);
	monitors->last = gl_counting_hold(counting);
}

static GLenum
monitor_finish(struct gl_monitors *monitors, struct monitor *monitor,
	       struct gl_fence *fence, struct drmperf_error *error)
{
	int rc = check_worker(monitors, error);

	if (!rc && monitors->worker) {
		rc = gl_worker_stop(monitors->worker, monitor->counting, fence,
				    error);
		monitor->state = STATE_ENDING;
		if (!rc)
			keep_last_counting(monitors, monitor->counting);
	} else {
		gl_fence_destroy(fence);
		if (!rc)
			rc = gl_counting_stop(monitor->counting, error);
		monitor->state = STATE_ENDED;
	}
	if (!rc)
		return GL_NO_ERROR;
	drop_counting(monitor);
	monitor->state = STATE_FAILED;
	return GL_INVALID_OPERATION;
}

GLenum
gl_monitors_end(struct gl_monitors *monitors, GLuint name,
		struct gl_fence *fence, struct drmperf_error *error)
{
	struct monitor *monitor = monitors_find(monitors, name);
	const GLenum refused = monitor ? refuse_idle(monitor, error)
				       : refuse_monitor(name, error);

	if (!refused)
		monitors->active = NULL;
	if (!refused && monitor->state == STATE_ACTIVE && monitor->counting)
		return monitor_finish(monitors, monitor, fence, error);
	gl_fence_destroy(fence);
	if (!refused)
		monitor->state = monitor->state == STATE_VOID ? STATE_EMPTY
							      : STATE_ENDED;
	return refused;
}

/* ------------------------------------------------------------------ */
/* Results                                                              */

/*
 * Return whether the program may stop waiting: for results that will never be
 * there it would wait for ever.
 */
static GLuint
is_available(const struct monitor *monitor)
{
	return monitor->state == STATE_ENDED || monitor->state == STATE_FAILED;
}

/*
 * Take note of an end that has come by now. A child of the process has no
 * worker: none will come.
 */
static void
monitor_note_end(const struct gl_monitors *monitors, struct monitor *monitor,
		 struct drmperf_error *error)
{
	const struct drmperf_error *outcome;

	if (monitor->state != STATE_ENDING)
		return;
	if (!gl_counting_is_complete(monitor->counting)) {
		if (!gl_worker_is_here(monitors->worker))
			monitor->state = STATE_FAILED;
		return;
	}
	outcome = gl_counting_outcome(monitor->counting);
	monitor->state = outcome->code ? STATE_FAILED : STATE_ENDED;
	if (outcome->cause[0])
		*error = *outcome;
}

struct gl_counting *
gl_monitors_ending(const struct gl_monitors *monitors, GLuint name)
{
	const struct monitor *monitor = monitors_find(monitors, name);

	if (!monitor || monitor->state != STATE_ENDING ||
	    !gl_worker_is_here(monitors->worker))
		return NULL;
	return gl_counting_hold(monitor->counting);
}

struct gl_counting *
gl_monitors_last_ending(const struct gl_monitors *monitors)
{
	if (!monitors->last || gl_counting_is_complete(monitors->last) ||
	    !gl_worker_is_here(monitors->worker))
		return NULL;
	return gl_counting_hold(monitors->last);
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
	if (monitor->state == STATE_ENDED && !monitor->counting)
		return 0;
	if (monitor->state == STATE_ENDED)
		return gl_selected_write_results(
			&monitor->selected,
			gl_counting_values(monitor->counting), data, size);
	return write_number(0, size, data);
}

static GLuint
result_size(const struct monitor *monitor)
{
	return monitor->state == STATE_ENDED || monitor->state == STATE_ENDING
		       ? (GLuint)gl_selected_result_size(&monitor->selected)
		       : 0;
}

GLenum
gl_monitors_data(struct gl_monitors *monitors, GLuint name, GLenum pname,
		 GLsizei size, GLuint *data, GLint *written,
		 struct drmperf_error *error)
{
	struct monitor *monitor = monitors_find(monitors, name);
	size_t bytes;

	if (!monitor)
		return refuse_monitor(name, error);
	if (!data) {
		fe_fail(error, -EINVAL, "", "data is NULL");
		return GL_INVALID_OPERATION;
	}
	if (size < 0)
		return gl_refuse_negative("dataSize", size, error);
	monitor_note_end(monitors, monitor, error);
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
		fe_fail(error, -EINVAL, "", "0x%x is no property of a monitor",
			pname);
		return GL_INVALID_ENUM;
	}
	if (written)
		*written = (GLint)bytes;
	return GL_NO_ERROR;
}
