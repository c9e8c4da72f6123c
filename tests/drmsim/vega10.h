/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What command buffers written by hand do around counting on a Vega 10.
 */
#ifndef DRMPERF_TESTS_DRMSIM_VEGA10_H
#define DRMPERF_TESTS_DRMSIM_VEGA10_H

#include "tests/support/check.h"
#include "tests/drmsim/hand.h"

/* Byte addresses of registers. */
#define SQ_PERFCOUNTER_CTRL 0x36780u
#define SQ_PERFCOUNTER_MASK 0x36784u
#define SQ_PERFCOUNTER_CTRL2 0x36788u
#define RLC_PERFMON_CLK_CNTL 0x372fcu
#define RLC_PERFMON_CNTL 0x37300u

void
vega10_prepare(struct hand_gpu *gpu);
/* Leave the hardware as a good program does. */
void
vega10_leave(struct hand_gpu *gpu);

/* Forget, before each test, the report and the settings of the one before. */
void
vega10_forget(void);

#endif /* DRMPERF_TESTS_DRMSIM_VEGA10_H */
