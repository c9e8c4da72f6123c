/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/any_event.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"

/* Longer than any name of an event. */
#define NAME_SIZE 1200

int
next_event_find(struct drmperf_device *device, const char **names,
		const struct drmperf_event **out, struct drmperf_error *error)
{
	size_t length = strcspn(*names, " ");
	struct drmperf_selection selection;
	char full[NAME_SIZE];
	int err;

	if (!length)
		return -ENOENT;
	snprintf(full, sizeof(full), "%s::%.*s:device=%u",
		 device->target.driver, (int)length, *names,
		 device->target.index);
	*names += length;
	*names += strspn(*names, " ");
	/* no error: near names to an absent one would be looked up in vain */
	err = drmperf_event_find(device->drmperf, full, &selection, NULL);
	if (err && err != -ENOENT && err != -EINVAL)
		err = drmperf_event_find(device->drmperf, full, &selection,
					 error);
	if (!err)
		*out = selection.event;
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
