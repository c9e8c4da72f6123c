/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of a GPU that count together.
 *
 * All functions but the thread's are called by one thread at a time.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_RUN_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_RUN_H

#include <pthread.h>
#include <stdbool.h>

#include "base/periodic_thread.h"
#include "driver/amdgpu/shared/clock_mode.h"
#include "driver/amdgpu/perfcounter/latest.h"
#include "driver/amdgpu/shared/slot_table.h"
#include "driver/amdgpu/selection/selection.h"
#include "driver/amdgpu/perfcounter/ib.h"
#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/device/context.h"

struct gfx_run {
	struct gpu *gpu;
	struct slot_table *table; /* shared with other processes */
	struct amd_context *ctx;
	struct clock_mode asked; /* for */
	struct clock_mode clock;
	struct counter_request *requests;
	size_t request_count;
	/* mask of those that count: one, or all; 0: there is but one */
	uint32_t xccs;
	/* what is in the select registers, by instance of the core */
	struct select_regs *selects;
	struct selection *selection;
	struct ibs *ibs; /* of the selection */
	uint32_t generation; /* of the table when the IBs were written */
	uint32_t members; /* slot_table_members() of the last sample */
	uint64_t timestamp; /* of the last sample */
	uint64_t given; /* of the values that were read last */
	/*
	 * Ticks of that clock after which the core clock's event is
	 * significant, and after which a narrow counter may have wrapped;
	 * INT64_MAX: the clock is not known. A time that goes back is longer.
	 */
	uint64_t core_clock_ticks, wrap_ticks;
	uint64_t timestamp_hz; /* of that clock; 0: not known */
	bool started;
	bool stopped; /* a stop was tried; it failed if still started */
	struct gfx_run *next_deferred; /* in gpu->deferred */
	/* The error of all reads until the run is stopped; code 0: none. */
	struct drmperf_error failure;
	/*
	 * Samples narrow counters before they wrap, every keep_ns, and for
	 * reads of the latest values; NULL: nothing needs it.
	 */
	struct periodic_thread *thread;
	uint64_t thread_ms; /* its period */
	uint64_t keep_ns; /* 0: there are no such counters */
	struct latest latest;
	bool gives_latest; /* no sample was submitted: read the last one */
	bool is_silent; /* ctx writes no log: the last read was in a handler */
	/* Held by whatever samples, once there is a thread. */
	pthread_mutex_t mutex;
};

/*
 * Refuse to count what stands still without a clock mode that the kernel has
 * refused. The errors of clock_mode_need().
 */
int run_check_clock(struct gfx_run *run, struct drmperf_error *error);

/* Return the greatest rate of the core's clock, of all XCCs that count. */
uint64_t
run_clock_khz(const struct gfx_run *run);

/* Compute core_clock_ticks and wrap_ticks. */
void
run_set_limits(struct gfx_run *run);

/* Return a copy, to be freed; NULL: no memory. */
struct counter_request *
run_copy_requests(const struct counter_request *requests, size_t count);

/*
 * Create IBs for the selection of a run that may not be alone; with a
 * reset check of its own if it is to begin alone. Events of clocks are put into
 * selects.
 */
int
run_write_ibs(const struct gfx_run *run, struct selection *selection,
	      const struct selection *moved, struct select_regs *selects,
	      bool begins, struct ibs **out, struct drmperf_error *error);

/*
 * Write the IBs for a selection that becomes the run's, or is it already, next
 * to all that others have programmed. Returns 0, or -ENOMEM and the errors of
 * ibs_create(), which leave the run as it was.
 */
int
run_adopt_selection(struct gfx_run *run, struct selection *selection,
		    struct drmperf_error *error);

/* Create the IBs again if other processes have programmed slots since then. */
int
run_update_ibs(struct gfx_run *run, struct drmperf_error *error);

/*
 * Return the result of ibs_run(), and mark the slot table failed if it is an
 * error of the GPU: that concerns all processes that count.
 */
int
run_note_reset(struct gfx_run *run, int ret);

/* Put the events of a selection's counters into selects. */
void
run_select(struct select_regs *selects, const struct selection *selection);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_RUN_H */
