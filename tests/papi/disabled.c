/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PAPI says of the component, before and after it was asked for events.
 */
#include <papi.h>
#include <stdio.h>

static int
print_state(const char *when)
{
	int component = PAPI_get_component_index("drm");
	const PAPI_component_info_t *info = PAPI_get_component_info(component);

	if (!info)
		return -1;
	printf("%s: %s, %d events: %s\n", when,
	       info->disabled ? PAPI_strerror(info->disabled) : "enabled",
	       info->num_native_events, info->disabled_reason);
	printf("description: %s\n", info->description);
	return component;
}

int
main(void)
{
	int code = PAPI_NATIVE_MASK;
	int component, rc;

	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT) {
		printf("init: %s\n", PAPI_strerror(rc));
		return 1;
	}
	component = print_state("before");
	if (component < 0)
		return 1;
	/* twice: the second time adds nothing */
	for (int i = 0; i < 2; i++) {
		rc = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
		printf("asked: %s\n", PAPI_strerror(rc));
	}
	print_state("after");
	PAPI_shutdown();
	return 0;
}
