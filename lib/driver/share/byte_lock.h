/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks on bytes of a file (open file description locks of fcntl()): the
 * kernel takes them back when the last descriptor of the description is closed,
 * as it is when a process dies. A description does not see its own locks.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_BYTE_LOCK_H
#define DRMPERF_LIB_DRIVER_SHARE_BYTE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Lock a byte for this description alone. Returns 0; -EAGAIN or -EACCES if
 * another one has it; another negative errno value.
 */
int
byte_lock_try(int fd, uint32_t byte);

/*
 * Lock a byte that others may lock in this way, too. Returns as byte_lock_try()
 * does.
 */
int
byte_lock_try_shared(int fd, uint32_t byte);

void
byte_lock_release(int fd, uint32_t byte);

/* Return whether another description has the byte locked in either way. */
bool
byte_lock_is_held(int fd, uint32_t byte);

#endif /* DRMPERF_LIB_DRIVER_SHARE_BYTE_LOCK_H */
