/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/slot_alloc.h"

#include <errno.h>
#include <string.h>

static uint64_t
bit_of(uint32_t slot)
{
	return slot < 64 ? UINT64_C(1) << slot : 0;
}

/* The cells of one instance of a block, as requests for its slots. */
struct slot_requests {
	struct slot_request requests[BLOCK_MAX_SLOTS];
	/* by request; SELECTION_NO_CELL: of another process */
	size_t cells[BLOCK_MAX_SLOTS];
	uint32_t count;
};

static uint32_t
find_request(const struct slot_requests *requests, size_t cell)
{
	uint32_t i = 0;

	while (i < requests->count && requests->cells[i] != cell)
		i++;
	return i < requests->count ? i : SLOT_NONE;
}

static uint32_t
find_request_behind(const struct slot_requests *requests, uint32_t index)
{
	uint32_t i = 0;

	while (i < requests->count && requests->requests[i].after != index)
		i++;
	return i < requests->count ? i : SLOT_NONE;
}

static void
add_request(struct slot_requests *requests, size_t cell, uint64_t slots,
	    uint32_t slot)
{
	requests->requests[requests->count] = (struct slot_request){
		.slots = slots,
		.after = SLOT_NONE,
		.slot = slot,
	};
	requests->cells[requests->count++] = cell;
}

/*
 * Add requests for the counters that count in all instances, or for the others.
 * The former are added first, so that they get the same slots everywhere if
 * possible. Return false if there are more counters than slots.
 */
static bool
request_cells(struct slot_requests *requests, const struct selection *selection,
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
		if (requests->count == hardware->max_active)
			return false;
		add_request(requests, cell, counter->slots,
			    selection->cells[cell].slot);
	}
	return true;
}

static bool
request_own_slots(struct slot_requests *requests,
		  const struct selection *selection, size_t block,
		  uint32_t instance)
{
	requests->count = 0;
	if (!request_cells(requests, selection, block, instance, true) ||
	    !request_cells(requests, selection, block, instance, false))
		return false;
	for (uint32_t i = 0; i < requests->count; i++) {
		size_t before =
			selection_cell_before(selection, requests->cells[i]);

		if (before != SELECTION_NO_CELL)
			requests->requests[i].after =
				find_request(requests, before);
	}
	return true;
}

/*
 * Return whether other processes count this chain of events from that slot on.
 */
static bool
others_count_chain(const struct selection *selection,
		   const struct slot_requests *requests,
		   const struct other_slots_instance *others, uint32_t index,
		   uint32_t slot)
{
	while (index != SLOT_NONE) {
		const struct slot_request *request = &requests->requests[index];
		const struct value_cell *cell =
			&selection->cells[requests->cells[index]];
		bool chained = (others->chained & bit_of(slot)) != 0;

		if (!(others->known & request->slots & bit_of(slot)) ||
		    chained != (request->after != SLOT_NONE) ||
		    others->ids[slot] != selection->counters[cell->counter].id)
			return false;
		index = find_request_behind(requests, index);
		slot++;
	}
	return true;
}

/* Place cells without a slot where other processes count the same event. */
static void
join_others_slots(const struct selection *selection,
		  struct slot_requests *requests,
		  const struct other_slots_instance *others, unsigned slots)
{
	for (uint32_t i = 0; i < requests->count; i++) {
		uint32_t slot = 0;

		if (requests->requests[i].slot != SLOT_NONE ||
		    requests->requests[i].after != SLOT_NONE)
			continue;
		while (slot < slots && !others_count_chain(selection, requests,
							   others, i, slot))
			slot++;
		if (slot == slots)
			continue;
		for (uint32_t k = i; k != SLOT_NONE;
		     k = find_request_behind(requests, k))
			requests->requests[k].slot = slot++;
	}
}

/*
 * Fix the slots of other processes, some of which are ours, too. Return false
 * if the rest does not fit next to them.
 */
static bool
request_others_slots(struct slot_requests *requests, uint64_t taken,
		     unsigned slots)
{
	uint64_t left = taken;

	for (uint32_t i = 0; i < requests->count; i++) {
		const uint64_t now = bit_of(requests->requests[i].slot);

		if (taken & now)
			requests->requests[i].slots = now;
		left &= ~now;
	}
	for (uint32_t slot = 0; slot < slots; slot++) {
		if (!(left & bit_of(slot)))
			continue;
		if (requests->count == slots)
			return false;
		add_request(requests, SELECTION_NO_CELL, bit_of(slot), slot);
	}
	return true;
}

static bool
are_alike(const struct slot_requests *a, const struct slot_requests *b)
{
	return a->count == b->count && !memcmp(a->requests, b->requests,
					       a->count * sizeof(*a->requests));
}

/*
 * The placement of the last instance, which mostly fits the next one as well.
 */
struct placed {
	struct slot_requests wanted;
	struct slot_requests found;
};

static bool
place_requests(struct placed *last, struct slot_requests *requests,
	       unsigned slots)
{
	if (are_alike(requests, &last->wanted)) {
		memcpy(requests->requests, last->found.requests,
		       requests->count * sizeof(*requests->requests));
		return true;
	}
	last->wanted = *requests;
	if (!slot_match(requests->requests, requests->count, slots)) {
		last->wanted.count = 0;
		return false;
	}
	last->found = *requests;
	return true;
}

static int
place_instance(struct selection *selection, const struct other_slots *others,
	       size_t block, uint32_t instance, struct placed *last)
{
	const struct block *hardware = &selection->core->blocks[block];
	const unsigned slots = hardware->max_active;
	struct slot_requests requests;

	if (!request_own_slots(&requests, selection, block, instance))
		return -ENOSPC;
	if (!requests.count)
		return 0;
	if (others) {
		const struct other_slots_instance *held_by_others =
			&others->instances[hardware->first_instance + instance];

		join_others_slots(selection, &requests, held_by_others, slots);
		if (!request_others_slots(&requests, held_by_others->taken,
					  slots))
			return -ENOSPC;
	}
	if (!place_requests(last, &requests, slots))
		return -ENOSPC;
	for (uint32_t k = 0; k < requests.count; k++) {
		if (requests.cells[k] != SELECTION_NO_CELL)
			selection->cells[requests.cells[k]].slot =
				requests.requests[k].slot;
	}
	return 0;
}

bool
slot_alloc_first(struct selection *selection, const struct other_slots *others,
		 size_t block)
{
	struct placed last = { .wanted = { .count = 0 } };

	return !place_instance(selection, others, block, 0, &last);
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
explain_full(const struct selection *selection, size_t block, uint32_t instance,
	     struct drmperf_error *error)
{
	const struct block *hardware = &selection->core->blocks[block];
	unsigned wanted = 0;

	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];

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
place_block(struct selection *selection, const struct other_slots *others,
	    size_t block, struct drmperf_error *error)
{
	const struct block *hardware = &selection->core->blocks[block];
	struct placed last;

	if (!has_counters(selection, block))
		return 0;
	last.wanted.count = 0;
	for (uint32_t i = 0; i < hardware->instance_count; i++) {
		if (place_instance(selection, others, block, i, &last))
			return explain_full(selection, block, i, error);
	}
	return 0;
}

int
slot_alloc_all(struct selection *selection, const struct selection *before,
	       const struct other_slots *others, struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = 0; before && i < selection->cell_count; i++) {
		size_t old = selection_find_cell(before, selection, i);

		if (old != SELECTION_NO_CELL)
			selection->cells[i].slot = before->cells[old].slot;
	}
	for (size_t block = 0; !ret && block < selection->core->block_count;
	     block++)
		ret = place_block(selection, others, block, error);
	return ret;
}
