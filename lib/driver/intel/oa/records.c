/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/records.h"

#include <string.h>

#define HEADER sizeof(struct oa_record_header)

size_t
oa_records_make(enum oa_record_type type, const void *body, size_t size,
		uint8_t record[OA_RECORD_SIZE_MAX])
{
	const struct oa_record_header header = {
		.type = type,
		.size = (uint16_t)(HEADER + size),
	};

	memcpy(record, &header, HEADER);
	if (size)
		memcpy(record + HEADER, body, size);
	return header.size;
}

/* Read the header of the record at data, if all of it is there. */
static bool
read_header(const uint8_t *data, size_t length, struct oa_record_header *header)
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
	struct oa_record_header header;

	while (read_header(data, length, &header)) {
		visit(visit_data, data, header.size);
		data += header.size;
		length -= header.size;
	}
}

static inline void
take_record(struct oa_reports *reports, const uint8_t *record,
	    const struct oa_record_header *header)
{
	const struct oa_format *format = reports->accumulator.format;
	const uint8_t *report = record + HEADER;

	switch (header->type) {
	case OA_RECORD_SAMPLE:
		if (header->size < HEADER + format->size)
			oa_reports_lose(reports, OA_LOSS_MALFORMED);
		else if (oa_format_is_hole(format, report))
			oa_reports_end_row(reports);
		else
			oa_reports_take(reports, report, header->size);
		return;
	case OA_RECORD_REPORT_LOST:
		reports->lost++;
		break;
	case OA_RECORD_BUFFER_LOST:
		oa_reports_lose(reports, OA_LOSS_OVERFLOW);
		return;
	case OA_RECORD_COUNTER_LOST:
		oa_reports_lose(reports, OA_LOSS_COUNTER);
		return;
	default:
		break;
	}
	oa_reports_end_row(reports);
}

void
oa_records_take_one(struct oa_reports *reports, const uint8_t *record)
{
	struct oa_record_header header;

	memcpy(&header, record, HEADER);
	take_record(reports, record, &header);
}

void
oa_records_take(struct oa_reports *reports, const uint8_t *data, size_t length)
{
	struct oa_record_header header;

	while (!reports->loss && read_header(data, length, &header)) {
		take_record(reports, data, &header);
		data += header.size;
		length -= header.size;
	}
	if (!reports->loss && length)
		oa_reports_lose(reports, OA_LOSS_MALFORMED);
	oa_reports_end_row(reports);
}
