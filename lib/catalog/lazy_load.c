/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/lazy_load.h"

#include "base/error.h"
#include "catalog/event_index.h"

/* ------------------------------------------------------------------ */
/* Groups                                                               */

static int
group_describe(struct drmperf_group *group, struct drmperf_error *error)
{
	struct catalog *catalog = group->catalog;
	struct description *description = &catalog->description;
	const struct description_group *record = catalog_group_record(group);
	int err;

	if (group->gather)
		return group->gather(group, error);
	err = record->describe(description->domains[record->domain].device,
			       (group_index)(group - catalog->groups),
			       description, error);
	if (!err)
		err = catalog_add_events(catalog, error);
	description->event_count = 0;
	return err;
}

/* Keep a failure that is not transient: the group then fails every time. */
static void
keep_failure(struct drmperf_group *group, const struct drmperf_error *cause)
{
	struct drmperf_error *kept;

	if (error_is_transient(cause->code))
		return;
	kept = arena_alloc(group->catalog->description.arena, sizeof(*kept));
	if (kept)
		*kept = *cause;
	group->failure = kept;
}

int
catalog_fill_group(struct drmperf_group *group, struct drmperf_error *error)
{
	struct drmperf_error cause = { .code = 0 };

	if (atomic_load(&group->is_described))
		return 0;
	if (group->failure) {
		cause = *group->failure;
	} else if (group_describe(group, &cause)) {
		keep_failure(group, &cause);
	} else {
		atomic_store(&group->is_described, true);
		return 0;
	}
	if (error)
		*error = cause;
	return cause.code;
}

/* ------------------------------------------------------------------ */
/* The list                                                             */

/* Fill all groups. Returns 0, or a transient error; others are logged. */
static int
fill_groups(struct catalog *catalog)
{
	struct drmperf_error cause;

	for (size_t i = 0; i < catalog->description.group_count; i++) {
		int err = catalog_fill_group(&catalog->groups[i], &cause);

		if (error_is_transient(err))
			return err;
		if (err)
			log_write(catalog->log, DRMPERF_LOG_WARNING,
				  "%s; the events of %s are left out",
				  cause.cause,
				  catalog->description.groups[i].name);
	}
	return 0;
}

static size_t
set_positions(struct catalog *catalog)
{
	size_t count = 0;

	for (size_t i = 0; i < catalog->description.group_count; i++) {
		catalog->groups[i].first = count;
		count += catalog->groups[i].listed;
	}
	return count;
}

const struct catalog_list *
catalog_make_list(struct catalog *catalog)
{
	const struct catalog_list *known = atomic_load(&catalog->list);
	struct catalog_list *list;
	size_t count, i, k;

	if (known)
		return known;
	if (fill_groups(catalog))
		return NULL;
	count = set_positions(catalog);
	list = arena_alloc(catalog->description.arena,
			   sizeof(*list) + count * sizeof(*list->events));
	if (!list)
		return NULL;
	for (i = 0; i < catalog->description.group_count; i++) {
		const struct drmperf_group *group = &catalog->groups[i];

		for (k = 0; k < group->listed; k++)
			list->events[list->count++] = &group->events[k];
	}
	atomic_store(&catalog->list, list);
	return list;
}

/* ------------------------------------------------------------------ */
/* For callers that do not hold the lock                                */

int
catalog_fill(struct drmperf_group *group, struct drmperf_error *error)
{
	struct catalog *catalog = group->catalog;
	int err;

	if (atomic_load(&group->is_described))
		return 0;
	pthread_mutex_lock(&catalog->lock);
	err = catalog_fill_group(group, error);
	pthread_mutex_unlock(&catalog->lock);
	return err;
}

const struct catalog_list *
catalog_list(struct catalog *catalog)
{
	const struct catalog_list *list = atomic_load(&catalog->list);

	if (list)
		return list;
	pthread_mutex_lock(&catalog->lock);
	list = catalog_make_list(catalog);
	pthread_mutex_unlock(&catalog->lock);
	return list;
}
