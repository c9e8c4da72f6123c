/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances that GRBM_GFX_INDEX reaches, and other programs that write it. */
#ifndef DRMPERF_SELFTEST_AMDGPU_STEERING_H
#define DRMPERF_SELFTEST_AMDGPU_STEERING_H

#include "selftest/amdgpu/harness.h"

/* All return what harness_run() does, and report their checks. */

/*
 * Find out how CUs are named: from gfx10 on sources disagree on how the second
 * CU of a WGP is named (field.tsv of ROCm/rocm-systems 5732): both ways are
 * tried.
 */
int
steering_try_numbers(struct harness *harness);

/*
 * Find the CUs of a GPU of several dies, of which the kernel names those of the
 * first one: those of the die that takes the commands are found by what their
 * selects keep.
 */
int
steering_find_cus(struct harness *harness);

/*
 * Steer while the kernel reads registers of one shader engine again and again,
 * as for any program that asks: does a command buffer find the index as it
 * wrote it?
 */
int
steering_try_kernel(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_STEERING_H */
