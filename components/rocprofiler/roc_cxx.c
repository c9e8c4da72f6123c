/* SPDX-License-Identifier: BSD-3-Clause */
#include "roc_cxx.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* In one thread: HSA has a lock when it starts and ends. */
static struct {
	void *library;
	char *(*demangle)(const char *name, char *buffer, size_t *length,
			  int *status);
	void *(*new)(size_t size, const void *nothrow);
	void (*delete)(void *memory);
	const void *nothrow;
} cxx;

/*
 * Return the program's own, if it has one; so `delete` in a tool finds it, too.
 */
static void *
symbol_find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return found ? found : dlsym(cxx.library, name);
}

void
roc_cxx_begin(void)
{
	cxx.library = dlopen("libstdc++.so.6", RTLD_NOW);
	if (!cxx.library)
		return;
	*(void **)&cxx.demangle = symbol_find("__cxa_demangle");
	*(void **)&cxx.new = symbol_find("_ZnwmRKSt9nothrow_t");
	*(void **)&cxx.delete = symbol_find("_ZdlPv");
	cxx.nothrow = symbol_find("_ZSt7nothrow");
}

void
roc_cxx_end(void)
{
	if (cxx.library)
		dlclose(cxx.library);
	memset(&cxx, 0, sizeof(cxx));
}

char *
roc_cxx_demangle(const char *name)
{
	int status;

	return cxx.demangle ? cxx.demangle(name, NULL, NULL, &status) : NULL;
}

void *
roc_cxx_new(size_t size)
{
	return cxx.new ? cxx.new(size, cxx.nothrow) : malloc(size);
}

void
roc_cxx_delete(void *memory)
{
	if (cxx.delete)
		cxx.delete(memory);
	else
		free(memory);
}
