/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/events/lint.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "driver/description.h"
#include "expr/compile.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* COPY_DATA reaches registers of 18 bits in dwords. */
#define REGISTER_END 0x100000

#define UCONFIG_BEGIN 0x30000
#define UCONFIG_END 0x40000

static void __attribute__((format(printf, 3, 4)))
complain(struct lint *lint, const struct element *element, const char *cause,
	 ...)
{
	char text[400];
	va_list args;
	int n;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	lint->complaints++;
	n = snprintf(lint->text + lint->length,
		     sizeof(lint->text) - lint->length, "%s:%d: <%s> %s\n",
		     lint->table->path, element->line, element->name, text);
	if (n > 0 && (size_t)n < sizeof(lint->text) - lint->length)
		lint->length += (size_t)n;
}

/* ------------------------------------------------------------------ */
/* Attributes                                                           */

/* What an element may have; each list ends with NULL. */
struct element_kind {
	const char *name;
	const char *attributes[20];
};

static void
check_attributes(struct lint *lint, const struct element *element,
		 const struct element_kind *kind)
{
	for (size_t i = 0; i < element->attribute_count; i++) {
		const char *name = element->attributes[i].name;
		const char *const *known = kind->attributes;

		while (*known && strcmp(*known, name))
			known++;
		if (!*known)
			complain(lint, element, "unknown attribute %s", name);
	}
}

/* Every child is of one of these kinds and has no attributes but theirs. */
static void
check_children(struct lint *lint, const struct element *parent,
	       const struct element_kind *kinds, size_t count)
{
	const struct element *child;
	size_t i;

	for (child = parent->child; child; child = child->next) {
		for (i = 0; i < count; i++)
			if (!strcmp(kinds[i].name, child->name))
				break;
		if (i == count)
			complain(lint, child, "unknown element");
		else
			check_attributes(lint, child, &kinds[i]);
	}
}

static const char *
text_of(struct lint *lint, const struct element *element, const char *name)
{
	const char *value = element_attribute(element, name);

	if (!value || !*value) {
		complain(lint, element, "%s is missing", name);
		return "";
	}
	return value;
}

/* A number of at most max, or of no more than fallback says if absent. */
static uint64_t
number_or(struct lint *lint, const struct element *element, const char *name,
	  uint64_t max, uint64_t fallback)
{
	struct drmperf_error error;
	uint64_t value;

	if (element_uint_or(lint->table, element, name, max, fallback, &value,
			    &error)) {
		complain(lint, element, "%s: %s", name, error.cause);
		return fallback;
	}
	return value;
}

static uint64_t
number_of(struct lint *lint, const struct element *element, const char *name,
	  uint64_t max)
{
	if (!*text_of(lint, element, name))
		return 0;
	return number_or(lint, element, name, max, 0);
}

static void
check_word(struct lint *lint, const struct element *element, const char *name,
	   const char *const *words, size_t count)
{
	const char *value = text_of(lint, element, name);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(value, words[i]))
			return;
	complain(lint, element, "%s is \"%s\", which no rule knows", name,
		 value);
}

static void
check_name(struct lint *lint, const struct element *element, const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
			complain(lint, element, "\"%s\" is no legal name",
				 name);
}

/* Names differ in more than case from those of all elements before. */
static void
check_unique(struct lint *lint, const struct element *first,
	     const struct element *element, const char *attribute)
{
	const char *name = element_attribute(element, attribute);

	for (; name && first != element; first = first->next) {
		const char *other = element_attribute(first, attribute);

		if (!strcmp(first->name, element->name) && other &&
		    !strcasecmp(name, other))
			complain(lint, element, "%s \"%s\" is that of line %d",
				 attribute, name, first->line);
	}
}

static void
check_unit(struct lint *lint, const struct element *element)
{
	const char *unit = element_attribute(element, "unit");
	enum drmperf_unit value;

	if (unit && unit_from_name(unit, &value))
		complain(lint, element, "\"%s\" is no unit", unit);
}

/* The text says more than the name. */
static void
check_description(struct lint *lint, const struct element *element,
		  const char *text, const char *name)
{
	const char *t = text;

	if (!*text) {
		complain(lint, element, "no description");
		return;
	}
	if (text[strlen(text) - 1] != '.' || islower((unsigned char)*text))
		complain(lint, element, "\"%s\" is no sentence", text);
	while (*t || *name) {
		while (*t && !isalnum((unsigned char)*t))
			t++;
		while (*name && !isalnum((unsigned char)*name))
			name++;
		if (tolower((unsigned char)*t) != tolower((unsigned char)*name))
			return;
		t += *t != 0;
		name += *name != 0;
	}
	complain(lint, element, "the description is the name");
}

/* ------------------------------------------------------------------ */
/* Registers and slots                                                  */

/* A register's byte offset, inside the window if there is one. */
static uint64_t
check_register(struct lint *lint, const struct element *element,
	       const char *name, const char *window)
{
	uint64_t offset = number_of(lint, element, name, UINT32_MAX);
	bool uconfig = offset >= UCONFIG_BEGIN && offset < UCONFIG_END;

	if (!offset || offset % 4 || offset >= REGISTER_END)
		complain(lint, element, "%s is not a register in reach", name);
	else if (window && uconfig != !strcmp(window, "uconfig"))
		complain(lint, element, "%s is outside its window", name);
	return offset;
}

static const char *
slot_attribute(const struct element *block, const struct element *slot,
	       const char *name)
{
	const char *value = element_attribute(slot, name);

	return value ? value : element_attribute(block, name);
}

/*
 * Two counters share no register but what their style shares: the result of
 * cfg, the control register of a part of sdma.
 */
static void
check_sharing(struct lint *lint, const struct element *block,
	      const struct element *slot)
{
	static const char *const names[] = { "select", "select1", "lo", "hi" };
	const char *style = slot_attribute(block, slot, "style");
	const struct element *other;

	for (other = element_named(block->child, "slot"); other != slot;
	     other = element_named(other->next, "slot")) {
		for (size_t i = 0; i < ARRAY_SIZE(names) * 4; i++) {
			const char *mine = names[i % 4], *its = names[i / 4];
			const char *a = element_attribute(slot, mine);
			const char *b = element_attribute(other, its);

			if (!a || !b ||
			    strtoull(a, NULL, 0) != strtoull(b, NULL, 0))
				continue;
			if (style && mine == its &&
			    ((!strcmp(style, "cfg") && i % 4 >= 2) ||
			     (!strcmp(style, "sdma") && i % 4 == 0)))
				continue;
			complain(lint, slot, "%s is %s of line %d", mine, its,
				 other->line);
		}
	}
}

static void
check_slot(struct lint *lint, const struct element *block,
	   const struct element *slot)
{
	static const char *const styles[] = { "generic",    "sq",  "cfg",
					      "per-engine", "rlc", "sdma" };
	const char *window = slot_attribute(block, slot, "window");
	const char *style = slot_attribute(block, slot, "style");
	const char *bits = slot_attribute(block, slot, "bits");
	uint64_t id_bits;
	size_t i;

	check_register(lint, slot, "select", window);
	check_register(lint, slot, "lo", window);
	if (element_attribute(slot, "select1"))
		check_register(lint, slot, "select1", window);
	if (!bits ||
	    (strcmp(bits, "64") && strcmp(bits, "48") && strcmp(bits, "32")))
		complain(lint, slot, "bits is not 64, 48 or 32");
	else if (strcmp(bits, "32"))
		check_register(lint, slot, "hi", window);
	else if (element_attribute(slot, "hi"))
		complain(lint, slot, "hi has no place in 32 bits");
	id_bits = number_of(lint, slot, "id-bits", 10);
	if (!id_bits)
		complain(lint, slot, "id-bits is 0");
	for (i = 0; i < ARRAY_SIZE(styles); i++)
		if (style && !strcmp(style, styles[i]))
			break;
	if (i == ARRAY_SIZE(styles))
		complain(lint, slot, "style is \"%s\", which no rule knows",
			 style ? style : "");
	if (style && !strcmp(style, "cfg") &&
	    !element_attribute(block, "result-control"))
		complain(lint, slot, "style cfg needs result-control");
	check_sharing(lint, block, slot);
}

/* Parts follow one another and have the same number of slots each. */
static void
check_parts(struct lint *lint, const struct element *block, uint64_t count)
{
	const struct element *slot, *last = NULL;
	uint64_t parts = 1, at = 0;

	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot"))
		last = slot;
	if (last)
		parts += number_or(lint, last, "part", 63, 0);
	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot"), at++) {
		uint64_t part = number_or(lint, slot, "part", 63, 0);

		if (count % parts || part != at * parts / count)
			complain(lint, slot, "parts are not of the same size");
	}
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

/* Mask of the slots whose event field has room for the id. */
static uint64_t
slots_for(struct lint *lint, const struct element *block, uint64_t id)
{
	const struct element *slot;
	uint64_t mask = 0, bit = 1;

	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot")) {
		if (number_or(lint, slot, "part", 63, 0))
			continue;
		if (!(id >> number_or(lint, slot, "id-bits", 10, 0)))
			mask |= bit;
		bit <<= 1;
	}
	return mask;
}

static void
check_event(struct lint *lint, const struct element *block,
	    const struct element *event, uint64_t event_count)
{
	const char *name = text_of(lint, event, "name");
	const char *follows = element_attribute(event, "follows");
	uint64_t id = number_of(lint, event, "id", UINT32_MAX);
	uint64_t fit = slots_for(lint, block, id);
	const struct element *other;

	check_name(lint, event, name);
	check_unique(lint, block->child, event, "name");
	check_unit(lint, event);
	check_description(lint, event, event->text, name);
	if (id >= event_count)
		complain(lint, event, "id is not below event-count");
	if (!fit)
		complain(lint, event, "id fits no slot");
	if (element_attribute(event, "slots")) {
		uint64_t mask = number_of(lint, event, "slots", UINT64_MAX);

		if (!mask || mask & ~fit)
			complain(lint, event, "slots that cannot hold the id");
	}
	if (follows && strcmp(follows, "1"))
		complain(lint, event, "follows is not 1");
	if (element_attribute(event, "alias"))
		check_name(lint, event, element_attribute(event, "alias"));
	for (other = element_named(block->child, "event"); other != event;
	     other = element_named(other->next, "event")) {
		if (number_or(lint, other, "id", UINT32_MAX, 0) == id)
			complain(lint, event, "id is that of line %d",
				 other->line);
		if (!strcmp(other->text, event->text))
			complain(lint, event,
				 "the description is that of line %d",
				 other->line);
	}
}

/*
 * ROCm's names of the events, given or derived from block and event, are not
 * those of others.
 */
static void
check_aliases(struct lint *lint, const struct element *root)
{
	const struct element *block, *event, *a, *b;

	for (block = element_named(root->child, "block"); block;
	     block = element_named(block->next, "block")) {
		for (event = element_named(block->child, "event"); event;
		     event = element_named(event->next, "event")) {
			const char *alias = element_attribute(event, "alias");

			if (!alias)
				continue;
			for (a = element_named(root->child, "block"); a;
			     a = element_named(a->next, "block")) {
				b = element_named(a->child, "event");
				for (; b; b = element_named(b->next, "event")) {
					const char *other =
						element_attribute(b, "alias");

					if (b != event && other &&
					    !strcasecmp(alias, other))
						complain(lint, event,
							 "alias is that of "
							 "line %d",
							 b->line);
				}
			}
		}
	}
}

/* ------------------------------------------------------------------ */
/* Blocks                                                               */

static const struct element_kind block_children[] = {
	{ "description", { NULL } },
	{ "slot",
	  { "select", "select1", "lo", "hi", "id-bits", "part", "style", "bits",
	    "window", NULL } },
	{ "event",
	  { "id", "name", "unit", "slots", "follows", "alias", NULL } },
};

static void
check_instances(struct lint *lint, const struct element *block)
{
	static const char *const rules[] = {
		"cu-per-sa",	     "wgp-per-sa", "rb-per-sa",
		"rb-pairs-per-sa",   "channels",   "l2-arbiters",
		"memory-interfaces", "se-pairs",   "sdma-engines",
	};
	const char *rule = text_of(lint, block, "instances");

	if (isdigit((unsigned char)*rule)) {
		if (!number_of(lint, block, "instances", 255))
			complain(lint, block, "instances is 0");
		return;
	}
	check_word(lint, block, "instances", rules, ARRAY_SIZE(rules));
}

static void
check_block(struct lint *lint, const struct element *block)
{
	static const char *const scopes[] = { "global", "se", "sa" };
	static const char *const windows[] = { "uconfig", "copy" };
	const struct element *text, *child;
	const char *name = text_of(lint, block, "name");
	uint64_t event_count, slots = 0, events = 0;

	check_children(lint, block, block_children, ARRAY_SIZE(block_children));
	check_name(lint, block, name);
	check_unique(lint, lint->table->root->child, block, "name");
	check_unit(lint, block);
	check_word(lint, block, "scope", scopes, ARRAY_SIZE(scopes));
	check_word(lint, block, "window", windows, ARRAY_SIZE(windows));
	check_instances(lint, block);
	text_of(lint, block, "style");
	if (element_attribute(block, "result-control"))
		check_register(lint, block, "result-control",
			       element_attribute(block, "window"));
	number_or(lint, block, "select-or", UINT32_MAX, 0);
	text = element_named(block->child, "description");
	check_description(lint, block, text ? text->text : "", name);
	event_count = number_of(lint, block, "event-count", 4096);
	for (child = element_named(block->child, "slot"); child;
	     child = element_named(child->next, "slot"), slots++)
		check_slot(lint, block, child);
	if (!slots || slots > 64)
		complain(lint, block, "a block has 1 to 64 slots");
	check_parts(lint, block, slots);
	for (child = element_named(block->child, "event"); child;
	     child = element_named(child->next, "event"), events++)
		check_event(lint, block, child, event_count);
	if (!events)
		complain(lint, block, "a block without events");
}

/* ------------------------------------------------------------------ */
/* Expressions                                                          */

static const struct element *
find_event(const struct element *root, const char *name, size_t length)
{
	const struct element *block, *event;

	for (block = element_named(root->child, "block"); block;
	     block = element_named(block->next, "block")) {
		const char *prefix = element_attribute(block, "name");
		size_t n = prefix ? strlen(prefix) : 0;

		if (!prefix || length <= n + 1 || name[n] != '.' ||
		    strncmp(name, prefix, n))
			continue;
		for (event = element_named(block->child, "event"); event;
		     event = element_named(event->next, "event")) {
			const char *it = element_attribute(event, "name");

			if (it && strlen(it) == length - n - 1 &&
			    !strncmp(it, name + n + 1, length - n - 1))
				return event;
		}
	}
	return NULL;
}

static const struct element *
find_metric(const struct element *root, const char *name, size_t length)
{
	const struct element *metric;

	for (metric = element_named(root->child, "metric"); metric;
	     metric = element_named(metric->next, "metric")) {
		const char *it = element_attribute(metric, "name");

		if (it && strlen(it) == length && !strncmp(it, name, length))
			return metric;
	}
	return NULL;
}

static struct expr_source
source_of(const struct lint *lint, const struct element *metric)
{
	const char *text = element_attribute(metric, "expression");
	const char *type = element_attribute(metric, "type");
	struct expr_source source = {
		.text = text ? text : "",
		.file = lint->table->path,
		.line = metric->line,
		.language = EXPRESSION_INFIX,
		.type = DRMPERF_TYPE_DOUBLE,
		.scope = (size_t)metric->line,
	};

	if (type)
		type_from_name(type, &source.type);
	return source;
}

/* The constants that events/README.md lists. */
static bool
is_constant(const char *name, size_t length)
{
	static const char *const constants[] = {
		"SE_NUM",
		"SA_PER_SE",
		"CU_NUM",
		"SIMD_NUM",
		"MAX_WAVE_SIZE",
		"XCC_NUM",
		"L2_CHANNELS",
		"MAX_ENGINE_CLOCK_MHZ",
		"MAX_MEMORY_CLOCK_MHZ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (strlen(constants[i]) == length &&
		    !strncmp(constants[i], name, length))
			return true;
	return false;
}

/* One counter of an expression, by the lines of its events. */
struct used_counter {
	size_t line;
	size_t follows; /* the line of the event it sums, or 0 */
};

struct resolution {
	const struct lint *lint;
	struct used_counter used[64];
	size_t used_count;
};

static void
use_counter(struct resolution *resolution, size_t line, size_t follows)
{
	size_t i;

	for (i = 0; i < resolution->used_count; i++)
		if (resolution->used[i].line == line &&
		    resolution->used[i].follows == follows)
			return;
	if (i < ARRAY_SIZE(resolution->used))
		resolution->used[resolution->used_count++] =
			(struct used_counter){ line, follows };
}

static int
resolve_name(void *data, size_t scope, const char *name, size_t length,
	     struct expr_symbol *out, struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct lint *lint = resolution->lint;
	const struct element *found;

	(void)scope;
	(void)error;
	if (is_constant(name, length)) {
		*out = (struct expr_symbol){
			.kind = EXPR_CONSTANT,
			.type = DRMPERF_TYPE_UINT64,
			.value.u64 = 1,
		};
		return 0;
	}
	found = find_event(lint->table->root, name, length);
	if (found) {
		use_counter(resolution, (size_t)found->line, 0);
		*out = (struct expr_symbol){
			.kind = EXPR_COUNTER,
			.input = (size_t)found->line,
			.instances_per_engine = 1,
		};
		return 0;
	}
	found = find_metric(lint->table->root, name, length);
	if (found) {
		*out = (struct expr_symbol){
			.kind = EXPR_METRIC,
			.metric = source_of(lint, found),
		};
		return 0;
	}
	return -ENOENT;
}

/* Counters are numbered by line, so a block is the one around that line. */
static const struct element *
block_around(const struct element *root, size_t line)
{
	const struct element *block, *home = NULL;

	for (block = element_named(root->child, "block");
	     block && (size_t)block->line < line;
	     block = element_named(block->next, "block"))
		home = block;
	return home;
}

static int
resolve_accumulate(void *data, size_t scope, size_t input, const char *which,
		   size_t length, struct expr_symbol *out,
		   struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct element *event, *home;

	(void)scope;
	(void)which;
	(void)length;
	(void)error;
	home = block_around(resolution->lint->table->root, input);
	for (event = home ? element_named(home->child, "event") : NULL; event;
	     event = element_named(event->next, "event")) {
		if (!element_attribute(event, "follows"))
			continue;
		use_counter(resolution, (size_t)event->line, input);
		*out = (struct expr_symbol){
			.kind = EXPR_COUNTER,
			.input = (size_t)event->line,
			.instances_per_engine = 1,
		};
		return 0;
	}
	return -ENOENT;
}

/* How many counters run at the same time in an instance of the block. */
static unsigned
count_part_slots(const struct element *block)
{
	const struct element *slot = element_named(block->child, "slot");
	const char *part = slot ? element_attribute(slot, "part") : NULL;
	unsigned count = 0;

	for (; slot; slot = element_named(slot->next, "slot")) {
		const char *other = element_attribute(slot, "part");

		count += !part || (other && !strcmp(part, other));
	}
	return count;
}

/* A metric that needs more counters than there are could never be used. */
static void
check_counters(struct lint *lint, const struct element *metric,
	       const struct resolution *resolution)
{
	const struct element *root = lint->table->root, *block;

	for (block = element_named(root->child, "block"); block;
	     block = element_named(block->next, "block")) {
		unsigned slots = count_part_slots(block), used = 0;

		for (size_t i = 0; i < resolution->used_count; i++)
			used += block_around(root, resolution->used[i].line) ==
				block;
		if (used > slots)
			complain(lint, metric,
				 "needs %u of %u counters of the block "
				 "in line %u",
				 used, slots, (unsigned)block->line);
	}
	if (resolution->used_count == ARRAY_SIZE(resolution->used))
		complain(lint, metric, "more counters than can be checked");
}

static void
check_expression(struct lint *lint, const struct element *metric)
{
	struct resolution resolution = { .lint = lint };
	const struct expr_resolver resolver = {
		.name = resolve_name,
		.accumulate = resolve_accumulate,
		.data = &resolution,
	};
	const struct expr_source source = source_of(lint, metric);
	const struct expr_program *program;
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "no memory" };

	if (!arena || expr_compile(&source, &resolver, arena, &program, &error))
		complain(lint, metric, "%s", error.cause);
	check_counters(lint, metric, &resolution);
	arena_destroy(arena);
}

static void
check_metric(struct lint *lint, const struct element *metric)
{
	const char *name = text_of(lint, metric, "name");
	enum drmperf_type type;
	enum drmperf_kind kind;

	check_name(lint, metric, name);
	check_unique(lint, lint->table->root->child, metric, "name");
	check_unit(lint, metric);
	check_description(lint, metric, metric->text, name);
	if (type_from_name(text_of(lint, metric, "type"), &type))
		complain(lint, metric, "type is none that there is");
	if (kind_from_name(text_of(lint, metric, "kind"), &kind))
		complain(lint, metric, "kind is none that there is");
	check_expression(lint, metric);
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static const struct element_kind table_kind = {
	"events", { "driver", "generation", "level", "version", NULL }
};

static const struct element_kind table_children[] = {
	{ "register", { "name", "offset", "value", "reset", "sync", NULL } },
	{ "window", { "open", "pfp-firmware", "mec-firmware", NULL } },
	{ "block",
	  { "name", "style", "scope", "instances", "bits", "window", "windowed",
	    "stage-masked", "select-or", "result-control", "event-count",
	    "rocm", "saturates", "unit", NULL } },
	{ "witness", { "block", "event", NULL } },
	{ "metric", { "name", "unit", "type", "kind", "expression", NULL } },
};

static void
check_root(struct lint *lint, const struct element_kind *kind)
{
	const struct element *root = lint->table->root;
	const char *driver = text_of(lint, root, "driver");

	if (strcmp(root->name, kind->name))
		complain(lint, root, "is not <%s>", kind->name);
	check_attributes(lint, root, kind);
	if (strcmp(driver, "amdgpu"))
		complain(lint, root, "driver is not amdgpu");
}

/* "gfx9" of "events/amdgpu/gfx9.xml" */
static void
check_generation(struct lint *lint)
{
	const struct element *root = lint->table->root;
	const char *name = text_of(lint, root, "generation");
	const char *file = strrchr(lint->table->path, '/');

	file = file ? file + 1 : lint->table->path;
	if (strncmp(file, name, strlen(name)) ||
	    strcmp(file + strlen(name), ".xml"))
		complain(lint, root, "generation is not that of the file");
	if (number_of(lint, root, "version", 1) != 1)
		complain(lint, root, "version is not 1");
	if (!number_of(lint, root, "level", 12))
		complain(lint, root, "level is 0");
}

static void
check_registers(struct lint *lint)
{
	static const char *const needed[] = { "GRBM_GFX_INDEX",
					      "CP_PERFMON_CNTL" };
	const struct element *root = lint->table->root, *element;
	bool found[ARRAY_SIZE(needed)] = { false };

	for (element = element_named(root->child, "register"); element;
	     element = element_named(element->next, "register")) {
		const char *name = text_of(lint, element, "name");

		check_name(lint, element, name);
		check_unique(lint, root->child, element, "name");
		check_register(lint, element, "offset", NULL);
		number_or(lint, element, "value", UINT32_MAX, 0);
		number_or(lint, element, "reset", UINT32_MAX, 0);
		number_or(lint, element, "sync", UINT32_MAX, 0);
		for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
			if (strcmp(name, needed[i]))
				continue;
			found[i] = true;
			check_register(lint, element, "offset", "uconfig");
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (!found[i])
			complain(lint, root, "register %s is missing",
				 needed[i]);
}

static void
check_window(struct lint *lint)
{
	const struct element *root = lint->table->root;
	const struct element *window = element_named(root->child, "window");

	if (!window)
		return;
	if (!number_of(lint, window, "open", UINT32_MAX))
		complain(lint, window, "opens nothing");
	number_of(lint, window, "pfp-firmware", UINT32_MAX);
	number_of(lint, window, "mec-firmware", UINT32_MAX);
	if (element_named(window->next, "window"))
		complain(lint, window, "is not the only one");
}

static void
check_witnesses(struct lint *lint)
{
	const struct element *root = lint->table->root, *element;
	unsigned count = 0;
	char name[128];

	for (element = element_named(root->child, "witness"); element;
	     element = element_named(element->next, "witness"), count++) {
		snprintf(name, sizeof(name), "%s.%s",
			 text_of(lint, element, "block"),
			 text_of(lint, element, "event"));
		if (!find_event(root, name, strlen(name)))
			complain(lint, element, "there is no event %s", name);
	}
	if (!count)
		complain(lint, root, "no witness");
}

void
lint_generation(struct lint *lint, const struct table *table)
{
	const struct element *element;

	*lint = (struct lint){ .table = table };
	check_root(lint, &table_kind);
	check_children(lint, table->root, table_children,
		       ARRAY_SIZE(table_children));
	check_generation(lint);
	check_registers(lint);
	check_window(lint);
	for (element = element_named(table->root->child, "block"); element;
	     element = element_named(element->next, "block"))
		check_block(lint, element);
	check_aliases(lint, table->root);
	check_witnesses(lint);
	for (element = element_named(table->root->child, "metric"); element;
	     element = element_named(element->next, "metric"))
		check_metric(lint, element);
}

/* ------------------------------------------------------------------ */
/* Chips                                                                */

static const struct element_kind chips_kind = { "chips", { "driver", NULL } };

static const struct element_kind chip_kind = {
	"chip",
	{ "name", "family", "revisions", "ip", "generation", "target",
	  "cu-per-sa", "rb-per-se", "channels", "l2-arbiters",
	  "memory-interfaces", "wgp-above-spi", "xcc", "without",
	  "gfxoff", NULL }
};

struct range {
	uint64_t first, last;
};

static struct range
revisions_of(struct lint *lint, const struct element *chip)
{
	const char *text = text_of(lint, chip, "revisions");
	struct range range = { 1, 0 };
	char *end;

	range.first = strtoull(text, &end, 0);
	if (*end == '-')
		range.last = strtoull(end + 1, &end, 0);
	if (*end || range.first > range.last || range.last > 0xff)
		complain(lint, chip, "\"%s\" is no range of revisions", text);
	return range;
}

/* "9.4.3 9.4.4" */
static void
check_versions(struct lint *lint, const struct element *chip)
{
	const char *text = element_attribute(chip, "ip");
	unsigned a, b, c;
	int n;

	while (text && *text) {
		if (sscanf(text, "%u.%u.%u%n", &a, &b, &c, &n) != 3 ||
		    (text[n] && text[n] != ' ')) {
			complain(lint, chip, "\"%s\" is no IP version", text);
			return;
		}
		text += n + (text[n] == ' ');
	}
}

static void
check_chip(struct lint *lint, const struct element *chip)
{
	static const char *const numbers[] = {
		"cu-per-sa",	 "rb-per-se",	"channels", "memory-interfaces",
		"wgp-above-spi", "l2-arbiters", "xcc",	    "gfxoff",
	};
	struct range range = revisions_of(lint, chip), its;
	uint64_t family = number_of(lint, chip, "family", 255);
	const struct element *other;

	check_unique(lint, lint->table->root->child, chip, "name");
	text_of(lint, chip, "name");
	check_name(lint, chip, text_of(lint, chip, "generation"));
	check_name(lint, chip, text_of(lint, chip, "target"));
	check_versions(lint, chip);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (element_attribute(chip, numbers[i]) &&
		    !number_of(lint, chip, numbers[i], 255))
			complain(lint, chip, "%s is 0", numbers[i]);
	for (other = element_named(lint->table->root->child, "chip");
	     other != chip; other = element_named(other->next, "chip")) {
		its = revisions_of(lint, other);
		if (number_of(lint, other, "family", 255) == family &&
		    range.first <= its.last && its.first <= range.last)
			complain(lint, chip, "revisions of line %d",
				 other->line);
	}
}

void
lint_chips(struct lint *lint, const struct table *table)
{
	const struct element *chip;

	*lint = (struct lint){ .table = table };
	check_root(lint, &chips_kind);
	check_children(lint, table->root, &chip_kind, 1);
	for (chip = element_named(table->root->child, "chip"); chip;
	     chip = element_named(chip->next, "chip"))
		check_chip(lint, chip);
}
