/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/oa_clock.h"

#include "base/monotonic.h"
#include "driver/i915/kernel.h"
#include "driver/i915/records.h"
#include "driver/i915/uapi.h"

/* The flag works around a wrong value of plain 8-byte reads (i915_drm.h). */
#define RENDER_TIMESTAMP (0x2358 | I915_REG_READ_8B_WA)

#define SECOND UINT64_C(1000000000)

/* In this time two good clocks drift apart by some microseconds. */
#define MARK_LIFE (SECOND / 10)

void
oa_clock_init(struct oa_clock *clock, int fd, uint64_t hz, uint64_t register_hz)
{
	uint64_t value;

	*clock = (struct oa_clock){ .fd = fd, .hz = hz };
	if (!register_hz || hz % register_hz)
		return;
	if (i915_register_read(fd, RENDER_TIMESTAMP, &value) >= 0)
		clock->ratio = hz / register_hz;
}

bool
oa_clock_now(struct oa_clock *clock, uint64_t *ticks)
{
	uint64_t value;

	if (!clock->ratio ||
	    i915_register_read(clock->fd, RENDER_TIMESTAMP, &value) < 0)
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
oa_clock_ns(const struct oa_clock *clock, uint64_t ticks)
{
	return ticks / clock->hz * SECOND +
	       (ticks % clock->hz * SECOND + clock->hz - 1) / clock->hz;
}
