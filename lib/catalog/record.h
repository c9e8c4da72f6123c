/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A catalog: groups and events as users have them in their hands, and the
 * driver's records behind these.
 */
#ifndef DRMPERF_LIB_CATALOG_RECORD_H
#define DRMPERF_LIB_CATALOG_RECORD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_index.h"
#include "catalog/value.h"
#include "driver/description.h"
#include "drmperf.h"

#define CATALOG_NO_EVENT UINT32_MAX

struct drmperf_event {
	struct drmperf_group *group;
	const struct description_event *record;
	const char *name; /* "amdgpu::SQ.WAVES" */
	/* NULL until first resolved */
	_Atomic(const struct catalog_value *) value;
	uint32_t number; /* position in catalog.numbered */
	/*
	 * Number of the next event that has this name in another group of the
	 * domain; of a group that stands for those, number of the first.
	 * CATALOG_NO_EVENT: none. Set when that group is filled, and guarded
	 * by the catalog's lock.
	 */
	uint32_t same;
};

/*
 * The events are set before is_described, and not changed any more; first is
 * set before the catalog's list.
 */
struct drmperf_group {
	struct catalog *catalog;
	/*
	 * Fills it where its events stand for those of other groups, see
	 * any_set.h; NULL: its driver describes them.
	 */
	int (*gather)(struct drmperf_group *group, struct drmperf_error *error);
	/* why its events cannot be described; NULL: none known */
	const struct drmperf_error *failure;
	atomic_bool is_described;
	/* those that are listed, behind them those that are not */
	struct drmperf_event *events;
	struct description_event *records; /* of the events */
	size_t count, listed;
	size_t first; /* of them in the list */
	/* of those that sum the counter before them; NULL: there are none */
	const struct drmperf_event *first_follower, *last_follower;
};

/* All listed events, group by group. */
struct catalog_list {
	size_t count;
	const struct drmperf_event *events[];
};

struct catalog {
	struct drmperf_device *device; /* for drmperf_event_device() only */
	const char *driver;
	const struct log_sink *log;
	/* its events are those that are on the way into their groups */
	struct description description;
	struct drmperf_group *groups; /* like description.groups */
	struct name_index group_names; /* gives positions in groups */
	/* NULL until it is asked for */
	_Atomic(const struct catalog_list *) list;
	/* held while events are described, found or resolved; guards: */
	pthread_mutex_t lock;
	/* in the order in which they were described; NULL: replaced */
	struct drmperf_event **numbered;
	size_t numbered_count, numbered_room;
	struct name_index names; /* all spellings; gives a number */
};

/* Return the records behind the handles. */
const struct description_event *
catalog_event_record(const struct drmperf_event *event);
const struct description_group *
catalog_group_record(const struct drmperf_group *group);

/*
 * Return true if its events are found without its name, too: metrics, and those
 * of any group of a domain.
 */
bool
catalog_group_is_bare(const struct drmperf_group *group);
const struct description_domain *
catalog_group_domain(const struct drmperf_group *group);

/*
 * Return whether users see the event. One that follows another sums the counter
 * before it: alone it means nothing, and only expressions can use it.
 */
bool
catalog_lists(const struct description_event *event);

/* Report that there was no memory for the events. Returns -ENOMEM. */
int
catalog_no_memory(struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_RECORD_H */
