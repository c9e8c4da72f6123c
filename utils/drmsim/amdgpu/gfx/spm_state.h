/* SPDX-License-Identifier: BSD-3-Clause */
/* State of streaming counters: for gfx/spm*.c alone. */
#ifndef DRMSIM_AMDGPU_GFX_SPM_STATE_H
#define DRMSIM_AMDGPU_GFX_SPM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/counter.h"

struct amdgpu;
struct vm;

#define SPM_LINE 32u /* bytes; of the ring's header, too */
#define SPM_LINE_ENTRIES 16u
#define SPM_LINE_DWORDS 8u

/* The muxsel of a segment. */
struct spm_segment {
	unsigned lines; /* in a sample, once streaming has begun */
	uint32_t address; /* of the next dword that is written */
	uint32_t address_mask;
	uint32_t *memory;
	uint64_t *writers; /* files that wrote the lines; 0: none */
};

/* A counter that streams: what it counts in an interval. */
struct spm_counter {
	struct block *block;
	struct instance instance; /* its own, with nothing but this counter */
	unsigned slot, mode, wire;
	bool is_odd; /* the second one of a wire */
	unsigned lanes; /* of 32 bits: mask of those in the sample */
	bool sees; /* what counter_sees() said at the last look */
	struct counter_pace pace; /* then */
	uint64_t value; /* in the last whole interval */
};

/* What stands in 16 bits of a sample. */
struct spm_entry {
	enum spm_entry_kind {
		SPM_ENTRY_NOTHING,
		SPM_ENTRY_JUNK,
		SPM_ENTRY_TIME,
		SPM_ENTRY_COUNTER,
	} kind;
	unsigned shift; /* of the value's bits that stand here */
	unsigned counter;
};

struct spm {
	unsigned state; /* PERFMON_... */
	uint64_t user; /* file that started it */
	pid_t pid;
	const struct vm *vm; /* that RLC_SPM_VMID names, or NULL */
	bool is_dead; /* a write has faulted: nothing more until a reset */
	bool is_settled; /* the last samples are written since the stop */
	uint64_t base, size, position; /* bytes; position behind the header */
	uint64_t interval; /* shader clocks */
	uint64_t passed; /* of the interval, in thousandths of a clock */
	/* the global one first, then those of engines */
	struct spm_segment *segments;
	unsigned segment_count;
	unsigned stride; /* lines of a sample */
	struct spm_entry *entries; /* of a sample */
	size_t entry_count;
	struct spm_counter *counters;
	size_t counter_count;
};

/* Report what the file that streams has done wrong. */
#define spm_violation(amdgpu, kind, ...)                                       \
	sim_note_violation((amdgpu)->gpu, (amdgpu)->spm->pid, kind, __VA_ARGS__)

/*
 * Read the registers at the start: the ring, the interval, what stands in a
 * sample. Reports what does not fit together.
 */
void
spm_plan_samples(struct amdgpu *amdgpu);
void
spm_forget_plan(struct spm *spm);
/* Write what is still to be written when samples are stopped. */
void
spm_finish(struct amdgpu *amdgpu);
/* Return the lines of the ring that hold samples. */
static inline uint64_t
spm_room(const struct spm *spm)
{
	return spm->size > SPM_LINE ? (spm->size - SPM_LINE) / SPM_LINE : 0;
}

#endif /* DRMSIM_AMDGPU_GFX_SPM_STATE_H */
