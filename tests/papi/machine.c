/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "drmsim/control.h"

/* A unit of work is a millisecond of virtual time. */
#define NS_PER_UNIT 1000000u

/* The stand-in for the library, if that is what PAPI has loaded. */
static int
fake_work(unsigned amount)
{
	const char *path = getenv("PAPI_DRM_LIB");
	void (*fake)(uint64_t);
	void *handle = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;

	if (!handle)
		return -1;
	*(void **)&fake = dlsym(handle, "fake_drmperf_work");
	if (fake)
		fake(amount);
	dlclose(handle);
	return fake ? 0 : -1;
}

int
machine_work(unsigned amount)
{
	if (!fake_work(amount))
		return 0;
	return drmsim_is_present() &&
			       !drmsim_advance((uint64_t)amount * NS_PER_UNIT)
		       ? 0
		       : -1;
}
