/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "base/cancellation.h"
#include "base/fork_guard.h"
#include "catalog/catalog.h"
#include "catalog/lazy_load.h"
#include "device/device.h"
#include "drmperf.h"

size_t
drmperf_group_count(const struct drmperf_device *device)
{
	const struct catalog *catalog = atomic_load(&device->catalog);

	return catalog ? catalog->description.group_count : 0;
}

const struct drmperf_group *
drmperf_group_at(const struct drmperf_device *device, size_t index)
{
	const struct catalog *catalog = atomic_load(&device->catalog);

	if (!catalog || index >= catalog->description.group_count)
		return NULL;
	return &catalog->groups[index];
}

const char *
drmperf_group_name(const struct drmperf_group *group)
{
	return catalog_group_record(group)->name;
}

const char *
drmperf_group_description(const struct drmperf_group *group)
{
	const char *description = catalog_group_record(group)->description;

	return description ? description : "";
}

const char *
drmperf_group_domain(const struct drmperf_group *group)
{
	return catalog_group_domain(group)->name;
}

bool
drmperf_group_is_exclusive(const struct drmperf_group *group)
{
	return catalog_group_domain(group)->exclusive;
}

unsigned
drmperf_group_max_active(const struct drmperf_group *group)
{
	return catalog_group_record(group)->max_active;
}

unsigned
drmperf_group_dies(const struct drmperf_group *group)
{
	const unsigned dies = catalog_group_record(group)->dies;

	return dies ? dies : 1;
}

unsigned
drmperf_group_instances(const struct drmperf_group *group)
{
	return catalog_group_record(group)->instances;
}

int
drmperf_group_instance_name(const struct drmperf_group *group,
			    unsigned instance, char *text, size_t size)
{
	const struct description_group *record = catalog_group_record(group);

	if (instance >= record->instances)
		return -EINVAL;
	if (record->instances == 1)
		return snprintf(text, size, "%s", "");
	if (record->instance_names)
		return snprintf(text, size, "%s",
				record->instance_names[instance]);
	return snprintf(text, size, "%u", instance);
}

size_t
drmperf_group_first_event(const struct drmperf_group *group)
{
	NO_CANCELLATION;
	return device_list(group->catalog->device) ? group->first : 0;
}

size_t
drmperf_group_event_count(const struct drmperf_group *group)
{
	NO_CANCELLATION;
	struct catalog *catalog = group->catalog;
	struct drmperf_group *filled =
		&catalog->groups[group - catalog->groups];

	if (atomic_load(&group->is_described))
		return group->listed;
	if (fork_guard_is_child(&catalog->device->drmperf->guard) ||
	    catalog_fill(filled, NULL))
		return 0;
	return group->listed;
}

int
drmperf_group_max_id(const struct drmperf_group *group, uint32_t *out)
{
	const struct description_group *record = catalog_group_record(group);

	if (!record->has_ids)
		return -ENOTSUP;
	*out = record->max_id;
	return 0;
}

uint64_t
drmperf_group_stages(const struct drmperf_group *group)
{
	return catalog_group_record(group)->stages;
}
