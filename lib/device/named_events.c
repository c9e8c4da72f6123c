/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/named_events.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/lazy_load.h"
#include "device/device.h"

/* More than any name of libpfm4's with all its masks. */
#define MAX_LENGTH 1023

struct unlisted_event {
	struct catalog *catalog;
	const struct drmperf_event *event; /* the only one that it lists */
	struct unlisted_event *next;
	char name[];
};

struct named_events {
	struct drmperf_device device;
	pthread_mutex_t lock; /* of the list */
	struct unlisted_event *events;
};

static const struct driver *
find_driver(const struct drmperf *drmperf)
{
	const struct driver *const *drivers = drmperf->drivers;

	while (*drivers && !(*drivers)->describe_named)
		drivers++;
	return *drivers;
}

int
named_events_create(struct drmperf *drmperf, struct named_events **out)
{
	const struct driver *driver = find_driver(drmperf);
	struct named_events *unlisted;

	*out = NULL;
	if (!driver)
		return 0;
	unlisted = calloc(1, sizeof(*unlisted));
	if (!unlisted)
		return -ENOMEM;
	unlisted->device.drmperf = drmperf;
	unlisted->device.is_unlisted = true;
	unlisted->device.target = (struct driver_target){
		.index = UINT_MAX,
		.root = drmperf->root,
		.driver = driver->name,
		.address = "",
		.sysfs = "",
		.render = "",
		.primary = "",
		.log = drmperf->log,
	};
	pthread_mutex_init(&unlisted->device.open_lock, NULL);
	pthread_mutex_init(&unlisted->lock, NULL);
	*out = unlisted;
	return 0;
}

void
named_events_destroy(struct named_events *unlisted)
{
	struct unlisted_event *event, *next;

	if (!unlisted)
		return;
	for (event = unlisted->events; event; event = next) {
		next = event->next;
		catalog_destroy(event->catalog);
		free(event);
	}
	device_close(&unlisted->device);
	free(unlisted);
}

bool
named_events_may_have(const struct drmperf *drmperf, const char *name)
{
	const char *separator = strstr(name, "::");
	size_t length = separator ? (size_t)(separator - name) : 0, i;

	if (!drmperf->unlisted || !length ||
	    strnlen(name, MAX_LENGTH + 1) > MAX_LENGTH)
		return false;
	for (i = 0; drmperf->drivers[i]; i++) {
		const struct driver *driver = drmperf->drivers[i];

		if (driver->name && !driver->describe_named &&
		    !strncmp(driver->name, name, length) &&
		    !driver->name[length])
			return false;
	}
	return true;
}

/* Make a catalog of one event. */
static int
make_catalog(struct drmperf_device *device, const char *name,
	     struct catalog **out, struct drmperf_error *error)
{
	const struct attached_driver *attached = &device->attached[0];
	struct description description;
	int ret;

	if (description_init(&description))
		return error_set(error, -ENOMEM, "no memory");
	ret = attached->driver->describe_named(attached->device, name,
					       &description, error);
	if (!ret)
		ret = catalog_create(&description, device->target.driver,
				     device, &device->target.log, out, error);
	if (ret) {
		description_finish(&description);
		return ret;
	}
	return 0;
}

/* Name an event as it was asked for. */
static int
name_event(struct unlisted_event *event, struct drmperf_error *error)
{
	const struct catalog_list *list = catalog_list(event->catalog);

	if (!list)
		return error_set(error, -ENOMEM, "no memory");
	event->event = list->events[0];
	event->catalog->numbered[event->event->number]->name = event->name;
	return 0;
}

static int
add_event(struct named_events *unlisted, const char *name,
	  struct unlisted_event **out, struct drmperf_error *error)
{
	size_t size = strlen(name) + 1;
	struct unlisted_event *event = calloc(1, sizeof(*event) + size);
	int ret;

	if (!event)
		return error_set(error, -ENOMEM, "no memory");
	memcpy(event->name, name, size);
	ret = make_catalog(&unlisted->device, event->name, &event->catalog,
			   error);
	if (!ret)
		ret = name_event(event, error);
	if (ret) {
		catalog_destroy(event->catalog);
		free(event);
		return ret;
	}
	event->next = unlisted->events;
	unlisted->events = event;
	*out = event;
	return 0;
}

int
named_events_find(struct named_events *unlisted, const char *name,
		  const struct drmperf_event **out, struct drmperf_error *error)
{
	struct unlisted_event *event;
	int ret;

	ret = drmperf_device_open(&unlisted->device, error);
	if (ret)
		return ret;
	pthread_mutex_lock(&unlisted->lock);
	event = unlisted->events;
	while (event && strcmp(event->name, name))
		event = event->next;
	if (!event)
		ret = add_event(unlisted, name, &event, error);
	pthread_mutex_unlock(&unlisted->lock);
	if (!ret)
		*out = event->event;
	return ret;
}
