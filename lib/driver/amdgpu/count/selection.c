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
	return 0;
}

/* ------------------------------------------------------------------ */
/* Slots                                                                */

/* Place the counters of one block; -ENOSPC leaves them as they are. */
static int
place_block(struct selection *selection, size_t block)
{
	const struct block *hardware = &selection->core->blocks[block];
	uint32_t index[BLOCK_MAX_SLOTS]; /* of each claim's counter */
	struct slot_claim claims[BLOCK_MAX_SLOTS];
	uint32_t count = 0, k;

	for (uint32_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];

		if (counter->block != block)
			continue;
		if (count == hardware->max_active)
			return -ENOSPC;
		claims[count] = (struct slot_claim){
			.slots = counter->slots,
			.after = SLOT_NONE,
			.slot = counter->slot,
		};
		for (k = 0; k < count; k++) {
			if (index[k] == counter->after)
				claims[count].after = k;
		}
		index[count++] = i;
	}
	if (!slots_place(claims, count, hardware->max_active))
		return -ENOSPC;
	for (k = 0; k < count; k++)
		selection->counters[index[k]].slot = claims[k].slot;
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
	  struct drmperf_error *error)
{
	const struct counter *old;

	for (size_t i = 0; before && i < selection->counter_count; i++) {
		old = selection_find(before, selection,
				     &selection->counters[i]);
		if (old)
			selection->counters[i].slot = old->slot;
	}
	for (size_t block = 0; block < selection->core->block_count; block++) {
		if (place_block(selection, block))
			return say_full(selection, block, error);
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The witness                                                          */

/* Place the witness, in its old slot if before has it; false: no room. */
static bool
place_witness(struct selection *selection, const struct selection *before,
	      const struct core_witness *witness)
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
	if (place_block(selection, witness->block)) {
		selection->counter_count--;
		return false;
	}
	selection->witness = witness;
	return true;
}

static void
choose_witness(struct selection *selection, const struct selection *before)
{
	const struct core *core = selection->core;

	/* The one that is at work has a value to compare with. */
	if (before && before->witness &&
	    place_witness(selection, before, before->witness))
		return;
	for (size_t i = 0; i < core->witness_count; i++) {
		if (place_witness(selection, before, &core->witnesses[i]))
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

static int
make_cells(const struct builder *builder)
{
	struct selection *selection = builder->selection;

	selection->cells =
		calloc(most_cells(selection) + 1, sizeof(*selection->cells));
	if (!selection->cells)
		return -ENOMEM;
	for (uint32_t i = 0; i < selection->counter_count; i++) {
		struct counter *counter = &selection->counters[i];
		unsigned count = block_of(selection, counter)->instance_count;

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
		answer->first_cell =
			(size_t)(selection_cell(selection, counter,
						(uint32_t)instance) -
				 selection->cells);
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
		ret = place_all(selection, before, error);
	if (ret)
		return ret;
	choose_witness(selection, before);
	ret = make_cells(builder);
	if (ret)
		return error_set(error, ret, "no memory");
	make_answers(builder);
	find_witness_cell(selection);
	return 0;
}

int
selection_create(const struct core *core, group_index first_group,
		 const struct counter_request *requests, size_t count,
		 const struct selection *before, struct selection **out,
		 struct drmperf_error *error)
{
	struct builder builder = {
		.selection = calloc(1, sizeof(*builder.selection)),
		.first_group = first_group,
		.requests = requests,
		.count = count,
		.counter_of = calloc(count + 1, sizeof(uint32_t)),
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

void
selection_destroy(struct selection *selection)
{
	if (!selection)
		return;
	free(selection->counters);
	free(selection->cells);
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

struct cell *
selection_cell(const struct selection *selection, const struct counter *counter,
	       uint32_t instance)
{
	for (size_t i = 0; i < counter->cell_count; i++) {
		struct cell *cell = &selection->cells[counter->first_cell + i];

		if (cell->instance == instance)
			return cell;
	}
	return NULL;
}

static void
copy_counter(struct selection *to, const struct selection *from,
	     const struct counter *counter)
{
	struct counter *copy = &to->counters[to->counter_count];

	*copy = *counter;
	copy->first_cell = to->cell_count;
	memcpy(&to->cells[to->cell_count], &from->cells[counter->first_cell],
	       counter->cell_count * sizeof(*to->cells));
	for (size_t i = 0; i < counter->cell_count; i++)
		to->cells[to->cell_count + i].counter =
			(uint32_t)to->counter_count;
	to->cell_count += counter->cell_count;
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
		to->counters = calloc(selection->counter_count + 1,
				      sizeof(*to->counters));
		to->cells =
			calloc(selection->cell_count + 1, sizeof(*to->cells));
	}
	if (!to || !copy_of || !to->counters || !to->cells) {
		selection_destroy(to);
		free(copy_of);
		return -ENOMEM;
	}
	copy_part(to, selection, other, part, copy_of);
	free(copy_of);
	*out = to;
	return 0;
}
