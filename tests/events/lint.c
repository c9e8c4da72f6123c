/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/events/lint.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/description.h"
#include "tests/events/lint_element.h"
#include "tests/events/lint_metric.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* COPY_DATA reaches registers of 18 bits in dwords. */
#define REGISTER_END 0x100000

#define UCONFIG_BEGIN 0x30000
#define UCONFIG_END 0x40000

/* ------------------------------------------------------------------ */
/* Registers and slots                                                  */

/* Check a register's byte offset, inside the window if there is one. */
static uint64_t
check_register(struct lint *lint, const struct element *element,
	       const char *name, const char *window)
{
	uint64_t offset = lint_number(lint, element, name, UINT32_MAX);
	bool uconfig = offset >= UCONFIG_BEGIN && offset < UCONFIG_END;

	if (!offset || offset % 4 || offset >= REGISTER_END)
		lint_complain(lint, element, "%s is not a register in reach",
			      name);
	else if (window && uconfig != !strcmp(window, "uconfig"))
		lint_complain(lint, element, "%s is outside its window", name);
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
 * Check that two counters share no register but what their style shares: the
 * result of cfg, the control register of a part of sdma.
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
			lint_complain(lint, slot, "%s is %s of line %d", mine,
				      its, other->line);
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
		lint_complain(lint, slot, "bits is not 64, 48 or 32");
	else if (strcmp(bits, "32"))
		check_register(lint, slot, "hi", window);
	else if (element_attribute(slot, "hi"))
		lint_complain(lint, slot, "hi has no place in 32 bits");
	id_bits = lint_number(lint, slot, "id-bits", 10);
	if (!id_bits)
		lint_complain(lint, slot, "id-bits is 0");
	for (i = 0; i < ARRAY_SIZE(styles); i++)
		if (style && !strcmp(style, styles[i]))
			break;
	if (i == ARRAY_SIZE(styles))
		lint_complain(lint, slot,
			      "style is \"%s\", which no rule knows",
			      style ? style : "");
	if (style && !strcmp(style, "cfg") &&
	    !element_attribute(block, "result-control"))
		lint_complain(lint, slot, "style cfg needs result-control");
	check_sharing(lint, block, slot);
}

/*
 * Check that parts follow one another and have the same number of slots each.
 */
static void
check_parts(struct lint *lint, const struct element *block, uint64_t count)
{
	const struct element *slot, *last = NULL;
	uint64_t parts = 1, at = 0;

	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot"))
		last = slot;
	if (last)
		parts += lint_number_or(lint, last, "part", 63, 0);
	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot"), at++) {
		uint64_t part = lint_number_or(lint, slot, "part", 63, 0);

		if (count % parts || part != at * parts / count)
			lint_complain(lint, slot,
				      "parts are not of the same size");
	}
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

/* Return the mask of the slots whose event field has room for the id. */
static uint64_t
slots_for(struct lint *lint, const struct element *block, uint64_t id)
{
	const struct element *slot;
	uint64_t mask = 0, bit = 1;

	for (slot = element_named(block->child, "slot"); slot;
	     slot = element_named(slot->next, "slot")) {
		if (lint_number_or(lint, slot, "part", 63, 0))
			continue;
		if (!(id >> lint_number_or(lint, slot, "id-bits", 10, 0)))
			mask |= bit;
		bit <<= 1;
	}
	return mask;
}

static void
check_event(struct lint *lint, const struct element *block,
	    const struct element *event, uint64_t event_count)
{
	const char *name = lint_text(lint, event, "name");
	const char *follows = element_attribute(event, "follows");
	uint64_t id = lint_number(lint, event, "id", UINT32_MAX);
	uint64_t fit = slots_for(lint, block, id);
	const struct element *other;

	lint_name(lint, event, name);
	lint_unique(lint, block->child, event, "name");
	lint_has_unit(lint, event, block);
	lint_description(lint, event, event->text, name);
	if (id >= event_count)
		lint_complain(lint, event, "id is not below event-count");
	if (!fit)
		lint_complain(lint, event, "id fits no slot");
	if (element_attribute(event, "slots")) {
		uint64_t mask = lint_number(lint, event, "slots", UINT64_MAX);

		if (!mask || mask & ~fit)
			lint_complain(lint, event,
				      "slots that cannot hold the id");
	}
	if (follows && strcmp(follows, "1"))
		lint_complain(lint, event, "follows is not 1");
	if (element_attribute(event, "alias"))
		lint_name(lint, event, element_attribute(event, "alias"));
	for (other = element_named(block->child, "event"); other != event;
	     other = element_named(other->next, "event")) {
		if (lint_number_or(lint, other, "id", UINT32_MAX, 0) == id)
			lint_complain(lint, event, "id is that of line %d",
				      other->line);
		if (!strcmp(other->text, event->text))
			lint_complain(lint, event,
				      "the description is that of line %d",
				      other->line);
	}
}

static bool
is_same_block(const struct element *a, const struct element *b)
{
	const char *one = element_attribute(a, "name");
	const char *other = element_attribute(b, "name");

	return one && other && !strcmp(one, other);
}

/*
 * Check that ROCm's names of the events, given or derived from block and event,
 * are not those of others.
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
				if (a != block && is_same_block(a, block))
					continue;
				b = element_named(a->child, "event");
				for (; b; b = element_named(b->next, "event")) {
					const char *other =
						element_attribute(b, "alias");

					if (b != event && other &&
					    !strcasecmp(alias, other))
						lint_complain(
							lint, event,
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

static const struct lint_kind block_children[] = {
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
	const char *rule = lint_text(lint, block, "instances");

	if (isdigit((unsigned char)*rule)) {
		if (!lint_number(lint, block, "instances", 255))
			lint_complain(lint, block, "instances is 0");
		return;
	}
	lint_word(lint, block, "instances", rules, ARRAY_SIZE(rules));
}

/*
 * Check an event of the block that the self-test tries: its select is a
 * register of its own that commands set directly, and no graphics is needed.
 */
static void
check_clock(struct lint *lint, const struct element *block)
{
	static const char *const styles[] = { "generic", "sq" };
	const char *clock = element_attribute(block, "clock"), *id;
	const struct element *event = element_named(block->child, "event");

	if (!clock) {
		if (element_attribute(block, "clock-source"))
			lint_complain(lint, block, "clock is missing");
		return;
	}
	while (event && ((id = element_attribute(event, "id")) == NULL ||
			 strcmp(id, clock)))
		event = element_named(event->next, "event");
	if (!event)
		lint_complain(lint, block, "clock is no event");
	lint_word(lint, block, "style", styles, ARRAY_SIZE(styles));
	if (strcmp(lint_text(lint, block, "window"), "uconfig") ||
	    element_attribute(block, "graphics"))
		lint_complain(lint, block, "clock cannot be tested");
}

static void
check_block(struct lint *lint, const struct element *block)
{
	static const char *const scopes[] = { "global", "se", "sa" };
	static const char *const windows[] = { "uconfig", "copy" };
	const struct element *text, *child;
	const char *name = lint_text(lint, block, "name");
	uint64_t event_count, slots = 0, events = 0;

	lint_children(lint, block, block_children, ARRAY_SIZE(block_children));
	lint_name(lint, block, name);
	lint_unique(lint, lint->table->root->child, block, "name");
	lint_unit(lint, block);
	lint_word(lint, block, "scope", scopes, ARRAY_SIZE(scopes));
	lint_word(lint, block, "window", windows, ARRAY_SIZE(windows));
	check_instances(lint, block);
	lint_text(lint, block, "style");
	if (element_attribute(block, "result-control"))
		check_register(lint, block, "result-control",
			       element_attribute(block, "window"));
	lint_number_or(lint, block, "select-or", UINT32_MAX, 0);
	text = element_named(block->child, "description");
	lint_description(lint, block, text ? text->text : "", name);
	event_count = lint_number(lint, block, "event-count", 4096);
	for (child = element_named(block->child, "slot"); child;
	     child = element_named(child->next, "slot"), slots++)
		check_slot(lint, block, child);
	if (!slots || slots > 64)
		lint_complain(lint, block, "a block has 1 to 64 slots");
	check_parts(lint, block, slots);
	check_clock(lint, block);
	for (child = element_named(block->child, "event"); child;
	     child = element_named(child->next, "event"), events++)
		check_event(lint, block, child, event_count);
	if (!events)
		lint_complain(lint, block, "a block without events");
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static const struct lint_kind table_kind = {
	"events", { "driver", "generation", "level", "version", NULL }
};

static const struct lint_kind table_children[] = {
	{ "register",
	  { "name", "offset", "value", "reset", "sync", "sync-else", NULL } },
	{ "window",
	  { "open", "pfp-firmware", "mec-firmware", "hidden", NULL } },
	{ "commands",
	  { "samples", "graphics", "stop", "source", "stale", "sample-event",
	    "copy-bits", NULL } },
	{ "stream",
	  { "form",
	    "control",
	    "ring-low",
	    "ring-high",
	    "ring-size",
	    "accumulation",
	    "time-codes",
	    "counter-bit",
	    "block-bit",
	    "engine-segments",
	    "array-bit",
	    "lines",
	    "instance-bit",
	    "global-segment",
	    "global-data",
	    "engine-data",
	    "segment-size",
	    "global-address",
	    "engine-address",
	    "ring-position",
	    "position-unit",
	    "hidden",
	    NULL } },
	{ "trace",
	  { "unit", "unit-cus", "events", "events-bits", "status", "finished",
	    "busy", "failed", "pointer", "pointer-mask", "absolute", "dropped",
	    "written", "unfinished", "hidden", NULL } },
	{ "trace_write",
	  { "name", "register", "value", "size-bit", "base-bit", "high-bit",
	    "unit-bit", "brief", "all-programs", "armed", NULL } },
	{ "block",
	  { "name",
	    "targets",
	    "hidden",
	    "style",
	    "scope",
	    "instances",
	    "bits",
	    "window",
	    "windowed",
	    "stage-masked",
	    "select-or",
	    "result-control",
	    "event-count",
	    "rocm",
	    "saturates",
	    "graphics",
	    "unit",
	    "clock",
	    "clock-source",
	    "apart",
	    "copy-bits",
	    "stream",
	    "stream-code",
	    "stream-wires",
	    "stream-simds",
	    "stream-hidden",
	    "stream-instance-bit",
	    NULL } },
	{ "hidden", { "event", "reason", NULL } },
	{ "core_clock", { "block", "event", NULL } },
	{ "metric", { "name", "unit", "type", "kind", "expression", NULL } },
};

static void
check_root(struct lint *lint, const struct lint_kind *kind)
{
	const struct element *root = lint->table->root;
	const char *driver = lint_text(lint, root, "driver");

	if (strcmp(root->name, kind->name))
		lint_complain(lint, root, "is not <%s>", kind->name);
	lint_attributes(lint, root, kind);
	if (strcmp(driver, "amdgpu"))
		lint_complain(lint, root, "driver is not amdgpu");
}

/* Parse "gfx9" of "events/amdgpu/gfx9.xml" */
static void
check_generation(struct lint *lint)
{
	const struct element *root = lint->table->root;
	const char *name = lint_text(lint, root, "generation");
	const char *file = strrchr(lint->table->path, '/');

	file = file ? file + 1 : lint->table->path;
	if (strncmp(file, name, strlen(name)) ||
	    strcmp(file + strlen(name), ".xml"))
		lint_complain(lint, root, "generation is not that of the file");
	if (lint_number(lint, root, "version", 1) != 1)
		lint_complain(lint, root, "version is not 1");
	if (!lint_number(lint, root, "level", 12))
		lint_complain(lint, root, "level is 0");
}

/* Check a number, or what was found there, of the one that is put back so. */
static void
check_reset(struct lint *lint, const struct element *element, const char *name)
{
	const char *reset = element_attribute(element, "reset");

	if (!reset || strcmp(reset, "found"))
		lint_number_or(lint, element, "reset", UINT32_MAX, 0);
	else if (strcmp(name, "RLC_PERFMON_CLK_CNTL"))
		lint_complain(lint, element, "%s is not put back", name);
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
		const char *name = lint_text(lint, element, "name");

		lint_name(lint, element, name);
		lint_unique(lint, root->child, element, "name");
		check_register(lint, element, "offset", NULL);
		lint_number_or(lint, element, "value", UINT32_MAX, 0);
		check_reset(lint, element, name);
		lint_number_or(lint, element, "sync", UINT32_MAX, 0);
		lint_number_or(lint, element, "sync-else", UINT32_MAX, 0);
		for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
			if (strcmp(name, needed[i]))
				continue;
			found[i] = true;
			check_register(lint, element, "offset", "uconfig");
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (!found[i])
			lint_complain(lint, root, "register %s is missing",
				      needed[i]);
}

static void
check_window(struct lint *lint)
{
	const struct element *root = lint->table->root;
	const struct element *window = element_named(root->child, "window");

	if (!window)
		return;
	if (!lint_number(lint, window, "open", UINT32_MAX))
		lint_complain(lint, window, "opens nothing");
	lint_number(lint, window, "pfp-firmware", UINT32_MAX);
	lint_number(lint, window, "mec-firmware", UINT32_MAX);
	if (element_named(window->next, "window"))
		lint_complain(lint, window, "is not the only one");
}

static void
check_commands(struct lint *lint)
{
	static const char *const rings[] = { "compute", "gfx" };
	const struct element *root = lint->table->root;
	const struct element *commands = element_named(root->child, "commands");

	if (!commands)
		return;
	lint_word(lint, commands, "samples", rings, ARRAY_SIZE(rings));
	lint_word(lint, commands, "graphics", rings, ARRAY_SIZE(rings));
	lint_number(lint, commands, "stop", 1);
	if (element_attribute(commands, "stale"))
		check_register(lint, commands, "stale", "uconfig");
	if (lint_number_or(lint, commands, "source", 4, 4) % 4)
		lint_complain(lint, commands, "source is neither 0 nor 4");
	if (element_named(commands->next, "commands"))
		lint_complain(lint, commands, "is not the only one");
}

static void
check_core_clocks(struct lint *lint)
{
	const struct element *root = lint->table->root, *element;
	unsigned count = 0;
	char name[128];

	for (element = element_named(root->child, "core_clock"); element;
	     element = element_named(element->next, "core_clock"), count++) {
		snprintf(name, sizeof(name), "%s.%s",
			 lint_text(lint, element, "block"),
			 lint_text(lint, element, "event"));
		if (!lint_find_event(root, name, strlen(name)))
			lint_complain(lint, element, "there is no event %s",
				      name);
	}
	if (!count)
		lint_complain(lint, root, "no core_clock");
}

/* Check that events that are hidden exist, and no metric uses them. */
static void
check_hidden(struct lint *lint)
{
	const struct element *root = lint->table->root, *element, *metric;

	for (element = element_named(root->child, "hidden"); element;
	     element = element_named(element->next, "hidden")) {
		const char *event = lint_text(lint, element, "event");

		lint_text(lint, element, "reason");
		if (!lint_find_event(root, event, strlen(event)))
			lint_complain(lint, element, "there is no event %s",
				      event);
		for (metric = element_named(root->child, "metric"); metric;
		     metric = element_named(metric->next, "metric")) {
			const char *text =
				element_attribute(metric, "expression");

			if (text && strstr(text, event))
				lint_complain(lint, metric,
					      "%s, which it uses, is hidden",
					      event);
		}
	}
}

void
lint_generation(struct lint *lint, const struct table *table)
{
	const struct element *element;

	*lint = (struct lint){ .table = table };
	check_root(lint, &table_kind);
	lint_children(lint, table->root, table_children,
		      ARRAY_SIZE(table_children));
	check_generation(lint);
	check_registers(lint);
	check_window(lint);
	check_commands(lint);
	for (element = element_named(table->root->child, "block"); element;
	     element = element_named(element->next, "block"))
		check_block(lint, element);
	check_aliases(lint, table->root);
	check_core_clocks(lint);
	check_hidden(lint);
	for (element = element_named(table->root->child, "metric"); element;
	     element = element_named(element->next, "metric"))
		lint_metric(lint, element);
}

/* ------------------------------------------------------------------ */
/* Chips                                                                */

static const struct lint_kind chips_kind = { "chips", { "driver", NULL } };

static const struct lint_kind chip_kind = {
	"chip",
	{ "name", "family", "revisions", "ip", "generation", "target",
	  "cu-per-sa", "rb-per-se", "channels", "l2-arbiters",
	  "memory-interfaces", "wgp-above-spi", "xcc", "without", "gfxoff",
	  NULL }
};

struct range {
	uint64_t first, last;
};

static struct range
revisions_of(struct lint *lint, const struct element *chip)
{
	const char *text = lint_text(lint, chip, "revisions");
	struct range range = { 1, 0 };
	char *end;

	range.first = strtoull(text, &end, 0);
	if (*end == '-')
		range.last = strtoull(end + 1, &end, 0);
	if (*end || range.first > range.last || range.last > 0xff)
		lint_complain(lint, chip, "\"%s\" is no range of revisions",
			      text);
	return range;
}

/* Parse "9.4.3 9.4.4" */
static void
check_versions(struct lint *lint, const struct element *chip)
{
	const char *text = element_attribute(chip, "ip");
	unsigned a, b, c;
	int n;

	while (text && *text) {
		if (sscanf(text, "%u.%u.%u%n", &a, &b, &c, &n) != 3 ||
		    (text[n] && text[n] != ' ')) {
			lint_complain(lint, chip, "\"%s\" is no IP version",
				      text);
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
	uint64_t family = lint_number(lint, chip, "family", 255);
	const struct element *other;

	lint_unique(lint, lint->table->root->child, chip, "name");
	lint_text(lint, chip, "name");
	lint_name(lint, chip, lint_text(lint, chip, "generation"));
	lint_name(lint, chip, lint_text(lint, chip, "target"));
	check_versions(lint, chip);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (element_attribute(chip, numbers[i]) &&
		    !lint_number(lint, chip, numbers[i], 255))
			lint_complain(lint, chip, "%s is 0", numbers[i]);
	for (other = element_named(lint->table->root->child, "chip");
	     other != chip; other = element_named(other->next, "chip")) {
		its = revisions_of(lint, other);
		if (lint_number(lint, other, "family", 255) == family &&
		    lint_lists_meet(element_attribute(chip, "ip"),
			       element_attribute(other, "ip")) &&
		    range.first <= its.last && its.first <= range.last)
			lint_complain(lint, chip, "revisions of line %d",
				      other->line);
	}
}

void
lint_chips(struct lint *lint, const struct table *table)
{
	const struct element *chip;

	*lint = (struct lint){ .table = table };
	check_root(lint, &chips_kind);
	lint_children(lint, table->root, &chip_kind, 1);
	for (chip = element_named(table->root->child, "chip"); chip;
	     chip = element_named(chip->next, "chip"))
		check_chip(lint, chip);
}
