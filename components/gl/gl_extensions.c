/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_extensions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl_real.h"

bool
gl_extensions_list_has(const char *list, const char *name)
{
	const size_t length = strlen(name);

	while (list) {
		if (!strncmp(list, name, length) &&
		    (!list[length] || list[length] == ' '))
			return true;
		list = strchr(list, ' ');
		list = list ? list + 1 : NULL;
	}
	return false;
}

/* Parse "4.5 (Core Profile) Mesa", "OpenGL ES 3.2 Mesa", "OpenGL ES-CM 1.1". */
static int
major_version(void)
{
	const char *text = (const char *)GL_REAL(glGetString)(GL_VERSION);

	return text ? atoi(text + strcspn(text, "0123456789")) : 0;
}

/*
 * Find an extension by index, from version 3 on; the only way in a core
 * profile.
 */
static bool
has_indexed(const char *name)
{
	__typeof__(&glGetStringi) get = GL_REAL(glGetStringi);
	GLint count = 0;

	if (get)
		GL_REAL(glGetIntegerv)(GL_NUM_EXTENSIONS, &count);
	for (GLint i = 0; i < count; i++) {
		const char *its = (const char *)get(GL_EXTENSIONS, (GLuint)i);

		if (its && !strcmp(its, name))
			return true;
	}
	return false;
}

bool
gl_extensions_has(const char *name)
{
	if (major_version() >= 3)
		return has_indexed(name);
	return gl_extensions_list_has(
		(const char *)GL_REAL(glGetString)(GL_EXTENSIONS), name);
}

GLubyte *
gl_extensions_append(const GLubyte *list)
{
	const char *text = (const char *)list;
	const size_t length = strlen(text);
	const char *blank = length && text[length - 1] != ' ' ? " " : "";
	char *all;

	if (asprintf(&all, "%s%s%s", text, blank, GL_EXTENSIONS_OURS) < 0)
		return NULL;
	return (GLubyte *)all;
}
