/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/reports.h"

#include "driver/intel/xe_uapi.h"

void
xe_reports_take(struct oa_reports *reports, const uint8_t *data, size_t length)
{
	const struct oa_format *format = reports->accumulator.format;

	for (; !reports->loss && length >= format->size;
	     length -= format->size, data += format->size) {
		if (oa_format_is_hole(format, data))
			oa_reports_end_row(reports);
		else
			oa_reports_take(reports, data, format->size);
	}
	if (!reports->loss && length)
		oa_reports_lose(reports, OA_LOSS_MALFORMED);
	oa_reports_end_row(reports);
}

void
xe_reports_take_status(struct oa_reports *reports, uint64_t status)
{
	if (status & XE_UAPI_STATUS_REPORT_LOST)
		reports->lost++;
	if (reports->loss)
		return;
	if (status & XE_UAPI_STATUS_OVERFLOW)
		oa_reports_lose(reports, OA_LOSS_OVERFLOW);
	else if (status & XE_UAPI_STATUS_COUNTER_OVERFLOW)
		oa_reports_lose(reports, OA_LOSS_COUNTER);
}
