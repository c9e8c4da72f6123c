/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records that are fed to a session: put together here, as the kernel and
 * i915-perf-recorder (IGT lib/i915/perf_data.h) would write them for a Skylake
 * GT2, and counted by the public interface.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "tests/support/check.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

#define HEADER 8
#define REPORT 256
#define TICKS_PER_US 12
#define CLOCKS_PER_PERIOD 115000 /* 1.15 GHz */
#define PERIOD 1200 /* ticks: 100 us */

enum {
	SAMPLE = 1,
	REPORT_LOST,
	BUFFER_LOST,
	DEVICE_INFO = 0x10001,
	TOPOLOGY,
	CORRELATION,
	COUNTER_LOST = 0x20001, /* of xe's alone, by libdrmperf */
};

struct device_info {
	uint64_t timestamp_hz;
	uint32_t device_id, revision, min_hz, max_hz;
	uint32_t engine_class, engine_instance, format;
	char set[256];
	char guid[40];
	uint32_t pad;
};

static const struct device_info skylake = {
	.timestamp_hz = 12000000,
	.device_id = 0x1912,
	.revision = 6, /* early steppings lack sets */
	.min_hz = 350000000,
	.max_hz = 1150000000,
	.format = 5,
	.set = "RenderBasic",
};

/* ------------------------------------------------------------------ */
/* Records                                                              */

#define TAPE_SIZE (2 << 20)

struct tape {
	size_t used;
	_Alignas(8) uint8_t data[TAPE_SIZE];
};

static struct tape head, tape;

static void
add_record(struct tape *to, uint32_t type, const void *body, size_t size)
{
	size_t padded = (size + 7) / 8 * 8;
	const uint16_t length = (uint16_t)(HEADER + padded);
	uint8_t *record = to->data + to->used;

	ck_assert_uint_le(to->used + length, TAPE_SIZE);
	memset(record, 0, length);
	memcpy(record, &type, sizeof(type));
	memcpy(record + 6, &length, sizeof(length));
	memcpy(record + HEADER, body, size);
	to->used += length;
}

static void
make_head(const struct device_info *info)
{
	_Alignas(8) uint8_t topology[I915_TOPOLOGY_MAX];
	size_t size = i915_shape_topology(i915_shape_find("sklgt2"), topology);

	head.used = 0;
	add_record(&head, DEVICE_INFO, info, sizeof(*info));
	add_record(&head, TOPOLOGY, topology, size);
}

/* Add a report. The clock is the fourth word; A0 follows on it. */
static void
add_report(uint32_t time, uint32_t clock, uint32_t a7)
{
	uint32_t words[REPORT / 4] = { 0 };

	words[0] = 1 << 19; /* by the timer */
	words[1] = time;
	words[3] = clock;
	words[4 + 7] = a7;
	add_record(&tape, SAMPLE, words, sizeof(words));
}

static void
add_correlation(uint64_t ns, uint64_t ticks)
{
	const uint64_t both[] = { ns, ticks };

	add_record(&tape, CORRELATION, both, sizeof(both));
}

/* ------------------------------------------------------------------ */
/* A session                                                            */

static struct drmperf *drmperf;
static struct drmperf_session *session;

static const char *const names[] = {
	"i915::RenderBasic.GpuTime",
	"i915::oa.GpuCoreClocks",
	"i915::RenderBasic.A7",
};

enum {
	TIME,
	CLOCKS,
	A7
};

static char warning[512];

static void
keep_warning(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level == DRMPERF_LOG_WARNING)
		snprintf(warning, sizeof(warning), "%s", message);
}

static int
create_replay(struct drmperf_error *error)
{
	const struct drmperf_options options = {
		.size = sizeof(options),
		.log = keep_warning,
		.events_path = i915_table_folder(),
	};

	return drmperf_create_replay(&options, head.data, head.used, &drmperf,
				     error);
}

static void
begin_replay(void)
{
	struct drmperf_selection selections[ARRAY_SIZE(names)];
	struct drmperf_error error = { .cause = "" };

	tape.used = 0;
	make_head(&skylake);
	ck_assert_msg(!create_replay(&error), "%s", error.cause);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_msg(!drmperf_event_find(drmperf, names[i],
						  &selections[i], &error),
			      "%s", error.cause);
	ck_assert_msg(!drmperf_session_create(drmperf, selections,
					      ARRAY_SIZE(names), NULL, &session,
					      &error),
		      "%s", error.cause);
	ck_assert_int_eq(drmperf_session_start(session, &error), 0);
}

static void
end_replay(void)
{
	drmperf_session_destroy(session);
	drmperf_destroy(drmperf);
}

static size_t
feed_bytes(size_t from, uint64_t span_ns)
{
	struct drmperf_error error = { .cause = "" };
	size_t used;

	ck_assert_msg(!drmperf_session_replay(session, tape.data + from,
					      tape.used - from, span_ns, &used,
					      &error),
		      "%s", error.cause);
	return used;
}

static void
feed_all(void)
{
	size_t at = 0, used;

	do
		used = feed_bytes(at, 0);
	while (at += used, used);
	ck_assert_uint_eq(at, tape.used);
}

static uint64_t
value_at(size_t index)
{
	union drmperf_value values[ARRAY_SIZE(names)];

	ck_assert_int_eq(
		drmperf_session_read(session, values, NULL, NULL, NULL), 0);
	return values[index].u64;
}

static uint64_t
time_ns(void)
{
	union drmperf_value values[ARRAY_SIZE(names)];
	uint64_t ns;

	ck_assert_int_eq(drmperf_session_read(session, values, NULL, &ns, NULL),
			 0);
	return ns;
}

/* ------------------------------------------------------------------ */

TEST_CASE(replay, NULL, NULL, "i915_replay");

TEST(replay, counts_from_the_first_report)
{
	begin_replay();
	ck_assert_uint_eq(value_at(CLOCKS), 0);
	add_report(1000, 5000, 70);
	add_report(1000 + PERIOD, 5500, 77);
	ck_assert_uint_eq(feed_bytes(0, UINT64_MAX), HEADER + REPORT);
	ck_assert_uint_eq(value_at(CLOCKS), 0);
	ck_assert_uint_eq(feed_bytes(HEADER + REPORT, UINT64_MAX),
			  HEADER + REPORT);
	ck_assert_uint_eq(value_at(TIME), PERIOD * 1000 / TICKS_PER_US);
	ck_assert_uint_eq(value_at(CLOCKS), 500);
	ck_assert_uint_eq(value_at(A7), 7);
	ck_assert_uint_eq(feed_bytes(tape.used, UINT64_MAX), 0);
	end_replay();
}

/*
 * In spans of any length sums are the same; words of 32 bits wrap on the way,
 * of the clock twice.
 */
#define LONG 6000 /* milliseconds */

TEST_LOOP(replay, spans_add_up, 5)
{
	static const uint64_t spans[] = { 0, 1, 3000000, 50000000, UINT64_MAX };
	const uint32_t begin_at = UINT32_MAX - 700000;
	const uint32_t clock_at = UINT32_MAX - 1000000;
	size_t at = 0, used, steps = 0;

	begin_replay();
	for (uint32_t i = 0; i <= LONG; i++)
		add_report(begin_at + i * 10 * PERIOD,
			   clock_at + i * 10 * CLOCKS_PER_PERIOD, i * i);
	do {
		used = feed_bytes(at, spans[_i]);
		at += used;
		steps += used != 0;
	} while (used);
	ck_assert_uint_eq(at, tape.used);
	ck_assert_uint_eq(value_at(CLOCKS),
			  UINT64_C(10) * LONG * CLOCKS_PER_PERIOD);
	ck_assert_uint_eq(value_at(A7), (uint64_t)LONG * LONG);
	ck_assert_uint_eq(value_at(TIME),
			  UINT64_C(10) * LONG * PERIOD * 1000 / TICKS_PER_US);
	if (spans[_i] == 3000000)
		ck_assert_uint_eq(steps, 1 + (LONG + 2) / 3);
	if (spans[_i] <= 1)
		ck_assert_uint_eq(steps, LONG + 1);
	end_replay();
}

/* The newest report before a correlation need not be at its time. */
TEST(replay, time_is_that_of_reports)
{
	const uint64_t period_ns = PERIOD * 1000 / TICKS_PER_US;

	begin_replay();
	add_correlation(5000000000, 12000 + PERIOD);
	add_report(12000, 0, 0);
	ck_assert_uint_eq(feed_bytes(0, 0), tape.used);
	ck_assert_uint_eq(time_ns(), 5000000000 - period_ns);
	add_report(12000 + 3 * PERIOD, 0, 0);
	feed_bytes(tape.used - HEADER - REPORT, 0);
	ck_assert_uint_eq(time_ns(), 5000000000 + 2 * period_ns);
	/* the clocks drift: from here on 500 ns later, but never back */
	add_correlation(5000000000 + 3 * period_ns + 500, 12000 + 4 * PERIOD);
	add_report(12000 + 4 * PERIOD, 0, 0);
	feed_bytes(tape.used - HEADER - REPORT - HEADER - 16, 0);
	ck_assert_uint_eq(time_ns(), 5000000000 + 3 * period_ns + 500);
	add_correlation(5000000000, 12000 + 4 * PERIOD);
	add_report(12000 + 4 * PERIOD + 1, 0, 0);
	feed_bytes(tape.used - HEADER - REPORT - HEADER - 16, 0);
	ck_assert_uint_eq(time_ns(), 5000000000 + 3 * period_ns + 500);
	end_replay();
}

/* What an engine's clock of another kind tells is of use for the beginning. */
TEST(replay, time_of_another_clock)
{
	begin_replay();
	add_correlation(7000000000, UINT64_C(1) << 31);
	add_report(100, 0, 0);
	add_report(100 + 12000, 0, 0);
	feed_all();
	ck_assert_uint_eq(time_ns(), 7001000000);
	end_replay();
}

TEST(replay, what_is_lost_or_late)
{
	begin_replay();
	add_report(100000, 0, 0);
	add_report(100000 + PERIOD, 10, 1);
	add_record(&tape, REPORT_LOST, "", 0);
	add_report(100000 + 3 * PERIOD, 30, 3);
	add_report(100000 + 2 * PERIOD, 20, 2); /* late */
	add_report(100000 + 4 * PERIOD, 40, 4);
	add_report(0, 0, 0);
	memset(tape.data + tape.used - REPORT, 0, REPORT); /* a hole */
	add_record(&tape, 77, "unknown", 8);
	feed_all();
	ck_assert_uint_eq(value_at(CLOCKS), 40);
	ck_assert_uint_eq(value_at(A7), 4);
	end_replay();
}

static void
expect_loss(const char *text)
{
	struct drmperf_error error = { .cause = "" };
	union drmperf_value values[ARRAY_SIZE(names)];
	size_t at = 0, used;
	int ret;

	do {
		ret = drmperf_session_replay(session, tape.data + at,
					     tape.used - at, 0, &used, &error);
		at += used;
	} while (!ret && used);
	ck_assert_int_eq(ret, -EIO);
	ck_assert_msg(strstr(error.cause, text) != NULL, "%s", error.cause);
	ck_assert_int_eq(
		drmperf_session_read(session, values, NULL, NULL, NULL), -EIO);
	/* from here it counts again */
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EIO);
	ck_assert_int_eq(drmperf_session_start(session, NULL), 0);
	tape.used = 0;
	add_report(5, 5, 5);
	add_report(6, 6, 6);
	feed_all();
	ck_assert_uint_eq(value_at(CLOCKS), 1);
}

TEST(replay, losses_of_a_recording_are_reported)
{
	begin_replay();
	add_report(100, 0, 0);
	add_record(&tape, BUFFER_LOST, "", 0);
	add_report(200, 0, 0);
	expect_loss("buffer");
	tape.used = 0;
	add_report(200, 0, 0);
	add_report(200 + 12000000, 0, 0); /* in a second counters wrap */
	expect_loss("");
	tape.used = 0;
	add_report(200, 0, 0);
	add_record(&tape, COUNTER_LOST, "", 0);
	expect_loss("a counter of the OA unit");
	tape.used = 0;
	add_record(&tape, SAMPLE, "short\0\0", 8);
	expect_loss("");
	end_replay();
}

/* Nothing behind the last whole record is looked at: valgrind and ASan see. */
TEST(replay, a_recording_may_be_cut_anywhere)
{
	begin_replay();
	add_report(100, 0, 0);
	add_correlation(1, 1);
	for (size_t size = 0; size < tape.used; size++) {
		uint8_t *part = malloc(size + 1);
		size_t used;

		memcpy(part, tape.data, size);
		part = realloc(part, size ? size : 1);
		ck_assert_ptr_nonnull(part);
		drmperf_session_stop(session, NULL);
		ck_assert_int_eq(drmperf_session_start(session, NULL), 0);
		ck_assert_int_eq(drmperf_session_replay(session, part, size, 0,
							&used, NULL),
				 0);
		ck_assert_uint_eq(used,
				  size < HEADER + REPORT ? 0 : HEADER + REPORT);
		free(part);
	}
	end_replay();
}

TEST(replay, heads_that_are_none)
{
	struct drmperf_error error = { .cause = "" };
	struct device_info info = skylake;

	make_head(&info);
	for (size_t used = head.used; used-- > 0;) {
		head.used = used;
		ck_assert_int_eq(create_replay(&error), -EBADMSG);
		ck_assert_str_ne(error.cause, "");
	}
	info.timestamp_hz = 0;
	make_head(&info);
	ck_assert_int_eq(create_replay(&error), -EBADMSG);
	info = skylake;
	memset(info.set, 'x', sizeof(info.set));
	make_head(&info);
	ck_assert_int_eq(create_replay(&error), -EBADMSG);
	info = skylake;
	info.device_id = 0xffff;
	make_head(&info);
	ck_assert_int_eq(create_replay(&error), -ENOTSUP);
	info = skylake;
	strcpy(info.set, "NoSuchSet");
	make_head(&info);
	ck_assert_int_eq(create_replay(&error), -ENOTSUP);
	ck_assert_msg(strstr(error.cause, "NoSuchSet") != NULL, "%s",
		      error.cause);
	make_head(&skylake);
	memset(head.data + head.used - 8, 0, 8); /* of no EU */
	ck_assert_int_eq(create_replay(&error), -EBADMSG);
	ck_assert_msg(strstr(error.cause, "units") != NULL, "%s", error.cause);
}

/* RenderBasic as the tables have it, and as others may have it. */
static const struct {
	const char *guid;
	bool is_told;
} guids[] = {
	{ "07b25942-d9fd-4fce-bd58-e29abd66b7de", false },
	{ "07B25942-D9FD-4FCE-BD58-E29ABD66B7DE", false },
	{ "", false }, /* not recorded */
	/* Linux 4.13 */
	{ "f519e481-24d2-4d42-87c9-3fdd12c00202", true },
	{ "a text that is longer than any GUID is", true },
};

TEST_LOOP(replay, another_version_of_the_set, ARRAY_SIZE(guids))
{
	struct device_info info = skylake;
	struct drmperf_error error = { .cause = "" };

	snprintf(info.guid, sizeof(info.guid), "%s", guids[_i].guid);
	make_head(&info);
	warning[0] = '\0';
	ck_assert_msg(!create_replay(&error), "%s", error.cause);
	drmperf_destroy(drmperf);
	ck_assert_msg(!warning[0] == !guids[_i].is_told, "%s", warning);
	if (guids[_i].is_told)
		ck_assert_msg(strstr(warning, "RenderBasic") &&
				      strstr(warning, guids[0].guid),
			      "%s", warning);
}

TEST(replay, of_the_wrong_kind)
{
	size_t used;

	begin_replay();
	ck_assert_int_eq(drmperf_session_stream_header(
				 session, drmperf_device_at(drmperf, 0), NULL,
				 0, &used, NULL),
			 -ENOTSUP);
	drmperf_session_stop(session, NULL);
	ck_assert_int_eq(
		drmperf_session_replay(session, tape.data, 0, 0, &used, NULL),
		-EINVAL);
	end_replay();
}
