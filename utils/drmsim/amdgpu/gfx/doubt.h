/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Behaviour that only real hardware can settle, since the sources do not say it
 * or contradict each other. Each doubt has readings, from the one that a driver
 * hopes for to the one that it has to fear; the keys are explained in
 * README.md.
 */
#ifndef DRMSIM_AMDGPU_GFX_DOUBT_H
#define DRMSIM_AMDGPU_GFX_DOUBT_H

struct sim_words;

enum doubt {
	DOUBT_START_EVENT,
	DOUBT_SAMPLE,
	DOUBT_FORCE_EN,
	DOUBT_FULL_COUNTER,
	DOUBT_GATING,
	DOUBT_SQ_CONTROL,
	DOUBT_COMPUTE_RING,
	DOUBT_DIE,
	DOUBT_COPY_SOURCE,
	DOUBT_COPIED_REGISTERS,
	DOUBT_GRBM_READ,
	DOUBT_CFG_READ,
	DOUBT_SELECT_MASKS,
	DOUBT_VMID_MASK,
	DOUBT_COPIES,
	DOUBT_RUNNING_SELECT,
	DOUBT_SYNC_BIT,
	DOUBT_IDLE_CLOCK,
	DOUBT_GRBMH_SYNC,
	DOUBT_CU_NUMBER,
	DOUBT_MMIO_INDEX,
	DOUBT_TCP_SLOTS,
	DOUBT_SQG_EVENTS,
	DOUBT_APART,
	DOUBT_POSTED_WRITES,
	DOUBT_SPM_HEADER,
	DOUBT_SPM_WGP,
	DOUBT_COPY_WIDTH,
	DOUBT_ALL_VMID,
	DOUBT_FINISH_DONE,
	DOUBTS
};

/* Readings by their places in the table, 0 being the best one. */
enum { SAMPLE_ANY, SAMPLE_BY_RING, SAMPLE_BY_KIND };
enum { SQ_CONTROL_SHARED, SQ_CONTROL_OWNED, SQ_CONTROL_BANKED };
enum { GATING_NONE, GATING_FIELD, GATING_ALL, GATING_MOST };
enum { COPY_SOURCE_WORKS, COPY_SOURCE_HANGS_AT_EA, COPY_SOURCE_HANGS };
enum {
	COPY_WIDTH_WHOLE,
	COPY_WIDTH_NOT_GL2C,
	COPY_WIDTH_LOW
};

/* Set the default readings, which a scenario may change. */
void doubt_begin(unsigned readings[DOUBTS]);
/*
 * Set the reading of a doubt from a line of a scenario: a doubt and its
 * reading, or "doubts" and "best", "worst" or "default" for all of them.
 * Returns 0, -EINVAL if there is no such reading, or -ENOENT if there is no
 * such doubt.
 */
int doubt_set(unsigned readings[DOUBTS], const char *key,
	      const struct sim_words *words);

#endif /* DRMSIM_AMDGPU_GFX_DOUBT_H */
