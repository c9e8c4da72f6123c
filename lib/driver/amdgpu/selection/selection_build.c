/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/selection_build.h"

#include <errno.h>
#include <stdlib.h>

#include "driver/amdgpu/selection/core_clock.h"

/* A selection on its way from requests to cells. */
struct builder {
	struct selection *selection;
	group_index first_group;
	const struct counter_request *requests;
	size_t count;
	uint32_t *counter_of; /* by request */
	const struct other_slots *others; /* or NULL */
};

static const struct block *
block_of(const struct selection *selection, const struct counter *counter)
{
	return &selection->core->blocks[counter->block];
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
	if (request->die > core->xccs)
		return error_set(error, -EINVAL, "%s has no die %u",
				 core->blocks[block].name, request->die - 1);
	if (request->follows && (!index || request[-1].group != request->group))
		return error_set(error, -EINVAL,
				 "a counter of %s follows none of its block",
				 core->blocks[block].name);
	return 0;
}

/* Take the setting of stages: one mask serves all counters behind the SQ. */
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
		builder->counter_of[i] = selection_add_event(
			selection, request->group - builder->first_group,
			request->selector,
			request->follows ? builder->counter_of[i - 1]
					 : SLOT_NONE,
			request->slots);
	}
	if (!selection->stages)
		selection->stages = core_stages(selection->core);
	if (builder->others && builder->others->stages != selection->stages)
		return error_set(error, -ENOSPC,
				 "others count with other shader stages");
	return 0;
}

/* ------------------------------------------------------------------ */
/* Cells                                                                */

/* Return whether the counter belongs to the chain that ends with last. */
static bool
is_in_chain(const struct selection *selection, uint32_t counter, uint32_t last)
{
	while (last != SLOT_NONE && last != counter)
		last = selection->counters[last].after;
	return last == counter;
}

/*
 * Return whether a request reads the counter in the instance, or another
 * counter there that sums it.
 */
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
	size_t most = 1; /* the core clock's event */

	for (size_t i = 0; i < selection->counter_count; i++)
		most += block_of(selection, &selection->counters[i])
				->instance_count;
	return most;
}

static int
make_cells(const struct builder *builder)
{
	struct selection *selection = builder->selection;

	for (size_t i = 0; i < builder->count; i++)
		if (builder->requests[i].die)
			selection->xccs = selection->core->xccs;
	if (selection_reserve(selection, most_cells(selection)))
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
				(struct value_cell){ .counter = i,
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
		struct request_cells *answer = &selection->answers[i];
		int32_t instance = builder->requests[i].instance;

		answer->first_cell = counter->first_cell;
		answer->cell_count = counter->cell_count;
		if (instance != DRMPERF_ALL_INSTANCES) {
			answer->first_cell = selection_cell(selection, counter,
							    (uint32_t)instance);
			answer->cell_count = 1;
		}
		answer->first_cell =
			selection_on_xcc(selection, answer->first_cell,
					 builder->requests[i].die);
	}
}

static void
make_spans(struct selection *selection)
{
	for (size_t i = 0; i < selection->answer_count; i++) {
		const struct request_cells *answer = &selection->answers[i];
		struct request_cells *next =
			&selection->spans[selection->span_count];

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
builder_build(struct builder *builder, const struct selection *before,
	      struct drmperf_error *error)
{
	struct selection *selection = builder->selection;
	int ret;

	selection->answer_count = builder->count;
	/* One more for the core clock's event. */
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
	ret = slot_alloc_all(selection, before, builder->others, error);
	if (ret)
		return ret;
	core_clock_choose(selection, before, builder->others);
	make_answers(builder);
	make_spans(selection);
	return 0;
}

int
selection_create_around(const struct core *core, group_index first_group,
			const struct counter_request *requests, size_t count,
			const struct selection *before,
			const struct other_slots *others,
			struct selection **out, struct drmperf_error *error)
{
	struct builder builder = {
		.selection = calloc(1, sizeof(*builder.selection)),
		.first_group = first_group,
		.requests = requests,
		.count = count,
		.counter_of = calloc(count + 1, sizeof(uint32_t)),
		.others = others,
	};
	int ret;

	if (!builder.selection || !builder.counter_of) {
		ret = error_set(error, -ENOMEM, "no memory");
	} else {
		builder.selection->core = core;
		ret = builder_build(&builder, before, error);
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
	return selection_create_around(core, first_group, requests, count,
				       before, NULL, out, error);
}
