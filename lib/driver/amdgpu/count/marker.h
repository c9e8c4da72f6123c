/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Have the counters been reset since they were started? What has been counted
 * again by the next sample looks like a count. A marker tells: two counters of
 * one block count the same event, every clock, and one has begun later. So they
 * differ, by what does not change while they count, and a reset makes both 0.
 *
 * It is for slots that nobody uses, and gives way: who wants one of them takes
 * it, and then there is no marker any more.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_MARKER_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_MARKER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/selection.h"

/*
 * Of the events that count every clock, the first whose block has room for it
 * twice beside the selection; block is NULL if there is none.
 */
struct commands_marker marker_choose(const struct selection *selection);

/* By how much the two differ in a sample. */
static inline int32_t
marker_difference(const struct commands_sample *sample)
{
	return (int32_t)(sample->marker[0] - sample->marker[1]);
}

/* Is it still what it was, and not rather 0? */
static inline bool
marker_holds(const struct commands_sample *sample, int32_t difference)
{
	const int64_t before = difference, now = marker_difference(sample);

	return 2 * now * before >= before * before;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_MARKER_H */
