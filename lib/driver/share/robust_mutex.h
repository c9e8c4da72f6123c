/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mutex between processes: a word in shared memory. Locking and unlocking
 * need no system call unless another process holds it or waits. The owner may
 * die at any point: the word names it, and each member keeps a byte of the file
 * locked as long as it lives.
 *
 * A process that is not a member yet has no such byte. It locks the newcomers'
 * byte first, so there is only one newcomer, and it is dead if that byte is
 * free. To take the mutex from a dead owner a process must hold the newcomers'
 * byte, too: until then no process can become a member and reuse the dead one's
 * number.
 *
 * PTHREAD_MUTEX_ROBUST would not do: it keeps pointers of the C library in the
 * shared memory, which another process could corrupt, and C libraries differ in
 * its layout.
 */
#ifndef DRMPERF_LIB_DRIVER_SHARE_ROBUST_MUTEX_H
#define DRMPERF_LIB_DRIVER_SHARE_ROBUST_MUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct robust_mutex {
	_Atomic uint32_t *word; /* 0: the mutex is free */
	int fd; /* of the memory */
	uint32_t newcomer_byte;
	uint32_t first_byte; /* of member 0; the others' follow */
};

/*
 * Lock it as a member. Threads of one process must exclude each other before.
 *
 * Returns 0; -EOWNERDEAD if the owner has died and the mutex is ours; -EBUSY,
 * after ten seconds, if a living process keeps it; what fcntl() returns.
 */
int
robust_mutex_lock(const struct robust_mutex *mutex, uint32_t member);

/* Lock it as a member, if it is free. */
static inline bool
robust_mutex_try_lock(const struct robust_mutex *mutex, uint32_t member)
{
	uint32_t nobody = 0;

	return atomic_compare_exchange_strong_explicit(
		mutex->word, &nobody, member + 1, memory_order_acquire,
		memory_order_relaxed);
}

#define ROBUST_MUTEX_HAS_WAITERS (UINT32_C(1) << 31)

/* Wake a process that waits. */
void
robust_mutex_wake(const struct robust_mutex *mutex);

static inline void
robust_mutex_unlock(const struct robust_mutex *mutex)
{
	if (atomic_exchange_explicit(mutex->word, 0, memory_order_release) &
	    ROBUST_MUTEX_HAS_WAITERS)
		robust_mutex_wake(mutex);
}

/* Lock it in a process that is not a member yet, or has just become one. */
int
robust_mutex_lock_newcomer(const struct robust_mutex *mutex);
void
robust_mutex_unlock_newcomer(const struct robust_mutex *mutex);

/* Return the member that has it, or UINT32_MAX if none has. */
uint32_t
robust_mutex_owner(const struct robust_mutex *mutex);

#endif /* DRMPERF_LIB_DRIVER_SHARE_ROBUST_MUTEX_H */
