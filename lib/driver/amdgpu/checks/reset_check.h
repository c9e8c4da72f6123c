/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Have the counters been reset since they were started? After a reset they
 * count again from 0, and a sample of them looks plausible. A reset check is
 * two counters of one block that count the same event, every clock, of which
 * one began later. So they differ by a constant, and a reset makes both 0.
 *
 * It uses slots that no process needs; when a process takes one of them, the
 * reset check ends. There is none either if the two counters turn out not to
 * count alike, or if drmperf selftest has found that a select written while
 * counters run has no effect.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_RESET_CHECK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_RESET_CHECK_H

#include <stdint.h>
#include <stdlib.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/selection.h"

/*
 * Choose, of the events that count every clock, the first whose block has room
 * for it twice next to the selection; block is NULL if there is none.
 */
struct commands_reset_check
reset_check_choose(const struct selection *selection);

/* Return by how much the two counters differ in a sample. */
static inline int32_t
reset_check_difference(const struct commands_sample *sample)
{
	return (int32_t)(sample->reset_check[0] - sample->reset_check[1]);
}

enum reset_check_state {
	RESET_CHECK_OK, /* they differ as they did */
	RESET_CHECK_RESET, /* they do not differ any more: a reset */
	RESET_CHECK_UNRELIABLE, /* neither: the check is unreliable */
};

/* Compare the difference with the one at the start, which is not 0. */
static inline enum reset_check_state
reset_check_look(int32_t difference, int32_t now)
{
	const int64_t whole = llabs(difference);
	const int64_t off = llabs((int64_t)now - difference);

	if (4 * off <= whole)
		return RESET_CHECK_OK;
	return 4 * llabs(now) <= whole ? RESET_CHECK_RESET
				       : RESET_CHECK_UNRELIABLE;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_RESET_CHECK_H */
