/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters as the hardware keeps them: their registers, what starts and stops
 * them, and when a reader sees what.
 *
 * Most counters run while CP_PERFMON_CNTL says so and are read from a latch
 * that is filled on demand. Blocks of style cfg and sdma have switches of
 * their own and are read as they are.
 */
#include "amdgpu.h"

#include <string.h>

#define STATE_MASK 0xfu
#define MODE_MASK 0x300u
#define SAMPLE (1u << 10)

#define CFG_ENABLE (1u << 28)
#define CFG_CLEAR (1u << 29)
#define RESULT_SELECT 0xfu
#define RESULT_ENABLE_ANY (1u << 24)
#define RESULT_CLEAR_ALL (1u << 25)
/* Above a 48-bit result stands the value to compare with: not a count. */
#define COMPARE_VALUE 0x5a5a0000u

/* What SDMA's register has for its nth counter. */
#define SDMA_SHIFT(slot) ((slot)*10)
#define SDMA_ENABLE 1u
#define SDMA_CLEAR 2u
#define SDMA_EVENT_SHIFT 2

#define JUNK 0xbadf00d5u
#define FEMTO 1000000000000000ull

static bool
follows_cp(const struct block *block)
{
	return block->style == STYLE_GENERIC ||
	       block->style == STYLE_PER_ENGINE;
}

static uint64_t
value_mask(const struct block *block)
{
	return block->bits < 64 ? (1ull << block->bits) - 1 : UINT64_MAX;
}

/* ---- register map */

static void
map(struct perfmon *perfmon, uint32_t dword, enum perf_register_kind kind,
    unsigned block, unsigned slot, unsigned engine)
{
	if (dword && dword < PERF_REGISTERS_MAX)
		perfmon->map[dword] = (struct perf_register){
			.kind = kind,
			.block = (uint8_t)block,
			.slot = (uint8_t)slot,
			.engine = (uint8_t)engine,
		};
}

static void
map_slot(struct perfmon *perfmon, const struct block *block, unsigned b,
	 unsigned s)
{
	const struct slot *slot = &block->slots[s];

	switch (block->style) {
	case STYLE_CFG:
		map(perfmon, slot->select, PERF_CFG, b, s, 0);
		map(perfmon, slot->lo, PERF_CFG_LO, b, s, 0);
		map(perfmon, slot->hi, PERF_CFG_HI, b, s, 0);
		map(perfmon, block->control, PERF_CFG_CONTROL, b, 0, 0);
		return;
	case STYLE_SDMA:
		for (unsigned e = 0; e < block->instance_count; e++) {
			uint32_t offset = e * block->stride;

			map(perfmon, slot->select + offset, PERF_SDMA_CONTROL,
			    b, 0, e);
			map(perfmon, slot->lo + offset, PERF_SDMA_LO, b, s, e);
		}
		return;
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
	case STYLE_RLC:
		map(perfmon, slot->select, PERF_SELECT, b, s, 0);
		map(perfmon, slot->select1, PERF_SELECT1, b, s, 0);
		map(perfmon, slot->lo, PERF_LO, b, s, 0);
		map(perfmon, slot->hi, PERF_HI, b, s, 0);
		return;
	}
}

void
perfmon_power_up(struct amdgpu *amdgpu)
{
	struct chip *chip = &amdgpu->chip;
	struct perfmon *perfmon = &amdgpu->perfmon;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *instance = &block->instances[i];

			instance->control = 0;
			memset(instance->counters, 0,
			       sizeof(instance->counters));
		}
	}
	perfmon->state = perfmon->rlc_state = PERFMON_RESET;
	perfmon->window_open = perfmon->mode_is_odd = false;
	perfmon->latched_job = 0;
	amdgpu->registers[chip->reg.grbm_gfx_index] = GRBM_BROADCAST;
	amdgpu->registers[chip->reg.cp_perfmon_cntl] = 0;
	if (chip->reg.gb_addr_config)
		amdgpu->registers[chip->reg.gb_addr_config] =
			chip->gb_addr_config;
}

void
perfmon_init(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++)
		for (unsigned s = 0; s < chip->blocks[b].slot_count; s++)
			map_slot(&amdgpu->perfmon, &chip->blocks[b], b, s);
	perfmon_power_up(amdgpu);
}

/* ---- counting */

/* The clock that counters run on: on, or gated. */
static bool
has_clock(const struct amdgpu *amdgpu)
{
	uint32_t reg = amdgpu->chip.reg.rlc_perfmon_clk_cntl;

	if (amdgpu->gpu->gated_clock)
		return false;
	return !reg || amdgpu->registers[reg] & 1 || amdgpu->pstate;
}

static bool
is_enabled(const struct amdgpu *amdgpu, const struct block *block,
	   const struct instance *instance, unsigned slot)
{
	const struct perfmon *perfmon = &amdgpu->perfmon;
	const struct counter *counter = &instance->counters[slot];

	if (!counter->programmed)
		return false;
	switch (block->style) {
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
		return perfmon->state == PERFMON_COUNT && !perfmon->mode_is_odd;
	case STYLE_RLC:
		return perfmon->rlc_state == PERFMON_COUNT;
	case STYLE_CFG:
		return instance->control & RESULT_ENABLE_ANY &&
		       counter->select1 & CFG_ENABLE;
	case STYLE_SDMA:
		return instance->control >> SDMA_SHIFT(slot) & SDMA_ENABLE;
	}
	return false;
}

/* Masks that have to be open for a counter to see anything. */
static bool
is_unmasked(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	uint32_t select = instance->counters[slot].select;
	uint32_t mask = amdgpu->registers[amdgpu->chip.reg.sq_perfcounter_mask];

	if (block->masked && mask == 0)
		return false;
	for (unsigned i = 0; i < block->require_count; i++)
		if (!(select & block->require[i]))
			return false;
	return true;
}

static bool
is_counting(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	return instance->present && is_enabled(amdgpu, block, instance, slot) &&
	       is_unmasked(amdgpu, block, instance, slot) && has_clock(amdgpu);
}

static void
add(struct counter *counter, const struct block *block, unsigned __int128 femto)
{
	femto += counter->remainder;
	counter->value += (uint64_t)(femto / FEMTO);
	counter->value &= value_mask(block);
	counter->remainder = (uint64_t)(femto % FEMTO);
}

static uint32_t
event_of(const struct block *block, const struct instance *instance,
	 unsigned slot)
{
	return instance->counters[slot].select & block->slots[slot].event_mask;
}

static void
count_interval(struct amdgpu *amdgpu, struct block *block,
	       struct instance *instance, unsigned slot, uint64_t ns,
	       uint64_t busy_ns)
{
	struct counter *counter = &instance->counters[slot];
	uint64_t clocks_micro = rates_of_work(amdgpu, RULE_WHILE_BUSY, block,
					      event_of(block, instance, slot),
					      (int)instance->number);
	unsigned __int128 femto =
		(unsigned __int128)rates_of(amdgpu, block, instance, slot) * ns;

	femto += (unsigned __int128)clocks_micro * amdgpu_sclk(amdgpu) *
		 1000000 * busy_ns;
	add(counter, block, femto);
}

/* Calls f for all counters that are counting. */
static void
for_each_counting(struct amdgpu *amdgpu,
		  void (*f)(struct amdgpu *amdgpu, struct block *block,
			    struct instance *instance, unsigned slot,
			    void *data),
		  void *data)
{
	struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *instance = &block->instances[i];

			for (unsigned s = 0; s < block->slot_count; s++)
				if (is_counting(amdgpu, block, instance, s))
					f(amdgpu, block, instance, s, data);
		}
	}
}

struct interval {
	uint64_t ns, busy_ns;
};

static void
count_one(struct amdgpu *amdgpu, struct block *block, struct instance *instance,
	  unsigned slot, void *data)
{
	const struct interval *interval = data;

	count_interval(amdgpu, block, instance, slot, interval->ns,
		       interval->busy_ns);
}

void
perfmon_sync(struct amdgpu *amdgpu, uint64_t now)
{
	struct perfmon *perfmon = &amdgpu->perfmon;
	struct interval interval;

	if (now <= perfmon->synced)
		return;
	interval.ns = now - perfmon->synced;
	interval.busy_ns = rings_busy(amdgpu, perfmon->synced, now);
	for_each_counting(amdgpu, count_one, &interval);
	perfmon->synced = now;
}

/* ---- work */

static unsigned
count_present(const struct block *block)
{
	unsigned count = 0;

	for (unsigned i = 0; i < block->instance_count; i++)
		count += block->instances[i].present;
	return count;
}

/* Units of work go round the instances that are there, the first one first. */
static uint64_t
share_of(const struct block *block, const struct instance *instance,
	 uint64_t total)
{
	unsigned count = count_present(block), before = 0;

	for (unsigned i = 0; &block->instances[i] != instance; i++)
		before += block->instances[i].present;
	return total / count + (before < total % count);
}

static void
count_work(struct amdgpu *amdgpu, struct block *block,
	   struct instance *instance, unsigned slot, void *data)
{
	const struct dispatch *work = data;
	const uint32_t ctrl =
		amdgpu->registers[amdgpu->chip.reg.sq_perfcounter_ctrl];
	const struct {
		enum rule_kind kind;
		uint64_t units;
	} parts[] = {
		{ RULE_PER_WAVE, work->waves },
		{ RULE_PER_THREAD, work->threads },
		{ RULE_PER_GROUP, work->groups },
		{ RULE_PER_DISPATCH, 1 },
	};
	uint32_t event = event_of(block, instance, slot);

	if (block->windowed && !work->allowed)
		return;
	if (block->staged && !(ctrl >> work->stage & 1))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t micro = rates_of_work(amdgpu, parts[i].kind, block,
					       event, (int)instance->number);

		if (micro)
			add(&instance->counters[slot], block,
			    (unsigned __int128)micro * 1000000000 *
				    share_of(block, instance, parts[i].units));
	}
}

void
perfmon_count_work(struct amdgpu *amdgpu, const struct dispatch *work)
{
	struct dispatch copy = *work;

	perfmon_sync(amdgpu, amdgpu->now);
	for_each_counting(amdgpu, count_work, &copy);
}

/* ---- state */

/* The file whose job is running, or 0. */
static uint64_t
user_of_job(const struct amdgpu *amdgpu)
{
	return amdgpu->job && amdgpu->job->client
		       ? amdgpu->job->client->file->id
		       : 0;
}

static bool
follows_rlc(const struct block *block)
{
	return block->style == STYLE_RLC;
}

/* Calls f for all counters of blocks of a kind. */
static void
for_each_counter(struct amdgpu *amdgpu, bool (*which)(const struct block *),
		 void (*f)(const struct block *block, struct counter *counter))
{
	struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		if (!which(block))
			continue;
		for (unsigned i = 0; i < block->instance_count; i++)
			for (unsigned s = 0; s < block->slot_count; s++)
				f(block, &block->instances[i].counters[s]);
	}
}

static void
reset_counter(const struct block *block, struct counter *counter)
{
	counter->value = block->start_value & value_mask(block);
	counter->remainder = 0;
}

static void
latch_counter(const struct block *block, struct counter *counter)
{
	(void)block;
	counter->latch = counter->value;
}

static void
latch(struct amdgpu *amdgpu, bool (*which)(const struct block *))
{
	for_each_counter(amdgpu, which, latch_counter);
	if (amdgpu->job)
		amdgpu->perfmon.latched_job = amdgpu->job->number;
}

void
perfmon_latch(struct amdgpu *amdgpu)
{
	perfmon_sync(amdgpu, amdgpu->now);
	latch(amdgpu, follows_cp);
	latch(amdgpu, follows_rlc);
}

void
perfmon_set_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct perfmon *perfmon = &amdgpu->perfmon;

	perfmon_sync(amdgpu, amdgpu->now);
	perfmon->state_user = user_of_job(amdgpu);
	perfmon->state = value & STATE_MASK;
	perfmon->mode_is_odd = value & MODE_MASK;
	if (perfmon->state == PERFMON_RESET)
		for_each_counter(amdgpu, follows_cp, reset_counter);
	if (value & SAMPLE)
		latch(amdgpu, follows_cp);
}

void
perfmon_set_rlc_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct perfmon *perfmon = &amdgpu->perfmon;

	perfmon_sync(amdgpu, amdgpu->now);
	perfmon->rlc_state_user = user_of_job(amdgpu);
	perfmon->rlc_state = value & 7;
	if (perfmon->rlc_state == PERFMON_RESET)
		for_each_counter(amdgpu, follows_rlc, reset_counter);
	if (value & SAMPLE)
		latch(amdgpu, follows_rlc);
}

void
perfmon_switch_clock(struct amdgpu *amdgpu)
{
	perfmon_sync(amdgpu, amdgpu->now);
	amdgpu->perfmon.clock_user = user_of_job(amdgpu);
}

/* Who has switched on what makes a counter count. */
static uint64_t
switched_by(const struct perfmon *perfmon, const struct block *block,
	    const struct instance *instance)
{
	if (follows_cp(block))
		return perfmon->state_user;
	return follows_rlc(block) ? perfmon->rlc_state_user : instance->user;
}

bool
perfmon_is_running(const struct amdgpu *amdgpu, uint64_t user, char *text,
		   size_t size)
{
	const struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		const struct block *block = &chip->blocks[b];

		for (unsigned i = 0; i < block->instance_count; i++) {
			const struct instance *in = &block->instances[i];

			if (user &&
			    user != switched_by(&amdgpu->perfmon, block, in))
				continue;
			for (unsigned s = 0; s < block->slot_count; s++) {
				if (!is_enabled(amdgpu, block, in, s))
					continue;
				snprintf(text, size,
					 "counter %u of %s still runs", s,
					 block->name);
				return true;
			}
		}
	}
	return false;
}

/* ---- registers */

struct index {
	bool all_se, all_sa, all_instances;
	unsigned se, sa, instance;
};

static struct index
read_index(const struct amdgpu *amdgpu)
{
	uint32_t value = amdgpu->registers[amdgpu->chip.reg.grbm_gfx_index];

	return (struct index){
		.all_se = value >> 31 & 1,
		.all_instances = value >> 30 & 1,
		.all_sa = value >> 29 & 1,
		.se = value >> 16 & 0xff,
		.sa = value >> 8 & 0xff,
		.instance = value & 0xff,
	};
}

static bool
is_addressed(const struct block *block, const struct instance *instance,
	     const struct index *index)
{
	if (block->scope != SCOPE_GLOBAL && !index->all_se &&
	    index->se != instance->se)
		return false;
	if (block->scope == SCOPE_SA && !index->all_sa &&
	    index->sa != instance->sa)
		return false;
	return block->per_scope == 1 || index->all_instances ||
	       index->instance == instance->index;
}

static void
write_counter(struct perfmon *perfmon, const struct perf_register *reg,
	      struct block *block, struct instance *instance, uint32_t value)
{
	struct counter *counter = &instance->counters[reg->slot];

	switch (reg->kind) {
	case PERF_SELECT:
		counter->select = value;
		counter->programmed = true;
		perfmon->rates_changed = true;
		break;
	case PERF_SELECT1:
		counter->select1 = value;
		break;
	case PERF_CFG:
		counter->select = value & 0xff;
		counter->select1 = value;
		counter->programmed = true;
		if (value & CFG_CLEAR)
			counter->value = block->start_value & value_mask(block);
		break;
	case PERF_CFG_CONTROL:
		instance->control = value;
		for (unsigned s = 0;
		     value & RESULT_CLEAR_ALL && s < block->slot_count; s++)
			instance->counters[s].value =
				block->start_value & value_mask(block);
		break;
	case PERF_NONE:
	case PERF_LO:
	case PERF_HI:
	case PERF_CFG_LO:
	case PERF_CFG_HI:
	case PERF_SDMA_CONTROL:
	case PERF_SDMA_LO:
		break; /* results cannot be written */
	}
}

static void
write_sdma(struct block *block, struct instance *instance, uint32_t value)
{
	instance->control = value;
	for (unsigned s = 0; s < block->slot_count; s++) {
		struct counter *counter = &instance->counters[s];
		uint32_t field = value >> SDMA_SHIFT(s);

		counter->select =
			field >> SDMA_EVENT_SHIFT & block->slots[s].event_mask;
		counter->programmed = true;
		if (field & SDMA_CLEAR)
			counter->value = block->start_value & value_mask(block);
	}
}

static const struct perf_register *
find(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct perf_register *reg;

	if (dword >= PERF_REGISTERS_MAX)
		return NULL;
	reg = &amdgpu->perfmon.map[dword];
	return reg->kind == PERF_NONE ? NULL : reg;
}

bool
perfmon_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct perf_register *reg = find(amdgpu, dword);
	struct index index = read_index(amdgpu);
	struct block *block;

	if (!reg)
		return false;
	perfmon_sync(amdgpu, amdgpu->now);
	block = &amdgpu->chip.blocks[reg->block];
	if (reg->kind == PERF_SDMA_CONTROL) {
		block->instances[reg->engine].user = user_of_job(amdgpu);
		write_sdma(block, &block->instances[reg->engine], value);
		return true;
	}
	for (unsigned i = 0; i < block->instance_count; i++) {
		struct instance *instance = &block->instances[i];

		if (!is_addressed(block, instance, &index))
			continue;
		instance->user = user_of_job(amdgpu);
		write_counter(&amdgpu->perfmon, reg, block, instance, value);
	}
	return true;
}

/* The instance a read is about; several are a mistake of the reader. */
static const struct instance *
addressed_instance(struct amdgpu *amdgpu, const struct block *block)
{
	struct index index = read_index(amdgpu);
	const struct instance *found = NULL;
	unsigned count = 0;

	for (unsigned i = 0; i < block->instance_count; i++) {
		if (!is_addressed(block, &block->instances[i], &index))
			continue;
		if (!found)
			found = &block->instances[i];
		count++;
	}
	if (count > 1)
		amdgpu_violation(amdgpu, "broadcast-read",
				 "a counter of %s was read from %u instances "
				 "at once",
				 block->name, count);
	return found;
}

static uint32_t
result(const struct block *block, const struct instance *instance,
       const struct perf_register *reg)
{
	const struct counter *counter = &instance->counters[reg->slot];

	switch (reg->kind) {
	case PERF_SELECT:
		return counter->select;
	case PERF_SELECT1:
		return counter->select1;
	case PERF_LO:
		return (uint32_t)counter->latch;
	case PERF_HI:
		return (uint32_t)(counter->latch >> 32);
	case PERF_CFG:
		return counter->select1;
	case PERF_CFG_CONTROL:
		return instance->control;
	case PERF_CFG_LO:
	case PERF_CFG_HI:
		if ((instance->control & RESULT_SELECT) >= block->slot_count)
			return JUNK;
		counter =
			&instance->counters[instance->control & RESULT_SELECT];
		return reg->kind == PERF_CFG_LO
			       ? (uint32_t)counter->value
			       : (uint32_t)(counter->value >> 32) |
					 COMPARE_VALUE;
	case PERF_SDMA_CONTROL:
		return instance->control;
	case PERF_SDMA_LO:
		return (uint32_t)counter->value;
	case PERF_NONE:
		break;
	}
	return JUNK;
}

static void
check_latch(struct amdgpu *amdgpu, const struct block *block,
	    const struct perf_register *reg)
{
	if (reg->kind != PERF_LO && reg->kind != PERF_HI)
		return;
	if (amdgpu->job && amdgpu->perfmon.latched_job != amdgpu->job->number)
		amdgpu_violation(amdgpu, "unlatched-read",
				 "a counter of %s was read without a sample",
				 block->name);
}

bool
perfmon_read(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value)
{
	const struct perf_register *reg = find(amdgpu, dword);
	const struct instance *instance;
	const struct block *block;

	if (!reg)
		return false;
	perfmon_sync(amdgpu, amdgpu->now);
	block = &amdgpu->chip.blocks[reg->block];
	if (block->style == STYLE_SDMA)
		instance = &block->instances[reg->engine];
	else
		instance = addressed_instance(amdgpu, block);
	check_latch(amdgpu, block, reg);
	*value = instance && instance->present ? result(block, instance, reg)
					       : JUNK;
	return true;
}
