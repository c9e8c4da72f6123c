/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A full name says itself which group has to be filled to find its event. Any
 * other spelling may be one of every group, and needs them all.
 */
#include "catalog/find.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/name_syntax.h"
#include "catalog/lazy_load.h"

/* Return the part of an event's name behind the driver: "SQ.WAVES". */
static const char *
short_name(const struct drmperf_event *event)
{
	return event->name + strlen(event->group->catalog->driver) + 2;
}

static bool
is_bare(const struct drmperf_event *event)
{
	return catalog_group_is_bare(event->group);
}

/*
 * Return whether that is an event's name without the group's, in our spelling
 * or ROCm's.
 */
static bool
is_barely(const struct drmperf_event *event, const char *name, size_t length)
{
	const char *own = catalog_event_record(event)->name;

	return is_bare(event) && (name_syntax_is(own, name, length) ||
				  name_syntax_is_rocm(own, name, length));
}

/*
 * Return the next event that may have a name of this hash; NULL after the last.
 */
static const struct drmperf_event *
next_of(const struct catalog *catalog, uint32_t hash, size_t *cursor)
{
	const struct drmperf_event *event = NULL;
	uint32_t number;

	while (!event && (number = name_index_next(&catalog->names, hash,
						   cursor)) != NAME_INDEX_END)
		event = catalog->numbered[number];
	return event;
}

/* ------------------------------------------------------------------ */
/* In one group                                                         */

int
catalog_find_in_group(struct drmperf_group *group, const char *name,
		      size_t length, const struct drmperf_event **out,
		      struct drmperf_error *error)
{
	const char *home = catalog_group_record(group)->name;
	uint32_t hash = name_syntax_join(name_syntax_prefix(home, strlen(home)),
					 name_syntax_hash(name, length));
	const struct drmperf_event *event;
	size_t cursor = 0;
	int err = catalog_fill_group(group, error);

	if (err)
		return err;
	do {
		event = next_of(group->catalog, hash, &cursor);
	} while (event && (event->group != group ||
			   !name_syntax_is(catalog_event_record(event)->name,
					   name, length)));
	*out = event;
	return 0;
}

/* ------------------------------------------------------------------ */
/* By the full name                                                     */

/* Fill the groups of this name. */
static int
fill_named(struct catalog *catalog, const char *name, size_t length,
	   struct drmperf_error *error)
{
	uint32_t hash = name_syntax_hash(name, length), index;
	size_t cursor = 0;
	int err = 0;

	while (!err && (index = name_index_next(&catalog->group_names, hash,
						&cursor)) != NAME_INDEX_END) {
		struct drmperf_group *group = &catalog->groups[index];

		if (name_syntax_is(catalog_group_record(group)->name, name,
				   length))
			err = catalog_fill_group(group, error);
	}
	return err;
}

static int
find_exactly(struct catalog *catalog, const char *name, size_t length,
	     const struct drmperf_event **out, struct drmperf_error *error)
{
	uint32_t hash = name_syntax_hash(name, length);
	const struct drmperf_event *event;
	size_t cursor = 0;
	int err = 0;

	for (size_t i = 0; !err && i < length; i++)
		if (name[i] == '.')
			err = fill_named(catalog, name, i, error);
	if (err)
		return err;
	do {
		event = next_of(catalog, hash, &cursor);
	} while (event && !name_syntax_is(short_name(event), name, length));
	*out = event;
	return 0;
}

/* ------------------------------------------------------------------ */
/* By any spelling                                                      */

/*
 * Rank how well a name stands for an event: its own name goes before an alias,
 * and that before a spelling that follows from the name of this event or
 * another; last come events of any group, which hide no metric. 0: it does not.
 */
static unsigned
event_rank(const struct drmperf_event *event, const char *name, size_t length)
{
	const struct description_event *record = catalog_event_record(event);

	if (name_syntax_is(short_name(event), name, length))
		return 4;
	if (record->alias && name_syntax_is(record->alias, name, length))
		return 3;
	if (name_syntax_is_rocm(short_name(event), name, length))
		return 2;
	if (!is_barely(event, name, length))
		return 0;
	return event->group->gather ? 1 : 2;
}

/*
 * Find the event that a name stands for best, by a function that ranks them.
 * -ENOTUNIQ if that are several. Caller holds catalog->lock, and the list has
 * been made.
 */
static int
find_best(const struct catalog *catalog, const char *name, size_t length,
	  unsigned (*rank)(const struct drmperf_event *event, const char *name,
			   size_t length),
	  const struct drmperf_event **out)
{
	uint32_t hash = name_syntax_hash(name, length);
	const struct drmperf_event *event, *found = NULL;
	bool several = false;
	unsigned best = 0;
	size_t cursor = 0;

	while ((event = next_of(catalog, hash, &cursor))) {
		unsigned this = rank(event, name, length);

		if (this > best) {
			best = this;
			found = event;
			several = false;
		} else if (this && this == best && event != found) {
			several = true;
		}
	}
	*out = found;
	return several ? -ENOTUNIQ : 0;
}

int
catalog_find_any(struct catalog *catalog, const char *name, size_t length,
		 const struct drmperf_event **out, struct drmperf_error *error)
{
	int err;

	if (!atomic_load(&catalog->list)) {
		err = find_exactly(catalog, name, length, out, error);
		if (err || *out)
			return err;
	}
	if (!catalog_make_list(catalog))
		return catalog_no_memory(error);
	return find_best(catalog, name, length, event_rank, out);
}

/* ------------------------------------------------------------------ */
/* For users                                                            */

static void
catalog_list_suggest(const struct catalog_list *list, const char *name,
		     size_t length, struct drmperf_error *error)
{
	struct suggestions nearest;
	char names[400];
	size_t i;

	suggest_init(&nearest, name, length);
	for (i = 0; i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];
		const struct description_event *record =
			catalog_event_record(event);

		suggest_offer(&nearest, short_name(event), event->name);
		if (is_bare(event))
			suggest_offer(&nearest, record->name, event->name);
		if (record->alias)
			suggest_offer(&nearest, record->alias, event->name);
	}
	suggest_list(&nearest, names, sizeof(names));
	if (*names)
		error_remedy(error, "did you mean %s?", names);
	else
		error_remedy(error, "\"drmperf list\" shows all events");
}

static bool
is_hidden_event(const struct description_hidden *hidden)
{
	return strchr(hidden->name, '.');
}

/*
 * Return whether the name is that of a hidden event, in any spelling, or of one
 * of a hidden group: "EA.REQUESTS", or ROCm's "EA_REQUESTS".
 */
static bool
is_hidden(const struct description_hidden *hidden, const char *name,
	  size_t length)
{
	size_t n = strlen(hidden->name);

	if (is_hidden_event(hidden))
		return name_syntax_is(hidden->name, name, length) ||
		       name_syntax_is_rocm(hidden->name, name, length);
	return length >= n && name_syntax_is(hidden->name, name, n) &&
	       (length == n || name[n] == '.' || name[n] == '_');
}

static const struct description_hidden *
find_hidden(const struct catalog *catalog, const char *name, size_t length)
{
	const struct description_hidden *hidden = catalog->description.hidden;

	while (hidden && !is_hidden(hidden, name, length))
		hidden = hidden->next;
	return hidden;
}

static int
explain_hidden(const struct catalog *catalog,
	       const struct description_hidden *hidden,
	       struct drmperf_error *error)
{
	if (is_hidden_event(hidden)) {
		error_set(error, -ENOENT, "%s is not offered on %s: %s",
			  hidden->name, catalog->description.chip,
			  hidden->reason);
		error_remedy(error,
			     "\"drmperf selftest --stage 9\" offers it once it "
			     "has moved there, DRMPERF_UNTESTED=%s in any case",
			     hidden->name);
		return -ENOENT;
	}
	error_set(error, -ENOENT, "the events of %s are not offered on %s: %s",
		  hidden->name, catalog->description.chip, hidden->reason);
	if (hidden->remedy)
		error_remedy(error, "%s", hidden->remedy);
	else
		error_remedy(error,
			     "DRMPERF_UNTESTED=%s offers them: at worst the "
			     "GPU hangs, and every program that uses it loses "
			     "its work",
			     hidden->name);
	return -ENOENT;
}

static int
not_found(struct catalog *catalog, const char *name, size_t length,
	  struct drmperf_error *error)
{
	const struct description_hidden *hidden;
	const struct catalog_list *list;

	/* to look for names that are near takes most of a command's start */
	if (!error)
		return -ENOENT;
	hidden = find_hidden(catalog, name, length);
	if (hidden)
		return explain_hidden(catalog, hidden, error);
	error_set(error, -ENOENT, "%s has no event \"%.*s\"",
		  description_chip(&catalog->description),
		  length < 200 ? (int)length : 200, name);
	list = catalog_make_list(catalog);
	if (list)
		catalog_list_suggest(list, name, length, error);
	return -ENOENT;
}

/*
 * Refuse an event that sums the counter before it, which only expressions can
 * have.
 */
static int
is_follower(const struct drmperf_event *event, struct drmperf_error *error)
{
	error_set(error, -ENOENT,
		  "%s sums what the counter in the slot before it shows; by "
		  "itself it counts nothing",
		  event->name);
	error_remedy(error,
		     "put :accumulate behind the event that is to be summed: "
		     "SQ.LEVEL_WAVES:accumulate");
	return -ENOENT;
}

static int
catalog_find_spelled(struct catalog *catalog, const char *name, size_t length,
		     const struct drmperf_event **out,
		     struct drmperf_error *error)
{
	const struct drmperf_event *event;
	int err = catalog_find_any(catalog, name, length, &event, error);

	if (err == -ENOTUNIQ)
		return error_set(error, -EINVAL,
				 "\"%.*s\" can mean several events",
				 length < 200 ? (int)length : 200, name);
	if (err)
		return err;
	if (!event)
		return not_found(catalog, name, length, error);
	if (catalog_event_record(event)->follows)
		return is_follower(event, error);
	if (!catalog_lists(catalog_event_record(event)))
		return not_found(catalog, name, length, error);
	*out = event;
	return 0;
}

int
catalog_find(struct catalog *catalog, const char *name, size_t length,
	     const struct drmperf_event **out, struct drmperf_error *error)
{
	int err;

	pthread_mutex_lock(&catalog->lock);
	err = catalog_find_spelled(catalog, name, length, out, error);
	pthread_mutex_unlock(&catalog->lock);
	return err;
}

int
catalog_find_listed(struct catalog *catalog, const char *name, size_t length,
		    const struct drmperf_event **out,
		    struct drmperf_error *error)
{
	const struct description_event *record;
	int err;

	pthread_mutex_lock(&catalog->lock);
	err = find_exactly(catalog, name, length, out, error);
	pthread_mutex_unlock(&catalog->lock);
	if (err)
		return err;
	record = *out ? catalog_event_record(*out) : NULL;
	return record && catalog_lists(record) && !record->follows ? 0
								   : -ENOENT;
}

/*
 * Return whether a name stands for a listed event if the case of letters does
 * not matter: 3 for its full name or alias, else as event_rank() does.
 */
static unsigned
rank_in_any_case(const struct drmperf_event *event, const char *name,
		 size_t length)
{
	const struct description_event *record = catalog_event_record(event);

	if (!catalog_lists(record) || record->follows)
		return 0;
	if (name_syntax_is_in_any_case(short_name(event), name, length) ||
	    (record->alias &&
	     name_syntax_is_in_any_case(record->alias, name, length)))
		return 3;
	if (!is_bare(event) ||
	    !name_syntax_is_in_any_case(record->name, name, length))
		return 0;
	return event->group->gather ? 1 : 2;
}

int
catalog_find_in_any_case(struct catalog *catalog, const char *name,
			 size_t length, const struct drmperf_event **out,
			 struct drmperf_error *error)
{
	const struct drmperf_event *found = NULL;
	int err;

	pthread_mutex_lock(&catalog->lock);
	if (catalog_make_list(catalog))
		err = find_best(catalog, name, length, rank_in_any_case,
				&found);
	else
		err = catalog_no_memory(error);
	pthread_mutex_unlock(&catalog->lock);
	if (err == -ENOTUNIQ)
		return error_set(error, -EINVAL,
				 "\"%.*s\" can mean several events if case "
				 "does not matter",
				 length < 200 ? (int)length : 200, name);
	if (err)
		return err;
	*out = found;
	return found ? 0 : -ENOENT;
}

int
catalog_find_sum(struct catalog *catalog, const struct drmperf_event *level,
		 const struct drmperf_event **out)
{
	char name[2 * NAME_SYNTAX_MAX + sizeof(METRIC_GROUP "..._ACCUM")];
	int n;

	n = snprintf(name, sizeof(name), METRIC_GROUP ".%s_%s_ACCUM",
		     catalog_group_record(level->group)->name,
		     catalog_event_record(level)->name);
	if (n >= (int)sizeof(name))
		return -ENOENT;
	return catalog_find(catalog, name, (size_t)n, out, NULL);
}
