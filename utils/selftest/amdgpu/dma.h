/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by the command processor. */
#ifndef DRMPERF_SELFTEST_AMDGPU_DMA_H
#define DRMPERF_SELFTEST_AMDGPU_DMA_H

#include "selftest/amdgpu/harness.h"

/* Try whether what is copied is the same. As harness_run() */
int
dma_try(struct harness *harness);

/* Copy that number of bytes, on behalf of a check. */
int
dma_copy(struct harness *harness, const char *check, uint32_t bytes);

#endif /* DRMPERF_SELFTEST_AMDGPU_DMA_H */
