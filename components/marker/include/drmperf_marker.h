/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of a program in the recordings of `drmperf record --regions`. A
 * program includes this header and links nothing. Where no tool records, which
 * is found out when the program is loaded, each call is one comparison.
 *
 *	#include <drmperf_marker.h>
 *
 *	drmperf_marker_push("solve");
 *	solve();
 *	drmperf_marker_pop();
 *
 * All calls may be made by any thread, in handlers of signals and in the child
 * of a fork(). Names are copied; what is longer than 95 bytes is cut. With a C
 * library that has dlsym() in a library of its own (glibc before 2.34) the
 * program needs -ldl.
 */
#ifndef DRMPERF_MARKER_H
#define DRMPERF_MARKER_H

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a tool provides by this name; it may grow at its end. */
struct drmperf_marker_functions {
	size_t size;
	void (*push)(const char *name);
	void (*pop)(void);
	unsigned long long (*start)(const char *name);
	void (*stop)(unsigned long long range);
	void (*set)(const char *name);
};

/* NULL: no tool records. */
static const struct drmperf_marker_functions *drmperf_marker_tool;

static void __attribute__((constructor))
drmperf_marker_find_tool(void)
{
	void *program = dlopen(NULL, RTLD_LAZY);

	if (!program)
		return;
	drmperf_marker_tool = (const struct drmperf_marker_functions *)dlsym(
		program, "drmperf_marker_functions");
	dlclose(program);
}

/* Begin a region of the calling thread, in the one that it is in already. */
static inline void
drmperf_marker_push(const char *name)
{
	if (drmperf_marker_tool)
		drmperf_marker_tool->push(name);
}

/* End the innermost region of the calling thread. */
static inline void
drmperf_marker_pop(void)
{
	if (drmperf_marker_tool)
		drmperf_marker_tool->pop();
}

/*
 * Begin a range that any thread of the process may end. Returns its number, or
 * 0 where no tool records.
 */
static inline unsigned long long
drmperf_marker_start(const char *name)
{
	return drmperf_marker_tool ? drmperf_marker_tool->start(name) : 0;
}

static inline void
drmperf_marker_stop(unsigned long long range)
{
	if (drmperf_marker_tool)
		drmperf_marker_tool->stop(range);
}

/* Mark an instant. */
static inline void
drmperf_marker_set(const char *name)
{
	if (drmperf_marker_tool)
		drmperf_marker_tool->set(name);
}

#ifdef __cplusplus
}
#endif

#endif /* DRMPERF_MARKER_H */
