/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * May events be selected while counters run? No document says that a select
 * which is written then has an effect before the counters are reset. The reset
 * check shows it: its second counter was selected like that, and counts as the
 * first does, or it does not.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LATE_SELECT_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LATE_SELECT_H

#include "driver/amdgpu/count/run.h"

/*
 * Refuse selects that would have no effect, before they are programmed while
 * counters run. Returns 0, -EBUSY, or what running the commands of a sample
 * returns.
 */
int
late_select_check(struct gfx_run *run, const struct select_regs *selects,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LATE_SELECT_H */
