/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages; selftest_run() decides what each of them may rely on. */
#ifndef DRMPERF_SELFTEST_AMDGPU_STAGES_H
#define DRMPERF_SELFTEST_AMDGPU_STAGES_H

#include "selftest/amdgpu/harness.h"

/* Submits nothing. */
int
stage_identity(struct harness *harness);
/* Tries what every command buffer relies on, without a register. */
int
stage_memory(struct harness *harness);
/* Reads registers and writes none. */
int
stage_controls(struct harness *harness);
/* Reads them in a way that AMD's own drivers avoid, and that may hang. */
int
controls_try_counter_source(struct harness *harness);
/* Writes and reads selects while nothing counts, and clears them. */
int
stage_selects(struct harness *harness);
/*
 * Return whether stage_selects() has passed, without which nothing that follows
 * is tried.
 */
bool
stage_may_count(const struct harness *harness);

/* Counts what runs by itself. */
int
stage_count(struct harness *harness);
/* Counts waves of a shader that does nothing, and what others do. */
int
stage_waves(struct harness *harness);
/* Fills a counter of 32 bits, and empties it. */
int
stage_full(struct harness *harness);
/* Counts during work of other processes, whose results are known. */
int
stage_load(struct harness *harness);
/* Counts while the GPU is idle or asleep, and while others take counters. */
int
stage_disturbed(struct harness *harness);
/* Tries what the tables hide, in processes of their own. */
int
stage_hidden(struct harness *harness);

/* ---- parts of stages */
/*
 * Try, for stage 4, whether each of the library's guards is needed on this GPU.
 * dies_choose() has to run before. Returns what a stage returns.
 */
int
guards_try(struct harness *harness);
/*
 * Try, for stage 4, whether copies of two registers at once give both, on each
 * ring that there is. dies_choose() has to run before. Returns what a stage
 * returns.
 */
int
copies_try(struct harness *harness);
/*
 * Count, for stage 5, full-screen quads that another process draws as any
 * program draws. Returns what harness_run() does.
 */
int
quads_try(struct harness *harness);

/* Run no stage: work with known results, as harness->work says. */
int
work_run(struct harness *harness);

/* Puts back what stage_controls() has found. */
int
stage_restore(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_STAGES_H */
