/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clocks of a device: asking for them, and holding a mode.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cancellation.h"
#include "device/device.h"
#include "drmperf.h"

struct drmperf_clock_hold {
	struct drmperf *drmperf;
	const struct driver *driver;
	void *hold; /* the driver's */
};

/* Open the device and find its driver that has clock modes. */
static int
open_driver(struct drmperf_device *device, const struct attached_driver **out,
	    struct drmperf_error *error)
{
	int ret = drmperf_device_open(device, error);

	if (ret)
		return ret;
	for (size_t i = 0; i < device->attached_count; i++) {
		*out = &device->attached[i];
		if ((*out)->driver->clocks)
			return 0;
	}
	return error_set(error, -ENOTSUP,
			 "the driver %s of device %u has no clock modes",
			 drmperf_device_driver(device),
			 drmperf_device_index(device));
}

int
drmperf_device_clocks(struct drmperf_device *device, struct drmperf_clocks *out,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct attached_driver *attached;
	struct drmperf_clocks clocks = { 0 };
	int ret = 0;

	if (out->size < sizeof(*out))
		ret = error_set(error, -EINVAL,
				"struct drmperf_clocks has no size");
	if (!ret)
		ret = open_driver(device, &attached, error);
	if (!ret)
		ret = attached->driver->clocks(attached->device, &clocks,
					       error);
	if (ret)
		return ret;
	clocks.size = out->size;
	*out = clocks;
	return 0;
}

int
drmperf_device_hold_clocks(struct drmperf_device *device,
			   enum drmperf_clock_mode mode,
			   struct drmperf_clock_hold **out,
			   struct drmperf_error *error)
{
	NO_CANCELLATION;
	const struct attached_driver *attached;
	struct drmperf_clock_hold *hold;
	int ret;

	if (mode <= DRMPERF_CLOCK_AUTO || mode > DRMPERF_CLOCK_PEAK)
		return error_set(error, -EINVAL, "no clock mode to hold");
	ret = open_driver(device, &attached, error);
	if (ret)
		return ret;
	hold = calloc(1, sizeof(*hold));
	if (!hold)
		return error_set(error, -ENOMEM, "no memory");
	hold->drmperf = device->drmperf;
	hold->driver = attached->driver;
	ret = attached->driver->hold_clocks(attached->device, mode, &hold->hold,
					    error);
	if (ret)
		free(hold);
	else
		*out = hold;
	return ret;
}

void
drmperf_clock_hold_release(struct drmperf_clock_hold *hold)
{
	NO_CANCELLATION;
	if (!hold)
		return;
	hold->driver->release_clocks(
		hold->hold, fork_guard_is_child(&hold->drmperf->guard));
	free(hold);
}
