/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/share/robust_mutex.h"

#include <errno.h>
#include <time.h>

#include "base/cold.h"
#include "base/futex.h"
#include "base/monotonic.h"
#include "driver/share/byte_lock.h"

/* The word: its owner, as a member's number plus one, and a flag. */
#define OWNER UINT32_C(0xffff)
#define NEWCOMER OWNER
#define HAS_WAITERS ROBUST_MUTEX_HAS_WAITERS

/* Owners keep it for microseconds, unless they are stopped. */
#define TIMEOUT_NS UINT64_C(10000000000)

/* How long a waiter sleeps before it looks whether the owner lives. */
#define FIRST_WAIT_NS 1000000
#define LAST_WAIT_NS 16000000

/* How long a newcomer sleeps while another one holds the newcomers' byte. */
#define NEWCOMER_WAIT_NS 1000000

static bool
swap_word(const struct robust_mutex *mutex, uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong_explicit(mutex->word, &from, to,
						       memory_order_acquire,
						       memory_order_relaxed);
}

static bool
owner_may_be_dead(const struct robust_mutex *mutex, uint32_t owner)
{
	return owner == NEWCOMER ||
	       !byte_lock_is_held(mutex->fd, mutex->first_byte + owner - 1);
}

/*
 * Take the mutex from a dead owner. Caller holds the newcomers' byte: so a
 * newcomer that the word names is dead, and no other process can become a
 * member at this time, with the number of one that is dead.
 */
static bool
take_from_dead_owner(const struct robust_mutex *mutex, uint32_t self)
{
	const uint32_t value = *mutex->word;

	return value & OWNER && owner_may_be_dead(mutex, value & OWNER) &&
	       swap_word(mutex, value, self | HAS_WAITERS);
}

/* Take the mutex over from the owner, if that one is dead. */
static bool
take_from_owner(const struct robust_mutex *mutex, uint32_t owner, uint32_t self)
{
	bool taken;

	if (!owner_may_be_dead(mutex, owner))
		return false;
	if (self == NEWCOMER)
		return take_from_dead_owner(mutex, self);
	if (byte_lock_try(mutex->fd, mutex->newcomer_byte))
		return false; /* a living newcomer takes it instead */
	taken = take_from_dead_owner(mutex, self);
	byte_lock_release(mutex->fd, mutex->newcomer_byte);
	return taken;
}

/* Lock a mutex that was not free when the fast path tried it. */
COLD static int
lock_contended(const struct robust_mutex *mutex, uint32_t self)
{
	const uint64_t until = monotonic_ns() + TIMEOUT_NS;
	uint64_t ns = FIRST_WAIT_NS;

	do {
		uint32_t value = *mutex->word;

		if (!(value & OWNER)) {
			/* others may still be waiting */
			if (swap_word(mutex, value, self | HAS_WAITERS))
				return 0;
			continue;
		}
		if (take_from_owner(mutex, value & OWNER, self))
			return -EOWNERDEAD;
		if (!(value & HAS_WAITERS) &&
		    !swap_word(mutex, value, value | HAS_WAITERS))
			continue;
		futex_wait(mutex->word, value | HAS_WAITERS, ns);
		ns = ns < LAST_WAIT_NS ? ns * 2 : LAST_WAIT_NS;
	} while (monotonic_ns() < until);
	return -EBUSY;
}

static int
lock_as(const struct robust_mutex *mutex, uint32_t self)
{
	return swap_word(mutex, 0, self) ? 0 : lock_contended(mutex, self);
}

int
robust_mutex_lock(const struct robust_mutex *mutex, uint32_t member)
{
	return lock_as(mutex, member + 1);
}

COLD void
robust_mutex_wake(const struct robust_mutex *mutex)
{
	futex_wake(mutex->word, 1);
}

static int
lock_newcomer_byte(const struct robust_mutex *mutex)
{
	const struct timespec pause = { .tv_nsec = NEWCOMER_WAIT_NS };
	const uint64_t until = monotonic_ns() + TIMEOUT_NS;
	int ret;

	for (;;) {
		ret = byte_lock_try(mutex->fd, mutex->newcomer_byte);
		if (ret != -EAGAIN && ret != -EACCES)
			return ret;
		if (monotonic_ns() > until)
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
}

int
robust_mutex_lock_newcomer(const struct robust_mutex *mutex)
{
	int ret = lock_newcomer_byte(mutex);

	if (ret)
		return ret;
	ret = lock_as(mutex, NEWCOMER);
	if (ret == -EBUSY)
		byte_lock_release(mutex->fd, mutex->newcomer_byte);
	return ret;
}

void
robust_mutex_unlock_newcomer(const struct robust_mutex *mutex)
{
	robust_mutex_unlock(mutex);
	byte_lock_release(mutex->fd, mutex->newcomer_byte);
}

uint32_t
robust_mutex_owner(const struct robust_mutex *mutex)
{
	const uint32_t owner = *mutex->word & OWNER;

	return owner && owner != NEWCOMER ? owner - 1 : UINT32_MAX;
}
