/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of a stream of OA reports, as i915 delivers them. Reports of xe have
 * no headers, and get those of i915.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_RECORDS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/reports.h"

/* The types of i915_drm.h, and one of our own. */
enum oa_record_type {
	OA_RECORD_SAMPLE = 1,
	OA_RECORD_REPORT_LOST,
	OA_RECORD_BUFFER_LOST,
	OA_RECORD_COUNTER_LOST = 0x20001, /* see OA_LOSS_COUNTER */
};

struct oa_record_header {
	uint32_t type;
	uint16_t pad;
	uint16_t size; /* of all of the record */
};

#define OA_RECORD_SIZE_MAX                                                     \
	(sizeof(struct oa_record_header) + OA_REPORT_SIZE_MAX)

/*
 * Put a header before up to OA_REPORT_SIZE_MAX bytes, a multiple of 8. Returns
 * the size of both.
 */
size_t
oa_records_make(enum oa_record_type type, const void *body, size_t size,
		uint8_t record[OA_RECORD_SIZE_MAX]);

/* Take in the records of one read. Those of unknown types are skipped. */
void
oa_records_take(struct oa_reports *reports, const uint8_t *data, size_t length);

/* Take in one whole record; its row of reports does not end there. */
void
oa_records_take_one(struct oa_reports *reports, const uint8_t *record);

/* Call visit for each record that is whole. */
void
oa_records_visit(const uint8_t *data, size_t length, oa_record_fn visit,
		 void *visit_data);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_RECORDS_H */
