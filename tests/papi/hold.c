/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts until its standard input ends, and tells on standard output when it
 * has begun; then stops, and counts once more after PAPI began again.
 *
 * usage: hold EVENT...
 */
#include <papi.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_EVENTS 64

static int
print_result(const char *what, int rc)
{
	printf("%s: %s\n", what, PAPI_strerror(rc));
	fflush(stdout);
	return rc;
}

/* Create an EventSet of all events, started. */
static int
start_events(int count, char **events, int *set)
{
	int rc = PAPI_library_init(PAPI_VER_CURRENT);
	int i;

	if (rc != PAPI_VER_CURRENT)
		return print_result("init", rc);
	*set = PAPI_NULL;
	rc = PAPI_create_eventset(set);
	for (i = 0; rc == PAPI_OK && i < count; i++)
		rc = PAPI_add_named_event(*set, events[i]);
	if (rc != PAPI_OK)
		return print_result("add", rc);
	return print_result("start", PAPI_start(*set));
}

int
main(int argc, char **argv)
{
	long long values[MAX_EVENTS];
	char byte;
	int set, rc;

	if (argc < 2 || argc > MAX_EVENTS)
		return 2;
	rc = start_events(argc - 1, argv + 1, &set);
	if (rc != PAPI_OK)
		return 1;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	if (print_result("read", PAPI_read(set, values)) == PAPI_OK)
		printf("value: %lld\n", values[0]);
	if (print_result("stop", PAPI_stop(set, values)) == PAPI_OK)
		printf("value: %lld\n", values[0]);
	print_result("cleanup", PAPI_cleanup_eventset(set));
	print_result("destroy", PAPI_destroy_eventset(&set));
	PAPI_shutdown();

	rc = start_events(argc - 1, argv + 1, &set);
	if (rc == PAPI_OK)
		rc = print_result("stop again", PAPI_stop(set, values));
	PAPI_shutdown();
	return rc != PAPI_OK;
}
