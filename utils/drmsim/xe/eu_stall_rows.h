/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that the XeCores sample as EU stalls, from lines "eu-stall-row" of a
 * scenario. Each XeCore goes through the rows that are its own in their order,
 * each as often as its weight says, and again from the first one.
 */
#ifndef DRMSIM_XE_EU_STALL_ROWS_H
#define DRMSIM_XE_EU_STALL_ROWS_H

#include <stdint.h>

#include "xe/eu_stall_record.h"

#define SIM_EU_STALL_ROWS_MAX 256

struct sim_eu_stall_rows {
	unsigned count;
	struct sim_eu_stall_weighed {
		struct sim_eu_stall_row row;
		uint64_t cores; /* mask */
		uint64_t weight;
	} rows[SIM_EU_STALL_ROWS_MAX];
};

/*
 * Parse a line: "IP [cores=MASK] [weight=N] [ex_id=N] [REASON=COUNT]..." is one
 * row more, "none" takes them all away. Returns 0 or -EINVAL.
 */
int
sim_eu_stall_rows_parse(struct sim_eu_stall_rows *rows, unsigned version,
			const char *value);
/* Return the n-th that a XeCore writes; NULL if it has none. */
const struct sim_eu_stall_row *
sim_eu_stall_rows_get(const struct sim_eu_stall_rows *rows, unsigned core,
		      uint64_t n);

#endif /* DRMSIM_XE_EU_STALL_ROWS_H */
