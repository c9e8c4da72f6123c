/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of one open device: found by name, and resolved into the counters
 * and the program they are made of.
 *
 * A catalog is made from a description and owns it. It sorts the events by
 * group, so that an event's index is its position both in catalog.events and
 * in description.events: first what is listed, group by group, then what is
 * hidden. In every exclusive domain it adds a group that has the domain's name,
 * "oa", whose events stand for "the same in any group that has it".
 */
#ifndef DRMPERF_LIB_CATALOG_H
#define DRMPERF_LIB_CATALOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "description.h"
#include "drmperf.h"
#include "error.h"
#include "expr.h"
#include "name_index.h"

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
	size_t event; /* the plain counter, for messages */
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

struct drmperf_group {
	const struct catalog *catalog;
};

struct drmperf_event {
	struct catalog *catalog;
	const char *name; /* "amdgpu::SQ.WAVES" */
	/* NULL until first resolved */
	_Atomic(const struct catalog_value *) value;
};

struct catalog {
	struct drmperf_device *device; /* for drmperf_event_device() only */
	const char *driver;
	struct description description;
	struct drmperf_group *groups; /* like description.groups */
	struct drmperf_event *events; /* like description.events */
	size_t listed; /* the first so many are listed */
	struct name_index names; /* all spellings; gives an index */
	pthread_mutex_t lock; /* held while an event is resolved */
};

/*
 * Make a catalog; takes over *description, which is left empty, on success.
 *
 * Of events with the same group and name the last one counts, foreign ones
 * that cannot be resolved left out with a warning. -EBADMSG if a name has a
 * character that names may not have; -ENOMEM.
 */
int catalog_create(struct description *description, const char *driver,
		   struct drmperf_device *device, const struct log_sink *log,
		   struct catalog **out, struct drmperf_error *error);
void catalog_destroy(struct catalog *catalog);

/*
 * The event of this name, without "amdgpu::" and qualifiers: "SQ.WAVES",
 * "SQ_WAVES", or the bare name of a metric. Hidden events are not found.
 *
 * -ENOENT with the nearest names as remedy; -EINVAL if a spelling of ROCm's
 * can mean several events.
 */
int catalog_find(const struct catalog *catalog, const char *name, size_t length,
		 const struct drmperf_event **out, struct drmperf_error *error);

/*
 * The same for expressions, which may also use what is hidden: an index, or
 * NAME_INDEX_END if there is none; *several if there is no telling which.
 */
uint32_t catalog_find_any(const struct catalog *catalog, const char *name,
			  size_t length, bool *several);

/* The index of an event of this group, or NAME_INDEX_END. */
uint32_t catalog_find_in_group(const struct catalog *catalog, group_index group,
			       const char *name, size_t length);

/*
 * What an event is made of; lives as long as the catalog. Compiles the
 * expression at the first call. The errors of expr_compile().
 */
int catalog_resolve(const struct drmperf_event *event,
		    const struct catalog_value **out,
		    struct drmperf_error *error);

/* The records behind the handles. */
size_t catalog_event_index(const struct drmperf_event *event);
const struct description_event *
catalog_event_record(const struct drmperf_event *event);
const struct description_group *
catalog_group_record(const struct drmperf_group *group);
const struct description_domain *
catalog_group_domain(const struct drmperf_group *group);

#endif /* DRMPERF_LIB_CATALOG_H */
