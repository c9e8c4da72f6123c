/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A compute queue of AMD's compute driver (KFD), whose packets have commands
 * run on all dies behind a node at once. A ring of libdrm reaches one of them.
 *
 * The process that has it becomes one of KFD's with it, see kfd_file.h.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_AQL_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_AQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/driver.h"

struct aql;

/*
 * Open a queue of the GPU that has the render node, in a process that a program
 * is started as, or with NULL in this one. Returns 0; -EBUSY if the process is
 * one of KFD's already; -ENOTSUP without KFD; -EACCES; -ENOMEM; what else the
 * system returns.
 */
int
aql_open(const struct driver_kfd *gpu, const char *node, const char *helper,
	 struct aql **out, struct drmperf_error *error);

/*
 * Keep the queue alive for another five seconds: the process that has it ends
 * when it gets no calls. Return whether it is still there.
 */
bool
aql_keep_alive(const struct aql *aql);

/*
 * Close the queue. In a forked child only the memory is freed, and files are
 * closed.
 */
void
aql_close(struct aql *aql, bool is_child);

/*
 * Replace a queue that does not answer. Its remaining commands are dropped.
 * Returns 0, or -errno; then no queue takes commands.
 */
int
aql_renew(struct aql *aql);

/* Memory that the dies and the CPU see at the same address. */
struct aql_memory {
	void *at;
	size_t size;
	uint64_t handle;
};

/* Returns 0, -ENOMEM, or what the kernel returns. */
int
aql_alloc(struct aql *aql, size_t size, struct aql_memory *out);
void
aql_free(struct aql *aql, struct aql_memory *memory, bool is_child);

/* The completion of commands, in memory that aql_alloc() returned. */
#define AQL_SIGNAL_SIZE 64
struct aql_signal;

/*
 * Have all dies run commands. Takes no lock, and allocates nothing. Returns 0,
 * -ETIME if the queue stays full, or -EPIPE if its process has ended.
 */
int
aql_submit(struct aql *aql, const void *commands, size_t dwords,
	   struct aql_signal *signal);

/* Wait until that CLOCK_MONOTONIC time. Return whether they have run. */
bool
aql_wait(const struct aql_signal *signal, uint64_t until_ns);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_AQL_H */
