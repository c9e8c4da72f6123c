/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of stage 5: full-screen quads, drawn by another process as any program
 * draws, are counted by the library.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_QUADS_H
#define DRMPERF_SELFTEST_AMDGPU_QUADS_H

#include "selftest/amdgpu/bench.h"

/* Count quads of the work. Returns what bench_run() does. */
int
quads_try(struct bench *bench);

#endif /* DRMPERF_SELFTEST_AMDGPU_QUADS_H */
