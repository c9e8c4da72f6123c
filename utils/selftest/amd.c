/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/kind.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <drmperf.h>

#include "driver/results/results.h"
#include "selftest/amdgpu/selftest.h"

#define CHECK "shader.fetch-size"
#define EVENT "amdgpu::metric.FETCH_SIZE"
#define BYTES ((double)SELFTEST_STREAM_BYTES)

/* Programs are read as well, and what the kernel has to read. */
#define MOST_WRONG 0.05
/* So long other programs may read no more than 1 % of that. */
#define QUIET_NS 20000000

struct fetch {
	const struct selftest_gpu *gpu;
	const struct selftest_host *host;
	struct drmperf_session *session;
	struct drmperf_error error;
};

__attribute__((format(printf, 3, 4))) static void
check_fetch(const struct fetch *fetch, enum selftest_verdict verdict,
	    const char *seen, ...)
{
	va_list arguments;

	va_start(arguments, seen);
	selftest_decide(fetch->host, CHECK, verdict,
			"FETCH_SIZE of 8 MiB read by a shader, within 5 %",
			seen, arguments);
	va_end(arguments);
}

/*
 * Read the value, which has to be there, and is in KiB. It is n/a where its
 * counters contradict each other, which says nothing of the size of requests.
 */
static int
read_bytes(struct fetch *fetch, double *bytes)
{
	union drmperf_value value;
	int ret = drmperf_session_read(fetch->session, &value, NULL, NULL,
				       &fetch->error);

	if (!ret && isnan(value.f64)) {
		ret = -ENODATA;
		snprintf(fetch->error.cause, sizeof(fetch->error.cause),
			 "FETCH_SIZE is n/a: its counters contradict each "
			 "other");
	}
	*bytes = ret ? 0 : value.f64 * 1024;
	return ret;
}

/* Read bytes that were read while nothing was done here. */
static int
read_quiet(struct fetch *fetch, double *quiet)
{
	const struct timespec pause = { .tv_nsec = QUIET_NS };
	double first, last;
	int ret = read_bytes(fetch, &first);

	nanosleep(&pause, NULL);
	if (!ret)
		ret = read_bytes(fetch, &last);
	if (!ret)
		*quiet += last - first;
	return ret;
}

static int
read_stream(struct fetch *fetch, double *quiet, double *bytes)
{
	const struct selftest_waves waves = { .enabled = true, .stream = true };
	double first = 0, last = 0;
	int ret = read_quiet(fetch, quiet);

	if (!ret)
		ret = read_bytes(fetch, &first);
	if (!ret && fetch->host->elsewhere(fetch->host->data, &waves)) {
		snprintf(fetch->error.cause, sizeof(fetch->error.cause),
			 "the other process has failed");
		ret = -ECANCELED;
	}
	if (!ret)
		ret = read_bytes(fetch, &last);
	if (!ret)
		ret = read_quiet(fetch, quiet);
	*bytes = ret ? 0 : last - first;
	return ret;
}

static void
judge_fetch(struct fetch *fetch)
{
	double quiet = 0, bytes;
	int ret = drmperf_session_start(fetch->session, &fetch->error);

	if (!ret)
		ret = read_stream(fetch, &quiet, &bytes);
	if (ret)
		check_fetch(fetch, SELFTEST_UNKNOWN, "%s", fetch->error.cause);
	else if (quiet > BYTES / 100)
		check_fetch(fetch, SELFTEST_UNKNOWN,
			    "other programs use the GPU");
	else
		check_fetch(fetch,
			    fabs(bytes / BYTES - 1) <= MOST_WRONG
				    ? SELFTEST_PASS
				    : SELFTEST_FAIL,
			    "%.0f bytes", bytes);
}

static unsigned
device_index(struct drmperf *drmperf, const char *address)
{
	struct drmperf_device *device;
	unsigned i;

	for (i = 0; (device = drmperf_device_at(drmperf, i)); i++)
		if (!strcmp(drmperf_device_address(device), address))
			break;
	return i;
}

static void
count_fetch(struct fetch *fetch, struct drmperf *drmperf)
{
	struct drmperf_session_options options = {
		.size = sizeof(options), .read = DRMPERF_READ_FENCED
	};
	struct drmperf_selection selection;
	char name[64];
	int ret;

	snprintf(name, sizeof(name), EVENT ":device=%u",
		 device_index(drmperf, fetch->gpu->address));
	ret = drmperf_event_find(drmperf, name, &selection, &fetch->error);
	if (!ret)
		ret = drmperf_session_create(drmperf, &selection, 1, &options,
					     &fetch->session, &fetch->error);
	if (ret) {
		check_fetch(fetch, SELFTEST_UNKNOWN, "%s", fetch->error.cause);
		return;
	}
	judge_fetch(fetch);
	drmperf_session_destroy(fetch->session);
}

/*
 * Return whether the GPU has dies, of which one takes the shader and another
 * may be counted.
 */
static bool
has_dies(const struct selftest_gpu *gpu)
{
	char path[128];

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%s/current_compute_partition",
		 gpu->address);
	return !access(path, F_OK);
}

/*
 * Return whether stages may count: as for the driver's stages, nothing is
 * counted before addresses are sure.
 */
static bool
may_count(const struct selftest_memory *memory)
{
	struct drmperf_error error;
	struct selftest_results results;
	bool work;

	if (memory->addresses_work)
		return true;
	if (!*memory->results ||
	    results_read(&results, memory->results, &error))
		return false;
	work = results_find(&results, "addresses") == RESULT_PASS;
	results_finish(&results);
	return work;
}

/* Return 0, or what announcing returns. */
static int
try_fetch(struct fetch *fetch)
{
	const struct selftest_commands commands = {
		.check = CHECK,
		.what = EVENT " counted by the library",
		.ring = "compute",
	};
	struct drmperf *drmperf;
	int ret = fetch->host->submitting(fetch->host->data, &commands);

	if (ret) {
		if (ret > 0)
			check_fetch(fetch, SELFTEST_FAIL,
				    "left out: it hung the GPU in an earlier "
				    "run");
		return ret < 0 ? ret : 0;
	}
	ret = drmperf_create(NULL, &drmperf, &fetch->error);
	if (ret) {
		check_fetch(fetch, SELFTEST_UNKNOWN, "%s", fetch->error.cause);
		return 0;
	}
	count_fetch(fetch, drmperf);
	drmperf_destroy(drmperf);
	return 0;
}

int
selftest_amd_run(const struct selftest_gpu *gpu, unsigned stage,
		 struct selftest_memory *memory,
		 const struct selftest_host *host, struct drmperf_error *error)
{
	struct fetch fetch = { .gpu = gpu, .host = host };
	int ret = selftest_run(gpu, stage, memory, host, error);

	if (ret || stage != SELFTEST_SHADERS || !may_count(memory))
		return ret;
	if (has_dies(gpu)) {
		check_fetch(&fetch, SELFTEST_UNKNOWN,
			    "one of several dies is counted");
		return 0;
	}
	return try_fetch(&fetch);
}
