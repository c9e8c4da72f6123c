/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_real.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Libraries that others load at run time, as programs do that choose one. */
static const char *const libraries[] = {
	"libGL.so.1",	     "libOpenGL.so.0", "libGLESv2.so.2",
	"libGLESv1_CM.so.1", "libGLX.so.0",    "libEGL.so.1",
};

static const char *const names[] = {
#define GL_REAL_NAME(name) #name,
	GL_REAL_FUNCTIONS(GL_REAL_NAME)
#undef GL_REAL_NAME
};

/* Functions found so far; all threads find the same. */
static struct {
	_Atomic(gl_dlsym) dlsym;
	_Atomic(gl_function) functions[GL_REAL_COUNT];
} known;

/*
 * Find dlsym() by its versions on x86-64, aarch64 and others, the newest first.
 */
gl_dlsym
gl_real_dlsym(void)
{
	static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5",
						"GLIBC_2.17", "GLIBC_2.27",
						"GLIBC_2.0" };
	gl_dlsym found = atomic_load(&known.dlsym);

	for (size_t i = 0; !found && i < ARRAY_SIZE(versions); i++)
		found = (gl_dlsym)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	atomic_store(&known.dlsym, found);
	return found;
}

/* Find the symbol in a library that is loaded. */
static void *
find_loaded_symbol(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle ? gl_real_dlsym()(handle, name) : NULL;

	if (handle)
		dlclose(handle);
	return found;
}

/*
 * Keep the function's library loaded, even if it is closed: the function is
 * remembered.
 */
static void
keep_library_of(void *function)
{
	Dl_info info;
	void *handle;

	if (!dladdr(function, &info))
		return;
	handle =
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	if (handle)
		dlclose(handle);
}

static void *
find_symbol(const char *name)
{
	void *found = gl_real_dlsym()(RTLD_NEXT, name);

	for (size_t i = 0; !found && i < ARRAY_SIZE(libraries); i++)
		found = find_loaded_symbol(libraries[i], name);
	if (found)
		keep_library_of(found);
	return found;
}

/*
 * Query the driver for a function that no library exports. EGL is not queried
 * for names of GLX, nor the reverse: a driver may return a command that does
 * nothing.
 */
static gl_function
query_driver(const char *name)
{
	const bool is_egl = !strncmp(name, "egl", 3);
	const bool is_glx = !strncmp(name, "glX", 3);
	__typeof__(&eglGetProcAddress) egl = GL_REAL(eglGetProcAddress);
	__typeof__(&glXGetProcAddressARB) glx = GL_REAL(glXGetProcAddressARB);
	gl_function found = NULL;

	if (egl && !is_glx)
		found = egl(name);
	if (!found && glx && !is_egl)
		found = glx((const GLubyte *)name);
	return found;
}

/*
 * Return whether a function looks others up: how they are looked up does not
 * help to find them.
 */
static bool
is_lookup(enum gl_real function)
{
	return function == GL_REAL_eglGetProcAddress ||
	       function == GL_REAL_glXGetProcAddressARB;
}

gl_function
gl_real_find(enum gl_real function)
{
	gl_function found = atomic_load(&known.functions[function]);

	if (found)
		return found;
	found = (gl_function)find_symbol(names[function]);
	if (!found && !is_lookup(function))
		found = query_driver(names[function]);
	atomic_store(&known.functions[function], found);
	return found;
}

bool
gl_real_is(const char *name, void *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
		if (find_loaded_symbol(libraries[i], name) == function)
			return true;
	}
	return false;
}
