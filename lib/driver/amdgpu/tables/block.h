/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A counter block as its table describes it and as this GPU has it: slots,
 * each of which counts one event at a time, in every instance of the block.
 *
 * Slots are numbered as a group has them: from 0 to one less than max_active.
 * The hardware behind a slot may differ from instance to instance (parts,
 * counters per engine); block_slot() returns it.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/device/pm4.h"
#include "drmperf.h"
#include "table/table.h"

#define BLOCK_MAX_SLOTS 64

/* No counter is narrower. */
#define BLOCK_LEAST_BITS 32

enum block_style {
	BLOCK_GENERIC, /* select registers; runs with CP_PERFMON_CNTL */
	BLOCK_CFG,     /* PERFCOUNTERn_CFG, results behind RSLT_CNTL */
	BLOCK_SDMA,    /* one register holds the selects of a part */
	BLOCK_RLC,     /* generic; runs with RLC_PERFMON_CNTL */
};

/*
 * Knowledge about the event that counts a block's clock: whether it counts
 * whatever the block does.
 */
enum block_clock {
	BLOCK_CLOCK_NONE, /* there is no such event */
	BLOCK_CLOCK_FAILS, /* it does not, as the self-test has found */
	BLOCK_CLOCK_DOUBTED, /* neither documented nor tested */
	BLOCK_CLOCK_RUNS,
};

/* One counter of the hardware. */
struct block_slot {
	enum block_style style;
	struct pm4_register select;
	struct pm4_register select1; /* written 0; byte 0: there is none */
	struct pm4_register low;
	struct pm4_register high; /* byte 0: there is none */
	unsigned id_bits;	  /* width of the event field */
	unsigned bits;		  /* width of the result */
	unsigned place;		  /* among the slots of its part */
};

/* One copy of the block. */
struct block_instance {
	uint32_t index; /* GRBM_GFX_INDEX that reaches it alone */
	unsigned number; /* among those that its place in the core may have */
	unsigned bank;	/* block_slot() takes its slots from there */
};

struct block {
	const struct element *element;
	const struct table *table;
	const char *name;
	const char *description;
	enum drmperf_unit unit; /* of events that name none */
	const char *rocm; /* what ROCm calls it, where that is another name */
	bool per_engine;   /* slot n is the counter of shader engine n */
	bool windowed;	   /* counts only where the SQ lets it */
	bool stage_masked;
	bool graphics; /* part of the graphics pipe */
	bool saturates; /* results are to be cleared before use */
	/*
	 * selects are written to each instance by itself, and GRBM_GFX_INDEX
	 * names all of them between one and the next
	 */
	bool apart;
	bool halves; /* its results are copied in halves, whatever others are */
	enum block_clock clock;
	uint32_t clock_id; /* the event */
	uint32_t select_or;
	struct pm4_register result_control; /* style cfg */
	/* banks of max_active slots: one per part, or per shader engine */
	struct block_slot *slots;
	unsigned banks;
	unsigned max_active;
	unsigned id_bits; /* that all slots have at least */
	struct block_instance *instances;
	const char **instance_names; /* NULL if there is only one */
	unsigned instance_count;     /* 0: fused off */
	unsigned instances_per_engine;
	/* where its instances and their slots are among all of the core's */
	size_t first_instance, first_slot;
};

/* Return the slot of an instance, or of all instances of a bank. */
const struct block_slot *block_slot(const struct block *block, unsigned bank,
				    unsigned slot);

/*
 * Return the masks of all slots, and of those whose event field is wide enough.
 */
uint64_t block_all_slots(const struct block *block);
uint64_t block_slots_for(const struct block *block, uint32_t id);

/* All instances at once, for writing; or all of a shader engine. */
#define BLOCK_BROADCAST 0xe0000000
#define BLOCK_ENGINE(engine) (0x60000000 | (engine) << 16)

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TABLES_BLOCK_H */
