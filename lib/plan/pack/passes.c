/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/passes.h"

#include <string.h>

#include "base/slot_match.h"

/* Steps that trying slots counts for, compared with a probe. */
#define SLOTS_STEPS 16

void
pack_passes_init(struct pack_passes *passes, const struct pack_model *model,
		 size_t count, struct arena *arena)
{
	*passes = (struct pack_passes){
		.model = model,
		.width = (size_t)model->words + model->constraint_count +
			 model->problem->setting_count,
	};
	passes->rows = pack_numbers(arena, count * passes->width);
}

void
pack_passes_clear(struct pack_passes *passes, uint32_t pass)
{
	uint32_t *row = pack_passes_row(passes, pass);
	uint32_t *values = pack_passes_values(passes, pass);

	memset(row, 0, (size_t)(values - row) * sizeof(*row));
	for (uint32_t i = 0; i < passes->model->problem->setting_count; i++)
		values[i] = PACK_NONE;
}

void
pack_passes_copy(struct pack_passes *passes, uint32_t from, uint32_t to)
{
	memcpy(pack_passes_row(passes, to), pack_passes_row(passes, from),
	       passes->width * sizeof(*passes->rows));
}

/* ------------------------------------------------------------------ */
/* Probing                                                              */

bool
pack_passes_has_slots(const struct pack_passes *passes, uint32_t pass,
		      uint32_t pool, uint32_t alternative)
{
	const struct pack_model *model = passes->model;
	const struct pack_problem *problem = model->problem;
	struct slot_request requests[SLOTS_MAX];
	uint32_t members[SLOTS_MAX], count = 0, at = 0, end = 0;

	if (alternative != PACK_NONE) {
		at = problem->demand_first[alternative];
		end = problem->demand_first[alternative + 1];
	}
	PACK_EACH(i, model->counter_first, pool) {
		uint32_t counter = model->counters[i];
		const struct pack_counter *record = &problem->counters[counter];

		while (at < end && problem->demands[at] < counter)
			at++;
		if (!(at < end && problem->demands[at] == counter) &&
		    !pack_passes_has(passes, pass, counter))
			continue;
		if (count == SLOTS_MAX)
			return false;
		requests[count] = (struct slot_request){
			.slots = record->slots,
			.after = SLOT_NONE,
			.slot = SLOT_NONE,
		};
		/* the one before has a lower index */
		for (uint32_t k = 0; k < count; k++) {
			if (members[k] == record->after)
				requests[count].after = k;
		}
		members[count++] = counter;
	}
	return slot_match(requests, count, problem->pools[pool].slots);
}

/*
 * Try the slots of each pool that constraints do not settle and that gets more.
 */
static bool
pools_have_slots(struct pack_passes *passes, uint32_t pass,
		 uint32_t alternative)
{
	const struct pack_problem *problem = passes->model->problem;
	uint32_t tried = PACK_NONE;

	PACK_EACH(i, problem->demand_first, alternative) {
		uint32_t counter = problem->demands[i];
		uint32_t pool = problem->counters[counter].pool;

		/* most counters of a pool stand next to each other */
		if (pool == tried || !passes->model->tries_slots[pool] ||
		    pack_passes_has(passes, pass, counter))
			continue;
		tried = pool;
		passes->steps += SLOTS_STEPS;
		if (!pack_passes_has_slots(passes, pass, pool, alternative))
			return false;
	}
	return true;
}

/*
 * Count a counter as one more or one less under its constraints; false if one
 * breaks.
 */
static bool
count_under_constraints(struct pack_passes *passes, uint32_t *used,
			uint32_t counter, int by)
{
	const struct pack_model *model = passes->model;
	bool kept = true;

	PACK_EACH(i, model->obeyed_first, counter) {
		uint32_t constraint = model->obeyed[i];

		used[constraint] += (uint32_t)by;
		kept = kept &&
		       used[constraint] <= model->constraints[constraint].limit;
	}
	return kept;
}

uint32_t
pack_passes_probe(struct pack_passes *passes, uint32_t pass,
		  uint32_t alternative)
{
	const struct pack_model *model = passes->model;
	const struct pack_problem *problem = model->problem;
	const uint32_t *values = pack_passes_values(passes, pass);
	uint32_t *used = pack_passes_used(passes, pass);
	uint32_t first = problem->demand_first[alternative];
	uint32_t end = problem->demand_first[alternative + 1];
	uint32_t added = 0, at;
	bool fits = model->clash[alternative] == PACK_NONE;

	passes->steps++;
	PACK_EACH(i, model->requirement_first, alternative) {
		uint32_t value = values[model->requirements[i].setting];

		added += value == PACK_NONE;
		if (value != PACK_NONE && value != model->requirements[i].value)
			return PACK_NO_FIT;
	}
	/* Count them in to see if any constraint breaks, then out again. */
	for (at = first; at < end && fits; at++) {
		if (pack_passes_has(passes, pass, problem->demands[at]))
			continue;
		added++;
		fits = count_under_constraints(passes, used,
					       problem->demands[at], 1);
	}
	passes->steps += at - first;
	while (at-- > first) {
		if (!pack_passes_has(passes, pass, problem->demands[at]))
			count_under_constraints(passes, used,
						problem->demands[at], -1);
	}
	if (!fits || (added && !pools_have_slots(passes, pass, alternative)))
		return PACK_NO_FIT;
	return added;
}

uint32_t
pack_passes_probe_item(struct pack_passes *passes, uint32_t pass, uint32_t item,
		       uint32_t *alternative)
{
	const struct pack_problem *problem = passes->model->problem;
	uint32_t least = PACK_NO_FIT;

	PACK_EACH(a, problem->alternative_first, item) {
		uint32_t added = pack_passes_probe(passes, pass, a);

		if (added < least) {
			least = added;
			*alternative = a;
		}
	}
	return least;
}

/* ------------------------------------------------------------------ */
/* Changing                                                             */

void
pack_passes_change(struct pack_passes *passes, uint32_t pass, uint32_t counter,
		   int by)
{
	pack_passes_row(passes, pass)[counter / 32] ^= 1u << counter % 32;
	count_under_constraints(passes, pack_passes_used(passes, pass), counter,
				by);
}

void
pack_passes_add(struct pack_passes *passes, uint32_t pass, uint32_t alternative)
{
	const struct pack_model *model = passes->model;
	const struct pack_problem *problem = model->problem;
	uint32_t *values = pack_passes_values(passes, pass);

	PACK_EACH(i, model->requirement_first, alternative)
		values[model->requirements[i].setting] =
			model->requirements[i].value;
	PACK_EACH(i, problem->demand_first, alternative) {
		if (!pack_passes_has(passes, pass, problem->demands[i]))
			pack_passes_change(passes, pass, problem->demands[i],
					   1);
	}
}
