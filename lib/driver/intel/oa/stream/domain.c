/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/domain.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "driver/device_node.h"
#include "driver/intel/oa/clock.h"
#include "driver/intel/oa/format.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/stream/shared_stream.h"
#include "driver/intel/oa/stream/open_async.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/intel/oa/stream/stream.h"

/* Time for a child that was forked with our descriptors to reach its exec(). */
#define EXEC_NS 100000000

#define COMPOSED_TRIES 5

/* The kernel's buffer holds seconds of records, one read 25 ms. */
#define KEEP_MS 25

struct stream_run {
	struct oa_gpu *gpu;
	struct run_options options;
	struct oa_shared *shared; /* or NULL */
	struct oa_stream *stream;
	struct oa_requests requests;
	struct oa_timestamps timestamps; /* of the reports */
	uint64_t ticks; /* that the last values took */
	bool at_once; /* the sample that was submitted */
};

static void
stream_run_deliver(void *data, const void *record, size_t size)
{
	const struct stream_run *run = data;

	run->options.raw(run->options.raw_data, run->options.raw_device, record,
			 size);
}

/*
 * Report that the GPU has gone. The kernel's error is also that of a GPU
 * without OA, but this one had OA when its sets were listed.
 */
static int
explain_gone(const struct oa_gpu *gpu, int ret, struct drmperf_error *error)
{
	if (ret != -ENOTSUP ||
	    (!access(gpu->metrics, F_OK) && !device_node_is_gone(gpu->fd)))
		return ret;
	return error_set(error, -ENODEV, "the GPU has gone");
}

static bool
has_just_closed(const struct oa_gpu *gpu)
{
	uint64_t closed_ns = atomic_load(&gpu->stream_closed_ns);

	return closed_ns && monotonic_ns() - closed_ns < EXEC_NS;
}

struct stream_opening {
	const struct stream_run *run;
	struct oa_wanted wanted; /* has the config of a published set */
	struct oa_config composed; /* of a composed set */
};

/*
 * Open a stream of a composed set. It is removed from the kernel's list as soon
 * as the stream is open, so that none is left behind if this process dies.
 * Another process that does the same may remove it too early: try again.
 */
static int
open_composed(const struct stream_opening *opening, int *stream,
	      unsigned *exponent, struct drmperf_error *error)
{
	struct oa_gpu *gpu = opening->run->gpu;
	struct oa_wanted wanted = opening->wanted;
	int ret = -EINVAL;

	for (int i = 0; i < COMPOSED_TRIES && ret == -EINVAL; i++) {
		ret = gpu->source->load(gpu, wanted.set, &opening->composed,
					&wanted.config, error);
		if (ret)
			return ret;
		ret = oa_open_interruptible(gpu, &wanted, stream, exponent,
					    error);
		gpu->source->unload_composed(gpu);
	}
	return ret;
}

static int
open_kernel_stream(void *data, struct oa_shared_stream_info *out,
		   struct drmperf_error *error)
{
	const struct stream_opening *opening = data;
	struct oa_gpu *gpu = opening->run->gpu;
	const struct metric_set *set = opening->run->requests.set;
	unsigned exponent;
	int ret;

	ret = set->composed ? open_composed(opening, &out->fd, &exponent, error)
			    : oa_open_interruptible(gpu, &opening->wanted,
						    &out->fd, &exponent, error);
	if (ret)
		return ret;
	out->period = UINT64_C(2) << exponent;
	return 0;
}

/* See oa/reports.h. */
static uint64_t
gap_limit(const struct stream_run *run)
{
	const uint64_t wrap_ns =
		oa_wrap_ns(run->gpu, run->requests.set->format);

	return wrap_ns == UINT64_MAX
		       ? UINT64_MAX
		       : wrap_ns / 1000 * run->timestamps.hz / 1000000;
}

/* Find the set's configuration; *shared: its id among sharing processes. */
static int
find_config(struct stream_opening *opening, uint64_t *shared,
	    struct drmperf_error *error)
{
	const struct oa_requests *requests = &opening->run->requests;
	struct oa_gpu *gpu = opening->run->gpu;
	int ret;

	if (!requests->set->composed) {
		ret = gpu->source->find_config(gpu, requests->set,
					       &opening->wanted.config, error);
		*shared = opening->wanted.config;
		return ret;
	}
	if (pec_compose(requests->composed.events, &opening->composed))
		return error_set(error, -ENOMEM, "no memory");
	*shared = composed_set_hash(&opening->composed);
	return 0;
}

/*
 * Return whether the session has chosen the period of raw records: it has to
 * keep up with them then.
 */
static bool
keeps_records(const struct stream_run *run)
{
	return run->options.raw_period_ns;
}

static uint64_t
period_ns(const struct stream_run *run)
{
	const struct oa_format *format = run->requests.set->format;
	const struct oa_period_needs needs = {
		.report_size = format->size,
		.buffer_size = run->gpu->buffer_size,
		.wraps = oa_wrap_ns(run->gpu, format) != UINT64_MAX,
		.relaxed = run->options.relaxed,
	};

	return keeps_records(run) ? run->options.raw_period_ns
				  : oa_period_choose(&needs);
}

/*
 * Join the shared stream. The kernel allows one stream, and closes the last one
 * only when no process has it any more, which includes a child of this program
 * between vfork() and exec().
 */
static int
join_shared(struct stream_run *run, struct oa_shared_stream_info *stream,
	    struct drmperf_error *error)
{
	const struct oa_kernel_ops *source = run->gpu->source;
	struct stream_opening opening = {
		.run = run,
		.wanted = { .set = run->requests.set,
			    .period_ns = period_ns(run) },
	};
	struct oa_shared_want want = {
		.node = run->gpu->node,
		.layout = source->layout,
		.enable = source->enable,
		.enable_again = source->enable_again,
		.set = run->requests.set,
		.hz = run->timestamps.hz,
		.has_just_closed = has_just_closed(run->gpu),
		.open = open_kernel_stream,
		.data = &opening,
	};
	int ret;

	ret = find_config(&opening, &want.config, error);
	if (!ret)
		ret = oa_shared_join(&want, &run->shared, stream, error);
	oa_config_free(&opening.composed);
	return explain_gone(run->gpu, ret, error);
}

static int
open_stream(struct stream_run *run, struct drmperf_error *error)
{
	struct oa_shared_stream_info stream = { .fd = -1 };
	struct oa_stream_setup setup = {
		.gpu = run->gpu,
		.source = run->gpu->source,
		.format = run->requests.set->format,
		.timestamps = run->timestamps,
		.raw = run->options.raw ? stream_run_deliver : NULL,
		.raw_data = run,
		.drain_ms = keeps_records(run) ? KEEP_MS : 0,
		.reads_often = keeps_records(run) || run->options.relaxed,
	};
	int ret = join_shared(run, &stream, error);

	if (ret)
		return ret;
	setup.shared = run->shared;
	setup.stream = stream.fd;
	setup.period = stream.period;
	setup.gap_limit = gap_limit(run);
	ret = oa_stream_create(&setup, &run->stream);
	if (ret) {
		close(setup.stream);
		oa_shared_leave(run->shared);
		return error_set(error, ret, "cannot set up a stream: %s",
				 strerrordesc_np(-ret));
	}
	return 0;
}

static void
run_free(struct stream_run *run)
{
	oa_requests_free(&run->requests);
	free(run);
}

static int
oa_arm(void *device, const struct run_options *options,
       const struct counter_request *requests, size_t count, void **out,
       struct drmperf_error *error)
{
	struct stream_run *run = calloc(1, sizeof(*run));
	int ret;

	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->gpu = device;
	run->options = *options;
	oa_gpu_warn_of_clock_mode(run->gpu, options->clock);
	ret = oa_requests_take(&run->requests, run->gpu, requests, count,
			       error);
	if (!ret) {
		run->timestamps = run->gpu->source->timestamps(
			run->gpu, run->requests.set->unit);
		ret = open_stream(run, error);
	}
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
	struct stream_run *run = data;

	return oa_requests_take(&run->requests, run->gpu, requests, count,
				error);
}

static int
oa_start(void *data, struct drmperf_error *error)
{
	struct stream_run *run = data;

	return oa_stream_start(run->stream, error);
}

static int
oa_write_stream_header(void *data, void *buffer, size_t size, size_t *length,
		       struct drmperf_error *error)
{
	struct stream_run *run = data;
	const struct metric_set *set = run->requests.set;

	if (set->composed)
		return error_set(error, -ENOTSUP,
				 "reports of a set that was put together from "
				 "events cannot be counted later");
	return run->gpu->source->stream_header(run->gpu, set, buffer, size,
					       length, error);
}

static int
oa_sample_submit(void *data, enum drmperf_read_mode mode,
		 struct drmperf_error *error)
{
	struct stream_run *run = data;

	(void)error;
	run->at_once = mode == DRIVER_READ_AT_ONCE;
	if (!run->at_once)
		oa_stream_request(run->stream, mode != DRMPERF_READ_LATEST);
	return 0;
}

static int
oa_sample_wait(void *data, bool briefly, uint64_t *raw, uint64_t *time_ns,
	       struct drmperf_error *error)
{
	struct stream_run *run = data;
	struct oa_sample sample = { .raw = raw };
	int ret;

	if (run->at_once)
		ret = oa_stream_sample_at_once(run->stream, &run->requests,
					       &sample, error);
	else
		ret = oa_stream_wait(run->stream, briefly, &run->requests,
				     &sample, error);
	if (ret)
		return ret;
	run->ticks = sample.ticks;
	*time_ns = sample.report_ns;
	return 0;
}

static int
oa_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	  uint64_t *time_ns, struct drmperf_error *error)
{
	oa_sample_submit(data, mode, error);
	return oa_sample_wait(data, false, raw, time_ns, error);
}

static void
oa_origin(const void *data, struct driver_origin *out)
{
	const struct stream_run *run = data;

	*out = (struct driver_origin){ .clock = run->ticks,
				       .hz = run->timestamps.hz,
				       .die = -1,
				       .may_miss_resets = true };
}

static int
oa_listen(void *data, struct drmperf_error *error)
{
	struct stream_run *run = data;

	if (oa_stream_gets_records(run->stream)) {
		oa_stream_read_often(run->stream);
		return 0;
	}
	return oa_shared_explain_reader(run->shared, error);
}

static void
warn_of_rate(const struct stream_run *run)
{
	oa_gpu_warn_of_rate(run->gpu, run->requests.set->unit,
			    oa_stream_wrong_hz(run->stream),
			    run->timestamps.hz);
}

static int
oa_stop(void *data, struct drmperf_error *error)
{
	struct stream_run *run = data;
	int ret = oa_stream_stop(run->stream);

	if (!ret)
		warn_of_rate(run);
	else
		error_set(error, ret, "cannot end the stream of OA reports: %s",
			  strerrordesc_np(-ret));
	return ret;
}

static void
oa_disarm(void *data)
{
	struct stream_run *run = data;

	oa_stream_destroy(run->stream);
	oa_shared_leave(run->shared);
	atomic_store(&run->gpu->stream_closed_ns, monotonic_ns());
	run_free(run);
}

static void
oa_abandon(void *data)
{
	struct stream_run *run = data;

	oa_stream_abandon(run->stream);
	oa_shared_abandon(run->shared);
	run_free(run);
}

static int
oa_reopen(void *device)
{
	const struct oa_gpu *gpu = device;

	return device_node_renew(gpu->fd, gpu->sysfs, gpu->node);
}

const struct domain_ops oa_domain_ops = {
	.arm = oa_arm,
	.reopen = oa_reopen,
	.change = oa_change,
	.start = oa_start,
	.listen = oa_listen,
	.stream_header = oa_write_stream_header,
	.sample = oa_sample,
	.sample_submit = oa_sample_submit,
	.sample_wait = oa_sample_wait,
	.origin = oa_origin,
	.stop = oa_stop,
	.disarm = oa_disarm,
	.abandon = oa_abandon,
};
