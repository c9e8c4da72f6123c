/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contexts of the process: which of them are served, and what each has. All
 * state of libdrmperf-gl but for addresses of functions is here, behind a lock.
 */
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include "gl_monitors.h"
#include "gl_renderer.h"

struct gl_context;

/*
 * Lock, and return the calling thread's current context. Returns NULL,
 * unlocked, if it is not served: there is none, its driver has the extension
 * itself, or its GPU cannot be counted, which is reported once. Calls that a
 * driver makes while this library asks it are not served either.
 */
struct gl_context *gl_context_enter(void);

/*
 * Return whether the current context is left to its driver, which has the
 * extension.
 */
bool gl_context_is_drivers(void);

/*
 * Return gl_monitors_last_ending() of the current context, without the lock;
 * NULL for a context that has never been entered.
 */
struct gl_counting *
gl_context_last_ending(void);

/* Release the lock. NULL is allowed. */
void gl_context_leave(struct gl_context *context);

/*
 * Write the PCI address of the GPU that a context draws with to address, or ""
 * if its driver does not tell. The context need not be served.
 */
void gl_context_gpu_address(const struct gl_current *current,
			    char address[GL_ADDRESS_SIZE]);

struct gl_monitors *gl_context_monitors(const struct gl_context *context);

/* Return whether its driver does not list the extension. */
bool gl_context_adds_extension(const struct gl_context *context);

/* Return whether sessions wait for the GPU where they begin and end. */
bool gl_context_is_exact(const struct gl_context *context);

/*
 * Return true once, when the program has not yet been informed which GPU it is.
 */
bool gl_context_introduce(struct gl_context *context);

/*
 * Return the driver's list with this library's extension; it lives as long as
 * the context. NULL if memory is short.
 */
const GLubyte *gl_context_extensions(struct gl_context *context,
				     const GLubyte *list);

/* Record an error, behind those that the driver has recorded already. */
void gl_context_record(struct gl_context *context, GLenum error);

/*
 * Return the current context's first recorded error, and forget it; or
 * GL_NO_ERROR.
 */
GLenum gl_context_take_error(void);

/*
 * Send it to the debug callback, if there is one. Without the lock: the program
 * may do what it likes there.
 */
void gl_context_debug(GLenum type, GLenum severity, const char *message);

/*
 * Note that a context is about to be destroyed, or a display to be terminated,
 * with all its contexts. What is current in some thread goes when it is no
 * longer.
 */
void
gl_context_destroy(void *display, void *context);
void gl_context_terminate(void *display);

/*
 * Note that a context was current in the calling thread, and may be no longer.
 */
void
gl_context_switched(const struct gl_current *before);

#endif /* GL_CONTEXT_H */
