/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/rates.h"

#include <string.h>

#include "intel/rate.h"
#include "xe/device.h"

/* Selectors whose meaning is known. */
#define GPU_BUSY 0x5a00 /* of the second group */
#define TEST_EVENT 0x3e00 /* of the first: the low 16 bits */
#define ONE_CORE 0x10000 /* of the test event: only that of bits 31:20 */

/* PEC counters of the first group; those with a filter of shader stages. */
#define FIRST_GROUP 32
#define FILTERED_FIRST 7
#define FILTERED_LAST 20
/* Words from one copy of the second group's selectors to the next. */
#define COPY_WORDS 0x80
#define SECOND_GROUP_WORD 0xc0
#define COPIES 3

/* Return the clocks per tick of the timestamp, whole ones. */
static uint32_t
unit_clocks(const struct sim_xe *device, const struct sim_xe_unit *unit)
{
	uint64_t c = sim_xe_unit_clock(device, unit) / unit->hz;

	return c < 2 ? 2 : (uint32_t)c;
}

uint64_t
sim_xe_unit_clock(const struct sim_xe *device, const struct sim_xe_unit *unit)
{
	if (unit->gt == 0)
		return device->oa.clock_hz;
	return device->loads[unit->gt].actual_khz * 1000;
}

static struct sim_rate
per_tick(uint64_t numerator, uint32_t denominator)
{
	return (struct sim_rate){ .numerator = numerator,
				  .denominator = denominator,
				  .per = SIM_PER_TICK };
}

/* Return a rate per clock: of clocks in which something runs, or of all. */
static struct sim_rate
per_clock(enum sim_rate_per clock, uint64_t numerator)
{
	return (struct sim_rate){ .numerator = numerator,
				  .denominator = 1,
				  .per = (uint8_t)clock };
}

/*
 * Return 256ths per tick: between one per tick and one per clock; 0 for none.
 */
static uint64_t
filter_steps(uint32_t selector, uint32_t clocks)
{
	return selector ? 256 + selector % (256 * (clocks - 1)) : 0;
}

/*
 * Return the rate of the test event, which counts the clock, in every XeCore or
 * in one.
 */
static struct sim_rate
test_event(const struct sim_xe *device, uint32_t selector)
{
	const bool one = selector & ONE_CORE;
	const unsigned end = sim_xe_chip_core_end(&device->platform);
	unsigned cores = 0;

	for (unsigned core = 0; core < end; core++) {
		if (one && core != selector >> 20)
			continue;
		cores += sim_xe_chip_has_core(&device->platform, core);
	}
	return per_clock(SIM_PER_ANY_CLOCK, cores);
}

/*
 * Filter the rate of an event. Events of the vector engines, 6xx, may be of one
 * shader stage only, in sixteenths of all; stages have numbers that end in 0.
 */
static uint64_t
registers_filtered(const struct sim_xe_registers *registers, unsigned pec,
		   uint32_t selector, uint64_t value)
{
	uint32_t flex, filter;

	if (pec < FILTERED_FIRST || pec > FILTERED_LAST ||
	    (selector & ~0x1000u) >> 8 != 6)
		return value * 16;
	flex = registers->flex[(pec - FILTERED_FIRST) / 2];
	filter = flex >> 12 * ((pec - FILTERED_FIRST) % 2) & 0xfff;
	if (filter == 0)
		return value * 16;
	return filter % 16 ? 0 : value * (1 + (filter >> 4 & 15));
}

static struct sim_rate
first_group(const struct sim_xe *device, const struct sim_xe_unit *unit,
	    unsigned pec)
{
	const struct sim_xe_registers *registers =
		sim_xe_unit_registers(device, unit);
	uint32_t selector = registers->pes[2 * pec];

	if ((selector & 0xffff) == TEST_EVENT)
		return test_event(device, selector);
	return per_tick(
		registers_filtered(
			registers, pec, selector,
			filter_steps(selector, unit_clocks(device, unit))),
		16 * 256);
}

/*
 * Return the rate of the second group: each copy of the selector brings a
 * third.
 */
static struct sim_rate
second_group(const struct sim_xe *device, const struct sim_xe_unit *unit,
	     unsigned pec)
{
	const uint32_t *word =
		&sim_xe_unit_registers(device, unit)
			 ->pes[SECOND_GROUP_WORD + 2 * (pec - FIRST_GROUP)];
	unsigned busy = 0, c = unit_clocks(device, unit);
	uint64_t sum = 0;

	for (unsigned i = 0; i < COPIES; i++) {
		uint32_t selector = word[i * COPY_WORDS];

		if (selector == GPU_BUSY)
			busy++;
		sum += selector == GPU_BUSY ? 256 * c
					    : filter_steps(selector, c);
	}
	return busy == COPIES ? per_clock(SIM_PER_CLOCK, 1)
			      : per_tick(sum, COPIES * 256);
}

static struct sim_rate
media_rate(const struct sim_xe *device, const struct sim_xe_unit *unit,
	   unsigned m)
{
	uint32_t selector =
		sim_xe_unit_registers(device, unit)->mpes[unit->block][2 * m];

	return per_tick(filter_steps(selector, unit_clocks(device, unit)), 256);
}

static bool
is_test_set(const struct sim_platform *platform, uint32_t routing)
{
	for (unsigned i = 0; i < platform->test_set_count; i++) {
		if (platform->test_routings[i] == routing)
			return true;
	}
	return false;
}

/* Compute the rates before Xe2, by the formulas that hold for i915. */
static void
older_rates(const struct sim_xe *device, const struct sim_xe_unit *unit,
	    struct sim_rates *out)
{
	const struct sim_xe_registers *registers =
		sim_xe_unit_registers(device, unit);
	struct sim_rate_set set = {
		.clocks_per_tick = unit_clocks(device, unit),
		.routing = registers->routing,
		.test_oa = is_test_set(&device->platform, registers->routing),
		.clock_slot = -1,
	};

	memcpy(set.flex, registers->flex, sizeof(set.flex));
	sim_rates_default(out, &set);
}

/* Replace the rates of slots that the scenario gives the unit's set. */
static void
override_set(const struct sim_xe *device, const struct sim_xe_unit *unit,
	     struct sim_rates *out)
{
	const struct sim_xe_registers *registers =
		sim_xe_unit_registers(device, unit);

	sim_set_rates_override_by(
		device->oa.set_rates,
		sim_set_hash(registers->routing, registers->flex), out);
}

/* Compute the rates by the formulas in README.md. */
static void
formula_rates(const struct sim_xe *device, const struct sim_xe_unit *unit,
	      struct sim_rates *out)
{
	if (device->platform.generation != SIM_OA_XE2) {
		older_rates(device, unit, out);
		return;
	}
	/* a slot without selector stands still */
	for (unsigned i = 0; i < SIM_OA_SLOTS; i++)
		out->slots[i] = per_tick(0, 1);
	out->slots[SIM_OA_CLOCK] = per_clock(SIM_PER_ANY_CLOCK, 1);
	if (unit->type != SIM_XE_OAG) {
		for (unsigned m = 0; m < SIM_OA_M_COUNT; m++)
			out->slots[SIM_OA_M + m] = media_rate(device, unit, m);
		return;
	}
	for (unsigned pec = 0; pec < SIM_OA_P_COUNT; pec++)
		out->slots[SIM_OA_P + pec] =
			pec < FIRST_GROUP ? first_group(device, unit, pec)
					  : second_group(device, unit, pec);
}

/* Return the rate that the scenario gives an event; NULL: none. */
static const struct sim_rate *
event_rate(const struct sim_xe *device, uint32_t selector)
{
	for (unsigned i = 0; i < device->event_rate_count; i++) {
		if (device->event_rates[i].selector == selector)
			return &device->event_rates[i].rate;
	}
	return NULL;
}

/* Replace the rates of events that the scenario gives; parts of one are 0. */
static void
override_events(const struct sim_xe *device, const struct sim_xe_unit *unit,
		struct sim_rates *out)
{
	const struct sim_xe_registers *registers =
		sim_xe_unit_registers(device, unit);

	for (unsigned pec = 0; pec < SIM_OA_P_COUNT; pec++) {
		const bool first = pec < FIRST_GROUP;
		const uint32_t selector =
			registers->pes[first ? 2 * pec
					     : SECOND_GROUP_WORD +
						       2 * (pec - FIRST_GROUP)];
		const struct sim_rate *rate = event_rate(device, selector);

		if (rate)
			out->slots[SIM_OA_P + pec] =
				!first || registers_filtered(registers, pec,
							     selector, 1) == 16
					? *rate
					: per_tick(0, 1);
	}
}

void
sim_xe_rates(const struct sim_xe *device, const struct sim_xe_unit *unit,
	     struct sim_rates *out)
{
	if (device->oa.zero_rates)
		sim_rates_zero(out);
	else
		formula_rates(device, unit, out);
	if (unit->type == SIM_XE_OAG &&
	    device->platform.generation == SIM_OA_XE2)
		override_events(device, unit, out);
	sim_rates_override(out, &device->oa.rates);
	if (unit->type == SIM_XE_OAG &&
	    device->platform.generation != SIM_OA_XE2)
		override_set(device, unit, out);
}
