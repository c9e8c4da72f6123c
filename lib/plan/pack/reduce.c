/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/reduce.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/slots.h"

/*
 * The alternatives of one round without what binds nothing, and who needs what.
 * A need is a counter, or a value of a setting; they are numbered together.
 */
struct view {
	struct pack_reduction *reduction;
	const struct pack_space *space;
	struct pack_binding *binding; /* of this round */
	uint64_t *marked; /* set of counters that are needed at all */
	uint32_t *value_offset; /* per setting: number of its value 0 */
	uint32_t need_count;
	uint32_t *need_first; /* per alternative */
	uint32_t *needs; /* rising */
	uint64_t *signature; /* per alternative: a bit per need, hashed */
	uint32_t *user_first; /* per need */
	uint32_t *users; /* items */
	uint32_t *seen; /* per item: stamp of the last visit */
	uint32_t stamp;
};

static int
view_init(struct view *view, struct pack_reduction *reduction)
{
	const struct pack_space *space = reduction->space;
	size_t demands = space->demand_first[space->alternative_count];
	size_t wants = space->want_first[space->alternative_count];
	uint32_t values = 0;

	*view = (struct view){ .reduction = reduction, .space = space };
	view->value_offset =
		calloc(space->setting_count + 1, sizeof(*view->value_offset));
	if (!view->value_offset)
		return -ENOMEM;
	for (uint32_t i = 0; i < space->setting_count; i++) {
		view->value_offset[i] = space->counter_count + values;
		values += space->value_count[i];
	}
	view->need_count = space->counter_count + values;
	view->marked = calloc(space->words, sizeof(*view->marked));
	view->need_first =
		calloc(space->alternative_count + 1, sizeof(*view->need_first));
	view->needs = calloc(demands + wants + 1, sizeof(*view->needs));
	view->signature =
		calloc(space->alternative_count + 1, sizeof(*view->signature));
	view->user_first =
		calloc(view->need_count + 1, sizeof(*view->user_first));
	view->users = calloc(demands + wants + 1, sizeof(*view->users));
	view->seen = calloc(space->item_count + 1, sizeof(*view->seen));
	return view->marked && view->need_first && view->needs &&
			       view->signature && view->user_first &&
			       view->users && view->seen
		       ? 0
		       : -ENOMEM;
}

static void
view_finish(struct view *view)
{
	free(view->value_offset);
	free(view->marked);
	free(view->need_first);
	free(view->needs);
	free(view->signature);
	free(view->user_first);
	free(view->users);
	free(view->seen);
}

/* Whether an alternative takes part in this round. */
static bool
takes_part(const struct view *view, uint32_t item, uint32_t alternative)
{
	return view->reduction->roles[item] == PACK_ROLE_ACTIVE &&
	       view->reduction->alive[alternative];
}

/* ------------------------------------------------------------------ */
/* What binds                                                           */

static void
mark_needs(struct view *view)
{
	const struct pack_space *space = view->space;

	memset(view->marked, 0, space->words * sizeof(*view->marked));
	for (uint32_t i = 0; i < space->item_count; i++) {
		for (uint32_t a = space->alternative_first[i];
		     a < space->alternative_first[i + 1]; a++) {
			if (!takes_part(view, i, a))
				continue;
			for (uint32_t d = space->demand_first[a];
			     d < space->demand_first[a + 1]; d++)
				view->marked[space->demands[d] / 64] |=
					UINT64_C(1) << space->demands[d] % 64;
		}
	}
}

static bool
is_marked(const struct view *view, uint32_t counter)
{
	return view->marked[counter / 64] >> counter % 64 & 1;
}

/* Whether all marked counters of a searched pool fit it together. */
static bool
pool_holds_all(const struct view *view, uint32_t pool)
{
	const struct pack_space *space = view->space;
	struct slot_claim claims[SLOTS_MAX];
	uint32_t members[SLOTS_MAX], count = 0;

	for (uint32_t i = space->pool_first[pool];
	     i < space->pool_first[pool + 1]; i++) {
		uint32_t counter = space->pool_counters[i];

		if (!is_marked(view, counter))
			continue;
		if (count == SLOTS_MAX)
			return false;
		members[count] = counter;
		claims[count] = (struct slot_claim){
			.slots = space->slots[counter],
			.after = SLOT_NONE,
			.slot = SLOT_NONE,
		};
		for (uint32_t j = 0; j < count; j++) {
			if (members[j] == space->after[counter])
				claims[count].after = j;
		}
		count++;
	}
	return slots_place(claims, count, space->pool_slots[pool]);
}

static void
find_binding_rules(struct view *view, uint32_t *used)
{
	struct pack_binding *binding = view->binding;
	const struct pack_space *space = view->space;

	memset(used, 0, space->rule_count * sizeof(*used));
	for (uint32_t c = 0; c < space->counter_count; c++) {
		for (uint32_t i = space->rule_first[c];
		     is_marked(view, c) && i < space->rule_first[c + 1]; i++)
			used[space->rules[i]]++;
	}
	for (uint32_t i = 0; i < space->rule_count; i++)
		binding->rules[i] = used[i] > space->limits[i];
	for (uint32_t i = 0; i < space->pool_count; i++)
		binding->pools[i] = !pool_holds_all(view, i);
	for (uint32_t c = 0; c < space->counter_count; c++) {
		uint32_t pool = space->searched[c];
		bool binds = pool != PACK_NONE && binding->pools[pool];

		for (uint32_t i = space->rule_first[c];
		     i < space->rule_first[c + 1]; i++)
			binds = binds || binding->rules[space->rules[i]];
		binding->counters[c] = binds && is_marked(view, c);
	}
}

/* A setting binds if two values of it are wanted. */
static void
find_binding_settings(struct view *view, uint32_t *value)
{
	bool *binds = view->binding->settings;
	const struct pack_space *space = view->space;

	for (uint32_t i = 0; i < space->setting_count; i++) {
		binds[i] = false;
		value[i] = PACK_NONE;
	}
	for (uint32_t i = 0; i < space->item_count; i++) {
		for (uint32_t a = space->alternative_first[i];
		     a < space->alternative_first[i + 1]; a++) {
			if (!takes_part(view, i, a))
				continue;
			for (uint32_t w = space->want_first[a];
			     w < space->want_first[a + 1]; w++) {
				const struct pack_want *want = &space->wants[w];
				uint32_t *known = &value[want->setting];

				if (*known == PACK_NONE)
					*known = want->value;
				if (*known != want->value)
					binds[want->setting] = true;
			}
		}
	}
}

/* ------------------------------------------------------------------ */
/* Needs                                                                */

static void
list_needs(struct view *view)
{
	const struct pack_binding *binding = view->binding;
	const struct pack_space *space = view->space;
	uint32_t at = 0;

	for (uint32_t a = 0; a < space->alternative_count; a++) {
		uint64_t signature = 0;

		view->need_first[a] = at;
		for (uint32_t i = space->demand_first[a];
		     i < space->demand_first[a + 1]; i++) {
			if (binding->counters[space->demands[i]])
				view->needs[at++] = space->demands[i];
		}
		for (uint32_t i = space->want_first[a];
		     i < space->want_first[a + 1]; i++) {
			const struct pack_want *want = &space->wants[i];

			if (binding->settings[want->setting])
				view->needs[at++] =
					view->value_offset[want->setting] +
					want->value;
		}
		for (uint32_t i = view->need_first[a]; i < at; i++)
			signature |= UINT64_C(1)
				     << (view->needs[i] * 0x9e3779b1u >> 26);
		view->signature[a] = signature;
	}
	view->need_first[space->alternative_count] = at;
}

static void
list_users(struct view *view)
{
	const struct pack_space *space = view->space;
	uint32_t *first = view->user_first;

	memset(first, 0, (view->need_count + 1) * sizeof(*first));
	for (uint32_t i = 0; i < view->need_first[space->alternative_count];
	     i++)
		first[view->needs[i] + 1]++;
	for (uint32_t i = 0; i < view->need_count; i++)
		first[i + 1] += first[i];
	/* filled from the end, as in store_rules() of pack_space.c */
	for (uint32_t i = space->item_count; i--;) {
		for (uint32_t n =
			     view->need_first[space->alternative_first[i + 1]];
		     n-- > view->need_first[space->alternative_first[i]];)
			view->users[--first[view->needs[n] + 1]] = i;
	}
	memmove(first, first + 1, view->need_count * sizeof(*first));
	first[view->need_count] = view->need_first[space->alternative_count];
}

/* Whether alternative a needs nothing that b does not need. */
static bool
alternative_within(const struct view *view, uint32_t a, uint32_t b)
{
	uint32_t at = view->need_first[b];

	if (view->signature[a] & ~view->signature[b])
		return false;
	for (uint32_t i = view->need_first[a]; i < view->need_first[a + 1];
	     i++) {
		while (at < view->need_first[b + 1] &&
		       view->needs[at] < view->needs[i])
			at++;
		if (at == view->need_first[b + 1] ||
		    view->needs[at] != view->needs[i])
			return false;
	}
	return true;
}

/* Whether, however b is served, a can be served with it for nothing. */
static bool
item_within(const struct view *view, uint32_t a, uint32_t b)
{
	const struct pack_space *space = view->space;
	const bool *alive = view->reduction->alive;

	for (uint32_t y = space->alternative_first[b];
	     y < space->alternative_first[b + 1]; y++) {
		uint32_t x = space->alternative_first[a];

		if (!alive[y])
			continue;
		while (x < space->alternative_first[a + 1] &&
		       !(alive[x] && alternative_within(view, x, y)))
			x++;
		if (x == space->alternative_first[a + 1])
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* Dropping                                                             */

/* Drop alternatives that need all that another one needs, and more. */
static bool
drop_alternatives(struct view *view, uint32_t item)
{
	const struct pack_space *space = view->space;
	bool *alive = view->reduction->alive;
	bool changed = false;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		for (uint32_t b = space->alternative_first[item];
		     alive[a] && b < space->alternative_first[item + 1]; b++) {
			if (a == b || !alive[b] ||
			    !alternative_within(view, b, a) ||
			    (a < b && alternative_within(view, a, b)))
				continue;
			alive[a] = false;
			changed = true;
		}
	}
	return changed;
}

/* Whether some alternative needs nothing that binds. */
static bool
is_free(const struct view *view, uint32_t item)
{
	const struct pack_space *space = view->space;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		if (view->reduction->alive[a] &&
		    view->need_first[a] == view->need_first[a + 1])
			return true;
	}
	return false;
}

static uint32_t
user_count(const struct view *view, uint32_t need)
{
	return view->user_first[need + 1] - view->user_first[need];
}

/* Whether one of those who use a need brings the item along. */
static bool
rides_with_user(struct view *view, uint32_t item, uint32_t need)
{
	for (uint32_t i = view->user_first[need];
	     i < view->user_first[need + 1]; i++) {
		uint32_t other = view->users[i];

		if (other == item || view->seen[other] == view->stamp ||
		    view->reduction->roles[other] != PACK_ROLE_ACTIVE)
			continue;
		view->seen[other] = view->stamp;
		if (item_within(view, item, other) &&
		    (other < item || !item_within(view, other, item))) {
			view->reduction->hosts[item] = other;
			return true;
		}
	}
	return false;
}

/*
 * Whether another item brings this one along. It would have all needs of one
 * of its alternatives, so it is looked for among the users of the rarest.
 */
static bool
is_rider(struct view *view, uint32_t item)
{
	const struct pack_space *space = view->space;

	view->stamp++;
	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		uint32_t rarest = view->needs[view->need_first[a]];

		if (!view->reduction->alive[a])
			continue;
		for (uint32_t i = view->need_first[a];
		     i < view->need_first[a + 1]; i++) {
			if (user_count(view, view->needs[i]) <
			    user_count(view, rarest))
				rarest = view->needs[i];
		}
		if (rides_with_user(view, item, rarest))
			return true;
	}
	return false;
}

/*
 * One round; true if anything changed. What an item's alternatives are worth
 * is settled right before its role is, so that those of riders stay as they
 * were when they were compared with their host's.
 */
static bool
drop(struct view *view)
{
	struct pack_reduction *reduction = view->reduction;
	enum pack_role *roles = reduction->roles;
	bool changed = false;

	for (uint32_t i = 0; i < view->space->item_count; i++) {
		if (roles[i] != PACK_ROLE_ACTIVE)
			continue;
		changed = drop_alternatives(view, i) || changed;
		reduction->hosts[i] = PACK_NONE;
		if (is_free(view, i) || is_rider(view, i)) {
			roles[i] = PACK_ROLE_RIDER;
			reduction->drop_rounds[i] = reduction->round;
			changed = true;
		}
	}
	return changed;
}

/* Items and alternatives that fit no pass. */
static void
drop_misfits(struct pack_reduction *reduction, struct pack_passes *passes)
{
	const struct pack_space *space = reduction->space;

	pack_passes_clear(passes, 0);
	for (uint32_t i = 0; i < space->item_count; i++) {
		reduction->roles[i] = PACK_ROLE_MISFIT;
		for (uint32_t a = space->alternative_first[i];
		     a < space->alternative_first[i + 1]; a++) {
			reduction->alive[a] =
				pack_passes_probe(passes, 0, a) != PACK_NO_FIT;
			if (reduction->alive[a])
				reduction->roles[i] = PACK_ROLE_ACTIVE;
		}
	}
}

static int
binding_init(struct pack_binding *binding, const struct pack_space *space,
	     struct arena *arena)
{
	binding->rules = arena_alloc(arena, (size_t)space->rule_count + 1);
	binding->pools = arena_alloc(arena, (size_t)space->pool_count + 1);
	binding->settings =
		arena_alloc(arena, (size_t)space->setting_count + 1);
	binding->counters =
		arena_alloc(arena, (size_t)space->counter_count + 1);
	return binding->rules && binding->pools && binding->settings &&
			       binding->counters
		       ? 0
		       : -ENOMEM;
}

static int
reduction_init(struct pack_reduction *reduction, const struct pack_space *space,
	       struct arena *arena)
{
	size_t items = (size_t)space->item_count + 1;
	int ret;

	*reduction = (struct pack_reduction){
		.space = space,
		.roles = arena_alloc(arena, items * sizeof(enum pack_role)),
		.alive = arena_alloc(arena,
				     (size_t)space->alternative_count + 1),
		.hosts = arena_alloc(arena, items * sizeof(uint32_t)),
		.drop_rounds = arena_alloc(arena, items * sizeof(uint32_t)),
	};
	ret = reduction->roles && reduction->alive && reduction->hosts &&
			      reduction->drop_rounds
		      ? 0
		      : -ENOMEM;
	for (int i = 0; i < PACK_REDUCE_ROUNDS && !ret; i++)
		ret = binding_init(&reduction->rounds[i], space, arena);
	return ret;
}

static void
run_rounds(struct view *view, uint32_t *scratch)
{
	struct pack_reduction *reduction = view->reduction;

	for (uint32_t round = 0; round < PACK_REDUCE_ROUNDS; round++) {
		reduction->round = round;
		view->binding = &reduction->rounds[round];
		mark_needs(view);
		find_binding_rules(view, scratch);
		find_binding_settings(view, scratch);
		list_needs(view);
		list_users(view);
		if (!drop(view))
			break;
	}
}

int
pack_reduce(const struct pack_space *space, struct pack_passes *passes,
	    struct arena *arena, struct pack_reduction *out)
{
	size_t most = space->rule_count > space->setting_count
			      ? space->rule_count
			      : space->setting_count;
	uint32_t *scratch = calloc(most + 1, sizeof(*scratch));
	struct view view = { 0 };
	int ret = scratch ? 0 : -ENOMEM;

	if (!ret)
		ret = reduction_init(out, space, arena);
	if (!ret)
		ret = view_init(&view, out);
	if (!ret) {
		drop_misfits(out, passes);
		run_rounds(&view, scratch);
	}
	view_finish(&view);
	free(scratch);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Riding                                                               */

/* Whether b has what a needs of the things that bind. */
static bool
rides_on(const struct pack_reduction *reduction,
	 const struct pack_binding *binding, uint32_t a, uint32_t b)
{
	const struct pack_space *space = reduction->space;

	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		uint32_t at = space->demand_first[b];

		if (!binding->counters[space->demands[i]])
			continue;
		while (at < space->demand_first[b + 1] &&
		       space->demands[at] != space->demands[i])
			at++;
		if (at == space->demand_first[b + 1])
			return false;
	}
	for (uint32_t i = space->want_first[a]; i < space->want_first[a + 1];
	     i++) {
		const struct pack_want *want = &space->wants[i];
		uint32_t at = space->want_first[b];

		if (!binding->settings[want->setting])
			continue;
		while (at < space->want_first[b + 1] &&
		       (space->wants[at].setting != want->setting ||
			space->wants[at].value != want->value))
			at++;
		if (at == space->want_first[b + 1])
			return false;
	}
	return true;
}

/* Whether an alternative needs nothing that binds. */
static bool
rides_alone(const struct pack_reduction *reduction,
	    const struct pack_binding *binding, uint32_t a)
{
	const struct pack_space *space = reduction->space;

	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		if (binding->counters[space->demands[i]])
			return false;
	}
	for (uint32_t i = space->want_first[a]; i < space->want_first[a + 1];
	     i++) {
		if (binding->settings[space->wants[i].setting])
			return false;
	}
	return true;
}

uint32_t
pack_ride(const struct pack_reduction *reduction, uint32_t rider,
	  uint32_t host_alternative)
{
	const struct pack_space *space = reduction->space;
	const struct pack_binding *binding =
		&reduction->rounds[reduction->drop_rounds[rider]];
	bool alone = reduction->hosts[rider] == PACK_NONE;
	uint32_t a = space->alternative_first[rider];

	while (!reduction->alive[a] ||
	       !(alone ? rides_alone(reduction, binding, a)
		       : rides_on(reduction, binding, a, host_alternative))) {
		a++;
		assert(a < space->alternative_first[rider + 1]);
	}
	return a;
}
