/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of PAPI's high-level interface, in front of a shared libpapi. They
 * are recorded without the time that PAPI itself takes.
 */
#include <stddef.h>

#include "mark_buffer.h"
#include "marker_next.h"

#define EXPORTED __attribute__((visibility("default")))
/* PAPI_ENOIMPL: the program has no PAPI that it could call. */
#define NO_PAPI (-17)

EXPORTED int
PAPI_hl_region_begin(const char *region);
EXPORTED int
PAPI_hl_region_end(const char *region);

int
PAPI_hl_region_begin(const char *region)
{
	static struct marker_next next = { .name = "PAPI_hl_region_begin" };
	int (*function)(const char *) =
		(__typeof__(function))marker_next_find(&next);
	const int result = function ? function(region) : NO_PAPI;

	mark_write(MARK_PUSH, 0, region);
	return result;
}

int
PAPI_hl_region_end(const char *region)
{
	static struct marker_next next = { .name = "PAPI_hl_region_end" };
	int (*function)(const char *) =
		(__typeof__(function))marker_next_find(&next);

	mark_write(MARK_POP, 0, NULL);
	return function ? function(region) : NO_PAPI;
}
