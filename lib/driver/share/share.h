/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of one user and with the same capabilities that use one device
 * together: each is a member with a record of its own, and all see what they
 * have in common. There is no daemon and no file with a name: the memory goes
 * with the last member.
 *
 *   render node     flock: shared by all members, so that no other process gets
 *                   it; exclusive in a process that does not share, and while
 *                   the first member begins
 *   memory          an anonymous file, which newcomers find among the
 *                   descriptors of the processes that have that lock
 *     mutex         of the process that reads or writes the memory, or changes
 *                   the device (robust_mutex.h)
 *     byte 0        locked by the process that is becoming a member
 *     byte 1 + i    lease i
 *     byte 5 + i    locked as long as member i lives
 *
 * The kernel takes every lock back when a process dies, at whatever moment.
 * Any process of that user may have written the contents of the memory.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_SHARE_H
#define DRMPERF_LIB_DRIVER_SHARE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SHARE_MEMBERS 512u
#define SHARE_LEASES 5u
#define SHARE_NOBODY UINT32_MAX

/* Room for what share_name() writes. */
#define SHARE_NAME_SIZE 64

struct share;

struct share_setup {
	const char *node;   /* of the device */
	const char *layout; /* of the memory; equal for all members */
	size_t common_size; /* multiples of 8 */
	size_t record_size;
};

/* Read DRMPERF_SHARE. Returns 0, or -EINVAL if it is neither 0 nor 1. */
int share_is_wanted(bool *out, struct drmperf_error *error);

/*
 * Become a member, or, with DRMPERF_SHARE=0 and in a program with more rights
 * than its caller, the only one. All memory is 0 at first.
 *
 * Returns 0; -EBUSY, naming the process that has the device; -EINVAL if
 * DRMPERF_SHARE is neither 0 nor 1; -ENOMEM; the errors of open() and flock().
 */
int share_join(const struct share_setup *setup, struct share **out,
	       struct drmperf_error *error);
void share_leave(struct share *share);

/* Forget the memory in a forked child; the parent stays a member. */
void share_abandon(struct share *share);

/*
 * Get the descriptors that keep the member alive, -1 for one that it lacks.
 * While another process has duplicates of them, the member counts as living,
 * and the lock stays with it if it has that.
 */
#define SHARE_DESCRIPTORS 2
void
share_descriptors(const struct share *share, int out[SHARE_DESCRIPTORS]);

/* Return whether no other process can become a member. */
bool share_is_alone(const struct share *share);

/*
 * Take the lock, which the caller has to hold for the functions that follow.
 * Threads of one process have to exclude each other. The process that had it
 * before may have died at any point. Returns 0, or -EBUSY if a member keeps it
 * for seconds on end.
 */
int share_lock(struct share *share, struct drmperf_error *error);
void share_unlock(struct share *share);

void *share_common(struct share *share);
void *share_record(struct share *share, uint32_t member);
uint32_t share_self(const struct share *share);

/*
 * Return the next living member other than this one, after a member or
 * SHARE_NOBODY, which begins with the first.
 */
uint32_t share_next(struct share *share, uint32_t after);

/* Write "rank 3 of your job (pid 4711)" */
void share_name(struct share *share, uint32_t member, char *out);

/* Add the remedy for a device that others have, in terms of MPI if need be. */
void share_remedy(struct drmperf_error *error);

/* ------------------------------------------------------------------ */

/*
 * Try to take a lease. One member at a time has a lease, until it passes it on
 * or dies; the lock is not needed for it. True if it is ours now.
 */
bool
share_try_lease(struct share *share, uint32_t lease);
void
share_drop_lease(struct share *share, uint32_t lease);

#endif /* DRMPERF_LIB_DRIVER_SHARE_SHARE_H */
