/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/oa_parser.h"

#include <string.h>

#include "driver/i915/uapi.h"

#define HEADER sizeof(struct drm_i915_perf_record_header)

/* Samples of the same size, one behind the other, not yet accumulated. */
struct row {
	const uint8_t *first; /* report */
	size_t stride, count;
};

void
oa_parser_init(struct oa_parser *parser, const struct oa_format *format,
	       uint64_t gap_limit)
{
	memset(parser, 0, sizeof(*parser));
	oa_accumulator_init(&parser->accumulator, format, OA_SCAN_BEST);
	parser->gap_limit = gap_limit;
}

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
oa_records_visit(const uint8_t *data, size_t length, oa_record_fn visit,
		 void *visit_data)
{
	struct drm_i915_perf_record_header header;

	while (read_header(data, length, &header)) {
		visit(visit_data, data, header.size);
		data += header.size;
		length -= header.size;
	}
}

int32_t
oa_time_distance(uint64_t a, uint64_t b)
{
	return (int32_t)(uint32_t)(a - b);
}

static void
end_row(struct oa_parser *parser, struct row *row)
{
	if (row->count)
		oa_accumulator_add(&parser->accumulator, row->first,
				   row->stride, row->count);
	row->count = 0;
}

/* From here on the sums would be wrong. */
static void
lose(struct oa_parser *parser, struct row *row, enum oa_loss loss)
{
	end_row(parser, row);
	parser->loss = loss;
}

static void
take_report(struct oa_parser *parser, struct row *row, const uint8_t *report,
	    size_t record_size)
{
	const struct oa_format *format = parser->accumulator.format;
	uint64_t time = oa_format_time(format, report);
	uint64_t gap = time - parser->time;

	if (!format->wide)
		gap = (uint32_t)gap;
	if (parser->reports && gap > parser->gap_limit) {
		lose(parser, row, OA_LOSS_GAP);
		return;
	}
	if (row->count && row->stride != record_size)
		end_row(parser, row);
	if (!row->count) {
		row->first = report;
		row->stride = record_size;
	}
	/* A row has to be evenly spaced: other records end it. */
	row->count++;
	parser->time = time;
	parser->reports++;
}

static void
take_record(struct oa_parser *parser, struct row *row, const uint8_t *record,
	    const struct drm_i915_perf_record_header *header)
{
	const struct oa_format *format = parser->accumulator.format;
	const uint8_t *report = record + HEADER;

	switch (header->type) {
	case DRM_I915_PERF_RECORD_SAMPLE:
		if (header->size < HEADER + format->size) {
			lose(parser, row, OA_LOSS_MALFORMED);
		} else if (oa_format_is_hole(format, report)) {
			end_row(parser, row);
		} else {
			take_report(parser, row, report, header->size);
		}
		return;
	case DRM_I915_PERF_RECORD_OA_REPORT_LOST:
		parser->lost++;
		break;
	case DRM_I915_PERF_RECORD_OA_BUFFER_LOST:
		lose(parser, row, OA_LOSS_OVERFLOW);
		return;
	default:
		break;
	}
	end_row(parser, row);
}

void
oa_parser_feed(struct oa_parser *parser, const uint8_t *data, size_t length)
{
	struct drm_i915_perf_record_header header;
	struct row row = { 0 };

	while (!parser->loss && read_header(data, length, &header)) {
		take_record(parser, &row, data, &header);
		data += header.size;
		length -= header.size;
	}
	if (!parser->loss && length)
		lose(parser, &row, OA_LOSS_MALFORMED);
	end_row(parser, &row);
}
