/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/rate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"

#define MICRO 1000000

static const uint32_t flex_registers[SIM_FLEX_COUNT] = {
	0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c,
};

int
sim_flex_index(uint32_t address)
{
	for (int i = 0; i < SIM_FLEX_COUNT; i++) {
		if (flex_registers[i] == address)
			return i;
	}
	return -1;
}

static struct sim_rate
rate_per(enum sim_rate_per unit, uint64_t numerator, uint32_t denominator)
{
	return (struct sim_rate){ .numerator = numerator,
				  .denominator = denominator,
				  .per = (uint8_t)unit };
}

uint32_t
sim_hash_word(uint32_t hash, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		hash = (hash ^ (uint8_t)(word >> 8 * i)) * 16777619u;
	return hash;
}

/*
 * Return a rate between one per tick and one per clock, in steps of 1/256 per
 * tick.
 */
static struct sim_rate
custom_rate(const struct sim_rate_set *set, char bank, unsigned index)
{
	uint32_t clocks = set->clocks_per_tick;
	uint32_t steps = 256 * (clocks > 1 ? clocks - 1 : 1);

	uint32_t hash = sim_hash_word(set->routing,
				      (uint32_t)(uint8_t)bank << 8 | index);

	return rate_per(SIM_PER_TICK, 256 + hash % steps, 256);
}

/*
 * Return the rate of an EU's counter. A7 and A8 are selected by the first FLEX
 * register, and so on: bits 11:0 and 24 for the first of the two, 23:12 and 25
 * for the second.
 */
static struct sim_rate
eu_rate(const struct sim_rate_set *set, unsigned a)
{
	unsigned half = (a - 7) % 2;
	uint32_t flex = set->flex[(a - 7) / 2];
	uint32_t selector = (flex >> (12 * half)) & 0xfff;

	selector |= ((flex >> (24 + half)) & 1) << 12;
	return rate_per(SIM_PER_TICK, 64 + selector, 16);
}

static void
self_test_rates(struct sim_rate *b)
{
	b[0] = rate_per(SIM_PER_ANY_CLOCK, 0, 1);
	b[1] = b[2] = rate_per(SIM_PER_ANY_CLOCK, 1, 1);
	b[3] = rate_per(SIM_PER_ANY_CLOCK, 1, 2);
	b[4] = b[5] = rate_per(SIM_PER_ANY_CLOCK, 1, 3);
	b[6] = rate_per(SIM_PER_ANY_CLOCK, 1, 6);
	b[7] = rate_per(SIM_PER_ANY_CLOCK, 2, 3);
}

/* Set the default rates, unless the scenario says that nothing counts. */
static void
rates_set_formula(struct sim_rates *rates, const struct sim_rate_set *set)
{
	struct sim_rate *slots = rates->slots;

	for (unsigned i = 0; i < SIM_OA_A_COUNT; i++) {
		if (!set->haswell && i >= 7 && i <= 20)
			slots[SIM_OA_A + i] = eu_rate(set, i);
		else
			slots[SIM_OA_A + i] = rate_per(
				SIM_PER_TICK, i + (set->haswell ? 1 : 0), 1);
	}
	slots[SIM_OA_A + (set->haswell ? 41 : 0)] =
		rate_per(SIM_PER_CLOCK, 1, 1);
	for (unsigned i = 0; i < SIM_OA_B_COUNT; i++)
		slots[SIM_OA_B + i] = custom_rate(set, 'B', i);
	for (unsigned i = 0; i < SIM_OA_C_COUNT; i++)
		slots[SIM_OA_C + i] = custom_rate(set, 'C', i);
	for (unsigned i = 0; i < SIM_OA_M_COUNT; i++)
		slots[SIM_OA_M + i] = rate_per(SIM_PER_TICK, i + 1, 1);
}

void
sim_rates_zero(struct sim_rates *rates)
{
	for (unsigned i = 0; i < SIM_OA_SLOTS; i++)
		rates->slots[i] = rate_per(SIM_PER_TICK, 0, 1);
	rates->slots[SIM_OA_CLOCK] = rate_per(SIM_PER_ANY_CLOCK, 1, 1);
}

int
sim_rates_default_parse(const char *value, bool *zero)
{
	*zero = strcmp(value, "zero") == 0;
	return *zero || strcmp(value, "formula") == 0 ? 0 : -EINVAL;
}

void
sim_rates_default(struct sim_rates *rates, const struct sim_rate_set *set)
{
	struct sim_rate *slots = rates->slots;
	struct sim_rate clock = rate_per(SIM_PER_ANY_CLOCK, 1, 1);

	if (set->zero)
		sim_rates_zero(rates);
	else
		rates_set_formula(rates, set);
	if (set->test_oa)
		self_test_rates(&slots[SIM_OA_B]);
	if (set->clock_slot >= 0)
		slots[set->clock_slot] = clock;
	slots[SIM_OA_CLOCK] = clock;
}

int
sim_rate_parse(const char *text, unsigned eus, struct sim_rate *out)
{
	/* what the arithmetic below can carry, and far beyond hardware */
	static const uint64_t limit[] = {
		[SIM_PER_TICK] = (uint64_t)MICRO * MICRO,
		[SIM_PER_SECOND] = (uint64_t)MICRO * MICRO * MICRO,
		[SIM_PER_CLOCK] = (uint64_t)MICRO * 4096,
	};
	const char *slash = strchr(text, '/');
	enum sim_rate_per unit = SIM_PER_SECOND;
	uint64_t micro, times = 1;
	char number[32];
	size_t length = slash ? (size_t)(slash - text) : strlen(text);

	if (slash && strcmp(slash, "/tick") == 0)
		unit = SIM_PER_TICK;
	else if (slash && strcmp(slash, "/clock") == 0)
		unit = SIM_PER_CLOCK;
	else if (slash && strcmp(slash, "/eu-clock") == 0)
		unit = SIM_PER_CLOCK, times = eus ? eus : 1;
	else if (slash)
		return -EINVAL;
	if (length >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, length);
	number[length] = '\0';
	if (sim_word_micro(number, &micro) || micro > limit[unit] / times)
		return -EINVAL;
	*out = rate_per(unit, micro * times, MICRO);
	return 0;
}

void
sim_rates_override(struct sim_rates *rates, const struct sim_rates *over)
{
	for (size_t i = 0; i < SIM_OA_SLOTS; i++) {
		if (over->slots[i].denominator)
			rates->slots[i] = over->slots[i];
	}
}

static unsigned __int128
common_divisor(unsigned __int128 a, unsigned __int128 b)
{
	while (b) {
		unsigned __int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct sim_slope
sim_rate_slope(const struct sim_rate *rate, uint64_t tick_hz, uint64_t clock_hz)
{
	unsigned __int128 p = rate->numerator, q = rate->denominator, common;

	if (rate->per == SIM_PER_CLOCK || rate->per == SIM_PER_ANY_CLOCK)
		p *= clock_hz;
	if (rate->per != SIM_PER_TICK)
		q *= tick_hz;
	common = common_divisor(q, p);
	return (struct sim_slope){ .p = (uint64_t)(p / common),
				   .q = (uint64_t)(q / common),
				   .per = rate->per };
}

uint64_t
sim_slope_at(const struct sim_slope *slope, const struct sim_span *span)
{
	uint64_t ticks = slope->per == SIM_PER_ANY_CLOCK ? span->ticks
			 : slope->per == SIM_PER_CLOCK	 ? span->busy
							 : span->weighted;
	unsigned __int128 product = (unsigned __int128)slope->p * ticks;

	/* dividing 128 bits is slow, and rarely needed */
	if (product >> 64 == 0)
		return (uint64_t)product / slope->q;
	return (uint64_t)(product / slope->q);
}
