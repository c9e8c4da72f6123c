/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/domain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/oa/clock.h"
#include "driver/xe/config.h"
#include "driver/xe/gpu.h"
#include "driver/xe/open.h"
#include "driver/xe/stream.h"

struct xe_run {
	struct xe_gpu *gpu;
	struct run_options options;
	struct xe_stream *stream;
	struct oa_requests requests;
	uint64_t ticks; /* that the values given last had taken */
};

static void
deliver(void *data, const void *report, size_t size)
{
	const struct xe_run *run = data;

	run->options.raw(run->options.raw_data, run->options.raw_device, report,
			 size);
}

static int
open_stream(struct xe_run *run, struct drmperf_error *error)
{
	struct xe_gpu *gpu = run->gpu;
	const struct oa_format *format = run->requests.set->format;
	const struct xe_oa_unit *unit = &gpu->units[run->requests.set->unit];
	struct xe_stream_setup setup = {
		.drm = gpu->fd,
		.format = format,
		.timestamp_hz = unit->timestamp_hz,
		.engine = unit->engine,
		.engine_hz = xe_gpu_engine_hz(gpu, unit),
		.gap_limit = UINT64_MAX,
		.raw = run->options.raw ? deliver : NULL,
		.raw_data = run,
	};
	uint64_t config, wrap_ns = xe_wrap_ns(gpu, format);
	unsigned exponent;
	int ret;

	ret = xe_config_find(gpu, run->requests.set, &config, error);
	if (!ret)
		ret = xe_open_stream(gpu, run->requests.set, config,
				     &setup.stream, &exponent, error);
	if (ret)
		return ret;
	if (wrap_ns != UINT64_MAX)
		setup.gap_limit = wrap_ns / 1000 * unit->timestamp_hz / 1000000;
	setup.period = UINT64_C(2) << exponent;
	ret = xe_stream_create(&setup, &run->stream);
	if (ret) {
		close(setup.stream);
		return error_set(error, ret, "cannot set up a stream: %s",
				 strerrordesc_np(-ret));
	}
	return 0;
}

static void
run_free(struct xe_run *run)
{
	oa_requests_free(&run->requests);
	free(run);
}

static int
xe_arm(void *device, const struct run_options *options,
       const struct counter_request *requests, size_t count, void **out,
       struct drmperf_error *error)
{
	struct xe_run *run = calloc(1, sizeof(*run));
	int ret;

	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->gpu = device;
	run->options = *options;
	oa_gpu_warn_of_clock_mode(&run->gpu->oa, options->clock);
	ret = oa_requests_take(&run->requests, &run->gpu->oa.sets, requests,
			       count, error);
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
xe_change(void *data, const struct counter_request *requests, size_t count,
	  struct drmperf_error *error)
{
	struct xe_run *run = data;

	return oa_requests_take(&run->requests, &run->gpu->oa.sets, requests,
				count, error);
}

static int
xe_start(void *data, struct drmperf_error *error)
{
	struct xe_run *run = data;

	return xe_stream_start(run->stream, error);
}

static int
xe_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	  uint64_t *time_ns, struct drmperf_error *error)
{
	struct xe_run *run = data;
	struct oa_sample sample;
	int ret;

	if (mode == DRIVER_READ_AT_ONCE)
		ret = xe_stream_sample_at_once(run->stream, &sample, error);
	else
		ret = xe_stream_sample(run->stream, mode != DRMPERF_READ_LATEST,
				       &sample, error);
	if (ret)
		return ret;
	oa_requests_answer(&run->requests, &sample, raw);
	run->ticks = sample.sums[OA_SLOT_TIME];
	*time_ns = sample.report_ns;
	return 0;
}

static void
xe_origin(const void *data, struct driver_origin *out)
{
	const struct xe_run *run = data;
	const struct xe_oa_unit *unit =
		&run->gpu->units[run->requests.set->unit];

	out->clock_ns = oa_clock_ns_at(unit->timestamp_hz, run->ticks);
}

static void
warn_of_rate(const struct xe_run *run)
{
	const unsigned unit = run->requests.set->unit;

	oa_gpu_warn_of_rate(&run->gpu->oa, unit,
			    xe_stream_wrong_hz(run->stream),
			    run->gpu->units[unit].timestamp_hz);
}

static int
xe_stop(void *data, struct drmperf_error *error)
{
	struct xe_run *run = data;
	int ret = xe_stream_stop(run->stream);

	if (ret)
		return error_set(error, ret,
				 "cannot end the stream of OA reports: %s",
				 strerrordesc_np(-ret));
	warn_of_rate(run);
	return 0;
}

static void
xe_disarm(void *data)
{
	struct xe_run *run = data;

	xe_stream_destroy(run->stream);
	run_free(run);
}

static void
xe_abandon(void *data)
{
	struct xe_run *run = data;

	xe_stream_abandon(run->stream);
	run_free(run);
}

const struct domain_ops xe_domain_ops = {
	.arm = xe_arm,
	.change = xe_change,
	.start = xe_start,
	.sample = xe_sample,
	.origin = xe_origin,
	.stop = xe_stop,
	.disarm = xe_disarm,
	.abandon = xe_abandon,
};
