/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/units.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"

/* Goes through all units, first to count (fill is false), then to fill. */
struct filler {
	struct pack_units *units;
	const struct pack_space *from;
	bool fill;
	uint32_t unit, alternative, demand, want; /* so many so far */
};

static void
put_demand(struct filler *filler, uint32_t counter)
{
	if (filler->fill)
		filler->units->space.demands[filler->demand] = counter;
	filler->demand++;
}

/* A want of the alternative being made: kept sorted, each setting once. */
static void
put_want(struct filler *filler, const struct pack_want *want)
{
	struct pack_space *to = &filler->units->space;
	uint32_t at = filler->want++;

	if (!filler->fill)
		return;
	while (at > to->want_first[filler->alternative] &&
	       to->wants[at - 1].setting > want->setting) {
		to->wants[at] = to->wants[at - 1];
		at--;
	}
	to->wants[at] = *want;
	if (at > to->want_first[filler->alternative] &&
	    to->wants[at - 1].setting == want->setting) {
		if (to->wants[at - 1].value != want->value)
			to->impossible[filler->alternative] = true;
		filler->want--;
		memmove(&to->wants[at], &to->wants[at + 1],
			(filler->want - at) * sizeof(*to->wants));
	}
}

static void
end_alternative(struct filler *filler)
{
	struct pack_space *to = &filler->units->space;

	filler->alternative++;
	if (!filler->fill)
		return;
	to->demand_first[filler->alternative] = filler->demand;
	to->want_first[filler->alternative] = filler->want;
}

static void
end_unit(struct filler *filler, uint32_t item, uint32_t alternative,
	 bool is_part)
{
	struct pack_units *units = filler->units;

	if (filler->fill) {
		units->items[filler->unit] = item;
		units->alternatives[filler->unit] = alternative;
		units->is_part[filler->unit] = is_part;
		units->space.alternative_first[filler->unit + 1] =
			filler->alternative;
	}
	filler->unit++;
}

static void
put_whole(struct filler *filler, uint32_t item)
{
	const struct pack_space *from = filler->from;
	uint32_t first = from->alternative_first[item];

	for (uint32_t a = first; a < from->alternative_first[item + 1]; a++) {
		for (uint32_t i = from->demand_first[a];
		     i < from->demand_first[a + 1]; i++)
			put_demand(filler, from->demands[i]);
		for (uint32_t i = from->want_first[a];
		     i < from->want_first[a + 1]; i++)
			put_want(filler, &from->wants[i]);
		if (filler->fill)
			filler->units->space.impossible[filler->alternative] =
				from->impossible[a];
		end_alternative(filler);
	}
	end_unit(filler, item, first, false);
}

/* A part: a counter, and those that must sit before it, the first first. */
static void
put_part(struct filler *filler, uint32_t item, uint32_t alternative,
	 uint32_t last)
{
	const struct pack_space *from = filler->from;
	uint32_t length = 0;

	for (uint32_t c = last; c != PACK_NONE; c = from->after[c])
		length++;
	while (length--) {
		uint32_t counter = last;

		for (uint32_t i = 0; i < length; i++)
			counter = from->after[counter];
		put_demand(filler, counter);
		for (int i = 0; i < 2; i++) {
			const struct pack_want *want =
				&from->counter_wants[counter][i];

			if (want->setting != PACK_NONE)
				put_want(filler, want);
		}
	}
	end_alternative(filler);
	end_unit(filler, item, alternative, true);
}

static bool
is_followed(const struct pack_space *space, uint32_t alternative,
	    uint32_t counter)
{
	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		if (space->after[space->demands[i]] == counter)
			return true;
	}
	return false;
}

static void
put_parts(struct filler *filler, uint32_t item)
{
	const struct pack_space *from = filler->from;
	uint32_t a = from->alternative_first[item];

	for (uint32_t i = from->demand_first[a]; i < from->demand_first[a + 1];
	     i++) {
		if (!is_followed(from, a, from->demands[i]))
			put_part(filler, item, a, from->demands[i]);
	}
}

static void
put_all(struct filler *filler)
{
	filler->unit = filler->alternative = filler->demand = filler->want = 0;
	for (uint32_t i = 0; i < filler->from->item_count; i++) {
		switch (filler->units->states[i]) {
		case PACK_STATE_WHOLE:
			put_whole(filler, i);
			break;
		case PACK_STATE_CUT:
			put_parts(filler, i);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
}

static int
fill_units(struct pack_units *units, const struct pack_space *from,
	   struct arena *arena)
{
	struct filler filler = { .units = units, .from = from };
	struct pack_space *to = &units->space;
	int ret;

	put_all(&filler);
	*to = (struct pack_space){
		.item_count = filler.unit,
		.alternative_count = filler.alternative,
		.counter_count = from->counter_count,
		.pool_count = from->pool_count,
		.setting_count = from->setting_count,
	};
	ret = pack_space_alloc(to, filler.demand, filler.want, arena);
	if (ret)
		return ret;
	/* hardware is as before */
	to->rule_count = from->rule_count;
	to->rule_first = from->rule_first;
	to->rules = from->rules;
	to->limits = from->limits;
	to->searched = from->searched;
	to->slots = from->slots;
	to->after = from->after;
	to->pool_first = from->pool_first;
	to->pool_counters = from->pool_counters;
	to->pool_slots = from->pool_slots;
	to->value_count = from->value_count;
	units->items = arena_alloc(arena, ((size_t)filler.unit + 1) *
						  sizeof(*units->items));
	units->alternatives =
		arena_alloc(arena, ((size_t)filler.unit + 1) *
					   sizeof(*units->alternatives));
	units->is_part = arena_alloc(arena, (size_t)filler.unit + 1);
	if (!units->items || !units->alternatives || !units->is_part)
		return -ENOMEM;
	filler.fill = true;
	put_all(&filler);
	return 0;
}

/* Leave out what has a part that fits no pass either; true if there was any. */
static bool
leave_out(struct pack_units *units, struct pack *pack)
{
	bool found = false;

	pack->passes.space = &units->space;
	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; i < units->space.item_count; i++) {
		uint32_t a = units->space.alternative_first[i];

		if (!units->is_part[i] ||
		    pack_passes_probe(&pack->passes, 0, a) != PACK_NO_FIT)
			continue;
		units->states[units->items[i]] = PACK_STATE_LEFT_OUT;
		found = true;
	}
	pack->passes.space = &pack->space;
	return found;
}

int
pack_units_init(struct pack_units *units, struct pack *pack, bool cut,
		struct arena *arena)
{
	const struct pack_space *space = &pack->space;
	int ret;

	units->states = arena_alloc(arena, ((size_t)space->item_count + 1) *
						   sizeof(*units->states));
	if (!units->states)
		return -ENOMEM;
	for (uint32_t i = 0; i < space->item_count; i++) {
		if (pack_item_fits(pack, i))
			units->states[i] = PACK_STATE_WHOLE;
		else
			units->states[i] =
				cut ? PACK_STATE_CUT : PACK_STATE_LEFT_OUT;
	}
	ret = fill_units(units, space, arena);
	if (!ret && leave_out(units, pack))
		ret = fill_units(units, space, arena);
	return ret;
}
