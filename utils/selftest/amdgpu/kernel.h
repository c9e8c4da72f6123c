/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of the kernel's driver that change what is counted, or how. */
#ifndef DRMPERF_SELFTEST_AMDGPU_KERNEL_H
#define DRMPERF_SELFTEST_AMDGPU_KERNEL_H

#include "selftest/amdgpu/harness.h"

/* Checks about enforce_isolation, PTL and user queues; submits nothing. */
void
kernel_check_settings(const struct harness *harness);

/*
 * Return how long the kernel lets a command buffer of compute take before it
 * resets the ring, in ms: the setting lockup_timeout, or what kernels have
 * without it.
 */
unsigned
kernel_job_timeout_ms(const struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_KERNEL_H */
