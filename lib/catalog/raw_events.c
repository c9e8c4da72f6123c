/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/raw_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/name_syntax.h"
#include "catalog/event_index.h"
#include "catalog/find.h"

/* ------------------------------------------------------------------ */
/* Events by their numbers                                              */

/* "4294967295" */
#define NAME_SIZE 11

static int
make_numbered(struct drmperf_group *group, uint32_t id, const char *name,
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
		err = make_numbered(group, id, name, &found, error);
	pthread_mutex_unlock(&group->catalog->lock);
	if (!err)
		*out = found;
	return err;
}

/* ------------------------------------------------------------------ */
/* Counters of a metric set                                             */

/*
 * Return the group of this name that borrows counters; NULL if there is none.
 */
static struct drmperf_group *
find_borrower(struct catalog *catalog, const char *name, size_t length)
{
	uint32_t index, hash = name_syntax_hash(name, length);
	size_t cursor = 0;

	while ((index = name_index_next(&catalog->group_names, hash,
					&cursor)) != NAME_INDEX_END) {
		struct drmperf_group *group = &catalog->groups[index];
		const struct description_group *record =
			catalog_group_record(group);

		if (record->borrows &&
		    name_syntax_is(record->name, name, length))
			return group;
	}
	return NULL;
}

/*
 * Make an event whose value is the counter's, by its name in the other group.
 */
static int
make_borrowed(struct drmperf_group *group, const struct drmperf_event *counter,
	      const struct drmperf_event **out, struct drmperf_error *error)
{
	struct arena *arena = group->catalog->description.arena;
	struct description_event record = *catalog_event_record(counter);

	record.group = (group_index)(group - group->catalog->groups);
	record.hidden = false;
	record.file = "?";
	record.language = EXPRESSION_INFIX;
	record.expression = arena_printf(
		arena, "%s.%s", catalog_group_record(counter->group)->name,
		record.name);
	if (!record.expression || catalog_add_named(group, &record, out))
		return catalog_no_memory(error);
	return 0;
}

static bool
is_borrowed(const struct drmperf_group *group,
	    const struct drmperf_event *counter)
{
	const uint64_t *borrowed = catalog_group_record(group)->borrowed;
	uint32_t selector = catalog_event_record(counter)->selector;

	return selector < BORROWED_MAX &&
	       borrowed[selector / 64] >> selector % 64 & 1;
}

/* Find the counter of this name in the group that the group borrows from. */
static int
group_borrow_counter(struct drmperf_group *group, const char *name,
		     size_t length, const struct drmperf_event **out,
		     struct drmperf_error *error)
{
	const struct description_group *record = catalog_group_record(group);
	struct drmperf_group *lender =
		&group->catalog->groups[record->counters_of];
	const struct drmperf_event *counter;
	int err;

	err = catalog_find_in_group(lender, name, length, &counter, error);
	if (!err && counter && is_borrowed(group, counter))
		err = make_borrowed(group, counter, out, error);
	return err;
}

static int
find_borrowed(struct catalog *catalog, const char *name, size_t length,
	      const struct drmperf_event **out, struct drmperf_error *error)
{
	int err = 0;

	*out = NULL;
	for (size_t i = 0; !err && !*out && i < length; i++) {
		struct drmperf_group *group;

		if (name[i] != '.' && name[i] != '_')
			continue;
		group = find_borrower(catalog, name, i);
		if (!group)
			continue;
		err = catalog_find_in_group(group, name + i + 1, length - i - 1,
					    out, error);
		if (!err && !*out)
			err = group_borrow_counter(group, name + i + 1,
						   length - i - 1, out, error);
	}
	return err;
}

int
catalog_find_set_raw(struct catalog *catalog, const char *name, size_t length,
		     const struct drmperf_event **out,
		     struct drmperf_error *error)
{
	int err;

	pthread_mutex_lock(&catalog->lock);
	err = find_borrowed(catalog, name, length, out, error);
	pthread_mutex_unlock(&catalog->lock);
	return err;
}

int
catalog_add_set_raw(struct drmperf_group *group,
		    const struct drmperf_event *counter,
		    const struct drmperf_event **out,
		    struct drmperf_error *error)
{
	const char *name = catalog_event_record(counter)->name;
	const struct drmperf_event *found;
	int err;

	pthread_mutex_lock(&group->catalog->lock);
	err = catalog_find_in_group(group, name, strlen(name), &found, error);
	if (!err && !found)
		err = make_borrowed(group, counter, &found, error);
	pthread_mutex_unlock(&group->catalog->lock);
	if (!err)
		*out = found;
	return err;
}
