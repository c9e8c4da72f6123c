/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A row that an XeCore writes when EU stalls are sampled, and the 64 bytes that
 * it has in the buffer.
 */
#ifndef DRMSIM_XE_EU_STALL_RECORD_H
#define DRMSIM_XE_EU_STALL_RECORD_H

#include <stdint.h>

#define SIM_EU_STALL_BYTES 64

/* The state of a thread at an instruction: active, or why it stalled. */
enum sim_eu_stall_reason {
	SIM_EU_ACTIVE,
	SIM_EU_TDR,
	SIM_EU_OTHER,
	SIM_EU_CONTROL,
	SIM_EU_PIPESTALL,
	SIM_EU_SEND,
	SIM_EU_DIST_ACC,
	SIM_EU_SBID,
	SIM_EU_SYNC,
	SIM_EU_INST_FETCH,
	SIM_EU_REASONS,
};

struct sim_eu_stall_row {
	uint64_t ip; /* of the instruction, in units of 8 bytes */
	uint8_t counts[SIM_EU_REASONS], ex_id;
};

/* Parse "sbid": which reason, or -EINVAL. */
int
sim_eu_stall_reason_parse(const char *name);
/*
 * Check that GPUs of this graphics version, in hundredths, can write the row:
 * the number of address bits, and the reasons they know, are limited.
 */
int
sim_eu_stall_row_check(const struct sim_eu_stall_row *row, unsigned version);
void
sim_eu_stall_row_write(const struct sim_eu_stall_row *row, unsigned version,
		       uint8_t out[SIM_EU_STALL_BYTES]);

#endif /* DRMSIM_XE_EU_STALL_RECORD_H */
