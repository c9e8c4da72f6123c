/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knowing, without a system call, that this process is a forked child of the
 * one that made an object.
 */
#ifndef DRMPERF_LIB_BASE_FORK_GUARD_H
#define DRMPERF_LIB_BASE_FORK_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#include "drmperf.h"

struct fork_guard {
	/* A page that a child finds zeroed; NULL where the kernel cannot. */
	volatile unsigned char *page;
	size_t size;
	pid_t pid;
};

int fork_guard_init(struct fork_guard *guard);
void fork_guard_finish(struct fork_guard *guard);

/* Return true in a process that inherited the guard by fork. */
static inline bool
fork_guard_is_child(const struct fork_guard *guard)
{
	return guard->page ? *guard->page == 0 : getpid() != guard->pid;
}

/* Refuse a call with -ECHILD and the complaint. */
int fork_guard_refuse(struct drmperf_error *error);

/*
 * Check that the process is that of the guard. Returns 0, or what
 * fork_guard_refuse() returns.
 */
static inline int
fork_guard_check(const struct fork_guard *guard, struct drmperf_error *error)
{
	return fork_guard_is_child(guard) ? fork_guard_refuse(error) : 0;
}

#endif /* DRMPERF_LIB_BASE_FORK_GUARD_H */
