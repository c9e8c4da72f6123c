/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records that a perf stream delivers.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_RECORDS_H
#define DRMPERF_LIB_DRIVER_I915_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/oa/reports.h"

/* Take in the records of one read. Those of unknown types are skipped. */
void i915_records_take(struct oa_reports *reports, const uint8_t *data,
		       size_t length);

/* The same of one that is whole; its row does not end there. */
void
i915_records_take_one(struct oa_reports *reports, const uint8_t *record);

/* Call visit for each record that is whole. */
void i915_records_visit(const uint8_t *data, size_t length,
			oa_record_fn visit, void *visit_data);

#endif /* DRMPERF_LIB_DRIVER_I915_RECORDS_H */
