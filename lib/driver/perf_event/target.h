/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The targets of counting: threads of a process, or CPUs.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_TARGET_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_TARGET_H

#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "driver/perf_event/kernel.h"

struct perf_targets {
	struct perf_target *list; /* in the arena */
	size_t count;
};

/*
 * List the threads that a process, 0 for the calling one, has now. -ESRCH;
 * -ENOMEM.
 */
int
perf_targets_of_process(pid_t pid, struct arena *arena,
			struct perf_targets *out);

/*
 * List all that runs on these CPUs; none: on all that are online. -EIO;
 * -ENOMEM.
 */
int
perf_targets_of_cpus(const int *cpus, size_t count, struct arena *arena,
		     struct perf_targets *out);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_TARGET_H */
