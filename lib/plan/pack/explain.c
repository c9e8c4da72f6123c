/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explain why an item is refused next to others, and the smallest change that
 * makes it fit.
 */
#include <errno.h>
#include <string.h>

#include "plan/pack/pack.h"
#include "plan/pack/passes.h"

/* Looking for a smaller removal than the obvious one ends after so much. */
#define REMOVAL_STEPS UINT64_C(500000)

struct pack_question {
	struct pack *pack;
	const uint32_t *items; /* that fit together */
	uint32_t count;
	uint32_t refused; /* the item that does not fit next to them */
};

static uint32_t
pool_of(const struct pack_problem *problem, uint32_t demand)
{
	return problem->counters[problem->demands[demand]].pool;
}

/* ------------------------------------------------------------------ */
/* The smallest removal                                                 */

/*
 * Return whether the refused item fits when these positions, which rise, are
 * left out.
 */
static bool
fits_without(const struct pack_question *question, const uint32_t *removal,
	     uint32_t removed)
{
	struct pack *pack = question->pack;
	uint32_t kept = 0, at = 0;

	for (uint32_t i = 0; i < question->count; i++) {
		if (at < removed && removal[at] == i)
			at++;
		else
			pack->list[kept++] = question->items[i];
	}
	pack->list[kept++] = question->refused;
	return pack_fits(pack, pack->list, kept, NULL);
}

/* Take the refused one and as many as then fit, in order; not the rest. */
static uint32_t
remove_greedily(const struct pack_question *question)
{
	struct pack *pack = question->pack;
	uint32_t kept = 1, removed = 0;

	pack->list[0] = question->refused;
	for (uint32_t i = 0; i < question->count; i++) {
		pack->list[kept] = question->items[i];
		if (pack_fits(pack, pack->list, kept + 1, NULL))
			kept++;
		else
			pack->removal[removed++] = i;
	}
	return removed;
}

/*
 * Find the next set of size positions, in lexical order; false after the last.
 */
static bool
next_set(uint32_t *set, uint32_t size, uint32_t count)
{
	uint32_t at = size;

	while (at && set[at - 1] == count - size + at - 1)
		at--;
	if (!at)
		return false;
	set[at - 1]++;
	for (; at < size; at++)
		set[at] = set[at - 1] + 1;
	return true;
}

/* Count the items that do not even fit next to the refused one alone. */
static uint32_t
count_incompatible(const struct pack_question *question)
{
	struct pack *pack = question->pack;
	uint32_t count = 0;

	pack->list[0] = question->refused;
	for (uint32_t i = 0; i < question->count; i++) {
		pack->list[1] = question->items[i];
		count += !pack_fits(pack, pack->list, 2, NULL);
	}
	return count;
}

/*
 * Look for a removal of fewer, which has all incompatible items in any case;
 * pack->choices is scratch for the sets.
 */
static uint32_t
shrink_removal(const struct pack_question *question, uint32_t removed)
{
	struct pack *pack = question->pack;
	uint32_t least = removed > 1 ? count_incompatible(question) : 1;
	uint64_t stop = pack->passes.steps + REMOVAL_STEPS;

	for (uint32_t size = least ? least : 1; size < removed; size++) {
		uint32_t *set = pack->choices;

		for (uint32_t i = 0; i < size; i++)
			set[i] = i;
		do {
			if (pack->passes.steps > stop)
				return removed;
			if (!fits_without(question, set, size))
				continue;
			memcpy(pack->removal, set, size * sizeof(*set));
			return size;
		} while (next_set(set, size, question->count));
	}
	return removed;
}

/* Find it among the items that can be in the way of the refused one. */
static void
find_removal(const struct pack_question *question, struct pack_conflict *out)
{
	struct pack *pack = question->pack;
	const uint32_t *of = pack->components.of;
	struct pack_question own = *question;
	uint32_t count;

	own.items = pack->involved;
	own.count = 0;
	for (uint32_t i = 0; i < question->count; i++) {
		if (of[question->items[i]] == of[question->refused])
			pack->involved[own.count++] = question->items[i];
	}
	count = shrink_removal(&own, remove_greedily(&own));
	out->removal = pack->removal;
	out->removal_count = count;
	out->choices = pack->choices;
	for (uint32_t i = 0; count == 1 && i < own.count; i++) {
		if (fits_without(&own, &i, 1))
			pack->choices[out->choice_count++] = own.items[i];
	}
	for (uint32_t i = 0; i < count; i++)
		pack->removal[i] = own.items[pack->removal[i]];
	if (out->choice_count)
		pack->removal[0] = pack->choices[0];
}

/* ------------------------------------------------------------------ */
/* The cause                                                            */

/* Conflict that one alternative of the refused item has. */
struct cause {
	struct pack_conflict conflict;
	uint32_t alternative;
	uint64_t slots; /* too few for the counters that fit no others */
};

/*
 * Return a setting that an alternative wants in two ways, or otherwise than row
 * 0 has it; or PACK_NONE.
 */
static uint32_t
find_setting(const struct pack *pack, uint32_t alternative)
{
	const struct pack_model *model = &pack->model;
	const uint32_t *values = pack_passes_values(&pack->passes, 0);

	PACK_EACH(i, model->requirement_first, alternative) {
		uint32_t setting = model->requirements[i].setting;

		if (values[setting] != PACK_NONE &&
		    values[setting] != model->requirements[i].value)
			return setting;
	}
	return model->clash[alternative];
}

/*
 * Find a constraint that row 0 breaks by what the alternative needs; or
 * PACK_NONE.
 */
static uint32_t
find_constraint(const struct pack *pack, uint32_t alternative)
{
	const struct pack_model *model = &pack->model;
	const struct pack_problem *problem = model->problem;
	uint32_t found = PACK_NONE;

	PACK_EACH(i, problem->demand_first, alternative) {
		uint32_t counter = problem->demands[i];

		PACK_EACH(k, model->obeyed_first, counter) {
			uint32_t constraint = model->obeyed[k];

			if (pack_passes_used(&pack->passes, 0)[constraint] <=
			    model->constraints[constraint].limit)
				continue;
			/* that a pool is full is easier to understand */
			if (found == PACK_NONE ||
			    model->constraints[constraint].is_whole_pool)
				found = constraint;
		}
	}
	return found;
}

/*
 * Find the pool that is too small, with the alternative in row 0 as if it
 * fitted.
 */
static void
find_pool(const struct pack *pack, struct cause *cause)
{
	const struct pack_model *model = &pack->model;
	const struct pack_problem *problem = model->problem;
	struct pack_conflict *conflict = &cause->conflict;
	uint32_t a = cause->alternative;
	uint32_t found = find_constraint(pack, a);

	if (found != PACK_NONE) {
		const struct pack_constraint *constraint =
			&model->constraints[found];

		conflict->cause = constraint->is_whole_pool ? PACK_CAUSE_POOL
							    : PACK_CAUSE_SLOTS;
		conflict->pool = constraint->pool;
		conflict->limit = constraint->limit;
		conflict->wanted = pack_passes_used(&pack->passes, 0)[found];
		cause->slots = constraint->slots;
		return;
	}
	/* only neighbours can be in the way now */
	conflict->cause = PACK_CAUSE_SLOTS;
	PACK_EACH(i, problem->demand_first, a) {
		uint32_t pool = pool_of(problem, i);

		if (model->tries_slots[pool] &&
		    !pack_passes_has_slots(&pack->passes, 0, pool, PACK_NONE))
			conflict->pool = pool;
	}
	conflict->limit = problem->pools[conflict->pool].slots;
	PACK_EACH(i, model->counter_first, conflict->pool)
		conflict->wanted +=
			pack_passes_has(&pack->passes, 0, model->counters[i]);
	cause->slots = PACK_ANY_SLOT;
}

/* ------------------------------------------------------------------ */
/* Items in the way                                                     */

/* Return whether an item has no alternative that goes with the wanted value. */
static bool
cause_insists(const struct pack_model *model, const struct cause *cause,
	      uint32_t item)
{
	const struct pack_problem *problem = model->problem;
	uint32_t setting = cause->conflict.setting;
	uint32_t wanted = pack_model_value(model, cause->alternative, setting);

	PACK_EACH(a, problem->alternative_first, item) {
		uint32_t value = pack_model_value(model, a, setting);

		if (value == PACK_NONE || value == wanted)
			return false;
	}
	return true;
}

/* Return whether the alternative that serves an item is in the way. */
static bool
is_holder(const struct pack_model *model, const struct cause *cause,
	  uint32_t alternative)
{
	const struct pack_problem *problem = model->problem;
	const struct pack_conflict *conflict = &cause->conflict;

	if (conflict->cause == PACK_CAUSE_SETTING) {
		uint32_t value =
			pack_model_value(model, alternative, conflict->setting);

		return value != PACK_NONE &&
		       value != pack_model_value(model, cause->alternative,
						 conflict->setting);
	}
	PACK_EACH(i, problem->demand_first, alternative) {
		if (pool_of(problem, i) == conflict->pool &&
		    !(pack_model_slots(model, problem->demands[i]) &
		      ~cause->slots))
			return true;
	}
	return false;
}

/*
 * Put the items that are in the way into pack->holders, and return their
 * number. For a setting, items that could take the wanted value are left
 * out, unless all of them could: then they cannot take it together.
 */
static uint32_t
list_holders(const struct pack_question *question, const struct cause *cause)
{
	struct pack *pack = question->pack;
	uint32_t count = 0;

	for (uint32_t i = 0; i < question->count; i++) {
		if (cause->conflict.cause == PACK_CAUSE_SETTING &&
		    cause_insists(&pack->model, cause, question->items[i]))
			pack->holders[count++] = question->items[i];
	}
	if (count)
		return count;
	for (uint32_t i = 0; i < question->count; i++) {
		if (is_holder(&pack->model, cause, pack->chosen[i]))
			pack->holders[count++] = question->items[i];
	}
	return count;
}

/* Find the conflict of this alternative with those that serve the items. */
static void
find_cause(const struct pack_question *question, struct cause *cause)
{
	struct pack *pack = question->pack;
	bool impossible = pack->model.clash[cause->alternative] != PACK_NONE;
	struct pack_conflict *conflict = &cause->conflict;

	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; !impossible && i < question->count; i++)
		pack_passes_add(&pack->passes, 0, pack->chosen[i]);
	conflict->setting = find_setting(pack, cause->alternative);
	if (conflict->setting != PACK_NONE) {
		conflict->cause = PACK_CAUSE_SETTING;
		conflict->limit = 1;
		conflict->wanted = 2;
	} else {
		pack_passes_add(&pack->passes, 0, cause->alternative);
		find_pool(pack, cause);
	}
	if (!impossible)
		conflict->holder_count = list_holders(question, cause);
}

/*
 * Return whether a has fewer holders than b. With none, an alternative fits no
 * pass at all, and is the cause only if no other has any.
 */
static bool
disturbs_fewer(const struct pack_conflict *a, const struct pack_conflict *b)
{
	return a->holder_count &&
	       (!b->holder_count || a->holder_count < b->holder_count);
}

/* Choose the cause for the alternative that would disturb the fewest. */
static void
choose_cause(const struct pack_question *question, struct pack_conflict *out)
{
	struct pack *pack = question->pack;
	const struct pack_problem *problem = pack->model.problem;
	struct cause best = { .alternative = PACK_NONE };

	PACK_EACH(a, problem->alternative_first, question->refused) {
		struct cause cause = { .conflict = *out, .alternative = a };

		find_cause(question, &cause);
		if (best.alternative == PACK_NONE ||
		    disturbs_fewer(&cause.conflict, &best.conflict))
			best = cause;
	}
	*out = best.conflict;
	out->holders = pack->holders;
	if (out->holder_count)
		out->holder_count = list_holders(question, &best);
}

int
pack_explain(struct pack *pack, const uint32_t *items, uint32_t count,
	     uint32_t refused, struct pack_conflict *out)
{
	struct pack_question question = { pack, items, count, refused };
	struct pack_conflict conflict = {
		.pool = PACK_NONE,
		.setting = PACK_NONE,
	};

	if (!pack_fits(pack, items, count, NULL) ||
	    fits_without(&question, NULL, 0))
		return -EINVAL;
	if (!pack_item_fits(pack, refused)) {
		question.count = 0;
	} else {
		find_removal(&question, &conflict);
		pack_fits(pack, items, count, NULL); /* chosen, once more */
	}
	choose_cause(&question, &conflict);
	*out = conflict;
	return 0;
}
