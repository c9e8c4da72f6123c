/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's high level around work on a GPU. Which events are counted stands in
 * the environment, PAPI_EVENTS, and not in the program.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

#define DEFAULT_EVENTS "drm:::amdgpu::SQ.WAVES"
#define WAVES 1000

static const char usage[] =
	"usage: [PAPI_EVENTS=...] [PAPI_REPORT=1] count_regions\n"
	"\n"
	"Launches compute waves on the first AMD GPU, in two regions that\n"
	"PAPI's high level measures: 1000 waves in \"one launch\", 10000 in\n"
	"\"ten launches\". PAPI writes what it counted into the folder\n"
	"papi_hl_output below PAPI_OUTPUT_DIRECTORY or the present folder,\n"
	"and to standard output if PAPI_REPORT is set.\n"
	"Default of PAPI_EVENTS: " DEFAULT_EVENTS "\n";

/* Launch so often, as one region. */
static int
run_region(struct workload *workload, const char *name, int launches)
{
	int i, rc = PAPI_hl_region_begin(name);

	if (rc != PAPI_OK) {
		fprintf(stderr, "region %s: %s\n", name, PAPI_strerror(rc));
		return 1;
	}
	for (i = 0; i < launches; i++) {
		rc = workload_launch(workload, WAVES, true);
		if (rc) {
			fprintf(stderr, "launching waves: %s\n", strerror(-rc));
			return 1;
		}
	}
	rc = PAPI_hl_region_end(name);
	if (rc != PAPI_OK) {
		fprintf(stderr, "region %s: %s\n", name, PAPI_strerror(rc));
		return 1;
	}
	printf("region %-14s %5d waves launched\n", name, launches * WAVES);
	return 0;
}

int
main(int argc, char **argv)
{
	struct workload *workload;
	int rc;

	if (argc > 1) {
		fputs(usage, strcmp(argv[1], "--help") ? stderr : stdout);
		return strcmp(argv[1], "--help") ? 2 : 0;
	}
	workload = workload_create();
	if (!workload)
		return 1;
	setenv("PAPI_EVENTS", DEFAULT_EVENTS, 0);
	rc = run_region(workload, "one launch", 1);
	if (!rc)
		rc = run_region(workload, "ten launches", 10);
	/* PAPI writes its results when it is asked to stop, or at exit. */
	PAPI_hl_stop();
	workload_destroy(workload);
	return rc;
}
