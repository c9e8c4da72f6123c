/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/papi/machine.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "drmsim/control.h"

/* A unit of work is a millisecond of virtual time. */
#define NS_PER_UNIT 1000000u

/*
 * Return a function of the stand-in for the library, if PAPI has loaded that.
 */
static void *
fake_symbol(const char *name)
{
	const char *path = getenv("PAPI_DRM_LIB");
	void *handle = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
	void *symbol;

	if (!handle)
		return NULL;
	symbol = dlsym(handle, name);
	dlclose(handle); /* PAPI keeps it */
	return symbol;
}

int
machine_work(unsigned amount)
{
	void (*fake_work)(uint64_t);

	*(void **)&fake_work = fake_symbol("fake_drmperf_work");
	if (fake_work) {
		fake_work(amount);
		return 0;
	}
	if (!drmsim_is_present())
		return -1;
	return drmsim_advance((uint64_t)amount * NS_PER_UNIT) ? -1 : 0;
}

/* Return a number that the stand-in keeps; 0 without it. */
static long
fake_number(const char *name)
{
	long (*number)(void);

	*(void **)&number = fake_symbol(name);
	return number ? number() : 0;
}

long
machine_sessions(void)
{
	return fake_number("fake_drmperf_sessions");
}

long
machine_listed(void)
{
	return fake_number("fake_drmperf_listed");
}
