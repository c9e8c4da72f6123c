/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_counters.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gl_tell.h"

/* ------------------------------------------------------------------ */
/* Values                                                               */

/* Read as a signed number: the only one that can be below zero. */
static bool
is_signed(const struct drmperf_event *event)
{
	return drmperf_event_unit(event) == DRMPERF_UNIT_MILLIDEGREES_CELSIUS;
}

/*
 * Return whether values fit 32 bits: momentary readings in such a unit are
 * small.
 */
static bool
is_small(const struct drmperf_event *event)
{
	if (drmperf_event_kind(event) != DRMPERF_KIND_MOMENTARY)
		return false;
	switch (drmperf_event_unit(event)) {
	case DRMPERF_UNIT_MEGAHERTZ:
	case DRMPERF_UNIT_MILLIVOLTS:
	case DRMPERF_UNIT_MILLIWATTS:
	case DRMPERF_UNIT_WATTS:
		return true;
	default:
		return false;
	}
}

static GLenum
type_of(const struct drmperf_event *event)
{
	if (drmperf_event_unit(event) == DRMPERF_UNIT_PERCENT)
		return GL_PERCENTAGE_AMD;
	if (drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE ||
	    is_signed(event))
		return GL_FLOAT;
	return is_small(event) ? GL_UNSIGNED_INT : GL_UNSIGNED_INT64_AMD;
}

size_t
gl_counter_size(const struct gl_counter *counter)
{
	return counter->type == GL_UNSIGNED_INT64_AMD ? sizeof(uint64_t)
						      : sizeof(uint32_t);
}

/* Find the range of a counter that is a float. */
static void
find_range(const struct gl_counter *counter, float range[2])
{
	range[0] = is_signed(counter->event) ? -FLT_MAX : 0;
	range[1] = counter->type == GL_PERCENTAGE_AMD ? 100 : FLT_MAX;
}

void
gl_counter_write_range(const struct gl_counter *counter, void *out)
{
	static const uint64_t wide[] = { 0, UINT64_MAX };
	static const uint32_t narrow[] = { 0, UINT32_MAX };
	float range[2];

	switch (counter->type) {
	case GL_UNSIGNED_INT64_AMD:
		memcpy(out, wide, sizeof(wide));
		break;
	case GL_UNSIGNED_INT:
		memcpy(out, narrow, sizeof(narrow));
		break;
	default:
		find_range(counter, range);
		memcpy(out, range, sizeof(range));
	}
}

static float
as_float(const struct gl_counter *counter, union drmperf_value value)
{
	double number = (double)value.u64;
	float range[2];

	if (drmperf_event_type(counter->event) == DRMPERF_TYPE_DOUBLE)
		number = value.f64;
	else if (is_signed(counter->event))
		number = (double)(int64_t)value.u64;
	find_range(counter, range);
	if (isnan(number))
		return counter->type == GL_PERCENTAGE_AMD ? 0 : NAN;
	return (float)fmin(fmax(number, range[0]), range[1]);
}

void
gl_counter_write(const struct gl_counter *counter, union drmperf_value value,
		 void *out)
{
	uint32_t narrow;
	float number;

	switch (counter->type) {
	case GL_UNSIGNED_INT64_AMD:
		memcpy(out, &value.u64, sizeof(value.u64));
		break;
	case GL_UNSIGNED_INT:
		narrow = value.u64 > UINT32_MAX ? UINT32_MAX
						: (uint32_t)value.u64;
		memcpy(out, &narrow, sizeof(narrow));
		break;
	default:
		number = as_float(counter, value);
		memcpy(out, &number, sizeof(number));
	}
}

/* ------------------------------------------------------------------ */
/* Groups and counters                                                  */

/* Return "WAVES" of "amdgpu::SQ.WAVES". */
static const char *
own_name(const struct drmperf_event *event, const char *group)
{
	const char *name = strstr(drmperf_event_name(event), "::") + 2;

	return name + strlen(group) + 1;
}

static void
add_counters(struct gl_counters *counters, const struct drmperf_group *group,
	     struct gl_counter *at, GLuint count)
{
	const size_t first = drmperf_group_first_event(group);
	const char *name = drmperf_group_name(group);

	for (GLuint i = 0; i < count; i++) {
		at[i].event = drmperf_event_at(counters->device, first + i);
		at[i].name = own_name(at[i].event, name);
		at[i].type = type_of(at[i].event);
	}
}

/*
 * Return how many counters of a group can be active. Metrics have no limit of
 * their own: their counters have. A limit beyond the number of counters would
 * only make programs reserve memory.
 */
static GLuint
limit_of(const struct drmperf_group *group, GLuint count)
{
	const unsigned most = drmperf_group_max_active(group);

	return most && most < count ? most : count;
}

static void
add_groups(struct gl_counters *counters)
{
	const size_t count = drmperf_group_count(counters->device);
	struct gl_counter *at = counters->all;

	for (size_t i = 0; i < count; i++) {
		const struct drmperf_group *group =
			drmperf_group_at(counters->device, i);
		const GLuint events = (GLuint)drmperf_group_event_count(group);

		if (!events)
			continue;
		add_counters(counters, group, at, events);
		counters->groups[counters->group_count++] = (struct gl_group){
			.name = drmperf_group_name(group),
			.max_active = limit_of(group, events),
			.counters = at,
			.count = events,
		};
		at += events;
	}
}

int
gl_counters_create(struct drmperf *drmperf, struct drmperf_device *device,
		   struct gl_counters **out, struct drmperf_error *error)
{
	struct gl_counters *counters;
	size_t events;
	int rc = drmperf_device_open(device, error);

	if (rc)
		return rc;
	events = drmperf_event_count(device);
	if (!events)
		return fe_fail(error, -ENODATA, "",
			       "there is nothing to count on device %u",
			       drmperf_device_index(device));
	counters = calloc(1, sizeof(*counters));
	if (!counters)
		return fe_fail_memory(error);
	counters->drmperf = drmperf;
	counters->device = device;
	counters->all = calloc(events, sizeof(*counters->all));
	counters->groups =
		calloc(drmperf_group_count(device), sizeof(*counters->groups));
	if (!counters->all || !counters->groups) {
		gl_counters_destroy(counters);
		return fe_fail_memory(error);
	}
	add_groups(counters);
	*out = counters;
	return 0;
}

void
gl_counters_destroy(struct gl_counters *counters)
{
	if (!counters)
		return;
	free(counters->groups);
	free(counters->all);
	free(counters);
}

const struct gl_group *
gl_counters_group(const struct gl_counters *counters, GLuint group)
{
	return group < counters->group_count ? &counters->groups[group] : NULL;
}

const struct gl_counter *
gl_counters_find(const struct gl_counters *counters, GLuint group,
		 GLuint counter)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	return its && counter < its->count ? &its->counters[counter] : NULL;
}
