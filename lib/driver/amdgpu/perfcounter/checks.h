/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks for lost counts between two samples, as one table. A row has four
 * hooks: what to keep when the counters start, what to take over when IBs
 * replace others, whether a sample shows the problem, and its error message.
 * The slots and registers that checks need are described in readback.h,
 * reset_check.h, core_clock.h and block_clock.h.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_CHECKS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_CHECKS_H

#include "driver/amdgpu/checks/reset_check.h"
#include "driver/amdgpu/perfcounter/run.h"

/* The rows, in the order in which a sample is checked. */
enum sample_status {
	SAMPLE_OK,
	/* ---- shown before the counters are added up */
	SAMPLE_OVERWRITTEN, /* registers are not as they were programmed */
	SAMPLE_RESET, /* the reset check shows that all counters were reset */
	SAMPLE_MODE_ENDED, /* the clock mode has ended */
	/* ---- shown by adding up: accumulator_add() fails */
	SAMPLE_WENT_BACK, /* a counter went backwards */
	/* ---- shown by the totals */
	SAMPLE_TIME_BACK, /* the GPU's timestamps went backwards */
	SAMPLE_CLOCK_GATED, /* the core clock's event stood still */
	SAMPLE_SATURATED, /* a narrow counter stands at its greatest value */
	SAMPLE_LATE, /* a narrow counter may have wrapped */
	SAMPLE_BLOCK_GATED, /* the block's clock of a block stood still */
	SAMPLE_STATUSES
};

struct taken_sample {
	struct gfx_run *run; /* run->timestamp is that of the sample before */
	/* the run's, or those that are about to replace them */
	struct selection *selection;
	struct ibs *ibs;
	/* of selection->core_clock before; UINT64_MAX: it was not counted */
	uint64_t core_clock_total;
};

/* Keep, after IB_START, what the samples to come are compared with. */
void
checks_begin(struct gfx_run *run);

/*
 * Do the same after IB_CHANGE; before are the IBs that are replaced, or NULL if
 * the process begins to count. Returns a problem that shows already.
 */
enum sample_status
checks_continue(const struct taken_sample *sample, const struct ibs *before);

/*
 * Return whether no check of the first part of the table has to look closer at
 * the sample that IB_SAMPLE has taken.
 */
static inline bool
checks_hold(const struct gfx_run *run)
{
	const struct ibs *ibs = run->ibs;
	const struct commands_sample *sample = ibs_sample(ibs);
	const int32_t difference = reset_check_difference(sample);

	return readback_holds(&ibs->readback, sample) &&
	       (!ibs->reset_check.block ||
		(difference && difference == ibs->difference)) &&
	       (!run->clock.is_stable ||
		(run->clock.held &&
		 run->members == slot_table_members(run->table)));
}

/*
 * Return the first row from first to last that finds its problem, or SAMPLE_OK.
 */
enum sample_status
checks_find(const struct taken_sample *sample, enum sample_status first,
	    enum sample_status last);

/*
 * Put the error of a sample's problem, or of its cause, into run->failure.
 * Returns its code, or 0 for SAMPLE_OK.
 */
int
checks_explain(const struct taken_sample *sample, enum sample_status status);

/* Report that another process has found the counters lost: -ECANCELED. */
int
checks_explain_lost(struct gfx_run *run);

/*
 * If other processes have taken the slot of the selection's core clock event,
 * drop the event and return true.
 */
bool
checks_lose_core_clock(const struct gfx_run *run, struct selection *selection);

/*
 * Refuse to program selects while counters run if that has no effect until the
 * counters are reset, which no document rules out. The reset check shows
 * whether it has, since its second counter was selected in this way. Returns 0,
 * -EBUSY, or what running the commands of a sample returns.
 */
int
checks_allow_selects(struct gfx_run *run, const struct select_regs *selects,
		     struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_CHECKS_H */
