/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a session's raw function gets under xe, counted again from a head and
 * the records alone: every counter of every set that adds up, of the media
 * engines' units, too, between two reads of the session itself.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define EVENTS_MAX 128
#define HEADER 8

struct tape {
	uint8_t *data;
	size_t used, size;
};

/* Take from the library's thread, which has ended before it is looked at. */
static void
take_record(void *data, struct drmperf_device *device, const void *record,
	    size_t size)
{
	struct tape *tape = data;

	(void)device;
	if (tape->used + size > tape->size) {
		tape->size = 2 * (tape->used + size);
		tape->data = realloc(tape->data, tape->size);
	}
	memcpy(tape->data + tape->used, record, size);
	tape->used += size;
}

struct point {
	union drmperf_value values[EVENTS_MAX];
	uint64_t time_ns;
};

struct taken {
	struct drmperf_selection selections[EVENTS_MAX];
	size_t count;
	bool loses; /* reports, in between */
	struct point points[3]; /* reads of the session */
	uint8_t head[4096];
	size_t head_size;
	struct tape tape;
};

/* ------------------------------------------------------------------ */
/* Counting                                                             */

static struct drmperf_device *
find_device(void)
{
	return drmperf_device_at(counting.drmperf, 0);
}

static void
choose_events(struct taken *taken, const struct drmperf_group *group)
{
	const size_t events = drmperf_event_count(find_device());

	for (size_t i = 0; i < events; i++) {
		const struct drmperf_event *event =
			drmperf_event_at(find_device(), i);

		if (drmperf_event_group(event) != group ||
		    drmperf_event_kind(event) != DRMPERF_KIND_CUMULATIVE ||
		    drmperf_event_type(event) == DRMPERF_TYPE_DOUBLE)
			continue;
		ck_assert_uint_lt(taken->count, EVENTS_MAX);
		taken->selections[taken->count++] = (struct drmperf_selection){
			.event = event, .instance = DRMPERF_ALL_INSTANCES
		};
	}
}

static void
read_point(struct drmperf_session *session, struct point *point)
{
	counting_succeeded(drmperf_session_read(session, point->values, NULL,
						&point->time_ns,
						&counting.error));
}

static int
write_header(struct drmperf_session *session, struct taken *taken)
{
	return drmperf_session_stream_header(
		session, find_device(), taken->head, sizeof(taken->head),
		&taken->head_size, &counting.error);
}

static struct drmperf_session *
start_session(struct taken *taken)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.read = DRMPERF_READ_FENCED,
		.raw = take_record,
		.raw_data = &taken->tape,
	};
	struct drmperf_session *session;

	counting_succeeded(drmperf_session_create(
		counting.drmperf, taken->selections, taken->count, &options,
		&session, &counting.error));
	counting_run(session);
	return session;
}

static void
take_recording(struct taken *taken, const struct drmperf_group *group)
{
	struct drmperf_session *session;

	taken->count = taken->tape.used = 0;
	choose_events(taken, group);
	ck_assert_uint_gt(taken->count, 1);
	session = start_session(taken);
	ck_assert_msg(!write_header(session, taken), "%s",
		      counting.error.cause);
	ck_assert_uint_le(taken->head_size, sizeof(taken->head));
	for (size_t i = 0; i < ARRAY_SIZE(taken->points); i++) {
		if (taken->loses)
			scene_set("oa-lose", "2");
		scene_pass((i + 3) * MS);
		read_point(session, &taken->points[i]);
	}
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Counting again                                                       */

static void
open_taken(const struct taken *taken, struct drmperf **drmperf,
	   struct drmperf_session **session)
{
	struct drmperf_selection selections[EVENTS_MAX];
	struct drmperf_error error = { .cause = "" };

	ck_assert_msg(!drmperf_create_replay(NULL, taken->head,
					     taken->head_size, drmperf, &error),
		      "%s", error.cause);
	for (size_t i = 0; i < taken->count; i++)
		ck_assert_msg(
			!drmperf_event_find(
				*drmperf,
				drmperf_event_name(taken->selections[i].event),
				&selections[i], &error),
			"%s", error.cause);
	ck_assert_msg(!drmperf_session_create(*drmperf, selections,
					      taken->count, NULL, session,
					      &error),
		      "%s", error.cause);
	ck_assert_int_eq(drmperf_session_start(*session, &error), 0);
}

static uint64_t
time_distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* Keep a point for each of those taken that it is the nearest to, so far. */
static void
keep_nearest(const struct taken *taken, const struct point *point,
	     struct point *nearest)
{
	for (size_t i = 0; i < ARRAY_SIZE(taken->points); i++) {
		const uint64_t ns = taken->points[i].time_ns;

		if (time_distance(point->time_ns, ns) <
		    time_distance(nearest[i].time_ns, ns))
			nearest[i] = *point;
	}
}

/*
 * Count to the points that are nearest to those taken: a read's time is that of
 * its report, and reports are much farther apart than the times' errors.
 */
static void
count_again(const struct taken *taken, struct point *points)
{
	struct drmperf *drmperf;
	struct drmperf_session *session;
	struct point point;
	size_t used;

	memset(points, 0, ARRAY_SIZE(taken->points) * sizeof(*points));
	open_taken(taken, &drmperf, &session);
	for (size_t at = 0; at < taken->tape.used; at += used) {
		counting_succeeded(drmperf_session_replay(
			session, taken->tape.data + at, taken->tape.used - at,
			0, &used, &counting.error));
		ck_assert_uint_gt(used, 0);
		read_point(session, &point);
		keep_nearest(taken, &point, points);
	}
	drmperf_session_destroy(session);
	drmperf_destroy(drmperf);
}

/*
 * Compare two recordings. Ticks made nanoseconds are rounded, from another
 * beginning.
 */
static void
compare_recordings(const struct taken *taken, const struct point *points)
{
	uint64_t most = 0;

	for (size_t i = 0; i < taken->count; i++) {
		const struct drmperf_event *event = taken->selections[i].event;
		int64_t rounding =
			drmperf_event_unit(event) == DRMPERF_UNIT_NANOSECONDS;

		for (size_t k = 1; k < ARRAY_SIZE(taken->points); k++) {
			uint64_t live = taken->points[k].values[i].u64 -
					taken->points[k - 1].values[i].u64;
			uint64_t again = points[k].values[i].u64 -
					 points[k - 1].values[i].u64;

			ck_assert_msg(llabs((long long)(live - again)) <=
					      rounding,
				      "%s: %llu, again %llu",
				      drmperf_event_name(event),
				      (unsigned long long)live,
				      (unsigned long long)again);
			if (!rounding && again > most)
				most = again;
		}
	}
	ck_assert_uint_gt(most, 1000);
}

/* ------------------------------------------------------------------ */

static const struct drmperf_group *
next_set(size_t *at)
{
	const size_t count = drmperf_group_count(find_device());

	while (*at < count) {
		const struct drmperf_group *group =
			drmperf_group_at(find_device(), (*at)++);
		const char *name = drmperf_group_name(group);

		if (!strncmp(drmperf_group_domain(group), "oa", 2) &&
		    strncmp(name, "oa", 2) && strcmp(name, "report") &&
		    strcmp(name, "Composed"))
			return group;
	}
	return NULL;
}

static const struct drmperf_group *
group_named(const char *name)
{
	for (size_t i = 0; i < drmperf_group_count(find_device()); i++) {
		const struct drmperf_group *group =
			drmperf_group_at(find_device(), i);

		if (!strcmp(drmperf_group_name(group), name))
			return group;
	}
	ck_abort_msg("%s", name);
}

static void
begin_recording(void)
{
	counting_begin();
	counting_succeeded(drmperf_device_open(find_device(), &counting.error));
}

TEST_CASE(recorded, NULL, NULL, "xe_recorded");

TEST(recorded, every_set_counts_the_same_again)
{
	static struct taken taken;
	static struct point points[ARRAY_SIZE(taken.points)];
	const struct drmperf_group *group;
	unsigned sets = 0, of_media = 0;
	size_t at = 0;

	begin_recording();
	while ((group = next_set(&at))) {
		take_recording(&taken, group);
		count_again(&taken, points);
		compare_recordings(&taken, points);
		sets++;
		of_media += strcmp(drmperf_group_domain(group), "oa") != 0;
	}
	ck_assert_uint_gt(sets, 10);
	if (!strcmp(drmperf_device_generation(find_device()), "bmg"))
		ck_assert_uint_eq(of_media, 5);
	free(taken.tape.data);
	counting_end();
}

/* Reports that the hardware dropped are mentioned, and cost nothing. */
TEST(recorded, dropped_reports_are_mentioned)
{
	struct taken taken = { .loses = true };
	struct point points[ARRAY_SIZE(taken.points)];
	bool told = false;
	uint32_t type;
	uint16_t size;

	begin_recording();
	take_recording(&taken, group_named("RenderBasic"));
	for (size_t at = 0; at < taken.tape.used; at += size) {
		memcpy(&type, taken.tape.data + at, sizeof(type));
		memcpy(&size, taken.tape.data + at + 6, sizeof(size));
		told = told || type == 2;
	}
	ck_assert(told);
	count_again(&taken, points);
	compare_recordings(&taken, points);
	free(taken.tape.data);
	counting_end();
}

static void
expect_no_head(const void *head, size_t size)
{
	struct drmperf_error error = { .cause = "" };
	struct drmperf *drmperf;
	void *copy = malloc(size + 1);

	memcpy(copy, head, size);
	ck_assert_int_eq(
		drmperf_create_replay(NULL, copy, size, &drmperf, &error),
		-EBADMSG);
	ck_assert_str_ne(error.cause, "");
	free(copy);
}

TEST(recorded, heads_that_are_none)
{
	struct taken taken = { 0 };
	uint8_t *facts; /* the second record; a size is its last number */
	uint16_t first;

	begin_recording();
	take_recording(&taken, group_named("RenderBasic"));
	for (size_t size = 0; size < taken.head_size; size += 8)
		expect_no_head(taken.head, size);
	memcpy(&first, taken.head + 6, sizeof(first));
	facts = taken.head + first + HEADER;
	memset(facts + 24, 0, taken.head_size - first - HEADER - 24);
	expect_no_head(taken.head, taken.head_size); /* no XeCore */
	memset(facts + 20, 0xff, 4);
	expect_no_head(taken.head, taken.head_size);
	free(taken.tape.data);
	counting_end();
}

/* What a composed set counts no table says. */
TEST(recorded, a_composed_set)
{
	struct taken taken = { 0 };
	struct drmperf_session *session;

	begin_recording();
	taken.selections[taken.count++] = counting_find("xe::Composed.GpuBusy");
	session = start_session(&taken);
	ck_assert_int_eq(write_header(session, &taken), -ENOTSUP);
	ck_assert_msg(strstr(counting.error.cause, "put together") != NULL,
		      "%s", counting.error.cause);
	drmperf_session_destroy(session);
	free(taken.tape.data);
	counting_end();
}

TEST_GPUS("xe_recorded", "bmg", "lnl");

TEST_SETTING(DRMPERF_COMPOSE, "1");
