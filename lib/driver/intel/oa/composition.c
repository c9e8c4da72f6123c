/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/composition.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/slot_match.h"
#include "driver/intel/oa/format.h"

void
composition_finish(struct composition *composition)
{
	free(composition->events);
	memset(composition, 0, sizeof(*composition));
}

/* ------------------------------------------------------------------ */
/* Places                                                               */

/* Find the PEC counter that has the event; PEC_COUNT if none has. */
static unsigned
find_place(const struct composed_set *set, const struct pec_event *event)
{
	unsigned pec = 0;

	while (pec < PEC_COUNT && !pec_event_equals(&set->events[pec], event))
		pec++;
	return pec;
}

/*
 * Gather the events that are asked for, each once, in the composition's order.
 */
static size_t
composition_gather(const struct composition *composition,
		   const struct counter_request *requests, size_t count,
		   bool *wanted)
{
	size_t events = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t selector = requests[i].selector;

		if (!composed_counter_has_place(selector) ||
		    wanted[composed_counter_index(selector)])
			continue;
		assert(composed_counter_index(selector) < composition->count);
		wanted[composed_counter_index(selector)] = true;
		events++;
	}
	return events;
}

static int
place_wanted(struct composed_set *set, const struct composition *composition,
	     const bool *wanted, uint32_t count)
{
	struct slot_request slots[PEC_COUNT];
	uint32_t indices[PEC_COUNT], slot_count = 0;

	if (count > PEC_COUNT)
		return -ENOSPC;
	for (uint32_t i = 0; slot_count < count; i++) {
		if (!wanted[i])
			continue;
		indices[slot_count] = i;
		slots[slot_count++] = (struct slot_request){
			.slots = pec_places(&composition->events[i]),
			.after = SLOT_NONE,
			.slot = SLOT_NONE,
		};
	}
	if (!slot_match(slots, slot_count, PEC_COUNT))
		return -ENOSPC;
	for (uint32_t i = 0; i < slot_count; i++)
		set->events[slots[i].slot] = composition->events[indices[i]];
	set->made = true;
	return 0;
}

static int
composed_set_make(struct composed_set *set,
		  const struct composition *composition,
		  const struct counter_request *requests, size_t count,
		  struct drmperf_error *error)
{
	bool *wanted = calloc(composition->count + 1, sizeof(*wanted));
	size_t events;
	int ret;

	if (!wanted)
		return error_set(error, -ENOMEM, "no memory");
	events = composition_gather(composition, requests, count, wanted);
	ret = place_wanted(set, composition, wanted, (uint32_t)events);
	free(wanted);
	return ret ? error_set(error, ret,
			       "these events do not fit the OA unit's "
			       "counters")
		   : 0;
}

static int
explain_lack(struct drmperf_error *error)
{
	error_set(error, -EBUSY,
		  "the OA unit counts a metric set composed of other events "
		  "already");
	error_remedy(error, "request all events at once, or stop the sessions "
			    "that count");
	return -EBUSY;
}

int
composed_set_place(struct composed_set *set,
		   const struct composition *composition,
		   const struct counter_request *requests, size_t count,
		   uint32_t *slots, struct drmperf_error *error)
{
	int ret = 0;

	if (!set->made)
		ret = composed_set_make(set, composition, requests, count,
					error);
	for (size_t i = 0; i < count && !ret; i++) {
		const uint32_t selector = requests[i].selector;
		unsigned pec;

		slots[i] = selector;
		if (!composed_counter_has_place(selector))
			continue;
		pec = find_place(
			set,
			&composition->events[composed_counter_index(selector)]);
		if (pec == PEC_COUNT)
			return explain_lack(error);
		slots[i] = OA_SLOT_PEC + pec;
	}
	return ret;
}

uint64_t
composed_set_hash(const struct oa_config *config)
{
	/* the kernel's ids are small */
	return oa_config_hash(config) | UINT64_C(1) << 63;
}
