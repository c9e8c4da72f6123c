/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The domain "gfx": counters of the graphics core.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DOMAIN_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DOMAIN_H

#include "driver/driver.h"

/* Its device is a struct gpu. */
extern const struct domain_ops gfx_domain_ops;

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DOMAIN_H */
