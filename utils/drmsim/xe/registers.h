/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registers that a metric set may write, and what they hold: the driver
 * never resets them, so what a set does not write is what one before it left.
 */
#ifndef DRMSIM_XE_REGISTERS_H
#define DRMSIM_XE_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_oa_register;

#define SIM_XE_PES_WORDS 512 /* 13000 to 137fc */
#define SIM_XE_MPES_WORDS 16 /* of each media block */
#define SIM_XE_FLEX_COUNT 7

/* Blocks of selectors of units that are not of shaders. */
enum {
	SIM_XE_SAG,
	SIM_XE_SCMI_0,
	SIM_XE_SCMI_1,
	SIM_XE_MERTSS,
	SIM_XE_BLOCKS,
};

struct sim_xe_registers {
	uint32_t pes[SIM_XE_PES_WORDS];
	uint32_t mpes[SIM_XE_BLOCKS][SIM_XE_MPES_WORDS];
	uint32_t flex[SIM_XE_FLEX_COUNT];
	/* before Xe2: a hash of the last set's other registers, which route */
	uint32_t routing;
};

/*
 * Return whether a configuration of this graphics version, in hundredths, may
 * write it.
 */
bool
sim_xe_register_allowed(unsigned version, uint32_t address);
/* Write all registers of a set, in their order. */
void
sim_xe_registers_write(struct sim_xe_registers *registers,
		       const struct sim_oa_register *list, uint32_t count);

#endif /* DRMSIM_XE_REGISTERS_H */
