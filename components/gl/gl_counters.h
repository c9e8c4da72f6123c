/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of a GPU as GL_AMD_performance_monitor lists them: groups, and their
 * counters, numbered from 0.
 */
#ifndef GL_COUNTERS_H
#define GL_COUNTERS_H

#include <stddef.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include <drmperf.h>

struct gl_counter {
	const struct drmperf_event *event;
	const char *name; /* "WAVES" */
	GLenum type;	  /* GL_COUNTER_TYPE_AMD */
};

struct gl_group {
	const char *name; /* "SQ" */
	GLuint max_active;
	const struct gl_counter *counters;
	GLuint count;
};

struct gl_counters {
	struct drmperf *drmperf;
	struct drmperf_device *device;
	struct gl_group *groups;
	GLuint group_count;
	struct gl_counter *all; /* those of all groups, one after the other */
};

/*
 * Open the device and list what it has; a group without events is left out.
 * 0; -ENODATA if there is nothing; -ENOMEM; the errors of
 * drmperf_device_open().
 */
int gl_counters_create(struct drmperf *drmperf, struct drmperf_device *device,
		       struct gl_counters **out, struct drmperf_error *error);

/* Destroy the counters. NULL is allowed. */
void gl_counters_destroy(struct gl_counters *counters);

/* Return the group, or the counter in it; NULL if there is none. */
const struct gl_group *gl_counters_group(const struct gl_counters *counters,
					 GLuint group);
const struct gl_counter *gl_counters_find(const struct gl_counters *counters,
					  GLuint group, GLuint counter);

/* Return the size of a value in bytes. */
size_t gl_counter_size(const struct gl_counter *counter);

/* Write the least and the largest value to out, one behind the other. */
void gl_counter_write_range(const struct gl_counter *counter, void *out);

/*
 * Write a value to out, limited to the range; one that is n/a is NaN, or 0
 * percent.
 */
void gl_counter_write(const struct gl_counter *counter,
		      union drmperf_value value, void *out);

#endif /* GL_COUNTERS_H */
