/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library guards against whether it has to or not: whether it has. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_GUARDS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_GUARDS_H

#include "driver/amdgpu/selftest/bench.h"

/* As a stage; dies_choose() has been before. */
int
guards_try(struct bench *bench);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_GUARDS_H */
