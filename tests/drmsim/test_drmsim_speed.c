/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast time: clocks run many times as fast, and waits take as small a part of
 * their time. Each wait here is one of minutes, and takes less than one.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
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

#include "base/array.h"
#include "base/protocol.h"
#include "drmsim/control.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define SPEED "1000x"
#define SECONDS 100
#define HOST_SECONDS 20

static double
seconds_of(const struct timespec *time)
{
	return (double)time->tv_sec + (double)time->tv_nsec * 1e-9;
}

static double
read_clock(clockid_t clock)
{
	struct timespec now;

	ck_assert_int_eq(clock_gettime(clock, &now), 0);
	return seconds_of(&now);
}

/* Read the clock of the host, past the library. */
static double
read_host_clock(void)
{
	struct timespec now;
	long ret;

#ifdef __x86_64__
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(SYS_clock_gettime), "D"(CLOCK_MONOTONIC),
			   "S"(&now)
			 : "rcx", "r11", "memory");
#else
	ret = syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#endif
	ck_assert_int_eq(ret, 0);
	return seconds_of(&now);
}

/* ------------------------------------------------------------------ */
/* Waits                                                                */

static const struct timespec duration = { .tv_sec = SECONDS };

static struct timespec
deadline_of(clockid_t clock)
{
	struct timespec time;

	ck_assert_int_eq(clock_gettime(clock, &time), 0);
	time.tv_sec += SECONDS;
	return time;
}

static int
wait_nanosleep(void)
{
	return nanosleep(&duration, NULL);
}

static int
wait_sleep(void)
{
	return (int)sleep(SECONDS);
}

static int
wait_usleep(void)
{
	return usleep(SECONDS * 1000000u);
}

static int
wait_clock_nanosleep(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, NULL);
}

static int
wait_until(void)
{
	const struct timespec until = deadline_of(CLOCK_REALTIME);

	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

static int
wait_poll(void)
{
	return poll(NULL, 0, SECONDS * 1000);
}

static int
wait_ppoll(void)
{
	return ppoll(NULL, 0, &duration, NULL);
}

static int
wait_select(void)
{
	struct timeval time = { .tv_sec = SECONDS };

	return select(0, NULL, NULL, NULL, &time);
}

static int
wait_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &duration, NULL);
}

static int
wait_epoll(void)
{
	int fd = epoll_create1(0), ret;
	struct epoll_event event;

	ret = epoll_wait(fd, &event, 1, SECONDS * 1000);
	close(fd);
	return ret;
}

static int
read_timer(clockid_t clock, int flags, struct timespec value)
{
	const struct itimerspec timer = { .it_value = value,
					  .it_interval = duration };
	struct itimerspec left = { 0 };
	int fd = timerfd_create(clock, 0);
	uint64_t count;

	if (timerfd_settime(fd, flags, &timer, NULL) ||
	    timerfd_gettime(fd, &left) || left.it_interval.tv_sec != SECONDS ||
	    read(fd, &count, sizeof(count)) != sizeof(count))
		return -1;
	close(fd);
	return 0;
}

static int
wait_timer(void)
{
	return read_timer(CLOCK_MONOTONIC, 0, duration);
}

static int
wait_timer_until(void)
{
	return read_timer(CLOCK_MONOTONIC, TFD_TIMER_ABSTIME,
			  deadline_of(CLOCK_MONOTONIC));
}

/* Wait for a condition; what wakes without a reason waits on. */
static int
wait_condition_by(bool monotonic, bool names_clock)
{
	const clockid_t clock = monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	const struct timespec until = deadline_of(clock);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attributes;
	pthread_cond_t condition;
	int ret = 0;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, clock);
	pthread_cond_init(&condition, &attributes);
	pthread_mutex_lock(&mutex);
	while (!ret)
		ret = names_clock ? pthread_cond_clockwait(&condition, &mutex,
							   clock, &until)
				  : pthread_cond_timedwait(&condition, &mutex,
							   &until);
	pthread_mutex_unlock(&mutex);
	return ret == ETIMEDOUT ? 0 : ret;
}

static int
wait_condition(void)
{
	return wait_condition_by(false, false);
}

static int
wait_monotonic_condition(void)
{
	return wait_condition_by(true, false);
}

static int
wait_condition_by_clock(void)
{
	return wait_condition_by(true, true);
}

static int
wait_semaphore(void)
{
	const struct timespec until = deadline_of(CLOCK_REALTIME);
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	return sem_timedwait(&semaphore, &until) && errno == ETIMEDOUT ? 0 : -1;
}

static int
wait_semaphore_by_clock(void)
{
	const struct timespec until = deadline_of(CLOCK_MONOTONIC);
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) &&
			       errno == ETIMEDOUT
		       ? 0
		       : -1;
}

static int
wait_lock(void)
{
	const struct timespec until = deadline_of(CLOCK_REALTIME);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	return pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT ? 0 : -1;
}

static int
wait_futex_for(int operation, const struct timespec *time)
{
	uint32_t word = 0;

	return syscall(SYS_futex, &word, operation, 0, time, NULL,
		       FUTEX_BITSET_MATCH_ANY) == -1 &&
			       errno == ETIMEDOUT
		       ? 0
		       : -1;
}

static int
wait_futex(void)
{
	return wait_futex_for(FUTEX_WAIT, &duration);
}

static int
wait_futex_until(void)
{
	const struct timespec until = deadline_of(CLOCK_MONOTONIC);

	return wait_futex_for(FUTEX_WAIT_BITSET, &until);
}

static const struct wait {
	const char *name;
	int (*wait)(void); /* 0: as long as was asked for */
} waits[] = {
	{ "nanosleep", wait_nanosleep },
	{ "sleep", wait_sleep },
	{ "usleep", wait_usleep },
	{ "clock_nanosleep", wait_clock_nanosleep },
	{ "clock_nanosleep until a time", wait_until },
	{ "poll", wait_poll },
	{ "ppoll", wait_ppoll },
	{ "select", wait_select },
	{ "pselect", wait_pselect },
	{ "epoll_wait", wait_epoll },
	{ "a timer", wait_timer },
	{ "a timer of a time", wait_timer_until },
	{ "a condition", wait_condition },
	{ "a monotonic condition", wait_monotonic_condition },
	{ "a condition by a clock", wait_condition_by_clock },
	{ "a semaphore", wait_semaphore },
	{ "a semaphore by a clock", wait_semaphore_by_clock },
	{ "a lock", wait_lock },
	{ "a futex", wait_futex },
	{ "a futex until a time", wait_futex_until },
};

TEST_CASE(speed, NULL, NULL, "drmsim_speed");

TEST_LOOP(speed, waits_are_short, ARRAY_SIZE(waits))
{
	const struct wait *c = &waits[_i];
	double host = read_host_clock(), now = read_clock(CLOCK_MONOTONIC);

	ck_assert_msg(!c->wait(), "%s fails", c->name);
	ck_assert_msg(read_clock(CLOCK_MONOTONIC) - now >= SECONDS,
		      "%s ends too early", c->name);
	ck_assert_msg(read_host_clock() - host < HOST_SECONDS,
		      "%s takes all of its time", c->name);
}

TEST(speed, all_clocks_agree_on_a_wait)
{
	struct timeval by_day;
	double real = read_clock(CLOCK_REALTIME);
	double boot = read_clock(CLOCK_BOOTTIME);
	double processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);

	ck_assert_int_eq(wait_nanosleep(), 0);
	gettimeofday(&by_day, NULL);
	ck_assert(read_clock(CLOCK_REALTIME) - real >= SECONDS);
	ck_assert(read_clock(CLOCK_BOOTTIME) - boot >= SECONDS);
	ck_assert((double)by_day.tv_sec + 1 - real >= SECONDS);
	ck_assert((double)time(NULL) + 1 - real >= SECONDS);
	ck_assert(read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor <
		  HOST_SECONDS);
}

/* What the simulator says of its time. */
static double
read_simulated(void)
{
	char text[64];

	ck_assert_int_eq(drmsim_command("now", text, sizeof(text)), 0);
	return strtod(text, NULL) * 1e-9;
}

TEST(speed, gpus_have_the_same_time)
{
	double simulated = read_simulated();

	ck_assert_int_eq(wait_nanosleep(), 0);
	ck_assert(read_simulated() - simulated >= SECONDS);
}

/* Begin again below the simulator. */
static int
run_simulated(char **argv)
{
	const char *build = getenv("BUILD_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/bin/drmsim", build ? build : "build");
	execl(path, path, "--time=" SPEED, "--gpu=vega10", "--", argv[0],
	      (char *)NULL);
	perror(path);
	return EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	(void)argc;
	if (!getenv(PROTOCOL_SPEED_ENV))
		return run_simulated(argv);
	return tests_run();
}
