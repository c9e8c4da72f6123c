/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenGL ES on one GPU without a window, whose libraries are loaded for it, and
 * what is done there: the result of each can be stated.
 */
#ifndef DRMPERF_SELFTEST_GL_H
#define DRMPERF_SELFTEST_GL_H

#include <stdbool.h>

#if __has_include(<EGL/eglext.h>) && __has_include(<GLES3/gl31.h>)
#define SELFTEST_HAS_GL 1
#else
#define SELFTEST_HAS_GL 0
#endif

struct gl;

struct gl_work {
	/* Everything that is done but once. -ENOTSUP: it cannot be done here */
	int (*prepare)(const struct gl *gl);
	/* So much of it, to its end */
	void (*run)(const struct gl *gl, unsigned count);
	/* Return whether the work has been done as a whole. */
	bool (*is_done)(const struct gl *gl, unsigned count);
	/* Not any more: it can be seen to be done again. Or NULL */
	void (*undo)(const struct gl *gl);
};

/* Squares, each over all of SELFTEST_QUAD_SIDE pixels squared. */
extern const struct gl_work quads_work;
/* Groups of SELFTEST_GROUP_THREADS threads of a compute shader. */
extern const struct gl_work groups_work;

/*
 * Create it on the GPU with this render node. -ENOSYS: this program was built
 * without EGL; -ENOENT: its libraries are not installed; -ENODEV: EGL does not
 * offer the GPU; -ENOTSUP: not without a window.
 */
int
gl_create(const char *node, struct gl **out);
void
gl_destroy(struct gl *gl);

#if SELFTEST_HAS_GL

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

/* clang-format off */
#define GL_FUNCTIONS(egl, gl, compute)                                         \
	egl(PFNEGLINITIALIZEPROC, Initialize)                                  \
	egl(PFNEGLTERMINATEPROC, Terminate)                                    \
	egl(PFNEGLBINDAPIPROC, BindAPI)                                        \
	egl(PFNEGLCREATECONTEXTPROC, CreateContext)                            \
	egl(PFNEGLMAKECURRENTPROC, MakeCurrent)                                \
	egl(PFNEGLGETPLATFORMDISPLAYEXTPROC, GetPlatformDisplayEXT)            \
	egl(PFNEGLQUERYDEVICESEXTPROC, QueryDevicesEXT)                        \
	egl(PFNEGLQUERYDEVICESTRINGEXTPROC, QueryDeviceStringEXT)              \
	gl(PFNGLGENTEXTURESPROC, GenTextures)                                  \
	gl(PFNGLBINDTEXTUREPROC, BindTexture)                                  \
	gl(PFNGLTEXIMAGE2DPROC, TexImage2D)                                    \
	gl(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                          \
	gl(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                          \
	gl(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D)                \
	gl(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)            \
	gl(PFNGLCREATESHADERPROC, CreateShader)                                \
	gl(PFNGLSHADERSOURCEPROC, ShaderSource)                                \
	gl(PFNGLCOMPILESHADERPROC, CompileShader)                              \
	gl(PFNGLCREATEPROGRAMPROC, CreateProgram)                              \
	gl(PFNGLATTACHSHADERPROC, AttachShader)                                \
	gl(PFNGLBINDATTRIBLOCATIONPROC, BindAttribLocation)                    \
	gl(PFNGLLINKPROGRAMPROC, LinkProgram)                                  \
	gl(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                \
	gl(PFNGLUSEPROGRAMPROC, UseProgram)                                    \
	gl(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)                  \
	gl(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)          \
	gl(PFNGLCLEARCOLORPROC, ClearColor)                                    \
	gl(PFNGLCLEARPROC, Clear)                                              \
	gl(PFNGLVIEWPORTPROC, Viewport)                                        \
	gl(PFNGLDISABLEPROC, Disable)                                          \
	gl(PFNGLDRAWARRAYSPROC, DrawArrays)                                    \
	gl(PFNGLFINISHPROC, Finish)                                            \
	gl(PFNGLREADPIXELSPROC, ReadPixels)                                    \
	gl(PFNGLGENBUFFERSPROC, GenBuffers)                                    \
	gl(PFNGLBINDBUFFERPROC, BindBuffer)                                    \
	gl(PFNGLBUFFERDATAPROC, BufferData)                                    \
	compute(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                       \
	compute(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                     \
	compute(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                         \
	compute(PFNGLMAPBUFFERRANGEPROC, MapBufferRange)                       \
	compute(PFNGLUNMAPBUFFERPROC, UnmapBuffer)
/* clang-format on */

#define GL_MEMBER(type, name) type name;

struct gl {
	void *library;
	EGLDisplay display;
	/* of compute, NULL where the library is older than it */
	GL_FUNCTIONS(GL_MEMBER, GL_MEMBER, GL_MEMBER)
	bool computes; /* it is OpenGL ES 3.1 */
};

void
gl_add_shader(const struct gl *gl, GLuint program, GLenum kind,
	      const char *text);
/* Use a program. Returns 0, or -ENOTSUP if it cannot be linked. */
int
gl_use_program(const struct gl *gl, GLuint program);

#endif

#endif /* DRMPERF_SELFTEST_GL_H */
