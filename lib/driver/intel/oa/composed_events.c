/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "driver/intel/oa/composition.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/results.h"

#define GROUP_NAME "Composed"

/* The group's events are being put together. */
struct composer {
	struct oa_gpu *gpu;
	struct composition *composition;
	struct description *description; /* that they are added to */
	group_index group;
	struct name_index names; /* gives positions in the description */
	size_t first; /* of the group's events */
	struct drmperf_error *error;
};

static int
no_memory(struct composer *composer)
{
	return error_set(composer->error, -ENOMEM, "no memory");
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

static struct description_event *
find_event(const struct composer *composer, const char *name)
{
	const uint32_t hash = hash_text(name);
	size_t cursor = 0;
	uint32_t i;

	while ((i = name_index_next(&composer->names, hash, &cursor)) !=
	       NAME_INDEX_END) {
		struct description_event *event =
			&composer->description->events[i];

		if (!strcmp(event->name, name))
			return event;
	}
	return NULL;
}

/* Add an event; of two of one name, keep the first one that is not hidden. */
static int
add_event(struct composer *composer, const struct description_event *event)
{
	struct description *description = composer->description;
	struct description_event *known = find_event(composer, event->name);

	if (known) {
		if (known->hidden && !event->hidden)
			*known = *event;
		return 0;
	}
	if (name_index_reserve(&composer->names, 1) ||
	    description_add_event(description, event))
		return no_memory(composer);
	name_index_insert(&composer->names, hash_text(event->name),
			  (uint32_t)(description->event_count - 1));
	return 0;
}

static int
add_counter(struct composer *composer, const char *name, uint32_t selector,
	    uint64_t slots, enum drmperf_kind kind)
{
	const struct description_event event = {
		.name = name,
		.description = "Counter of an OA unit.",
		.group = composer->group,
		.type = DRMPERF_TYPE_UINT64,
		.kind = kind,
		.hidden = true,
		.slots = slots,
		.selector = selector,
	};

	return name ? add_event(composer, &event) : no_memory(composer);
}

/* Add the counters that every report has. */
static int
add_fixed(struct composer *composer)
{
	static const struct {
		const char *name;
		uint32_t selector;
		enum drmperf_kind kind;
	} fixed[] = {
		{ "TIME", OA_SLOT_TIME, DRMPERF_KIND_CUMULATIVE },
		{ "CLOCK", OA_SLOT_CLOCK, DRMPERF_KIND_CUMULATIVE },
		{ "GPU_TIME0", OA_SLOT_TIME, DRMPERF_KIND_CUMULATIVE },
		{ "GPU_CLOCK0", OA_SLOT_CLOCK, DRMPERF_KIND_CUMULATIVE },
		{ "REPORT_AGE", RAW_COUNTER_REPORT_AGE,
		  DRMPERF_KIND_MOMENTARY },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed) && !ret; i++)
		ret = add_counter(composer, fixed[i].name, fixed[i].selector,
				  SLOTS_NONE, fixed[i].kind);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Counters by their event */

static const char *
counter_name(struct composer *composer, const struct pec_event *event)
{
	struct arena *arena = composer->description->arena;
	const unsigned half = event->upper ? 2 : 1;

	if (event->stage)
		return arena_printf(arena, "G%u_%x_%03x", half, event->selector,
				    event->stage);
	return arena_printf(arena, "G%u_%x", half, event->selector);
}

static int
add_to_composition(struct composition *composition,
		   const struct pec_event *event)
{
	struct pec_event *events = array_grow(
		composition->events, composition->count, sizeof(*events));

	if (!events)
		return -ENOMEM;
	composition->events = events;
	events[composition->count++] = *event;
	return 0;
}

/* Return the name of the counter of an event; NULL without memory. */
static const char *
counter_of(struct composer *composer, const struct pec_event *event)
{
	const char *name = counter_name(composer, event);
	const struct composition *composition = composer->composition;

	if (!name || find_event(composer, name))
		return name;
	if (add_to_composition(composer->composition, event) ||
	    add_counter(
		    composer, name,
		    composed_counter_selector((uint32_t)composition->count - 1),
		    pec_places(event), DRMPERF_KIND_CUMULATIVE))
		return NULL;
	return name;
}

/* ------------------------------------------------------------------ */
/* Expressions                                                          */

/* Return the number in "PEC7"; PEC_COUNT if the word is something else. */
static unsigned
pec_number(const char *word, size_t length)
{
	unsigned long number;
	char *end;

	if (length < 4 || strncmp(word, "PEC", 3) || !isdigit(word[3]))
		return PEC_COUNT;
	number = strtoul(word + 3, &end, 10);
	return end == word + length && number < PEC_COUNT ? (unsigned)number
							  : PEC_COUNT;
}

static size_t
word_length(const char *text)
{
	size_t length = 0;

	while (isalnum(text[length]) || text[length] == '_')
		length++;
	return length;
}

/*
 * Translate the set's expression into one over counters named by their event.
 * *out is NULL if the set's registers do not select an event for one of them.
 * Returns 0, or -ENOMEM.
 */
static int
composer_translate(struct composer *composer, const struct oa_config *config,
		   const char *text, const char **out)
{
	struct arena *arena = composer->description->arena;
	const char *done = "";

	for (size_t length; *text; text += length) {
		struct pec_event event;
		const char *name = NULL;
		unsigned pec;

		length = word_length(text);
		pec = pec_number(text, length);
		if (pec < PEC_COUNT) {
			event = pec_event_of(config, pec);
			if (!event.selector) {
				*out = NULL;
				return 0;
			}
			name = counter_of(composer, &event);
			if (!name)
				return no_memory(composer);
		}
		if (!length)
			length = 1;
		done = name ? arena_printf(arena, "%s%s", done, name)
			    : arena_printf(arena, "%s%.*s", done, (int)length,
					   text);
		if (!done)
			return no_memory(composer);
	}
	*out = done;
	return 0;
}

static int
compose_event(struct composer *composer, const struct oa_config *config,
	      const struct description_event *from)
{
	struct description_event event = *from;
	int ret;

	if (!from->expression || from->language != EXPRESSION_INFIX)
		return 0;
	event.group = composer->group;
	event.is_local = false;
	event.use = NULL;
	ret = composer_translate(composer, config, from->expression,
				 &event.expression);
	return ret || !event.expression ? ret : add_event(composer, &event);
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

static int
compose_events(struct composer *composer, const struct metric_set *set,
	       const struct description *from, size_t end)
{
	struct oa_config config;
	const struct element *element;
	const struct table *table;
	int ret;

	ret = oa_gpu_registers(composer->gpu, set, &table, &element,
			       composer->error);
	if (!ret)
		ret = oa_config_registers(&composer->gpu->constants, table,
					  element, &config, composer->error);
	if (ret)
		return ret;
	for (size_t i = 0; i < end && !ret; i++) {
		/* a copy: its array may be the one that grows */
		const struct description_event event = from->events[i];

		if (event.group == set->group)
			ret = compose_event(composer, &config, &event);
	}
	oa_config_free(&config);
	return ret;
}

/* Compose the events of a set that are described when they are asked for. */
static int
compose_deferred_events(struct composer *composer, const struct metric_set *set)
{
	struct description described = { 0 };
	int ret = description_init(&described);

	if (ret)
		return no_memory(composer);
	ret = metric_sets_describe(&composer->gpu->sets, set->group, &described,
				   composer->error);
	if (!ret)
		ret = compose_events(composer, set, &described,
				     described.event_count);
	arena_adopt(composer->description->arena, described.arena);
	described.arena = NULL;
	description_finish(&described);
	return ret;
}

static int
composer_compose(struct composer *composer)
{
	const struct metric_sets *sets = &composer->gpu->sets;
	const size_t described = composer->description->event_count;
	int ret;

	if (name_index_init(&composer->names, 1024))
		return no_memory(composer);
	ret = add_fixed(composer);
	for (size_t i = 0; i < sets->count && !ret; i++) {
		const struct metric_set *set = &sets->sets[i];

		if (set->unit != OA_UNIT_RENDER || set->composed ||
		    metric_sets_find(sets, set->group) != set)
			continue;
		ret = sets->describe ? compose_deferred_events(composer, set)
				     : compose_events(composer, set,
						      composer->description,
						      described);
	}
	name_index_finish(&composer->names);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The group                                                            */

static int
composed_events_describe(void *device, group_index group,
			 struct description *description,
			 struct drmperf_error *error)
{
	struct oa_gpu *gpu = device;
	struct composer composer = {
		.gpu = gpu,
		.composition = &gpu->composition,
		.description = description,
		.group = group,
		.error = error,
	};

	return composer_compose(&composer);
}

/* Decide by DRMPERF_COMPOSE; without it, by the results of self-tests. */
static int
is_wanted(const struct oa_gpu *gpu, uint32_t device_id, bool *out,
	  struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_COMPOSE");

	*out = text && !strcmp(text, "1");
	if (*out || (text && !strcmp(text, "0")))
		return 0;
	if (!text || !*text)
		return oa_results_composes(gpu, device_id, out, error);
	error_set(error, -EINVAL, "DRMPERF_COMPOSE is \"%s\"", text);
	error_remedy(error, "set it to 1 to compose metric sets from the "
			    "requested events, to 0 not to, or unset it");
	return -EINVAL;
}

int
composition_add_group(struct oa_gpu *gpu, uint32_t device_id,
		      struct description *description,
		      struct drmperf_error *error)
{
	struct description_group group = {
		.name = GROUP_NAME,
		.description = "Any events of the render engine's metric sets, "
			       "in a set composed of the requested events.",
		.domain = gpu->sets.domains[OA_UNIT_RENDER],
		.max_active = PEC_COUNT,
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
		.leads = true,
		.describe =
			gpu->sets.describe ? composed_events_describe : NULL,
	};
	struct metric_set *set;
	bool wanted;
	int ret;

	/* a recording has a single set */
	if (gpu->platform.generation < OA_XE2 || gpu->sets.only)
		return 0;
	ret = is_wanted(gpu, device_id, &wanted, error);
	if (ret || !wanted)
		return ret;
	set = metric_sets_add(&gpu->sets);
	if (!set || description_add_group(description, &group, &set->group))
		return error_set(error, -ENOMEM, "no memory");
	set->name = GROUP_NAME;
	set->unit = OA_UNIT_RENDER;
	set->format = gpu->platform.format;
	set->composed = true;
	return group.describe ? 0
			      : composed_events_describe(gpu, set->group,
							 description, error);
}
