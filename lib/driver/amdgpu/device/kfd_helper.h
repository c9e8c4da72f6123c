/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that is one of KFD's in the place of this one: the program
 * drmperf-kfd, which makes the calls that it is sent. It ends with this process
 * or five seconds after the last call, unless it has memory that was allocated
 * since its queue was made, or the lock of profilers.
 *
 * It is no child of this process, which may wait for any of its own.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_HELPER_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_HELPER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The descriptors that the program begins with. */
enum {
	KFD_HELPER_SOCKET = 0,
	KFD_HELPER_RENDER = 3,
};

/* What is no call of KFD's, which all have other numbers. */
enum kfd_helper_request {
	KFD_HELPER_KEEP, /* for another five seconds */
	KFD_HELPER_MAP_DOORBELLS,
	KFD_HELPER_RING, /* has no answer */
};

#define KFD_HELPER_ARGUMENT 104

/* A message in either direction; all of an answer but result is a copy. */
struct kfd_helper_message {
	uint64_t request; /* as above, or of an ioctl */
	int64_t result; /* 0 or -errno */
	uint64_t argument[KFD_HELPER_ARGUMENT / sizeof(uint64_t)];
};

/*
 * Find the program beside the library; to be freed by the caller. NULL: it is
 * not installed, or this process has more rights than its caller.
 */
char *
kfd_helper_find(void);

struct kfd_helper;

/*
 * Start the process, which has the file of the render node as well, so that
 * this process may map what it allocates. Returns 0; -ENOMEM; what the system
 * returns.
 */
int
kfd_helper_start(const char *program, uint32_t gpu_id, int render,
		 struct kfd_helper **out, struct drmperf_error *error);
void
kfd_helper_end(struct kfd_helper *helper);

/* Have it make a call, and wait. Returns its result; -EPIPE if it has ended. */
int
kfd_helper_call(struct kfd_helper *helper, uint64_t request, void *argument,
		size_t size);

/*
 * Have it write to a doorbell, and do not wait. Takes no lock. Returns 0, or
 * -EPIPE if it has ended.
 */
int
kfd_helper_ring(struct kfd_helper *helper, uint64_t offset, uint64_t index);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_KFD_HELPER_H */
