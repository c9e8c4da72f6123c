/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a perf stream delivers, as rubbish of any kind. The first byte chooses
 * the format, the second how the rest is cut into reads.
 *
 * Whatever comes: no byte outside of the data is read, sums are only ever of
 * whole reports, and both ways of summing agree.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/records.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
visit_record(void *data, const void *record, size_t size)
{
	uint64_t *sum = data;

	for (size_t i = 0; i < size; i++)
		*sum += ((const uint8_t *)record)[i];
}

/*
 * Feed a copy of the bytes in memory of their own, so that ASan sees their end.
 */
static void
feed_bytes(struct oa_reports *reports, const uint8_t *data, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);
	uint64_t sum = 0;

	memcpy(copy, data, length);
	oa_records_visit(copy, length, visit_record, &sum);
	oa_records_take(reports, copy, length);
	free(copy);
}

static void
init_reports(struct oa_reports *reports, const struct oa_format *format,
	     enum oa_scan scan)
{
	oa_reports_init(reports, format, UINT64_C(1) << 20);
	oa_accumulator_init(&reports->accumulator, format, scan);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct oa_format *formats;
	struct oa_reports best, plain;
	size_t count, piece;

	if (size < 2)
		return 0;
	formats = oa_format_list(&count);
	init_reports(&best, &formats[data[0] % count], OA_SCAN_BEST);
	init_reports(&plain, &formats[data[0] % count], OA_SCAN_PLAIN);
	piece = data[1] ? (size_t)data[1] * 8 : size;
	for (size_t at = 2; at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;

		feed_bytes(&best, data + at, length);
		feed_bytes(&plain, data + at, length);
	}
	assert(best.loss == plain.loss && best.count == plain.count);
	assert(!memcmp(best.accumulator.sums, plain.accumulator.sums,
		       sizeof(best.accumulator.sums)));
	assert(best.count || !best.accumulator.started);
	return 0;
}
