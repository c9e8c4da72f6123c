/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading what a perf stream delivers: records into sums, or into the reason
 * why the sums are not to be trusted.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_OA_PARSER_H
#define DRMPERF_LIB_DRIVER_I915_OA_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/oa/accumulate.h"
#include "driver/oa/format.h"

/* Why counts since the start cannot be told any more. */
enum oa_loss {
	OA_LOSS_NONE,
	OA_LOSS_OVERFLOW,  /* the kernel's buffer was full: all is gone */
	OA_LOSS_GAP,	   /* reports too far apart: counters may wrap */
	OA_LOSS_MALFORMED, /* a record that cannot be */
};

struct oa_parser {
	struct oa_accumulator accumulator;
	/*
	 * Neighbouring reports no more than so many timestamp ticks apart
	 * leave no doubt how often a counter has wrapped.
	 */
	uint64_t gap_limit;
	uint64_t reports; /* read so far */
	uint64_t time;	  /* timestamp of the newest one */
	unsigned lost;	  /* how often the hardware dropped reports */
	enum oa_loss loss;
};

typedef void (*oa_record_fn)(void *data, const void *record, size_t size);

void oa_parser_init(struct oa_parser *parser, const struct oa_format *format,
		    uint64_t gap_limit);

/*
 * Take in the records of one read. Records of unknown types are skipped.
 *
 * A report that the hardware dropped costs nothing: counters go on, and what
 * is missing is in the difference of its neighbours. After any other loss sums
 * stay what they are, until the parser is initialised again.
 */
void oa_parser_feed(struct oa_parser *parser, const uint8_t *data,
		    size_t length);

/*
 * How much later timestamp a is than b, in ticks; negative if it is earlier.
 * For times less than half a wrap of 32 bits apart, nearly a minute.
 */
int32_t oa_time_distance(uint64_t a, uint64_t b);

/* Call visit for each record that is whole. */
void oa_records_visit(const uint8_t *data, size_t length, oa_record_fn visit,
		      void *visit_data);

#endif /* DRMPERF_LIB_DRIVER_I915_OA_PARSER_H */
