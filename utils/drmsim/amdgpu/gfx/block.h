/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of hardware that count.
 *
 * block     a kind of unit, SQ
 * instance  one such unit
 * slot      what each instance has of a counter: its registers
 * counter   a slot's state in an instance
 */
#ifndef DRMSIM_AMDGPU_GFX_BLOCK_H
#define DRMSIM_AMDGPU_GFX_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define SLOTS_MAX 16

enum block_style {
	STYLE_GENERIC,
	STYLE_PER_ENGINE, /* slot n belongs to shader engine n */
	STYLE_CFG,	  /* enabled by itself, results behind a selector */
	STYLE_SDMA,	  /* two counters in one control register */
	STYLE_RLC,	  /* a run state of its own */
};

enum block_scope { SCOPE_GLOBAL, SCOPE_SE, SCOPE_SA };
/* The part whose fusing off takes an instance along. */
enum block_part { PART_NONE, PART_CU, PART_WGP, PART_RB };
/* Steering of the instance field of GRBM_GFX_INDEX. */
enum block_steer {
	STEER_FLAT,
	STEER_CU,  /* compute unit in [1:0] of a WGP in [5:2] */
	STEER_WGP, /* SIMD in [1:0] of a WGP in [5:2] */
	STEER_PAIR, /* two instances have one number */
};

/* The part of a sample in which streaming counters of a block stand. */
enum block_segment {
	SEGMENT_NONE,
	SEGMENT_GLOBAL,
	SEGMENT_SE
};

struct slot {
	uint32_t select, select1, lo, hi; /* dwords; 0: none */
	uint32_t event_mask;
	uint32_t below; /* events from here on do not count; 0: all do */
	int engine;	/* the only instance that has it, or -1 */
	int parity;	/* the parity of the instances that have it, or -1 */
	bool plain;	/* in a block of style cfg: generic */
};

struct counter {
	uint32_t select, select1;
	uint32_t chosen; /* the select that counts: see write_select() */
	bool programmed; /* select was written since the last power-up */
	unsigned simds;	 /* of a WGP: mask of those with this select */
	unsigned simds1; /* the same of select1 */
	uint64_t value, latch;
	uint64_t sampled; /* the latch once the sample has arrived */
	uint64_t before;  /* the latch up to the last sample */
	uint64_t remainder; /* of a count, in 10^-15 */
};

struct instance {
	unsigned number; /* in the block: die, then SE, then SH, then index */
	unsigned die, se, sa, index;
	bool present;
	uint32_t control; /* cfg: RSLT_CNTL; sdma: PERFMON_CNTL */
	uint64_t user;	  /* file that programmed it last */
	struct counter counters[SLOTS_MAX];
};

struct block {
	char name[16];
	unsigned number; /* in the formula of default rates */
	enum block_style style;
	enum block_scope scope;
	enum block_part part;
	enum block_steer steer;
	unsigned per_scope; /* instances */
	unsigned bits, event_count;
	bool windowed; /* counts only work of queues that allow it */
	bool staged;   /* counts only stages in the mask of SQ */
	bool masked;   /* SQ_PERFCOUNTER_MASK has to be open */
	bool sqg;      /* its switches are those of SQG_PERFCOUNTER_CTRL */
	bool per_aid;  /* of a pair of dies, the first of which reaches it */
	bool graphics; /* of the graphics pipe, which events go through */
	bool is_stuck; /* by a stop that this generation does not bear */
	bool is_gated; /* its clock stands still */
	bool was_selected; /* see perfmon_set_state() */
	uint64_t selected_by; /* the job that wrote its selects last */
	uint32_t require[4]; /* each: at least one of these bits in a select */
	unsigned require_count;
	uint32_t control;     /* dword of RSLT_CNTL */
	uint32_t stride;      /* dwords between engines: sdma */
	unsigned slot_count;
	struct slot slots[SLOTS_MAX];
	unsigned instance_count;
	struct instance *instances;
	uint64_t start_value; /* what a reset leaves */
	/* streaming counters: its code in the muxsel, pairs of 16-bit lanes */
	enum block_segment segment;
	unsigned stream_code, wires;
	bool pairs; /* select1 is of a counter of its own: the odd lane */
};

/* Return the style of a slot, generic for plain slots of any block. */
enum block_style block_style(const struct block *block, unsigned slot);
/* Return whether CP_PERFMON_CNTL, or RLC_PERFMON_CNTL, decides when it runs. */
bool block_follows_cp(const struct block *block, unsigned slot);
bool block_follows_rlc(const struct block *block, unsigned slot);
/* Return the mask of the bits that a counter has. */
uint64_t block_value_mask(const struct block *block, unsigned slot);
/*
 * Return whether the instance has a counter, which it may lack although others
 * have it.
 */
bool block_has_slot(const struct block *block, const struct instance *instance,
		    unsigned slot);
/* Return the event that is selected. */
uint32_t block_event(const struct block *block,
		     const struct instance *instance, unsigned slot);
/*
 * Return how the counter of a select streams, BLOCK_SPM_OFF: not at all, so
 * that it counts as other counters do.
 */
unsigned
block_spm_mode(const struct block *block, uint32_t select);
#define BLOCK_SPM_OFF 0u
/* Style cfg: of a counter's own register; of RSLT_CNTL. */
#define CFG_ENABLE (1u << 28)
#define CFG_CLEAR (1u << 29)
#define CFG_ENABLE_ANY (1u << 24)
#define CFG_CLEAR_ALL (1u << 25)
/*
 * Style sdma: in its register each slot has bits SDMA_ENABLE, SDMA_CLEAR and
 * the event, which makes them as wide as they are.
 */
#define SDMA_ENABLE 1u
#define SDMA_CLEAR 2u
#define SDMA_EVENT_SHIFT 2
unsigned block_sdma_shift(const struct block *block, unsigned slot);

#endif /* DRMSIM_AMDGPU_GFX_BLOCK_H */
