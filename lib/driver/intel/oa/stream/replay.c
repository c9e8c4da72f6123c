/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/domain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/clock.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/period.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/records.h"
#include "driver/intel/oa/reports.h"
#include "driver/intel/oa/requests.h"
#include "driver/intel/oa/stream/errors.h"

#define HEADER sizeof(struct oa_record_header)

/*
 * A report farther than this from the record of its time was not timed by the
 * engine's clock.
 */
#define MARK_SECONDS 2

#define AHEAD 16

/* Ticks of a timestamp, which wraps after 2^32. */
#define STRIDE_MAX ((uint32_t)1 << 28)

struct replay {
	struct oa_gpu *gpu;
	struct oa_requests requests;
	struct oa_reports reports;
	/*
	 * Time of the first report on CLOCK_MONOTONIC, computed from the last
	 * record with a time, since the two clocks drift.
	 */
	uint64_t first_ns;
	uint64_t time_ns; /* returned last: time never goes back */
	struct recorded_time mark;
	bool marked; /* there is one that has not been used */
};

/* ------------------------------------------------------------------ */
/* Time                                                                 */

static uint64_t
elapsed_ns(const struct replay *replay)
{
	return oa_clock_ns_at(replay->gpu->timestamp_hz,
			      replay->reports.accumulator.sums[OA_SLOT_TIME]);
}

/* Use the mark: sums are up to the newest report. */
static void
use_mark(struct replay *replay)
{
	const int64_t hz = (int64_t)replay->gpu->timestamp_hz;
	const int64_t ticks =
		oa_time_distance(replay->reports.time, replay->mark.ticks);
	const int64_t ns = ticks * 1000000000 / hz;
	bool agrees = ticks < MARK_SECONDS * hz && ticks > -MARK_SECONDS * hz;

	if (!replay->marked || !replay->reports.count)
		return;
	replay->marked = false;
	if (agrees)
		replay->first_ns = replay->mark.monotonic_ns + (uint64_t)ns -
				   elapsed_ns(replay);
	else if (!replay->first_ns)
		replay->first_ns = replay->mark.monotonic_ns;
}

static uint64_t
newest_ns(struct replay *replay)
{
	uint64_t ns = replay->first_ns + elapsed_ns(replay);

	if (ns > replay->time_ns)
		replay->time_ns = ns;
	return replay->time_ns;
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

static uint32_t
span_ticks(const struct replay *replay, uint64_t span_ns)
{
	const uint64_t most = UINT64_C(1000000000);

	/* half a wrap of timestamps is nearly a minute */
	if (span_ns > 10 * most)
		span_ns = 10 * most;
	return (uint32_t)(span_ns * (replay->gpu->timestamp_hz / 1000) /
			  1000000);
}

/*
 * A span of reports, of which few are counted: no counter can wrap twice
 * between two reports that are close enough, so those in between are skipped. A
 * report is kept until the next one is too far from the one counted last.
 */
struct replay_span {
	struct replay *replay;
	uint64_t begin; /* timestamp where it begins */
	uint32_t ticks; /* ticks that it shall last */
	uint32_t stride; /* ticks between counted reports, at most */
	const uint8_t *waits; /* record of a report, or NULL */
	uint64_t time; /* its timestamp */
	bool is_over;
};

static void
span_count_record(struct replay_span *span, const uint8_t *record)
{
	struct oa_reports *reports = &span->replay->reports;

	oa_records_take_one(reports, record);
	oa_reports_end_row(reports);
}

static void
count_waiting(struct replay_span *span)
{
	if (span->waits)
		span_count_record(span, span->waits);
	span->waits = NULL;
}

/* Return whether a report is the first, or no older than the one before. */
static bool
is_in_order(const struct replay_span *span, uint64_t time)
{
	const struct oa_reports *reports = &span->replay->reports;
	const uint64_t before = span->waits ? span->time : reports->time;

	return !reports->count || oa_time_distance(time, before) >= 0;
}

static void
take_report(struct replay_span *span, const uint8_t *record)
{
	const struct oa_reports *reports = &span->replay->reports;
	const struct oa_format *format = reports->accumulator.format;
	const uint64_t time = oa_format_time(format, record + HEADER);

	if (!reports->count || !is_in_order(span, time)) {
		count_waiting(span);
		span_count_record(span, record);
		span->is_over |= reports->count == 1;
		return;
	}
	/* a report with time 0 may be a gap in the buffer */
	if (!time && oa_format_is_hole(format, record + HEADER))
		return;
	if ((uint32_t)(time - reports->time) > span->stride)
		count_waiting(span);
	span->waits = record;
	span->time = time;
	span->is_over = (uint32_t)(time - span->begin) >= span->ticks;
}

/* Take the next record, which is whole. */
static void
take_record(struct replay_span *span, const uint8_t *record,
	    const struct oa_record_header *header)
{
	struct replay *replay = span->replay;

	if (header->type == OA_RECORD_SAMPLE &&
	    header->size >= HEADER + replay->reports.accumulator.format->size) {
		take_report(span, record);
	} else if (header->type == RECORDED_TIME &&
		   header->size >= HEADER + sizeof(replay->mark)) {
		memcpy(&replay->mark, record + HEADER, sizeof(replay->mark));
		replay->marked = true;
	} else {
		count_waiting(span);
		span_count_record(span, record);
	}
}

/*
 * Take the records of a span. The first report of all is a span of its own:
 * there counting begins.
 */
static size_t
take_span(struct replay *replay, const struct raw_records *records)
{
	struct oa_record_header header;
	struct replay_span span = {
		.replay = replay,
		.begin = replay->reports.time,
		.ticks = span_ticks(replay, records->span_ns),
		.stride = STRIDE_MAX,
	};
	size_t used = 0;

	if (replay->reports.gap_limit / 2 < STRIDE_MAX)
		span.stride = (uint32_t)(replay->reports.gap_limit / 2);
	while (!replay->reports.loss && !span.is_over &&
	       records->size - used >= HEADER) {
		memcpy(&header, records->data + used, HEADER);
		if (header.size < HEADER || header.size > records->size - used)
			break;
		/* one cache line of each record is read, far from the last */
		__builtin_prefetch((const void *)((uintptr_t)records->data +
						  used + AHEAD * header.size));
		take_record(&span, records->data + used, &header);
		used += header.size;
	}
	count_waiting(&span);
	return used;
}

static int
replay_records(void *run, const struct raw_records *records, size_t *used,
	       struct drmperf_error *error)
{
	struct replay *replay = run;
	struct oa_reports *reports = &replay->reports;

	*used = take_span(replay, records);
	use_mark(replay);
	return oa_error_loss(reports->loss, reports->lost, reports->late,
			     error);
}

/* ------------------------------------------------------------------ */
/* Runs                                                                 */

static int
replay_arm(void *device, const struct run_options *options,
	   const struct counter_request *requests, size_t count, void **out,
	   struct drmperf_error *error)
{
	struct replay *replay = calloc(1, sizeof(*replay));
	const struct oa_format *format;
	int ret;

	(void)options;
	if (!replay)
		return error_set(error, -ENOMEM, "no memory");
	replay->gpu = device;
	ret = oa_requests_take(&replay->requests, replay->gpu, requests, count,
			       error);
	if (ret) {
		free(replay);
		return ret;
	}
	format = replay->requests.set->format;
	oa_reports_init(&replay->reports, format,
			oa_wrap_ns(replay->gpu, format) / 1000 *
				replay->gpu->timestamp_hz / 1000000);
	*out = replay;
	return 0;
}

static int
replay_sample(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	      uint64_t *time_ns, struct drmperf_error *error)
{
	struct replay *replay = run;
	const struct oa_reports *reports = &replay->reports;
	struct oa_sample sample = { .raw = raw };
	int ret = oa_error_loss(reports->loss, reports->lost, reports->late,
				error);

	(void)mode;
	if (ret)
		return ret;
	oa_requests_fill(&replay->requests, reports->accumulator.sums,
			 newest_ns(replay), &sample);
	*time_ns = sample.report_ns;
	return 0;
}

static void
replay_origin(const void *run, struct driver_origin *out)
{
	const struct replay *replay = run;

	*out = (struct driver_origin){
		.clock = replay->reports.accumulator.sums[OA_SLOT_TIME],
		.hz = replay->gpu->timestamp_hz,
		.die = -1,
	};
}

static void
replay_disarm(void *run)
{
	struct replay *replay = run;

	oa_requests_free(&replay->requests);
	free(replay);
}

const struct domain_ops replay_domain_ops = {
	.arm = replay_arm,
	.replay = replay_records,
	.sample = replay_sample,
	.origin = replay_origin,
	.disarm = replay_disarm,
	.abandon = replay_disarm,
};
