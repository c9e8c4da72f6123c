/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library for programs in fast time (drmsim --time 60x): the clocks that they
 * read run as many times as fast as the host's, and what they wait takes as
 * small a part of its time. Preloaded before all others, and in fast time only.
 *
 * A clock has advanced with the host's by the start, and is ahead of it by
 * (factor - 1) times the time since then. Nothing waits for anybody else, so
 * that nothing can hang: a program that takes processor's time or waits by ways
 * not listed here merely finds that much more time gone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/protocol.h"

#define EXPORT __attribute__((visibility("default")))

#define SECOND INT64_C(1000000000)
/* Times of clocks that begin when a machine does are below that. */
#define REALTIME_SECONDS 1000000000

static int64_t started, factor = 1;

/* The functions of the next library in line. */
static struct {
	int (*clock_gettime)(clockid_t, struct timespec *);
	int (*clock_nanosleep)(clockid_t, int, const struct timespec *,
			       struct timespec *);
	int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *,
		     const sigset_t *);
	int (*pselect)(int, fd_set *, fd_set *, fd_set *,
		       const struct timespec *, const sigset_t *);
	int (*epoll_pwait)(int, struct epoll_event *, int, int,
			   const sigset_t *);
	int (*timerfd_settime)(int, int, const struct itimerspec *,
			       struct itimerspec *);
	int (*timerfd_gettime)(int, struct itimerspec *);
	int (*cond_timedwait)(pthread_cond_t *, pthread_mutex_t *,
			      const struct timespec *);
	int (*cond_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
			      const struct timespec *);
	int (*sem_timedwait)(sem_t *, const struct timespec *);
	int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
	int (*mutex_timedlock)(pthread_mutex_t *, const struct timespec *);
	long (*syscall)(long, ...);
} next;

static void
resolve_next(void *slot, const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	memcpy(slot, &function, sizeof(function));
}

/* Constructors of other libraries may come before that of this one. */
static void
speed_need(void)
{
	const char *value;

	if (next.clock_gettime)
		return;
	resolve_next(&next.clock_nanosleep, "clock_nanosleep");
	resolve_next(&next.ppoll, "ppoll");
	resolve_next(&next.pselect, "pselect");
	resolve_next(&next.epoll_pwait, "epoll_pwait");
	resolve_next(&next.timerfd_settime, "timerfd_settime");
	resolve_next(&next.timerfd_gettime, "timerfd_gettime");
	resolve_next(&next.cond_timedwait, "pthread_cond_timedwait");
	resolve_next(&next.cond_clockwait, "pthread_cond_clockwait");
	resolve_next(&next.sem_timedwait, "sem_timedwait");
	resolve_next(&next.sem_clockwait, "sem_clockwait");
	resolve_next(&next.mutex_timedlock, "pthread_mutex_timedlock");
	resolve_next(&next.syscall, "syscall");
	value = secure_getenv(PROTOCOL_SPEED_ENV);
	if (value) {
		factor = strtoll(value, (char **)&value, 10);
		started = strtoll(value, NULL, 10);
	}
	if (factor < 1)
		factor = 1;
	/* the last one shows that all are there */
	resolve_next(&next.clock_gettime, "clock_gettime");
}

__attribute__((constructor)) static void
on_start(void)
{
	speed_need();
}

/* ---- times */

static int64_t
to_ns(const struct timespec *time)
{
	return time->tv_sec * SECOND + time->tv_nsec;
}

static struct timespec
to_timespec(int64_t ns)
{
	if (ns < 0)
		ns = 0;
	return (struct timespec){ .tv_sec = ns / SECOND,
				  .tv_nsec = ns % SECOND };
}

static bool
is_valid(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_sec < INT64_MAX / SECOND / 2 &&
	       time->tv_nsec >= 0 && time->tv_nsec < SECOND;
}

static int64_t
host_now(clockid_t clock)
{
	struct timespec now;

	next.clock_gettime(clock, &now);
	return to_ns(&now);
}

static bool
is_wall_clock(clockid_t clock)
{
	return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID &&
	       clock != CLOCK_THREAD_CPUTIME_ID;
}

/* Return by how much clocks are ahead of the host's. */
static int64_t
time_ahead(void)
{
	return (host_now(CLOCK_MONOTONIC) - started) * (factor - 1);
}

/* Return how long a program that waits for this time is to wait. */
static struct timespec
shorten_time(const struct timespec *time)
{
	return is_valid(time) ? to_timespec((to_ns(time) + factor - 1) / factor)
			      : *time;
}

static struct timespec
lengthen_time(const struct timespec *time)
{
	return to_timespec(to_ns(time) * factor);
}

/* Return when a clock of the host's is there that is this far for programs. */
static struct timespec
host_deadline(clockid_t clock, const struct timespec *time)
{
	int64_t now = host_now(clock), left;

	if (!is_valid(time))
		return *time;
	left = to_ns(time) - now - time_ahead();
	return to_timespec(now + left / factor + (left > 0));
}

/* Guess the clock of a time whose caller does not name it. */
static clockid_t
guess_clock(const struct timespec *time)
{
	return time->tv_sec < REALTIME_SECONDS ? CLOCK_MONOTONIC
					       : CLOCK_REALTIME;
}

/* ---- clocks */

EXPORT int
clock_gettime(clockid_t clock, struct timespec *time)
{
	int ret;

	speed_need();
	ret = next.clock_gettime(clock, time);
	if (!ret && is_wall_clock(clock))
		*time = to_timespec(to_ns(time) + time_ahead());
	return ret;
}

EXPORT int
gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	struct timespec now;

	(void)zone;
	if (!clock_gettime(CLOCK_REALTIME, &now))
		*time = (struct timeval){ .tv_sec = now.tv_sec,
					  .tv_usec = now.tv_nsec / 1000 };
	return 0;
}

EXPORT time_t
time(time_t *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

/* ---- sleep */

EXPORT int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
		struct timespec *left)
{
	struct timespec host;
	int ret;

	speed_need();
	if (!is_wall_clock(clock))
		return next.clock_nanosleep(clock, flags, time, left);
	host = flags & TIMER_ABSTIME ? host_deadline(clock, time)
				     : shorten_time(time);
	ret = next.clock_nanosleep(clock, flags, &host, left);
	if (ret == EINTR && left && !(flags & TIMER_ABSTIME))
		*left = lengthen_time(left);
	return ret;
}

EXPORT int
nanosleep(const struct timespec *time, struct timespec *left)
{
	int ret = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

	if (!ret)
		return 0;
	errno = ret;
	return -1;
}

EXPORT unsigned
sleep(unsigned seconds)
{
	struct timespec time = { .tv_sec = seconds };

	return nanosleep(&time, &time) ? (unsigned)time.tv_sec : 0;
}

EXPORT int
usleep(useconds_t us)
{
	const struct timespec time = to_timespec(us * INT64_C(1000));

	return nanosleep(&time, NULL);
}

/* ---- files */

EXPORT int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time,
      const sigset_t *mask)
{
	struct timespec host;

	speed_need();
	if (time)
		host = shorten_time(time);
	return next.ppoll(fds, count, time ? &host : NULL, mask);
}

EXPORT int
poll(struct pollfd *fds, nfds_t count, int ms)
{
	const struct timespec time = to_timespec(ms * INT64_C(1000000));

	return ppoll(fds, count, ms < 0 ? NULL : &time, NULL);
}

/* What programs call that were compiled with checks. */
int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *time,
	    const sigset_t *mask, size_t size);
int
__poll_chk(struct pollfd *fds, nfds_t count, int ms, size_t size);

EXPORT int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *time,
	    const sigset_t *mask, size_t size)
{
	if (size / sizeof(*fds) < count)
		abort();
	return ppoll(fds, count, time, mask);
}

EXPORT int
__poll_chk(struct pollfd *fds, nfds_t count, int ms, size_t size)
{
	if (size / sizeof(*fds) < count)
		abort();
	return poll(fds, count, ms);
}

EXPORT int
pselect(int count, fd_set *in, fd_set *out, fd_set *except,
	const struct timespec *time, const sigset_t *mask)
{
	struct timespec host;

	speed_need();
	if (time)
		host = shorten_time(time);
	return next.pselect(count, in, out, except, time ? &host : NULL, mask);
}

EXPORT int
select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *time)
{
	struct timespec duration;

	if (!time)
		return pselect(count, in, out, except, NULL, NULL);
	duration = (struct timespec){ .tv_sec = time->tv_sec,
				      .tv_nsec = time->tv_usec * 1000 };
	/* normalized, as the kernel does */
	duration.tv_sec += duration.tv_nsec / SECOND;
	duration.tv_nsec %= SECOND;
	return pselect(count, in, out, except, &duration, NULL);
}

EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int count, int ms,
	    const sigset_t *mask)
{
	speed_need();
	if (ms > 0)
		ms = (int)((ms + factor - 1) / factor);
	return next.epoll_pwait(fd, events, count, ms, mask);
}

EXPORT int
epoll_wait(int fd, struct epoll_event *events, int count, int ms)
{
	return epoll_pwait(fd, events, count, ms, NULL);
}

static void
lengthen_timer(struct itimerspec *timer)
{
	timer->it_value = lengthen_time(&timer->it_value);
	timer->it_interval = lengthen_time(&timer->it_interval);
}

EXPORT int
timerfd_settime(int fd, int flags, const struct itimerspec *timer,
		struct itimerspec *old)
{
	struct itimerspec host;
	int ret;

	speed_need();
	host.it_interval = shorten_time(&timer->it_interval);
	host.it_value = shorten_time(&timer->it_value);
	if ((flags & TFD_TIMER_ABSTIME) && to_ns(&timer->it_value))
		host.it_value = host_deadline(guess_clock(&timer->it_value),
					      &timer->it_value);
	ret = next.timerfd_settime(fd, flags, &host, old);
	if (!ret && old)
		lengthen_timer(old);
	return ret;
}

EXPORT int
timerfd_gettime(int fd, struct itimerspec *timer)
{
	int ret;

	speed_need();
	ret = next.timerfd_gettime(fd, timer);
	if (!ret)
		lengthen_timer(timer);
	return ret;
}

/* ---- other threads */

EXPORT int
pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
		       const struct timespec *time)
{
	struct timespec host;

	speed_need();
	host = host_deadline(guess_clock(time), time);
	return next.cond_timedwait(cond, mutex, &host);
}

EXPORT int
pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
		       clockid_t clock, const struct timespec *time)
{
	struct timespec host;

	speed_need();
	host = host_deadline(clock, time);
	return next.cond_clockwait(cond, mutex, clock, &host);
}

EXPORT int
sem_timedwait(sem_t *sem, const struct timespec *time)
{
	struct timespec host;

	speed_need();
	host = host_deadline(CLOCK_REALTIME, time);
	return next.sem_timedwait(sem, &host);
}

EXPORT int
sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *time)
{
	struct timespec host;

	speed_need();
	host = host_deadline(clock, time);
	return next.sem_clockwait(sem, clock, &host);
}

EXPORT int
pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
	struct timespec host;

	speed_need();
	host = host_deadline(CLOCK_REALTIME, time);
	return next.mutex_timedlock(mutex, &host);
}

/* Return the time that a futex waits for, or NULL: it waits for none. */
static const struct timespec *
shorten_futex(int operation, const struct timespec *time, struct timespec *room)
{
	const clockid_t clock = operation & FUTEX_CLOCK_REALTIME
					? CLOCK_REALTIME
					: CLOCK_MONOTONIC;

	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		*room = shorten_time(time);
		return room;
	case FUTEX_WAIT_BITSET:
		*room = host_deadline(clock, time);
		return room;
	}
	return time;
}

EXPORT long
syscall(long number, ...)
{
	struct timespec time;
	long argument[6];
	va_list list;

	va_start(list, number);
	for (unsigned i = 0; i < 6; i++)
		argument[i] = va_arg(list, long);
	va_end(list);
	speed_need();
	if (number == SYS_futex && argument[3])
		argument[3] = (long)shorten_futex(
			(int)argument[1], (const struct timespec *)argument[3],
			&time);
	return next.syscall(number, argument[0], argument[1], argument[2],
			    argument[3], argument[4], argument[5]);
}
