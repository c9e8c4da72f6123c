/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs of several dies with one render node, each of them a graphics core of
 * its own: the kernel runs a command buffer on the ring of one, and chooses
 * anew each time (Linux aqua_vanjaram.c, drm_sched_entity_select_rq()). What
 * is to run on a certain one is skipped by the others.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H

#include <stdint.h>

#include "driver/amdgpu/submit/channel.h"

/*
 * Count on one of so many dies only if DRMPERF_DIES says so: -ENOTSUP without
 * that, and -EINVAL if it says something else.
 */
int die_allow(unsigned dies, struct drmperf_error *error);

/*
 * A mask of the die that takes commands at the moment, among so many; 0 if
 * there is but one. The errors of channel_run(); -EIO if it is none of them.
 */
int
die_find(struct channel *channel, unsigned dies, uint32_t *out,
	 struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_DIE_H */
