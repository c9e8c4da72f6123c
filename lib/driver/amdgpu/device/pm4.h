/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PM4, the language of AMD's command processors: the few packets counting
 * takes, written into a buffer.
 *
 * Registers are named in three ways that must not be mixed up, hence the
 * types: tables and people use absolute byte addresses; SET_UCONFIG_REG and
 * SET_SH_REG count dwords from the start of their window.
 *
 * Packet layouts: Mesa src/amd/common/sid.h, AMD PAL's pm4 headers, Linux
 * amdgpu/soc15d.h.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PM4_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PM4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An absolute byte address. */
struct pm4_register {
	uint32_t byte;
};

/* Dwords from 0x30000, the window that user command buffers may write. */
struct pm4_uconfig {
	uint32_t dword;
};

/* Dwords from 0xB000, the window of shader state. */
struct pm4_sh {
	uint32_t dword;
};

/* COPY_DATA has 18 bits for the dword number of a register. */
#define PM4_REGISTER_END 0x100000

/* Reader of the commands: not all know the same packets. */
enum pm4_engine {
	PM4_ENGINE_GFX,	    /* graphics: with a prefetch parser in front */
	PM4_ENGINE_COMPUTE, /* micro engine of compute */
	PM4_ENGINES
};

/* Return "gfx" or "compute"; pm4_engine_find() is false if it is neither. */
const char *pm4_engine_name(enum pm4_engine engine);
bool pm4_engine_find(const char *name, enum pm4_engine *out);

/* Events of EVENT_WRITE, by their number. */
enum pm4_event {
	PM4_CS_PARTIAL_FLUSH = 7,
	PM4_VS_PARTIAL_FLUSH = 15,
	PM4_PS_PARTIAL_FLUSH = 16,
	PM4_ZPASS_DONE = 21, /* stores what the render backends have counted */
	PM4_PERFCOUNTER_START = 23,
	PM4_PERFCOUNTER_STOP = 24,
	PM4_PERFCOUNTER_SAMPLE = 27,
	PM4_THREAD_TRACE_START = 51,
	PM4_THREAD_TRACE_STOP = 52,
	PM4_THREAD_TRACE_FINISH = 55,
};

/*
 * Source that COPY_DATA names for a register; some can be read as one of them
 * only.
 */
enum pm4_source {
	PM4_SOURCE_REGISTER = 0,
	PM4_SOURCE_COUNTER = 4,
};

/*
 * A command buffer being written. With dwords NULL nothing is stored, and count
 * becomes how much room is needed.
 */
struct pm4 {
	uint32_t *dwords;
	size_t count;
	enum pm4_engine engine;
	unsigned level; /* major version of the graphics core */
	uint32_t xccs; /* mask of those to take the commands; 0: all */
	/*
	 * Commands run on so many XCCs at once, and each stores what it copies
	 * at a place of its own, so many bytes behind the one before; 0: on one
	 */
	unsigned all_xccs;
	size_t xcc_stride;
	enum pm4_source source;
	uint32_t window; /* what opens the window of counters; 0: nothing */
	size_t marked;	 /* a dword that is to be changed later; 0: none */
	size_t copy; /* control of the last pm4_copy_early(); 0: none */
};

bool pm4_in_uconfig(struct pm4_register reg);

/* Return the register as its window names it; it must lie in the window. */
struct pm4_uconfig pm4_uconfig(struct pm4_register reg);
struct pm4_sh pm4_sh(struct pm4_register reg);

/*
 * Write registers past the filter which, from gfx10 on, drops a value that was
 * written before, whatever GRBM_GFX_INDEX has become since, and whatever a
 * state that is written again has to set off.
 */
void pm4_set_uconfig(struct pm4 *pm4, struct pm4_uconfig reg, uint32_t value);

void pm4_set_sh(struct pm4 *pm4, struct pm4_sh reg, uint32_t value);

/* Write a register wherever it lies, by COPY_DATA. */
void pm4_copy_value(struct pm4 *pm4, struct pm4_register reg, uint32_t value);

/* Write the dwords, one after another, to one register. */
void
pm4_store_in_register(struct pm4 *pm4, struct pm4_register reg,
		      const uint32_t *dwords, uint32_t count);

/*
 * Change the bits of the mask in a register, whatever the others are. On the
 * graphics ring only.
 */
void
pm4_modify_register(struct pm4 *pm4, struct pm4_register reg, uint32_t mask,
		    uint32_t value);

/* Store 32 bits at a GPU address. */
void pm4_store(struct pm4 *pm4, uint32_t value, uint64_t address);

/* Store 32 bits of a register at a GPU address. */
void pm4_copy_register(struct pm4 *pm4, struct pm4_register reg,
		       uint64_t address);

/* What each XCC's part of a copy takes, if there are several. */
#define PM4_XCC_COPY_DWORDS 8

/*
 * Store 32 bits of a register, or 64 of it and the next one, without waiting
 * until memory has confirmed them, unless pm4_confirm_copy() asks for that,
 * which concerns the last copy. The address of a pair is a multiple of 8.
 */
void
pm4_copy_early(struct pm4 *pm4, struct pm4_register reg, uint64_t address);
void
pm4_copy_pair_early(struct pm4 *pm4, struct pm4_register reg, uint64_t address);
void
pm4_confirm_copy(struct pm4 *pm4);

/* Store the GPU's 64-bit clock at a GPU address. */
void pm4_copy_timestamp(struct pm4 *pm4, uint64_t address);

/*
 * Have the command processor copy memory, through the L2 cache up to gfx11, and
 * wait until it has.
 */
void
pm4_copy_memory(struct pm4 *pm4, uint64_t from, uint64_t to, size_t bytes);

void pm4_event(struct pm4 *pm4, enum pm4_event event);

/* Launch the number of groups of the compute shader that registers describe. */
void pm4_dispatch(struct pm4 *pm4, uint32_t groups);

/*
 * Forget what the caches of shaders hold of programs and of memory. Older
 * graphics rings, which have another packet for that, forget nothing.
 */
void pm4_refresh(struct pm4 *pm4);

/*
 * Wait until the work before in this ring has left the shaders, without
 * touching the caches.
 */
void pm4_wait_idle(struct pm4 *pm4);

/* What render backends of gfx9 store for pm4_wait_end(): 16 bytes each. */
struct pm4_samples {
	uint64_t passed[16][2]; /* of no use */
};

/*
 * Wait down to the very end of the pipe, by a value that it stores in a dword
 * at a GPU address; there are GPU addresses of a struct pm4_samples, too. Needs
 * gfx9.
 */
void
pm4_wait_end(struct pm4 *pm4, uint64_t address, uint64_t samples);

/*
 * Write the packet that firmware needs before GRBM_GFX_INDEX selects less than
 * everything, or after that; not while events are written. Writes nothing if
 * pm4->window is 0.
 */
void pm4_counter_window(struct pm4 *pm4, bool open);

/* Write a packet that does nothing. */
void pm4_nop(struct pm4 *pm4);

/*
 * Fill up with packets that do nothing to a multiple of that number of dwords.
 */
void pm4_pad(struct pm4 *pm4, size_t multiple);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PM4_H */
