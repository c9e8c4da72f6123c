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
check_values(const char *when, const long long *values)
{
	for (int i = 0; i < count; i++) {
		bool holds = is_wanted(&wanted[i], values[i]);

		printf("%s %s: %s is %lld\n", holds ? "ok" : "not ok", when,
		       wanted[i].name, values[i]);
		failed |= !holds;
	}
}

static void
must_succeed(int rc, const char *what)
{
	if (rc == PAPI_OK)
		return;
	printf("not ok %s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

int
main(int argc, char **argv)
{
	long long values[MAX_EVENTS];
	int set = PAPI_NULL;

	if (argc < 3 || argc - 2 > MAX_EVENTS ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 2;
	must_succeed(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (count = 0; count < argc - 2; count++) {
		if (!read_wanted(argv[count + 2], &wanted[count]))
			return 2;
		must_succeed(PAPI_add_named_event(set, wanted[count].name),
			     wanted[count].name);
	}
	must_succeed(PAPI_start(set), "PAPI_start");
	drmsim_advance((uint64_t)atoll(argv[1]) * NS_PER_MS);
	must_succeed(PAPI_read(set, values), "PAPI_read");
	check_values("read", values);
	must_succeed(PAPI_stop(set, values), "PAPI_stop");
	check_values("stop", values);
	PAPI_shutdown();
	return failed;
}
