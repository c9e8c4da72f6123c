/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the events of the component, and checks of each that its name leads
 * back to it and that everything a tool wants to know of it is filled in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"
#include "papi_test.h"

static void
check_event(int code, int is_qualified)
{
	char name[PAPI_MAX_STR_LEN];
	PAPI_event_info_t info;
	int rc, again;

	rc = PAPI_event_code_to_name(code, name);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, "PAPI_event_code_to_name", rc);
	rc = PAPI_get_event_info(code, &info);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, name, rc);
	if (strcmp(info.symbol, name))
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	if (strncmp(name, "drm:::", 6) || strpbrk(name, ", |@\t"))
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	if (!info.long_descr[0] || !info.short_descr[0])
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	if (is_qualified && !strchr(info.long_descr, ':'))
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	if (info.data_type != PAPI_DATATYPE_INT64 &&
	    info.data_type != PAPI_DATATYPE_FP64)
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	rc = PAPI_event_name_to_code(name, &again);
	if (rc != PAPI_OK)
		test_fail(__FILE__, __LINE__, name, rc);
	rc = PAPI_event_code_to_name(again, info.symbol);
	if (rc != PAPI_OK || strcmp(info.symbol, name))
		test_fail(__FILE__, __LINE__, name, PAPI_EBUG);
	if (!TESTS_QUIET && !is_qualified)
		printf("%-60s %s\n", name, info.units);
}

int
main(int argc, char **argv)
{
	int code = PAPI_NATIVE_MASK;
	int count = 0, qualified = 0;
	int component, rc;

	tests_quiet(argc, argv);
	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT)
		test_fail(__FILE__, __LINE__, "PAPI_library_init", rc);
	component = PAPI_get_component_index("drm");
	if (component < 0)
		test_fail(__FILE__, __LINE__, "component drm", component);
	rc = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
	if (rc != PAPI_OK)
		test_skip(__FILE__, __LINE__,
			  PAPI_get_component_info(component)->disabled_reason,
			  rc);
	do {
		int mask = code;

		check_event(code, 0);
		count++;
		while (PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS,
					   component) == PAPI_OK) {
			check_event(mask, 1);
			qualified++;
		}
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
		 PAPI_OK);

	if (!TESTS_QUIET)
		printf("%d events, %d with a qualifier\n", count, qualified);
	if (count != PAPI_get_component_info(component)->num_native_events)
		test_fail(__FILE__, __LINE__, "number of events", PAPI_EBUG);
	test_pass(__FILE__);
	return 0;
}
