/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric sets as events/i915/PLATFORM.xml has them, turned into groups and
 * events of a description. A set that needs hardware which this GPU lacks is
 * left out, and so is a counter.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_METRIC_SET_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_METRIC_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "driver/description.h"
#include "driver/intel/oa/condition.h"
#include "driver/intel/oa/format.h"
#include "driver/intel/oa/platform.h"
#include "table/table.h"

/*
 * OA units of a GPU: the render engine's, the media engines', and, on Xe2 and
 * later, the second one of media engines and the media GT's own; on Crescent
 * Island that of the memory fabric, too.
 */
enum oa_unit {
	OA_UNIT_RENDER,
	OA_UNIT_MEDIA,
	OA_UNIT_MEDIA_SECOND,
	OA_UNIT_MEDIA_GT,
	OA_UNIT_MERT, /* of the memory fabric */
	OA_UNIT_COUNT
};

struct metric_set {
	const char *name;
	group_index group;
	enum oa_unit unit;
	const struct oa_format *format;
	/* where its register lists are; NULL: in PLATFORM.registers.xml */
	const struct table *table;
	const struct element *registers;
	const struct element *element; /* of metric_sets_describe() */
	bool composed; /* from the events asked for: see composition.h */
};

/* The state of reading sets. */
struct set_reader;

/* The sets of a device, until metric_sets_finish(). */
struct metric_sets {
	struct metric_set *sets;
	size_t count, capacity;
	domain_index domains[OA_UNIT_COUNT];
	bool without[OA_UNIT_COUNT]; /* units that the GPU lacks */
	/* of units that count time at another rate than shaders' unit; or 0 */
	uint64_t timestamp_hz[OA_UNIT_COUNT];
	const char *only; /* the only set to read; NULL: all */
	group_index raw_group; /* see raw_counters.h */
	const char *note; /* at the end of each description; or NULL */
	const struct log_sink *log; /* or NULL */
	/*
	 * describe() of the groups, which calls metric_sets_describe(), if the
	 * GPU's table is the only one. NULL: events are added at once.
	 */
	int (*describe)(void *device, group_index group,
			struct description *description,
			struct drmperf_error *error);
	struct set_reader *reader; /* of events that are described later */
};

/*
 * Append a group for every set of the table that this GPU can count. Strings
 * are those of the table, which must live as long as the description. What is
 * wrong in a foreign table is left out with a warning; such a set takes the
 * place of one of the same name. -EBADMSG; -ENOMEM.
 */
int metric_sets_read(struct metric_sets *sets, const struct table *table,
		     const struct platform *platform,
		     const struct constants *constants,
		     struct description *description,
		     struct drmperf_error *error);

/*
 * Append the events of a group that was added without them. This still uses the
 * table, the constants and the first description's arena. -EBADMSG; -ENOMEM.
 */
int metric_sets_describe(struct metric_sets *sets, group_index group,
			 struct description *description,
			 struct drmperf_error *error);

/* Add a zeroed set, which the caller fills in. NULL without memory. */
struct metric_set *
metric_sets_add(struct metric_sets *sets);

/* Free the sets; no more events are described. */
void metric_sets_finish(struct metric_sets *sets);

/* Find the set that is this group; NULL if none. */
const struct metric_set *metric_sets_find(const struct metric_sets *sets,
					  group_index group);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_METRIC_SET_H */
