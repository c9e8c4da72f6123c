/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts events, the first of the component or those named on the command
 * line, through everything that can be done to a running EventSet. Counts that
 * accumulate must not fall.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"
#include "papi_test.h"

#define MAX_EVENTS 16
#define PAUSE_US 20000

static void
require_ok(int rc, const char *what, int line)
{
	if (rc != PAPI_OK)
		test_fail(__FILE__, line, what, rc);
}
#define MUST(call) require_ok(call, #call, __LINE__)

static int
add_first_event(int set, int component)
{
	int code = PAPI_NATIVE_MASK;

	if (PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK)
		test_skip(__FILE__, __LINE__,
			  PAPI_get_component_info(component)->disabled_reason,
			  PAPI_ECMP);
	MUST(PAPI_add_event(set, code));
	return 1;
}

static int
add_named(int set, int argc, char **argv)
{
	int i, count = 0;

	for (i = 1; i < argc && count < MAX_EVENTS; i++) {
		if (!strstr(argv[i], "::"))
			continue;
		MUST(PAPI_add_named_event(set, argv[i]));
		count++;
	}
	return count;
}

static void
show_values(const char *when, const long long *values, int count)
{
	int i;

	if (TESTS_QUIET)
		return;
	printf("%-12s", when);
	for (i = 0; i < count; i++)
		printf(" %16lld", values[i]);
	printf("\n");
}

static void
must_not_fall(int set, const long long *before, const long long *after,
	      int count)
{
	int codes[MAX_EVENTS], i;
	PAPI_event_info_t info;

	MUST(PAPI_list_events(set, codes, &count));
	for (i = 0; i < count; i++) {
		MUST(PAPI_get_event_info(codes[i], &info));
		if (info.value_type == PAPI_VALUETYPE_RUNNING_SUM &&
		    after[i] < before[i])
			test_fail(__FILE__, __LINE__, info.symbol, PAPI_EBUG);
	}
}

int
main(int argc, char **argv)
{
	long long first[MAX_EVENTS], second[MAX_EVENTS], sum[MAX_EVENTS];
	int set = PAPI_NULL;
	int component, count, rc;

	tests_quiet(argc, argv);
	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT)
		test_fail(__FILE__, __LINE__, "PAPI_library_init", rc);
	component = PAPI_get_component_index("drm");
	if (component < 0)
		test_fail(__FILE__, __LINE__, "component drm", component);
	MUST(PAPI_create_eventset(&set));
	count = add_named(set, argc, argv);
	if (!count)
		count = add_first_event(set, component);

	MUST(PAPI_start(set));
	usleep(PAUSE_US);
	MUST(PAPI_read(set, first));
	show_values("read", first, count);
	usleep(PAUSE_US);
	MUST(PAPI_read(set, second));
	show_values("read again", second, count);
	must_not_fall(set, first, second, count);

	MUST(PAPI_reset(set));
	memset(sum, 0, sizeof(sum));
	usleep(PAUSE_US);
	MUST(PAPI_accum(set, sum));
	show_values("accumulated", sum, count);
	memcpy(first, sum, sizeof(first));
	usleep(PAUSE_US);
	MUST(PAPI_accum(set, sum));
	show_values("and again", sum, count);
	must_not_fall(set, first, sum, count);

	MUST(PAPI_stop(set, first));
	show_values("stopped", first, count);
	MUST(PAPI_read(set, second));
	if (memcmp(first, second, (size_t)count * sizeof(*first)))
		test_fail(__FILE__, __LINE__, "read of a stopped set",
			  PAPI_EBUG);
	MUST(PAPI_cleanup_eventset(set));
	MUST(PAPI_destroy_eventset(&set));
	test_pass(__FILE__);
	return 0;
}
