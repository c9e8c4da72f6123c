/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of metric sets, made of what a table says.
 *
 * The largest table has a thousand sets with eight thousand counters, and must
 * be read within a few milliseconds. So a counter is described once for all
 * sets, and for all its copies in the hardware, and each condition is evaluated
 * once.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_SET_EVENTS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_SET_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/name_index.h"
#include "driver/description.h"
#include "driver/intel/oa/condition.h"
#include "driver/intel/oa/counter.h"
#include "table/table.h"

#define BASICS_MAX 8

struct set_events {
	const struct table *table;
	const struct log_sink *log; /* or NULL */
	bool foreign; /* a table not ours: faulty events are left out */
	bool own;     /* the GPU's own table */
	struct description *description; /* that events are added to */
	/* of sets whose place those of this table take, by group and name */
	const struct description_event *replaced;
	struct name_index replaced_names;
	struct drmperf_error cause, *error; /* error points to cause */
	struct arena *arena; /* of all below */
	struct conditions conditions;
	struct counter_index counters;
	struct description_event basics[BASICS_MAX]; /* that are available */
	size_t basic_count;
	char *room; /* of copy_temporary_text() */
	size_t room_size;
};

/*
 * Initialize the events of sets; the first members are the caller's to set.
 * Returns 0, or -ENOMEM.
 */
int set_events_init(struct set_events *events, const struct table *table,
		    const struct constants *constants);
void set_events_finish(struct set_events *events);

/* Read what the sets of the table have in common. -EBADMSG; -ENOMEM. */
int set_events_read_counters(struct set_events *events);

/*
 * Find the events of the sets that those of the table replace; they provide
 * what the table leaves out. Returns 0, or -ENOMEM.
 */
int set_events_replace(struct set_events *events,
		       const struct description_event *replaced, size_t count);

/*
 * Append the events of a set to its group; *added grows by those that not
 * every set has. -EBADMSG; -ENOMEM.
 */
int set_events_add(struct set_events *events, const struct element *set,
		   group_index group, size_t *added);

/* Check if set_events_add() would find an event that not every set has. */
int set_events_has_any(struct set_events *events, const struct element *set,
		       bool *out);

/* Find out whether a condition, of an attribute of the element, is true. */
int set_events_is_true(struct set_events *events, const struct element *element,
		       const char *text, bool *out);

/*
 * Handle an error: in a foreign table, log that the faulty part is left out and
 * return 0; else return ret.
 */
int set_events_excuse(const struct set_events *events, int ret);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_SET_EVENTS_H */
