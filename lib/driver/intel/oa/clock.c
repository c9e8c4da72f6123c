/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/clock.h"

#include "base/monotonic.h"
#include "driver/intel/oa/reports.h"

#define SECOND UINT64_C(1000000000)

/* In this time two good clocks drift apart by some microseconds. */
#define MARK_LIFE (SECOND / 10)

/*
 * A reading that took longer was interrupted, and its time is uncertain: it is
 * repeated a few times.
 */
#define READING_MAX 20000 /* ns */
#define READINGS_MAX 4

/* A clock is discarded after this many late reports in a row. */
#define DOUBTS_MAX 3

void
oa_clock_init(struct oa_clock *clock, oa_clock_fn read, void *data, uint64_t hz,
	      uint64_t engine_hz)
{
	uint64_t value;

	*clock = (struct oa_clock){ .read = read, .data = data, .hz = hz };
	if (!engine_hz || hz % engine_hz)
		return;
	if (read(data, &value) >= 0)
		clock->ratio = hz / engine_hz;
}

/* Read once. Returns how long that took, or -1 if nothing was read. */
static int64_t
read_clock_once(const struct oa_clock *clock, struct oa_clock_mark *mark)
{
	const uint64_t before = monotonic_ns();
	uint64_t value, took;

	if (clock->read(clock->data, &value) < 0)
		return -1;
	took = monotonic_ns() - before;
	*mark = (struct oa_clock_mark){ .ticks = value * clock->ratio,
					.ns = before + took / 2 };
	return (int64_t)took;
}

bool
oa_clock_now(struct oa_clock *clock, uint64_t *ticks)
{
	int64_t took, least = INT64_MAX;
	struct oa_clock_mark mark;

	if (!clock->ratio)
		return false;
	for (int i = 0; i < READINGS_MAX && least > READING_MAX; i++) {
		took = read_clock_once(clock, &mark);
		if (took < 0)
			return false;
		if (took < least) {
			least = took;
			clock->mark = mark;
		}
	}
	*ticks = clock->mark.ticks;
	return true;
}

uint64_t
oa_clock_monotonic_ns(const struct oa_clock *clock, uint64_t ticks)
{
	int64_t ahead = oa_time_distance(ticks, clock->mark.ticks);

	return clock->mark.ns +
	       (uint64_t)(ahead * (int64_t)SECOND / (int64_t)clock->hz);
}

void
oa_clock_refresh(struct oa_clock *clock)
{
	uint64_t ticks;

	if (monotonic_ns() - clock->mark.ns > MARK_LIFE)
		oa_clock_now(clock, &ticks);
}

static void
discard_clock(struct oa_clock *clock)
{
	clock->proved = false;
	clock->ratio = 0;
}

void
oa_clock_prove(struct oa_clock *clock, uint64_t before, uint64_t time)
{
	uint64_t after;

	clock->proved = oa_clock_now(clock, &after) &&
			oa_time_distance(time, before) >= 0 &&
			oa_time_distance(after, time) >= 0;
	if (!clock->proved)
		discard_clock(clock);
}

void
oa_clock_check(struct oa_clock *clock, uint64_t time, uint64_t begun_ns,
	       uint64_t oldest_ns)
{
	int64_t age, most;
	uint64_t now;

	if (!clock->proved || !oa_clock_now(clock, &now))
		return;
	age = (int64_t)oa_time_distance(now, time) * (int64_t)SECOND /
	      (int64_t)clock->hz;
	most = (int64_t)(monotonic_ns() - begun_ns + oldest_ns);
	if (age < 0 || (age > most && ++clock->doubts == DOUBTS_MAX))
		discard_clock(clock);
	else if (age <= most)
		clock->doubts = 0;
}

void
oa_clock_watch(struct oa_clock *clock, uint64_t time, uint64_t begun_ns,
	       uint64_t oldest_ns)
{
	if (begun_ns - clock->checked_ns < MARK_LIFE)
		return;
	clock->checked_ns = begun_ns;
	oa_clock_check(clock, time, begun_ns, oldest_ns);
}

uint64_t
oa_clock_ns_at(uint64_t hz, uint64_t ticks)
{
	return ticks / hz * SECOND + (ticks % hz * SECOND + hz - 1) / hz;
}

uint64_t
oa_clock_ns(const struct oa_clock *clock, uint64_t ticks)
{
	return oa_clock_ns_at(clock->hz, ticks);
}
