/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues that others submit to.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cancellation.h"
#include "device/device.h"
#include "drmperf.h"

struct drmperf_queue_hold {
	struct drmperf *drmperf;
	const struct driver *driver;
	void *hold; /* the driver's */
};

/* Open the device and find its driver that has such queues. */
static int
open_driver(struct drmperf_device *device, const struct attached_driver **out,
	    struct drmperf_error *error)
{
	int ret = drmperf_device_open(device, error);

	if (ret)
		return ret;
	for (size_t i = 0; i < device->attached_count; i++) {
		*out = &device->attached[i];
		if ((*out)->driver->queue_commands)
			return 0;
	}
	return error_set(error, -ENOTSUP,
			 "the driver %s of device %u has no queues that are "
			 "made to count",
			 drmperf_device_driver(device),
			 drmperf_device_index(device));
}

int
drmperf_device_queue_commands(struct drmperf_device *device, bool counts,
			      uint32_t *words, size_t size, size_t *count,
			      struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct attached_driver *attached;
	size_t needed;
	int ret = open_driver(device, &attached, error);

	if (ret)
		return ret;
	attached->driver->queue_commands(attached->device, counts, NULL,
					 &needed);
	if (words && needed > size)
		return error_set(error, -ENOSPC,
				 "the commands are %zu words long", needed);
	if (words)
		attached->driver->queue_commands(attached->device, counts,
						 words, &needed);
	*count = needed;
	return 0;
}

int
drmperf_device_hold_queues(struct drmperf_device *device,
			   struct drmperf_queue_hold **out,
			   struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct attached_driver *attached;
	struct drmperf_queue_hold *hold;
	int ret = open_driver(device, &attached, error);

	if (ret)
		return ret;
	hold = malloc(sizeof(*hold));
	if (!hold)
		return error_set(error, -ENOMEM, "no memory");
	hold->drmperf = device->drmperf;
	hold->driver = attached->driver;
	ret = hold->driver->hold_queues(attached->device, &hold->hold, error);
	if (ret)
		free(hold);
	else
		*out = hold;
	return ret;
}

void
drmperf_queue_hold_release(struct drmperf_queue_hold *hold)
{
	NO_CANCELLATION;
	if (!hold)
		return;
	hold->driver->release_queues(
		hold->hold, fork_guard_is_child(&hold->drmperf->guard));
	free(hold);
}
