/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of PEC counters of an OA unit of Xe2 and later: a selector each,
 * the same one wherever it sits within its half of the counters. Selectors of
 * vector engines may be narrowed to a shader stage, at some places only.
 *
 * This is not documented. It is consistent with all published metric sets of
 * bmg, lnl and ptl; still, sets are only composed if the user or a self-test
 * allows it.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_PEC_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_PEC_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/intel/oa/config.h"

#define PEC_COUNT 64

/* EU_PERF_CNTL0 to 6 (Linux xe_oa_regs.h): which stages vector engines see. */
#define STAGE_REGISTER_COUNT 7
extern const uint32_t stage_registers[STAGE_REGISTER_COUNT];

struct pec_event {
	uint32_t selector; /* 0: the counter counts nothing */
	uint32_t stage; /* 0: all */
	bool upper; /* of the counters from PEC32 on */
};

/* Return the event that a metric set's registers make a counter count. */
struct pec_event
pec_event_of(const struct oa_config *config, unsigned pec);

bool
pec_event_equals(const struct pec_event *a, const struct pec_event *b);

/* Return which PEC counters can count an event: bit n stands for PECn. */
uint64_t
pec_places(const struct pec_event *event);

/*
 * Compose the registers that make PECn count events[n], of PEC_COUNT. *out is
 * released with oa_config_free(). Returns 0, or -ENOMEM.
 */
int
pec_compose(const struct pec_event *events, struct oa_config *out);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_PEC_H */
