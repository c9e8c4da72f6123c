/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of a resolved event: its counters, and the program that computes it
 * from theirs.
 */
#ifndef DRMPERF_LIB_CATALOG_VALUE_H
#define DRMPERF_LIB_CATALOG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/description.h"
#include "drmperf.h"

struct expr_program;

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
 * An event has one counter; or several and the program that computes the value
 * from them; or no counter, but other events of which any will do.
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
	unsigned dies; /* of a plain counter: that ":die=" may take; 0: none */
	enum drmperf_scope scope; /* the narrowest of its counters */
};

#endif /* DRMPERF_LIB_CATALOG_VALUE_H */
