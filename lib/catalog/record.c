/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/record.h"

#include <errno.h>
#include <string.h>

const struct description_event *
catalog_event_record(const struct drmperf_event *event)
{
	return event->record;
}

const struct description_group *
catalog_group_record(const struct drmperf_group *group)
{
	const struct catalog *catalog = group->catalog;

	return &catalog->description.groups[group - catalog->groups];
}

bool
catalog_group_is_bare(const struct drmperf_group *group)
{
	return group->gather ||
	       !strcmp(catalog_group_record(group)->name, METRIC_GROUP);
}

const struct description_domain *
catalog_group_domain(const struct drmperf_group *group)
{
	const struct description *description = &group->catalog->description;

	return &description->domains[catalog_group_record(group)->domain];
}

bool
catalog_lists(const struct description_event *event)
{
	return !event->hidden && !event->follows;
}

int
catalog_no_memory(struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for the list of events");
}
