/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/clock.h"

#include "base/monotonic.h"
#include "driver/oa/reports.h"

#define SECOND UINT64_C(1000000000)

/* In this time two good clocks drift apart by some microseconds. */
#define MARK_LIFE (SECOND / 10)

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

bool
oa_clock_now(struct oa_clock *clock, uint64_t *ticks)
{
	uint64_t value;

	if (!clock->ratio || clock->read(clock->data, &value) < 0)
		return false;
	*ticks = value * clock->ratio;
	clock->mark_ticks = *ticks;
	clock->mark_ns = monotonic_ns();
	return true;
}

int64_t
oa_clock_age(const struct oa_clock *clock, uint64_t ticks)
{
	int64_t ahead = oa_time_distance(ticks, clock->mark_ticks);
	int64_t since = (int64_t)(monotonic_ns() - clock->mark_ns);

	return since - ahead * (int64_t)SECOND / (int64_t)clock->hz;
}

void
oa_clock_refresh(struct oa_clock *clock)
{
	uint64_t ticks;

	if (monotonic_ns() - clock->mark_ns > MARK_LIFE)
		oa_clock_now(clock, &ticks);
}

void
oa_clock_prove(struct oa_clock *clock, uint64_t before, uint64_t time)
{
	uint64_t after;

	clock->proved = oa_clock_now(clock, &after) &&
			oa_time_distance(time, before) >= 0 &&
			oa_time_distance(after, time) >= 0;
	if (!clock->proved)
		clock->ratio = 0;
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
