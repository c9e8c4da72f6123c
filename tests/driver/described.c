/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/described.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

/*
 * Describe one group, into a description that has no other events and soon
 * ends.
 */
static int
describe_group(struct description *description, group_index group,
	       struct drmperf_error *error)
{
	const struct description_group *record = &description->groups[group];
	struct description inbox = *description;
	int err;

	inbox.events = NULL;
	inbox.event_count = inbox.event_room = 0;
	/* as if memory had been short at the first time */
	err = record->describe(description->domains[record->domain].device,
			       group, &inbox, error);
	inbox.event_count = 0;
	if (!err)
		err = record->describe(
			description->domains[record->domain].device, group,
			&inbox, error);
	ck_assert_msg(err || inbox.event_count, "%s has no events",
		      record->name);
	ck_assert_uint_eq(inbox.group_count, description->group_count);
	for (size_t i = 0; !err && i < inbox.event_count; i++) {
		ck_assert_uint_eq(inbox.events[i].group, group);
		err = description_add_event(description, &inbox.events[i]);
	}
	free(inbox.events);
	return err;
}

int
described_all(struct description *description, struct drmperf_error *error)
{
	group_index i = (group_index)description->group_count;
	int err = 0;

	while (!err && i-- > 0)
		if (description->groups[i].describe)
			err = describe_group(description, i, error);
	return err;
}

static void
compare_text(const char *where, const char *a, const char *b)
{
	ck_assert_msg((!a && !b) || (a && b && !strcmp(a, b)),
		      "%s: \"%s\" and \"%s\"", where, a ? a : "(none)",
		      b ? b : "(none)");
}

static void
compare_number(const char *where, uint64_t a, uint64_t b)
{
	ck_assert_msg(a == b, "%s: %" PRIu64 " and %" PRIu64, where, a, b);
}

static void
compare_event(const struct description_event *a,
	      const struct description_event *b)
{
	compare_text("name", a->name, b->name);
	compare_text(a->name, a->alias, b->alias);
	compare_text(a->name, a->description, b->description);
	compare_text(a->name, a->expression, b->expression);
	compare_text(a->name, a->file, b->file);
	compare_number(a->name, (uint64_t)a->line, (uint64_t)b->line);
	compare_number(a->name, a->unit, b->unit);
	compare_number(a->name, a->type, b->type);
	compare_number(a->name, a->kind, b->kind);
	compare_number(a->name, a->language, b->language);
	compare_number(a->name, a->hidden, b->hidden);
	compare_number(a->name, a->is_local, b->is_local);
	compare_number(a->name, a->follows, b->follows);
	compare_number(a->name, a->selector, b->selector);
	compare_number(a->name, a->setting, b->setting);
	compare_number(a->name, a->slots, b->slots);
	compare_number(a->name, !a->use, !b->use);
}

static void
compare_group(const struct description_group *a,
	      const struct description_group *b)
{
	compare_text("group", a->name, b->name);
	compare_text(a->name, a->description, b->description);
	compare_number(a->name, a->domain, b->domain);
	compare_number(a->name, a->max_active, b->max_active);
	compare_number(a->name, a->instances, b->instances);
	compare_number(a->name, a->instances_per_engine,
		       b->instances_per_engine);
	for (unsigned i = 0; a->instance_names && i < a->instances; i++)
		compare_text(a->name, a->instance_names[i],
			     b->instance_names[i]);
	compare_number(a->name, a->slot_pool, b->slot_pool);
	compare_number(a->name, a->borrows, b->borrows);
	compare_number(a->name, a->counters_of, b->counters_of);
	compare_number(a->name, a->scope, b->scope);
}

/*
 * Return the group's next event, from *at on, which is behind it then; or NULL.
 */
static const struct description_event *
next_of(const struct description *description, group_index group, size_t *at)
{
	while (*at < description->event_count) {
		const struct description_event *event =
			&description->events[(*at)++];

		if (event->group == group)
			return event;
	}
	return NULL;
}

static void
compare_events(const struct description *a, const struct description *b,
	       group_index group)
{
	const struct description_event *of_a, *of_b;
	size_t at_a = 0, at_b = 0;

	do {
		of_a = next_of(a, group, &at_a);
		of_b = next_of(b, group, &at_b);
		ck_assert_msg(!of_a == !of_b, "%s: only one of them has %s",
			      a->groups[group].name,
			      of_a ? of_a->name : of_b->name);
		if (of_a)
			compare_event(of_a, of_b);
	} while (of_a);
}

void
described_alike(const struct description *a, const struct description *b)
{
	compare_number("groups", a->group_count, b->group_count);
	compare_number("events", a->event_count, b->event_count);
	compare_number("constants", a->constant_count, b->constant_count);
	for (group_index i = 0; i < a->group_count; i++) {
		compare_group(&a->groups[i], &b->groups[i]);
		compare_events(a, b, i);
	}
	for (size_t i = 0; i < a->constant_count; i++) {
		compare_text("constant", a->constants[i].name,
			     b->constants[i].name);
		compare_number(a->constants[i].name, a->constants[i].value,
			       b->constants[i].value);
	}
}
