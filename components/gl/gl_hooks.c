/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions in which programs look for the extension and its commands, and
 * those that end contexts.
 */
#include "gl_real.h"

#include <dlfcn.h>
#include <string.h>

#include "gl_context.h"
#include "gl_export.h"
#include "gl_extensions.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------ */
/* Queries about OpenGL itself                                          */

/*
 * Return the current context, if its driver's list lacks this library's
 * extension.
 */
static struct gl_context *
hooks_enter(void)
{
	struct gl_context *context = gl_context_enter();

	if (!context || gl_context_adds_extension(context))
		return context;
	gl_context_leave(context);
	return NULL;
}

GL_EXPORT const GLubyte *
glGetString(GLenum name)
{
	__typeof__(&glGetString) real = GL_REAL(glGetString);
	const GLubyte *text = real ? real(name) : NULL;
	const GLubyte *ours = NULL;
	struct gl_context *context;

	if (name != GL_EXTENSIONS || !text)
		return text;
	context = hooks_enter();
	if (context)
		ours = gl_context_extensions(context, text);
	gl_context_leave(context);
	return ours ? ours : text;
}

/* Return the name of an extension. Ours is behind those of the driver. */
GL_EXPORT const GLubyte *
glGetStringi(GLenum name, GLuint index)
{
	__typeof__(&glGetStringi) real = GL_REAL(glGetStringi);
	struct gl_context *context =
		real && name == GL_EXTENSIONS ? hooks_enter() : NULL;
	GLint count = 0;

	if (context)
		GL_REAL(glGetIntegerv)(GL_NUM_EXTENSIONS, &count);
	gl_context_leave(context);
	if (context && count > 0 && index == (GLuint)count)
		return (const GLubyte *)GL_EXTENSIONS_OURS;
	return real ? real(name, index) : NULL;
}

/*
 * Return whether the current context has one extension more than its driver
 * says.
 */
static bool
has_one_more(void)
{
	struct gl_context *context = hooks_enter();

	gl_context_leave(context);
	return context;
}

/* Where OpenGL knows no such number, nothing is written. */
#define GET(function, type)                                                    \
	GL_EXPORT void function(GLenum name, type *data)                       \
	{                                                                      \
		__typeof__(&(function)) real = GL_REAL(function);              \
		type count = 0;                                                \
                                                                               \
		if (real && name != GL_NUM_EXTENSIONS) {                       \
			real(name, data);                                      \
		} else if (real) {                                             \
			real(name, &count);                                    \
			if (count > 0)                                         \
				*data = count + (type)has_one_more();          \
		}                                                              \
	}

GET(glGetIntegerv, GLint)
GET(glGetInteger64v, GLint64)
GET(glGetFloatv, GLfloat)
GET(glGetDoublev, GLdouble)

GL_EXPORT GLenum
glGetError(void)
{
	__typeof__(&glGetError) real = GL_REAL(glGetError);
	const GLenum error = gl_context_take_error();

	return error || !real ? error : real();
}

/*
 * Finish, and wait for ended monitors: the GPU has got to the end of each, and
 * results still to be read are there at once, for programs ask for them a few
 * times only.
 */
GL_EXPORT void
glFinish(void)
{
	__typeof__(&glFinish) real = GL_REAL(glFinish);
	struct gl_counting *ending;

	if (real)
		real();
	ending = gl_context_last_ending();
	if (ending)
		gl_counting_wait(ending);
	gl_counting_release(ending);
}

/* ------------------------------------------------------------------ */
/* The end of contexts                                                  */

GL_EXPORT EGLBoolean
eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read,
	       EGLContext context)
{
	__typeof__(&eglMakeCurrent) real = GL_REAL(eglMakeCurrent);
	const struct gl_current before = gl_renderer_current();
	const EGLBoolean done =
		real ? real(display, draw, read, context) : EGL_FALSE;

	gl_context_switched(&before);
	return done;
}

GL_EXPORT EGLBoolean
eglReleaseThread(void)
{
	__typeof__(&eglReleaseThread) real = GL_REAL(eglReleaseThread);
	const struct gl_current before = gl_renderer_current();
	const EGLBoolean done = real ? real() : EGL_FALSE;

	gl_context_switched(&before);
	return done;
}

/*
 * Destroy a context, and first its state here: afterwards another one may have
 * its handle, and the fences of a display are gone. Destroying a context that a
 * display has cannot fail.
 */
GL_EXPORT EGLBoolean
eglDestroyContext(EGLDisplay display, EGLContext context)
{
	__typeof__(&eglDestroyContext) real = GL_REAL(eglDestroyContext);

	gl_context_destroy(display, context);
	return real ? real(display, context) : EGL_FALSE;
}

GL_EXPORT EGLBoolean
eglTerminate(EGLDisplay display)
{
	__typeof__(&eglTerminate) real = GL_REAL(eglTerminate);

	gl_context_terminate(display);
	return real ? real(display) : EGL_FALSE;
}

GL_EXPORT Bool
glXMakeCurrent(Display *display, GLXDrawable drawable, GLXContext context)
{
	__typeof__(&glXMakeCurrent) real = GL_REAL(glXMakeCurrent);
	const struct gl_current before = gl_renderer_current();
	const Bool done = real ? real(display, drawable, context) : False;

	gl_context_switched(&before);
	return done;
}

GL_EXPORT Bool
glXMakeContextCurrent(Display *display, GLXDrawable draw, GLXDrawable read,
		      GLXContext context)
{
	__typeof__(&glXMakeContextCurrent) real =
		GL_REAL(glXMakeContextCurrent);
	const struct gl_current before = gl_renderer_current();
	const Bool done = real ? real(display, draw, read, context) : False;

	gl_context_switched(&before);
	return done;
}

GL_EXPORT void
glXDestroyContext(Display *display, GLXContext context)
{
	__typeof__(&glXDestroyContext) real = GL_REAL(glXDestroyContext);

	gl_context_destroy(display, context);
	if (real)
		real(display, context);
}

/* ------------------------------------------------------------------ */
/* Looking functions up                                                 */

#define HOOK(name) { #name, (gl_function)(name), true }
#define COMMAND(name) { #name, (gl_function)(name), false }

static const struct hook {
	const char *name;
	gl_function function;
	bool needs_real; /* to stand in front of; a command of ours does not */
} hooks[] = {
	COMMAND(glGetPerfMonitorGroupsAMD),
	COMMAND(glGetPerfMonitorCountersAMD),
	COMMAND(glGetPerfMonitorGroupStringAMD),
	COMMAND(glGetPerfMonitorCounterStringAMD),
	COMMAND(glGetPerfMonitorCounterInfoAMD),
	COMMAND(glGenPerfMonitorsAMD),
	COMMAND(glDeletePerfMonitorsAMD),
	COMMAND(glSelectPerfMonitorCountersAMD),
	COMMAND(glBeginPerfMonitorAMD),
	COMMAND(glEndPerfMonitorAMD),
	COMMAND(glGetPerfMonitorCounterDataAMD),
	HOOK(glGetString),
	HOOK(glGetStringi),
	HOOK(glGetIntegerv),
	HOOK(glGetInteger64v),
	HOOK(glGetFloatv),
	HOOK(glGetDoublev),
	HOOK(glGetError),
	HOOK(glFinish),
	HOOK(eglGetProcAddress),
	HOOK(eglMakeCurrent),
	HOOK(eglReleaseThread),
	HOOK(eglDestroyContext),
	HOOK(eglTerminate),
	HOOK(eglSwapBuffers),
	HOOK(eglSwapBuffersWithDamageKHR),
	HOOK(eglSwapBuffersWithDamageEXT),
	HOOK(glXGetProcAddress),
	HOOK(glXGetProcAddressARB),
	HOOK(glXMakeCurrent),
	HOOK(glXMakeContextCurrent),
	HOOK(glXDestroyContext),
	HOOK(glXSwapBuffers),
};

/* Return NULL: it is none of these. */
static const struct hook *
hooks_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(hooks[i].name, name))
			return &hooks[i];
	}
	return NULL;
}

/* Return the function in front of a driver's, or the driver's. */
static gl_function
in_front(const char *name, gl_function real)
{
	const struct hook *hook = name ? hooks_find(name) : NULL;

	if (!hook || (hook->needs_real && !real))
		return real;
	return hook->function;
}

GL_EXPORT __eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
	__typeof__(&eglGetProcAddress) real = GL_REAL(eglGetProcAddress);

	return in_front(name, real ? real(name) : NULL);
}

GL_EXPORT gl_function
glXGetProcAddressARB(const GLubyte *name)
{
	__typeof__(&glXGetProcAddressARB) real = GL_REAL(glXGetProcAddressARB);

	return in_front((const char *)name, real ? real(name) : NULL);
}

GL_EXPORT gl_function
glXGetProcAddress(const GLubyte *name)
{
	return glXGetProcAddressARB(name);
}

/*
 * Return the function in front of a symbol of a library that the program has
 * opened, or NULL. Where the search order of the process decides, it finds this
 * library by itself.
 */
static void *
in_front_of_symbol(void *handle, const char *name)
{
	const struct hook *hook;
	void *real;

	if (handle == RTLD_NEXT || handle == RTLD_DEFAULT)
		return NULL;
	hook = hooks_find(name);
	if (!hook)
		return NULL;
	real = gl_real_dlsym()(handle, name);
	return real && gl_real_is(name, real) ? (void *)hook->function : NULL;
}

/*
 * Return whether only this library has the symbol, in the search order of the
 * process: a program that looks there for EGL wants to know whether it is
 * loaded. If so, dlerror() reports that there is none.
 */
static bool
is_ours_alone(void *handle, const char *name)
{
	return handle == RTLD_DEFAULT && hooks_find(name) &&
	       !gl_real_dlsym()(RTLD_NEXT, name);
}

/*
 * RTLD_NEXT means the library behind the caller, which the C library finds by
 * the return address: the last call has to be a jump, also where nothing else
 * is optimized.
 */
#if defined(__has_attribute) && __has_attribute(musttail)
#define JUMP __attribute__((musttail)) return
#define JUMPS
#else
#define JUMP return
#define JUMPS __attribute__((optimize("O2")))
#endif

GL_EXPORT JUMPS void *
dlsym(void *restrict handle, const char *restrict name)
{
	void *ours = in_front_of_symbol(handle, name);

	if (ours)
		return ours;
	if (is_ours_alone(handle, name))
		return NULL;
	JUMP gl_real_dlsym()(handle, name);
}
