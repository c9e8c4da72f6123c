/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_context.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gl_egl_fence.h"
#include "gl_extensions.h"
#include "gl_real.h"
#include "gl_tell.h"

struct gl_context {
	struct gl_context *next;
	struct gl_current key;
	bool is_bound; /* current in some thread */
	bool is_doomed; /* destroyed, and goes when it is no longer bound */
	bool has_own; /* its driver has the extension */
	bool is_introduced; /* the program has been informed which GPU it is */
	bool is_exact; /* the GPU is waited for at the ends of a session */
	struct gl_monitors *monitors; /* NULL: it is not served */
	GLubyte *driver_list, *list; /* without and with ours; or NULL */
	GLenum driver_error, error;
};

/* A GPU's counters, for all contexts that draw with it. */
struct source {
	struct source *next;
	struct gl_counters *counters;
};

static struct {
	pthread_mutex_t lock;
	bool has_fork_handler, has_thread_key;
	pthread_key_t thread_key; /* the handle that is bound in a thread */
	struct drmperf *drmperf; /* NULL: nothing has been looked for */
	struct source *sources;
	struct gl_context *contexts;
	/* how many contexts have an error: mostly none has */
	atomic_uint errors;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* This thread holds the lock, or is about to. */
static __thread bool is_inside;

/* ------------------------------------------------------------------ */
/* The lock                                                             */

static void
lock_for_fork(void)
{
	pthread_mutex_lock(&all.lock);
}

static void
unlock_after_fork(void)
{
	pthread_mutex_unlock(&all.lock);
}

static bool
contexts_enter(void)
{
	if (is_inside)
		return false;
	is_inside = true;
	pthread_mutex_lock(&all.lock);
	if (!all.has_fork_handler)
		all.has_fork_handler = !pthread_atfork(
			lock_for_fork, unlock_after_fork, unlock_after_fork);
	return true;
}

static void
contexts_leave(void)
{
	pthread_mutex_unlock(&all.lock);
	is_inside = false;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

static int
open_library(struct drmperf_error *error)
{
	return all.drmperf ? 0
			   : fe_drmperf_create(GL_LIBRARY, &all.drmperf, error);
}

/* Find the device's counters, which are listed once. */
static int
find_counters(struct drmperf_device *device, const struct gl_counters **out,
	      struct drmperf_error *error)
{
	struct source *source = all.sources;
	int rc;

	while (source && source->counters->device != device)
		source = source->next;
	if (!source) {
		source = calloc(1, sizeof(*source));
		if (!source)
			return fe_fail_memory(error);
		rc = gl_counters_create(all.drmperf, device, &source->counters,
					error);
		if (rc) {
			free(source);
			return rc;
		}
		source->next = all.sources;
		all.sources = source;
	}
	*out = source->counters;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Bound contexts                                                       */

static struct gl_context **
contexts_find(const void *key)
{
	struct gl_context **at = &all.contexts;

	while (*at && (*at)->key.context != key)
		at = &(*at)->next;
	return at;
}

static void
drop_errors(struct gl_context *context)
{
	if (context->driver_error || context->error)
		atomic_fetch_sub(&all.errors, 1);
	context->driver_error = GL_NO_ERROR;
	context->error = GL_NO_ERROR;
}

static void
context_forget(struct gl_context **at)
{
	struct gl_context *context = *at;

	*at = context->next;
	drop_errors(context);
	gl_monitors_destroy(context->monitors);
	free(context->driver_list);
	free(context->list);
	free(context);
}

/*
 * Note that a context is bound, or no longer. A doomed one is freed: it is
 * bound no longer, or, since a destroyed context cannot be bound, a new one has
 * its handle.
 */
static void
set_bound(const void *key, bool is_bound)
{
	struct gl_context **at = contexts_find(key);

	if (*at && (*at)->is_doomed)
		context_forget(at);
	else if (*at)
		(*at)->is_bound = is_bound;
}

/* Release the context that a thread which ends has left bound. */
static void
release_thread_context(void *key)
{
	if (!contexts_enter())
		return;
	set_bound(key, false);
	contexts_leave();
}

/*
 * Note the calling thread's context, so that it is released when the thread
 * ends.
 */
static void
note_bound(void *key)
{
	if (!all.has_thread_key)
		all.has_thread_key = !pthread_key_create(
			&all.thread_key, release_thread_context);
	if (all.has_thread_key)
		pthread_setspecific(all.thread_key, key);
}

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

static bool
is_overriding(void)
{
	const char *text = secure_getenv("DRMPERF_GL");

	return text && !strcmp(text, "override");
}

static void
report_gpu(const struct drmperf_device *device)
{
	struct drmperf_error text = { 0 };

	gl_gpu_describe(device, &text);
	fe_report(GL_LIBRARY, "context", 0, &text);
}

/*
 * Return whether sessions begin and end exactly: the environment leaves it so,
 * or there is no other way.
 */
static bool
is_exact(const struct gl_current *current)
{
	const char *text = secure_getenv("DRMPERF_GL_SYNC");
	struct drmperf_error error = { 0 };

	if (!text || strcmp(text, "0") != 0)
		return true;
	if (gl_egl_fence_is_there(current))
		return false;
	fe_fail(&error, 0, "",
		"monitors begin and end exactly, in spite of "
		"DRMPERF_GL_SYNC=0: there are no fences of EGL "
		"(EGL_KHR_fence_sync)");
	fe_report(GL_LIBRARY, "context", 0, &error);
	return true;
}

/* Return whether the functions exist that are called without a check. */
static bool
has_functions(const struct gl_current *current)
{
	static const enum gl_real needed[] = {
		GL_REAL_glGetString, GL_REAL_glGetError, GL_REAL_glGetIntegerv,
		GL_REAL_glFinish,    GL_REAL_glFlush,
	};
	bool found = gl_real_find(current->is_egl
					  ? GL_REAL_eglQueryString
					  : GL_REAL_glXQueryExtensionsString);

	for (size_t i = 0; found && i < sizeof(needed) / sizeof(needed[0]); i++)
		found = gl_real_find(needed[i]);
	return found;
}

/*
 * Add monitors to a context whose GPU can be counted, and whose driver has
 * none.
 */
static int
context_serve(struct gl_context *context, struct drmperf_error *error)
{
	const struct gl_counters *counters = NULL;
	struct gl_renderer renderer;
	struct drmperf_device *device;
	int rc;

	if (!has_functions(&context->key))
		return fe_fail(error, -ENOSYS, "",
			       "the driver lacks functions of OpenGL");
	context->has_own = gl_extensions_has(GL_EXTENSIONS_OURS);
	if (context->has_own && !is_overriding())
		return fe_fail(error, -EEXIST,
			       "DRMPERF_GL=override takes its place",
			       "the driver has " GL_EXTENSIONS_OURS " itself");
	rc = open_library(error);
	if (rc)
		return rc;
	gl_renderer_query(&context->key, &renderer);
	rc = gl_gpu_find(all.drmperf, &renderer, secure_getenv("DRMPERF_GPU"),
			 &device, error);
	if (!rc)
		rc = find_counters(device, &counters, error);
	if (!rc)
		rc = gl_monitors_create(counters, &context->monitors, error);
	if (rc)
		return rc;
	report_gpu(device);
	context->is_exact = is_exact(&context->key);
	return 0;
}

void
gl_context_gpu_address(const struct gl_current *current,
		       char address[GL_ADDRESS_SIZE])
{
	struct gl_renderer renderer;
	struct drmperf_error error;

	address[0] = '\0';
	if (!current->context || !contexts_enter())
		return;
	if (has_functions(current) && !open_library(&error)) {
		gl_renderer_query(current, &renderer);
		gl_gpu_address(all.drmperf, &renderer, address);
	}
	contexts_leave();
}

static struct gl_context *
contexts_add(const struct gl_current *key)
{
	struct gl_context *context = calloc(1, sizeof(*context));
	struct drmperf_error error = { 0 };
	int rc;

	if (!context)
		return NULL;
	context->key = *key;
	rc = context_serve(context, &error);
	if (rc)
		fe_report(GL_LIBRARY, "a context is left alone", rc, &error);
	if (fe_is_passing(rc)) {
		free(context);
		return NULL;
	}
	context->is_bound = true;
	note_bound(key->context);
	context->next = all.contexts;
	all.contexts = context;
	return context;
}

struct gl_context *
gl_context_enter(void)
{
	struct gl_current current;
	struct gl_context *context = NULL;

	if (!contexts_enter())
		return NULL;
	current = gl_renderer_current();
	if (current.context)
		context = *contexts_find(current.context);
	if (current.context && !context)
		context = contexts_add(&current);
	if (context && context->monitors)
		return context;
	contexts_leave();
	return NULL;
}

bool
gl_context_is_drivers(void)
{
	const void *key = gl_renderer_current().context;
	const struct gl_context *context;
	bool is_so;

	if (!key || !contexts_enter())
		return false;
	context = *contexts_find(key);
	is_so = context && context->has_own && !context->monitors;
	contexts_leave();
	return is_so;
}

struct gl_counting *
gl_context_last_ending(void)
{
	struct gl_counting *ending = NULL;
	const struct gl_context *context;

	if (!contexts_enter())
		return NULL;
	context = *contexts_find(gl_renderer_current().context);
	if (context && context->monitors)
		ending = gl_monitors_last_ending(context->monitors);
	contexts_leave();
	return ending;
}

void
gl_context_leave(struct gl_context *context)
{
	if (context)
		contexts_leave();
}

/* ------------------------------------------------------------------ */
/* State of a context                                                   */

struct gl_monitors *
gl_context_monitors(const struct gl_context *context)
{
	return context->monitors;
}

bool
gl_context_adds_extension(const struct gl_context *context)
{
	return !context->has_own;
}

bool
gl_context_is_exact(const struct gl_context *context)
{
	return context->is_exact;
}

bool
gl_context_introduce(struct gl_context *context)
{
	const bool is_new = !context->is_introduced;

	context->is_introduced = true;
	return is_new;
}

const GLubyte *
gl_context_extensions(struct gl_context *context, const GLubyte *list)
{
	const char *known = (const char *)context->driver_list;

	if (known && !strcmp(known, (const char *)list))
		return context->list;
	free(context->driver_list);
	free(context->list);
	context->driver_list = (GLubyte *)strdup((const char *)list);
	context->list = gl_extensions_append(list);
	return context->list;
}

void
gl_context_record(struct gl_context *context, GLenum error)
{
	const bool had_none = !context->driver_error && !context->error;

	if (!context->driver_error && !context->error)
		context->driver_error = GL_REAL(glGetError)();
	if (!context->error)
		context->error = error;
	if (had_none)
		atomic_fetch_add(&all.errors, 1);
}

static GLenum
context_take(struct gl_context *context)
{
	GLenum *which = context->driver_error ? &context->driver_error
					      : &context->error;
	const GLenum error = *which;

	*which = GL_NO_ERROR;
	if (error && !context->error)
		atomic_fetch_sub(&all.errors, 1);
	return error;
}

GLenum
gl_context_take_error(void)
{
	struct gl_context *context;
	GLenum error = GL_NO_ERROR;

	if (!atomic_load(&all.errors) || !contexts_enter())
		return GL_NO_ERROR;
	context = *contexts_find(gl_renderer_current().context);
	if (context)
		error = context_take(context);
	contexts_leave();
	return error;
}

void
gl_context_debug(GLenum type, GLenum severity, const char *message)
{
	__typeof__(&glDebugMessageInsert) insert;

	/* what the driver reports of this is not ours to record */
	if (!gl_extensions_has("GL_KHR_debug"))
		return;
	insert = GL_REAL(glDebugMessageInsert);
	if (!insert)
		insert = GL_REAL(glDebugMessageInsertKHR);
	if (insert)
		insert(GL_DEBUG_SOURCE_THIRD_PARTY, type, 0, severity, -1,
		       message);
}

/* ------------------------------------------------------------------ */
/* The end                                                              */

/*
 * Free the context, or doom it if it is current in another thread: it lives on
 * there. Returns whether it was freed.
 */
static bool
context_doom(struct gl_context **at)
{
	if ((*at)->is_bound) {
		(*at)->is_doomed = true;
		return false;
	}
	context_forget(at);
	return true;
}

void
gl_context_destroy(void *display, void *key)
{
	struct gl_context **at;

	if (!contexts_enter())
		return;
	at = contexts_find(key);
	/* EGL destroys nothing of another display's, GLX does not look */
	if (*at && (!(*at)->key.is_egl || (*at)->key.display == display))
		context_doom(at);
	contexts_leave();
}

void
gl_context_terminate(void *display)
{
	struct gl_context **at = &all.contexts;

	if (!contexts_enter())
		return;
	while (*at) {
		if ((*at)->key.display != display || !context_doom(at))
			at = &(*at)->next;
	}
	contexts_leave();
}

void
gl_context_switched(const struct gl_current *before)
{
	const struct gl_current now = gl_renderer_current();

	if (now.context == before->context || !contexts_enter())
		return;
	set_bound(before->context, false);
	set_bound(now.context, true);
	note_bound(now.context);
	contexts_leave();
}

static void
forget_contexts(void)
{
	while (all.contexts)
		context_forget(&all.contexts);
	while (all.sources) {
		struct source *source = all.sources;

		all.sources = source->next;
		gl_counters_destroy(source->counters);
		free(source);
	}
	drmperf_destroy(all.drmperf);
	all.drmperf = NULL;
}

/*
 * Stop all GPUs when the process ends. If another thread is in a call, nothing
 * is freed.
 */
__attribute__((destructor)) static void
contexts_end(void)
{
	if (all.drmperf)
		drmperf_stop_all(all.drmperf, NULL);
	if (pthread_mutex_trylock(&all.lock))
		return;
	forget_contexts();
	pthread_mutex_unlock(&all.lock);
}
