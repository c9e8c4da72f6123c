/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/oa_domain.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "driver/i915/gpu.h"
#include "driver/i915/oa_config.h"
#include "driver/i915/oa_open.h"
#include "driver/i915/oa_stream.h"
#include "driver/oa/raw_counters.h"

/* A child with the program's descriptors gets to its exec() in that time. */
#define EXEC_NS 100000000

struct i915_run {
	struct i915_gpu *gpu;
	const struct metric_set *set;
	struct run_options options;
	struct oa_stream *stream;
	uint32_t *selectors; /* of the requests */
	size_t count;
};

/* ------------------------------------------------------------------ */
/* Which metric set, and its id in the kernel                           */

static int
find_registers(struct i915_gpu *gpu, const struct table **table,
	       struct drmperf_error *error)
{
	char name[64];
	int ret = 0;

	pthread_mutex_lock(&gpu->registers_lock);
	if (!gpu->registers) {
		snprintf(name, sizeof(name), "%s.registers",
			 gpu->platform.name);
		ret = table_find(&gpu->tables, "i915", name, &gpu->registers,
				 error);
	}
	*table = gpu->registers;
	pthread_mutex_unlock(&gpu->registers_lock);
	return ret;
}

static int
find_element(struct i915_gpu *gpu, const struct metric_set *set,
	     const struct table **table, const struct element **element,
	     struct drmperf_error *error)
{
	struct element *at;
	int ret;

	*table = set->table;
	*element = set->registers;
	if (set->registers)
		return 0;
	ret = find_registers(gpu, table, error);
	if (ret)
		return ret;
	for (at = (*table)->root->child; at; at = at->next) {
		const char *name = element_attribute(at, "name");

		if (name && !strcmp(name, set->name)) {
			*element = at;
			return 0;
		}
	}
	return error_set(error, -EBADMSG, "%s: no registers of metric set %s",
			 (*table)->path, set->name);
}

static int
find_config(struct i915_gpu *gpu, const struct metric_set *set, uint64_t *id,
	    struct drmperf_error *error)
{
	const struct oa_config_place place = {
		.fd = gpu->fd,
		.metrics = gpu->metrics,
		.constants = &gpu->constants,
	};
	const struct element *element;
	const struct table *table;
	int ret;

	ret = find_element(gpu, set, &table, &element, error);
	if (!ret)
		ret = oa_config_find(&place, table, element, id, error);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static void
deliver(void *data, const void *record, size_t size)
{
	const struct i915_run *run = data;

	run->options.raw(run->options.raw_data, run->options.raw_device, record,
			 size);
}

/*
 * The kernel says the same of a GPU without OA and of one that was unplugged;
 * but this one had OA when its sets were listed.
 */
static int
explain_gone(const struct i915_gpu *gpu, int ret, struct drmperf_error *error)
{
	if (ret != -ENOTSUP || !access(gpu->metrics, F_OK))
		return ret;
	return error_set(error, -ENODEV, "the GPU has gone");
}

static bool
has_just_closed(const struct i915_gpu *gpu)
{
	uint64_t closed_ns = atomic_load(&gpu->stream_closed_ns);

	return closed_ns && monotonic_ns() - closed_ns < EXEC_NS;
}

/*
 * The kernel allows one stream, and has closed the last one only when nobody
 * has it any more: a child between vfork() and exec() of this program, too.
 */
static int
open_when_free(const struct i915_run *run, uint64_t config, int *stream,
	       unsigned *exponent, struct drmperf_error *error)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	bool may_wait;
	int ret;

	do {
		may_wait = has_just_closed(run->gpu);
		ret = oa_open(run->gpu, run->set, config, stream, exponent,
			      error);
	} while (ret == -EBUSY && may_wait && !nanosleep(&pause, NULL));
	return ret;
}

static int
open_stream(struct i915_run *run, struct drmperf_error *error)
{
	const struct i915_gpu *gpu = run->gpu;
	struct oa_stream_setup setup = {
		.drm = gpu->fd,
		.format = run->set->format,
		.timestamp_hz = gpu->timestamp_hz,
		.register_hz = gpu->register_hz,
		.raw = run->options.raw ? deliver : NULL,
		.raw_data = run,
	};
	uint64_t config, wrap_us;
	unsigned exponent;
	int ret;

	ret = find_config(run->gpu, run->set, &config, error);
	if (!ret)
		ret = open_when_free(run, config, &setup.stream, &exponent,
				     error);
	if (ret)
		return explain_gone(gpu, ret, error);
	wrap_us = i915_gpu_wrap_ns(gpu, run->set->format) / 1000;
	setup.gap_limit = wrap_us * gpu->timestamp_hz / 1000000;
	setup.period = UINT64_C(2) << exponent;
	ret = oa_stream_create(&setup, &run->stream);
	if (ret) {
		close(setup.stream);
		return error_set(error, ret, "cannot set up a stream: %s",
				 strerror(-ret));
	}
	return 0;
}

/* The selectors of requests that are all of the run's set. */
static int
take_requests(struct i915_run *run, const struct counter_request *requests,
	      size_t count, struct drmperf_error *error)
{
	uint32_t *selectors;

	for (size_t i = 0; i < count; i++) {
		const struct metric_set *set =
			metric_sets_find(&run->gpu->sets, requests[i].group);

		if (set == run->set)
			continue;
		error_set(error, -EBUSY,
			  "metric set %s counts already: a GPU counts one at a "
			  "time",
			  run->set->name);
		error_remedy(error, "choose events of that set, or stop the "
				    "sessions that use it");
		return -EBUSY;
	}
	selectors = calloc(count, sizeof(*selectors));
	if (!selectors)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < count; i++)
		selectors[i] = requests[i].selector;
	free(run->selectors);
	run->selectors = selectors;
	run->count = count;
	return 0;
}

static void
run_free(struct i915_run *run)
{
	free(run->selectors);
	free(run);
}

/* A session may be about several GPUs: what others can do is no error here. */
static void
warn_of_clock_mode(const struct i915_gpu *gpu, enum drmperf_clock_mode mode)
{
	if (mode != DRMPERF_CLOCK_AUTO && mode != DRMPERF_CLOCK_DEFAULT)
		log_write(&gpu->log, DRMPERF_LOG_WARNING,
			  "i915 has no clock modes: the clocks of %s stay as "
			  "they are",
			  gpu->platform.chip);
}

static int
oa_arm(void *device, const struct run_options *options,
       const struct counter_request *requests, size_t count, void **out,
       struct drmperf_error *error)
{
	struct i915_run *run = calloc(1, sizeof(*run));
	int ret;

	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	assert(count);
	run->gpu = device;
	run->options = *options;
	run->set = metric_sets_find(&run->gpu->sets, requests[0].group);
	assert(run->set);
	warn_of_clock_mode(run->gpu, options->clock);
	ret = take_requests(run, requests, count, error);
	if (!ret)
		ret = open_stream(run, error);
	if (ret) {
		run_free(run);
		return ret;
	}
	*out = run;
	return 0;
}

static int
oa_change(void *data, const struct counter_request *requests, size_t count,
	  struct drmperf_error *error)
{
	struct i915_run *run = data;

	return take_requests(run, requests, count, error);
}

static int
oa_start(void *data, struct drmperf_error *error)
{
	struct i915_run *run = data;

	return oa_stream_start(run->stream, error);
}

static int
oa_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	  uint64_t *time_ns, struct drmperf_error *error)
{
	struct i915_run *run = data;
	struct oa_sample sample;
	uint64_t now;
	int ret;

	ret = oa_stream_sample(run->stream, mode != DRMPERF_READ_LATEST,
			       &sample, error);
	if (ret)
		return ret;
	now = monotonic_ns();
	for (size_t i = 0; i < run->count; i++) {
		if (run->selectors[i] == RAW_COUNTER_REPORT_AGE)
			raw[i] = now - sample.report_ns;
		else
			raw[i] = sample.sums[run->selectors[i]];
	}
	*time_ns = sample.report_ns;
	return 0;
}

/* Once for a GPU: it will not change. */
static void
warn_of_rate(const struct i915_run *run)
{
	struct i915_gpu *gpu = run->gpu;
	double hz = oa_stream_wrong_hz(run->stream);

	if (hz == 0 || atomic_exchange(&gpu->warned_of_rate, true))
		return;
	log_write(&gpu->log, DRMPERF_LOG_WARNING,
		  "OA reports of %s count time at %.1f MHz, but the kernel or "
		  "the event table says %.1f MHz: times, and what is divided "
		  "by them, are wrong by that ratio",
		  gpu->platform.chip, hz / 1e6,
		  (double)gpu->timestamp_hz / 1e6);
}

static int
oa_stop(void *data, struct drmperf_error *error)
{
	struct i915_run *run = data;
	int ret = oa_stream_stop(run->stream);

	if (!ret)
		warn_of_rate(run);
	else
		error_set(error, ret, "cannot end the stream of OA reports: %s",
			  strerror(-ret));
	return ret;
}

static void
oa_disarm(void *data)
{
	struct i915_run *run = data;

	oa_stream_destroy(run->stream);
	atomic_store(&run->gpu->stream_closed_ns, monotonic_ns());
	run_free(run);
}

static void
oa_abandon(void *data)
{
	struct i915_run *run = data;

	oa_stream_abandon(run->stream);
	run_free(run);
}

const struct domain_ops oa_domain_ops = {
	.arm = oa_arm,
	.change = oa_change,
	.start = oa_start,
	.sample = oa_sample,
	.stop = oa_stop,
	.disarm = oa_disarm,
	.abandon = oa_abandon,
};
