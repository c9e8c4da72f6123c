/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel has a buffer for each XeCore, and looks at them every 5 ms. A read
 * gives the records it has seen there, XeCore by XeCore, without saying which.
 * If a XeCore dropped samples, one read fails with EIO in place of data; a
 * reset ends the stream, whose reads give ENODEV from then on, as if the GPU
 * had gone.
 */
#include "driver/xe/eu_stall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fork_close.h"
#include "driver/device_node.h"
#include "driver/privilege.h"
#include "driver/xe/eu_stall_record.h"
#include "driver/xe/gpu.h"
#include "driver/xe/kernel.h"

/* Records that are handed on at a time. */
#define BATCH 1024

/* No answer of the kernel makes more of it: 128 XeCores of 512 KiB. */
#define BUFFER_MAX (UINT64_C(64) << 20)
#define RECORD_MAX 4096
#define RATES_MAX 256

/* A GPU that writes faster than it can be read does not keep a reader. */
#define READS_MAX 16

struct stall_stream {
	struct fork_close stream;
	int device_fd; /* of the GPU, which knows whether that has gone */
	const struct eu_stall_layout *layout;
	struct drmperf_sampling_info info;
	size_t record_size;
	uint8_t *buffer;
	size_t buffer_size;
	uint64_t losses; /* not handed on yet */
	uint64_t addresses[BATCH];
	uint32_t samples[BATCH * EU_STALL_REASONS_MAX];
};

/* ------------------------------------------------------------------ */
/* Parameters that the kernel offers                                    */

/* The query's answer, checked, with the one of its rates that is chosen. */
struct stall_offer {
	uint64_t record_size, buffer_size, period_cycles;
};

static int
refuse_sampling(const struct xe_gpu *gpu, struct drmperf_error *error)
{
	error_set(error, -ENOTSUP, "%s has no samples of EU stalls",
		  gpu->oa.platform.chip);
	error_remedy(error, "Ponte Vecchio has them, and GPUs from Lunar Lake "
			    "and Battlemage on, but not as virtual functions");
	return -ENOTSUP;
}

static int
explain_query(const struct xe_gpu *gpu, int ret, struct drmperf_error *error)
{
	switch (ret) {
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel's xe driver does not offer samples of EU "
			  "stalls");
		error_remedy(error, "use Linux 6.15 or later");
		return -ENOTSUP;
	case -ENODEV:
		if (device_node_is_gone(gpu->oa.fd))
			return error_set(error, -ENODEV, "the GPU has gone");
		return refuse_sampling(gpu, error);
	case -EPROTO:
		return error_set(error, ret,
				 "what the kernel reports about samples of EU "
				 "stalls does not make sense");
	default:
		return error_set(error, ret,
				 "cannot query the samples of EU stalls: %s",
				 strerrordesc_np(-ret));
	}
}

/*
 * Choose the longest period that is not longer than what is wanted, else the
 * shortest.
 */
static uint64_t
choose_period(const struct xe_uapi_eu_stall *answer, uint64_t wanted)
{
	uint64_t shortest = answer->rates[0], best = 0;

	for (uint64_t i = 0; i < answer->rate_count; i++) {
		const uint64_t rate = answer->rates[i];

		if (rate < shortest)
			shortest = rate;
		if (rate > best && (!wanted || rate <= wanted))
			best = rate;
	}
	return best ? best : shortest;
}

static int
decode_offer(const struct xe_uapi_eu_stall *answer, size_t length,
	     uint64_t wanted, struct stall_offer *out)
{
	if (length < sizeof(*answer) || !answer->rate_count ||
	    answer->rate_count > RATES_MAX ||
	    length < sizeof(*answer) + answer->rate_count * sizeof(__u64) ||
	    !answer->record_size || answer->record_size > RECORD_MAX)
		return -EPROTO;
	out->record_size = answer->record_size;
	out->buffer_size = answer->buffer_size;
	out->period_cycles = choose_period(answer, wanted);
	return 0;
}

static int
read_offer(const struct xe_gpu *gpu, uint64_t wanted, struct stall_offer *out,
	   struct drmperf_error *error)
{
	size_t length;
	void *answer;
	int ret = xe_query_ask(gpu->oa.fd, XE_UAPI_QUERY_EU_STALL, &answer,
			       &length);

	if (!ret) {
		ret = decode_offer(answer, length, wanted, out);
		free(answer);
	}
	return ret ? explain_query(gpu, ret, error) : 0;
}

static const struct eu_stall_layout *
find_layout(const struct xe_gpu *gpu)
{
	for (size_t i = 0; i < gpu->parts.gt_count; i++) {
		const struct xe_gt *gt = &gpu->parts.gts[i];

		if (gt->id == gpu->facts->main_gt)
			return eu_stall_layout_find(gt->ip_major, gt->ip_minor);
	}
	return NULL;
}

const struct eu_stall_layout *
eu_stall_find(const struct xe_gpu *gpu)
{
	struct drmperf_error ignored;
	struct stall_offer offer;

	/* any other failure has its cause told when they are counted */
	if (read_offer(gpu, 0, &offer, &ignored) == -ENOTSUP)
		return NULL;
	return find_layout(gpu);
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

static int
explain_refusal(int ret, struct drmperf_error *error)
{
	switch (ret) {
	case -EBUSY:
		error_set(error, -EBUSY,
			  "EU stalls of the GPU are being sampled already, by "
			  "another process or another part of this one");
		error_remedy(error,
			     "end the program that samples, or wait until it "
			     "has finished; the kernel does not report which");
		return -EBUSY;
	case -EACCES:
	case -EPERM:
		return privilege_explain(error, "to sample EU stalls", "xe",
					 "observation_paranoid");
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	case -ETIMEDOUT:
		error_set(error, ret, "the GPU does not wake up");
		error_remedy(error, "look into the kernel log (dmesg)");
		return ret;
	default:
		return error_set(error, ret, "cannot sample EU stalls: %s",
				 strerrordesc_np(-ret));
	}
}

/* Open a stream. Nothing is written until it is enabled. */
static int
open_stream(const struct xe_gpu *gpu, uint64_t period_cycles,
	    struct fork_close *out, struct drmperf_error *error)
{
	const struct xe_property properties[] = {
		{ XE_UAPI_EU_STALL_GT, gpu->facts->main_gt },
		{ XE_UAPI_EU_STALL_RATE, period_cycles },
	};
	int ret = xe_stream_open(gpu->oa.fd, XE_UAPI_OBSERVE_EU_STALL,
				 properties, ARRAY_SIZE(properties));

	ret = fork_close_adopt(out, ret);
	if (ret)
		return explain_refusal(ret, error);
	ret = xe_stream_enable(out->fd);
	if (ret >= 0)
		return 0;
	fork_close_finish(out);
	return explain_refusal(ret, error);
}

/*
 * Choose a buffer with room for what all XeCores can hold, so that none waits
 * for the others.
 */
static size_t
choose_buffer_size(const struct xe_gpu *gpu, const struct stall_offer *offer)
{
	uint64_t size = BUFFER_MAX;

	if (offer->buffer_size < BUFFER_MAX / GT_XECORES_MAX)
		size = offer->buffer_size * gpu->oa.topology.subslices;
	size -= size % offer->record_size;
	return size ? (size_t)size : (size_t)offer->record_size;
}

static void
stall_close(void *data)
{
	struct stall_stream *stalls = data;

	fork_close_finish(&stalls->stream);
	free(stalls->buffer);
	free(stalls);
}

static int
make_stream(const struct xe_gpu *gpu, const struct eu_stall_layout *layout,
	    const struct stall_offer *offer, struct stall_stream **out,
	    struct drmperf_error *error)
{
	struct stall_stream *stalls = calloc(1, sizeof(*stalls));

	if (!stalls)
		return error_set(error, -ENOMEM, "no memory");
	stalls->buffer_size = choose_buffer_size(gpu, offer);
	stalls->buffer = malloc(stalls->buffer_size);
	if (!stalls->buffer) {
		free(stalls);
		return error_set(error, -ENOMEM, "no memory");
	}
	stalls->device_fd = gpu->oa.fd;
	stalls->layout = layout;
	stalls->record_size = offer->record_size;
	stalls->info = (struct drmperf_sampling_info){
		.period_cycles = offer->period_cycles,
		.reasons = layout->reasons,
		.reason_count = layout->reason_count,
		.address_bits = layout->address_bits,
		.of_all_programs = true,
	};
	*out = stalls;
	return 0;
}

static void
warn_of_tiles(const struct xe_gpu *gpu)
{
	if (gpu->facts->tiles > 1)
		log_write(&gpu->oa.log, DRMPERF_LOG_WARNING,
			  "samples of EU stalls of %s are those of the first "
			  "of %u tiles: work on the others is not seen",
			  gpu->oa.platform.chip, gpu->facts->tiles);
}

static int
stall_open(void *device, uint64_t period_cycles, void **out,
	   const struct drmperf_sampling_info **info,
	   struct drmperf_error *error)
{
	const struct xe_gpu *gpu = xe_gpu_of(device);
	const struct eu_stall_layout *layout = find_layout(gpu);
	struct stall_stream *stalls = NULL;
	struct stall_offer offer = { 0 };
	int ret = read_offer(gpu, period_cycles, &offer, error);

	if (ret)
		return ret;
	if (!layout || offer.record_size < eu_stall_layout_size(layout))
		return explain_query(gpu, -EPROTO, error);
	ret = make_stream(gpu, layout, &offer, &stalls, error);
	if (ret)
		return ret;
	ret = open_stream(gpu, offer.period_cycles, &stalls->stream, error);
	if (ret) {
		stalls->stream.fd = -1;
		stall_close(stalls);
		return ret;
	}
	warn_of_tiles(gpu);
	*out = stalls;
	*info = &stalls->info;
	return 0;
}

static int
stall_fd(const void *data)
{
	const struct stall_stream *stalls = data;

	return stalls->stream.fd;
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

static void
deliver_batch(struct stall_stream *stalls, size_t count,
	      drmperf_samples_fn receive, void *data)
{
	const struct drmperf_sample_batch batch = {
		.count = count,
		.addresses = stalls->addresses,
		.samples = stalls->samples,
		.losses = stalls->losses,
	};

	stalls->losses = 0;
	receive(data, &batch);
}

static void
deliver_records(struct stall_stream *stalls, size_t length,
		drmperf_samples_fn receive, void *data)
{
	const unsigned reasons = stalls->layout->reason_count;
	const uint8_t *record = stalls->buffer;
	size_t left = length / stalls->record_size;

	while (left) {
		const size_t count = left < BATCH ? left : BATCH;

		for (size_t i = 0; i < count; i++) {
			stalls->addresses[i] = eu_stall_record_decode(
				stalls->layout, record,
				&stalls->samples[i * reasons]);
			record += stalls->record_size;
		}
		deliver_batch(stalls, count, receive, data);
		left -= count;
	}
}

static int
explain_end(const struct stall_stream *stalls, int ret,
	    struct drmperf_error *error)
{
	if (ret != -ENODEV)
		return error_set(error, -EIO,
				 "cannot read samples of EU stalls: %s",
				 strerrordesc_np(-ret));
	if (device_node_is_gone(stalls->device_fd))
		return error_set(error, -ENODEV, "the GPU has gone");
	error_set(error, -ECANCELED,
		  "the GPU, or an engine of it, was reset, which ends its "
		  "samples of EU stalls");
	error_remedy(error, "begin to sample again; the kernel's log (dmesg) "
			    "shows why it was reset");
	return -ECANCELED;
}

static int
stall_read(void *data, drmperf_samples_fn receive, void *receiver,
	   struct drmperf_error *error)
{
	struct stall_stream *stalls = data;
	long ret = 0;

	for (unsigned i = 0; i < READS_MAX; i++) {
		ret = xe_stream_read(stalls->stream.fd, stalls->buffer,
				     stalls->buffer_size);
		if (ret == -EIO)
			stalls->losses++;
		else if (ret > 0)
			deliver_records(stalls, (size_t)ret, receive, receiver);
		else if (ret != -EINTR)
			break;
	}
	if (stalls->losses)
		deliver_batch(stalls, 0, receive, receiver);
	if (ret >= 0 || ret == -EAGAIN || ret == -EIO || ret == -EINTR)
		return 0;
	return explain_end(stalls, (int)ret, error);
}

const struct sampling_ops xe_eu_stall_ops = {
	.open = stall_open,
	.fd = stall_fd,
	.read = stall_read,
	.close = stall_close,
};
