/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of the instructions that a device runs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "device/device.h"
#include "drmperf.h"

struct drmperf_sampling {
	struct drmperf *drmperf;
	const struct sampling_ops *ops;
	void *samples; /* the driver's */
	const struct drmperf_sampling_info *info;
};

/* Return whether a driver of the device's can; no device need be open. */
static bool
can_sample(const struct drmperf_device *device)
{
	const struct driver *const *drivers = device->drmperf->drivers;

	for (; *drivers; drivers++) {
		if ((*drivers)->sampling && (*drivers)->name &&
		    !strcmp((*drivers)->name, device->target.driver))
			return true;
	}
	return false;
}

static int
explain_no_samples(const struct drmperf_device *device,
		   struct drmperf_error *error)
{
	error_set(error, -ENOTSUP,
		  "the driver %s of device %u has no samples of instructions",
		  device->target.driver, device->target.index);
	error_remedy(error,
		     "xe has samples of EU stalls, of Intel GPUs from Lunar "
		     "Lake and Battlemage on and of Ponte Vecchio");
	return -ENOTSUP;
}

/* Find the driver of an open device that has samples; NULL if none has. */
static const struct attached_driver *
find_driver(const struct drmperf_device *device)
{
	for (size_t i = 0; i < device->attached_count; i++) {
		if (device->attached[i].driver->sampling)
			return &device->attached[i];
	}
	return NULL;
}

static int
open_samples(struct drmperf_device *device, uint64_t period_cycles,
	     struct drmperf_sampling *sampling, struct drmperf_error *error)
{
	const struct attached_driver *attached;
	int ret = drmperf_device_open(device, error);

	if (ret)
		return ret;
	attached = find_driver(device);
	if (!attached) {
		/* its own driver could not look at the GPU, and said why */
		ret = drmperf_device_status(device, error);
		return ret ? ret : explain_no_samples(device, error);
	}
	sampling->drmperf = device->drmperf;
	sampling->ops = attached->driver->sampling;
	return sampling->ops->open(attached->device, period_cycles,
				   &sampling->samples, &sampling->info, error);
}

int
drmperf_sampling_create(struct drmperf_device *device,
			const struct drmperf_sampling_options *options,
			struct drmperf_sampling **out,
			struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct drmperf_sampling_options taken;
	struct drmperf_sampling *sampling;
	int ret = fork_guard_check(&device->drmperf->guard, error);

	if (!ret)
		ret = options_take(options, &taken, sizeof(taken), "sampling",
				   error);
	if (ret)
		return ret;
	if (!can_sample(device))
		return explain_no_samples(device, error);
	sampling = calloc(1, sizeof(*sampling));
	if (!sampling)
		return error_set(error, -ENOMEM, "no memory");
	ret = open_samples(device, taken.period_cycles, sampling, error);
	if (ret)
		free(sampling);
	else
		*out = sampling;
	return ret;
}

void
drmperf_sampling_destroy(struct drmperf_sampling *sampling)
{
	NO_CANCELLATION;
	if (!sampling)
		return;
	sampling->ops->close(sampling->samples);
	free(sampling);
}

const struct drmperf_sampling_info *
drmperf_sampling_info(const struct drmperf_sampling *sampling)
{
	return sampling->info;
}

int
drmperf_sampling_fd(const struct drmperf_sampling *sampling)
{
	return sampling->ops->fd(sampling->samples);
}

int
drmperf_sampling_read(struct drmperf_sampling *sampling,
		      drmperf_samples_fn receive, void *data,
		      struct drmperf_error *error)
{
	NO_CANCELLATION;
	int ret = fork_guard_check(&sampling->drmperf->guard, error);

	return ret ? ret
		   : sampling->ops->read(sampling->samples, receive, data,
					 error);
}
