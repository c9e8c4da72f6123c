/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into a program: PAPI counts the event that COUNTED names from
 * before main() to the program's end, and prints it.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>

static int set = PAPI_NULL;

static void
require_ok(const char *what, int rc)
{
	if (rc == PAPI_OK)
		return;
	fprintf(stderr, "kfd_papi: %s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

static void __attribute__((constructor))
counting_begin(void)
{
	const char *event = getenv("COUNTED");

	if (!event)
		return;
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		exit(1);
	require_ok("create", PAPI_create_eventset(&set));
	require_ok("add", PAPI_add_named_event(set, event));
	require_ok("start", PAPI_start(set));
}

static void __attribute__((destructor))
counting_end(void)
{
	long long value = 0;

	if (set == PAPI_NULL)
		return;
	require_ok("stop", PAPI_stop(set, &value));
	printf("counted %lld\n", value);
}
