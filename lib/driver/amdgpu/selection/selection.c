/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/selection.h"

#include <errno.h>
#include <stdlib.h>

void
selection_destroy(struct selection *selection)
{
	if (!selection)
		return;
	free(selection->counters);
	free(selection->cells);
	free(selection->numbers.totals);
	free(selection->answers);
	free(selection->spans);
	free(selection);
}

int
selection_reserve(struct selection *selection, size_t count)
{
	struct cell_numbers *numbers = &selection->numbers;
	size_t room = (count + 2) & ~(size_t)1; /* room for whole vectors */
	size_t all = (1 + selection->xccs) * room;

	selection->cells = calloc(room, sizeof(*selection->cells));
	numbers->totals =
		calloc(2 * (all + room), sizeof(*numbers->totals));
	if (!selection->cells || !numbers->totals)
		return -ENOMEM;
	selection->room = room;
	numbers->last = numbers->totals + all;
	numbers->masks = numbers->last + all;
	numbers->excess = numbers->masks + room;
	return 0;
}

uint32_t
selection_find_event(const struct selection *selection, size_t block,
		     uint32_t id, uint32_t after)
{
	for (uint32_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];

		if (counter->block == block && counter->id == id &&
		    counter->after == after)
			return i;
	}
	return UINT32_MAX;
}

uint32_t
selection_add_event(struct selection *selection, size_t block, uint32_t id,
		    uint32_t after, uint64_t slots)
{
	uint32_t found = selection_find_event(selection, block, id, after);

	if (found != UINT32_MAX)
		return found;
	selection->counters[selection->counter_count] = (struct counter){
		.block = block,
		.id = id,
		.after = after,
		.slots = slots,
	};
	return (uint32_t)selection->counter_count++;
}
/*
 * Return whether the two count the same event of the same block, after the same
 * event. A chain is compared all the way down to its beginning.
 */
static bool
same_counter(const struct selection *a, const struct counter *counter_a,
	     const struct selection *b, const struct counter *counter_b)
{
	while (counter_a->block == counter_b->block &&
	       counter_a->id == counter_b->id) {
		if (counter_a->after == SLOT_NONE ||
		    counter_b->after == SLOT_NONE)
			return counter_a->after == counter_b->after;
		counter_a = &a->counters[counter_a->after];
		counter_b = &b->counters[counter_b->after];
	}
	return false;
}

struct counter *
selection_find(const struct selection *selection, const struct selection *other,
	       const struct counter *counter)
{
	for (size_t i = 0; i < selection->counter_count; i++) {
		if (same_counter(selection, &selection->counters[i], other,
				 counter))
			return &selection->counters[i];
	}
	return NULL;
}

size_t
selection_cell(const struct selection *selection, const struct counter *counter,
	       uint32_t instance)
{
	size_t end = counter->first_cell + counter->cell_count;
	size_t at = counter->first_cell + instance;

	/* its index if no instance is missing */
	if (at < end && selection->cells[at].instance == instance)
		return at;
	for (size_t i = counter->first_cell; i < end; i++) {
		if (selection->cells[i].instance == instance)
			return i;
	}
	return SELECTION_NO_CELL;
}

uint64_t
selection_slots(const struct selection *selection, size_t block,
		uint32_t instance, uint32_t id, uint64_t *same)
{
	uint64_t slots = 0;

	*same = 0;
	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		size_t cell =
			counter->block == block
				? selection_cell(selection, counter, instance)
				: SELECTION_NO_CELL;

		if (cell == SELECTION_NO_CELL)
			continue;
		slots |= UINT64_C(1) << selection->cells[cell].slot;
		if (counter->id == id)
			*same |= UINT64_C(1) << selection->cells[cell].slot;
	}
	return slots;
}

size_t
selection_find_cell(const struct selection *selection,
		    const struct selection *other, size_t index)
{
	const struct value_cell *cell = &other->cells[index];
	const struct counter *counter = selection_find(
		selection, other, &other->counters[cell->counter]);

	return counter ? selection_cell(selection, counter, cell->instance)
		       : SELECTION_NO_CELL;
}

size_t
selection_cell_before(const struct selection *selection, size_t index)
{
	const struct value_cell *cell = &selection->cells[index];
	uint32_t before = selection->counters[cell->counter].after;

	return before == SLOT_NONE
		       ? SELECTION_NO_CELL
		       : selection_cell(selection, &selection->counters[before],
					cell->instance);
}

size_t
selection_cell_behind(const struct selection *selection, size_t index)
{
	const struct value_cell *cell = &selection->cells[index];
	size_t found = SELECTION_NO_CELL;

	for (size_t i = cell->counter + 1;
	     i < selection->counter_count && found == SELECTION_NO_CELL; i++) {
		if (selection->counters[i].after == cell->counter)
			found = selection_cell(selection,
					       &selection->counters[i],
					       cell->instance);
	}
	return found;
}

void
selection_copy_numbers(struct selection *to, size_t cell,
		       const struct selection *from, size_t old, unsigned xcc)
{
	const size_t at = selection_on_xcc(to, cell, xcc);
	const size_t was = selection_on_xcc(from, old, xcc);

	to->numbers.totals[at] = from->numbers.totals[was];
	to->numbers.last[at] = from->numbers.last[was];
}

static void
copy_cell(struct selection *to, const struct selection *from, size_t cell)
{
	size_t copy = to->cell_count++;

	to->cells[copy] = from->cells[cell];
	to->cells[copy].counter = (uint32_t)to->counter_count;
	for (unsigned xcc = 0; xcc <= from->xccs; xcc++)
		selection_copy_numbers(to, copy, from, cell, xcc);
	to->numbers.masks[copy] = from->numbers.masks[cell];
	to->numbers.excess[copy] = from->numbers.excess[cell];
}

static bool
selection_has_cell(const struct selection *selection, size_t cell,
		   const struct selection *other, enum selection_part part)
{
	size_t found = selection_find_cell(other, selection, cell);

	if (found == SELECTION_NO_CELL)
		return false;
	return part == SELECTION_KEPT ||
	       other->cells[found].slot != selection->cells[cell].slot;
}

static bool
is_core_clock(const struct selection *selection, size_t cell,
	      const struct selection *other)
{
	return selection->core_clock &&
	       selection->core_clock == other->core_clock &&
	       selection->core_clock_cell == cell;
}

/*
 * Copy the counter with those of its cells that belong to the part, if any do.
 */
static bool
copy_counter(struct selection *to, const struct selection *from,
	     const struct counter *counter, const struct selection *other,
	     enum selection_part part)
{
	struct counter *copy = &to->counters[to->counter_count];
	size_t end = counter->first_cell + counter->cell_count;

	*copy = *counter;
	copy->first_cell = to->cell_count;
	for (size_t i = counter->first_cell; i < end; i++) {
		if (!selection_has_cell(from, i, other, part))
			continue;
		if (is_core_clock(from, i, other)) {
			to->core_clock = from->core_clock;
			to->core_clock_cell = to->cell_count;
		}
		copy_cell(to, from, i);
	}
	copy->cell_count = to->cell_count - copy->first_cell;
	if (!copy->cell_count)
		return false;
	to->counter_count++;
	return true;
}

/*
 * Copy a part of a selection. Cells that belong side by side stay or move
 * together: the one before a copy has been copied before it.
 */
static void
copy_part(struct selection *to, const struct selection *from,
	  const struct selection *other, enum selection_part part,
	  uint32_t *copy_of)
{
	for (size_t i = 0; i < from->counter_count; i++) {
		const struct counter *counter = &from->counters[i];

		copy_of[i] = (uint32_t)to->counter_count;
		if (copy_counter(to, from, counter, other, part) &&
		    counter->after != SLOT_NONE)
			to->counters[copy_of[i]].after =
				copy_of[counter->after];
	}
}

int
selection_part(const struct selection *selection, const struct selection *other,
	       enum selection_part part, struct selection **out)
{
	struct selection *to = calloc(1, sizeof(*to));
	uint32_t *copy_of =
		calloc(selection->counter_count + 1, sizeof(*copy_of));

	if (to) {
		to->core = selection->core;
		to->stages = selection->stages;
		to->saturates = selection->saturates;
		to->xccs = selection->xccs;
		to->xcc_stride = selection->xcc_stride;
		to->counters = calloc(selection->counter_count + 1,
				      sizeof(*to->counters));
	}
	if (!to || !copy_of || !to->counters ||
	    selection_reserve(to, selection->cell_count)) {
		selection_destroy(to);
		free(copy_of);
		return -ENOMEM;
	}
	copy_part(to, selection, other, part, copy_of);
	free(copy_of);
	*out = to;
	return 0;
}
