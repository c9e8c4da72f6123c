/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One user of the counters per device.
 *
 * An advisory lock on the render node: it leaves no file behind, and the
 * kernel takes it back when the last process that has it is gone. It sits on
 * an open file of its own, so that nothing else that a process or its children
 * do with the device can hold or drop it.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LOCK_H

#include "base/error.h"

struct lock {
	int fd;
};

/*
 * Take the lock without waiting. Returns 0; -EBUSY, saying who has it; what
 * open() and flock() return.
 */
int lock_take(struct lock *lock, const char *node,
	      struct drmperf_error *error);

/* Give it back, also on behalf of children that have inherited it. */
void lock_release(struct lock *lock);

/* In a forked child: forget it; the parent keeps it. */
void lock_abandon(struct lock *lock);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LOCK_H */
