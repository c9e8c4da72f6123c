/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds events until one does not fit: the refusal must be PAPI_ECNFLCT, and the
 * EventSet must be as good as before. Multiplexing must be refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"
#include "papi_test.h"

#define MAX_EVENTS 512

int
main(int argc, char **argv)
{
	static long long values[MAX_EVENTS];
	int code = PAPI_NATIVE_MASK;
	int set = PAPI_NULL;
	int component, rc;

	tests_quiet(argc, argv);
	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT)
		test_fail(__FILE__, __LINE__, "PAPI_library_init", rc);
	component = PAPI_get_component_index("drm");
	if (component < 0)
		test_fail(__FILE__, __LINE__, "component drm", component);
	rc = PAPI_multiplex_init();
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, "PAPI_multiplex_init", rc);
	rc = PAPI_create_eventset(&set);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, "PAPI_create_eventset", rc);
	rc = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
	if (rc != PAPI_OK)
		test_skip(__FILE__, __LINE__,
			  PAPI_get_component_info(component)->disabled_reason,
			  rc);
	do {
		rc = PAPI_add_event(set, code);
	} while (rc == PAPI_OK && PAPI_num_events(set) < MAX_EVENTS &&
		 PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
			 PAPI_OK);
	if (rc == PAPI_OK)
		test_skip(__FILE__, __LINE__, "all events fit together", rc);
	if (rc != PAPI_ECNFLCT)
		test_fail(__FILE__, __LINE__, "PAPI_add_event", rc);
	if (!TESTS_QUIET)
		printf("%d events fit together\n", PAPI_num_events(set));

	rc = PAPI_start(set);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, "PAPI_start", rc);
	rc = PAPI_stop(set, values);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, "PAPI_stop", rc);
	if (PAPI_set_multiplex(set) == PAPI_OK)
		test_fail(__FILE__, __LINE__, "multiplexing was allowed",
			  PAPI_EBUG);
	test_pass(__FILE__);
	return 0;
}
