/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether an engine's timestamp tells how old reports are: at the beginning,
 * and as long as it does.
 */
#include <time.h>

#include "base/monotonic.h"
#include "driver/intel/oa/clock.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define HZ 12000000
#define US UINT64_C(1000)

/* Beyond what a busy machine may make of a moment: 100 s. */
#define OLD 100000000

static uint64_t engine; /* what its register holds, in ticks of 1 / HZ */

static int
read_engine(void *data, uint64_t *value)
{
	(void)data;
	*value = engine;
	return 0;
}

/* Make a clock that agreed when the first report came. */
static void
make_proved(struct oa_clock *clock)
{
	engine = 1000;
	oa_clock_init(clock, read_engine, NULL, HZ, HZ);
	oa_clock_prove(clock, 900, 950);
	ck_assert(clock->proved);
}

/* Reports are at most 300 us old; ages are those that single reads find. */
static const struct {
	int64_t ages_us[6]; /* up to a 0 */
	bool agrees;
} courses[] = {
	{ { 1, 100, 200, 300, 1, 250 }, true },
	/* no report comes from the future: that clock is faster */
	{ { 100, -1 }, false },
	{ { -5000 }, false },
	/* slower; but a GPU may have had no report for a moment */
	{ { 100, OLD, OLD, 100, OLD, OLD }, true },
	{ { 100, OLD, OLD, OLD }, false },
};

static uint64_t
engine_before(int64_t us)
{
	return engine - (uint64_t)(us * (HZ / 1000000));
}

TEST_CASE(all, NULL, NULL, "oa_clock");

TEST_LOOP(all, drift_is_noticed, ARRAY_SIZE(courses))
{
	struct oa_clock clock;

	make_proved(&clock);
	for (size_t i = 0; i < 6 && courses[_i].ages_us[i]; i++) {
		ck_assert(clock.proved);
		engine += HZ / 10;
		oa_clock_check(&clock, engine_before(courses[_i].ages_us[i]),
			       monotonic_ns(), 300 * US);
	}
	ck_assert_int_eq(clock.proved, courses[_i].agrees);
	ck_assert_int_eq(clock.ratio != 0, courses[_i].agrees);
}

/* A report may be as old as the read has taken, and more. */
TEST(all, slow_reads_are_allowed_for)
{
	struct oa_clock clock;

	make_proved(&clock);
	for (unsigned i = 0; i < 5; i++)
		oa_clock_check(&clock, engine_before(2000),
			       monotonic_ns() - 1700 * US, 300 * US);
	ck_assert(clock.proved);
}

TEST(all, watched_now_and_then)
{
	const uint64_t begun = monotonic_ns();
	struct oa_clock clock;

	make_proved(&clock);
	oa_clock_watch(&clock, engine_before(100), begun, 300 * US);
	oa_clock_watch(&clock, engine_before(-100), begun + 1, 300 * US);
	ck_assert(clock.proved);
	oa_clock_watch(&clock, engine_before(-100), begun + 100000 * US,
		       300 * US);
	ck_assert(!clock.proved);
}

/* An engine that answers late, as often as given, and counts readings. */
struct slow_engine {
	unsigned late, readings;
};

static int
read_slow_engine(void *data, uint64_t *value)
{
	struct slow_engine *slow = data;

	*value = ++slow->readings;
	if (slow->readings <= slow->late)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return 0;
}

/* The least and the most readings; a busy machine interrupts others, too. */
static const struct {
	unsigned late, least, most;
} interruptions[] = { { 0, 1, 4 }, { 1, 2, 4 }, { 3, 4, 4 }, { 9, 4, 4 } };

TEST_LOOP(all, interrupted_readings_are_made_again, ARRAY_SIZE(interruptions))
{
	struct slow_engine slow = { 0 };
	struct oa_clock clock;
	uint64_t ticks, begun, ns;

	oa_clock_init(&clock, read_slow_engine, &slow, HZ, HZ);
	slow = (struct slow_engine){ .late = interruptions[_i].late };
	begun = monotonic_ns();
	ck_assert(oa_clock_now(&clock, &ticks));
	ck_assert_uint_ge(slow.readings, interruptions[_i].least);
	ck_assert_uint_le(slow.readings, interruptions[_i].most);
	ns = oa_clock_monotonic_ns(&clock, ticks);
	ck_assert_uint_ge(ns, begun);
	ck_assert_uint_le(ns, monotonic_ns());
	ck_assert_uint_eq(oa_clock_monotonic_ns(&clock, ticks + HZ),
			  ns + 1000000 * US);
	ck_assert_uint_eq(oa_clock_monotonic_ns(&clock, ticks - HZ),
			  ns - 1000000 * US);
}
