/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that ends what the kernel does not end with the process that began
 * it, even if that was killed.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SUPERVISOR_H
#define DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SUPERVISOR_H

#include <sys/types.h>

struct supervisor {
	pid_t pid; /* 0: there is none */
};

#define SUPERVISOR_HELD 3

struct supervisor_task {
	int file; /* descriptor that finish() uses */
	/* descriptors or -1: duplicates stay open until it has ended */
	int held[SUPERVISOR_HELD];
	void (*finish)(void *data);
	void *data;
};

/*
 * Fork a process that waits until this one has ended, in whatever way, calls
 * finish() and ends. It has the memory as it is now, and no other descriptors
 * and threads. Returns 0, or -errno.
 */
int
supervisor_start(struct supervisor *supervisor,
		 const struct supervisor_task *task);

/* End the process before it has called anything. */
void
supervisor_end(struct supervisor *supervisor);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_STREAM_SUPERVISOR_H */
