/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The monitors of a context, and the six commands of GL_AMD_performance_monitor
 * that use them. It knows of no driver: the caller has made sure that the GPU
 * has done all commands before, or passes a fence behind them.
 *
 * Each command returns the error that OpenGL shall have, or GL_NO_ERROR. A
 * command that returns an error has done nothing else, but for
 * gl_monitors_end(), which has ended the session. error gives the reason, and
 * also, where there is no error, failures that leave the values good; otherwise
 * its cause stays "".
 */
#ifndef GL_MONITORS_H
#define GL_MONITORS_H

#include "gl_counters.h"
#include "gl_counting.h"
#include "gl_fence.h"

struct gl_monitors;

/*
 * Create the monitors; counters stay the caller's, and outlive them. Returns 0,
 * or -ENOMEM.
 */
int gl_monitors_create(const struct gl_counters *counters,
		       struct gl_monitors **out, struct drmperf_error *error);

/* Ends what counts. NULL is allowed. */
void gl_monitors_destroy(struct gl_monitors *monitors);

/* Return the counters that monitors choose from. */
const struct gl_counters *
gl_monitors_counters(const struct gl_monitors *monitors);

GLenum gl_monitors_generate(struct gl_monitors *monitors, GLsizei count,
			    GLuint *names, struct drmperf_error *error);

GLenum gl_monitors_delete(struct gl_monitors *monitors, GLsizei count,
			  const GLuint *names, struct drmperf_error *error);

GLenum gl_monitors_select(struct gl_monitors *monitors, GLuint monitor,
			  GLboolean enable, GLuint group, GLint count,
			  const GLuint *list, struct drmperf_error *error);

/*
 * Begin or end a monitor when the GPU has passed the fence; at once if it is
 * NULL. The fence is taken over. A later failure is reported when data is asked
 * for: there are no results then.
 */
GLenum gl_monitors_begin(struct gl_monitors *monitors, GLuint monitor,
			 struct gl_fence *fence, struct drmperf_error *error);

GLenum gl_monitors_end(struct gl_monitors *monitors, GLuint monitor,
		       struct gl_fence *fence, struct drmperf_error *error);

/*
 * Return the counting that has to end before a monitor's results can be read,
 * held for the caller; NULL if they are there, or never will be.
 */
struct gl_counting *gl_monitors_ending(const struct gl_monitors *monitors,
				       GLuint monitor);

/*
 * Return the counting that ends last of all ended monitors, once the GPU has
 * done all commands so far; NULL if none is awaited.
 */
struct gl_counting *
gl_monitors_last_ending(const struct gl_monitors *monitors);

GLenum gl_monitors_data(struct gl_monitors *monitors, GLuint monitor,
			GLenum pname, GLsizei size, GLuint *data,
			GLint *written, struct drmperf_error *error);

#endif /* GL_MONITORS_H */
