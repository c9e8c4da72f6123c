/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c] */
#include "xe/oa_change.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "intel/oa_config.h"
#include "kernel/fence.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/device.h"
#include "xe/oa_syncs.h"

struct sim_xe_change {
	struct sim_xe_change *next; /* in the order of their beginnings */
	uint32_t number;
	struct sim_xe_change_setup setup; /* its syncs are those below */
	struct sim_xe_syncs syncs;
	struct sim_fence *done;
	bool written;
	uint64_t end; /* once it is written */
};

static void
change_free(struct sim_xe_change *change)
{
	if (change->setup.config)
		sim_oa_config_put(change->setup.config);
	sim_xe_syncs_free(&change->syncs);
	sim_fence_put(change->done);
	free(change);
}

/*
 * Return whether a change can be written: an engine takes up those of one unit
 * in their order.
 */
static bool
can_be_written(const struct sim_xe *device, const struct sim_xe_change *change)
{
	const struct sim_xe_change *before = device->changes;

	if (change->written || device->oa.engine_held ||
	    !sim_xe_syncs_are_ready(&change->syncs))
		return false;
	for (; before != change; before = before->next) {
		if (before->setup.unit == change->setup.unit &&
		    !before->written)
			return false;
	}
	return true;
}

static void
write_change(struct sim_xe *device, struct sim_xe_change *change)
{
	const struct sim_xe_change_setup *setup = &change->setup;

	change->written = true;
	change->end = sim_now(device->gpu->sim) + device->oa.settle_ns;
	if (setup->config)
		setup->write(device, setup->unit, setup->config);
	/* one that sleeps until it ends knows now when that is */
	sim_wake(device->gpu->sim);
}

static void
end_change(struct sim_xe *device, struct sim_xe_change *change)
{
	sim_xe_syncs_write_user_fence(&change->syncs);
	sim_fence_signal(change->done, 0);
	sim_wake(device->gpu->sim);
	change_free(change);
}

void
sim_xe_changes_advance(struct sim_xe *device)
{
	const uint64_t now = sim_now(device->gpu->sim);
	struct sim_xe_change **p = &device->changes, *change;

	while ((change = *p)) {
		if (can_be_written(device, change))
			write_change(device, change);
		if (change->written && change->end <= now) {
			*p = change->next;
			end_change(device, change);
		} else {
			p = &change->next;
		}
	}
}

static void
append_change(struct sim_xe *device, struct sim_xe_change *change)
{
	struct sim_xe_change **p = &device->changes;

	while (*p)
		p = &(*p)->next;
	*p = change;
	/* it is the positive result of a call */
	if (device->last_change == INT32_MAX)
		device->last_change = 0;
	change->number = ++device->last_change;
}

/* Returns 0, or -ENOMEM; what it has by then goes with change_free(). */
static int
change_init(struct sim_xe_change *change, struct sim_xe *device,
	    const struct sim_xe_change_setup *setup)
{
	change->setup = *setup;
	if (setup->config)
		sim_oa_config_get(setup->config);
	change->done = sim_fence_create(device->gpu->sim);
	if (!change->done)
		return -ENOMEM;
	return sim_xe_syncs_put_fence(&change->syncs, setup->file,
				      change->done);
}

int
sim_xe_change_begin(struct sim_xe *device,
		    const struct sim_xe_change_setup *setup)
{
	struct sim_xe_change *change = calloc(1, sizeof(*change));
	int error, number;

	if (!change) {
		sim_xe_syncs_free(setup->syncs);
		return -ENOMEM;
	}
	change->syncs = *setup->syncs;
	error = change_init(change, device, setup);
	if (error) {
		change_free(change);
		return error;
	}
	append_change(device, change);
	number = (int)change->number;
	sim_xe_changes_advance(device);
	return number;
}

uint64_t
sim_xe_changes_next(const struct sim_xe *device)
{
	uint64_t next = SIM_NEVER;

	for (const struct sim_xe_change *change = device->changes; change;
	     change = change->next) {
		if (can_be_written(device, change))
			return sim_now(device->gpu->sim);
		if (change->written && change->end < next)
			next = change->end;
	}
	return next;
}

uint64_t
sim_xe_change_end(const struct sim_xe *device, uint32_t number)
{
	const struct sim_xe_change *change = device->changes;

	while (change && change->number != number)
		change = change->next;
	if (!change)
		return 0;
	return change->written ? change->end : sim_xe_changes_next(device);
}

void
sim_xe_changes_drop(struct sim_xe *device)
{
	struct sim_xe_change *change;

	while ((change = device->changes)) {
		device->changes = change->next;
		change_free(change);
	}
}
