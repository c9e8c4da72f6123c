/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast each slot of the OA unit counts, in exact fractions.
 *
 * What a scenario does not say follows from the formulas in README.md: each
 * slot has a rate of its own, those of B and C depend on the metric set and
 * those of the EU counters on the FLEX registers, so that a program which
 * has the wrong set, the wrong slot or the wrong width gets wrong numbers.
 */
#ifndef DRMSIM_INTEL_RATE_H
#define DRMSIM_INTEL_RATE_H

#include "intel/oa_format.h"

/* A rate is numerator / denominator events per ... */
enum sim_rate_per {
	SIM_PER_TICK, /* tick of the OA timestamp, times the phase's weight */
	SIM_PER_SECOND, /* second, times the phase's weight */
	SIM_PER_CLOCK, /* GPU clock, while something runs */
	SIM_PER_ANY_CLOCK, /* GPU clock: an open stream keeps it going */
};

struct sim_rate {
	uint64_t numerator;
	uint32_t denominator; /* 0: no rate given */
	uint8_t per;
};

/* FNV-1a, 32 bits: of no bytes, and of one more word, little endian. */
#define SIM_HASH_EMPTY 2166136261u
uint32_t
sim_hash_word(uint32_t hash, uint32_t word);

struct sim_rates {
	struct sim_rate slots[SIM_OA_SLOTS];
};

#define SIM_FLEX_COUNT 7

/* Inputs of the default rates. */
struct sim_rate_set {
	bool haswell;
	bool zero; /* nothing counts but the clock */
	uint32_t clocks_per_tick; /* whole ones */
	uint32_t routing; /* hash of the registers that route B and C */
	bool test_oa; /* the self-test set: B counts the clock */
	int clock_slot; /* counts the clock in this set, or -1 */
	uint32_t flex[SIM_FLEX_COUNT]; /* what the registers hold */
};

/* Return the index of one of the seven registers, or -1. */
int sim_flex_index(uint32_t address);

void sim_rates_default(struct sim_rates *rates, const struct sim_rate_set *set);

/*
 * Parse "1.5M" a second, "3/tick", "0.25/clock", or "0.25/eu-clock", so much of
 * each of the execution units; 0 or -EINVAL.
 */
int
sim_rate_parse(const char *text, unsigned eus, struct sim_rate *out);

/* Set the rates of a scenario that gives all: nothing counts but the clock. */
void
sim_rates_zero(struct sim_rates *rates);

/* Parse "zero" or "formula": 0 or -EINVAL. */
int
sim_rates_default_parse(const char *value, bool *zero);

/* Replace those that are given in over. */
void sim_rates_override(struct sim_rates *rates, const struct sim_rates *over);

/* A rate made ready for one clock frequency: events = ticks * p / q. */
struct sim_slope {
	uint64_t p, q;
	uint8_t per; /* enum sim_rate_per: of which ticks */
};

/* A time in ticks, and of these the busy ones, and times their weights. */
struct sim_span {
	uint64_t ticks, busy, weighted;
};

struct sim_slope sim_rate_slope(const struct sim_rate *rate, uint64_t tick_hz,
				uint64_t clock_hz);
uint64_t
sim_slope_at(const struct sim_slope *slope, const struct sim_span *span);

#endif /* DRMSIM_INTEL_RATE_H */
