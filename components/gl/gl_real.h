/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of OpenGL, EGL, GLX and the C library that this one stands in
 * front of, or uses.
 */
#ifndef GL_REAL_H
#define GL_REAL_H

#include <stdbool.h>

/* with GL_GLEXT_PROTOTYPES and the like, from the build */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>

/* as OpenGL ES before 3.2 calls it */
extern __typeof__(glDebugMessageInsert) glDebugMessageInsertKHR;

typedef void (*gl_function)(void);
typedef void *(*gl_dlsym)(void *handle, const char *name);

#define GL_REAL_FUNCTIONS(X)                                                   \
	X(glGetString)                                                         \
	X(glGetStringi)                                                        \
	X(glGetIntegerv)                                                       \
	X(glGetInteger64v)                                                     \
	X(glGetFloatv)                                                         \
	X(glGetDoublev)                                                        \
	X(glGetError)                                                          \
	X(glFinish)                                                            \
	X(glFlush)                                                             \
	X(glDebugMessageInsert)                                                \
	X(glDebugMessageInsertKHR)                                             \
	X(glGetPerfMonitorGroupsAMD)                                           \
	X(glGetPerfMonitorCountersAMD)                                         \
	X(glGetPerfMonitorGroupStringAMD)                                      \
	X(glGetPerfMonitorCounterStringAMD)                                    \
	X(glGetPerfMonitorCounterInfoAMD)                                      \
	X(glGenPerfMonitorsAMD)                                                \
	X(glDeletePerfMonitorsAMD)                                             \
	X(glSelectPerfMonitorCountersAMD)                                      \
	X(glBeginPerfMonitorAMD)                                               \
	X(glEndPerfMonitorAMD)                                                 \
	X(glGetPerfMonitorCounterDataAMD)                                      \
	X(eglGetProcAddress)                                                   \
	X(eglGetCurrentContext)                                                \
	X(eglGetCurrentDisplay)                                                \
	X(eglQueryString)                                                      \
	X(eglQueryDisplayAttribEXT)                                            \
	X(eglQueryDeviceStringEXT)                                             \
	X(eglCreateSyncKHR)                                                    \
	X(eglClientWaitSyncKHR)                                                \
	X(eglDestroySyncKHR)                                                   \
	X(eglMakeCurrent)                                                      \
	X(eglReleaseThread)                                                    \
	X(eglDestroyContext)                                                   \
	X(eglTerminate)                                                        \
	X(eglSwapBuffers)                                                      \
	X(eglSwapBuffersWithDamageKHR)                                         \
	X(eglSwapBuffersWithDamageEXT)                                         \
	X(glXGetProcAddress)                                                   \
	X(glXGetProcAddressARB)                                                \
	X(glXGetCurrentContext)                                                \
	X(glXGetCurrentDisplay)                                                \
	X(glXQueryExtensionsString)                                            \
	X(glXQueryCurrentRendererIntegerMESA)                                  \
	X(glXMakeCurrent)                                                      \
	X(glXMakeContextCurrent)                                               \
	X(glXSwapBuffers)                                                      \
	X(glXDestroyContext)

enum gl_real {
#define GL_REAL_NUMBER(name) GL_REAL_##name,
	GL_REAL_FUNCTIONS(GL_REAL_NUMBER)
#undef GL_REAL_NUMBER
	GL_REAL_COUNT
};

/*
 * Find the function that would be called without this library. Returns NULL if
 * neither a library of the process nor its driver has it.
 */
gl_function gl_real_find(enum gl_real function);

/* Call a function by its type: GL_REAL(glFinish)(). */
#define GL_REAL(name) ((__typeof__(&(name)))gl_real_find(GL_REAL_##name))

/* Return dlsym() of the C library. */
gl_dlsym gl_real_dlsym(void);

/*
 * Return whether one of the system's libraries of OpenGL has this function by
 * that name; a library that a program brings along does not count.
 */
bool gl_real_is(const char *name, void *function);

#endif /* GL_REAL_H */
