/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting under test: events that run by themselves, one in each block that
 * has such an event, programmed by the library's own command buffers, and
 * latched as the library does it or by one means only.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_TRIAL_H
#define DRMPERF_SELFTEST_AMDGPU_TRIAL_H

#include "driver/amdgpu/selection/commands.h"
#include "selftest/amdgpu/harness.h"

#define TRIAL_READS_MAX 48u

enum trial_latch {
	TRIAL_EVENT = 1, /* PERFCOUNTER_SAMPLE */
	TRIAL_BIT = 2,	 /* of CP_PERFMON_CNTL */
	TRIAL_AS_LIBRARY = 4,
};

struct trial {
	struct harness *harness;
	struct commands commands;
	struct select_regs *selects;
	struct commands_read reads[TRIAL_READS_MAX];
	const char *events[TRIAL_READS_MAX];
	enum trial_latch latch;
	/* of two samples */
	uint64_t values[2][TRIAL_READS_MAX];
	uint64_t ticks[2];
	uint32_t
		marked[2]
		      [2]; /* if there is a reset check: its counters in each */
};

/*
 * Initialize with an event that runs by itself, in the first instance of each
 * block. -ENOMEM
 */
int
trial_init(struct trial *trial, struct harness *harness);
/* Initialise a trial without any event yet. Returns 0, or -ENOMEM. */
int
trial_init_empty(struct trial *trial, struct harness *harness);
/* Initialize with one event in all instances. -ENOENT; -ENOMEM */
int
trial_init_event(struct trial *trial, struct harness *harness,
		 const char *block, const char *event);
void trial_finish(struct trial *trial);

/* Add one more event, in a slot of an instance, below TRIAL_READS_MAX reads. */
void
trial_add(struct trial *trial, size_t block, unsigned instance, unsigned slot,
	  uint32_t id);

/*
 * Add a reset check in the block of the only event, which is selected there
 * once more later.
 */
bool
trial_mark(struct trial *trial);

/* Find the read of a block, or of any graphics block; -1: there is none. */
int trial_find(const struct trial *trial, const char *block);
bool trial_is_graphics(const struct trial *trial, int read);
const char *trial_block(const struct trial *trial, int read);

bool trial_has_ring(const struct trial *trial, enum pm4_engine engine);

/*
 * All functions below return what harness_run() does, on behalf of a check.
 *
 * Begin to count; by default graphics is started on its own ring.
 */
int trial_start(const struct trial *trial, const char *check,
		enum pm4_engine engine, bool open);

/* End what trial_start() began, unless the GPU was lost; ret goes through. */
int trial_stop(const struct trial *trial, const char *check,
	       enum pm4_engine engine, bool open, int ret);

/* Return whether samples by one means only have the read. */
bool trial_latches(const struct trial *trial, int read);

/* Take two samples with some time between. */
int trial_sample(struct trial *trial, const char *check, enum pm4_engine engine,
		 enum trial_latch latch);

/* Take one of the two. */
int trial_sample_once(struct trial *trial, const char *check,
		      enum pm4_engine engine, enum trial_latch latch,
		      unsigned which);

/* Sample once, after the results of the first slot were written with 0. */
int trial_clear(struct trial *trial, const char *check, enum pm4_engine engine,
		unsigned which);

/* Return whether the read has moved between the two samples. */
bool trial_moved(const struct trial *trial, int read);

#endif /* DRMPERF_SELFTEST_AMDGPU_TRIAL_H */
