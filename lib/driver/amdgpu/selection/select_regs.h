/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that write the select registers: which event sits in which slot of
 * which instance.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECT_REGS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECT_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/pm4.h"

/* Contents of the select registers of an instance of a block. */
struct select_regs {
	uint64_t used; /* slots that have been programmed */
	uint64_t changed; /* slots whose event is new */
	uint32_t *ids; /* by slot */
};

/*
 * Create one for each instance of the core, all empty; to be freed. NULL: no
 * memory
 */
struct select_regs *
select_regs_create(const struct core *core);

/* Write a register of all instances that GRBM_GFX_INDEX names. */
static inline void
write_register(struct pm4 *pm4, struct pm4_register reg, uint32_t value)
{
	if (pm4_in_uconfig(reg))
		pm4_set_uconfig(pm4, pm4_uconfig(reg), value);
	else
		pm4_copy_value(pm4, reg, value);
}

static inline void
write_index(struct pm4 *pm4, const struct core *core, uint32_t index)
{
	write_register(pm4, core->controls[CORE_GRBM_GFX_INDEX].reg, index);
}

/* Return slots of a block that are used in any of its instances. */
uint64_t
select_regs_used(const struct block *block, const struct select_regs *selects);

/*
 * Return a mask of those of the first 64 blocks without used slots. The
 * functions below take it, to skip their instances; 0 is allowed.
 */
uint64_t
select_regs_unused(const struct core *core, const struct select_regs *selects);

static inline bool
select_regs_is_unused(uint64_t unused, size_t block)
{
	return block < 64 && unused >> block & 1;
}

/* Program a slot of the instances that GRBM_GFX_INDEX names. */
void
select_regs_set_slot(struct pm4 *pm4, const struct block *block,
		     const struct block_slot *slot, uint32_t value);

/* Program all used slots, or only those whose event is new. */
void
select_regs_set_all(struct pm4 *pm4, const struct core *core,
		    const struct select_regs *selects, uint64_t unused,
		    bool all);
void
select_regs_clear_all(struct pm4 *pm4, const struct core *core,
		      const struct select_regs *selects, uint64_t unused);

/*
 * Set the registers that switch results. Blocks of style cfg have a switch of
 * their own.
 */
void
select_regs_set_results(struct pm4 *pm4, const struct core *core,
			const struct select_regs *selects, uint64_t unused,
			uint32_t value);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECT_REGS_H */
