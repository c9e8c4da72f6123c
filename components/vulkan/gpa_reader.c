/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frontend/frontend.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define DEADLINE_MS 1000
#define LONGEST_MS 3600000

uint64_t
gpa_reader_deadline_ns(void)
{
	const char *text = secure_getenv("DRMPERF_VK_DEADLINE");
	unsigned long ms = text ? strtoul(text, NULL, 10) : 0;

	if (!ms || ms > LONGEST_MS)
		ms = DEADLINE_MS;
	return ms * NS_PER_MS;
}

struct timespec
gpa_reader_from_now(uint64_t ns)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	ns += (uint64_t)time.tv_nsec;
	time.tv_sec += (time_t)(ns / NS_PER_S);
	time.tv_nsec = (long)(ns % NS_PER_S);
	return time;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

void
gpa_reader_stop(struct gpa_reader *reader)
{
	call_thread_end(&reader->thread);
	drmperf_session_destroy(reader->session);
	free(reader->values);
	gpa_counters_finish(&reader->counters);
	memset(reader, 0, sizeof(*reader));
}

static int
reader_count(struct gpa_reader *reader, struct gpa_device *device,
	     struct drmperf_error *error)
{
	const struct gpa_counters *counters = &reader->counters;
	int rc;

	reader->values = calloc(counters->count, sizeof(*reader->values));
	if (!reader->values)
		return fe_fail_memory(error);
	rc = gpa_counters_session(counters, device, &reader->session, error);
	return rc ? rc : drmperf_session_start(reader->session, error);
}

int
gpa_reader_start(struct gpa_reader *reader, struct gpa_device *device,
		 struct gpa_counters *counters, struct drmperf_error *error)
{
	int rc;

	memset(reader, 0, sizeof(*reader));
	reader->counters = *counters;
	rc = reader_count(reader, device, error);
	if (rc)
		gpa_reader_stop(reader);
	return rc;
}

static int
read_values(void *data)
{
	struct gpa_reader *reader = data;

	return drmperf_session_read(reader->session, reader->values, NULL, NULL,
				    &reader->error);
}

int
gpa_reader_read(struct gpa_reader *reader, uint64_t limit_ns,
		struct drmperf_error *error)
{
	const struct timespec until = gpa_reader_from_now(limit_ns);
	struct call_thread *thread = &reader->thread;
	int rc = 0;

	/* an answer that was late is waited for again */
	if (!thread->is_busy)
		rc = call_thread_begin(thread, read_values, reader);
	if (rc)
		return fe_fail(error, rc, "",
			       "no thread to read counters with");
	if (!call_thread_wait(thread, &until))
		return fe_fail(error, -ETIME, "",
			       "the counters could not be read in time");
	*error = reader->error;
	return thread->result;
}
