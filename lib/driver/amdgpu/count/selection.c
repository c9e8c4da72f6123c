/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A selection on its way from requests to cells. */
struct builder {
	struct selection *selection;
	group_index first_group;
	const struct counter_request *requests;
	size_t count;
	uint32_t *counter_of; /* by request */
	const struct beside *beside; /* or NULL */
};

static const struct block *
block_of(const struct selection *selection, const struct counter *counter)
{
	return &selection->core->blocks[counter->block];
}

static uint32_t
find_counter(const struct selection *selection, size_t block, uint32_t id,
	     uint32_t after)
{
	for (uint32_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];

		if (counter->block == block && counter->id == id &&
		    counter->after == after)
			return i;
	}
	return UINT32_MAX;
}

static uint32_t
add_counter(struct selection *selection, size_t block, uint32_t id,
	    uint32_t after, uint64_t slots)
{
	uint32_t found = find_counter(selection, block, id, after);

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

static int
check_request(const struct builder *builder, size_t index,
	      struct drmperf_error *error)
{
	const struct counter_request *request = &builder->requests[index];
	const struct core *core = builder->selection->core;
	size_t block = request->group - builder->first_group;

	if (request->group < builder->first_group || block >= core->block_count)
		return error_set(error, -EINVAL, "group %u has no counters",
				 request->group);
	if (request->instance != DRMPERF_ALL_INSTANCES &&
	    (request->instance < 0 ||
	     (unsigned)request->instance >= core->blocks[block].instance_count))
		return error_set(error, -EINVAL, "%s has no instance %d",
				 core->blocks[block].name, request->instance);
	if (request->follows && (!index || request[-1].group != request->group))
		return error_set(error, -EINVAL,
				 "a counter of %s follows none of its block",
				 core->blocks[block].name);
	return 0;
}

/* One mask serves all counters behind the SQ. */
static int
take_setting(struct selection *selection, uint32_t setting,
	     struct drmperf_error *error)
{
	if (setting == SETTING_NONE)
		return 0;
	if (selection->stages && selection->stages != setting)
		return error_set(error, -ENOSPC,
				 "counters of different shader stages cannot "
				 "count together");
	selection->stages = setting;
	return 0;
}

static int
add_requests(struct builder *builder, struct drmperf_error *error)
{
	struct selection *selection = builder->selection;
	int ret;

	for (size_t i = 0; i < builder->count; i++) {
		const struct counter_request *request = &builder->requests[i];

		ret = check_request(builder, i, error);
		if (!ret)
			ret = take_setting(selection, request->setting, error);
		if (ret)
			return ret;
		builder->counter_of[i] = add_counter(
			selection, request->group - builder->first_group,
			request->selector,
			request->follows ? builder->counter_of[i - 1]
					 : SLOT_NONE,
			request->slots);
	}
	if (!selection->stages)
		selection->stages = core_stages(selection->core);
	if (builder->beside && builder->beside->stages != selection->stages)
		return error_set(error, -ENOSPC,
				 "others count with other shader stages");
	return 0;
}

/* ------------------------------------------------------------------ */
/* Slots                                                                */

static uint64_t
bit_of(uint32_t slot)
{
	return slot < 64 ? UINT64_C(1) << slot : 0;
}

/* The cells of one instance of a block, as claims for its slots. */
struct claims {
	struct slot_claim claims[BLOCK_MAX_SLOTS];
	/* whose they are; SELECTION_NO_CELL: those of others */
	size_t cells[BLOCK_MAX_SLOTS];
	uint32_t count;
};

static uint32_t
find_claim(const struct claims *claims, size_t cell)
{
	uint32_t i = 0;

	while (i < claims->count && claims->cells[i] != cell)
		i++;
	return i < claims->count ? i : SLOT_NONE;
}

static uint32_t
find_claim_behind(const struct claims *claims, uint32_t index)
{
	uint32_t i = 0;

	while (i < claims->count && claims->claims[i].after != index)
		i++;
	return i < claims->count ? i : SLOT_NONE;
}

static void
add_claim(struct claims *claims, size_t cell, uint64_t slots, uint32_t slot)
{
	claims->claims[claims->count] = (struct slot_claim){
		.slots = slots,
		.after = SLOT_NONE,
		.slot = slot,
	};
	claims->cells[claims->count++] = cell;
}

/*
 * Those of counters that count in all instances, or of the others. The former
 * come first: then their slots are the same everywhere, if they can be.
 */
static bool
claim_cells(struct claims *claims, const struct selection *selection,
	    size_t block, uint32_t instance, bool everywhere)
{
	const struct block *hardware = &selection->core->blocks[block];

	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		size_t cell;

		if (counter->block != block ||
		    (counter->cell_count == hardware->instance_count) !=
			    everywhere)
			continue;
		cell = selection_cell(selection, counter, instance);
		if (cell == SELECTION_NO_CELL)
			continue;
		if (claims->count == hardware->max_active)
			return false;
		add_claim(claims, cell, counter->slots,
			  selection->cells[cell].slot);
	}
	return true;
}

static bool
claim_own(struct claims *claims, const struct selection *selection,
	  size_t block, uint32_t instance)
{
	claims->count = 0;
	if (!claim_cells(claims, selection, block, instance, true) ||
	    !claim_cells(claims, selection, block, instance, false))
		return false;
	for (uint32_t i = 0; i < claims->count; i++) {
		size_t before =
			selection_cell_before(selection, claims->cells[i]);

		if (before != SELECTION_NO_CELL)
			claims->claims[i].after = find_claim(claims, before);
	}
	return true;
}

/* Whether others count this and what follows it from that slot on. */
static bool
is_beside(const struct selection *selection, const struct claims *claims,
	  const struct beside_instance *beside, uint32_t index, uint32_t slot)
{
	while (index != SLOT_NONE) {
		const struct slot_claim *claim = &claims->claims[index];
		const struct cell *cell =
			&selection->cells[claims->cells[index]];
		bool chained = (beside->chained & bit_of(slot)) != 0;

		if (!(beside->known & claim->slots & bit_of(slot)) ||
		    chained != (claim->after != SLOT_NONE) ||
		    beside->ids[slot] != selection->counters[cell->counter].id)
			return false;
		index = find_claim_behind(claims, index);
		slot++;
	}
	return true;
}

/* Cells without a slot whose events others have go to where those have them. */
static void
join_beside(const struct selection *selection, struct claims *claims,
	    const struct beside_instance *beside, unsigned slots)
{
	for (uint32_t i = 0; i < claims->count; i++) {
		uint32_t slot = 0;

		if (claims->claims[i].slot != SLOT_NONE ||
		    claims->claims[i].after != SLOT_NONE)
			continue;
		while (slot < slots &&
		       !is_beside(selection, claims, beside, i, slot))
			slot++;
		if (slot == slots)
			continue;
		for (uint32_t k = i; k != SLOT_NONE;
		     k = find_claim_behind(claims, k))
			claims->claims[k].slot = slot++;
	}
}

/*
 * What others have stays where it is, also where it is ours as well. False if
 * there is no room for both.
 */
static bool
claim_beside(struct claims *claims, uint64_t taken, unsigned slots)
{
	uint64_t left = taken;

	for (uint32_t i = 0; i < claims->count; i++) {
		const uint64_t now = bit_of(claims->claims[i].slot);

		if (taken & now)
			claims->claims[i].slots = now;
		left &= ~now;
	}
	for (uint32_t slot = 0; slot < slots; slot++) {
		if (!(left & bit_of(slot)))
			continue;
		if (claims->count == slots)
			return false;
		add_claim(claims, SELECTION_NO_CELL, bit_of(slot), slot);
	}
	return true;
}

static bool
are_alike(const struct claims *a, const struct claims *b)
{
	return a->count == b->count &&
	       !memcmp(a->claims, b->claims, a->count * sizeof(*a->claims));
}

/* Instances of a block are mostly alike: what was placed for the last one. */
struct placed {
	struct claims wanted;
	struct claims found;
};

static bool
place_claims(struct placed *last, struct claims *claims, unsigned slots)
{
	if (are_alike(claims, &last->wanted)) {
		memcpy(claims->claims, last->found.claims,
		       claims->count * sizeof(*claims->claims));
		return true;
	}
	last->wanted = *claims;
	if (!slots_place(claims->claims, claims->count, slots)) {
		last->wanted.count = 0;
		return false;
	}
	last->found = *claims;
	return true;
}

static int
place_instance(struct selection *selection, const struct beside *beside,
	       size_t block, uint32_t instance, struct placed *last)
{
	const struct block *hardware = &selection->core->blocks[block];
	const unsigned slots = hardware->max_active;
	struct claims claims;

	if (!claim_own(&claims, selection, block, instance))
		return -ENOSPC;
	if (!claims.count)
		return 0;
	if (beside) {
		const struct beside_instance *others =
			&beside->instances[hardware->first_instance + instance];

		join_beside(selection, &claims, others, slots);
		if (!claim_beside(&claims, others->taken, slots))
			return -ENOSPC;
	}
	if (!place_claims(last, &claims, slots))
		return -ENOSPC;
	for (uint32_t k = 0; k < claims.count; k++) {
		if (claims.cells[k] != SELECTION_NO_CELL)
			selection->cells[claims.cells[k]].slot =
				claims.claims[k].slot;
	}
	return 0;
}

static bool
has_counters(const struct selection *selection, size_t block)
{
	size_t i = 0;

	while (i < selection->counter_count &&
	       selection->counters[i].block != block)
		i++;
	return i < selection->counter_count;
}

static int
say_full(const struct selection *selection, size_t block, uint32_t instance,
	 struct drmperf_error *error)
{
	const struct block *hardware = &selection->core->blocks[block];
	unsigned wanted = 0;

	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];

		wanted += selection->counters[cell->counter].block == block &&
			  cell->instance == instance;
	}
	error_set(error, -ENOSPC,
		  "%u counters of %s do not fit its %u counter registers",
		  wanted, hardware->name, hardware->max_active);
	error_remedy(error, "count fewer events of %s at a time",
		     hardware->name);
	return -ENOSPC;
}

static int
place_block(struct selection *selection, const struct beside *beside,
	    size_t block, struct drmperf_error *error)
{
	const struct block *hardware = &selection->core->blocks[block];
	struct placed last;

	if (!has_counters(selection, block))
		return 0;
	last.wanted.count = 0;
	for (uint32_t i = 0; i < hardware->instance_count; i++) {
		if (place_instance(selection, beside, block, i, &last))
			return say_full(selection, block, i, error);
	}
	return 0;
}

static int
place_all(struct selection *selection, const struct selection *before,
	  const struct beside *beside, struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = 0; before && i < selection->cell_count; i++) {
		size_t old = selection_find_cell(before, selection, i);

		if (old != SELECTION_NO_CELL)
			selection->cells[i].slot = before->cells[old].slot;
	}
	for (size_t block = 0; !ret && block < selection->core->block_count;
	     block++)
		ret = place_block(selection, beside, block, error);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The witness                                                          */

/* A counter of the witness alone, with a cell in the first instance. */
static size_t
add_witness(struct selection *selection, const struct core_witness *witness)
{
	const struct block *block = &selection->core->blocks[witness->block];
	uint32_t index =
		add_counter(selection, witness->block, witness->id, SLOT_NONE,
			    block_slots_for(block, witness->id));
	struct counter *counter = &selection->counters[index];
	size_t cell = selection->cell_count++;

	counter->first_cell = cell;
	counter->cell_count = 1;
	selection->cells[cell] =
		(struct cell){ .counter = index, .slot = SLOT_NONE };
	return cell;
}

static void
remove_witness(struct selection *selection)
{
	selection->counter_count--;
	selection->cell_count--;
}

/* Place the witness, in its old slot if before has it; false: no room. */
static bool
place_witness(struct selection *selection, const struct selection *before,
	      const struct beside *beside, const struct core_witness *witness)
{
	uint32_t found =
		find_counter(selection, witness->block, witness->id, SLOT_NONE);
	struct placed last = { .wanted = { .count = 0 } };
	size_t cell, old;

	if (found != UINT32_MAX) {
		selection->witness = witness;
		selection->witness_cell = selection->counters[found].first_cell;
		return true;
	}
	cell = add_witness(selection, witness);
	old = before ? selection_find_cell(before, selection, cell)
		     : SELECTION_NO_CELL;
	if (old != SELECTION_NO_CELL)
		selection->cells[cell].slot = before->cells[old].slot;
	if (place_instance(selection, beside, witness->block, 0, &last)) {
		remove_witness(selection);
		return false;
	}
	selection->witness = witness;
	selection->witness_cell = cell;
	selection->saturates |=
		selection->core->blocks[witness->block].saturates;
	return true;
}

static void
choose_witness(struct selection *selection, const struct selection *before,
	       const struct beside *beside)
{
	const struct core *core = selection->core;

	/* The one that is at work has a value to compare with. */
	if (before && before->witness &&
	    place_witness(selection, before, beside, before->witness))
		return;
	for (size_t i = 0; i < core->witness_count; i++) {
		if (place_witness(selection, before, beside,
				  &core->witnesses[i]))
			return;
	}
}

/* ------------------------------------------------------------------ */
/* Cells                                                                */

/* Does the counter belong to the chain that ends with the last one? */
static bool
is_in_chain(const struct selection *selection, uint32_t counter, uint32_t last)
{
	while (last != SLOT_NONE && last != counter)
		last = selection->counters[last].after;
	return last == counter;
}

/* What others sum has to be there. */
static bool
reads_instance(const struct builder *builder, uint32_t counter,
	       uint32_t instance)
{
	for (size_t i = 0; i < builder->count; i++) {
		int32_t wanted = builder->requests[i].instance;

		if ((wanted == DRMPERF_ALL_INSTANCES ||
		     (uint32_t)wanted == instance) &&
		    is_in_chain(builder->selection, counter,
				builder->counter_of[i]))
			return true;
	}
	return false;
}

static size_t
most_cells(const struct selection *selection)
{
	size_t most = 1; /* the witness */

	for (size_t i = 0; i < selection->counter_count; i++)
		most += block_of(selection, &selection->counters[i])
				->instance_count;
	return most;
}

/* Room for so many cells, all of them 0. */
static int
reserve_cells(struct selection *selection, size_t count)
{
	struct cell_numbers *numbers = &selection->numbers;
	size_t room = (count + 2) & ~(size_t)1; /* whole vectors */

	selection->cells = calloc(room, sizeof(*selection->cells));
	numbers->totals = calloc(4 * room, sizeof(*numbers->totals));
	if (!selection->cells || !numbers->totals)
		return -ENOMEM;
	numbers->last = numbers->totals + room;
	numbers->masks = numbers->last + room;
	numbers->excess = numbers->masks + room;
	return 0;
}

static int
make_cells(const struct builder *builder)
{
	struct selection *selection = builder->selection;

	if (reserve_cells(selection, most_cells(selection)))
		return -ENOMEM;
	for (uint32_t i = 0; i < selection->counter_count; i++) {
		struct counter *counter = &selection->counters[i];
		unsigned count = block_of(selection, counter)->instance_count;

		selection->saturates |= block_of(selection, counter)->saturates;
		counter->first_cell = selection->cell_count;
		for (uint32_t instance = 0; instance < count; instance++) {
			if (!reads_instance(builder, i, instance))
				continue;
			selection->cells[selection->cell_count++] =
				(struct cell){ .counter = i,
					       .instance = instance,
					       .slot = SLOT_NONE };
		}
		counter->cell_count =
			selection->cell_count - counter->first_cell;
	}
	return 0;
}

static void
make_answers(const struct builder *builder)
{
	struct selection *selection = builder->selection;

	for (size_t i = 0; i < builder->count; i++) {
		const struct counter *counter =
			&selection->counters[builder->counter_of[i]];
		struct answer *answer = &selection->answers[i];
		int32_t instance = builder->requests[i].instance;

		answer->first_cell = counter->first_cell;
		answer->cell_count = counter->cell_count;
		if (instance == DRMPERF_ALL_INSTANCES)
			continue;
		answer->first_cell = selection_cell(selection, counter,
						    (uint32_t)instance);
		answer->cell_count = 1;
	}
}

static void
make_spans(struct selection *selection)
{
	for (size_t i = 0; i < selection->answer_count; i++) {
		const struct answer *answer = &selection->answers[i];
		struct answer *next = &selection->spans[selection->span_count];

		if (i && next[-1].first_cell + next[-1].cell_count ==
				 answer->first_cell) {
			next[-1].cell_count += answer->cell_count;
		} else {
			*next = *answer;
			selection->span_count++;
		}
	}
}

/* ------------------------------------------------------------------ */

static int
build(struct builder *builder, const struct selection *before,
      struct drmperf_error *error)
{
	struct selection *selection = builder->selection;
	int ret;

	selection->answer_count = builder->count;
	/* One more for the witness. */
	selection->counters =
		calloc(builder->count + 1, sizeof(*selection->counters));
	selection->answers =
		calloc(builder->count + 1, sizeof(*selection->answers));
	selection->spans =
		calloc(builder->count + 1, sizeof(*selection->spans));
	if (!selection->counters || !selection->answers || !selection->spans)
		return error_set(error, -ENOMEM, "no memory");
	ret = add_requests(builder, error);
	if (ret)
		return ret;
	if (make_cells(builder))
		return error_set(error, -ENOMEM, "no memory");
	ret = place_all(selection, before, builder->beside, error);
	if (ret)
		return ret;
	choose_witness(selection, before, builder->beside);
	make_answers(builder);
	make_spans(selection);
	return 0;
}

int
selection_create_beside(const struct core *core, group_index first_group,
			const struct counter_request *requests, size_t count,
			const struct selection *before,
			const struct beside *beside, struct selection **out,
			struct drmperf_error *error)
{
	struct builder builder = {
		.selection = calloc(1, sizeof(*builder.selection)),
		.first_group = first_group,
		.requests = requests,
		.count = count,
		.counter_of = calloc(count + 1, sizeof(uint32_t)),
		.beside = beside,
	};
	int ret;

	if (!builder.selection || !builder.counter_of) {
		ret = error_set(error, -ENOMEM, "no memory");
	} else {
		builder.selection->core = core;
		ret = build(&builder, before, error);
	}
	free(builder.counter_of);
	if (ret)
		selection_destroy(builder.selection);
	else
		*out = builder.selection;
	return ret;
}

int
selection_create(const struct core *core, group_index first_group,
		 const struct counter_request *requests, size_t count,
		 const struct selection *before, struct selection **out,
		 struct drmperf_error *error)
{
	return selection_create_beside(core, first_group, requests, count,
				       before, NULL, out, error);
}

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

/*
 * The same event of the same block, after the same event. A chain is compared
 * all the way down to its beginning.
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

	/* where it is if all instances are there */
	if (at < end && selection->cells[at].instance == instance)
		return at;
	for (size_t i = counter->first_cell; i < end; i++) {
		if (selection->cells[i].instance == instance)
			return i;
	}
	return SELECTION_NO_CELL;
}

size_t
selection_find_cell(const struct selection *selection,
		    const struct selection *other, size_t index)
{
	const struct cell *cell = &other->cells[index];
	const struct counter *counter = selection_find(
		selection, other, &other->counters[cell->counter]);

	return counter ? selection_cell(selection, counter, cell->instance)
		       : SELECTION_NO_CELL;
}

size_t
selection_cell_before(const struct selection *selection, size_t index)
{
	const struct cell *cell = &selection->cells[index];
	uint32_t before = selection->counters[cell->counter].after;

	return before == SLOT_NONE
		       ? SELECTION_NO_CELL
		       : selection_cell(selection, &selection->counters[before],
					cell->instance);
}

size_t
selection_cell_behind(const struct selection *selection, size_t index)
{
	const struct cell *cell = &selection->cells[index];
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

static void
copy_cell(struct selection *to, const struct selection *from, size_t cell)
{
	size_t copy = to->cell_count++;

	to->cells[copy] = from->cells[cell];
	to->cells[copy].counter = (uint32_t)to->counter_count;
	to->numbers.totals[copy] = from->numbers.totals[cell];
	to->numbers.last[copy] = from->numbers.last[cell];
	to->numbers.masks[copy] = from->numbers.masks[cell];
	to->numbers.excess[copy] = from->numbers.excess[cell];
}

static bool
belongs(const struct selection *selection, size_t cell,
	const struct selection *other, enum selection_part part)
{
	size_t found = selection_find_cell(other, selection, cell);

	if (found == SELECTION_NO_CELL)
		return false;
	return part == SELECTION_KEPT ||
	       other->cells[found].slot != selection->cells[cell].slot;
}

static bool
is_witness(const struct selection *selection, size_t cell,
	   const struct selection *other)
{
	return selection->witness && selection->witness == other->witness &&
	       selection->witness_cell == cell;
}

/* The counter with those of its cells that belong to the part, if any do. */
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
		if (!belongs(from, i, other, part))
			continue;
		if (is_witness(from, i, other)) {
			to->witness = from->witness;
			to->witness_cell = to->cell_count;
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
 * Cells that belong side by side stay or move together: the one before a copy
 * has been copied before it.
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
		to->counters = calloc(selection->counter_count + 1,
				      sizeof(*to->counters));
	}
	if (!to || !copy_of || !to->counters ||
	    reserve_cells(to, selection->cell_count)) {
		selection_destroy(to);
		free(copy_of);
		return -ENOMEM;
	}
	copy_part(to, selection, other, part, copy_of);
	free(copy_of);
	*out = to;
	return 0;
}
