/* SPDX-License-Identifier: BSD-3-Clause */
/* Items that the tables hide of this GPU until they have been tested. */
#ifndef DRMPERF_SELFTEST_AMDGPU_HIDDEN_H
#define DRMPERF_SELFTEST_AMDGPU_HIDDEN_H

#include "driver/amdgpu/tables/core.h"

unsigned hidden_count(const struct core *core);
/* Return the item's name, or NULL if there are fewer items. */
const char *hidden_name(const struct core *core, unsigned item);

#endif /* DRMPERF_SELFTEST_AMDGPU_HIDDEN_H */
