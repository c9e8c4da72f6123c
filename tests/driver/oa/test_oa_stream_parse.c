/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of a perf stream: what is well-formed is summed, what is missing is
 * noticed, and nothing that cannot be is taken for a count.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/records.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define SAMPLE 1
#define REPORT_LOST 2
#define BUFFER_LOST 3
#define UNKNOWN 77

#define HEADER 8
#define REPORT 256
#define PERIOD 1000 /* ticks between reports */
#define GAP_LIMIT 5000

/* A stream being written. */
struct stream {
	uint8_t data[1 << 19];
	size_t length;
	uint32_t time; /* of the next report */
	uint64_t counter; /* A0 there, 40 bits */
};

static void
put_header(struct stream *stream, uint32_t type, size_t size)
{
	const uint16_t small = (uint16_t)size;

	memset(stream->data + stream->length, 0, HEADER);
	memcpy(stream->data + stream->length, &type, sizeof(type));
	memcpy(stream->data + stream->length + 6, &small, sizeof(small));
	stream->length += HEADER;
}

/* Write a record of that many bytes, whatever its header says. */
static void
put_record(struct stream *stream, uint32_t type, size_t said, size_t bytes)
{
	put_header(stream, type, said);
	memset(stream->data + stream->length, 0x5a, bytes - HEADER);
	stream->length += bytes - HEADER;
}

/*
 * Write a sample, extra bytes longer than needed; A0 goes on by 10 per report,
 * also in reports that get lost.
 */
static void
put_sample(struct stream *stream, uint32_t id, size_t extra)
{
	uint8_t *report = stream->data + stream->length + HEADER;

	put_header(stream, SAMPLE, HEADER + REPORT + extra);
	memset(report, 0, REPORT + extra);
	memcpy(report, &id, sizeof(id));
	memcpy(report + 4, &stream->time, sizeof(stream->time));
	memcpy(report + 16, &stream->counter, 4);
	report[160] = (uint8_t)(stream->counter >> 32);
	stream->length += REPORT + extra;
	stream->time += PERIOD;
	stream->counter += 10;
}

#define TIMER (1u << 19)
#define SWITCH (1u << 22)

static void
put_samples(struct stream *stream, unsigned count)
{
	while (count--)
		put_sample(stream, TIMER, 0);
}

static void
lose_reports(struct stream *stream, unsigned count)
{
	stream->time += count * PERIOD;
	stream->counter += count * 10;
}

/* ---- what a stream may hold */

static void
add_plain(struct stream *stream)
{
	put_samples(stream, 20);
}

static void
with_unknown(struct stream *stream)
{
	put_samples(stream, 5);
	put_record(stream, UNKNOWN, 24, 24);
	put_samples(stream, 5);
	put_record(stream, UNKNOWN, HEADER, HEADER);
	put_samples(stream, 10);
}

static void
with_lost_report(struct stream *stream)
{
	put_samples(stream, 9);
	lose_reports(stream, 3);
	put_record(stream, REPORT_LOST, HEADER, HEADER);
	put_samples(stream, 8);
}

static void
with_switches(struct stream *stream)
{
	for (unsigned i = 0; i < 1000; i++) {
		put_sample(stream, SWITCH, 0);
		stream->time -= PERIOD - 1;
	}
}

static void
with_longer_samples(struct stream *stream)
{
	put_samples(stream, 3);
	for (unsigned i = 0; i < 6; i++)
		put_sample(stream, TIMER, 8 * (i % 3));
	put_samples(stream, 11);
}

static void
with_holes(struct stream *stream)
{
	put_samples(stream, 4);
	put_header(stream, SAMPLE, HEADER + REPORT);
	memset(stream->data + stream->length, 0, REPORT);
	stream->length += REPORT;
	put_samples(stream, 16);
}

static void
with_time_wrap(struct stream *stream)
{
	stream->time = UINT32_MAX - 7 * PERIOD;
	stream->counter = (UINT64_C(1) << 40) - 55;
	put_samples(stream, 20);
}

static void
with_gap(struct stream *stream)
{
	put_samples(stream, 6);
	lose_reports(stream, 5);
	put_samples(stream, 6);
}

static void
with_lost_reports(struct stream *stream)
{
	put_samples(stream, 6);
	lose_reports(stream, 5);
	put_record(stream, REPORT_LOST, HEADER, HEADER);
	put_samples(stream, 6);
}

/* Put samples of two units at the same time, the second of which is late. */
static void
a_little_late(struct stream *stream)
{
	put_samples(stream, 6);
	for (unsigned i = 0; i < 4; i++) {
		stream->time -= PERIOD + 1;
		stream->counter -= 11;
		put_sample(stream, SWITCH, 0);
		stream->time += 1;
		stream->counter += 1;
		put_samples(stream, 2);
	}
}

/* Sum where the timestamp has just wrapped. */
static void
late_over_the_wrap(struct stream *stream)
{
	stream->time = UINT32_MAX - 5 * PERIOD + 1;
	a_little_late(stream);
}

static void
far_backwards(struct stream *stream)
{
	put_samples(stream, 6);
	stream->time -= 70 * PERIOD;
	put_samples(stream, 6);
}

static void
with_overflow(struct stream *stream)
{
	put_samples(stream, 6);
	put_record(stream, BUFFER_LOST, HEADER, HEADER);
	stream->counter = 0;
	put_samples(stream, 6);
}

static void
zero_length(struct stream *stream)
{
	put_samples(stream, 6);
	put_record(stream, SAMPLE, 0, HEADER + REPORT);
	put_samples(stream, 6);
}

static void
shorter_than_header(struct stream *stream)
{
	put_samples(stream, 6);
	put_record(stream, UNKNOWN, HEADER - 1, HEADER);
	put_samples(stream, 6);
}

static void
beyond_the_data(struct stream *stream)
{
	put_samples(stream, 6);
	put_record(stream, SAMPLE, HEADER + REPORT, HEADER + REPORT - 1);
}

static void
short_sample(struct stream *stream)
{
	put_samples(stream, 6);
	put_record(stream, SAMPLE, HEADER + REPORT - 8, HEADER + REPORT - 8);
	put_samples(stream, 6);
}

static void
cut_header(struct stream *stream)
{
	put_samples(stream, 6);
	memset(stream->data + stream->length, 1, HEADER - 1);
	stream->length += HEADER - 1;
}

static void
add_nothing(struct stream *stream)
{
	(void)stream;
}

static const struct {
	const char *name;
	void (*make)(struct stream *stream);
	uint64_t reports; /* that are taken */
	uint64_t steps; /* of A0 that are summed */
	unsigned lost;
	enum oa_loss loss;
	unsigned late;
} cases[] = {
	{ "plain", add_plain, 20, 19, 0, OA_LOSS_NONE, 0 },
	{ "nothing", add_nothing, 0, 0, 0, OA_LOSS_NONE, 0 },
	{ "unknown records", with_unknown, 20, 19, 0, OA_LOSS_NONE, 0 },
	{ "a lost report", with_lost_report, 17, 19, 1, OA_LOSS_NONE, 0 },
	{ "context switches", with_switches, 1000, 999, 0, OA_LOSS_NONE, 0 },
	{ "longer samples", with_longer_samples, 20, 19, 0, OA_LOSS_NONE, 0 },
	{ "holes", with_holes, 20, 19, 0, OA_LOSS_NONE, 0 },
	{ "wraps", with_time_wrap, 20, 19, 0, OA_LOSS_NONE, 0 },
	{ "a gap", with_gap, 6, 5, 0, OA_LOSS_GAP, 0 },
	{ "too many lost", with_lost_reports, 6, 5, 1, OA_LOSS_GAP, 0 },
	{ "time goes back a little", a_little_late, 14, 13, 0, OA_LOSS_NONE,
	  4 },
	{ "late over the wrap", late_over_the_wrap, 14, 13, 0, OA_LOSS_NONE,
	  4 },
	{ "time goes far back", far_backwards, 6, 5, 0, OA_LOSS_GAP, 0 },
	{ "overflow", with_overflow, 6, 5, 0, OA_LOSS_OVERFLOW, 0 },
	{ "zero length", zero_length, 6, 5, 0, OA_LOSS_MALFORMED, 0 },
	{ "no header", shorter_than_header, 6, 5, 0, OA_LOSS_MALFORMED, 0 },
	{ "oversized", beyond_the_data, 6, 5, 0, OA_LOSS_MALFORMED, 0 },
	{ "short sample", short_sample, 6, 5, 0, OA_LOSS_MALFORMED, 0 },
	{ "cut header", cut_header, 6, 5, 0, OA_LOSS_MALFORMED, 0 },
};

static struct stream *
make_stream(int i)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	stream->time = 500;
	stream->counter = 7;
	cases[i].make(stream);
	return stream;
}

static void
check_reports(const struct oa_reports *reports, int i)
{
	ck_assert_msg(reports->loss == cases[i].loss, "%s: loss %d",
		      cases[i].name, (int)reports->loss);
	ck_assert_uint_eq(reports->count, cases[i].reports);
	ck_assert_uint_eq(reports->accumulator.sums[OA_SLOT_A],
			  10 * cases[i].steps);
	ck_assert_uint_eq(reports->lost, cases[i].lost);
	ck_assert_uint_eq(reports->late, cases[i].late);
}

TEST_CASE(all, NULL, NULL, "oa_stream_parse");

TEST_LOOP(all, stream_is_summed_or_refused, ARRAY_SIZE(cases))
{
	struct stream *stream = make_stream(_i);
	struct oa_reports reports;

	oa_reports_init(&reports, oa_format_find(10, OA_GEN9), GAP_LIMIT);
	oa_records_take(&reports, stream->data, stream->length);
	check_reports(&reports, _i);
	/* Nothing that comes later makes lost counts good. */
	stream->length = 0;
	add_plain(stream);
	if (reports.loss)
		oa_records_take(&reports, stream->data, stream->length);
	check_reports(&reports, _i);
	free(stream);
}

/* How the kernel cuts a stream into reads does not matter. */
TEST_LOOP(all, reads_may_be_short, ARRAY_SIZE(cases))
{
	struct stream *stream = make_stream(_i);
	struct oa_reports reports;
	size_t at = 0;

	oa_reports_init(&reports, oa_format_find(10, OA_GEN9), GAP_LIMIT);
	while (at < stream->length) {
		uint16_t size;

		memcpy(&size, stream->data + at + 6, sizeof(size));
		if (size < HEADER || at + size > stream->length)
			size = (uint16_t)(stream->length - at);
		oa_records_take(&reports, stream->data + at, size);
		at += size;
	}
	check_reports(&reports, _i);
	free(stream);
}

struct visits {
	size_t records, bytes;
	const uint8_t *next;
};

static void
visit_record(void *data, const void *record, size_t size)
{
	struct visits *visits = data;

	ck_assert_ptr_eq(record, visits->next);
	visits->next += size;
	visits->records++;
	visits->bytes += size;
}

TEST(all, every_whole_record_is_shown)
{
	struct stream *stream = make_stream(0);
	struct visits visits = { 0, 0, stream->data };
	size_t whole;

	put_record(stream, REPORT_LOST, HEADER, HEADER);
	put_record(stream, UNKNOWN, 40, 40);
	whole = stream->length;
	put_record(stream, SAMPLE, HEADER + REPORT, HEADER + REPORT);
	oa_records_visit(stream->data, stream->length - 1, visit_record,
			 &visits);
	ck_assert_uint_eq(visits.records, 22);
	ck_assert_uint_eq(visits.bytes, whole);
	free(stream);
}

TEST(all, showing_ends_at_a_record_without_length)
{
	struct stream *stream = make_stream(0);
	struct visits visits = { 0, 0, stream->data };

	put_record(stream, UNKNOWN, 0, 40);
	oa_records_visit(stream->data, stream->length, visit_record, &visits);
	ck_assert_uint_eq(visits.records, 20);
	free(stream);
}

/* The timestamps of wide reports have 56 bits; what is above is no time. */
TEST(all, wide_time_wraps)
{
	const struct oa_format *format = oa_format_find(14, OA_XELPG);
	struct oa_reports reports;
	uint8_t report[128] = { 1 };
	const uint64_t start = (UINT64_C(1) << 56) - 3 * PERIOD;

	oa_reports_init(&reports, format, GAP_LIMIT);
	for (unsigned i = 0; i < 8; i++) {
		uint64_t time = (start + i * PERIOD) & (UINT64_MAX >> 8);

		time |= (uint64_t)i << 56;
		memcpy(report + 8, &time, sizeof(time));
		oa_reports_take(&reports, report, sizeof(report));
		oa_reports_end_row(&reports);
	}
	ck_assert_int_eq(reports.loss, OA_LOSS_NONE);
	ck_assert_uint_eq(reports.count, 8);
	ck_assert_uint_eq(reports.time, 4 * PERIOD);
	ck_assert_uint_eq(reports.accumulator.sums[OA_SLOT_TIME], 7 * PERIOD);
}

TEST(all, distance_goes_over_the_wrap)
{
	ck_assert_int_eq(oa_time_distance(5, 3), 2);
	ck_assert_int_eq(oa_time_distance(3, 5), -2);
	ck_assert_int_eq(oa_time_distance(1, UINT32_MAX), 2);
	ck_assert_int_eq(oa_time_distance(UINT32_MAX, 1), -2);
	ck_assert_int_eq(oa_time_distance(UINT64_C(0x500000001), UINT32_MAX),
			 2);
}
