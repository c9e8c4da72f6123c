/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: hsa_queues EVENT [RUNTIME]
 *
 * Begin HSA, if a runtime is given, then add an event, and print what PAPI says
 * and which tools HSA would load.
 */
#include <dlfcn.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>

static int
begin_hsa(const char *runtime)
{
	void *hsa = dlopen(runtime, RTLD_NOW);
	int (*hsa_init)(void);

	if (!hsa)
		return -1;
	*(void **)&hsa_init = dlsym(hsa, "hsa_init");
	return hsa_init ? hsa_init() : -1;
}

int
main(int argc, char **argv)
{
	int set = PAPI_NULL, rc;
	const char *tools;

	if (argc < 2)
		return 2;
	if (argc > 2 && begin_hsa(argv[2])) {
		fprintf(stderr, "hsa_queues: HSA does not begin\n");
		return 1;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_create_eventset(&set))
		return 1;
	rc = PAPI_add_named_event(set, argv[1]);
	tools = getenv("HSA_TOOLS_LIB");
	printf("%s; tools: %s\n", PAPI_strerror(rc), tools ? tools : "none");
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	PAPI_shutdown();
	return 0;
}
