/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/any_event.h"

#include <errno.h>
#include <string.h>

#include "catalog/find.h"
#include "catalog/resolve.h"
#include "device/device.h"

int
next_event_find(struct drmperf_device *device, const char **names,
		const struct drmperf_event **out, struct drmperf_error *error)
{
	const char *name = *names;
	size_t length = strcspn(name, " ");
	const struct catalog_value *value;
	const struct drmperf_event *event;
	int err;

	if (!length)
		return -ENOENT;
	*names += length;
	*names += strspn(*names, " ");
	err = catalog_find_listed(atomic_load(&device->catalog), name, length,
				  &event, error);
	if (!err)
		err = catalog_resolve(event, &value, error);
	if (!err)
		*out = event;
	return err == -EINVAL ? -ENOENT : err;
}

int
any_event_find(struct drmperf_device *device, const char *names,
	       const struct drmperf_event **out, struct drmperf_error *error)
{
	int err = -ENOENT;

	while (err == -ENOENT && *names)
		err = next_event_find(device, &names, out, error);
	return err;
}
