/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/reports.h"

#include <string.h>

void
oa_reports_init(struct oa_reports *reports, const struct oa_format *format,
		uint64_t gap_limit)
{
	memset(reports, 0, sizeof(*reports));
	oa_accumulator_init(&reports->accumulator, format, OA_SCAN_BEST);
	reports->gap_limit = gap_limit;
}

int32_t
oa_time_distance(uint64_t a, uint64_t b)
{
	return (int32_t)(uint32_t)(a - b);
}

void
oa_reports_end_row(struct oa_reports *reports)
{
	struct oa_row *row = &reports->row;

	if (row->count)
		oa_accumulator_add(&reports->accumulator, row->first,
				   row->stride, row->count);
	row->count = 0;
}

void
oa_reports_lose(struct oa_reports *reports, enum oa_loss loss)
{
	oa_reports_end_row(reports);
	reports->loss = loss;
}

/* A few milliseconds of ticks: what is older cannot have been held up. */
#define LATE_MAX (UINT64_C(1) << 16)

static bool
is_late(uint64_t gap, uint64_t mask)
{
	uint64_t back = -gap & mask;

	return back && back <= LATE_MAX;
}

void
oa_reports_take(struct oa_reports *reports, const uint8_t *report,
		size_t record_size)
{
	const struct oa_format *format = reports->accumulator.format;
	uint64_t time = oa_format_time(format, report);
	uint64_t mask = oa_run_mask(&format->runs[0]);
	uint64_t gap = (time - reports->time) & mask;
	struct oa_row *row = &reports->row;

	if (reports->count && is_late(gap, mask)) {
		reports->late++;
		oa_reports_end_row(reports);
		return;
	}
	if (reports->count && gap > reports->gap_limit) {
		oa_reports_lose(reports, OA_LOSS_GAP);
		return;
	}
	/* A row has to be evenly spaced. */
	if (row->count && row->stride != record_size)
		oa_reports_end_row(reports);
	if (!row->count) {
		row->first = report;
		row->stride = record_size;
	}
	row->count++;
	reports->time = time;
	reports->count++;
}
