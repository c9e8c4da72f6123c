/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A metric set that is put together from what is asked for. Where a counter of
 * the OA unit may count any event of its half, published sets are no limit: an
 * event is taken from whatever set has it, and sits wherever there is room.
 *
 * Before Xe2 only the EU counters are so free: B and C belong to a network that
 * carries one published set, and nearly every set has a counter there that no
 * other has (22 of 22 on Skylake GT2, 24 of 24 on Broadwell, 17 of 26 on Tiger
 * Lake GT2), so that all events together take as many passes as ever. The only
 * gain would be EU events together with another set's: half of the pairs of
 * Skylake GT2's events would fit one pass, of which a third do so now.
 *
 * To the planner it is a group of its own, next to the published ones, whose
 * counters have slots. Only with DRMPERF_COMPOSE=1, or where `drmperf selftest`
 * has held such sets against the published ones on this GPU.
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
 * Selectors of plain counters that need a place follow those that every report
 * has anyway, which are as in raw_counters.h.
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
 * Find a place for all that is asked for, the same for the same requests in any
 * order, and write the slots of their sums. A set that is made stays as it is:
 * -EBUSY if it lacks one of them. -ENOMEM.
 */
int
composed_set_place(struct composed_set *set,
		   const struct composition *composition,
		   const struct counter_request *requests, size_t count,
		   uint32_t *slots, struct drmperf_error *error);

/* Make the id of its registers among processes; it is not the kernel's id. */
uint64_t
composed_set_hash(const struct oa_config *config);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_COMPOSITION_H */
