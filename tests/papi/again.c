/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks an event up, twice.
 *
 * usage: again EVENT
 */
#include <papi.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	int code = 0, rc;

	if (argc != 2)
		return 2;
	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT) {
		printf("init: %s\n", PAPI_strerror(rc));
		return 1;
	}
	for (int i = 1; i <= 2; i++) {
		rc = PAPI_event_name_to_code(argv[1], &code);
		printf("%d: %s\n", i, PAPI_strerror(rc));
	}
	PAPI_shutdown();
	return 0;
}
