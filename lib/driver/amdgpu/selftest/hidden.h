/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables hide of this GPU until somebody has tested it. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_HIDDEN_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_HIDDEN_H

#include "driver/amdgpu/gpu/core.h"

unsigned hidden_count(const struct core *core);
/* NULL: there are not so many. */
const char *hidden_name(const struct core *core, unsigned item);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_HIDDEN_H */
