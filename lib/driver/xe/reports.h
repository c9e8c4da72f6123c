/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data of a stream of OA reports under xe: bare reports, and a status.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_REPORTS_H
#define DRMPERF_LIB_DRIVER_XE_REPORTS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/reports.h"

/* Take in what one read gave: whole reports, one behind the other. */
void xe_reports_take(struct oa_reports *reports, const uint8_t *data,
		     size_t length);

/*
 * Take in the status after a read that failed with EIO, which is a message and
 * no failure. A report that was lost costs nothing. An overflow of the buffer
 * has stopped the unit, and all reports since are gone; after an overflow of a
 * counter, its words are wrong.
 */
void xe_reports_take_status(struct oa_reports *reports, uint64_t status);

#endif /* DRMPERF_LIB_DRIVER_XE_REPORTS_H */
