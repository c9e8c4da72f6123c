/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of extensions of the current context, as its driver has it.
 */
#ifndef GL_EXTENSIONS_H
#define GL_EXTENSIONS_H

#include <stdbool.h>

#include <GL/gl.h>

#define GL_EXTENSIONS_OURS "GL_AMD_performance_monitor"

/*
 * Return whether the current context has the extension; makes no error of
 * OpenGL, whatever version it is.
 */
bool gl_extensions_has(const char *name);

/*
 * Return whether a list of names with blanks between, which may be NULL, has
 * it.
 */
bool gl_extensions_list_has(const char *list, const char *name);

/*
 * Return a driver's list with this library's extension at its end, to be freed;
 * NULL if memory is short.
 */
GLubyte *gl_extensions_append(const GLubyte *list);

#endif /* GL_EXTENSIONS_H */
