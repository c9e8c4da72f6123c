/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest_quads.h"

#include <errno.h>

#if __has_include(<EGL/eglext.h>) && __has_include(<GLES2/gl2.h>)

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "driver/claims/claim.h"

#define DEVICES_MAX 16

#ifndef EGL_DRM_RENDER_NODE_FILE_EXT
#define EGL_DRM_RENDER_NODE_FILE_EXT 0x3377
#endif

/* clang-format off */
#define FUNCTIONS(egl, gl)                                                     \
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
	gl(PFNGLVIEWPORTPROC, Viewport)                                        \
	gl(PFNGLDISABLEPROC, Disable)                                          \
	gl(PFNGLDRAWARRAYSPROC, DrawArrays)                                    \
	gl(PFNGLFINISHPROC, Finish)                                            \
	gl(PFNGLREADPIXELSPROC, ReadPixels)
/* clang-format on */

#define MEMBER(type, name) type name;

struct quads {
	void *library;
	EGLDisplay display;
	FUNCTIONS(MEMBER, MEMBER)
};

/* ------------------------------------------------------------------ */
/* The libraries                                                        */

static int
load(struct quads *quads)
{
	PFNEGLGETPROCADDRESSPROC find;

	/* OpenGL ES has to be there for EGL to find its functions */
	quads->library = dlopen("libEGL.so.1", RTLD_NOW);
	if (!quads->library || !dlopen("libGLESv2.so.2", RTLD_NOW))
		return -ENOENT;
	find = (PFNEGLGETPROCADDRESSPROC)dlsym(quads->library,
					       "eglGetProcAddress");
	if (!find)
		return -ENOENT;
#define FIND_EGL(type, name)                                                   \
	quads->name = (type)find("egl" #name);                                 \
	if (!quads->name)                                                      \
		quads->name = (type)dlsym(quads->library, "egl" #name);        \
	if (!quads->name)                                                      \
		return -ENOTSUP;
#define FIND_GL(type, name)                                                    \
	quads->name = (type)find("gl" #name);                                  \
	if (!quads->name)                                                      \
		return -ENOTSUP;
	FUNCTIONS(FIND_EGL, FIND_GL)
	return 0;
}

/* ------------------------------------------------------------------ */
/* The GPU                                                              */

static EGLDeviceEXT
find_device(const struct quads *quads, const char *node)
{
	EGLDeviceEXT devices[DEVICES_MAX];
	EGLint count = 0;

	if (!quads->QueryDevicesEXT(DEVICES_MAX, devices, &count))
		return NULL;
	for (EGLint i = 0; i < count; i++) {
		const char *name = quads->QueryDeviceStringEXT(
			devices[i], EGL_DRM_RENDER_NODE_FILE_EXT);

		if (name && !strcmp(name, node))
			return devices[i];
	}
	return NULL;
}

static int
make_context(struct quads *quads, const char *node)
{
	static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2,
					  EGL_NONE };
	EGLDeviceEXT device = find_device(quads, node);
	EGLContext context;

	if (!device)
		return -ENODEV;
	quads->display = quads->GetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT,
						      device, NULL);
	if (!quads->display || !quads->Initialize(quads->display, NULL, NULL) ||
	    !quads->BindAPI(EGL_OPENGL_ES_API))
		return -ENODEV;
	context = quads->CreateContext(quads->display, EGL_NO_CONFIG_KHR,
				       EGL_NO_CONTEXT, version);
	if (!context || !quads->MakeCurrent(quads->display, EGL_NO_SURFACE,
					    EGL_NO_SURFACE, context))
		return -ENOTSUP;
	return 0;
}

/* ------------------------------------------------------------------ */
/* What is drawn                                                        */

static void
add_shader(const struct quads *quads, GLuint program, GLenum kind,
	   const char *text)
{
	GLuint shader = quads->CreateShader(kind);

	quads->ShaderSource(shader, 1, &text, NULL);
	quads->CompileShader(shader);
	quads->AttachShader(program, shader);
}

static int
make_program(const struct quads *quads)
{
	GLuint program = quads->CreateProgram();
	GLint linked = 0;

	add_shader(quads, program, GL_VERTEX_SHADER,
		   "attribute vec2 corner;\n"
		   "void main() { gl_Position = vec4(corner, 0.0, 1.0); }\n");
	add_shader(quads, program, GL_FRAGMENT_SHADER,
		   "void main()\n"
		   "{ gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }\n");
	quads->BindAttribLocation(program, 0, "corner");
	quads->LinkProgram(program);
	quads->GetProgramiv(program, GL_LINK_STATUS, &linked);
	quads->UseProgram(program);
	return linked ? 0 : -ENOTSUP;
}

/*
 * One triangle reaches over the whole quad: where two meet, blocks of pixels
 * would be drawn, and may be counted, for either.
 */
static int
make_target(const struct quads *quads)
{
	static const GLfloat corners[] = { -1, -1, 3, -1, -1, 3 };
	const GLsizei side = SELFTEST_QUAD_SIDE;
	GLuint texture, framebuffer;

	quads->GenTextures(1, &texture);
	quads->BindTexture(GL_TEXTURE_2D, texture);
	quads->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, side, side, 0, GL_RGBA,
			  GL_UNSIGNED_BYTE, NULL);
	quads->GenFramebuffers(1, &framebuffer);
	quads->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	quads->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				    GL_TEXTURE_2D, texture, 0);
	if (quads->CheckFramebufferStatus(GL_FRAMEBUFFER) !=
	    GL_FRAMEBUFFER_COMPLETE)
		return -ENOTSUP;
	quads->Disable(GL_BLEND);
	quads->Disable(GL_DITHER);
	quads->Disable(GL_CULL_FACE);
	quads->VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
	quads->EnableVertexAttribArray(0);
	return 0;
}

/* What a driver does but once, which may be drawing, is not to be counted. */
static void
warm_up(struct quads *quads)
{
	quads->Viewport(0, 0, 1, 1);
	quads_draw(quads, 1);
	quads->Viewport(0, 0, SELFTEST_QUAD_SIDE, SELFTEST_QUAD_SIDE);
}

int
quads_create(const char *node, struct quads **out)
{
	struct quads *quads = calloc(1, sizeof(*quads));
	int ret;

	if (!quads)
		return -ENOMEM;
	ret = load(quads);
	if (!ret)
		ret = make_context(quads, node);
	if (!ret)
		ret = make_program(quads);
	if (!ret)
		ret = make_target(quads);
	if (ret) {
		quads_destroy(quads);
		return ret;
	}
	warm_up(quads);
	*out = quads;
	return 0;
}

/* The libraries stay loaded: some do not bear to be taken out. */
void
quads_destroy(struct quads *quads)
{
	if (quads->display)
		quads->Terminate(quads->display);
	free(quads);
}

void
quads_draw(struct quads *quads, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		quads->DrawArrays(GL_TRIANGLES, 0, 3);
	quads->Finish();
}

bool
quads_are_there(struct quads *quads)
{
	static const GLint at[] = { 0, SELFTEST_QUAD_SIDE / 2,
				    SELFTEST_QUAD_SIDE - 1 };
	static const GLubyte green[4] = { 0, 255, 0, 255 };
	GLubyte pixel[4];

	for (int i = 0; i < 9; i++) {
		memset(pixel, 0, sizeof(pixel));
		quads->ReadPixels(at[i % 3], at[i / 3], 1, 1, GL_RGBA,
				  GL_UNSIGNED_BYTE, pixel);
		if (memcmp(pixel, green, sizeof(green)))
			return false;
	}
	return true;
}

#else

struct quads {
	char nothing;
};

int
quads_create(const char *node, struct quads **out)
{
	(void)node, (void)out;
	return -ENOSYS;
}

void
quads_destroy(struct quads *quads)
{
	(void)quads;
}

void
quads_draw(struct quads *quads, unsigned count)
{
	(void)quads, (void)count;
}

bool
quads_are_there(struct quads *quads)
{
	(void)quads;
	return false;
}

#endif
