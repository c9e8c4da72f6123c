/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/share/waited_time.h"

int
__real_clock_gettime(clockid_t clock, struct timespec *out);
int
__wrap_clock_gettime(clockid_t clock, struct timespec *out);
int
__real_nanosleep(const struct timespec *time, struct timespec *left);
int
__wrap_nanosleep(const struct timespec *time, struct timespec *left);
void
__real_futex_wait(const _Atomic uint32_t *word, uint32_t value, uint64_t ns);
void
__wrap_futex_wait(const _Atomic uint32_t *word, uint32_t value, uint64_t ns);
void
__real_futex_wake(const _Atomic uint32_t *word, int count);
void
__wrap_futex_wake(const _Atomic uint32_t *word, int count);

struct waited_time waited_time;

int
__wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	if (!waited_time.is_made_up)
		return __real_clock_gettime(clock, out);
	*out = waited_time.since;
	out->tv_sec += waited_time.ns / SECOND;
	out->tv_nsec += waited_time.ns % SECOND;
	if (out->tv_nsec >= SECOND) {
		out->tv_nsec -= SECOND;
		out->tv_sec++;
	}
	return 0;
}

int
__wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	if (!waited_time.is_made_up)
		return __real_nanosleep(time, left);
	waited_time.ns += time->tv_sec * SECOND + time->tv_nsec;
	return 0;
}

void
__wrap_futex_wait(const _Atomic uint32_t *word, uint32_t value, uint64_t ns)
{
	waited_time.waits++;
	if (waited_time.is_made_up)
		waited_time.ns += (int64_t)ns;
	else
		__real_futex_wait(word, value, ns);
}

void
__wrap_futex_wake(const _Atomic uint32_t *word, int count)
{
	waited_time.wakes++;
	__real_futex_wake(word, count);
}

void
waited_time_begin(void)
{
	__real_clock_gettime(CLOCK_MONOTONIC, &waited_time.since);
	waited_time.ns = 0;
	waited_time.is_made_up = true;
}

void
waited_time_sleep(const struct timespec *time)
{
	__real_nanosleep(time, NULL);
}
