/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the place of libEGL and libGLESv2, where the GPU is simulated and draws
 * nothing: one device, STANDIN_NODE; what makes its counters count is the shell
 * command STANDIN_FINISH, run by glFinish, and STANDIN_COLOUR is what the first
 * byte but one of every pixel reads as, as far as the viewport reaches. Of the
 * groups that are dispatched the first STANDIN_GROUPS store what they should.
 * Pictures are right for the first STANDIN_FINISHES times of glFinish, if set.
 * There is no OpenGL ES above STANDIN_VERSION.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ANYTHING ((void *)&anything)

static int anything;
static GLsizei side;
static int finishes;

/* Eight threads in each group. */
static uint32_t stored[8 * 65536];
static GLuint dispatched;

static void
do_nothing(void)
{
}

static EGLBoolean
initialize_display(EGLDisplay display, EGLint *major, EGLint *minor)
{
	(void)display, (void)major, (void)minor;
	return EGL_TRUE;
}

static EGLBoolean
bind_api(EGLenum api)
{
	return api == EGL_OPENGL_ES_API;
}

static EGLContext
create_context(EGLDisplay display, EGLConfig config, EGLContext share,
	       const EGLint *attributes)
{
	const char *version = getenv("STANDIN_VERSION");

	(void)display, (void)config, (void)share;
	if (attributes[0] != EGL_CONTEXT_MAJOR_VERSION ||
	    (version && attributes[1] > atoi(version)))
		return EGL_NO_CONTEXT;
	return ANYTHING;
}

static EGLBoolean
make_current(EGLDisplay display, EGLSurface draw, EGLSurface read,
	     EGLContext context)
{
	(void)display, (void)draw, (void)read;
	return context == ANYTHING;
}

static EGLDisplay
get_display(EGLenum platform, void *device, const EGLint *attributes)
{
	(void)platform, (void)attributes;
	return device;
}

static EGLBoolean
query_devices(EGLint most, EGLDeviceEXT *devices, EGLint *count)
{
	*count = most > 0;
	if (most > 0)
		devices[0] = ANYTHING;
	return EGL_TRUE;
}

static const char *
query_device(EGLDeviceEXT device, EGLint name)
{
	(void)device, (void)name;
	return getenv("STANDIN_NODE");
}

static GLenum
check_framebuffer(GLenum target)
{
	(void)target;
	return GL_FRAMEBUFFER_COMPLETE;
}

static GLuint
create_object(void)
{
	return 1;
}

static void
get_program(GLuint program, GLenum name, GLint *out)
{
	(void)program, (void)name;
	*out = GL_TRUE;
}

static void
set_viewport(GLint x, GLint y, GLsizei width, GLsizei height)
{
	(void)x, (void)y, (void)height;
	side = width;
}

static void
finish_drawing(void)
{
	const char *command = getenv("STANDIN_FINISH");

	finishes++;
	if (command && system(command))
		abort();
}

static void
read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
	    GLenum type, void *out)
{
	const char *colour = getenv("STANDIN_COLOUR");
	const char *most = getenv("STANDIN_FINISHES");
	bool shows = !most || !*most || finishes <= atoi(most);
	GLubyte pixel[4] = { 0, 0, 0, 255 };

	if (colour && x < side && y < side && shows)
		pixel[1] = (GLubyte)atoi(colour);
	(void)width, (void)height, (void)format, (void)type;
	memcpy(out, pixel, sizeof(pixel));
}

static void
dispatch_groups(GLuint x, GLuint y, GLuint z)
{
	dispatched = x * y * z;
}

static void *
map_range(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access)
{
	const char *groups = getenv("STANDIN_GROUPS");
	GLuint most = groups ? (GLuint)atoi(groups) : 0;

	(void)target, (void)offset, (void)access;
	if ((size_t)length > sizeof(stored))
		return NULL;
	for (GLuint i = 0; i < 8 * dispatched && i < 8 * most; i++)
		stored[i] = i * 2654435769u + 1;
	return stored;
}

static const struct {
	const char *name;
	__eglMustCastToProperFunctionPointerType function;
} functions[] = {
#define FUNCTION(name, function)                                               \
	{                                                                      \
		name, (__eglMustCastToProperFunctionPointerType)(function)     \
	}
	FUNCTION("eglInitialize", initialize_display),
	FUNCTION("eglBindAPI", bind_api),
	FUNCTION("eglCreateContext", create_context),
	FUNCTION("eglMakeCurrent", make_current),
	FUNCTION("eglGetPlatformDisplayEXT", get_display),
	FUNCTION("eglQueryDevicesEXT", query_devices),
	FUNCTION("eglQueryDeviceStringEXT", query_device),
	FUNCTION("glCheckFramebufferStatus", check_framebuffer),
	FUNCTION("glCreateShader", create_object),
	FUNCTION("glCreateProgram", create_object),
	FUNCTION("glGetProgramiv", get_program),
	FUNCTION("glViewport", set_viewport),
	FUNCTION("glFinish", finish_drawing),
	FUNCTION("glReadPixels", read_pixels),
	FUNCTION("glDispatchCompute", dispatch_groups),
	FUNCTION("glMapBufferRange", map_range),
};

__attribute__((visibility("default"))) __eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, name))
			return functions[i].function;
	return do_nothing;
}
