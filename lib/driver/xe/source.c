/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/source.h"

#include <errno.h>

#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"
#include "driver/xe/config.h"
#include "driver/xe/gpu.h"
#include "driver/xe/kernel.h"
#include "driver/xe/open.h"
#include "driver/xe/reports.h"

/* The kernel's timer, and some more. */
#define TIMER_NS 6000000

/*
 * poll() goes by that timer and goes on telling of what has been said. At the
 * usual period the buffer holds 12 seconds of reports, see oa_period_choose().
 */
#define DRAIN_MS 5

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
	.open = xe_open_stream,
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
