/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/choose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool
is_refusal(int code)
{
	return code == -EACCES || code == -EPERM;
}

static bool
has_driver(const struct drmperf_device *device, const struct event_name *parts)
{
	return !strncasecmp(device->target.driver, parts->driver,
			    parts->driver_length) &&
	       !device->target.driver[parts->driver_length];
}

static int
no_device(const struct drmperf *drmperf, struct drmperf_error *error)
{
	char list[400] = "";
	size_t length = 0;
	unsigned i;

	for (i = 0; i < drmperf->device_count && length < sizeof(list); i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length,
					   "%sdevice %u is driven by %s",
					   i ? ", " : "", i,
					   drmperf->devices[i].target.driver);
	if (length)
		error_remedy(error, "%s", list);
	else
		error_remedy(error,
			     "no GPU here has the driver amdgpu, i915 or xe; "
			     "\"drmperf info\" shows those that have none or "
			     "another one, and what to do");
	return -ENODEV;
}

/* Find the device of ":device=N". */
static int
numbered_device(struct drmperf *drmperf, const struct event_name *parts,
		struct drmperf_device **out, struct drmperf_error *error)
{
	struct drmperf_device *device;

	device = drmperf_device_at(drmperf, (unsigned)parts->device);
	if (!device) {
		error_set(error, -ENODEV, "there is no device %d",
			  parts->device);
		return no_device(drmperf, error);
	}
	if (parts->driver_length && !has_driver(device, parts)) {
		error_set(error, -ENODEV, "device %d is driven by %s, not %.*s",
			  parts->device, device->target.driver,
			  (int)parts->driver_length, parts->driver);
		return no_device(drmperf, error);
	}
	*out = device;
	return 0;
}

/*
 * Return whether a device may be opened. A cgroup can forbid a device without
 * changing its node, so the node has to be opened to find out.
 */
bool
device_may_be_opened(const struct drmperf_device *device)
{
	const struct driver_target *target = &device->target;
	const char *node = *target->render ? target->render : target->primary;
	int fd;

	if (atomic_load(&device->catalog))
		return !is_refusal(device->status.code);
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return !is_refusal(-errno);
	close(fd);
	return true;
}

/* Count those that have the driver; *first becomes the first of them. */
static unsigned
count_devices(const struct drmperf *drmperf, const struct event_name *parts,
	      struct drmperf_device **first)
{
	unsigned count = 0;

	for (unsigned i = drmperf->device_count; i--;) {
		if (!has_driver(&drmperf->devices[i], parts))
			continue;
		*first = &drmperf->devices[i];
		count++;
	}
	return count;
}

/*
 * Find the first device of the driver that this process may open, so that one
 * list of events serves all processes which a batch system has given a GPU
 * each. The very first one if there is none: its error is reported.
 */
static int
named_device(struct drmperf *drmperf, const struct event_name *parts,
	     struct drmperf_device **out, struct drmperf_error *error)
{
	struct drmperf_device *first;
	unsigned count = count_devices(drmperf, parts, &first);

	if (!count) {
		error_set(error, -ENODEV, "no device is driven by %.*s",
			  (int)parts->driver_length, parts->driver);
		return no_device(drmperf, error);
	}
	*out = first;
	if (count == 1)
		return 0;
	for (unsigned i = 0; i < drmperf->device_count; i++) {
		struct drmperf_device *device = &drmperf->devices[i];

		if (has_driver(device, parts) && device_may_be_opened(device)) {
			*out = device;
			break;
		}
	}
	return 0;
}

bool
device_is_candidate(const struct drmperf_device *device,
		    const struct event_name *name)
{
	if (name->device != EVENT_NAME_NONE &&
	    device->target.index != (unsigned)name->device)
		return false;
	return !name->driver_length || has_driver(device, name);
}

int
device_count_candidates(struct drmperf *drmperf, const struct event_name *name,
			unsigned *count, struct drmperf_error *error)
{
	struct drmperf_device *device;

	*count = 0;
	for (unsigned i = 0; i < drmperf->device_count; i++)
		*count += device_is_candidate(&drmperf->devices[i], name);
	if (*count)
		return 0;
	if (name->device != EVENT_NAME_NONE)
		return numbered_device(drmperf, name, &device, error);
	if (name->driver_length)
		return named_device(drmperf, name, &device, error);
	error_set(error, -ENODEV, "this machine has no supported GPU");
	return no_device(drmperf, error);
}

struct drmperf_device *
drmperf_device_default(struct drmperf *drmperf, const char *driver)
{
	const struct event_name parts = {
		.driver = driver,
		.driver_length = strlen(driver),
	};
	struct drmperf_device *device;

	return named_device(drmperf, &parts, &device, NULL) ? NULL : device;
}
