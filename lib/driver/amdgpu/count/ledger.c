/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Changes with what follows. */
#define LAYOUT "amdgpu gfx 1"

struct common_block {
	uint64_t used;	  /* slots that have been programmed */
	uint64_t chained; /* of those, the ones that sum the slot before */
	uint64_t pending; /* about to be programmed */
	uint64_t lost;	  /* who programmed them died over it */
	uint32_t ids[BLOCK_MAX_SLOTS];
};

struct common {
	uint32_t epoch;
	uint32_t failed;
	uint32_t changing; /* there may be pending slots */
	uint32_t claims;
	struct ledger_terms terms;
	uint32_t reserved;
	struct common_block blocks[];
};

/* Of a member. */
struct record {
	uint64_t epoch; /* 0: it does not count */
	uint64_t slots[]; /* by block */
};

struct ledger {
	const struct core *core;
	const char *node;
	struct share *share;
	struct common *common;
	struct record *own;
	struct beside beside;
	struct beside_block beside_blocks[];
};

int
ledger_open(const char *node, const struct core *core, struct ledger **out,
	    struct drmperf_error *error)
{
	const size_t count = core->block_count;
	const struct share_setup setup = {
		.node = node,
		.layout = LAYOUT,
		.common_size = sizeof(struct common) +
			       count * sizeof(struct common_block),
		.record_size = sizeof(struct record) + count * sizeof(uint64_t),
	};
	/* the blocks are written when they are asked for */
	struct ledger *ledger = malloc(
		sizeof(*ledger) + count * sizeof(*ledger->beside_blocks));
	int ret;

	if (!ledger)
		return error_set(error, -ENOMEM, "no memory");
	ret = share_join(&setup, &ledger->share, error);
	if (ret) {
		free(ledger);
		return ret;
	}
	ledger->core = core;
	ledger->node = node;
	ledger->common = share_common(ledger->share);
	ledger->own = share_record(ledger->share, share_self(ledger->share));
	ledger->beside.blocks = ledger->beside_blocks;
	*out = ledger;
	return 0;
}

void
ledger_close(struct ledger *ledger)
{
	share_leave(ledger->share);
	free(ledger);
}

void
ledger_abandon(struct ledger *ledger)
{
	share_abandon(ledger->share);
	free(ledger);
}

bool
ledger_is_shared(const struct ledger *ledger)
{
	return !share_is_alone(ledger->share);
}

struct share *
ledger_share(struct ledger *ledger)
{
	return ledger->share;
}

/* ------------------------------------------------------------------ */
/* Changes that may be cut short                                        */

static void
set_changing(struct ledger *ledger, bool on)
{
	atomic_signal_fence(memory_order_seq_cst);
	ledger->common->changing = on;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Commands of who died may run as late as they like. */
static void
lose_pending(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->core->block_count; i++) {
		struct common_block *block = &ledger->common->blocks[i];

		block->lost |= block->pending;
		atomic_signal_fence(memory_order_seq_cst);
		block->pending = 0;
	}
	set_changing(ledger, false);
}

int
ledger_lock(struct ledger *ledger, struct drmperf_error *error)
{
	int ret = share_lock(ledger->share, error);

	if (!ret && ledger->common->changing)
		lose_pending(ledger);
	return ret;
}

void
ledger_unlock(struct ledger *ledger)
{
	share_unlock(ledger->share);
}

/* ------------------------------------------------------------------ */
/* Who counts what                                                      */

static bool
is_at_work(const struct ledger *ledger, const struct record *record)
{
	return record->epoch && record->epoch == ledger->common->epoch;
}

bool
ledger_counts(const struct ledger *ledger)
{
	return !ledger->common->failed && is_at_work(ledger, ledger->own);
}

/* The next other member that counts. */
static uint32_t
next_at_work(const struct ledger *ledger, uint32_t after)
{
	uint32_t i = after;

	do
		i = share_next(ledger->share, i);
	while (i != SHARE_NOBODY &&
	       !is_at_work(ledger, share_record(ledger->share, i)));
	return i;
}

static void
add_beside(struct ledger *ledger, const struct record *record)
{
	for (size_t i = 0; i < ledger->core->block_count; i++)
		ledger->beside_blocks[i].known |= record->slots[i];
}

static void
finish_beside(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->core->block_count; i++) {
		const struct common_block *from = &ledger->common->blocks[i];
		struct beside_block *block = &ledger->beside_blocks[i];

		block->known &= block_all_slots(&ledger->core->blocks[i]);
		block->taken = block->known | from->lost;
		block->known &= ~from->lost;
		block->chained = from->chained;
		memcpy(block->ids, from->ids, sizeof(block->ids));
	}
}

const struct beside *
ledger_beside(struct ledger *ledger)
{
	uint32_t member = next_at_work(ledger, SHARE_NOBODY);

	if (member == SHARE_NOBODY || ledger->common->failed)
		return NULL;
	memset(ledger->beside_blocks, 0,
	       ledger->core->block_count * sizeof(*ledger->beside_blocks));
	ledger->beside.stages = ledger->common->terms.stages;
	while (member != SHARE_NOBODY) {
		add_beside(ledger, share_record(ledger->share, member));
		member = next_at_work(ledger, member);
	}
	finish_beside(ledger);
	return &ledger->beside;
}

struct ledger_terms
ledger_terms(const struct ledger *ledger)
{
	return ledger->common->terms;
}

/* ------------------------------------------------------------------ */
/* The select registers                                                 */

/* Others may have written anything: an event that no slot can take is none. */
static void
load_block(const struct ledger *ledger, size_t index,
	   struct commands_block *out)
{
	const struct block *block = &ledger->core->blocks[index];
	const struct common_block *from = &ledger->common->blocks[index];

	memset(out, 0, sizeof(*out));
	out->used = from->used & block_all_slots(block);
	for (unsigned slot = 0; slot < block->max_active; slot++) {
		const uint64_t bit = UINT64_C(1) << slot;

		if (!(out->used & bit))
			continue;
		out->ids[slot] = from->ids[slot];
		if (!(block_slots_for(block, out->ids[slot]) & bit))
			out->ids[slot] = 0;
	}
}

/* A counter that stops when it is full may have done so unseen. */
static void
forget_stale(struct commands_block *block, uint64_t at_work)
{
	for (unsigned slot = 0; slot < BLOCK_MAX_SLOTS; slot++) {
		if (!(at_work >> slot & 1))
			block->ids[slot] = UINT32_MAX;
	}
}

void
ledger_load(struct ledger *ledger, struct commands_block *blocks)
{
	const struct beside *beside = ledger_beside(ledger);

	for (size_t i = 0; i < ledger->core->block_count; i++) {
		load_block(ledger, i, &blocks[i]);
		if (ledger->core->blocks[i].saturates)
			forget_stale(&blocks[i],
				     ledger->own->slots[i] |
					     (beside ? beside->blocks[i].known
						     : 0));
	}
}

bool
ledger_is_within(const struct ledger *ledger,
		 const struct commands_block *blocks)
{
	for (size_t i = 0; i < ledger->core->block_count; i++) {
		if (ledger->common->blocks[i].used & ~blocks[i].used)
			return false;
	}
	return true;
}

uint32_t
ledger_claims(const struct ledger *ledger)
{
	return ledger->common->claims;
}

/* ------------------------------------------------------------------ */
/* What this process uses                                               */

void
ledger_begin(struct ledger *ledger, const struct ledger_terms *terms)
{
	struct common *common = ledger->common;

	ledger_drop(ledger);
	/* new memory is 0 */
	if (common->epoch)
		memset(common->blocks, 0,
		       ledger->core->block_count * sizeof(*common->blocks));
	common->terms = *terms;
	common->epoch = common->epoch == UINT32_MAX ? 1 : common->epoch + 1;
	common->failed = 0;
}

void
ledger_claim(struct ledger *ledger, const struct selection *selection)
{
	set_changing(ledger, true);
	ledger->common->claims++;
	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		struct common_block *block =
			&ledger->common->blocks[counter->block];
		const uint64_t bit = UINT64_C(1) << counter->slot;

		if (block->used & bit &&
		    block->ids[counter->slot] == counter->id)
			continue;
		block->pending |= bit;
		block->used |= bit;
		block->ids[counter->slot] = counter->id;
	}
}

static void
end_changes(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->core->block_count; i++)
		ledger->common->blocks[i].pending = 0;
	set_changing(ledger, false);
}

static void
take(struct ledger *ledger, const struct selection *selection)
{
	memset(ledger->own->slots, 0,
	       ledger->core->block_count * sizeof(*ledger->own->slots));
	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		struct common_block *block =
			&ledger->common->blocks[counter->block];
		const uint64_t bit = UINT64_C(1) << counter->slot;

		ledger->own->slots[counter->block] |= bit;
		block->chained &= ~bit;
		if (counter->after != SLOT_NONE)
			block->chained |= bit;
	}
}

void
ledger_settle(struct ledger *ledger, const struct selection *selection)
{
	take(ledger, selection);
	ledger->own->epoch = ledger->common->epoch;
	end_changes(ledger);
}

void
ledger_retreat(struct ledger *ledger, const struct selection *selection)
{
	lose_pending(ledger);
	if (selection)
		take(ledger, selection);
}

void
ledger_drop(struct ledger *ledger)
{
	ledger->own->epoch = 0;
	memset(ledger->own->slots, 0,
	       ledger->core->block_count * sizeof(*ledger->own->slots));
}

void
ledger_fail(struct ledger *ledger)
{
	/* A newer epoch is none of our business. */
	if (is_at_work(ledger, ledger->own))
		ledger->common->failed = 1;
}

/* ------------------------------------------------------------------ */
/* Words                                                                */

static unsigned
count_wanted(const struct selection *wanted, size_t block)
{
	unsigned count = 0;

	for (size_t i = 0; i < wanted->counter_count; i++)
		count += wanted->counters[i].block == block;
	return count;
}

/* How far the member is in the way: slots that it leaves too few of. */
static unsigned
is_in_the_way(const struct ledger *ledger, const struct record *record,
	      const struct selection *wanted, size_t *block)
{
	unsigned most = 0;

	for (size_t i = 0; i < ledger->core->block_count; i++) {
		unsigned need = count_wanted(wanted, i);
		unsigned used = (unsigned)__builtin_popcountll(
			record->slots[i] &
			block_all_slots(&ledger->core->blocks[i]));

		if (!need || !used || need + used <= most)
			continue;
		most = need + used;
		*block = i;
	}
	return most;
}

static int
say(const struct ledger *ledger, const char *name, const char *what,
    const char *is, struct drmperf_error *error)
{
	error_set(error, -EBUSY, "%s counts on %s, and %s%s", name,
		  ledger->node, what, is);
	share_remedy(error);
	return -EBUSY;
}

int
ledger_say_full(struct ledger *ledger, const struct selection *wanted,
		struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE] = "another process";
	const char *block = "some block";
	unsigned most = 0;
	size_t index = 0;

	for (uint32_t i = next_at_work(ledger, SHARE_NOBODY);
	     i != SHARE_NOBODY; i = next_at_work(ledger, i)) {
		unsigned way = is_in_the_way(
			ledger, share_record(ledger->share, i), wanted, &index);

		if (way <= most)
			continue;
		most = way;
		block = ledger->core->blocks[index].name;
		share_name(ledger->share, i, name);
	}
	return say(ledger, name, block, " has no room for these events as well",
		   error);
}

int
ledger_say_other(struct ledger *ledger, const char *what,
		 struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE] = "another process";
	uint32_t member = next_at_work(ledger, SHARE_NOBODY);

	if (member != SHARE_NOBODY)
		share_name(ledger->share, member, name);
	return say(ledger, name, what, " is not what is asked for here", error);
}
