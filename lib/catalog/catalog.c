/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/catalog.h"

#include <errno.h>
#include <stdlib.h>

#include "base/name_syntax.h"
#include "catalog/any_set.h"
#include "catalog/event_index.h"
#include "catalog/third_party.h"

/*
 * An event that cannot be used is dropped, and in the first rounds another one
 * of its name takes its place, which may be no better: two rounds are usual.
 * After the last round the catalog is taken as it is.
 */
#define FALLBACK_ROUNDS 3
#define MAX_ROUNDS 8

static int
index_group(struct catalog *catalog, group_index index,
	    struct drmperf_error *error)
{
	const char *name = catalog->description.groups[index].name;
	size_t length;
	uint32_t hash;

	if (!name_syntax_measure(name, &length, &hash))
		return error_set(error, -EBADMSG,
				 "\"%s\" is not a name for a group", name);
	name_index_insert(&catalog->group_names, hash, index);
	return 0;
}

/*
 * Make the groups; those from first_any on are the ones that stand for others.
 */
static int
make_groups(struct catalog *catalog, group_index first_any,
	    struct drmperf_error *error)
{
	const struct description *description = &catalog->description;
	const size_t count = description->group_count;
	group_index i;
	int err = 0;

	catalog->groups = calloc(count + 1, sizeof(*catalog->groups));
	if (!catalog->groups || name_index_init(&catalog->group_names, count) ||
	    name_index_init(&catalog->names, description->event_count))
		return catalog_no_memory(error);
	for (i = 0; !err && i < count; i++) {
		catalog->groups[i].catalog = catalog;
		if (i >= first_any)
			catalog->groups[i].gather = any_group_fill;
		err = index_group(catalog, i, error);
	}
	return err;
}

/* Add the events that were described together with their groups. */
static int
add_first_events(struct catalog *catalog, struct drmperf_error *error)
{
	const struct description *description = &catalog->description;
	int err = catalog_add_events(catalog, error);
	size_t i;

	for (i = 0; !err && i < description->group_count; i++)
		atomic_store(&catalog->groups[i].is_described,
			     !catalog->groups[i].gather &&
				     !description->groups[i].describe);
	return err;
}

static int
catalog_build(struct catalog *catalog, struct drmperf_error *error)
{
	group_index first_any;
	int err;

	if (any_groups_add(&catalog->description, &first_any))
		return catalog_no_memory(error);
	err = make_groups(catalog, first_any, error);
	if (!err)
		err = add_first_events(catalog, error);
	return err;
}

/* Takes over *description on success. */
static int
catalog_create_described(struct description *description, const char *driver,
			 struct drmperf_device *device,
			 const struct log_sink *log, struct catalog **out,
			 struct drmperf_error *error)
{
	struct catalog *catalog = calloc(1, sizeof(*catalog));
	int err;

	if (!catalog)
		return catalog_no_memory(error);
	catalog->device = device;
	catalog->driver = driver;
	catalog->log = log;
	pthread_mutex_init(&catalog->lock, NULL);
	catalog->description = *description;
	*description = (struct description){ .chip = "", .generation = "" };
	err = catalog_build(catalog, error);
	if (err) {
		*description = catalog->description;
		catalog->description = (struct description){ .arena = NULL };
		catalog_destroy(catalog);
		return err;
	}
	*out = catalog;
	return 0;
}

/*
 * Create a catalog of a copy, so that what is left of the description can be
 * tried once more: where a foreign event turns out to be of no use, one that it
 * would have replaced appears again, and others may be made of that. It has an
 * arena of its own, which goes with it.
 */
static int
create_copy(const struct description *description, const char *driver,
	    struct drmperf_device *device, const struct log_sink *log,
	    struct catalog **out, struct drmperf_error *error)
{
	struct description copy;
	int err;

	if (description_copy(description, &copy))
		return catalog_no_memory(error);
	copy.arena = arena_create();
	if (!copy.arena)
		err = catalog_no_memory(error);
	else
		err = catalog_create_described(&copy, driver, device, log, out,
					       error);
	if (err)
		description_finish(&copy);
	return err;
}

/* Create a catalog, leaving out faulty foreign events, in several rounds. */
static int
create_checked(struct description *description, const char *driver,
	       struct drmperf_device *device, const struct log_sink *log,
	       struct catalog **out, struct drmperf_error *error)
{
	struct catalog *catalog;
	unsigned round;
	int err;

	for (round = 1;; round++) {
		err = create_copy(description, driver, device, log, &catalog,
				  error);
		if (err)
			return err;
		if (round == MAX_ROUNDS || !third_party_check(catalog, log))
			break;
		third_party_drop(description, round >= FALLBACK_ROUNDS);
		catalog_destroy(catalog);
	}
	arena_adopt(description->arena, catalog->description.arena);
	catalog->description.arena = description->arena;
	description_release(description);
	*out = catalog;
	return 0;
}

int
catalog_create(struct description *description, const char *driver,
	       struct drmperf_device *device, const struct log_sink *log,
	       struct catalog **out, struct drmperf_error *error)
{
	return third_party_any(description)
		       ? create_checked(description, driver, device, log, out,
					error)
		       : catalog_create_described(description, driver, device,
						  log, out, error);
}

void
catalog_destroy(struct catalog *catalog)
{
	if (!catalog)
		return;
	free(catalog->groups);
	free(catalog->numbered);
	name_index_finish(&catalog->group_names);
	name_index_finish(&catalog->names);
	description_finish(&catalog->description);
	/*
	 * The mutex is not destroyed: in a forked child another thread of the
	 * parent may seem to hold it, and a Linux mutex owns nothing.
	 */
	free(catalog);
}
