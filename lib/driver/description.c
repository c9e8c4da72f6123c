/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const char *const unit_names[DRMPERF_UNIT_COUNT] = {
	[DRMPERF_UNIT_NONE] = "none",
	[DRMPERF_UNIT_CYCLES] = "cycles",
	[DRMPERF_UNIT_BYTES] = "bytes",
	[DRMPERF_UNIT_KIBIBYTES] = "KiB",
	[DRMPERF_UNIT_NANOSECONDS] = "ns",
	[DRMPERF_UNIT_MICROSECONDS] = "us",
	[DRMPERF_UNIT_HERTZ] = "Hz",
	[DRMPERF_UNIT_MEGAHERTZ] = "MHz",
	[DRMPERF_UNIT_PERCENT] = "percent",
	[DRMPERF_UNIT_RATIO] = "ratio",
	[DRMPERF_UNIT_WAVES] = "waves",
	[DRMPERF_UNIT_THREADS] = "threads",
	[DRMPERF_UNIT_INSTRUCTIONS] = "instructions",
	[DRMPERF_UNIT_REQUESTS] = "requests",
	[DRMPERF_UNIT_EVENTS] = "events",
	[DRMPERF_UNIT_PIXELS] = "pixels",
	[DRMPERF_UNIT_TEXELS] = "texels",
	[DRMPERF_UNIT_PRIMITIVES] = "primitives",
	[DRMPERF_UNIT_VERTICES] = "vertices",
	[DRMPERF_UNIT_MESSAGES] = "messages",
	[DRMPERF_UNIT_CACHE_LINES] = "cache-lines",
	[DRMPERF_UNIT_BYTES_PER_SECOND] = "B/s",
	[DRMPERF_UNIT_WATTS] = "W",
	[DRMPERF_UNIT_MILLIWATTS] = "mW",
	[DRMPERF_UNIT_JOULES] = "J",
	[DRMPERF_UNIT_MILLIVOLTS] = "mV",
	[DRMPERF_UNIT_MILLIDEGREES_CELSIUS] = "mdegC",
	[DRMPERF_UNIT_QUADS] = "quads",
	[DRMPERF_UNIT_TILES] = "tiles",
	[DRMPERF_UNIT_FRAGMENTS] = "fragments",
	[DRMPERF_UNIT_SAMPLES] = "samples",
	[DRMPERF_UNIT_EXPORTS] = "exports",
	[DRMPERF_UNIT_GROUPS] = "groups",
	[DRMPERF_UNIT_NODES] = "nodes",
	[DRMPERF_UNIT_PACKETS] = "packets",
	[DRMPERF_UNIT_OPERATIONS] = "operations",
	[DRMPERF_UNIT_DWORDS] = "dwords",
	[DRMPERF_UNIT_SECTORS] = "sectors",
	[DRMPERF_UNIT_TAGS] = "tags",
	[DRMPERF_UNIT_BEATS] = "beats",
	[DRMPERF_UNIT_ENTRIES] = "entries",
	[DRMPERF_UNIT_WAVE_CYCLES] = "wave-cycles",
	[DRMPERF_UNIT_INSTRUCTION_CYCLES] = "instruction-cycles",
	[DRMPERF_UNIT_REQUEST_CYCLES] = "request-cycles",
	[DRMPERF_UNIT_ENTRY_CYCLES] = "entry-cycles",
	[DRMPERF_UNIT_MICROJOULES] = "uJ",
	[DRMPERF_UNIT_RAYS] = "rays",
	[DRMPERF_UNIT_FLAG] = "flag",
	[DRMPERF_UNIT_LANES] = "lanes",
	[DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND] = "MT/s",
	[DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE] = "rpm",
	[DRMPERF_UNIT_MILLIAMPERES] = "mA",
	[DRMPERF_UNIT_STEPS] = "steps",
};

static const char *const type_names[] = {
	[DRMPERF_TYPE_UINT64] = "uint64",
	[DRMPERF_TYPE_DOUBLE] = "double",
};

static const char *const kind_names[] = {
	[DRMPERF_KIND_CUMULATIVE] = "cumulative",
	[DRMPERF_KIND_AVERAGE] = "average",
	[DRMPERF_KIND_MOMENTARY] = "momentary",
};

/* Return the position of name in names, or -EINVAL. */
static int
name_position(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (*names[i] == *name && !strcmp(names[i], name))
			return (int)i;
	return -EINVAL;
}

int
unit_from_name(const char *name, enum drmperf_unit *out)
{
	int i = name_position(unit_names, ARRAY_SIZE(unit_names), name);

	if (i < 0)
		return i;
	*out = (enum drmperf_unit)i;
	return 0;
}

int
type_from_name(const char *name, enum drmperf_type *out)
{
	int i = name_position(type_names, ARRAY_SIZE(type_names), name);

	if (i < 0)
		return i;
	*out = (enum drmperf_type)i;
	return 0;
}

int
kind_from_name(const char *name, enum drmperf_kind *out)
{
	int i = name_position(kind_names, ARRAY_SIZE(kind_names), name);

	if (i < 0)
		return i;
	*out = (enum drmperf_kind)i;
	return 0;
}

const char *
drmperf_unit_name(enum drmperf_unit unit)
{
	if (unit <= DRMPERF_UNIT_NONE || unit >= DRMPERF_UNIT_COUNT)
		return "";
	return unit_names[unit];
}

const char *
description_chip(const struct description *description)
{
	return *description->chip ? description->chip : "the device";
}

int
description_init(struct description *description)
{
	*description = (struct description){ .chip = "", .generation = "" };
	description->arena = arena_create();
	return description->arena ? 0 : -ENOMEM;
}

void
description_finish(struct description *description)
{
	arena_destroy(description->arena);
	description_release(description);
}

void
description_release(struct description *description)
{
	free(description->domains);
	free(description->groups);
	free(description->events);
	free(description->constants);
	*description = (struct description){ .chip = "", .generation = "" };
}

int
description_add_domain(struct description *description,
		       const struct description_domain *domain,
		       domain_index *out)
{
	size_t count = description->domain_count;
	struct description_domain *domains =
		array_grow(description->domains, count, sizeof(*domains));

	if (!domains)
		return -ENOMEM;
	description->domains = domains;
	domains[description->domain_count++] = *domain;
	if (out)
		*out = (domain_index)count;
	return 0;
}

int
description_reserve_groups(struct description *description, size_t more)
{
	size_t room = description->group_count + more;
	struct description_group *groups;

	if (room <= description->group_room)
		return 0;
	groups = reallocarray(description->groups, room, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	description->groups = groups;
	description->group_room = room;
	return 0;
}

int
description_add_group(struct description *description,
		      const struct description_group *group, group_index *out)
{
	const size_t count = description->group_count;
	struct description_group record = *group; /* which may be one of them */

	if (count == description->group_room &&
	    description_reserve_groups(description, count ? count : 8))
		return -ENOMEM;
	if (!record.slot_pool)
		record.slot_pool = (group_index)count;
	description->groups[description->group_count++] = record;
	if (out)
		*out = (group_index)count;
	return 0;
}

int
description_add_event(struct description *description,
		      const struct description_event *event)
{
	size_t count = description->event_count;

	if (count == description->event_room) {
		size_t room = count ? 2 * count : 64;
		struct description_event *events = reallocarray(
			description->events, room, sizeof(*events));

		if (!events)
			return -ENOMEM;
		description->events = events;
		description->event_room = room;
	}
	description->events[count] = *event;
	description->event_count = count + 1;
	return 0;
}

int
description_add_constant(struct description *description, const char *name,
			 uint64_t value)
{
	struct description_constant *constants =
		array_grow(description->constants, description->constant_count,
			   sizeof(*constants));

	if (!constants)
		return -ENOMEM;
	description->constants = constants;
	constants[description->constant_count++] =
		(struct description_constant){ name, value };
	return 0;
}

int
description_explain_missing(const struct description_hidden *missing,
			    const char *name, size_t length,
			    struct drmperf_error *error)
{
	while (missing && (strncmp(missing->name, name, length) ||
			   missing->name[length]))
		missing = missing->next;
	if (!missing)
		return -ENOENT;
	return error_set(error, -ENOTSUP, "%s has no value here: %s",
			 missing->name, missing->reason);
}

int
description_mark_foreign(struct description *description)
{
	struct description_event *event =
		&description->events[description->event_count - 1];

	event->use = arena_alloc(description->arena, sizeof(*event->use));
	return event->use ? 0 : -ENOMEM;
}

/* Return a copy of an array, with the room that array_grow() expects. */
static void *
copy_array(const void *array, size_t count, size_t size, bool *ok)
{
	size_t capacity = ARRAY_FIRST_ROOM;
	void *copy;

	while (capacity < count)
		capacity *= 2;
	copy = malloc(capacity * size);
	if (!copy)
		*ok = false;
	else if (count)
		memcpy(copy, array, count * size);
	return copy;
}

int
description_copy(const struct description *description, struct description *out)
{
	struct description copy = *description;
	bool ok = true;

	copy.domains = copy_array(description->domains, copy.domain_count,
				  sizeof(*copy.domains), &ok);
	copy.groups = copy_array(description->groups, copy.group_count,
				 sizeof(*copy.groups), &ok);
	copy.events = copy_array(description->events, copy.event_count,
				 sizeof(*copy.events), &ok);
	copy.group_room = copy.group_count;
	copy.event_room = copy.event_count;
	copy.constants = copy_array(description->constants, copy.constant_count,
				    sizeof(*copy.constants), &ok);
	if (!ok) {
		description_release(&copy);
		return -ENOMEM;
	}
	*out = copy;
	return 0;
}

struct description_mark
description_mark(const struct description *description)
{
	return (struct description_mark){
		.chip = description->chip,
		.generation = description->generation,
		.target = description->target,
		.domain_count = description->domain_count,
		.group_count = description->group_count,
		.event_count = description->event_count,
		.constant_count = description->constant_count,
	};
}

void
description_rollback(struct description *description,
		     const struct description_mark *mark)
{
	description->chip = mark->chip;
	description->generation = mark->generation;
	description->target = mark->target;
	description->domain_count = mark->domain_count;
	description->group_count = mark->group_count;
	description->event_count = mark->event_count;
	description->constant_count = mark->constant_count;
}

int
description_group_find(const struct description *description, const char *name,
		       group_index *out)
{
	size_t i;

	for (i = 0; i < description->group_count; i++) {
		if (!strcmp(description->groups[i].name, name)) {
			*out = (group_index)i;
			return 0;
		}
	}
	return -ENOENT;
}
