/* SPDX-License-Identifier: BSD-3-Clause */
#include "named_events.h"

#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Return whether errors are to be explained, as the component takes the
 * variable.
 */
static int
is_verbose(void)
{
	const char *text = secure_getenv("PAPI_DRM_VERBOSE");

	return text && *text && strcmp(text, "0") != 0;
}

int
named_events_fail(const char *what, int code)
{
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	if (!is_verbose())
		fputs("PAPI_DRM_VERBOSE=1 makes the component drm say why.\n",
		      stderr);
	return 1;
}

int
named_events_add(const char *const *names, int count, int *set)
{
	int rc = PAPI_library_init(PAPI_VER_CURRENT);

	if (rc != PAPI_VER_CURRENT)
		return named_events_fail("PAPI_library_init", rc);
	*set = PAPI_NULL;
	rc = PAPI_create_eventset(set);
	if (rc != PAPI_OK)
		return named_events_fail("PAPI_create_eventset", rc);
	for (int i = 0; i < count; i++) {
		rc = PAPI_add_named_event(*set, names[i]);
		if (rc != PAPI_OK)
			return named_events_fail(names[i], rc);
	}
	return 0;
}

void
named_events_print(const char *name, long long value)
{
	PAPI_event_info_t info;
	double number;
	int code;

	if (PAPI_event_name_to_code(name, &code) != PAPI_OK ||
	    PAPI_get_event_info(code, &info) != PAPI_OK) {
		printf("  %-48s %16lld\n", name, value);
	} else if (info.data_type == PAPI_DATATYPE_FP64) {
		memcpy(&number, &value, sizeof(number));
		printf("  %-48s %16.3f %s\n", name, number, info.units);
	} else {
		printf("  %-48s %16lld %s\n", name, value, info.units);
	}
}
