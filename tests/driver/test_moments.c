/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What fails for the moment while devices are opened, at each place where it
 * can: the error says what it is, and the next call finds the whole device.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/driver/counting.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define MOST_DEVICES 4
#define MOST_FILES 64 /* more than are open at once */

#define MOST_TRIES 50

/* What each device lists when nothing fails. */
static size_t whole[MOST_DEVICES];
static unsigned device_count;

static void
set_up(void)
{
	struct drmperf *drmperf = counting_create();

	device_count = drmperf_device_count(drmperf);
	ck_assert_uint_ge(device_count, 1);
	ck_assert_uint_le(device_count, MOST_DEVICES);
	for (unsigned i = 0; i < device_count; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);

		ck_assert(!drmperf_device_open(device, NULL));
		ck_assert_int_eq(drmperf_device_status(device, NULL), 0);
		whole[i] = drmperf_event_count(device);
		ck_assert_uint_gt(whole[i], 100);
	}
	drmperf_destroy(drmperf);
}

TEST_CASE(moments, set_up, NULL, "moments");

static void
expect_whole(struct drmperf *drmperf, unsigned i)
{
	struct drmperf_device *device = drmperf_device_at(drmperf, i);
	struct drmperf_error error;

	ck_assert_msg(!drmperf_device_open(device, &error), "%s", error.cause);
	ck_assert_msg(!drmperf_device_status(device, &error), "%s",
		      error.cause);
	ck_assert_uint_eq(drmperf_event_count(device), whole[i]);
}

static void
expect_all_whole(struct drmperf *drmperf)
{
	for (unsigned i = 0; i < device_count; i++)
		expect_whole(drmperf, i);
}

/*
 * Open the device while something fails; the error has this code, or it is not
 * met at all.
 */
static void
open_failing(struct drmperf *drmperf, unsigned i, int code)
{
	struct drmperf_device *device = drmperf_device_at(drmperf, i);
	struct drmperf_error error;
	size_t count;
	int ret;

	ret = drmperf_device_open(device, &error);
	if (!ret) {
		ck_assert_msg(!drmperf_device_status(device, &error), "%s",
			      error.cause);
		count = drmperf_event_count(device);
		ck_assert_msg(!count || count == whole[i],
			      "%zu events instead of %zu", count, whole[i]);
		return;
	}
	ck_assert_msg(ret == code && error.code == code, "%d: %s", ret,
		      error.cause);
	ck_assert_str_ne(error.remedy, "");
}

/* ------------------------------------------------------------------ */
/* Descriptors                                                          */

static rlim_t
allow_files(rlim_t files)
{
	struct rlimit limit;
	rlim_t before;

	ck_assert(!getrlimit(RLIMIT_NOFILE, &limit));
	before = limit.rlim_cur;
	limit.rlim_cur = files;
	ck_assert(!setrlimit(RLIMIT_NOFILE, &limit));
	return before;
}

/* Return the lowest descriptor that is not in use. */
static rlim_t
free_file(void)
{
	int fd = dup(STDERR_FILENO);

	ck_assert_int_ge(fd, 0);
	ck_assert(!close(fd));
	return (rlim_t)fd;
}

/* So few files may be opened, beyond those that are open. */
TEST_LOOP(moments, descriptors_are_short, MOST_FILES)
{
	struct drmperf *drmperf = NULL;
	struct drmperf_error error;
	rlim_t before, first = free_file();
	int ret;

	before = allow_files(first + (rlim_t)_i);
	ret = drmperf_create(NULL, &drmperf, &error);
	if (ret)
		ck_assert_msg(ret == -EMFILE, "%d: %s", ret, error.cause);
	for (unsigned i = 0; !ret && i < device_count; i++)
		open_failing(drmperf, i, -EMFILE);
	allow_files(before);
	if (ret)
		drmperf = counting_create();
	ck_assert_uint_eq(drmperf_device_count(drmperf), device_count);
	expect_all_whole(drmperf);
	drmperf_destroy(drmperf);
}

/* ------------------------------------------------------------------ */
/* Calls                                                                */

/* Take each kind of call, each of them in its turn; of very many, a sample. */
static const struct {
	const char *kind, *name;
	int code;
} faults[] = {
	{ "open", "EMFILE", -EMFILE },	    { "open", "EINTR", -EINTR },
	{ "info", "ENOMEM", -ENOMEM },	    { "info", "EMFILE", -EMFILE },
	{ "getparam", "ENOMEM", -ENOMEM },  { "query", "ENOMEM", -ENOMEM },
	{ "file_open", "ENFILE", -ENFILE },
	/* of which libdrm tells nothing */
	{ "dup", "EMFILE", -EAGAIN },
};

/* Return how many there are while all devices are opened. */
static uint64_t
count_calls(const char *kind)
{
	struct drmperf *drmperf = counting_create();
	uint64_t before, after;

	ck_assert_int_eq(drmsim_calls(kind, &before), 0);
	expect_all_whole(drmperf);
	ck_assert_int_eq(drmsim_calls(kind, &after), 0);
	drmperf_destroy(drmperf);
	return after - before;
}

TEST_LOOP(moments, a_failed_call_is_tried_again, ARRAY_SIZE(faults))
{
	uint64_t count, step = 1;
	char spec[64];

	/* calls on files are counted from the first fault of theirs on */
	snprintf(spec, sizeof(spec), "%s:1000000000:EIO", faults[_i].kind);
	ck_assert_int_eq(drmsim_fault(spec), 0);
	count = count_calls(faults[_i].kind);
	ck_assert_uint_gt(count, 0);
	if (!getenv("CHECK_ALL"))
		step += count / MOST_TRIES;
	for (uint64_t n = 1; n <= count; n += step) {
		struct drmperf *drmperf = counting_create();

		snprintf(spec, sizeof(spec), "%s:%" PRIu64 ":%s",
			 faults[_i].kind, n, faults[_i].name);
		ck_assert_int_eq(drmsim_fault(spec), 0);
		for (unsigned i = 0; i < device_count; i++)
			open_failing(drmperf, i, faults[_i].code);
		expect_all_whole(drmperf);
		drmperf_destroy(drmperf);
	}
}

TEST_MACHINE("moments", "--gpu", "vega10", "--gpu", "skl", "--time", "virtual");
