/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/intel/harness.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/monotonic.h"

/* ------------------------------------------------------------------ */
/* Checks                                                               */

void
oa_decide(const struct oa_harness *harness, const struct oa_check *check,
	  enum selftest_verdict verdict, const char *seen, ...)
{
	va_list arguments;

	va_start(arguments, seen);
	selftest_decide(harness->host, check->name, verdict, check->expected,
			seen, arguments);
	va_end(arguments);
}

int
oa_refuse(const struct oa_harness *harness, const struct oa_check *check,
	  int ret, const struct drmperf_error *error)
{
	bool lost = ret == -ECANCELED || ret == -ETIME || ret == -ENODEV;
	/* -EIO: this machine was too slow to take the reports */
	bool is_unknown = ret == -EACCES || ret == -ENOENT || ret == -EIO;

	oa_decide(harness, check, is_unknown ? SELFTEST_UNKNOWN : SELFTEST_FAIL,
		  "%s", error->cause);
	if (!lost)
		return 1;
	*harness->error = *error;
	return ret;
}

int
oa_announce(struct oa_harness *harness, const struct oa_check *check,
	    const char *what)
{
	const struct selftest_commands commands = {
		.number = ++harness->announced,
		.check = check->name,
		.what = what,
		.ring = "the OA unit",
	};
	int ret = harness->host->submitting(harness->host->data, &commands);

	if (ret > 0)
		oa_decide(harness, check, SELFTEST_FAIL,
			  "left out: it hung the GPU in an earlier run");
	if (ret < 0)
		snprintf(harness->error->cause, sizeof(harness->error->cause),
			 "the log cannot be written: %s", strerror(-ret));
	return ret;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static int
harness_find_event(const struct oa_harness *harness, const char *name,
		   struct drmperf_selection *out, struct drmperf_error *error)
{
	char full[2 * OA_NAME_SIZE];

	snprintf(full, sizeof(full), "%s::%s:device=%u",
		 drmperf_device_driver(harness->device), name,
		 drmperf_device_index(harness->device));
	return drmperf_event_find(harness->drmperf, full, out, error);
}

bool
oa_has(const struct oa_harness *harness, const char *name)
{
	struct drmperf_selection selection;
	struct drmperf_error error;

	return !harness_find_event(harness, name, &selection, &error);
}

static int
harness_create_session(const struct oa_harness *harness,
		       const char *const *names, size_t count,
		       struct drmperf_session **out,
		       struct drmperf_error *error)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = DRMPERF_READ_FENCED
	};
	struct drmperf_selection *selections;
	int ret = 0;

	selections = calloc(count, sizeof(*selections));
	if (!selections) {
		snprintf(error->cause, sizeof(error->cause), "no memory");
		return -ENOMEM;
	}
	for (size_t i = 0; i < count && !ret; i++)
		ret = harness_find_event(harness, names[i], &selections[i],
					 error);
	if (!ret)
		ret = drmperf_session_create(harness->drmperf, selections,
					     count, &options, out, error);
	free(selections);
	return ret;
}

int
oa_try(const struct oa_harness *harness, const char *const *names, size_t count,
       struct drmperf_session **out, struct drmperf_error *error)
{
	struct drmperf_session *session;
	int ret =
		harness_create_session(harness, names, count, &session, error);

	if (ret)
		return ret;
	ret = drmperf_session_start(session, error);
	if (ret)
		drmperf_session_destroy(session);
	else
		*out = session;
	return ret;
}

int
oa_count(struct oa_harness *harness, const struct oa_check *check,
	 const char *const *names, size_t count, struct drmperf_session **out)
{
	struct drmperf_error error = { .cause = "" };
	int ret = oa_announce(harness, check, names[0]);

	if (ret)
		return ret;
	ret = oa_try(harness, names, count, out, &error);
	return ret ? oa_refuse(harness, check, ret, &error) : 0;
}

int
oa_read(struct oa_harness *harness, const struct oa_check *check,
	struct drmperf_session *session, union drmperf_value *values)
{
	struct drmperf_error error = { .cause = "" };
	int ret = drmperf_session_read(session, values, NULL, NULL, &error);

	return ret ? oa_refuse(harness, check, ret, &error) : 0;
}

/* ------------------------------------------------------------------ */
/* Time                                                                 */

#define FIRST_WAIT_NS UINT64_C(40000000)
#define LAST_WAIT_NS UINT64_C(2560000000)

int
oa_look(struct oa_harness *harness, const struct oa_check *check,
	struct drmperf_session *session, struct oa_look *out)
{
	struct drmperf_error error = { .cause = "" };
	int ret;

	out->moments.before_ns = monotonic_ns();
	ret = drmperf_session_read(session, out->values, NULL, &out->sample_ns,
				   &error);
	out->moments.after_ns = monotonic_ns();
	return ret ? oa_refuse(harness, check, ret, &error) : 0;
}

static struct clock_error
look_compare(const struct oa_look *first, const struct oa_look *last)
{
	uint64_t ns = last->values[0].u64 - first->values[0].u64;

	return clock_compare((double)ns, &first->moments, &last->moments);
}

int
oa_watch(struct oa_harness *harness, const struct oa_check *check,
	 struct drmperf_session *session, const struct oa_look *first,
	 struct oa_look *last)
{
	struct clock_error error = { .unsure = 1 };
	int ret = 0;

	for (uint64_t ns = FIRST_WAIT_NS;
	     !ret && error.unsure > CLOCK_MOST_WRONG && ns <= LAST_WAIT_NS;
	     ns *= 2) {
		oa_wait(ns);
		ret = oa_look(harness, check, session, last);
		if (!ret)
			error = look_compare(first, last);
	}
	return ret;
}

void
oa_decide_time(const struct oa_harness *harness, const struct oa_check *check,
	       const struct oa_look *first, const struct oa_look *last)
{
	struct clock_error error = look_compare(first, last);

	oa_decide(harness, check, clock_verdict(&error),
		  "wrong by %.3f %%, known to %.3f %%", error.wrong * 100,
		  error.unsure * 100);
}

/* ------------------------------------------------------------------ */

bool
oa_sensor(const struct oa_harness *harness, const char *name, uint64_t *out)
{
	static const char *const endings[] = { "", "-gt0" };
	struct drmperf_error error;
	struct drmperf_session *session;
	union drmperf_value value;
	bool is_read = false;

	for (size_t i = 0; i < ARRAY_SIZE(endings) && !is_read; i++) {
		char full[OA_NAME_SIZE];
		const char *names[] = { full };

		snprintf(full, sizeof(full), "sensor.%s%s", name, endings[i]);
		if (oa_try(harness, names, 1, &session, &error))
			continue;
		is_read = !drmperf_session_read(session, &value, NULL, NULL,
						&error);
		if (is_read)
			*out = value.u64;
		drmperf_session_destroy(session);
	}
	return is_read;
}

void
oa_wait(uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t)(ns / 1000000000),
				       .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&time, NULL);
}
