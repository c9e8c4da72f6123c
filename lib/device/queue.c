/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues that others submit to.
 */
#include <errno.h>

#include "base/cancellation.h"
#include "device/device.h"
#include "drmperf.h"

static const struct attached_driver *
find_driver(const struct drmperf_device *device)
{
	for (size_t i = 0; i < device->attached_count; i++) {
		if (device->attached[i].driver->queue_commands)
			return &device->attached[i];
	}
	return NULL;
}

int
drmperf_device_queue_commands(struct drmperf_device *device, bool counts,
			      uint32_t *words, size_t size, size_t *count,
			      struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct attached_driver *attached;
	size_t needed;
	int ret = drmperf_device_open(device, error);

	if (ret)
		return ret;
	attached = find_driver(device);
	if (!attached)
		return error_set(
			error, -ENOTSUP,
			"the driver %s of device %u has no queues that "
			"are made to count",
			drmperf_device_driver(device),
			drmperf_device_index(device));
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
