/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one open device: found by name, and resolved into the counters
 * and the program they are made of.
 *
 * A catalog is made from a description and owns it. Groups whose events the
 * driver describes later are filled when somebody asks for one of their events;
 * the list of all events, when somebody asks for that. In every exclusive
 * domain it adds a group that has the domain's name, "oa", whose events stand
 * for "the same in any group that has it".
 */
#ifndef DRMPERF_LIB_CATALOG_CATALOG_H
#define DRMPERF_LIB_CATALOG_CATALOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_index.h"
#include "driver/description.h"
#include "drmperf.h"
#include "expr/expr.h"

#define CATALOG_NO_EVENT UINT32_MAX

/* No counter has to sit in the slot before. */
#define CATALOG_ANYWHERE UINT32_MAX

/*
 * A counter that an event needs. Two with the same group, selector, setting
 * and (if any) the same one before them are the same counter.
 */
struct catalog_counter {
	group_index group;
	uint32_t selector;
	uint32_t setting;
	uint64_t slots;
	/*
	 * Index, in the same list, of the counter that must sit in the slot
	 * before this one; or CATALOG_ANYWHERE.
	 */
	uint32_t after;
	bool momentary; /* a base line must not be subtracted */
	const struct drmperf_event *event; /* the plain counter */
};

/*
 * What an event is made of: one counter; or several and the program that makes
 * the value of them; or no counter, but other events of which any will do.
 */
struct catalog_value {
	/* counter i is input i of the program */
	const struct catalog_counter *counters;
	size_t counter_count;
	/*
	 * NULL for a plain counter: the value is the sum of its instances, or
	 * that of the one named.
	 */
	const struct expr_program *program;
	/* All of the same unit, type and kind; none has alternatives itself. */
	const struct drmperf_event *const *alternatives;
	size_t alternative_count;
	/*
	 * How many values ":instance=" may take; 0: none. With an instance,
	 * every counter whose group has more than one is counted there alone.
	 */
	unsigned instances;
	enum drmperf_scope scope; /* the narrowest of its counters */
};

struct drmperf_event {
	struct drmperf_group *group;
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
	bool is_any; /* its events stand for those of its domain's groups */
	/* why its events cannot be described; NULL: none known */
	const struct drmperf_error *failure;
	atomic_bool is_described;
	/* those that are listed, behind them those that are not */
	struct drmperf_event *events;
	struct description_event *records; /* of the events */
	size_t count, listed;
	size_t first; /* of them in the list */
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
	/* NULL until somebody asks for it */
	_Atomic(const struct catalog_list *) list;
	/* held while events are described, found or resolved; guards: */
	pthread_mutex_t lock;
	/* in the order in which they were described; NULL: replaced */
	struct drmperf_event **numbered;
	size_t numbered_count, numbered_room;
	struct name_index names; /* all spellings; gives a number */
};

/*
 * Make a catalog; takes over *description, which is left empty, on success.
 *
 * Of events with the same group and name the last one counts, foreign ones
 * that cannot be resolved left out with a warning. -EBADMSG if a name has a
 * character that names may not have; -ENOMEM.
 */
int
catalog_create(struct description *description, const char *driver,
	       struct drmperf_device *device, const struct log_sink *log,
	       struct catalog **out, struct drmperf_error *error);
void
catalog_destroy(struct catalog *catalog);

/*
 * The list of all events; the same one each time. Groups whose events cannot
 * be described are empty, with a warning at the first time. NULL when memory
 * is short.
 */
const struct catalog_list *
catalog_list(struct catalog *catalog);

/*
 * See to it that the events of a group are there. The errors of the group's
 * describe(), each time, and of catalog_create().
 */
int
catalog_fill(struct drmperf_group *group, struct drmperf_error *error);

/*
 * The event of this name, without "amdgpu::" and qualifiers: "SQ.WAVES",
 * "SQ_WAVES", or the bare name of a metric. Hidden events are not found.
 *
 * -ENOENT with the nearest names as remedy; -EINVAL if a spelling of ROCm's
 * can mean several events; the errors of catalog_fill().
 */
int
catalog_find(struct catalog *catalog, const char *name, size_t length,
	     const struct drmperf_event **out, struct drmperf_error *error);

/*
 * What an event is made of; lives as long as the catalog. Compiles the
 * expression at the first call. The errors of expr_compile() and of
 * catalog_fill().
 */
int
catalog_resolve(const struct drmperf_event *event,
		const struct catalog_value **out, struct drmperf_error *error);

/* The records behind the handles. */
const struct description_event *
catalog_event_record(const struct drmperf_event *event);
const struct description_group *
catalog_group_record(const struct drmperf_group *group);
const struct description_domain *
catalog_group_domain(const struct drmperf_group *group);

#endif /* DRMPERF_LIB_CATALOG_CATALOG_H */
