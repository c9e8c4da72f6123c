/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/stream/upset.h"

#include <errno.h>
#include <time.h>

#include "driver/oa/gpu.h"
#include "driver/oa/stream/source.h"

/* No machine sleeps for less; clocks do not agree to the nanosecond. */
#define SHORTEST_SLEEP_NS 1000000

static uint64_t
read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * CLOCK_BOOTTIME counts sleep and CLOCK_MONOTONIC does not. They are read one
 * after the other, and the thread may be kept waiting in between.
 */
static uint64_t
slept_at_most(void)
{
	const uint64_t awake = read_clock(CLOCK_MONOTONIC);

	return read_clock(CLOCK_BOOTTIME) - awake;
}

static uint64_t
slept_at_least(void)
{
	const uint64_t all = read_clock(CLOCK_BOOTTIME);
	const uint64_t awake = read_clock(CLOCK_MONOTONIC);

	return all > awake ? all - awake : 0;
}

/* 0 where the kernel does not tell. */
static uint64_t
count_resets(struct oa_gpu *gpu)
{
	return gpu->source->resets ? gpu->source->resets(gpu) : 0;
}

void
upset_watch_begin(struct upset_watch *watch, struct oa_gpu *gpu)
{
	*watch = (struct upset_watch){
		.gpu = gpu,
		.slept_ns = slept_at_most(),
		.resets = count_resets(gpu),
	};
}

int
upset_watch_look(const struct upset_watch *watch)
{
	if (slept_at_least() > watch->slept_ns + SHORTEST_SLEEP_NS)
		return -ESTALE;
	return count_resets(watch->gpu) == watch->resets ? 0 : -ECANCELED;
}
