/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/source.h"

#include "driver/i915/gpu.h"
#include "driver/i915/kernel.h"
#include "driver/i915/oa_config.h"
#include "driver/i915/oa_open.h"
#include "driver/i915/uapi.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"

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
	.open = oa_open,
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
