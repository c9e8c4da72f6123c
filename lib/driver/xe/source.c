/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/gpu.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/stream/errors.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/privilege.h"
#include "driver/xe/config.h"
#include "driver/xe/kernel.h"
#include "driver/xe/reports.h"

/* The kernel's timer, and some more. */
#define TIMER_NS 6000000

/*
 * poll() goes by that timer and goes on telling of what has been said. At the
 * usual period the buffer holds 12 seconds of reports, see oa_period_choose().
 */
#define DRAIN_MS 5

/* ------------------------------------------------------------------ */
/* Opening a stream: which properties, which period                     */

static int
explain_refusal(const struct metric_set *set, int ret,
		struct drmperf_error *error)
{
	switch (ret) {
	case -EBUSY:
		return oa_error_in_use(error);
	case -EACCES:
	case -EPERM:
		return privilege_explain(error,
					 "to open a stream of OA reports", "xe",
					 "observation_paranoid");
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel refuses a stream for metric set %s",
			  set->name);
		error_remedy(error, "update the kernel, or use another metric "
				    "set");
		return -ENOTSUP;
	default:
		return error_set(error, ret,
				 "cannot open a stream for metric set %s: %s",
				 set->name, strerrordesc_np(-ret));
	}
}

/*
 * Open a stream with the largest buffer that can be had. The kernel pins its
 * buffer: where it has no memory for a large one, a smaller one does, down to
 * what it takes without being asked.
 */
static int
open_with_buffer(const struct xe_gpu *gpu, struct xe_property *properties,
		 size_t count, struct xe_property *buffer)
{
	int ret;

	for (; buffer->value > OA_BUFFER_SIZE; buffer->value /= 2) {
		ret = xe_stream_open(gpu->oa.fd, XE_UAPI_OBSERVE_OA, properties,
				     count);
		if (ret != -ENOMEM)
			return ret;
	}
	return xe_stream_open(gpu->oa.fd, XE_UAPI_OBSERVE_OA, properties,
			      count - 1);
}

static int
open_stream(struct oa_gpu *oa, const struct oa_wanted *wanted, int *stream,
	    unsigned *exponent, struct drmperf_error *error)
{
	const struct xe_gpu *gpu = xe_gpu_of(oa);
	const struct metric_set *set = wanted->set;
	const struct xe_oa_unit *unit = &gpu->units[set->unit];
	const uint64_t wrap_ns = oa_wrap_ns(oa, set->format);
	const unsigned chosen = oa_exponent(
		unit->timestamp_hz,
		wrap_ns < wanted->period_ns ? wrap_ns : wanted->period_ns);
	struct xe_property properties[] = {
		{ XE_UAPI_PROPERTY_UNIT, unit->id },
		{ XE_UAPI_PROPERTY_SAMPLE, 1 },
		{ XE_UAPI_PROPERTY_CONFIG, wanted->config },
		{ XE_UAPI_PROPERTY_FORMAT, set->format->xe_number },
		{ XE_UAPI_PROPERTY_EXPONENT, chosen },
		{ XE_UAPI_PROPERTY_DISABLED, 1 },
		/* the last, so that it can be left out */
		{ XE_UAPI_PROPERTY_BUFFER_SIZE,
		  unit->has_buffer_size ? oa->buffer_size : 0 },
	};
	const size_t count = ARRAY_SIZE(properties);
	int ret = open_with_buffer(gpu, properties, count,
				   &properties[count - 1]);

	if (ret < 0)
		return explain_refusal(set, ret, error);
	if (gpu->facts->tiles > 1)
		log_write(&oa->log, DRMPERF_LOG_WARNING,
			  "OA counters of %s are those of the first of %u "
			  "tiles: work on the others is not seen",
			  oa->platform.chip, gpu->facts->tiles);
	*stream = ret;
	*exponent = chosen;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Metric sets, timestamps and reports                                  */

static int
find_config(struct oa_gpu *oa, const struct metric_set *set, uint64_t *id,
	    struct drmperf_error *error)
{
	return xe_config_find(xe_gpu_of(oa), set, id, error);
}

static int
source_load(struct oa_gpu *oa, const struct metric_set *set,
	    const struct oa_config *config, uint64_t *id,
	    struct drmperf_error *error)
{
	return xe_config_load(xe_gpu_of(oa), set, config, id, error);
}

static void
unload_composed(struct oa_gpu *oa)
{
	uint64_t id;

	while (!oa_config_find_composed(oa->metrics, &id) &&
	       xe_config_remove(oa->fd, id) >= 0)
		;
}

static int
read_timestamp(void *data, uint64_t *value)
{
	const struct xe_oa_unit *unit = data;

	return xe_engine_cycles(unit->fd, &unit->engine, value);
}

static struct oa_timestamps
xe_timestamps(struct oa_gpu *oa, unsigned number)
{
	struct xe_gpu *gpu = xe_gpu_of(oa);
	struct xe_oa_unit *unit = &gpu->units[number];

	return (struct oa_timestamps){ .hz = unit->timestamp_hz,
				       .engine_hz = unit->engine_hz,
				       .read = read_timestamp,
				       .data = unit };
}

/* Enable a stream, after dropping reports that an earlier run has left. */
static int
stream_enable(int stream)
{
	uint8_t rest[1 << 14];

	while (xe_stream_read(stream, rest, sizeof(rest)) > 0)
		;
	return xe_stream_enable(stream);
}

static void
visit_reports(const struct oa_format *format, const uint8_t *data,
	      size_t length, oa_record_fn visit, void *visit_data)
{
	uint8_t record[OA_RECORD_SIZE_MAX];

	for (; length >= format->size;
	     length -= format->size, data += format->size)
		visit(visit_data, record,
		      oa_records_make(OA_RECORD_SAMPLE, data, format->size,
				      record));
}

static int
write_stream_header(struct oa_gpu *oa, const struct metric_set *set,
		    void *buffer, size_t size, size_t *length,
		    struct drmperf_error *error)
{
	const struct xe_gpu *gpu = xe_gpu_of(oa);
	struct recorded_facts facts = {
		.kind = RECORDED_XE,
		.units = gpu->facts,
		.units_size = sizeof(*gpu->facts) + gpu->facts->masks_size,
	};
	int ret =
		recorded_device_fill(&facts.device, oa, set,
				     gpu->units[set->unit].timestamp_hz, error);

	if (ret)
		return ret;
	facts.device.format = set->format->xe_number;
	facts.device.engine_class = set->unit == OA_UNIT_RENDER
					    ? XE_UAPI_CLASS_RENDER
					    : XE_UAPI_CLASS_VIDEO_DECODE;
	*length = recorded_facts_write(&facts, buffer, size);
	return 0;
}

static int
take_message(int stream, struct oa_reports *reports)
{
	uint64_t status = 0;
	int ret = xe_stream_status(stream, &status);

	if (ret < 0)
		return ret;
	xe_reports_take_status(reports, status);
	return status != 0;
}

const struct oa_kernel_ops xe_source = {
	.layout = "xe oa 5",
	.find_config = find_config,
	.load = source_load,
	.unload_composed = unload_composed,
	.open = open_stream,
	.timestamps = xe_timestamps,
	.enable = stream_enable,
	.enable_again = xe_stream_enable,
	.disable = xe_stream_disable,
	.read = xe_stream_read,
	.take = xe_reports_take,
	.visit = visit_reports,
	.stream_header = write_stream_header,
	.take_message = take_message,
	.held_ns = TIMER_NS,
	.drain_ms = DRAIN_MS,
};
