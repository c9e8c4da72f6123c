/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI's software overflow: a timer's signal interrupts the thread, its handler
 * reads the EventSet, and an event whose count has passed its threshold is
 * attributed to the thread's program counter.
 */
#ifndef PAPI_DRM_OVERFLOW_H
#define PAPI_DRM_OVERFLOW_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_vector.h"

#include "papi_drm_set.h"

/* Record that PAPI knows the calling thread. */
void papi_drm_overflow_know_thread(void);

/*
 * Check the EventSet of this state, which is about to count. Returns 0, or
 * -ENOTSUP if an event with a threshold cannot overflow.
 */
int papi_drm_overflow_check(int component, const hwd_control_state_t *state,
			    const struct papi_drm_set *set,
			    struct drmperf_error *error);

/* Timer that interrupts the one thread that an EventSet counts for. */
struct papi_drm_timer {
	pid_t pid; /* the process that has it; 0: there is none */
	timer_t id;
};

/*
 * Watch a set for overflow: it counts from zero now, and so do its thresholds.
 */
void papi_drm_overflow_begin(int component, const hwd_control_state_t *state,
			     struct papi_drm_timer *timer);
void papi_drm_overflow_end(struct papi_drm_timer *timer);

/* Return whether the handler below is the caller, directly or not. */
bool papi_drm_overflow_is_handling(void);

/* Handle the timer's signal. */
void papi_drm_overflow_handle(int signal, hwd_siginfo_t *info, void *ucontext);

#endif /* PAPI_DRM_OVERFLOW_H */
