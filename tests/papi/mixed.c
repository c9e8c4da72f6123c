/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of all kinds in one EventSet, on simulated GPUs in virtual time.
 *
 * usage: mixed MILLISECONDS EVENT=VALUE | EVENT%STEP | EVENT+...
 * After that time, each event has the value; or a multiple of the step, at
 * least once; or anything above 0.
 */
#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/papi/harness.h"

#define MAX_EVENTS 64
#define NS_PER_MS 1000000

struct wanted {
	char name[128];
	char how; /* '=', '%' or '+' */
	long long value;
};

static struct wanted wanted[MAX_EVENTS];
static int count;
static int failed;

static bool
read_wanted(const char *text, struct wanted *out)
{
	/* an instance has an equals sign as well: the last one counts */
	const char *how = strpbrk(text, "%+");

	if (!how)
		how = strrchr(text, '=');
	if (!how || how - text >= (long)sizeof(out->name))
		return false;
	memcpy(out->name, text, (size_t)(how - text));
	out->how = *how;
	out->value = atoll(how + 1);
	return true;
}

static bool
is_wanted(const struct wanted *event, long long value)
{
	if (event->how == '=')
		return value == event->value;
	if (event->how == '%')
		return value > 0 && value % event->value == 0;
	return value > 0;
}

static void
report_values(const char *when, const long long *values)
{
	for (int i = 0; i < count; i++) {
		bool holds = is_wanted(&wanted[i], values[i]);

		printf("%s %s: %s is %lld\n", holds ? "ok" : "not ok", when,
		       wanted[i].name, values[i]);
		failed |= !holds;
	}
}

int
main(int argc, char **argv)
{
	long long values[MAX_EVENTS];
	int set = PAPI_NULL;

	if (argc < 3 || argc - 2 > MAX_EVENTS ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 2;
	must(PAPI_create_eventset(&set));
	for (count = 0; count < argc - 2; count++) {
		if (!read_wanted(argv[count + 2], &wanted[count]))
			return 2;
		must(PAPI_add_named_event(set, wanted[count].name));
	}
	must(PAPI_start(set));
	drmsim_advance((uint64_t)atoll(argv[1]) * NS_PER_MS);
	must(PAPI_read(set, values));
	report_values("read", values);
	must(PAPI_stop(set, values));
	report_values("stop", values);
	PAPI_shutdown();
	return failed;
}
