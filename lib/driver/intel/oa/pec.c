/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/pec.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

#define HALF (PEC_COUNT / 2)

/* Two words for each counter, of which the second one is 0 in all sets. */
#define LOWER_SELECTORS 0x13000
#define UPPER_SELECTORS 0x13300
#define SELECTOR_STRIDE 8

/* Selectors of the upper half are written to three places. */
static const uint32_t upper_copies[] = { 0, 0x200, 0x400 };

const uint32_t stage_registers[STAGE_REGISTER_COUNT] = { 0xe458, 0xe558, 0xe658,
							 0xe758, 0xe45c, 0xe55c,
							 0xe65c };

/* Each of those has 12 bits for the one of two counters, then the other. */
#define STAGE_FIRST 7
#define STAGE_END (STAGE_FIRST + 2 * STAGE_REGISTER_COUNT)
#define STAGE_BITS 12
#define STAGE_MASK ((UINT32_C(1) << STAGE_BITS) - 1)

/* Selectors of vector engines: 6xx, and some of 16xx, which might be others. */
#define IS_VECTOR_ENGINE(selector) (((selector) & ~0x1000u) >> 8 == 6)

static bool
has_stage(unsigned pec)
{
	return pec >= STAGE_FIRST && pec < STAGE_END;
}

static uint32_t
stage_register(unsigned pec, unsigned *shift)
{
	*shift = (pec - STAGE_FIRST) % 2 * STAGE_BITS;
	return stage_registers[(pec - STAGE_FIRST) / 2];
}

static uint32_t
selector_address(unsigned pec)
{
	if (pec < HALF)
		return LOWER_SELECTORS + pec * SELECTOR_STRIDE;
	return UPPER_SELECTORS + (pec - HALF) * SELECTOR_STRIDE;
}

/* Find the last value that is written to an address; 0 if none is. */
static uint32_t
value_at(const struct oa_registers *list, uint32_t address)
{
	for (size_t i = list->count; i-- > 0;) {
		if (list->pairs[2 * i] == address)
			return list->pairs[2 * i + 1];
	}
	return 0;
}

struct pec_event
pec_event_of(const struct oa_config *config, unsigned pec)
{
	struct pec_event event = {
		.selector = value_at(&config->boolean, selector_address(pec)),
		.upper = pec >= HALF,
	};
	unsigned shift;
	uint32_t address;

	if (has_stage(pec) && IS_VECTOR_ENGINE(event.selector)) {
		address = stage_register(pec, &shift);
		event.stage =
			value_at(&config->flex, address) >> shift & STAGE_MASK;
	}
	return event;
}

bool
pec_event_equals(const struct pec_event *a, const struct pec_event *b)
{
	return a->selector == b->selector && a->stage == b->stage &&
	       a->upper == b->upper;
}

uint64_t
pec_places(const struct pec_event *event)
{
	const uint64_t half = (UINT64_C(1) << HALF) - 1;

	if (event->upper)
		return half << HALF;
	if (event->stage)
		return (UINT64_C(1) << STAGE_END) -
		       (UINT64_C(1) << STAGE_FIRST);
	return half;
}

static void
add_pair(struct oa_registers *list, uint32_t address, uint32_t value)
{
	list->pairs[2 * list->count] = address;
	list->pairs[2 * list->count + 1] = value;
	list->count++;
}

static void
add_selector(struct oa_registers *list, uint32_t address, uint32_t selector)
{
	add_pair(list, address, selector);
	add_pair(list, address + 4, 0);
}

static void
write_selectors(const struct pec_event *events, struct oa_registers *list)
{
	for (unsigned pec = 0; pec < HALF; pec++)
		add_selector(list, selector_address(pec), events[pec].selector);
	for (unsigned pec = HALF; pec < PEC_COUNT; pec++) {
		for (size_t i = 0; i < ARRAY_SIZE(upper_copies); i++)
			add_selector(list,
				     selector_address(pec) + upper_copies[i],
				     events[pec].selector);
	}
}

/* Write all stage registers, since the kernel does not reset them. */
static void
write_stages(const struct pec_event *events, struct oa_registers *list)
{
	for (unsigned i = 0; i < STAGE_REGISTER_COUNT; i++) {
		const struct pec_event *pair = &events[STAGE_FIRST + 2 * i];

		add_pair(list, stage_registers[i],
			 pair[0].stage | pair[1].stage << STAGE_BITS);
	}
}

int
pec_compose(const struct pec_event *events, struct oa_config *out)
{
	const size_t selectors = 2 * (HALF + HALF * ARRAY_SIZE(upper_copies));
	struct oa_config config = { 0 };

	config.boolean.pairs =
		calloc(selectors, 2 * sizeof(*config.boolean.pairs));
	config.flex.pairs =
		calloc(STAGE_REGISTER_COUNT, 2 * sizeof(*config.flex.pairs));
	if (!config.boolean.pairs || !config.flex.pairs) {
		oa_config_free(&config);
		return -ENOMEM;
	}
	write_selectors(events, &config.boolean);
	write_stages(events, &config.flex);
	*out = config;
	return 0;
}
