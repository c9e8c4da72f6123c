/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs of several dies with one render node, each of them a graphics core of
 * its own: the kernel runs a command buffer on the ring of one, and chooses
 * again each time (Linux aqua_vanjaram.c, drm_sched_entity_select_rq()).
 * Commands for a certain die are skipped by the others.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H

#include <stdint.h>

#include "driver/amdgpu/submit/channel.h"

/*
 * Check that DRMPERF_DIES allows counting on one of several dies. Returns 0,
 * -ENOTSUP if it is not set, or -EINVAL if it has an unknown value.
 */
int die_allow(unsigned dies, struct drmperf_error *error);

/*
 * Find the die that takes commands at the moment: a mask of it, or 0 if dies is
 * 1. Returns 0, the errors of channel_run(), or -EIO if it is none of the dies.
 */
int
die_find(struct channel *channel, unsigned dies, uint32_t *out,
	 struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H */
