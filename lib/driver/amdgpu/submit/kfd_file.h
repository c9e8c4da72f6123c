/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device file of AMD's compute driver (KFD), which makes the process that
 * opens it one of KFD's until it ends: HSA, and HIP with it, cannot begin there
 * any more.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_KFD_FILE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_KFD_FILE_H

#include <stdint.h>

#include "base/error.h"

/*
 * Open the device file. Returns 0; -ENOTSUP if there is none; -EACCES; what
 * open() returns.
 */
int
kfd_file_open(int *out, struct drmperf_error *error);

/* Ask KFD. Returns 0, or -errno. */
int
kfd_file_call(int kfd, unsigned long request, void *argument);

/*
 * Give KFD an address space of the GPU: that of another file than libdrm's,
 * whose commands it does not affect. *render is that file, or -1. Returns 0;
 * -EBUSY if KFD has one of this process already; -errno.
 */
int
kfd_file_acquire_vm(int kfd, uint32_t gpu_id, const char *node, int *render);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_KFD_FILE_H */
