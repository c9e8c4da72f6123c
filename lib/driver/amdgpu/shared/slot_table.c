/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slot table that the processes on a GPU share, and why a death at any
 * point leaves it right.
 *
 *   one memory for a GPU (share.h)
 *     common
 *       epoch, failed, generation, members, terms, found_clock, sync, check
 *       changing             a process is about to program slots
 *       instance[i].used     slots whose select registers have been written
 *       instance[i].chained  of those, the ones that sum the slot before
 *       instance[i].pending  slots that are about to be programmed
 *       instance[i].lost     slots whose contents are not known
 *       ids[slot]            the event in each slot of each instance
 *     record[m], one for each member process
 *       epoch                in which it counts; another one: it does not
 *       slots[i]             slots of instance i whose values it reads
 *
 * A slot is free if no living member has it in its record and it is not lost.
 * "used" is not its opposite: a slot that no process reads any more keeps its
 * event, so that the next process which wants that event programs nothing.
 *
 * All is read and written under one lock (robust_mutex.h), which the next one
 * takes over when its owner has died. A member's record is written by that
 * member alone. Whether a member lives is asked of the kernel (another byte of
 * the memory that it has locked), so nothing has to be cleaned up after one:
 * its record counts for nothing from the moment it is dead.
 *
 * To count, or to count something else, a process holds the lock through all
 * of these steps:
 *
 *   1. slot_table_others(): what others have; a selection is made around it
 *   2. slot_table_reserve(): "changing" is set; each slot whose event is to
 *      change becomes pending and used, with its new id
 *   3. the commands are submitted, and waited for
 *   4. slot_table_commit(): the record gets the slots, pending is cleared, and
 *      "changing" last. If step 3 failed, slot_table_roll_back() instead: what
 *      is pending becomes lost, since part of it may have run
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
 * Once no process counts, the next one begins another epoch by
 * slot_table_reset(): all instances are forgotten, lost slots among them, and
 * the registers are written anew. A process that finds the GPU to have been
 * reset sets "failed": all members of the epoch stop counting with an error,
 * and the next to start begins another one. The epoch in a record is written
 * last when a process begins to count, and first when it ends.
 *
 * Any process of the user may have written anything here. What is read is
 * limited to what the block can have (load_instance(), finish_instance(),
 * slot_table_get_reset_check()); what passes that makes counts wrong, as
 * commands of that process to the GPU could, and nothing worse.
 */
#include "driver/amdgpu/shared/slot_table.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bump whenever the layout of the shared memory below changes. */
#define LAYOUT "amdgpu gfx 7"

/* The slots of an instance of a block, as sets. */
struct common_instance {
	uint64_t used; /* slots that have been programmed */
	uint64_t chained; /* of those, the ones that sum the slot before */
	uint64_t pending; /* about to be programmed */
	uint64_t lost; /* their owner died while programming them */
};

/* The two slots of an instance that a reset check is in. */
struct common_reset_check {
	uint32_t block; /* index in core.blocks */
	uint32_t id;
	uint32_t slots[2];
	int32_t difference; /* 0: there is none */
};

struct common {
	uint32_t epoch;
	uint32_t failed;
	uint32_t changing; /* there may be pending slots */
	uint32_t generation;
	uint32_t members; /* changes with the members that count */
	struct slot_table_config terms;
	uint32_t found_clock; /* RLC_PERFMON_CLK_CNTL */
	uint32_t sync; /* what samples flip in SQG_PERFCOUNTER_CTRL */
	struct common_reset_check reset_check;
	uint32_t reset_check_was_wrong;
	struct common_instance instances[]; /* behind them, events by slot */
};

/* Per-process record in the shared memory. */
struct member_record {
	uint64_t epoch; /* 0: it does not count */
	uint64_t yielded; /* a slot that others may take */
	uint64_t yielded_in; /* the instance, of the core */
	uint64_t slots[]; /* by instance */
};

struct slot_table {
	const struct core *core;
	const char *node;
	struct share *share;
	struct common *common;
	uint32_t *ids; /* in the slots of all instances */
	struct member_record *own;
	struct other_slots others;
	struct other_slots_instance other_instances[];
};

int
slot_table_open(const char *node, const struct core *core,
		struct slot_table **out, struct drmperf_error *error)
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
		.record_size =
			sizeof(struct member_record) + count * sizeof(uint64_t),
	};
	/* the instances are written when they are asked for */
	struct slot_table *table = malloc(
		sizeof(*table) + count * sizeof(*table->other_instances));
	int ret;

	if (!table)
		return error_set(error, -ENOMEM, "no memory");
	ret = share_join(&setup, &table->share, error);
	if (ret) {
		free(table);
		return ret;
	}
	table->core = core;
	table->node = node;
	table->common = share_common(table->share);
	table->ids = (uint32_t *)&table->common->instances[count];
	table->own = share_record(table->share, share_self(table->share));
	table->others.instances = table->other_instances;
	*out = table;
	return 0;
}

void
slot_table_close(struct slot_table *table)
{
	share_leave(table->share);
	free(table);
}

void
slot_table_abandon(struct slot_table *table)
{
	share_abandon(table->share);
	free(table);
}

void
slot_table_descriptors(const struct slot_table *table,
		       int out[SHARE_DESCRIPTORS])
{
	share_descriptors(table->share, out);
}

bool
slot_table_is_shared(const struct slot_table *table)
{
	return !share_is_alone(table->share);
}

/* ------------------------------------------------------------------ */
/* Changes that may be cut short                                        */

static void
set_changing(struct slot_table *table, bool on)
{
	atomic_signal_fence(memory_order_seq_cst);
	table->common->changing = on;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Mark pending slots lost: commands of a dead process may run at any time. */
static void
lose_pending(struct slot_table *table)
{
	for (size_t i = 0; i < table->core->instance_count; i++) {
		struct common_instance *instance = &table->common->instances[i];

		instance->lost |= instance->pending;
		atomic_signal_fence(memory_order_seq_cst);
		instance->pending = 0;
	}
	set_changing(table, false);
}

int
slot_table_lock(struct slot_table *table, struct drmperf_error *error)
{
	int ret = share_lock(table->share, error);

	if (!ret && table->common->changing)
		lose_pending(table);
	return ret;
}

void
slot_table_unlock(struct slot_table *table)
{
	share_unlock(table->share);
}

/* ------------------------------------------------------------------ */
/* The members and their slots                                          */

/* Return the events of an instance, by slot. */
static uint32_t *
ids_of(const struct slot_table *table, const struct block *block,
       unsigned instance)
{
	return &table->ids[block->first_slot +
			   (size_t)instance * block->max_active];
}

static bool
is_at_work(const struct slot_table *table, const struct member_record *record)
{
	return record->epoch && record->epoch == table->common->epoch;
}

static uint64_t
own_slots(const struct slot_table *table, size_t instance)
{
	return is_at_work(table, table->own) ? table->own->slots[instance] : 0;
}

bool
slot_table_is_counting(const struct slot_table *table)
{
	return !table->common->failed && is_at_work(table, table->own);
}

int
slot_table_lock_counting(struct slot_table *table, struct drmperf_error *error)
{
	int ret = share_lock(table->share, error);

	if (ret)
		return ret;
	if (table->common->changing)
		lose_pending(table);
	if (slot_table_is_counting(table))
		return 0;
	slot_table_unlock(table);
	return -ECANCELED;
}

/* Return the next other member that counts. */
static uint32_t
next_at_work(const struct slot_table *table, uint32_t after)
{
	uint32_t i = after;

	do
		i = share_next(table->share, i);
	while (i != SHARE_NOBODY &&
	       !is_at_work(table, share_record(table->share, i)));
	return i;
}

static void
add_others_slots(struct slot_table *table, const struct member_record *record,
		 bool pressed)
{
	for (size_t i = 0; i < table->core->instance_count; i++) {
		uint64_t slots = record->slots[i];

		if (pressed && i == record->yielded_in)
			slots &= ~record->yielded;
		table->other_instances[i].known |= slots;
	}
}

static void
finish_instance(struct slot_table *table, const struct block *block,
		unsigned instance)
{
	const size_t index = block->first_instance + instance;
	const struct common_instance *from = &table->common->instances[index];
	struct other_slots_instance *others = &table->other_instances[index];

	others->known &= block_all_slots(block);
	others->taken = others->known | from->lost;
	others->taken &= block_all_slots(block);
	others->known &= ~from->lost;
	others->chained = from->chained & block_all_slots(block);
	others->ids = ids_of(table, block, instance);
}

static void
finish_others(struct slot_table *table)
{
	for (size_t i = 0; i < table->core->block_count; i++) {
		const struct block *block = &table->core->blocks[i];

		for (unsigned k = 0; k < block->instance_count; k++)
			finish_instance(table, block, k);
	}
}

const struct other_slots *
slot_table_others(struct slot_table *table, bool pressed)
{
	uint32_t member = next_at_work(table, SHARE_NOBODY);

	if (member == SHARE_NOBODY || table->common->failed)
		return NULL;
	memset(table->other_instances, 0,
	       table->core->instance_count * sizeof(*table->other_instances));
	table->others.stages = table->common->terms.stages;
	while (member != SHARE_NOBODY) {
		add_others_slots(table, share_record(table->share, member),
				 pressed);
		member = next_at_work(table, member);
	}
	finish_others(table);
	return &table->others;
}

struct slot_table_config
slot_table_config(const struct slot_table *table)
{
	return table->common->terms;
}

/* ------------------------------------------------------------------ */
/* The select registers                                                 */

/*
 * Load what others select in an instance. They may have written anything: an
 * event that no slot can take is none.
 */
static void
load_instance(const struct slot_table *table, const struct block *block,
	      unsigned instance, struct select_regs *out)
{
	const struct common_instance *from =
		&table->common->instances[block->first_instance + instance];
	const uint32_t *ids = ids_of(table, block, instance);

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

/*
 * Forget the events of slots in which nothing counts: a counter that saturates
 * may have stopped there unnoticed.
 */
static void
forget_stale(const struct block *block, struct select_regs *selects,
	     uint64_t at_work)
{
	for (unsigned slot = 0; slot < block->max_active; slot++) {
		if (!(at_work >> slot & 1))
			selects->ids[slot] = UINT32_MAX;
	}
}

static void
load_block(const struct slot_table *table, const struct block *block,
	   const struct other_slots *others, struct select_regs *selects)
{
	for (unsigned i = 0; i < block->instance_count; i++) {
		const size_t index = block->first_instance + i;
		uint64_t known = others ? others->instances[index].known : 0;

		load_instance(table, block, i, &selects[index]);
		if (block->saturates)
			forget_stale(block, &selects[index],
				     own_slots(table, index) | known);
	}
}

void
slot_table_load(struct slot_table *table, struct select_regs *selects)
{
	const struct other_slots *others = slot_table_others(table, false);

	for (size_t i = 0; i < table->core->block_count; i++)
		load_block(table, &table->core->blocks[i], others, selects);
}

bool
slot_table_is_within(const struct slot_table *table,
		     const struct select_regs *selects)
{
	for (size_t i = 0; i < table->core->instance_count; i++) {
		if (table->common->instances[i].used & ~selects[i].used)
			return false;
	}
	return true;
}

uint64_t
slot_table_lost(const struct slot_table *table, size_t instance)
{
	return table->common->instances[instance].lost;
}

uint64_t
slot_table_taken(const struct slot_table *table, size_t instance)
{
	uint64_t taken =
		slot_table_lost(table, instance) | own_slots(table, instance);

	for (uint32_t i = next_at_work(table, SHARE_NOBODY); i != SHARE_NOBODY;
	     i = next_at_work(table, i)) {
		const struct member_record *record =
			share_record(table->share, i);

		taken |= record->slots[instance];
	}
	return taken;
}

uint32_t *
slot_table_found_clock(struct slot_table *table)
{
	return &table->common->found_clock;
}

uint32_t *
slot_table_sync(struct slot_table *table)
{
	return &table->common->sync;
}

uint32_t
slot_table_members(const struct slot_table *table)
{
	return table->common->members;
}

uint32_t
slot_table_generation(const struct slot_table *table)
{
	return table->common->generation;
}

/* ------------------------------------------------------------------ */
/* Slots that this process uses                                         */

void
slot_table_reset(struct slot_table *table,
		 const struct slot_table_config *terms)
{
	struct common *common = table->common;

	slot_table_release(table);
	/* new memory is 0 */
	if (common->epoch)
		memset(common->instances, 0,
		       table->core->instance_count *
			       sizeof(*common->instances));
	common->terms = *terms;
	common->found_clock =
		table->core->controls[CORE_RLC_PERFMON_CLK_CNTL].reset;
	common->epoch = common->epoch == UINT32_MAX ? 1 : common->epoch + 1;
	common->failed = 0;
	common->reset_check.difference = 0;
	common->reset_check_was_wrong = 0;
}

static struct common_instance *
instance_of(const struct slot_table *table, const struct selection *selection,
	    const struct value_cell *cell)
{
	return &table->common->instances[selection_instance(selection, cell)];
}

static void
reserve_slot(struct slot_table *table, size_t index, unsigned instance,
	     uint32_t slot, uint32_t id)
{
	const struct block *block = &table->core->blocks[index];
	struct common_instance *common =
		&table->common->instances[block->first_instance + instance];
	uint32_t *ids = ids_of(table, block, instance);
	const uint64_t bit = UINT64_C(1) << slot;

	if (common->used & bit && ids[slot] == id)
		return;
	common->pending |= bit;
	atomic_signal_fence(memory_order_seq_cst);
	common->used |= bit;
	ids[slot] = id;
}

void
slot_table_reserve(struct slot_table *table, const struct selection *selection,
		   const struct commands_block_clock *block_clocks,
		   size_t count)
{
	set_changing(table, true);
	table->common->generation++;
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];
		const struct counter *counter =
			&selection->counters[cell->counter];

		reserve_slot(table, counter->block, cell->instance, cell->slot,
			     counter->id);
	}
	for (size_t i = 0; i < count; i++)
		reserve_slot(
			table, block_clocks[i].block, block_clocks[i].instance,
			block_clocks[i].slot,
			table->core->blocks[block_clocks[i].block].clock_id);
}

bool
slot_table_has(const struct slot_table *table,
	       const struct selection *selection, size_t index)
{
	const struct value_cell *cell = &selection->cells[index];
	const struct counter *counter = &selection->counters[cell->counter];

	return ids_of(table, &table->core->blocks[counter->block],
		      cell->instance)[cell->slot] == counter->id;
}

bool
slot_table_has_block_clock(const struct slot_table *table,
			   const struct commands_block_clock *block_clock)
{
	const struct block *block = &table->core->blocks[block_clock->block];

	return ids_of(table, block, block_clock->instance)[block_clock->slot] ==
	       block->clock_id;
}

/* ------------------------------------------------------------------ */
/* The reset check                                                      */

void
slot_table_set_reset_check(struct slot_table *table,
			   const struct commands_reset_check *reset_check,
			   int32_t difference)
{
	struct common_reset_check *common = &table->common->reset_check;
	struct common_instance *instance;
	uint32_t *ids;

	if (!reset_check->block)
		return;
	instance =
		&table->common->instances[reset_check->block->first_instance];
	ids = ids_of(table, reset_check->block, 0);
	common->block = (uint32_t)(reset_check->block - table->core->blocks);
	common->id = reset_check->id;
	for (int i = 0; i < 2; i++) {
		common->slots[i] = reset_check->slots[i];
		instance->used |= UINT64_C(1) << reset_check->slots[i];
		ids[reset_check->slots[i]] = reset_check->id;
	}
	common->difference = difference;
}

void
slot_table_drop_reset_check(struct slot_table *table)
{
	table->common->reset_check.difference = 0;
	table->common->reset_check_was_wrong = 1;
}

bool
slot_table_reset_check_was_wrong(const struct slot_table *table)
{
	return table->common->reset_check_was_wrong;
}

/* Return the reset check of others, who may have written anything. */
int32_t
slot_table_get_reset_check(const struct slot_table *table,
			   struct commands_reset_check *out)
{
	const struct common_reset_check common = table->common->reset_check;
	const struct block *block;

	out->block = NULL;
	if (!common.difference || common.block >= table->core->block_count)
		return 0;
	block = &table->core->blocks[common.block];
	for (int i = 0; i < 2; i++) {
		const uint32_t slot = common.slots[i];

		if (slot >= block->max_active || slot == common.slots[!i] ||
		    !(block_slots_for(block, common.id) >> slot & 1) ||
		    ids_of(table, block, 0)[slot] != common.id)
			return 0;
		out->slots[i] = slot;
	}
	out->block = block;
	out->id = common.id;
	return common.difference;
}

/* ------------------------------------------------------------------ */

static void
end_changes(struct slot_table *table)
{
	for (size_t i = 0; i < table->core->instance_count; i++)
		table->common->instances[i].pending = 0;
	set_changing(table, false);
}

static void
yield_slot(struct slot_table *table, const struct selection *selection,
	   const struct value_cell *cell)
{
	table->own->yielded = UINT64_C(1) << cell->slot;
	table->own->yielded_in = selection_instance(selection, cell);
}

static void
take_slots(struct slot_table *table, const struct selection *selection)
{
	memset(table->own->slots, 0,
	       table->core->instance_count * sizeof(*table->own->slots));
	table->own->yielded = 0;
	if (selection->core_clock_gives_way)
		yield_slot(table, selection,
			   &selection->cells[selection->core_clock_cell]);
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];
		struct common_instance *instance =
			instance_of(table, selection, cell);
		const uint64_t bit = UINT64_C(1) << cell->slot;

		table->own->slots[selection_instance(selection, cell)] |= bit;
		instance->chained &= ~bit;
		if (selection->counters[cell->counter].after != SLOT_NONE)
			instance->chained |= bit;
	}
}

void
slot_table_commit(struct slot_table *table, const struct selection *selection)
{
	take_slots(table, selection);
	if (table->own->epoch != table->common->epoch)
		table->common->members++;
	table->own->epoch = table->common->epoch;
	end_changes(table);
}

void
slot_table_roll_back(struct slot_table *table,
		     const struct selection *selection)
{
	lose_pending(table);
	if (selection)
		take_slots(table, selection);
}

void
slot_table_release(struct slot_table *table)
{
	table->own->epoch = 0;
	table->common->members++;
}

void
slot_table_invalidate(struct slot_table *table)
{
	/* A newer epoch is none of our business. */
	if (is_at_work(table, table->own))
		table->common->failed = 1;
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

/*
 * Return how many slots the member and the selection need together in an
 * instance that both use, at most.
 */
static unsigned
is_in_the_way(const struct slot_table *table,
	      const struct member_record *record,
	      const struct selection *wanted, size_t *block)
{
	unsigned most = 0;

	for (size_t i = 0; i < wanted->cell_count; i++) {
		const struct value_cell *cell = &wanted->cells[i];
		const size_t at = wanted->counters[cell->counter].block;
		const size_t instance = selection_instance(wanted, cell);
		unsigned used = (unsigned)__builtin_popcountll(
			record->slots[instance] &
			block_all_slots(&table->core->blocks[at]));
		unsigned way = used ? used + count_wanted(wanted, instance) : 0;

		if (way <= most)
			continue;
		most = way;
		*block = at;
	}
	return most;
}

static int
slot_table_explain(const struct slot_table *table, const char *name,
		   const char *what, const char *is,
		   struct drmperf_error *error)
{
	error_set(error, -EBUSY, "%s counts on %s, and %s%s", name, table->node,
		  what, is);
	share_remedy(error);
	return -EBUSY;
}

/* Return the most slots that are lost in an instance of a block. */
static unsigned
count_lost(const struct slot_table *table, const struct block *block)
{
	unsigned most = 0;

	for (unsigned i = 0; i < block->instance_count; i++) {
		const size_t index = block->first_instance + i;
		unsigned count = (unsigned)__builtin_popcountll(
			slot_table_lost(table, index) & block_all_slots(block));

		most = count > most ? count : most;
	}
	return most;
}

/*
 * Return the member that competes most with the selection, and in which block.
 */
static uint32_t
find_in_the_way(const struct slot_table *table, const struct selection *wanted,
		const struct block **block)
{
	uint32_t found = SHARE_NOBODY;
	unsigned most = 0;
	size_t index = 0;

	for (uint32_t i = next_at_work(table, SHARE_NOBODY); i != SHARE_NOBODY;
	     i = next_at_work(table, i)) {
		unsigned way = is_in_the_way(
			table, share_record(table->share, i), wanted, &index);

		if (way <= most)
			continue;
		most = way;
		*block = &table->core->blocks[index];
		found = i;
	}
	return found;
}

int
slot_table_explain_full(struct slot_table *table,
			const struct selection *wanted,
			struct drmperf_error *error)
{
	const struct block *block = NULL;
	uint32_t member = find_in_the_way(table, wanted, &block);
	char name[SHARE_NAME_SIZE] = "another process";
	char is[160] = " has no room for these events as well";
	unsigned lost = block ? count_lost(table, block) : 0;

	if (member != SHARE_NOBODY)
		share_name(table->share, member, name);
	if (lost)
		snprintf(is, sizeof(is),
			 " has no room for these events as well, as a process "
			 "that failed or was killed has left %u of its "
			 "counters unusable until all have stopped",
			 lost);
	return slot_table_explain(
		table, name, block ? block->name : "some block", is, error);
}

int
slot_table_explain_alone(struct slot_table *table, struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE] = "another process";
	uint32_t member = next_at_work(table, SHARE_NOBODY);

	if (member != SHARE_NOBODY)
		share_name(table->share, member, name);
	error_set(error, -EBUSY,
		  "%s %s counters on %s, and "
		  "streams and traces are alone",
		  name, table->common->terms.streams ? "streams" : "counts",
		  table->node);
	share_remedy(error);
	return -EBUSY;
}

int
slot_table_explain_other(struct slot_table *table, const char *what,
			 struct drmperf_error *error)
{
	char name[SHARE_NAME_SIZE] = "another process";
	uint32_t member = next_at_work(table, SHARE_NOBODY);

	if (member != SHARE_NOBODY)
		share_name(table->share, member, name);
	return slot_table_explain(table, name, what,
				  " is not what is asked for here", error);
}
