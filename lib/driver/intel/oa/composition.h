/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A metric set that is composed of the requested events. Where each counter of
 * the OA unit can count any event of its half, we are not limited to published
 * sets: an event of any set can be placed in any free counter.
 *
 * Before Xe2 only the EU counters are so free: B and C belong to a network that
 * carries one published set, and nearly every set has a counter there that no
 * other has (22 of 22 on Skylake GT2, 24 of 24 on Broadwell, 17 of 26 on Tiger
 * Lake GT2), so that all events together take as many passes as ever. The only
 * gain would be EU events together with another set's: half of the pairs of
 * Skylake GT2's events would fit one pass, of which a third do so now.
 *
 * To the planner it is one more group, whose counters have slots. It exists
 * only with DRMPERF_COMPOSE=1, or after `drmperf selftest` has compared
 * composed sets with published ones on this GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSITION_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/description.h"
#include "driver/intel/oa/pec.h"
#include "driver/intel/oa/raw_counters.h"
#include "driver/request.h"

struct oa_gpu;

/* The events of a GPU's metric sets, each once. Zeroed at first. */
struct composition {
	struct pec_event *events;
	size_t count;
};

void
composition_finish(struct composition *composition);

/*
 * Append the group, after those of all published sets, if it is wanted and the
 * GPU's counters can be placed. -EINVAL if DRMPERF_COMPOSE is neither 0 nor 1;
 * -EBADMSG; -ENOMEM.
 */
int
composition_add_group(struct oa_gpu *gpu, uint32_t device_id,
		      struct description *description,
		      struct drmperf_error *error);

/* ------------------------------------------------------------------ */
/* Counters of the group                                                */

/*
 * Selectors of the counters that need a place. They follow those of
 * raw_counters.h, which every report has.
 */
#define COMPOSED_COUNTER_FIRST (RAW_COUNTER_REPORT_AGE + 1)

static inline uint32_t
composed_counter_selector(uint32_t index)
{
	return COMPOSED_COUNTER_FIRST + index;
}

static inline bool
composed_counter_has_place(uint32_t selector)
{
	return selector >= COMPOSED_COUNTER_FIRST;
}

/* Return the index of the counter's event in the composition. */
static inline uint32_t
composed_counter_index(uint32_t selector)
{
	return selector - COMPOSED_COUNTER_FIRST;
}

/* Which event each PEC counter counts; those that count none have zeros. */
struct composed_set {
	bool made;
	struct pec_event events[PEC_COUNT];
};

/*
 * Place all requested counters, independently of their order, and write the
 * slots of their sums. Once a set is composed it does not change: returns 0,
 * -EBUSY if it lacks a requested counter, or -ENOMEM.
 */
int
composed_set_place(struct composed_set *set,
		   const struct composition *composition,
		   const struct counter_request *requests, size_t count,
		   uint32_t *slots, struct drmperf_error *error);

/*
 * Return an id of the registers that sharing processes compare; it is not the
 * kernel's.
 */
uint64_t
composed_set_hash(const struct oa_config *config);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSITION_H */
