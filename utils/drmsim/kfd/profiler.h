/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock that profilers take on a GPU, with which all its queues may count.
 * Linux 6.12 does not have it; newer kernels, and AMD's own modules under
 * another number, do.
 */
#ifndef DRMSIM_KFD_PROFILER_H
#define DRMSIM_KFD_PROFILER_H

#include <stdbool.h>

#include "kfd/ioctls.h"

struct sim;

/* Under the number of Linux, and under that of AMD's modules. */
kfd_handler profiler_ioctl, profiler_ioctl_dkms;

/* Return whether the kernel is new enough to have the upstream ioctl. */
bool
profiler_is_upstream(const struct sim *sim);
/* Release what a process that has ended held. */
void
profiler_release(struct kfd_process *process);

#endif /* DRMSIM_KFD_PROFILER_H */
