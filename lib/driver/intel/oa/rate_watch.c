/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/rate_watch.h"

#define SECOND 1e9

/* Less says little about a rate. */
#define LEAST_NS UINT64_C(50000000)

#define TOLERANCE 0.01

void
rate_watch_init(struct rate_watch *watch, uint64_t hz)
{
	*watch = (struct rate_watch){ .hz = hz };
}

static uint64_t
rate_mark_width(const struct rate_mark *mark)
{
	return mark->to_ns - mark->from_ns;
}

/* Return false where another mark is the better one to measure from. */
static bool
has_base(struct rate_watch *watch, const struct rate_mark *mark)
{
	if (!watch->begun_ns)
		watch->begun_ns = mark->to_ns;
	else if (mark->to_ns - watch->begun_ns > LEAST_NS ||
		 rate_mark_width(mark) >= rate_mark_width(&watch->base))
		return true;
	watch->base = *mark;
	return false;
}

/* Return whether no time possible between the marks makes the rate right. */
static bool
is_off(const struct rate_watch *watch, const struct rate_mark *mark)
{
	double said = (double)(mark->ticks - watch->base.ticks) /
		      (double)watch->hz * SECOND;
	double least = (double)(mark->from_ns - watch->base.to_ns);
	double most = (double)(mark->to_ns - watch->base.from_ns);

	return said < least * (1 - TOLERANCE) || said > most * (1 + TOLERANCE);
}

static double
rate_since_base(const struct rate_watch *watch, const struct rate_mark *mark)
{
	double ns = (double)(mark->to_ns - watch->base.to_ns);

	return (double)(mark->ticks - watch->base.ticks) / ns * SECOND;
}

void
rate_watch_add(struct rate_watch *watch, const struct rate_mark *mark)
{
	if (watch->measured_hz != 0 || !has_base(watch, mark) ||
	    mark->from_ns < watch->base.to_ns + LEAST_NS)
		return;
	if (!is_off(watch, mark))
		watch->suspect_ns = 0;
	else if (!watch->suspect_ns)
		watch->suspect_ns = mark->to_ns;
	else if (mark->to_ns - watch->suspect_ns > LEAST_NS)
		watch->measured_hz = rate_since_base(watch, mark);
}
