/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/records.h"

#include <string.h>

#include "driver/i915/uapi.h"

#define HEADER sizeof(struct drm_i915_perf_record_header)

/* The header of the record at data, if all of it is there. */
static bool
read_header(const uint8_t *data, size_t length,
	    struct drm_i915_perf_record_header *header)
{
	if (length < HEADER)
		return false;
	memcpy(header, data, HEADER);
	return header->size >= HEADER && header->size <= length;
}

void
i915_records_visit(const uint8_t *data, size_t length, oa_record_fn visit,
		   void *visit_data)
{
	struct drm_i915_perf_record_header header;

	while (read_header(data, length, &header)) {
		visit(visit_data, data, header.size);
		data += header.size;
		length -= header.size;
	}
}

static inline void
take_record(struct oa_reports *reports, const uint8_t *record,
	    const struct drm_i915_perf_record_header *header)
{
	const struct oa_format *format = reports->accumulator.format;
	const uint8_t *report = record + HEADER;

	switch (header->type) {
	case DRM_I915_PERF_RECORD_SAMPLE:
		if (header->size < HEADER + format->size)
			oa_reports_lose(reports, OA_LOSS_MALFORMED);
		else if (oa_format_is_hole(format, report))
			oa_reports_end_row(reports);
		else
			oa_reports_take(reports, report, header->size);
		return;
	case DRM_I915_PERF_RECORD_OA_REPORT_LOST:
		reports->lost++;
		break;
	case DRM_I915_PERF_RECORD_OA_BUFFER_LOST:
		oa_reports_lose(reports, OA_LOSS_OVERFLOW);
		return;
	default:
		break;
	}
	oa_reports_end_row(reports);
}

void
i915_records_take_one(struct oa_reports *reports, const uint8_t *record)
{
	struct drm_i915_perf_record_header header;

	memcpy(&header, record, HEADER);
	take_record(reports, record, &header);
}

void
i915_records_take(struct oa_reports *reports, const uint8_t *data,
		  size_t length)
{
	struct drm_i915_perf_record_header header;

	while (!reports->loss && read_header(data, length, &header)) {
		take_record(reports, data, &header);
		data += header.size;
		length -= header.size;
	}
	if (!reports->loss && length)
		oa_reports_lose(reports, OA_LOSS_MALFORMED);
	oa_reports_end_row(reports);
}
