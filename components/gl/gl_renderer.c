/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_renderer.h"

#include <stdio.h>
#include <string.h>

#include "gl_extensions.h"
#include "gl_real.h"

/* Mesa's PCI vendor where there is no device. */
#define NO_VENDOR 0xffffffffU

struct gl_current
gl_renderer_current(void)
{
	__typeof__(&eglGetCurrentContext) egl = GL_REAL(eglGetCurrentContext);
	__typeof__(&glXGetCurrentContext) glx;
	struct gl_current current = { 0 };

	if (egl)
		current.context = egl();
	if (current.context) {
		current.is_egl = true;
		if (GL_REAL(eglGetCurrentDisplay))
			current.display = GL_REAL(eglGetCurrentDisplay)();
		return current;
	}
	/* a program of EGL's may have no GLX, which takes a while to see */
	glx = GL_REAL(glXGetCurrentContext);
	if (glx)
		current.context = glx();
	if (current.context && GL_REAL(glXGetCurrentDisplay))
		current.display = GL_REAL(glXGetCurrentDisplay)();
	return current;
}

/* Query the node by one of EGL's extensions of devices, if it is there. */
static bool
query_node(EGLDeviceEXT device, const char *extension, EGLint name,
	   struct gl_renderer *out)
{
	const char *list =
		GL_REAL(eglQueryDeviceStringEXT)(device, EGL_EXTENSIONS);
	const char *node;

	if (!gl_extensions_list_has(list, extension))
		return false;
	node = GL_REAL(eglQueryDeviceStringEXT)(device, name);
	if (!node)
		return false;
	snprintf(out->node, sizeof(out->node), "%s", node);
	return true;
}

static void
query_egl(EGLDisplay display, struct gl_renderer *out)
{
	const char *list =
		GL_REAL(eglQueryString)(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	EGLAttrib device;

	if ((!gl_extensions_list_has(list, "EGL_EXT_device_base") &&
	     !gl_extensions_list_has(list, "EGL_EXT_device_query")) ||
	    !GL_REAL(eglQueryDisplayAttribEXT) ||
	    !GL_REAL(eglQueryDeviceStringEXT) ||
	    !GL_REAL(eglQueryDisplayAttribEXT)(display, EGL_DEVICE_EXT,
					       &device))
		return;
	if (!query_node((EGLDeviceEXT)device, "EGL_EXT_device_drm_render_node",
			EGL_DRM_RENDER_NODE_FILE_EXT, out))
		query_node((EGLDeviceEXT)device, "EGL_EXT_device_drm",
			   EGL_DRM_DEVICE_FILE_EXT, out);
}

static void
query_glx(Display *display, struct gl_renderer *out)
{
	const char *list = GL_REAL(glXQueryExtensionsString)(
		display, DefaultScreen(display));
	unsigned vendor = 0, device = 0;

	if (!gl_extensions_list_has(list, "GLX_MESA_query_renderer") ||
	    !GL_REAL(glXQueryCurrentRendererIntegerMESA) ||
	    !GL_REAL(glXQueryCurrentRendererIntegerMESA)(
		    GLX_RENDERER_VENDOR_ID_MESA, &vendor) ||
	    !GL_REAL(glXQueryCurrentRendererIntegerMESA)(
		    GLX_RENDERER_DEVICE_ID_MESA, &device) ||
	    vendor == NO_VENDOR)
		return;
	out->vendor = vendor;
	out->device = device;
}

void
gl_renderer_query(const struct gl_current *current, struct gl_renderer *out)
{
	memset(out, 0, sizeof(*out));
	if (current->is_egl)
		query_egl(current->display, out);
	else
		query_glx(current->display, out);
}
