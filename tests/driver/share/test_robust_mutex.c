/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mutex between processes that are killed at any point. Where a test says so,
 * time passes by waiting only.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/futex.h"
#include "driver/share/byte_lock.h"
#include "driver/share/robust_mutex.h"
#include "tests/driver/share/waited_time.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* The memory, and processes that use it                                */

#define CHILDREN 6
#define KILLS 300

enum byte {
	BYTE_NEWCOMER,
	BYTE_MEMBERS,
};

struct memory {
	_Atomic uint32_t mutex;
	_Atomic int32_t inside; /* the process that has the mutex */
	_Atomic uint32_t overlaps; /* others that got it as well */
	_Atomic uint32_t locked[CHILDREN]; /* how often each has had it */
	_Atomic uint32_t from_dead;
};

static int memory_fd;
static struct memory *memory;

static void
set_up(void)
{
	memory_fd = memfd_create("robust-mutex", MFD_CLOEXEC);
	ck_assert_int_ge(memory_fd, 0);
	ck_assert_int_eq(ftruncate(memory_fd, sizeof(*memory)), 0);
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED,
		      memory_fd, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	waited_time.waits = 0;
	waited_time.wakes = 0;
}

static void
tear_down(void)
{
	waited_time.is_made_up = false;
	munmap(memory, sizeof(*memory));
	close(memory_fd);
}

TEST_CASE(robust_mutex, set_up, tear_down, "robust_mutex");

/* Open the mutex for one process: open file descriptions are not shared. */
static struct robust_mutex
open_mutex(void)
{
	char path[64];
	struct robust_mutex mutex = { .word = &memory->mutex,
				      .newcomer_byte = BYTE_NEWCOMER,
				      .first_byte = BYTE_MEMBERS };

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory_fd);
	mutex.fd = open(path, O_RDWR | O_CLOEXEC);
	if (mutex.fd < 0)
		abort();
	return mutex;
}

static void
become_member(const struct robust_mutex *mutex, uint32_t member)
{
	if (byte_lock_try(mutex->fd, BYTE_MEMBERS + member))
		abort();
}

/* Start a process that takes the mutex, as a newcomer or not, and keeps it. */
static pid_t
lock_elsewhere(bool is_newcomer)
{
	struct child child;

	if (child_fork(&child)) {
		struct robust_mutex mutex = open_mutex();

		if (!is_newcomer)
			become_member(&mutex, 7);
		if (is_newcomer ? robust_mutex_lock_newcomer(&mutex)
				: robust_mutex_lock(&mutex, 7))
			child_end(1);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

/* ------------------------------------------------------------------ */

TEST(robust_mutex, nobody_else_wants_it_and_the_kernel_is_not_asked)
{
	struct robust_mutex mutex = open_mutex();

	become_member(&mutex, 0);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(robust_mutex_lock(&mutex, 0), 0);
		ck_assert_uint_eq(robust_mutex_owner(&mutex), 0);
		robust_mutex_unlock(&mutex);
		ck_assert_uint_eq(robust_mutex_owner(&mutex), UINT32_MAX);
	}
	ck_assert_uint_eq(waited_time.waits + waited_time.wakes, 0);
	close(mutex.fd);
}

/* How the one that has it and the one that wants it came to the memory. */
static const struct {
	bool is_owner_new, is_self_new;
	uint32_t owner;
} meetings[] = {
	{ false, false, 7 },
	{ false, true, 7 },
	{ true, false, UINT32_MAX },
	{ true, true, UINT32_MAX },
};

static int
lock_here(const struct robust_mutex *mutex, bool is_newcomer)
{
	return is_newcomer ? robust_mutex_lock_newcomer(mutex)
			   : robust_mutex_lock(mutex, 0);
}

static void
unlock_here(const struct robust_mutex *mutex, bool is_newcomer)
{
	if (is_newcomer)
		robust_mutex_unlock_newcomer(mutex);
	else
		robust_mutex_unlock(mutex);
}

TEST_LOOP(robust_mutex, living_owner_keeps_it_and_a_dead_one_does_not,
	  ARRAY_SIZE(meetings))
{
	struct robust_mutex mutex = open_mutex();
	pid_t child = lock_elsewhere(meetings[_i].is_owner_new);
	const bool is_newcomer = meetings[_i].is_self_new;

	if (!is_newcomer)
		become_member(&mutex, 0);
	waited_time_begin();
	ck_assert_int_eq(lock_here(&mutex, is_newcomer), -EBUSY);
	ck_assert_int_ge(waited_time.ns, 10 * SECOND);
	ck_assert_uint_eq(robust_mutex_owner(&mutex), meetings[_i].owner);
	child_kill(child);
	waited_time.ns = 0;
	ck_assert_int_eq(lock_here(&mutex, is_newcomer), -EOWNERDEAD);
	ck_assert_int_eq(waited_time.ns, 0);
	unlock_here(&mutex, is_newcomer);
	ck_assert_int_eq(lock_here(&mutex, is_newcomer), 0);
	unlock_here(&mutex, is_newcomer);
	ck_assert(!byte_lock_is_held(memory_fd, BYTE_NEWCOMER));
	close(mutex.fd);
}

TEST(robust_mutex, waiter_is_woken_by_an_unlock)
{
	struct robust_mutex mutex = open_mutex();
	pid_t child;

	become_member(&mutex, 0);
	ck_assert_int_eq(robust_mutex_lock(&mutex, 0), 0);
	child = fork();
	if (!child) {
		child_begin();
		mutex = open_mutex();
		become_member(&mutex, 1);
		child_end(robust_mutex_lock(&mutex, 1) != 0);
	}
	while (memory->mutex == 1)
		sched_yield();
	robust_mutex_unlock(&mutex);
	ck_assert_uint_eq(waited_time.wakes, 1);
	child_join(child);
	close(mutex.fd);
}

/* Anything may stand in the word: another process has written it. */
static const uint32_t nonsense[] = { 0x1234,	 0x80000000, 0x7fff0000,
				     0x8000ffff, 0xffffffff, 0x00010000 };

TEST_LOOP(robust_mutex, nonsense_in_the_word_is_overcome, ARRAY_SIZE(nonsense))
{
	struct robust_mutex mutex = open_mutex();
	int ret;

	become_member(&mutex, 0);
	memory->mutex = nonsense[_i];
	waited_time_begin();
	ret = robust_mutex_lock(&mutex, 0);
	ck_assert_int_eq(ret, nonsense[_i] & 0xffff ? -EOWNERDEAD : 0);
	robust_mutex_unlock(&mutex);
	ck_assert_int_eq(robust_mutex_lock(&mutex, 0), 0);
	robust_mutex_unlock(&mutex);
	close(mutex.fd);
}

/* ------------------------------------------------------------------ */
/* Many at once                                                         */

static void
stay_inside(int ret)
{
	if (ret == -EOWNERDEAD)
		memory->from_dead++;
	else if (ret || memory->inside)
		memory->overlaps++;
	memory->inside = getpid();
	for (unsigned i = 0; i < 200; i++) {
		if (memory->inside != getpid())
			memory->overlaps++;
	}
	memory->inside = 0;
}

/* Become a member as processes do, and take the mutex again and again. */
static void
run_child(uint32_t member)
{
	struct robust_mutex mutex;

	child_begin();
	mutex = open_mutex();
	for (;;) {
		stay_inside(robust_mutex_lock_newcomer(&mutex));
		become_member(&mutex, member);
		robust_mutex_unlock_newcomer(&mutex);
		for (unsigned i = 0; i < 20; i++) {
			stay_inside(robust_mutex_lock(&mutex, member));
			robust_mutex_unlock(&mutex);
			memory->locked[member]++;
		}
		byte_lock_release(mutex.fd, BYTE_MEMBERS + member);
	}
}

static pid_t
start_child(uint32_t member)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child)
		run_child(member);
	return child;
}

/* Wait until the child has had the mutex. */
static void
wait_for_child(uint32_t member)
{
	const struct timespec moment = { .tv_nsec = 50000 };
	const uint32_t before = memory->locked[member];

	while (memory->locked[member] == before)
		waited_time_sleep(&moment);
}

TEST(robust_mutex, processes_that_are_killed_leave_it_to_the_others)
{
	pid_t children[CHILDREN];

	for (uint32_t i = 0; i < CHILDREN; i++)
		children[i] = start_child(i);
	for (unsigned i = 0; i < KILLS; i++) {
		uint32_t killed = i % CHILDREN;

		wait_for_child((killed + 1) % CHILDREN);
		child_kill(children[killed]);
		children[killed] = start_child(killed);
	}
	for (uint32_t i = 0; i < CHILDREN; i++) {
		wait_for_child(i);
		child_kill(children[i]);
	}
	ck_assert_uint_eq(memory->overlaps, 0);
	ck_assert_uint_gt(memory->from_dead, 0);
}
