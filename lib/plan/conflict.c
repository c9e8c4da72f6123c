/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/conflict.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text of limited length; what does not fit is left out. */
struct text {
	char at[sizeof(((struct drmperf_error *)NULL)->cause)];
	size_t length;
};

/* The items in question, and the conflict that packing reports. */
struct conflict_question {
	const struct plan_problem *problem;
	const uint32_t *items; /* that fit together */
	uint32_t count;
	uint32_t refused; /* the item that does not fit next to them */
	struct pack_conflict conflict;
};

/* Room that every list of names leaves for what comes behind it. */
#define ROOM_BEHIND 80

static void
text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void
text_add(struct text *text, const char *format, ...)
{
	size_t room = sizeof(text->at) - text->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at + text->length, room, format, args);
	va_end(args);
	if (length > 0)
		text->length +=
			(size_t)length < room ? (size_t)length : room - 1;
}

static const struct drmperf_selection *
selection_of(const struct conflict_question *question, uint32_t item)
{
	const struct plan_problem *problem = question->problem;

	return &problem->selections[problem->items[item]];
}

static void
add_name(struct text *text, const struct conflict_question *question,
	 uint32_t item)
{
	char name[256];

	drmperf_selection_name(selection_of(question, item), name,
			       sizeof(name));
	text_add(text, "%s", name);
}

/* Add "A, B and C", or "A, B and 7 more" where there is no room for all. */
static void
add_names(struct text *text, const struct conflict_question *question,
	  const uint32_t *positions, uint32_t count, const char *last)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t item = question->items[positions[i]];
		int length = drmperf_selection_name(
			selection_of(question, item), NULL, 0);

		if (i && text->length + (size_t)length + ROOM_BEHIND >
				 sizeof(text->at)) {
			text_add(text, " %s %u more", last, count - i);
			return;
		}
		if (i)
			text_add(text, i + 1 < count ? ", " : " %s ", last);
		add_name(text, question, item);
	}
}

/* ------------------------------------------------------------------ */
/* Sentences                                                            */

static unsigned
device_of(const struct conflict_question *question)
{
	return drmperf_device_index(drmperf_event_device(
		selection_of(question, question->refused)->event));
}

static void
add_setting(struct text *text, const struct conflict_question *question)
{
	bool is_group;
	const struct description_domain *domain = plan_problem_domain(
		question->problem, question->conflict.setting, &is_group);

	text_add(text,
		 is_group ? "%s of device %u counts one group at a time"
			  : "the counters of %s of device %u share a setting",
		 domain->name, device_of(question));
	if (question->conflict.holder_count) {
		text_add(text, is_group ? ", and another is counted by "
					: ", and another is wanted by ");
		add_names(text, question, question->conflict.holders,
			  question->conflict.holder_count, "and");
	} else {
		text_add(text, is_group ? ", and it needs two"
					: ", and it wants two");
	}
}

static bool
names_instance(const struct drmperf_selection *selection)
{
	return DRMPERF_INSTANCE_OF(selection->instance) !=
	       DRMPERF_ALL_INSTANCES;
}

/* Return whether any selection that wants the group wants one instance only. */
static bool
is_about_instance(const struct conflict_question *question)
{
	const struct pack_conflict *conflict = &question->conflict;
	bool found = names_instance(selection_of(question, question->refused));

	for (uint32_t i = 0; i < conflict->holder_count && !found; i++) {
		uint32_t item = question->items[conflict->holders[i]];

		found = names_instance(selection_of(question, item));
	}
	return found;
}

static void
add_group(struct text *text, const struct conflict_question *question)
{
	const struct pack_conflict *conflict = &question->conflict;
	int32_t instance;
	const char *name = drmperf_group_name(plan_problem_group(
		question->problem, conflict->pool, &instance));

	if (instance != DRMPERF_ALL_INSTANCES && is_about_instance(question))
		text_add(text, "instance %d of ", (int)instance);
	if (conflict->wanted <= conflict->limit)
		text_add(text,
			 "group %s of device %u counts %u at a time, but not "
			 "with the neighbours that are asked for",
			 name, device_of(question), conflict->limit);
	else
		text_add(text,
			 "group %s of device %u counts %u%s at a time, and %u "
			 "are wanted",
			 name, device_of(question), conflict->limit,
			 conflict->cause == PACK_CAUSE_SLOTS ? " of this kind"
							     : "",
			 conflict->wanted);
	if (conflict->holder_count) {
		text_add(text, ", also by ");
		add_names(text, question, conflict->holders,
			  conflict->holder_count, "and");
	}
}

static void
write_cause(struct text *text, const struct conflict_question *question)
{
	add_name(text, question, question->refused);
	text_add(text, question->conflict.removal_count
			       ? " does not fit beside the other events: "
			       : " fits no pass, not even alone: ");
	if (question->conflict.cause == PACK_CAUSE_SETTING)
		add_setting(text, question);
	else
		add_group(text, question);
}

static void
write_remedy(struct text *text, const struct conflict_question *question)
{
	const struct pack_conflict *conflict = &question->conflict;

	text_add(text, "leave out ");
	if (!conflict->removal_count) {
		add_name(text, question, question->refused);
	} else if (conflict->choice_count > 1) {
		text_add(text, "one of ");
		add_name(text, question, question->refused);
		text_add(text, ", ");
		add_names(text, question, conflict->choices,
			  conflict->choice_count, "or");
	} else {
		add_name(text, question, question->refused);
		text_add(text, conflict->removal_count > 2   ? ", or all of "
			       : conflict->removal_count > 1 ? ", or both "
							     : " or ");
		add_names(text, question, conflict->removal,
			  conflict->removal_count, "and");
	}
}

/* ------------------------------------------------------------------ */

static int
question_keep_text(const struct conflict_question *question,
		   const struct text *cause, const struct text *remedy,
		   struct arena *arena, struct plan_conflict *out)
{
	const struct plan_problem *problem = question->problem;
	const struct pack_conflict *conflict = &question->conflict;
	size_t count = conflict->holder_count;
	size_t *holders = arena_alloc(arena, (count + 1) * sizeof(*holders));
	const char *cause_text = arena_strndup(arena, cause->at, cause->length);
	const char *remedy_text =
		arena_strndup(arena, remedy->at, remedy->length);

	if (!holders || !cause_text || !remedy_text)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		holders[i] =
			problem->items[question->items[conflict->holders[i]]];
	*out = (struct plan_conflict){
		.record = { .limit = conflict->limit,
			    .wanted = conflict->wanted,
			    .event = problem->items[question->refused],
			    .holders = holders,
			    .holder_count = count,
			    .remedy = remedy_text,
			    .cause = cause_text },
		.alone = !conflict->removal_count,
	};
	if (conflict->cause != PACK_CAUSE_SETTING)
		out->record.group =
			plan_problem_group(problem, conflict->pool, NULL);
	return 0;
}

int
plan_conflict_find(const struct plan_problem *problem, const uint32_t *items,
		   uint32_t count, uint32_t refused, struct arena *arena,
		   struct plan_conflict *out)
{
	struct conflict_question question = {
		.problem = problem,
		.items = items,
		.count = count,
		.refused = refused,
	};
	struct text cause = { .length = 0 }, remedy = { .length = 0 };
	int ret;

	ret = pack_explain(problem->pack, items, count, refused,
			   &question.conflict);
	if (ret)
		return ret;
	write_cause(&cause, &question);
	write_remedy(&remedy, &question);
	return question_keep_text(&question, &cause, &remedy, arena, out);
}
