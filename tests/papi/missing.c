/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event without a value costs the others of its EventSet nothing, and the
 * set can be stopped, cleaned up and destroyed.
 *
 * usage: missing MISHAP NA GOOD [MEND]
 *
 * NA has no value once the shell command MISHAP has been run, GOOD has one.
 * Where MEND is given, NA has one again in a run that begins behind that.
 */
#include <limits.h>
#include <math.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void
expect_true(const char *what, int is_true)
{
	printf("%sok %s\n", is_true ? "" : "not ", what);
	failed |= !is_true;
}

static int
make_set(const char *na, const char *good)
{
	int set = PAPI_NULL;

	expect_true("a set can be created",
		    PAPI_create_eventset(&set) == PAPI_OK);
	expect_true("NA can be added",
		    PAPI_add_named_event(set, na) == PAPI_OK);
	expect_true("GOOD can be added",
		    PAPI_add_named_event(set, good) == PAPI_OK);
	return set;
}

static void
count_again(int set, const char *mend)
{
	long long values[2] = { 0 };

	expect_true("what happened is mended", system(mend) == 0);
	expect_true("the set can be started again", PAPI_start(set) == PAPI_OK);
	expect_true("and be read", PAPI_read(set, values) == PAPI_OK);
	expect_true("NA is counted again", values[0] >= 0 && values[1] >= 0);
	expect_true("and be stopped again", PAPI_stop(set, values) == PAPI_OK);
	expect_true("NA has counted", values[0] > 0 && values[1] > 0);
}

static void
end_set(int set, const char *mend)
{
	long long values[2] = { 0 };

	expect_true("the set can be stopped",
		    PAPI_stop(set, values) == PAPI_OK);
	expect_true("the last value of NA is LLONG_MIN",
		    values[0] == LLONG_MIN);
	expect_true("the last value of GOOD is a count", values[1] > 0);
	if (mend)
		count_again(set, mend);
	expect_true("the set can be cleaned up",
		    PAPI_cleanup_eventset(set) == PAPI_OK);
	expect_true("the set can be destroyed",
		    PAPI_destroy_eventset(&set) == PAPI_OK);
}

/* Count as the bits of a double. */
static void
count_as_double(const char *na, const char *good)
{
	char name[PAPI_MAX_STR_LEN];
	long long values[2] = { 0 };
	double value = 0;
	int set;

	snprintf(name, sizeof(name), "%s:double", na);
	set = make_set(name, good);
	expect_true("a second set can be started", PAPI_start(set) == PAPI_OK);
	expect_true("and read", PAPI_read(set, values) == PAPI_OK);
	memcpy(&value, &values[0], sizeof(value));
	expect_true("NA as a double is NaN", isnan(value));
	expect_true("GOOD beside a NaN is a count", values[1] > 0);
	expect_true("and stopped", PAPI_stop(set, NULL) == PAPI_OK);
}

int
main(int argc, char **argv)
{
	long long values[2] = { 0 };
	int set;

	if (argc < 4 || argc > 5 ||
	    PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 2;
	set = make_set(argv[2], argv[3]);
	expect_true("the set can be started", PAPI_start(set) == PAPI_OK);
	expect_true("the mishap happened", system(argv[1]) == 0);
	expect_true("the set can be read", PAPI_read(set, values) == PAPI_OK);
	expect_true("NA reads as LLONG_MIN", values[0] == LLONG_MIN);
	expect_true("GOOD reads as a count", values[1] > 0);
	expect_true("the set can be reset", PAPI_reset(set) == PAPI_OK);
	end_set(set, argv[4]);
	if (strstr(argv[2], "metric."))
		count_as_double(argv[2], argv[3]);
	PAPI_shutdown();
	return failed;
}
