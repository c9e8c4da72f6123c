/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of ROCm's roctx, in front of its library where the program has
 * it: what that returns is what the program gets.
 */
#include <stddef.h>
#include <stdint.h>

#include "mark_buffer.h"
#include "marker_next.h"

#define EXPORTED __attribute__((visibility("default")))

/* The regions that a thread is in, for programs without roctx's library. */
static _Thread_local int level;

EXPORTED void
roctxMarkA(const char *name);
EXPORTED int
roctxRangePushA(const char *name);
EXPORTED int
roctxRangePop(void);
EXPORTED uint64_t
roctxRangeStartA(const char *name);
EXPORTED void
roctxRangeStop(uint64_t range);

void
roctxMarkA(const char *name)
{
	static struct marker_next next = { .name = "roctxMarkA" };
	void (*function)(const char *) =
		(__typeof__(function))marker_next_find(&next);

	mark_write(MARK_INSTANT, 0, name);
	if (function)
		function(name);
}

int
roctxRangePushA(const char *name)
{
	static struct marker_next next = { .name = "roctxRangePushA" };
	int (*function)(const char *) =
		(__typeof__(function))marker_next_find(&next);
	const int result = function ? function(name) : level++;

	mark_write(MARK_PUSH, 0, name);
	return result;
}

int
roctxRangePop(void)
{
	static struct marker_next next = { .name = "roctxRangePop" };
	int (*function)(void) = (__typeof__(function))marker_next_find(&next);

	mark_write(MARK_POP, 0, NULL);
	if (function)
		return function();
	/* roctx reports a region that was never begun as a negative level */
	return level > 0 ? --level : -1;
}

uint64_t
roctxRangeStartA(const char *name)
{
	static struct marker_next next = { .name = "roctxRangeStartA" };
	uint64_t (*function)(const char *) =
		(__typeof__(function))marker_next_find(&next);
	const uint64_t range = function ? function(name) : mark_new_range();

	mark_write(MARK_START, range, name);
	return range;
}

void
roctxRangeStop(uint64_t range)
{
	static struct marker_next next = { .name = "roctxRangeStop" };
	void (*function)(uint64_t) =
		(__typeof__(function))marker_next_find(&next);

	mark_write(MARK_STOP, range, NULL);
	if (function)
		function(range);
}
