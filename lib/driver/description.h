/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver's description of a device: domains, groups, counters, events, and
 * the constants that expressions may use. A driver fills it once; after that
 * it is only read.
 */
#ifndef DRMPERF_LIB_DRIVER_DESCRIPTION_H
#define DRMPERF_LIB_DRIVER_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "drmperf.h"
#include "expr/source.h"

struct description;
struct description_event;
struct domain_ops;

/* Position in the arrays of a struct description. */
typedef uint32_t domain_index;
typedef uint32_t group_index;

/* Any slot of its group may hold the counter, or it is there without one. */
#define SLOTS_ANY UINT64_MAX
#define SLOTS_NONE UINT64_C(0)

/* The counter needs no particular value of the domain's shared setting. */
#define SETTING_NONE 0

/* The group of metrics over other groups; found without its name as well. */
#define METRIC_GROUP "metric"

/* The use of an event of a foreign table. */
enum event_use {
	EVENT_USE_LISTED, /* until something else is found out */
	EVENT_USE_HIDDEN, /* it counts nothing, but expressions may use it */
	EVENT_USE_NONE,	  /* it cannot be resolved here */
	EVENT_USE_REPLACED, /* by one of the same name behind it */
};

struct description_domain {
	const char *name;
	const struct domain_ops *ops;
	void *device;	/* the first argument of ops->arm */
	bool exclusive; /* one group at a time */
	/*
	 * The file below /proc/sys of the sysctl that keeps it from processes
	 * without CAP_PERFMON while it is above 0; NULL: none does.
	 */
	const char *paranoid;
	const struct stream_ops *stream; /* NULL: it cannot be streamed */
	const struct trace_ops *trace; /* NULL: it has no traces of waves */
};

/* Selectors of counters that a group can borrow are below that. */
#define BORROWED_MAX 128

struct description_group {
	const char *name;
	const char *description;
	domain_index domain;
	unsigned max_active; /* slots per instance */
	unsigned instances;
	/*
	 * Instances are numbered engine by engine; this many make up one
	 * shader engine. Equal to instances where there are no engines.
	 */
	unsigned instances_per_engine;
	/* "se%u.sa%u.cu%u" filled by the driver; NULL: plain numbers */
	const char *const *instance_names;
	/*
	 * Groups of the same slot pool share max_active. In a record given to
	 * description_add_group(), 0 stands for the group's own index.
	 */
	group_index slot_pool;
	/*
	 * Metrics of this group count the plain counters of that group as if
	 * they were this group's own: the raw counters of an OA report are
	 * described once and mean something else under each metric set. Used
	 * if borrows is true.
	 */
	bool borrows;
	group_index counters_of;
	/* A constant with another value than the device's; NULL: none. */
	const struct description_constant *constant;
	/* An event of the domain's any group is this one's, where it has it. */
	bool leads;
	/* It never is, where another group has the event. */
	bool extrapolates;
	/*
	 * Bit n % 64 of word n / 64: the one with selector n means something
	 * here, so that users may name it as an event of this group.
	 */
	uint64_t borrowed[BORROWED_MAX / 64];
	enum drmperf_scope scope;
	/*
	 * True of a block whose selectors are the hardware's numbers of events,
	 * max_id the highest of them.
	 */
	bool has_ids;
	uint32_t max_id;
	/*
	 * Where has_ids is true: put slots and setting into the record of an
	 * event by its number, the selector, which no event described has.
	 * -ERANGE, with cause, if the hardware cannot select it.
	 */
	int (*describe_id)(void *device, group_index group,
			   struct description_event *event,
			   struct drmperf_error *error);
	unsigned dies; /* of which one is counted; 0: there is but one */
	unsigned summed_dies; /* that values are sums over; 0: of one die */
	uint64_t stages; /* that its events can tell apart, DRMPERF_STAGE_* */
	/*
	 * The part before "::" in the name of an unlisted event that is one of
	 * this group with more terms, "xe_0000_03_00.0"; NULL: there are none.
	 */
	const char *terms_of;
	/*
	 * Adds the group's events, and no other records, when one of them is
	 * asked for; given the device of the group's domain. -EBADMSG
	 * with file and line if the table is malformed there; -ENOMEM. NULL:
	 * the events were added together with the group.
	 */
	int (*describe)(void *device, group_index group,
			struct description *description,
			struct drmperf_error *error);
};

/*
 * An event: a plain counter of its group (expression NULL), or a metric. Plain
 * counters may be hidden: they can be used by expressions but are not listed.
 */
struct description_event {
	const char *name; /* within the group: "WAVES" */
	const char *alias; /* another full spelling: "SQ_WAVES"; or NULL */
	const char *description;
	const char *expression; /* NULL: plain counter */
	const char *file;	/* for complaints about the expression */
	int line;
	group_index group;
	/* There are thousands of these: what fits into a byte gets one. */
	enum drmperf_unit unit : 8;
	enum drmperf_type type : 8;
	enum drmperf_kind kind : 8;
	enum expression_language language : 8;
	bool hidden;
	/*
	 * A metric of its own group's counters alone: so much is known of it
	 * without its expression, which is held to it.
	 */
	bool is_local;
	/* the rest, but for use, is of plain counters only */
	bool follows;	  /* sums the counter in the slot before its own */
	uint32_t selector; /* means something to the driver only */
	uint32_t setting; /* value wanted of the domain's shared setting */
	uint64_t slots;	  /* bit n: slot n of the group can hold it */
	/* of a foreign table, in the arena, set by the catalog; else NULL */
	enum event_use *use;
};

struct description_constant {
	const char *name;
	uint64_t value;
};

/*
 * A group, an event or a constant that is known and not offered; the next one,
 * or NULL.
 */
struct description_hidden {
	const char *name; /* "EA", "SQ_WGP.WAVE_CYCLES", "SubsliceMask" */
	const char *reason; /* half a sentence: "its registers are unknown" */
	const char *remedy; /* or NULL: the self-test, DRMPERF_UNTESTED */
	const struct description_hidden *next;
};

struct description {
	struct arena *arena; /* owns all strings */
	const struct description_hidden *hidden; /* in the arena */
	const char *chip;	/* "Vega 10" */
	const char *generation; /* "gfx9" */
	const char *target; /* "gfx900": in other people's tables; or NULL */
	const char *tables; /* folder of tables; NULL: the driver's name */
	uint32_t revision;  /* of PCI; told where there are engines */
	unsigned engines;   /* shader engines; 0: not told */
	struct description_domain *domains;
	size_t domain_count;
	struct description_group *groups;
	size_t group_count;
	size_t group_room; /* how many fit in; kept when some are taken out */
	struct description_event *events;
	size_t event_count;
	size_t event_room; /* like that of groups */
	struct description_constant *constants;
	size_t constant_count;
	const struct description_hidden *missing; /* constants of no value */
};

/* Return the chip, or "the device" where no driver could tell which it is. */
const char *
description_chip(const struct description *description);

int description_init(struct description *description);
void description_finish(struct description *description);

/* Make room for more groups than there are. -ENOMEM. */
int
description_reserve_groups(struct description *description, size_t more);

/*
 * Append a record. The record is copied; its strings are not: they must live
 * in the description's arena, in a table kept by the device, or be static.
 * The index goes to *out unless that is NULL. -ENOMEM.
 */
int description_add_domain(struct description *description,
			   const struct description_domain *domain,
			   domain_index *out);
int description_add_group(struct description *description,
			  const struct description_group *group,
			  group_index *out);
int description_add_event(struct description *description,
			  const struct description_event *event);
int description_add_constant(struct description *description,
			     const char *name, uint64_t value);

/*
 * Set the error why a constant has no value. Returns -ENOTSUP, or -ENOENT if
 * the list does not have it.
 */
int
description_explain_missing(const struct description_hidden *missing,
			    const char *name, size_t length,
			    struct drmperf_error *error);

/*
 * The state of a description; description_rollback() forgets all that was
 * added since, but keeps the memory of its strings.
 */
struct description_mark {
	const char *chip, *generation, *target;
	size_t domain_count, group_count, event_count, constant_count;
};

struct description_mark description_mark(const struct description *description);
void description_rollback(struct description *description,
			  const struct description_mark *mark);

/* Mark the last event as one of a foreign table. Returns 0, or -ENOMEM. */
int description_mark_foreign(struct description *description);

/*
 * Make another description with the same records, in arrays of its own; the
 * arena stays that of the first. description_release() frees the arrays alone.
 * -ENOMEM.
 */
int description_copy(const struct description *description,
		     struct description *out);
void description_release(struct description *description);

/* Find the first group of this name; -ENOENT. */
int description_group_find(const struct description *description,
			   const char *name, group_index *out);

/*
 * Convert words of the tables: "cycles", "uint64" or "double", "cumulative",
 * "average" or "momentary". Returns 0, or -EINVAL for an unknown word.
 */
int unit_from_name(const char *name, enum drmperf_unit *out);
int type_from_name(const char *name, enum drmperf_type *out);
int kind_from_name(const char *name, enum drmperf_kind *out);

#endif /* DRMPERF_LIB_DRIVER_DESCRIPTION_H */
