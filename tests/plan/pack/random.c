/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/random.h"

#include <stdlib.h>

#include "tests/support/random.h"

static bool
is_drawn(uint64_t *state, uint32_t share)
{
	return random_between(state, 1, 100) <= share;
}

/* What there was before. */
struct base {
	uint32_t settings, pools, counters;
};

/* Return any of the problem's own settings, or PACK_NONE. */
static uint32_t
any_setting(uint64_t *state, const struct base *base,
	    const struct pack_problem *out)
{
	if (out->setting_count == base->settings)
		return PACK_NONE;
	return random_between(state, base->settings, out->setting_count - 1);
}

static void
add_pool(const struct random_kind *kind, uint64_t *state,
	 const struct base *base, struct pack_problem *out)
{
	struct pack_pool pool = {
		.slots = random_between(state, 1, kind->slots),
		.setting = PACK_NONE,
	};

	if (is_drawn(state, 10))
		pool.slots = PACK_UNLIMITED;
	if (is_drawn(state, kind->exclusive_share)) {
		pool.setting = any_setting(state, base, out);
		pool.value = random_between(state, 1, kind->values);
	}
	pack_problem_add_pool(out, &pool);
}

static void
add_counters(const struct random_kind *kind, uint64_t *state,
	     const struct base *base, uint32_t pool, struct pack_problem *out)
{
	uint32_t first = out->counter_count;
	uint32_t count = random_between(state, 1, kind->counters);

	for (uint32_t i = 0; i < count; i++) {
		struct pack_counter counter = {
			.pool = pool,
			.slots = PACK_ANY_SLOT,
			.after = PACK_NONE,
			.setting = PACK_NONE,
		};

		if (is_drawn(state, kind->mask_share))
			counter.slots = random_next(state) >> 20;
		if (i && is_drawn(state, kind->chain_share))
			counter.after =
				random_between(state, first, first + i - 1);
		if (is_drawn(state, kind->setting_share)) {
			counter.setting = any_setting(state, base, out);
			counter.value = random_between(state, 1, kind->values);
		}
		if (kind->tie_share && is_drawn(state, kind->tie_share))
			counter.tie = random_between(state, 1, 3);
		pack_problem_add_counter(out, &counter);
	}
}

static void
add_alternative(const struct random_kind *kind, uint64_t *state,
		const struct base *base, struct pack_problem *out)
{
	uint32_t count = random_between(state, 1, kind->demands);

	while (count--) {
		uint32_t counter = random_between(state, base->counters,
						  out->counter_count - 1);

		for (; counter != PACK_NONE;
		     counter = out->counters[counter].after)
			pack_problem_add_demand(out, counter);
	}
	pack_problem_end_alternative(out);
}

void
random_problem(const struct random_kind *kind, uint64_t *state,
	       struct pack_problem *out)
{
	const struct base base = { out->setting_count, out->pool_count,
				   out->counter_count };
	uint32_t pools = random_between(state, 1, kind->pools);
	uint32_t settings = random_between(state, 0, kind->settings);
	uint32_t items = random_between(state, 1, kind->items);

	while (settings--)
		pack_problem_add_setting(out);
	for (uint32_t i = 0; i < pools; i++)
		add_pool(kind, state, &base, out);
	for (uint32_t i = 0; i < pools; i++)
		add_counters(kind, state, &base, base.pools + i, out);
	for (uint32_t i = 0; i < items; i++) {
		uint32_t count = random_between(state, 1, kind->alternatives);

		while (count--)
			add_alternative(kind, state, &base, out);
		pack_problem_end_item(out);
	}
}
