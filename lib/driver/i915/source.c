/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gpu.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "driver/i915/kernel.h"
#include "driver/i915/oa_config.h"
#include "driver/i915/uapi.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/stream/errors.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/privilege.h"

/* The flag works around a wrong value of plain 8-byte reads (i915_drm.h). */
#define RENDER_TIMESTAMP (0x2358 | I915_REG_READ_8B_WA)

/* Raw records that users get are the kernel's records. */
_Static_assert(sizeof(struct drm_i915_perf_record_header) ==
		       sizeof(struct oa_record_header),
	       "headers are alike");
_Static_assert((int)OA_RECORD_SAMPLE == DRM_I915_PERF_RECORD_SAMPLE &&
		       (int)OA_RECORD_REPORT_LOST ==
			       DRM_I915_PERF_RECORD_OA_REPORT_LOST &&
		       (int)OA_RECORD_BUFFER_LOST ==
			       DRM_I915_PERF_RECORD_OA_BUFFER_LOST,
	       "and so are types");

/* ------------------------------------------------------------------ */
/* Opening a stream: which properties, which period                     */

#define PROPERTIES_MAX 8

#define DEFAULT_SAMPLE_RATE 100000

struct stream_request {
	const struct i915_gpu *gpu;
	const struct metric_set *set;
	uint64_t config;
	struct drm_i915_gem_context_param_sseu sseu;
	bool without_sseu; /* the kernel does not take it */
};

/*
 * Request all subslices. On gen11 the kernel otherwise switches half of them
 * off while a stream is open.
 */
static void
request_all_subslices(struct stream_request *request)
{
	const struct gt_topology *topology = &request->gpu->oa.topology;

	request->sseu.engine.engine_class = I915_ENGINE_CLASS_RENDER;
	request->sseu.slice_mask = topology->slice_mask;
	request->sseu.subslice_mask = topology->first_subslices;
	request->sseu.min_eus_per_subslice =
		(uint16_t)topology->eus_per_subslice;
	request->sseu.max_eus_per_subslice =
		(uint16_t)topology->eus_per_subslice;
}

static bool
asks_for_sseu(const struct stream_request *request)
{
	const struct i915_gpu *gpu = request->gpu;

	return gpu->oa.platform.full_sseu && !request->without_sseu &&
	       gpu->perf_revision >= UAPI_PERF_REVISION_SSEU;
}

static int
try_properties(struct stream_request *request, unsigned exponent)
{
	const struct i915_gpu *gpu = request->gpu;
	struct i915_property properties[PROPERTIES_MAX] = {
		{ DRM_I915_PERF_PROP_SAMPLE_OA, 1 },
		{ DRM_I915_PERF_PROP_OA_METRICS_SET, request->config },
		{ DRM_I915_PERF_PROP_OA_FORMAT, request->set->format->number },
		{ DRM_I915_PERF_PROP_OA_EXPONENT, exponent },
	};
	size_t count = 4;

	if (asks_for_sseu(request)) {
		request_all_subslices(request);
		properties[count++] = (struct i915_property){
			DRM_I915_PERF_PROP_GLOBAL_SSEU,
			(uintptr_t)&request->sseu,
		};
	}
	if (request->set->unit == OA_UNIT_MEDIA) {
		properties[count++] = (struct i915_property){
			UAPI_PERF_PROP_OA_ENGINE_CLASS,
			I915_ENGINE_CLASS_VIDEO,
		};
		properties[count++] = (struct i915_property){
			UAPI_PERF_PROP_OA_ENGINE_INSTANCE,
			0,
		};
	}
	assert(count <= PROPERTIES_MAX);
	return i915_stream_open(gpu->oa.fd, properties, count);
}

/*
 * Try to open the stream with this exponent. Gen11 cannot be asked for five or
 * seven subslices. What half a GPU counts is better than nothing, if it is
 * said.
 */
static int
try_open(struct stream_request *request, unsigned exponent)
{
	const struct i915_gpu *gpu = request->gpu;
	int ret = try_properties(request, exponent);

	if (ret != -EINVAL || !asks_for_sseu(request))
		return ret;
	request->without_sseu = true;
	ret = try_properties(request, exponent);
	if (ret >= 0)
		log_write(&gpu->oa.log, DRMPERF_LOG_WARNING,
			  "the kernel cannot keep all %u subslices of %s on "
			  "while OA counters are used: about half of them do "
			  "the work and are counted",
			  gpu->oa.topology.subslices, gpu->oa.platform.chip);
	return ret;
}

static int
explain_refusal(const struct stream_request *request, int ret,
		struct drmperf_error *error)
{
	const char *name = request->set->name;

	switch (ret) {
	case -EBUSY:
		return oa_error_in_use(error);
	case -EAGAIN:
		return i915_explain_busy(-ETIME, error);
	case -EACCES:
		return privilege_explain(error,
					 "to open a stream of OA reports",
					 "i915", "perf_stream_paranoid");
	case -ENODEV:
	case -UAPI_ENOTSUPP:
		return error_set(error, -ENOTSUP,
				 "the kernel has no OA support for this GPU");
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel refuses a stream for metric set %s (perf "
			  "revision %d)",
			  name, request->gpu->perf_revision);
		error_remedy(error, "update the kernel, or use another metric "
				    "set");
		return -ENOTSUP;
	default:
		return error_set(error, ret,
				 "cannot open a stream for metric set %s: %s",
				 name, strerror(-ret));
	}
}

/*
 * Explain why there is no stream of media engines. The kernel is too old, or
 * has found Meteor Lake's media C6 to be on.
 */
static int
explain_media(const struct stream_request *request, struct drmperf_error *error)
{
	explain_refusal(request, -EINVAL, error);
	error_remedy(error,
		     "update the kernel; on an early Meteor Lake, switch "
		     "C6 of the media engines off in the firmware's "
		     "setup");
	return -ENOTSUP;
}

static int
explain_rate(const struct stream_request *request, uint64_t limit,
	     uint64_t wrap_ns, struct drmperf_error *error)
{
	error_set(error, -EACCES,
		  "dev.i915.oa_max_sample_rate is %" PRIu64 " per second, too "
		  "few to notice all wraps of the counters of metric set %s",
		  limit, request->set->name);
	error_remedy(error,
		     "set sysctl dev.i915.oa_max_sample_rate to at least "
		     "%" PRIu64 " as root, or give the program CAP_PERFMON",
		     UINT64_C(1000000000) / wrap_ns + 1);
	return -EACCES;
}

/*
 * Open the stream at a slower rate if the fast one is refused. EACCES has two
 * causes, the rate and the paranoia about streams as such. So an unprivileged
 * process stays within the rate, if that is possible.
 */
static int
open_slower(struct stream_request *request, unsigned fast, uint64_t wrap_ns,
	    unsigned *exponent, struct drmperf_error *error)
{
	const uint64_t hz = request->gpu->oa.timestamp_hz;
	const uint64_t limit = (uint64_t)sysctl_read(
		"dev/i915/oa_max_sample_rate", DEFAULT_SAMPLE_RATE);
	unsigned slow = fast;
	int ret;

	while (slow < OA_EXPONENT_MAX &&
	       UINT64_C(1000000000) / oa_period_ns(hz, slow) > limit)
		slow++;
	if (slow == fast)
		return explain_refusal(request, -EACCES, error);
	ret = try_open(request, slow);
	if (ret < 0)
		return explain_refusal(request, ret, error);
	if (oa_period_ns(hz, slow) > wrap_ns) {
		close(ret);
		return explain_rate(request, limit, wrap_ns, error);
	}
	*exponent = slow;
	return ret;
}

static int
open_stream(struct oa_gpu *oa, const struct oa_wanted *wanted, int *stream,
	    unsigned *exponent, struct drmperf_error *error)
{
	const struct i915_gpu *gpu = i915_gpu_of(oa);
	const struct metric_set *set = wanted->set;
	struct stream_request request = { .gpu = gpu,
					  .set = set,
					  .config = wanted->config };
	uint64_t wrap_ns = oa_wrap_ns(oa, set->format);
	unsigned fast = oa_exponent(
		oa->timestamp_hz,
		wrap_ns < wanted->period_ns ? wrap_ns : wanted->period_ns);
	int ret;

	if (set->unit == OA_UNIT_MEDIA &&
	    gpu->perf_revision < UAPI_PERF_REVISION_MEDIA)
		return explain_media(&request, error);
	ret = try_open(&request, fast);
	if (ret == -EACCES)
		ret = open_slower(&request, fast, wrap_ns, &fast, error);
	else if (ret < 0)
		ret = explain_refusal(&request, ret, error);
	if (ret < 0)
		return ret;
	*stream = ret;
	*exponent = fast;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Metric sets, timestamps and reports                                  */

static int
find_config(struct oa_gpu *oa, const struct metric_set *set, uint64_t *id,
	    struct drmperf_error *error)
{
	const struct oa_config_place place = {
		.fd = oa->fd,
		.metrics = oa->metrics,
		.constants = &oa->constants,
	};
	const struct element *element;
	const struct table *table;
	int ret;

	ret = oa_gpu_registers(oa, set, &table, &element, error);
	if (!ret)
		ret = oa_config_find(&place, table, element, id, error);
	return ret;
}

static int
count_resets(struct oa_gpu *oa, uint64_t *count)
{
	return i915_reset_count(oa->fd, count);
}

static int
read_timestamp(void *data, uint64_t *value)
{
	const struct i915_gpu *gpu = data;

	return i915_register_read(gpu->oa.fd, RENDER_TIMESTAMP, value);
}

static struct oa_timestamps
i915_timestamps(struct oa_gpu *oa, unsigned unit)
{
	struct i915_gpu *gpu = i915_gpu_of(oa);

	(void)unit;
	return (struct oa_timestamps){ .hz = oa->timestamp_hz,
				       .engine_hz = gpu->register_hz,
				       .read = read_timestamp,
				       .data = gpu };
}

static void
visit_records(const struct oa_format *format, const uint8_t *data,
	      size_t length, oa_record_fn visit, void *visit_data)
{
	(void)format;
	oa_records_visit(data, length, visit, visit_data);
}

static int
write_stream_header(struct oa_gpu *oa, const struct metric_set *set,
		    void *buffer, size_t size, size_t *length,
		    struct drmperf_error *error)
{
	const bool is_media = set->unit == OA_UNIT_MEDIA;
	const struct i915_gpu *gpu = i915_gpu_of(oa);
	struct recorded_facts facts = {
		.kind = RECORDED_TOPOLOGY,
		.units = gpu->units,
		.units_size = gpu->units_size,
	};
	struct recorded_device *device = &facts.device;
	int ret =
		recorded_device_fill(device, oa, set, oa->timestamp_hz, error);

	if (ret)
		return ret;
	device->revision = (uint32_t)gpu->revision;
	device->engine_class =
		is_media ? I915_ENGINE_CLASS_VIDEO : I915_ENGINE_CLASS_RENDER;
	*length = recorded_facts_write(&facts, buffer, size);
	return 0;
}

const struct oa_kernel_ops i915_source = {
	.layout = "i915 oa 5",
	.find_config = find_config,
	.open = open_stream,
	.timestamps = i915_timestamps,
	.resets = count_resets,
	.enable = i915_stream_enable,
	.enable_again = i915_stream_enable,
	.disable = i915_stream_disable,
	.read = i915_stream_read,
	.take = oa_records_take,
	.visit = visit_records,
	.stream_header = write_stream_header,
	.header_size = sizeof(struct drm_i915_perf_record_header),
	.holds_last = true,
};
