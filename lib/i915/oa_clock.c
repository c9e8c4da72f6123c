/* SPDX-License-Identifier: BSD-3-Clause */
#include "oa_clock.h"

#include "kernel.h"
#include "oa_parser.h"
#include "uapi.h"

/* The flag works around a wrong value of plain 8-byte reads (i915_drm.h). */
#define RENDER_TIMESTAMP (0x2358 | I915_REG_READ_8B_WA)

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
oa_clock_now(const struct oa_clock *clock, uint64_t *ticks)
{
	uint64_t value;

	if (!clock->ratio ||
	    i915_register_read(clock->fd, RENDER_TIMESTAMP, &value) < 0)
		return false;
	*ticks = value * clock->ratio;
	return true;
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
	const uint64_t second = 1000000000;

	return ticks / clock->hz * second +
	       (ticks % clock->hz * second + clock->hz - 1) / clock->hz;
}
