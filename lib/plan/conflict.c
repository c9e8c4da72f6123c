/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why events do not fit one pass, in the words of events and groups.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "plan/problem.h"

/* A conflict that packing reports. */
struct conflict_question {
	const struct plan_problem *problem;
	uint32_t refused; /* the item that does not fit */
	const struct pack_conflict *conflict;
	/* the sentence being written; what does not fit is left out */
	char text[sizeof(((struct drmperf_error *)NULL)->cause)];
	size_t length;
};

/* Room that every list of names leaves for what comes behind it. */
#define ROOM_BEHIND 80

__attribute__((format(printf, 2, 3))) static void
add_text(struct conflict_question *question, const char *format, ...)
{
	const size_t room = sizeof(question->text) - question->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(question->text + question->length, room, format,
			   args);
	va_end(args);
	if (length > 0)
		question->length +=
			(size_t)length < room ? (size_t)length : room - 1;
}

static const struct drmperf_selection *
selection_of(const struct conflict_question *question, uint32_t item)
{
	return &question->problem->items[item].selection;
}

static void
add_refused(struct conflict_question *question)
{
	char name[256];

	drmperf_selection_name(selection_of(question, question->refused), name,
			       sizeof(name));
	add_text(question, "%s", name);
}

/* Add "A, B and C", or "A, B and 7 more" where there is no room for all. */
static void
add_names(struct conflict_question *question, const uint32_t *items,
	  uint32_t count, const char *last)
{
	for (uint32_t i = 0; i < count; i++) {
		char name[256];
		int length = drmperf_selection_name(
			selection_of(question, items[i]), name, sizeof(name));

		if (i && question->length + (size_t)length + ROOM_BEHIND >
				 sizeof(question->text)) {
			add_text(question, " %s %u more", last, count - i);
			return;
		}
		if (i)
			add_text(question, i + 1 < count ? ", " : " %s ", last);
		add_text(question, "%s", name);
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
add_setting(struct conflict_question *question)
{
	const struct plan_setting *setting =
		&question->problem->settings[question->conflict->setting];
	const struct description_domain *domain =
		&setting->catalog->description.domains[setting->domain];
	const bool is_group = setting->is_group;

	add_text(question,
		 is_group ? "%s of device %u counts one group at a time"
			  : "the counters of %s of device %u share a setting",
		 domain->name, device_of(question));
	if (question->conflict->holder_count) {
		add_text(question, is_group ? ", and another is counted by "
					    : ", and another is wanted by ");
		add_names(question, question->conflict->holders,
			  question->conflict->holder_count, "and");
	} else {
		add_text(question, is_group ? ", and it needs two"
					    : ", and it wants two");
	}
}

static bool
names_instance(const struct conflict_question *question, uint32_t item)
{
	return DRMPERF_INSTANCE_OF(selection_of(question, item)->instance) !=
	       DRMPERF_ALL_INSTANCES;
}

/* Return whether any selection that wants the group wants one instance only. */
static bool
is_about_instance(const struct conflict_question *question)
{
	const struct pack_conflict *conflict = question->conflict;
	bool found = names_instance(question, question->refused);

	for (uint32_t i = 0; i < conflict->holder_count && !found; i++)
		found = names_instance(question, conflict->holders[i]);
	return found;
}

static const struct drmperf_group *
group_of(const struct plan_pool *pool)
{
	return &pool->catalog->groups[pool->group];
}

static void
add_group(struct conflict_question *question)
{
	const struct pack_conflict *conflict = question->conflict;
	const struct plan_pool *pool =
		&question->problem->pools[conflict->pool];
	const char *name = drmperf_group_name(group_of(pool));

	if (pool->instance != DRMPERF_ALL_INSTANCES &&
	    is_about_instance(question))
		add_text(question, "instance %d of ", (int)pool->instance);
	if (conflict->wanted <= conflict->limit)
		add_text(question,
			 "group %s of device %u counts %u at a time, but not "
			 "with the neighbours that are asked for",
			 name, device_of(question), conflict->limit);
	else
		add_text(question,
			 "group %s of device %u counts %u%s at a time, and %u "
			 "are wanted",
			 name, device_of(question), conflict->limit,
			 conflict->cause == PACK_CAUSE_SLOTS ? " of this kind"
							     : "",
			 conflict->wanted);
	if (conflict->holder_count) {
		add_text(question, ", also by ");
		add_names(question, conflict->holders, conflict->holder_count,
			  "and");
	}
}

static void
write_cause(struct conflict_question *question)
{
	add_refused(question);
	add_text(question, question->conflict->removal_count
				   ? " does not fit beside the other events: "
				   : " fits no pass, not even alone: ");
	if (question->conflict->cause == PACK_CAUSE_SETTING)
		add_setting(question);
	else
		add_group(question);
}

static void
write_remedy(struct conflict_question *question)
{
	const struct pack_conflict *conflict = question->conflict;
	const bool is_choice = conflict->choice_count > 1;

	add_text(question, "leave out %s", is_choice ? "one of " : "");
	add_refused(question);
	if (is_choice) {
		add_text(question, ", ");
		add_names(question, conflict->choices, conflict->choice_count,
			  "or");
	} else if (conflict->removal_count) {
		add_text(question, conflict->removal_count > 2 ? ", or all of "
				   : conflict->removal_count > 1 ? ", or both "
								 : " or ");
		add_names(question, conflict->removal, conflict->removal_count,
			  "and");
	}
}

/* ------------------------------------------------------------------ */

/* Return a sentence in an arena, or NULL. */
static const char *
keep_text(struct conflict_question *question, struct arena *arena,
	  void (*write_text)(struct conflict_question *question))
{
	question->length = 0;
	write_text(question);
	return arena_strndup(arena, question->text, question->length);
}

int
plan_problem_describe(const struct plan_problem *problem, uint32_t refused,
		      const struct pack_conflict *conflict, struct arena *arena,
		      struct drmperf_conflict *out)
{
	struct conflict_question question = {
		.problem = problem,
		.refused = refused,
		.conflict = conflict,
	};
	size_t *holders =
		arena_array(arena, conflict->holder_count, sizeof(*holders));

	for (size_t i = 0; holders && i < conflict->holder_count; i++)
		holders[i] = conflict->holders[i];
	*out = (struct drmperf_conflict){
		.limit = conflict->limit,
		.wanted = conflict->wanted,
		.event = refused,
		.holders = holders,
		.holder_count = conflict->holder_count,
		.cause = keep_text(&question, arena, write_cause),
		.remedy = keep_text(&question, arena, write_remedy),
	};
	if (conflict->cause != PACK_CAUSE_SETTING)
		out->group = group_of(&problem->pools[conflict->pool]);
	return arena_is_short(arena) ? -ENOMEM : 0;
}
