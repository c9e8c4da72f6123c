/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog_build.h"
#include "catalog_foreign.h"
#include "catalog_name.h"
#include "nearest.h"

/* Takes over *description on success. */
static int
create(struct description *description, const char *driver,
       struct drmperf_device *device, struct catalog **out,
       struct drmperf_error *error)
{
	struct catalog *catalog = calloc(1, sizeof(*catalog));
	int err;

	if (!catalog)
		return error_set(error, -ENOMEM,
				 "no memory for the list of events");
	catalog->device = device;
	catalog->driver = driver;
	pthread_mutex_init(&catalog->lock, NULL);
	err = catalog_build(catalog, description, error);
	if (err) {
		catalog_destroy(catalog);
		return err;
	}
	catalog->description = *description;
	*description = (struct description){ .chip = "", .generation = "" };
	*out = catalog;
	return 0;
}

/*
 * A catalog of a copy, so that what is left of the description can be tried
 * once more: where a foreign event turns out to be of no use, one of ours that
 * it would have replaced appears again, and others may be made of that.
 */
static int
create_copy(const struct description *description, const char *driver,
	    struct drmperf_device *device, struct catalog **out,
	    struct drmperf_error *error)
{
	struct description copy;
	int err;

	if (description_copy(description, &copy))
		return error_set(error, -ENOMEM,
				 "no memory for the list of events");
	err = create(&copy, driver, device, out, error);
	if (err)
		description_release(&copy);
	return err;
}

/* The events of groups that were added without theirs. */
static int
describe_groups(struct description *description, struct drmperf_error *error)
{
	group_index i;
	int err = 0;

	for (i = 0; !err && i < description->group_count; i++) {
		const struct description_group *group = &description->groups[i];

		if (group->describe)
			err = group->describe(
				description->domains[group->domain].device, i,
				description, error);
	}
	return err;
}

int
catalog_create(struct description *description, const char *driver,
	       struct drmperf_device *device, const struct log_sink *log,
	       struct catalog **out, struct drmperf_error *error)
{
	struct catalog *catalog;
	int err;

	err = describe_groups(description, error);
	if (err)
		return err;
	if (!foreign_any(description))
		return create(description, driver, device, out, error);
	for (;;) {
		err = create_copy(description, driver, device, &catalog, error);
		if (err)
			return err;
		if (!foreign_check(catalog, log))
			break;
		foreign_drop(description);
		catalog->description.arena = NULL;
		catalog_destroy(catalog);
	}
	description_release(description);
	*out = catalog;
	return 0;
}

void
catalog_destroy(struct catalog *catalog)
{
	if (!catalog)
		return;
	free(catalog->events);
	free(catalog->groups);
	name_index_finish(&catalog->names);
	description_finish(&catalog->description);
	/*
	 * The mutex is not destroyed: in a forked child another thread of the
	 * parent may seem to hold it, and a Linux mutex owns nothing.
	 */
	free(catalog);
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

size_t
catalog_event_index(const struct drmperf_event *event)
{
	return (size_t)(event - event->catalog->events);
}

const struct description_event *
catalog_event_record(const struct drmperf_event *event)
{
	return &event->catalog->description.events[catalog_event_index(event)];
}

const struct description_group *
catalog_group_record(const struct drmperf_group *group)
{
	const struct catalog *catalog = group->catalog;

	return &catalog->description.groups[group - catalog->groups];
}

const struct description_domain *
catalog_group_domain(const struct drmperf_group *group)
{
	const struct description *description = &group->catalog->description;

	return &description->domains[catalog_group_record(group)->domain];
}

/* ------------------------------------------------------------------ */
/* Finding                                                              */

/* The part of an event's name behind the driver: "SQ.WAVES". */
static const char *
short_name(const struct catalog *catalog, size_t index)
{
	return catalog->events[index].name + strlen(catalog->driver) + 2;
}

static bool
is_bare(const struct catalog *catalog, size_t index)
{
	const struct description *description = &catalog->description;
	group_index group = description->events[index].group;

	return !strcmp(description->groups[group].name, METRIC_GROUP);
}

/*
 * How well a name stands for an event: its own name goes before an alias, and
 * that before a spelling that follows from the name of this event or another.
 * 0: it does not.
 */
static unsigned
rank(const struct catalog *catalog, uint32_t index, const char *name,
     size_t length)
{
	const struct description_event *event =
		&catalog->description.events[index];

	if (catalog_name_is(short_name(catalog, index), name, length))
		return 3;
	if (event->alias && catalog_name_is(event->alias, name, length))
		return 2;
	return catalog_name_is_rocm(short_name(catalog, index), name, length) ||
	       (is_bare(catalog, index) &&
		(catalog_name_is(event->name, name, length) ||
		 catalog_name_is_rocm(event->name, name, length)));
}

uint32_t
catalog_find_any(const struct catalog *catalog, const char *name, size_t length,
		 bool *several)
{
	uint32_t hash = catalog_name_hash(name, length), index;
	uint32_t found = NAME_INDEX_END;
	unsigned best = 0;
	size_t cursor = 0;

	*several = false;
	while ((index = name_index_next(&catalog->names, hash, &cursor)) !=
	       NAME_INDEX_END) {
		unsigned this = rank(catalog, index, name, length);

		if (this > best) {
			best = this;
			found = index;
			*several = false;
		} else if (this && this == best && index != found) {
			*several = true;
		}
	}
	return *several ? NAME_INDEX_END : found;
}

uint32_t
catalog_find_in_group(const struct catalog *catalog, group_index group,
		      const char *name, size_t length)
{
	const struct description *description = &catalog->description;
	const char *home = description->groups[group].name;
	uint32_t hash =
		catalog_name_join(catalog_name_prefix(home, strlen(home)),
				  catalog_name_hash(name, length));
	size_t cursor = 0;
	uint32_t index;

	while ((index = name_index_next(&catalog->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (description->events[index].group == group &&
		    catalog_name_is(description->events[index].name, name,
				    length))
			return index;
	return NAME_INDEX_END;
}

static void
suggest(const struct catalog *catalog, const char *name, size_t length,
	struct drmperf_error *error)
{
	struct nearest nearest;
	char names[400];
	size_t i;

	nearest_init(&nearest, name, length);
	for (i = 0; i < catalog->listed; i++) {
		const struct description_event *event =
			&catalog->description.events[i];
		const char *shown = catalog->events[i].name;

		nearest_offer(&nearest, short_name(catalog, i), shown);
		if (is_bare(catalog, i))
			nearest_offer(&nearest, event->name, shown);
		if (event->alias)
			nearest_offer(&nearest, event->alias, shown);
	}
	nearest_list(&nearest, names, sizeof(names));
	if (*names)
		error_remedy(error, "did you mean %s?", names);
	else
		error_remedy(error, "\"drmperf list\" shows all events");
}

static int
not_found(const struct catalog *catalog, const char *name, size_t length,
	  struct drmperf_error *error)
{
	if (!error)
		return -ENOENT;
	error_set(error, -ENOENT, "%s has no event \"%.*s\"",
		  *catalog->description.chip ? catalog->description.chip
					     : "the device",
		  length < 200 ? (int)length : 200, name);
	suggest(catalog, name, length, error);
	return -ENOENT;
}

/* An event that sums the counter before it, which only expressions can have. */
static int
is_follower(const struct catalog *catalog, uint32_t index,
	    struct drmperf_error *error)
{
	error_set(error, -ENOENT,
		  "%s sums what the counter in the slot before it shows; by "
		  "itself it counts nothing",
		  catalog->events[index].name);
	error_remedy(error, "use a metric whose expression has accumulate()");
	return -ENOENT;
}

int
catalog_find(const struct catalog *catalog, const char *name, size_t length,
	     const struct drmperf_event **out, struct drmperf_error *error)
{
	bool several;
	uint32_t index = catalog_find_any(catalog, name, length, &several);

	if (several)
		return error_set(error, -EINVAL,
				 "\"%.*s\" can mean several events",
				 length < 200 ? (int)length : 200, name);
	if (index == NAME_INDEX_END)
		return not_found(catalog, name, length, error);
	if (catalog->description.events[index].follows)
		return is_follower(catalog, index, error);
	if (index >= catalog->listed)
		return not_found(catalog, name, length, error);
	*out = &catalog->events[index];
	return 0;
}
