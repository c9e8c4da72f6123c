/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_wait_user_fence.c] */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/operations.h"
#include "xe/uapi.h"

static bool
is_passed(const struct sim_xe_wait *wait, uint64_t now)
{
	const uint64_t left = now & wait->mask;
	const uint64_t right = wait->value & wait->mask;

	switch (wait->operation) {
	case SIM_XE_WAIT_EQUAL:
		return left == right;
	case SIM_XE_WAIT_DIFFERENT:
		return left != right;
	case SIM_XE_WAIT_GREATER:
		return left > right;
	case SIM_XE_WAIT_GREATER_EQUAL:
		return left >= right;
	case SIM_XE_WAIT_LESS:
		return left < right;
	default:
		return left <= right;
	}
}

static int
check_wait(const struct sim_xe_wait *wait)
{
	if (wait->extensions || wait->pad || wait->pad2 || wait->reserved[0] ||
	    wait->reserved[1] || (wait->flags & ~SIM_XE_WAIT_ABSOLUTE) ||
	    wait->operation > SIM_XE_WAIT_LESS_EQUAL ||
	    wait->address % sizeof(uint64_t))
		return -EINVAL;
	/* there are no queues */
	return wait->queue ? -ENOENT : 0;
}

static uint64_t
find_deadline(struct sim_call *call, const struct sim_xe_wait *wait)
{
	if (wait->timeout < 0)
		return SIM_NEVER;
	if (wait->flags & SIM_XE_WAIT_ABSOLUTE)
		return sim_call_deadline(call, wait->timeout);
	return sim_call_timeout(call, (uint64_t)wait->timeout);
}

/* Store the rest of a duration for the caller. */
static void
put_rest(const struct sim_call *call, uint64_t deadline,
	 struct sim_xe_wait *wait)
{
	const uint64_t now = sim_now(call->sim);

	if (wait->flags & SIM_XE_WAIT_ABSOLUTE)
		return;
	if (wait->timeout < 0)
		wait->timeout = INT64_MAX;
	else
		wait->timeout = deadline > now ? (int64_t)(deadline - now) : 0;
}

/*
 * Wait for a user fence. A wait whose time is over ends in ETIME, also if the
 * value is there by then: so one of no time cannot succeed.
 */
int
sim_xe_wait_user_fence(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct sim_xe_wait *wait = arg;
	uint64_t deadline, value;
	int error = check_wait(wait);

	if (error)
		return error;
	deadline = find_deadline(call, wait);
	error = sim_call_get(call, &value, wait->address, sizeof(value));
	if (!error && (call->timed_out || deadline <= sim_now(call->sim)))
		error = -ETIME;
	if (!error && !is_passed(wait, value))
		return sim_call_sleep(call, deadline,
				      file->gpu->driver->next(file->gpu));
	put_rest(call, deadline, wait);
	return error;
}
