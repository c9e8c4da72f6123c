/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/by_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "catalog/event_index.h"
#include "catalog/find.h"

/* "4294967295" */
#define NAME_SIZE 11

static int
make_event(struct drmperf_group *group, uint32_t id, const char *name,
	   const struct drmperf_event **out, struct drmperf_error *error)
{
	const struct description_group *its = catalog_group_record(group);
	struct arena *arena = group->catalog->description.arena;
	struct description_event record = {
		.group = (group_index)(group - group->catalog->groups),
		.unit = DRMPERF_UNIT_NONE,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_CUMULATIVE,
		.selector = id,
	};
	int err = its->describe_id(catalog_group_domain(group)->device,
				   record.group, &record, error);

	if (err)
		return err;
	record.name = arena_printf(arena, "%s", name);
	record.description = arena_printf(
		arena,
		"Event %" PRIu32 " of %s, which no table has a name for.", id,
		its->name);
	if (!record.name || !record.description ||
	    catalog_add_named(group, &record, out))
		return catalog_no_memory(error);
	return 0;
}

int
catalog_raw_event(struct drmperf_group *group, uint32_t id,
		  const struct drmperf_event **out, struct drmperf_error *error)
{
	const struct drmperf_event *found = NULL;
	char name[NAME_SIZE];
	int err;

	snprintf(name, sizeof(name), "%" PRIu32, id);
	pthread_mutex_lock(&group->catalog->lock);
	err = catalog_find_in_group(group, name, strlen(name), &found, error);
	if (!err && !found)
		err = make_event(group, id, name, &found, error);
	pthread_mutex_unlock(&group->catalog->lock);
	if (!err)
		*out = found;
	return err;
}
