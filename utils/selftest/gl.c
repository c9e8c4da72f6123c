/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/gl.h"

#include <errno.h>

#if SELFTEST_HAS_GL

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES_MAX 16

#ifndef EGL_DRM_RENDER_NODE_FILE_EXT
#define EGL_DRM_RENDER_NODE_FILE_EXT 0x3377
#endif

/* ------------------------------------------------------------------ */
/* The libraries                                                        */

static int
gl_load(struct gl *gl)
{
	PFNEGLGETPROCADDRESSPROC find;

	/* OpenGL ES has to be there for EGL to find its functions */
	gl->library = dlopen("libEGL.so.1", RTLD_NOW);
	if (!gl->library || !dlopen("libGLESv2.so.2", RTLD_NOW))
		return -ENOENT;
	find = (PFNEGLGETPROCADDRESSPROC)dlsym(gl->library,
					       "eglGetProcAddress");
	if (!find)
		return -ENOENT;
#define FIND_EGL(type, name)                                                   \
	gl->name = (type)find("egl" #name);                                    \
	if (!gl->name)                                                         \
		gl->name = (type)dlsym(gl->library, "egl" #name);              \
	if (!gl->name)                                                         \
		return -ENOTSUP;
#define FIND_COMPUTE(type, name) gl->name = (type)find("gl" #name);
#define FIND_GL(type, name)                                                    \
	FIND_COMPUTE(type, name)                                               \
	if (!gl->name)                                                         \
		return -ENOTSUP;
	GL_FUNCTIONS(FIND_EGL, FIND_GL, FIND_COMPUTE)
	return 0;
}

/* ------------------------------------------------------------------ */
/* The GPU                                                              */

static EGLDeviceEXT
find_device(const struct gl *gl, const char *node)
{
	EGLDeviceEXT devices[DEVICES_MAX];
	EGLint count = 0;

	if (!gl->QueryDevicesEXT(DEVICES_MAX, devices, &count))
		return NULL;
	for (EGLint i = 0; i < count; i++) {
		const char *name = gl->QueryDeviceStringEXT(
			devices[i], EGL_DRM_RENDER_NODE_FILE_EXT);

		if (name && !strcmp(name, node))
			return devices[i];
	}
	return NULL;
}

/* Create a context of OpenGL ES 3.1, or of what there is. */
static EGLContext
create_context(struct gl *gl)
{
	static const EGLint newer[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
					EGL_CONTEXT_MINOR_VERSION, 1,
					EGL_NONE };
	static const EGLint older[] = { EGL_CONTEXT_CLIENT_VERSION, 2,
					EGL_NONE };
	EGLContext context;

	context = gl->CreateContext(gl->display, EGL_NO_CONFIG_KHR,
				    EGL_NO_CONTEXT, newer);
	gl->computes = context != EGL_NO_CONTEXT;
	return context ? context
		       : gl->CreateContext(gl->display, EGL_NO_CONFIG_KHR,
					   EGL_NO_CONTEXT, older);
}

static int
make_context(struct gl *gl, const char *node)
{
	EGLDeviceEXT device = find_device(gl, node);
	EGLContext context;

	if (!device)
		return -ENODEV;
	gl->display = gl->GetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device,
						NULL);
	if (!gl->display || !gl->Initialize(gl->display, NULL, NULL) ||
	    !gl->BindAPI(EGL_OPENGL_ES_API))
		return -ENODEV;
	context = create_context(gl);
	if (!context || !gl->MakeCurrent(gl->display, EGL_NO_SURFACE,
					 EGL_NO_SURFACE, context))
		return -ENOTSUP;
	return 0;
}

int
gl_create(const char *node, struct gl **out)
{
	struct gl *gl = calloc(1, sizeof(*gl));
	int ret;

	if (!gl)
		return -ENOMEM;
	ret = gl_load(gl);
	if (!ret)
		ret = make_context(gl, node);
	if (ret)
		gl_destroy(gl);
	else
		*out = gl;
	return ret;
}

/*
 * Destroy the context. The libraries stay loaded: some do not bear to be taken
 * out.
 */
void
gl_destroy(struct gl *gl)
{
	if (gl->display)
		gl->Terminate(gl->display);
	free(gl);
}

/* ------------------------------------------------------------------ */
/* Programs                                                             */

void
gl_add_shader(const struct gl *gl, GLuint program, GLenum kind,
	      const char *text)
{
	GLuint shader = gl->CreateShader(kind);

	gl->ShaderSource(shader, 1, &text, NULL);
	gl->CompileShader(shader);
	gl->AttachShader(program, shader);
}

int
gl_use_program(const struct gl *gl, GLuint program)
{
	GLint linked = 0;

	gl->LinkProgram(program);
	gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
	gl->UseProgram(program);
	return linked ? 0 : -ENOTSUP;
}

#else

int
gl_create(const char *node, struct gl **out)
{
	(void)node, (void)out;
	return -ENOSYS;
}

void
gl_destroy(struct gl *gl)
{
	(void)gl;
}

#endif
