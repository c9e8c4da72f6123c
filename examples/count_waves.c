/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's low level around work on a GPU: count the waves that a known number
 * of compute dispatches launches, and anything else that is asked for.
 */
#include <getopt.h>
#include <inttypes.h>
#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "named_events.h"
#include "workload.h"

#define WAVES_EVENT "drm:::amdgpu::SQ.WAVES"

struct options {
	uint32_t waves;
	uint32_t launches;
	bool plain; /* the queue does not allow to count */
	const char *events[NAMED_EVENTS_MAX];
	int event_count;
};

static const char usage[] =
	"usage: count_waves [--waves N] [--launches N] [--plain] [EVENT]...\n"
	"\n"
	"Launches compute waves on the first AMD GPU and counts them with\n"
	"PAPI: 10 dispatches, or as many as --launches says, of 1000 waves\n"
	"each, or as many as --waves says.\n" WAVES_EVENT
	" must come out as their product.\n"
	"With --plain the queue does not allow to count its waves, as that of\n"
	"most programs; how many are counted is what such events can see.\n"
	"EVENTs are counted beside it, for example\n"
	"drm:::amdgpu::GRBM.COUNT or drm:::amdgpu::metric.L2CacheHit:double;\n"
	"papi_native_avail -i drm lists what there is.\n";

static int
parse_number(const char *text, uint32_t *out)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value == 0 || value > UINT32_MAX) {
		fprintf(stderr, "%s: not a number of at least 1\n", text);
		return -1;
	}
	*out = (uint32_t)value;
	return 0;
}

/* Parse the options. Returns 0; 1 when all has been said; -1 on a mistake. */
static int
options_parse(int argc, char **argv, struct options *options)
{
	static const struct option names[] = {
		{ "waves", required_argument, NULL, 'w' },
		{ "launches", required_argument, NULL, 'l' },
		{ "plain", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "w:l:ph", names, NULL)) >= 0) {
		switch (option) {
		case 'w':
			if (parse_number(optarg, &options->waves))
				return -1;
			break;
		case 'l':
			if (parse_number(optarg, &options->launches))
				return -1;
			break;
		case 'p':
			options->plain = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 1;
		default:
			fputs(usage, stderr);
			return -1;
		}
	}
	options->events[options->event_count++] = WAVES_EVENT;
	for (; optind < argc && options->event_count < NAMED_EVENTS_MAX;
	     optind++)
		options->events[options->event_count++] = argv[optind];
	if (optind < argc) {
		fprintf(stderr, "more than %d events\n", NAMED_EVENTS_MAX - 1);
		return -1;
	}
	return 0;
}

static int
waves_count(const struct options *options, struct workload *workload, int set)
{
	uint64_t launched = (uint64_t)options->waves * options->launches;
	long long values[NAMED_EVENTS_MAX];
	uint32_t i;
	int rc, e;

	rc = PAPI_start(set);
	if (rc != PAPI_OK)
		return named_events_fail("PAPI_start", rc);
	for (i = 0; i < options->launches; i++) {
		rc = workload_launch(workload, options->waves, !options->plain);
		if (rc) {
			fprintf(stderr, "launching waves: %s\n", strerror(-rc));
			PAPI_stop(set, values);
			return 1;
		}
	}
	rc = PAPI_stop(set, values);
	if (rc != PAPI_OK)
		return named_events_fail("PAPI_stop", rc);

	printf("%" PRIu32 " dispatches of %" PRIu32 " waves on %s\n",
	       options->launches, options->waves, workload_node(workload));
	for (e = 0; e < options->event_count; e++)
		named_events_print(options->events[e], values[e]);
	if ((uint64_t)values[0] == launched) {
		printf("All %" PRIu64 " waves launched were counted.\n",
		       launched);
		return 0;
	}
	if (options->plain && (uint64_t)values[0] < launched) {
		printf("%" PRIu64 " waves were launched, in a queue that does "
		       "not allow to count them.\n",
		       launched);
		return 0;
	}
	printf("%" PRIu64 " waves were launched: %s, or the count is wrong.\n",
	       launched,
	       (uint64_t)values[0] > launched
		       ? "other work ran on this GPU"
		       : "some ran on a die that was not counted");
	return 1;
}

int
main(int argc, char **argv)
{
	struct options options = { .waves = 1000, .launches = 10 };
	struct workload *workload;
	int set, rc;

	rc = options_parse(argc, argv, &options);
	if (rc)
		return rc < 0 ? 2 : 0;
	workload = workload_create();
	if (!workload)
		return 1;
	rc = named_events_add(options.events, options.event_count, &set);
	if (!rc)
		rc = waves_count(&options, workload, set);
	PAPI_shutdown();
	workload_destroy(workload);
	return rc;
}
