/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slot table that the processes on a GPU share, and why a death at any
 * point leaves it right.
 *
 *   one memory for a GPU (share.h)
 *     common
 *       epoch, failed, claims, members, terms, found_clock, sync, marker
 *       changing             a process is about to program slots
 *       instance[i].used     slots whose select registers have been written
 *       instance[i].chained  of those, the ones that sum the slot before
 *       instance[i].pending  slots that are about to be programmed
 *       instance[i].lost     slots of which nobody knows the contents
 *       ids[slot]            the event in each slot of each instance
 *     record[m], one for each member process
 *       epoch                in which it counts; another one: it does not
 *       slots[i]             slots of instance i whose values it reads
 *
 * A slot is free if no living member has it in its record and it is not lost.
 * "used" is not its opposite: a slot that nobody reads any more keeps its
 * event, so that the next process which wants that event programs nothing.
 *
 * All is read and written under one lock (byte 0 of the memory), which the
 * kernel takes back when its holder dies. A member's record is written by that
 * member alone. Whether a member lives is asked of the kernel (another byte of
 * the memory that it has locked), so nothing has to be cleaned up after one:
 * its record counts for nothing from the moment it is dead.
 *
 * To count, or to count something else, a process holds the lock through all
 * of these steps:
 *
 *   1. ledger_beside()   what others have; a selection is made around it
 *   2. ledger_claim()    reserve: changing is set; each slot whose event is
 *                        to change becomes pending and used, with its new id
 *   3. the commands are submitted, and waited for
 *   4. ledger_settle()   commit: the record gets the slots, pending is
 *                        cleared, and changing last
 *      ledger_retreat()  roll back, if step 3 failed: what is pending
 *                        becomes lost, since part of it may have run
 *
 * A process that dies
 *   before 2           has changed nothing.
 *   within 2           has set changing first: the next process to get the
 *                      lock finds it and makes all that is pending lost. A
 *                      slot becomes pending before it becomes used and before
 *                      its id changes, so no changed slot is missed.
 *   within or after 3  leaves commands behind, which may run as late as they
 *                      like: the same happens. Such slots are not used again
 *                      in this epoch.
 *   within 4           may have written its record: it is dead, so that does
 *                      not matter; while changing is set, what is still
 *                      pending becomes lost, though it was programmed. That
 *                      costs slots, and no count of others.
 *   after 4            is gone with its record; the slots are free.
 *
 * No step writes what another living member reads: slots in others' records
 * are neither pending nor given another id. So their counts go on whatever
 * happens to this process.
 *
 * Once nobody counts, the next process begins another epoch (ledger_begin()):
 * all instances are forgotten, lost slots among them, and the registers are
 * written anew. A process that finds the GPU to have been reset sets "failed":
 * all members of the epoch stop counting with an error, and the next to start
 * begins another one. The epoch in a record is written last when a process
 * begins to count, and first when it ends.
 *
 * Any process of the user may have written anything here. What is read is
 * limited to what the block can have (load_instance(), finish_instance(),
 * ledger_marked()); what passes that makes counts wrong, as commands of that
 * process to the GPU could, and nothing worse.
 */
#include "driver/amdgpu/count/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Changes with what follows. */
#define LAYOUT "amdgpu gfx 6"

/* Of an instance of a block. */
struct common_instance {
	uint64_t used;	  /* slots that have been programmed */
	uint64_t chained; /* of those, the ones that sum the slot before */
	uint64_t pending; /* about to be programmed */
	uint64_t lost; /* who programmed them died over it */
};

/* The slots of an instance that somebody's marker is in. */
struct common_marker {
	uint32_t block; /* index in core.blocks */
	uint32_t id;
	uint32_t slots[2];
	int32_t difference; /* 0: there is none */
};

struct common {
	uint32_t epoch;
	uint32_t failed;
	uint32_t changing; /* there may be pending slots */
	uint32_t claims;
	uint32_t members; /* another number whenever they are others */
	struct ledger_terms terms;
	uint32_t found_clock; /* RLC_PERFMON_CLK_CNTL */
	uint32_t sync; /* what samples flip in SQG_PERFCOUNTER_CTRL */
	struct common_marker marker;
	uint32_t marker_was_wrong;
	struct common_instance instances[]; /* events of slots behind them */
};

/* Of a member. */
struct record {
	uint64_t epoch; /* 0: it does not count */
	uint64_t yielded; /* a slot that it leaves to who needs it */
	uint64_t yielded_in; /* the instance, of the core */
	uint64_t slots[]; /* by instance */
};

struct ledger {
	const struct core *core;
	const char *node;
	struct share *share;
	struct common *common;
	uint32_t *ids; /* in the slots of all instances */
	struct record *own;
	struct beside beside;
	struct beside_instance beside_instances[];
};

int
ledger_open(const char *node, const struct core *core, struct ledger **out,
	    struct drmperf_error *error)
{
	const size_t count = core->instance_count;
	/* an even number: what follows has words of 64 bits */
	const size_t ids = core->slot_count + core->slot_count % 2;
	const struct share_setup setup = {
		.node = node,
		.layout = LAYOUT,
		.common_size = sizeof(struct common) +
			       count * sizeof(struct common_instance) +
			       ids * sizeof(uint32_t),
		.record_size = sizeof(struct record) + count * sizeof(uint64_t),
	};
	/* the instances are written when they are asked for */
	struct ledger *ledger = malloc(
		sizeof(*ledger) + count * sizeof(*ledger->beside_instances));
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
	ledger->ids = (uint32_t *)&ledger->common->instances[count];
	ledger->own = share_record(ledger->share, share_self(ledger->share));
	ledger->beside.instances = ledger->beside_instances;
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
	for (size_t i = 0; i < ledger->core->instance_count; i++) {
		struct common_instance *instance =
			&ledger->common->instances[i];

		instance->lost |= instance->pending;
		atomic_signal_fence(memory_order_seq_cst);
		instance->pending = 0;
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

/* By slot. */
static uint32_t *
ids_of(const struct ledger *ledger, const struct block *block,
       unsigned instance)
{
	return &ledger->ids[block->first_slot +
			    (size_t)instance * block->max_active];
}

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

int
ledger_lock_counts(struct ledger *ledger, struct drmperf_error *error)
{
	int ret = share_lock(ledger->share, error);

	if (ret)
		return ret;
	if (ledger->common->changing)
		lose_pending(ledger);
	if (ledger_counts(ledger))
		return 0;
	ledger_unlock(ledger);
	return -ECANCELED;
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
add_beside(struct ledger *ledger, const struct record *record, bool pressed)
{
	for (size_t i = 0; i < ledger->core->instance_count; i++) {
		uint64_t slots = record->slots[i];

		if (pressed && i == record->yielded_in)
			slots &= ~record->yielded;
		ledger->beside_instances[i].known |= slots;
	}
}

static void
finish_instance(struct ledger *ledger, const struct block *block,
		unsigned instance)
{
	const size_t index = block->first_instance + instance;
	const struct common_instance *from = &ledger->common->instances[index];
	struct beside_instance *beside = &ledger->beside_instances[index];

	beside->known &= block_all_slots(block);
	beside->taken = beside->known | from->lost;
	beside->taken &= block_all_slots(block);
	beside->known &= ~from->lost;
	beside->chained = from->chained & block_all_slots(block);
	beside->ids = ids_of(ledger, block, instance);
}

static void
finish_beside(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->core->block_count; i++) {
		const struct block *block = &ledger->core->blocks[i];

		for (unsigned k = 0; k < block->instance_count; k++)
			finish_instance(ledger, block, k);
	}
}

const struct beside *
ledger_beside(struct ledger *ledger, bool pressed)
{
	uint32_t member = next_at_work(ledger, SHARE_NOBODY);

	if (member == SHARE_NOBODY || ledger->common->failed)
		return NULL;
	memset(ledger->beside_instances, 0,
	       ledger->core->instance_count *
		       sizeof(*ledger->beside_instances));
	ledger->beside.stages = ledger->common->terms.stages;
	while (member != SHARE_NOBODY) {
		add_beside(ledger, share_record(ledger->share, member),
			   pressed);
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
load_instance(const struct ledger *ledger, const struct block *block,
	      unsigned instance, struct commands_selects *out)
{
	const struct common_instance *from =
		&ledger->common->instances[block->first_instance + instance];
	const uint32_t *ids = ids_of(ledger, block, instance);

	out->changed = 0;
	out->used = from->used & block_all_slots(block);
	for (unsigned slot = 0; slot < block->max_active; slot++) {
		const uint64_t bit = UINT64_C(1) << slot;
		uint32_t id = ids[slot];

		if (!(out->used & bit))
			continue;
		out->ids[slot] = block_slots_for(block, id) & bit ? id : 0;
	}
}

/* A counter that stops when it is full may have done so unseen. */
static void
forget_stale(const struct block *block, struct commands_selects *selects,
	     uint64_t at_work)
{
	for (unsigned slot = 0; slot < block->max_active; slot++) {
		if (!(at_work >> slot & 1))
			selects->ids[slot] = UINT32_MAX;
	}
}

static void
load_block(const struct ledger *ledger, const struct block *block,
	   const struct beside *beside, struct commands_selects *selects)
{
	for (unsigned i = 0; i < block->instance_count; i++) {
		const size_t index = block->first_instance + i;
		uint64_t known = beside ? beside->instances[index].known : 0;

		load_instance(ledger, block, i, &selects[index]);
		if (block->saturates)
			forget_stale(block, &selects[index],
				     ledger->own->slots[index] | known);
	}
}

void
ledger_load(struct ledger *ledger, struct commands_selects *selects)
{
	const struct beside *beside = ledger_beside(ledger, false);

	for (size_t i = 0; i < ledger->core->block_count; i++)
		load_block(ledger, &ledger->core->blocks[i], beside, selects);
}

bool
ledger_is_within(const struct ledger *ledger,
		 const struct commands_selects *selects)
{
	for (size_t i = 0; i < ledger->core->instance_count; i++) {
		if (ledger->common->instances[i].used & ~selects[i].used)
			return false;
	}
	return true;
}

uint64_t
ledger_lost(const struct ledger *ledger, size_t instance)
{
	return ledger->common->instances[instance].lost;
}

uint64_t
ledger_taken(const struct ledger *ledger, size_t instance)
{
	uint64_t taken = ledger_lost(ledger, instance);

	if (is_at_work(ledger, ledger->own))
		taken |= ledger->own->slots[instance];
	for (uint32_t i = next_at_work(ledger, SHARE_NOBODY); i != SHARE_NOBODY;
	     i = next_at_work(ledger, i)) {
		const struct record *record = share_record(ledger->share, i);

		taken |= record->slots[instance];
	}
	return taken;
}

uint32_t *
ledger_found_clock(struct ledger *ledger)
{
	return &ledger->common->found_clock;
}

uint32_t *
ledger_sync(struct ledger *ledger)
{
	return &ledger->common->sync;
}

uint32_t
ledger_members(const struct ledger *ledger)
{
	return ledger->common->members;
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
		memset(common->instances, 0,
		       ledger->core->instance_count *
			       sizeof(*common->instances));
	common->terms = *terms;
	common->found_clock =
		ledger->core->controls[CORE_RLC_PERFMON_CLK_CNTL].reset;
	common->epoch = common->epoch == UINT32_MAX ? 1 : common->epoch + 1;
	common->failed = 0;
	common->marker.difference = 0;
	common->marker_was_wrong = 0;
}

static struct common_instance *
instance_of(const struct ledger *ledger, const struct selection *selection,
	    const struct cell *cell)
{
	return &ledger->common->instances[selection_instance(selection, cell)];
}

static void
claim_slot(struct ledger *ledger, size_t index, unsigned instance,
	   uint32_t slot, uint32_t id)
{
	const struct block *block = &ledger->core->blocks[index];
	struct common_instance *common =
		&ledger->common->instances[block->first_instance + instance];
	uint32_t *ids = ids_of(ledger, block, instance);
	const uint64_t bit = UINT64_C(1) << slot;

	if (common->used & bit && ids[slot] == id)
		return;
	common->pending |= bit;
	atomic_signal_fence(memory_order_seq_cst);
	common->used |= bit;
	ids[slot] = id;
}

void
ledger_claim(struct ledger *ledger, const struct selection *selection,
	     const struct commands_pulse *pulses, size_t count)
{
	set_changing(ledger, true);
	ledger->common->claims++;
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];
		const struct counter *counter =
			&selection->counters[cell->counter];

		claim_slot(ledger, counter->block, cell->instance, cell->slot,
			   counter->id);
	}
	for (size_t i = 0; i < count; i++)
		claim_slot(ledger, pulses[i].block, pulses[i].instance,
			   pulses[i].slot,
			   ledger->core->blocks[pulses[i].block].clock_id);
}

bool
ledger_has(const struct ledger *ledger, const struct selection *selection,
	   size_t index)
{
	const struct cell *cell = &selection->cells[index];
	const struct counter *counter = &selection->counters[cell->counter];

	return ids_of(ledger, &ledger->core->blocks[counter->block],
		      cell->instance)[cell->slot] == counter->id;
}

bool
ledger_has_pulse(const struct ledger *ledger,
		 const struct commands_pulse *pulse)
{
	const struct block *block = &ledger->core->blocks[pulse->block];

	return ids_of(ledger, block, pulse->instance)[pulse->slot] ==
	       block->clock_id;
}

/* ------------------------------------------------------------------ */
/* The marker                                                           */

void
ledger_mark(struct ledger *ledger, const struct commands_marker *marker,
	    int32_t difference)
{
	struct common_marker *common = &ledger->common->marker;
	struct common_instance *instance;
	uint32_t *ids;

	if (!marker->block)
		return;
	instance = &ledger->common->instances[marker->block->first_instance];
	ids = ids_of(ledger, marker->block, 0);
	common->block = (uint32_t)(marker->block - ledger->core->blocks);
	common->id = marker->id;
	for (int i = 0; i < 2; i++) {
		common->slots[i] = marker->slots[i];
		instance->used |= UINT64_C(1) << marker->slots[i];
		ids[marker->slots[i]] = marker->id;
	}
	common->difference = difference;
}

void
ledger_unmark(struct ledger *ledger)
{
	ledger->common->marker.difference = 0;
	ledger->common->marker_was_wrong = 1;
}

bool
ledger_marker_was_wrong(const struct ledger *ledger)
{
	return ledger->common->marker_was_wrong;
}

/* Others may have written anything. */
int32_t
ledger_marked(const struct ledger *ledger, struct commands_marker *out)
{
	const struct common_marker common = ledger->common->marker;
	const struct block *block;

	out->block = NULL;
	if (!common.difference || common.block >= ledger->core->block_count)
		return 0;
	block = &ledger->core->blocks[common.block];
	for (int i = 0; i < 2; i++) {
		const uint32_t slot = common.slots[i];

		if (slot >= block->max_active || slot == common.slots[!i] ||
		    !(block_slots_for(block, common.id) >> slot & 1) ||
		    ids_of(ledger, block, 0)[slot] != common.id)
			return 0;
		out->slots[i] = slot;
	}
	out->block = block;
	out->id = common.id;
	return common.difference;
}

/* ------------------------------------------------------------------ */

static void
end_changes(struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->core->instance_count; i++)
		ledger->common->instances[i].pending = 0;
	set_changing(ledger, false);
}

static void
use_nothing(struct ledger *ledger)
{
	memset(ledger->own->slots, 0,
	       ledger->core->instance_count * sizeof(*ledger->own->slots));
	ledger->own->yielded = 0;
}

static void
yield(struct ledger *ledger, const struct selection *selection,
      const struct cell *cell)
{
	ledger->own->yielded = UINT64_C(1) << cell->slot;
	ledger->own->yielded_in = selection_instance(selection, cell);
}

static void
take(struct ledger *ledger, const struct selection *selection)
{
	use_nothing(ledger);
	if (selection->witness_gives_way)
		yield(ledger, selection,
		      &selection->cells[selection->witness_cell]);
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];
		struct common_instance *instance =
			instance_of(ledger, selection, cell);
		const uint64_t bit = UINT64_C(1) << cell->slot;

		ledger->own->slots[selection_instance(selection, cell)] |= bit;
		instance->chained &= ~bit;
		if (selection->counters[cell->counter].after != SLOT_NONE)
			instance->chained |= bit;
	}
}

void
ledger_settle(struct ledger *ledger, const struct selection *selection)
{
	take(ledger, selection);
	if (ledger->own->epoch != ledger->common->epoch)
		ledger->common->members++;
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
	ledger->common->members++;
	use_nothing(ledger);
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
count_wanted(const struct selection *wanted, size_t instance)
{
	unsigned count = 0;

	for (size_t i = 0; i < wanted->cell_count; i++)
		count += selection_instance(wanted, &wanted->cells[i]) ==
			 instance;
	return count;
}

/* How far the member is in the way: slots that it leaves too few of. */
static unsigned
is_in_the_way(const struct ledger *ledger, const struct record *record,
	      const struct selection *wanted, size_t *block)
{
	unsigned most = 0;

	for (size_t i = 0; i < wanted->cell_count; i++) {
		const struct cell *cell = &wanted->cells[i];
		const size_t at = wanted->counters[cell->counter].block;
		const size_t instance = selection_instance(wanted, cell);
		unsigned used = (unsigned)__builtin_popcountll(
			record->slots[instance] &
			block_all_slots(&ledger->core->blocks[at]));
		unsigned way = used ? used + count_wanted(wanted, instance) : 0;

		if (way <= most)
			continue;
		most = way;
		*block = at;
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
