/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of the reports of a stream, or the reason why these are wrong. */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_REPORTS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_REPORTS_H

#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/accumulate.h"
#include "driver/intel/oa/format.h"

/* Why counts since the start are lost. */
enum oa_loss {
	OA_LOSS_NONE,
	OA_LOSS_OVERFLOW,  /* the kernel's buffer was full: all is gone */
	OA_LOSS_COUNTER,   /* the hardware says that one has overflowed */
	OA_LOSS_GAP,	   /* reports too far apart: counters may wrap */
	OA_LOSS_MALFORMED, /* an impossible record */
};

/* Reports of the same distance, one behind the other, not yet summed. */
struct oa_row {
	const uint8_t *first;
	size_t stride, count;
};

struct oa_reports {
	struct oa_accumulator accumulator;
	struct oa_row row;
	/*
	 * Most timestamp ticks between neighbouring reports in which no counter
	 * can wrap twice.
	 */
	uint64_t gap_limit;
	uint64_t count;	 /* taken so far */
	uint64_t time;	 /* timestamp of the newest one */
	unsigned lost;	 /* how often the hardware dropped reports */
	uint64_t late;	 /* skipped: older than the one before */
	enum oa_loss loss;
};

/* Sees a record as the kernel delivers it, or a report without one. */
typedef void (*oa_record_fn)(void *data, const void *record, size_t size);

void oa_reports_init(struct oa_reports *reports, const struct oa_format *format,
		     uint64_t gap_limit);

/*
 * Take the next report, which lies in a record of record_size bytes. It has to
 * stay there until the row has ended.
 *
 * A report that is slightly older than the one before is skipped, since the
 * newer one includes its counts.
 *
 * A report that the hardware dropped is no loss: the difference of its
 * neighbours includes its counts. After any other loss sums stay what they are,
 * until the reports are initialised again.
 */
void oa_reports_take(struct oa_reports *reports, const uint8_t *report,
		     size_t record_size);

/* Sum up the row: the next record is no report, or lies elsewhere. */
void oa_reports_end_row(struct oa_reports *reports);

/* Record a loss: sums would be wrong from here on. */
void oa_reports_lose(struct oa_reports *reports, enum oa_loss loss);

/*
 * Return how much later timestamp a is than b, in ticks; negative if it is
 * earlier. The times must be less than half a wrap of 32 bits apart, nearly a
 * minute.
 */
int32_t oa_time_distance(uint64_t a, uint64_t b);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_REPORTS_H */
