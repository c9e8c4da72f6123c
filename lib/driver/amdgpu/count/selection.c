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
		.slot = SLOT_NONE,
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

static uint32_t
find_follower(const struct selection *selection, uint32_t index)
{
	uint32_t i = index + 1;

	while (i < selection->counter_count &&
	       selection->counters[i].after != index)
		i++;
	return i;
}

/* Whether others count this and what follows it from that slot on. */
static bool
is_beside(const struct selection *selection, const struct beside_block *beside,
	  uint32_t index, uint32_t slot)
{
	while (index < selection->counter_count) {
		const struct counter *counter = &selection->counters[index];
		bool chained = (beside->chained & bit_of(slot)) != 0;

		if (!(beside->known & counter->slots & bit_of(slot)) ||
		    chained != (counter->after != SLOT_NONE) ||
		    beside->ids[slot] != counter->id)
			return false;
		index = find_follower(selection, index);
		slot++;
	}
	return true;
}

/* Counters without a slot that others have go to where those have them. */
static void
join_beside(struct selection *selection, const struct beside_block *beside,
	    size_t block)
{
	for (uint32_t i = 0; i < selection->counter_count; i++) {
		struct counter *counter = &selection->counters[i];
		uint32_t slot = 0;

		if (counter->block != block || counter->slot != SLOT_NONE ||
		    counter->after != SLOT_NONE)
			continue;
		while (slot < BLOCK_MAX_SLOTS &&
		       !is_beside(selection, beside, i, slot))
			slot++;
		if (slot == BLOCK_MAX_SLOTS)
			continue;
		for (uint32_t k = i; k < selection->counter_count;
		     k = find_follower(selection, k))
			selection->counters[k].slot = slot++;
	}
}

/* The claims of one block, and whose they are, or SLOT_NONE: those of others */
struct claims {
	struct slot_claim claims[BLOCK_MAX_SLOTS];
	uint32_t index[BLOCK_MAX_SLOTS];
	uint32_t count;
};

static void
add_claim(struct claims *claims, uint32_t index, uint64_t slots, uint32_t slot)
{
	claims->claims[claims->count] = (struct slot_claim){
		.slots = slots,
		.after = SLOT_NONE,
		.slot = slot,
	};
	claims->index[claims->count++] = index;
}

/* What others have stays where it is, also where it is ours as well. */
static uint64_t
claim_beside(struct claims *claims, const struct selection *selection,
	     uint64_t taken, size_t block)
{
	uint64_t left = taken;

	for (size_t i = 0; i < selection->counter_count; i++) {
		if (selection->counters[i].block == block)
			left &= ~bit_of(selection->counters[i].slot);
	}
	for (uint32_t slot = 0; slot < BLOCK_MAX_SLOTS; slot++) {
		if (left & bit_of(slot))
			add_claim(claims, SLOT_NONE, bit_of(slot), slot);
	}
	return taken & ~left;
}

static bool
claim_own(struct claims *claims, const struct selection *selection,
	  uint64_t fixed, size_t block)
{
	const unsigned most = selection->core->blocks[block].max_active;

	for (uint32_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		const uint64_t now = bit_of(counter->slot);

		if (counter->block != block)
			continue;
		if (claims->count == most)
			return false;
		add_claim(claims, i, fixed & now ? now : counter->slots,
			  counter->slot);
		for (uint32_t k = 0; k < claims->count - 1; k++) {
			if (claims->index[k] == counter->after &&
			    counter->after != SLOT_NONE)
				claims->claims[claims->count - 1].after = k;
		}
	}
	return true;
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

/* Place the counters of one block. */
static int
place_block(struct selection *selection, const struct beside *beside,
	    size_t block)
{
	const struct block *hardware = &selection->core->blocks[block];
	struct claims claims;
	uint64_t fixed = 0;

	if (!has_counters(selection, block))
		return 0;
	claims.count = 0;
	if (beside) {
		join_beside(selection, &beside->blocks[block], block);
		fixed = claim_beside(&claims, selection,
				     beside->blocks[block].taken, block);
	}
	if (!claim_own(&claims, selection, fixed, block) ||
	    !slots_place(claims.claims, claims.count, hardware->max_active))
		return -ENOSPC;
	for (uint32_t k = 0; k < claims.count; k++) {
		if (claims.index[k] != SLOT_NONE)
			selection->counters[claims.index[k]].slot =
				claims.claims[k].slot;
	}
	return 0;
}

static int
say_full(const struct selection *selection, size_t block,
	 struct drmperf_error *error)
{
	const struct block *hardware = &selection->core->blocks[block];
	unsigned wanted = 0;

	for (size_t i = 0; i < selection->counter_count; i++)
		wanted += selection->counters[i].block == block;
	error_set(error, -ENOSPC,
		  "%u counters of %s do not fit its %u counter registers",
		  wanted, hardware->name, hardware->max_active);
	error_remedy(error, "count fewer events of %s at a time",
		     hardware->name);
	return -ENOSPC;
}

static int
place_all(struct selection *selection, const struct selection *before,
	  const struct beside *beside, struct drmperf_error *error)
{
	const struct counter *old;

	for (size_t i = 0; before && i < selection->counter_count; i++) {
		old = selection_find(before, selection,
				     &selection->counters[i]);
		if (old)
			selection->counters[i].slot = old->slot;
	}
	for (size_t block = 0; block < selection->core->block_count; block++) {
		if (place_block(selection, beside, block))
			return say_full(selection, block, error);
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The witness                                                          */

/* Place the witness, in its old slot if before has it; false: no room. */
static bool
place_witness(struct selection *selection, const struct selection *before,
	      const struct beside *beside, const struct core_witness *witness)
{
	const struct block *block = &selection->core->blocks[witness->block];
	struct counter *counter = NULL;
	const struct counter *old;
	uint32_t found;

	found = find_counter(selection, witness->block, witness->id,
			     SLOT_NONE);
	if (found != UINT32_MAX) {
		selection->witness = witness;
		return true;
	}
	counter = &selection->counters[add_counter(
		selection, witness->block, witness->id, SLOT_NONE,
		block_slots_for(block, witness->id))];
	old = before ? selection_find(before, selection, counter) : NULL;
	if (old)
		counter->slot = old->slot;
	if (place_block(selection, beside, witness->block)) {
		selection->counter_count--;
		return false;
	}
	selection->witness = witness;
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

static bool
reads_instance(const struct builder *builder, uint32_t counter,
	       uint32_t instance)
{
	const struct selection *selection = builder->selection;
	const struct core_witness *witness = selection->witness;

	for (size_t i = 0; i < builder->count; i++) {
		int32_t wanted = builder->requests[i].instance;

		if (builder->counter_of[i] == counter &&
		    (wanted == DRMPERF_ALL_INSTANCES ||
		     (uint32_t)wanted == instance))
			return true;
	}
	/* Of the witness any instance will do. */
	return witness && instance == 0 &&
	       counter == find_counter(selection, witness->block, witness->id,
				       SLOT_NONE);
}

static size_t
most_cells(const struct selection *selection)
{
	size_t most = 0;

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
					       .instance = instance };
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
find_witness_cell(struct selection *selection)
{
	const struct core_witness *witness = selection->witness;
	uint32_t found;

	if (!witness)
		return;
	found = find_counter(selection, witness->block, witness->id,
			     SLOT_NONE);
	selection->witness_cell = selection->counters[found].first_cell;
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
	if (!selection->counters || !selection->answers)
		return error_set(error, -ENOMEM, "no memory");
	ret = add_requests(builder, error);
	if (!ret)
		ret = place_all(selection, before, builder->beside, error);
	if (ret)
		return ret;
	choose_witness(selection, before, builder->beside);
	ret = make_cells(builder);
	if (ret)
		return error_set(error, ret, "no memory");
	make_answers(builder);
	find_witness_cell(selection);
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

	for (size_t i = counter->first_cell; i < end; i++) {
		if (selection->cells[i].instance == instance)
			return i;
	}
	return SELECTION_NO_CELL;
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

static void
copy_counter(struct selection *to, const struct selection *from,
	     const struct counter *counter)
{
	struct counter *copy = &to->counters[to->counter_count];

	*copy = *counter;
	copy->first_cell = to->cell_count;
	for (size_t i = 0; i < counter->cell_count; i++)
		copy_cell(to, from, counter->first_cell + i);
	to->counter_count++;
}

static bool
belongs(const struct selection *selection, const struct counter *counter,
	const struct selection *other, enum selection_part part)
{
	const struct counter *found = selection_find(other, selection, counter);

	if (!found)
		return false;
	return part == SELECTION_KEPT || found->slot != counter->slot;
}

/*
 * Counters that belong side by side stay or move together: the one before a
 * copy has been copied before it.
 */
static void
copy_part(struct selection *to, const struct selection *from,
	  const struct selection *other, enum selection_part part,
	  uint32_t *copy_of)
{
	for (size_t i = 0; i < from->counter_count; i++) {
		const struct counter *counter = &from->counters[i];

		if (!belongs(from, counter, other, part))
			continue;
		copy_of[i] = (uint32_t)to->counter_count;
		copy_counter(to, from, counter);
		if (counter->after != SLOT_NONE)
			to->counters[copy_of[i]].after =
				copy_of[counter->after];
		if (from->witness && from->witness == other->witness &&
		    from->cells[from->witness_cell].counter == i) {
			to->witness = from->witness;
			to->witness_cell = to->counters[copy_of[i]].first_cell;
		}
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
