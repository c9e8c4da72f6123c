/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Have the counters been reset since they were started? What has been counted
 * again by the next sample looks like a count. A marker tells: two counters of
 * one block count the same event, every clock, and one has begun later. So they
 * differ, by what does not change while they count, and a reset makes both 0.
 *
 * It is for slots that nobody uses, and gives way: who wants one of them takes
 * it, and then there is no marker any more. Nor is there where the two turn out
 * not to count alike, or where drmperf selftest has found that a select which
 * is written while counters run has no effect.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RESET_CHECK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RESET_CHECK_H

#include <stdint.h>
#include <stdlib.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/selection.h"

/*
 * Of the events that count every clock, the first whose block has room for it
 * twice beside the selection; block is NULL if there is none.
 */
struct commands_marker
marker_choose(const struct selection *selection);

/* By how much the two differ in a sample. */
static inline int32_t
marker_difference(const struct commands_sample *sample)
{
	return (int32_t)(sample->marker[0] - sample->marker[1]);
}

enum marker_state {
	MARKER_HOLDS, /* they differ as they did */
	MARKER_GONE, /* they do not differ any more: a reset */
	MARKER_WRONG, /* neither: it says nothing */
};

/* What the difference of now says, where it began with another one, not 0. */
static inline enum marker_state
marker_look(int32_t difference, int32_t now)
{
	const int64_t whole = llabs(difference);
	const int64_t off = llabs((int64_t)now - difference);

	if (4 * off <= whole)
		return MARKER_HOLDS;
	return 4 * llabs(now) <= whole ? MARKER_GONE : MARKER_WRONG;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RESET_CHECK_H */
