/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters as the hardware keeps them: their registers, what starts and stops
 * them, and when a reader sees what.
 *
 * Most counters run while CP_PERFMON_CNTL says so and are read from a latch
 * that is filled on demand. Blocks of style cfg and sdma have switches of
 * their own and are read as they are.
 */
#include "amdgpu/gfx/gpu.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
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
#define SDMA_ENABLE 1u
#define SDMA_CLEAR 2u
#define SDMA_EVENT_SHIFT 2

#define JUNK 0xbadf00d5u
#define FEMTO 1000000000000000ull

#define FORCE_EN 1u
#define ALL_SIMDS 0xfu
#define SIMDS 4

/* What a counter of the block is: some of style cfg have generic ones, too. */
static enum block_style
style_of(const struct block *block, unsigned slot)
{
	return block->slots[slot].plain ? STYLE_GENERIC : block->style;
}

static bool
follows_cp(const struct block *block, unsigned slot)
{
	enum block_style style = style_of(block, slot);

	return style == STYLE_GENERIC || style == STYLE_PER_ENGINE;
}

static uint64_t
value_mask(const struct block *block, unsigned slot)
{
	if (block->bits >= 64 || block->slots[slot].plain)
		return UINT64_MAX;
	return (1ull << block->bits) - 1;
}

/* SDMA's fields: enable, clear, event; as wide as the event makes them. */
static unsigned
sdma_shift(const struct block *block, unsigned slot)
{
	unsigned bits =
		(unsigned)__builtin_popcount(block->slots[0].event_mask);

	return slot * (bits + SDMA_EVENT_SHIFT);
}

/* An instance may lack a counter that the others have. */
static bool
has_slot(const struct block *block, const struct instance *instance,
	 unsigned slot)
{
	const struct slot *s = &block->slots[slot];

	return (s->engine < 0 || (unsigned)s->engine == instance->index) &&
	       (s->parity < 0 || (unsigned)s->parity == instance->index % 2);
}

static struct die *
die_of(const struct amdgpu *amdgpu, const struct instance *instance)
{
	return amdgpu->dies[instance->die];
}

/* ---- register map */

static void
map(struct perfmon *perfmon, uint32_t dword, enum perf_register_kind kind,
    unsigned block, unsigned slot, int engine)
{
	if (dword && dword < PERF_REGISTERS_MAX)
		perfmon->map[dword] = (struct perf_register){
			.kind = kind,
			.block = (uint8_t)block,
			.slot = (uint8_t)slot,
			.engine = (int8_t)engine,
		};
}

static void
map_slot(struct perfmon *perfmon, const struct block *block, unsigned b,
	 unsigned s)
{
	const struct slot *slot = &block->slots[s];

	switch (style_of(block, s)) {
	case STYLE_CFG:
		map(perfmon, slot->select, PERF_CFG, b, s, -1);
		map(perfmon, slot->lo, PERF_CFG_LO, b, s, -1);
		map(perfmon, slot->hi, PERF_CFG_HI, b, s, -1);
		map(perfmon, block->control, PERF_CFG_CONTROL, b, 0, -1);
		return;
	case STYLE_SDMA:
		for (unsigned e = 0; e < block->instance_count; e++) {
			uint32_t offset = e * block->stride;

			map(perfmon, slot->select + offset, PERF_SDMA_CONTROL,
			    b, 0, (int)e);
			map(perfmon, slot->lo + offset, PERF_SDMA_LO, b, s,
			    (int)e);
		}
		return;
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
	case STYLE_RLC:
		map(perfmon, slot->select, PERF_SELECT, b, s, slot->engine);
		map(perfmon, slot->select1, PERF_SELECT1, b, s, slot->engine);
		map(perfmon, slot->lo, PERF_LO, b, s, slot->engine);
		map(perfmon, slot->hi, PERF_HI, b, s, slot->engine);
		return;
	}
}

static void
power_up_die(const struct chip *chip, struct die *die)
{
	const struct chip_register *reg = &chip->reg;
	unsigned number = die->number;

	memset(die, 0, sizeof(*die));
	die->number = number;
	die->registers[reg->grbm_gfx_index] = GRBM_BROADCAST;
	if (reg->gb_addr_config)
		die->registers[reg->gb_addr_config] = chip->gb_addr_config;
	if (reg->sq_perfcounter_ctrl2)
		die->registers[reg->sq_perfcounter_ctrl2] = chip->vmid_enable;
	if (reg->sqg_perfcounter_ctrl2)
		die->registers[reg->sqg_perfcounter_ctrl2] = chip->vmid_enable;
	for (unsigned i = 0; i < chip->held_count; i++)
		die->registers[chip->held[i].dword] = chip->held[i].value;
}

void
perfmon_power_up(struct amdgpu *amdgpu)
{
	struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		block->is_stuck = block->was_selected = false;
		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *instance = &block->instances[i];

			instance->control = 0;
			memset(instance->counters, 0,
			       sizeof(instance->counters));
		}
	}
	for (unsigned d = 0; d < chip->die_count; d++)
		power_up_die(chip, amdgpu->dies[d]);
	amdgpu->clock_bit = false;
}

int
perfmon_init(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;

	for (unsigned d = 0; d < chip->die_count; d++) {
		amdgpu->dies[d] = calloc(1, sizeof(*amdgpu->dies[d]));
		if (!amdgpu->dies[d])
			return -ENOMEM;
		amdgpu->dies[d]->number = d;
	}
	amdgpu->die = amdgpu->dies[0];
	for (unsigned b = 0; b < chip->block_count; b++)
		for (unsigned s = 0; s < chip->blocks[b].slot_count; s++)
			map_slot(&amdgpu->perfmon, &chip->blocks[b], b, s);
	perfmon_power_up(amdgpu);
	return 0;
}

/* ---- counting */

/* The clock that counters run on: on, or gated. */
static bool
has_clock(const struct amdgpu *amdgpu, const struct die *die)
{
	uint32_t reg = amdgpu->chip.reg.rlc_perfmon_clk_cntl;
	bool is_set = reg && die->registers[reg] & 1;

	if (amdgpu->gpu->gated_clock)
		return false;
	switch (amdgpu->chip.perfmon_clock) {
	case CLOCK_REGISTER_OR_PSTATE:
		return !reg || is_set || amdgpu->pstate;
	case CLOCK_REGISTER:
		return is_set;
	case CLOCK_PSTATE:
		return amdgpu->pstate;
	case CLOCK_ALWAYS:
		return true;
	}
	return false;
}

static bool
is_enabled(const struct amdgpu *amdgpu, const struct block *block,
	   const struct instance *instance, unsigned slot)
{
	const struct die *die = die_of(amdgpu, instance);
	const struct counter *counter = &instance->counters[slot];

	if (!counter->programmed || block->is_stuck)
		return false;
	switch (style_of(block, slot)) {
	case STYLE_GENERIC:
	case STYLE_PER_ENGINE:
		return die->state == PERFMON_COUNT && !die->mode_is_odd;
	case STYLE_RLC:
		return die->rlc_state == PERFMON_COUNT;
	case STYLE_CFG:
		return instance->control & RESULT_ENABLE_ANY &&
		       counter->select1 & CFG_ENABLE;
	case STYLE_SDMA:
		return instance->control >> sdma_shift(block, slot) &
		       SDMA_ENABLE;
	}
	return false;
}

uint32_t
perfmon_stages(const struct amdgpu *amdgpu, const struct block *block,
	       const struct instance *instance)
{
	const struct die *die = die_of(amdgpu, instance);
	uint32_t reg = amdgpu->chip.reg.sq_perfcounter_ctrl;

	return (block->sqg ? die->sqg_ctrl[instance->se]
			   : die->registers[reg]) &
	       amdgpu->chip.stage_mask;
}

static uint32_t
second_control(const struct amdgpu *amdgpu, const struct block *block,
	       const struct instance *instance)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	return die_of(amdgpu, instance)
		->registers[block->sqg ? reg->sqg_perfcounter_ctrl2
				       : reg->sq_perfcounter_ctrl2];
}

bool
perfmon_is_forced(const struct amdgpu *amdgpu, const struct block *block,
		  const struct instance *instance)
{
	return second_control(amdgpu, block, instance) & FORCE_EN;
}

/* Masks that have to be open for a counter to see anything. */
static bool
is_unmasked(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	const struct chip *chip = &amdgpu->chip;
	const struct die *die = die_of(amdgpu, instance);
	uint32_t select = instance->counters[slot].select;

	if (block->masked && !die->registers[chip->reg.sq_perfcounter_mask])
		return false;
	if (block->staged && chip->vmid_enable &&
	    !(second_control(amdgpu, block, instance) & chip->vmid_enable))
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
	return instance->present && has_slot(block, instance, slot) &&
	       is_enabled(amdgpu, block, instance, slot) &&
	       is_unmasked(amdgpu, block, instance, slot) &&
	       has_clock(amdgpu, die_of(amdgpu, instance));
}

/* A WGP counts what those of its SIMDs see that have the select. */
static void
add(struct instance *instance, const struct block *block, unsigned slot,
    unsigned __int128 femto)
{
	struct counter *counter = &instance->counters[slot];

	if (block->steer == STEER_WGP)
		femto = femto * (unsigned)__builtin_popcount(counter->simds) /
			SIMDS;
	femto += counter->remainder;
	counter->value += (uint64_t)(femto / FEMTO);
	counter->value &= value_mask(block, slot);
	counter->remainder = (uint64_t)(femto % FEMTO);
}

static uint32_t
event_of(const struct block *block, const struct instance *instance,
	 unsigned slot)
{
	return instance->counters[slot].select &
	       block->slots[slot].event_mask;
}

static void
count_interval(struct amdgpu *amdgpu, struct block *block,
	       struct instance *instance, unsigned slot, uint64_t ns,
	       uint64_t busy_ns)
{
	uint64_t clocks_micro = rates_of_work(
		amdgpu, RULE_WHILE_BUSY, block,
		event_of(block, instance, slot), (int)instance->number);
	unsigned __int128 femto =
		(unsigned __int128)rates_of(amdgpu, block, instance, slot) *
		ns;

	femto += (unsigned __int128)clocks_micro * amdgpu_sclk(amdgpu) *
		 1000000 * busy_ns;
	add(instance, block, slot, femto);
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
	uint64_t ns, busy_ns[DIES_MAX];
};

static void
count_one(struct amdgpu *amdgpu, struct block *block,
	  struct instance *instance, unsigned slot, void *data)
{
	const struct interval *interval = data;

	count_interval(amdgpu, block, instance, slot, interval->ns,
		       interval->busy_ns[instance->die]);
}

void
perfmon_sync(struct amdgpu *amdgpu, uint64_t now)
{
	struct perfmon *perfmon = &amdgpu->perfmon;
	struct interval interval;

	if (now <= perfmon->synced)
		return;
	interval.ns = now - perfmon->synced;
	for (unsigned d = 0; d < amdgpu->chip.die_count; d++)
		interval.busy_ns[d] = rings_busy(amdgpu, amdgpu->dies[d],
						 perfmon->synced, now);
	for_each_counting(amdgpu, count_one, &interval);
	perfmon->synced = now;
}

/* ---- work */

static bool
takes_part(const struct instance *instance, unsigned die)
{
	return instance->present && instance->die == die;
}

/*
 * Units of work go round the instances of the die that are there, the first
 * one first.
 */
static uint64_t
share_of(const struct block *block, const struct instance *instance,
	 uint64_t total)
{
	unsigned count = 0, before = 0;

	for (unsigned i = 0; i < block->instance_count; i++) {
		if (!takes_part(&block->instances[i], instance->die))
			continue;
		before += &block->instances[i] < instance;
		count++;
	}
	return total / count + (before < total % count);
}

/* The window, or the queue, or FORCE_EN lets a windowed block see the work. */
static bool
is_allowed(const struct amdgpu *amdgpu, const struct block *block,
	   const struct instance *instance, const struct dispatch *work)
{
	const struct chip *chip = &amdgpu->chip;
	const struct die *die = die_of(amdgpu, instance);
	uint32_t ctrl = block->sqg
				? die->sqg_ctrl[instance->se]
				: die->registers[chip->reg.sq_perfcounter_ctrl];
	/* two pipes of ME0, then four of ME1 */
	unsigned pipe = work->is_gfx ? 0 : 2 + work->pipe % 4;

	if (chip->pipe_disable && ctrl >> (chip->pipe_disable + pipe) & 1)
		return false;
	return work->allowed || perfmon_is_forced(amdgpu, block, instance);
}

static void
count_work(struct amdgpu *amdgpu, struct block *block,
	   struct instance *instance, unsigned slot, void *data)
{
	const struct dispatch *work = data;
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

	if (!takes_part(instance, work->die))
		return;
	if (block->windowed && !is_allowed(amdgpu, block, instance, work))
		return;
	if (block->staged && !(perfmon_stages(amdgpu, block, instance) >>
				       work->stage &
			       1))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t micro = rates_of_work(amdgpu, parts[i].kind, block,
					       event, (int)instance->number);

		if (micro)
			add(instance, block, slot,
			    (unsigned __int128)micro * 1000000000 *
				    share_of(block, instance,
					     parts[i].units));
	}
}

void
perfmon_count_work(struct amdgpu *amdgpu, const struct dispatch *work)
{
	struct dispatch copy = *work;

	perfmon_sync(amdgpu, amdgpu->now);
	for_each_counting(amdgpu, count_work, &copy);
}

/* ---- addresses */

struct index {
	bool all_se, all_sa, all_instances;
	unsigned se, sa, instance;
};

static struct index
read_index(const struct amdgpu *amdgpu)
{
	uint32_t value =
		amdgpu->die->registers[amdgpu->chip.reg.grbm_gfx_index];
	const unsigned *bits = amdgpu->chip.index_bits;

	return (struct index){
		.all_se = value >> 31 & 1,
		.all_instances = value >> 30 & 1,
		.all_sa = value >> 29 & 1,
		.se = value >> 16 & ((1u << bits[2]) - 1),
		.sa = value >> 8 & ((1u << bits[1]) - 1),
		.instance = value & ((1u << bits[0]) - 1),
	};
}

static bool
names_instance(const struct chip *chip, const struct block *block,
	       const struct instance *instance, const struct index *index)
{
	unsigned number = index->instance;

	if (block->per_scope == 1 || index->all_instances)
		return true;
	/* any SIMD of a WGP */
	if (block->steer == STEER_WGP)
		number &= ~3u;
	return number == chip_steer(chip, block, instance->index);
}

static bool
is_addressed(const struct amdgpu *amdgpu, const struct block *block,
	     const struct instance *instance, const struct index *index)
{
	if (instance->die != amdgpu->die->number)
		return false;
	if (block->scope != SCOPE_GLOBAL && !index->all_se &&
	    index->se != instance->se)
		return false;
	if (block->scope == SCOPE_SA && !index->all_sa &&
	    index->sa != instance->sa)
		return false;
	return names_instance(&amdgpu->chip, block, instance, index);
}

/* The engines that GRBM_GFX_INDEX addresses, as a mask. */
static uint32_t
addressed_engines(const struct amdgpu *amdgpu)
{
	struct index index = read_index(amdgpu);

	return index.all_se ? UINT32_MAX : 1u << (index.se & 31);
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
follows_rlc(const struct block *block, unsigned slot)
{
	return style_of(block, slot) == STYLE_RLC;
}

/* Calls f for all counters of a kind on the die that executes. */
static void
for_each_counter(struct amdgpu *amdgpu,
		 bool (*which)(const struct block *, unsigned slot),
		 void (*f)(struct amdgpu *amdgpu, const struct block *block,
			   struct instance *instance, unsigned slot))
{
	struct chip *chip = &amdgpu->chip;

	for (unsigned b = 0; b < chip->block_count; b++) {
		struct block *block = &chip->blocks[b];

		for (unsigned i = 0; i < block->instance_count; i++) {
			struct instance *instance = &block->instances[i];

			if (instance->die != amdgpu->die->number)
				continue;
			for (unsigned s = 0; s < block->slot_count; s++)
				if (which(block, s))
					f(amdgpu, block, instance, s);
		}
	}
}

static void
reset_counter(struct amdgpu *amdgpu, const struct block *block,
	      struct instance *instance, unsigned slot)
{
	struct counter *counter = &instance->counters[slot];

	(void)amdgpu;
	counter->value = block->start_value & value_mask(block, slot);
	counter->remainder = 0;
}

static bool
is_sq(const struct block *block)
{
	return block->sqg || block->steer == STEER_WGP;
}

/* A sample is still under way to this instance. */
static bool
is_late(const struct amdgpu *amdgpu, const struct block *block,
	const struct instance *instance)
{
	const struct die *die = die_of(amdgpu, instance);

	if (block->scope == SCOPE_GLOBAL)
		return false;
	return (is_sq(block) ? die->late_sq : die->late_others) >>
		       instance->se &
	       1;
}

static void
sample_counter(struct amdgpu *amdgpu, const struct block *block,
	       struct instance *instance, unsigned slot)
{
	struct counter *counter = &instance->counters[slot];

	counter->sampled = counter->value;
	if (!is_late(amdgpu, block, instance))
		counter->latch = counter->sampled;
}

static void
arrive(struct amdgpu *amdgpu, const struct block *block,
       struct instance *instance, unsigned slot)
{
	if (!is_late(amdgpu, block, instance))
		instance->counters[slot].latch =
			instance->counters[slot].sampled;
}

static void
sample(struct amdgpu *amdgpu,
       bool (*which)(const struct block *, unsigned slot))
{
	if (amdgpu->chip.late_samples) {
		/* on a compute ring only SQ is overtaken */
		amdgpu->die->late_sq = UINT32_MAX;
		amdgpu->die->late_others =
			amdgpu->job && amdgpu->job->ring->is_gfx ? UINT32_MAX
								 : 0;
		amdgpu->die->sqg_toggled = 0;
	}
	for_each_counter(amdgpu, which, sample_counter);
	if (amdgpu->job)
		amdgpu->die->latched_job = amdgpu->job->number;
}

void
perfmon_latch(struct amdgpu *amdgpu)
{
	perfmon_sync(amdgpu, amdgpu->now);
	sample(amdgpu, follows_cp);
	sample(amdgpu, follows_rlc);
}

void
perfmon_waited(struct amdgpu *amdgpu, uint32_t dword)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	struct die *die = amdgpu->die;

	if (!amdgpu->chip.late_samples)
		return;
	if (dword == reg->sqg_perfcounter_ctrl)
		die->late_sq &=
			~(addressed_engines(amdgpu) & die->sqg_toggled);
	else if (dword == reg->grbmh_sync)
		die->late_others &= ~addressed_engines(amdgpu);
	else
		return;
	for_each_counter(amdgpu, follows_cp, arrive);
}

void
perfmon_settle(struct amdgpu *amdgpu, struct die *die)
{
	if (!die->late_sq && !die->late_others)
		return;
	die->late_sq = die->late_others = 0;
	for_each_counter(amdgpu, follows_cp, arrive);
}

/* Some parts do not bear a stop: until a reset they count no more. */
static void
stick(struct amdgpu *amdgpu, struct block *block, const char *why)
{
	if (block->is_stuck)
		return;
	block->is_stuck = true;
	amdgpu_violation(amdgpu, "stuck", "%s got stuck: %s", block->name,
			 why);
}

static struct block *
find_block(struct amdgpu *amdgpu, const char *name)
{
	return *name ? chip_block(&amdgpu->chip, name, strlen(name)) : NULL;
}

void
perfmon_set_window(struct amdgpu *amdgpu, bool open)
{
	struct block *block =
		find_block(amdgpu, amdgpu->chip.stuck_by_stop);

	perfmon_sync(amdgpu, amdgpu->now);
	amdgpu->die->window_open = open;
	if (open || !block)
		return;
	for (unsigned i = 0; i < block->instance_count; i++)
		for (unsigned s = 0; s < block->slot_count; s++)
			block->instances[i].counters[s].value = 0;
	stick(amdgpu, block, "PERFCOUNTER_STOP");
}

/*
 * Counters that state 2 can leave dead until a reboot are those selected for
 * this count: selects of an earlier one, which ended in another job, are out of
 * use. radv takes that risk and counts right as a rule, so it is only told.
 */
static void
check_hold(struct amdgpu *amdgpu, unsigned before)
{
	struct block *block =
		find_block(amdgpu, amdgpu->chip.risk_by_hold);
	unsigned state = amdgpu->die->state;
	uint64_t job = amdgpu->job ? amdgpu->job->number : 0;

	if (!block)
		return;
	if (state == PERFMON_HOLD && block->was_selected)
		amdgpu_violation(amdgpu, "risk",
				 "%s may get stuck: CP_PERFMON_CNTL went to "
				 "state 2",
				 block->name);
	if (state == PERFMON_RESET && before != PERFMON_RESET &&
	    block->selected_by != job)
		block->was_selected = false;
}

void
perfmon_set_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct die *die = amdgpu->die;
	unsigned before = die->state;

	perfmon_sync(amdgpu, amdgpu->now);
	die->state_user = user_of_job(amdgpu);
	die->state = value & STATE_MASK;
	die->mode_is_odd = value & MODE_MASK;
	die->grbmh_sync = UINT32_MAX;
	check_hold(amdgpu, before);
	if (die->state == PERFMON_RESET)
		for_each_counter(amdgpu, follows_cp, reset_counter);
	if (value & SAMPLE)
		sample(amdgpu, follows_cp);
}

void
perfmon_set_rlc_state(struct amdgpu *amdgpu, uint32_t value)
{
	struct die *die = amdgpu->die;

	perfmon_sync(amdgpu, amdgpu->now);
	die->rlc_state_user = user_of_job(amdgpu);
	die->rlc_state = value & 7;
	if (die->rlc_state == PERFMON_RESET)
		for_each_counter(amdgpu, follows_rlc, reset_counter);
	if (value & SAMPLE)
		for_each_counter(amdgpu, follows_rlc, sample_counter);
	if (value & SAMPLE && amdgpu->job)
		die->latched_job = amdgpu->job->number;
}

void
perfmon_switch_clock(struct amdgpu *amdgpu, bool on)
{
	perfmon_sync(amdgpu, amdgpu->now);
	amdgpu->clock_user = user_of_job(amdgpu);
	amdgpu->clock_bit = on;
}

/* Who has switched on what makes a counter count. */
static uint64_t
switched_by(const struct amdgpu *amdgpu, const struct block *block,
	    const struct instance *instance, unsigned slot)
{
	const struct die *die = die_of(amdgpu, instance);

	if (follows_cp(block, slot))
		return die->state_user;
	return follows_rlc(block, slot) ? die->rlc_state_user
					: instance->user;
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

			for (unsigned s = 0; s < block->slot_count; s++) {
				if (!is_enabled(amdgpu, block, in, s) ||
				    (user && user != switched_by(amdgpu, block,
								 in, s)))
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

/* Selects of a WGP are its SIMDs': each has to be written. */
static void
write_select(struct counter *counter, uint32_t value, unsigned simds)
{
	if (counter->select != value)
		counter->simds = 0;
	counter->simds |= simds;
	counter->select = value;
	counter->programmed = true;
}

static void
write_counter(const struct perf_register *reg, struct block *block,
	      struct instance *instance, uint32_t value, unsigned simds)
{
	struct counter *counter = &instance->counters[reg->slot];
	uint64_t mask = value_mask(block, reg->slot);

	switch (reg->kind) {
	case PERF_SELECT:
		write_select(counter, value, simds);
		break;
	case PERF_SELECT1:
		counter->select1 = value;
		break;
	case PERF_CFG:
		counter->select = value & 0xff;
		counter->select1 = value;
		counter->programmed = true;
		if (value & CFG_CLEAR)
			counter->value = block->start_value & mask;
		break;
	case PERF_CFG_CONTROL:
		instance->control = value;
		for (unsigned s = 0;
		     value & RESULT_CLEAR_ALL && s < block->slot_count; s++)
			if (!block->slots[s].plain)
				instance->counters[s].value =
					block->start_value &
					value_mask(block, s);
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
		uint32_t field = value >> sdma_shift(block, s);

		counter->select = field >> SDMA_EVENT_SHIFT &
				  block->slots[s].event_mask;
		counter->programmed = true;
		if (field & SDMA_CLEAR)
			counter->value = block->start_value &
					 value_mask(block, s);
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
perfmon_is_select(const struct amdgpu *amdgpu, uint32_t dword)
{
	const struct perf_register *reg = find(amdgpu, dword);

	return reg &&
	       (reg->kind == PERF_SELECT || reg->kind == PERF_SELECT1);
}

/* The instance that a register belongs to whatever GRBM_GFX_INDEX says. */
static struct instance *
own_instance(const struct amdgpu *amdgpu, struct block *block,
	     const struct perf_register *reg)
{
	for (unsigned i = 0; i < block->instance_count; i++)
		if (block->instances[i].die == amdgpu->die->number &&
		    (int)block->instances[i].index == reg->engine)
			return &block->instances[i];
	return NULL;
}

static void
write_addressed(struct amdgpu *amdgpu, const struct perf_register *reg,
		struct block *block, uint32_t value)
{
	struct index index = read_index(amdgpu);
	unsigned simds = index.all_instances ? ALL_SIMDS
					     : 1u << (index.instance & 3);

	for (unsigned i = 0; i < block->instance_count; i++) {
		struct instance *instance = &block->instances[i];

		if (!is_addressed(amdgpu, block, instance, &index) ||
		    !has_slot(block, instance, reg->slot))
			continue;
		instance->user = user_of_job(amdgpu);
		write_counter(reg, block, instance, value, simds);
	}
}

bool
perfmon_write(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	const struct perf_register *reg = find(amdgpu, dword);
	struct instance *instance;
	struct block *block;

	if (!reg)
		return false;
	perfmon_sync(amdgpu, amdgpu->now);
	amdgpu->perfmon.rates_changed = true;
	block = &amdgpu->chip.blocks[reg->block];
	if (reg->kind == PERF_SELECT) {
		block->was_selected = true;
		block->selected_by = amdgpu->job ? amdgpu->job->number : 0;
	}
	if (reg->engine < 0) {
		write_addressed(amdgpu, reg, block, value);
		return true;
	}
	instance = own_instance(amdgpu, block, reg);
	if (!instance)
		return true;
	instance->user = user_of_job(amdgpu);
	if (reg->kind == PERF_SDMA_CONTROL)
		write_sdma(block, instance, value);
	else
		write_counter(reg, block, instance, value, ALL_SIMDS);
	return true;
}

/* The instance a read is about; several are a mistake of the reader. */
static const struct instance *
addressed_instance(struct amdgpu *amdgpu, const struct block *block,
		   const struct perf_register *reg)
{
	struct index index = read_index(amdgpu);
	const struct instance *found = NULL;
	unsigned count = 0;

	/* results of a WGP are those of its first SIMD */
	if (block->steer == STEER_WGP && !index.all_instances &&
	    index.instance & 3)
		return NULL;
	for (unsigned i = 0; i < block->instance_count; i++) {
		if (!is_addressed(amdgpu, block, &block->instances[i],
				  &index) ||
		    !has_slot(block, &block->instances[i], reg->slot))
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
	unsigned chosen = instance->control & RESULT_SELECT;

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
		if (chosen >= block->slot_count || block->slots[chosen].plain)
			return JUNK;
		counter = &instance->counters[chosen];
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
	    const struct instance *instance, const struct perf_register *reg)
{
	if (reg->kind != PERF_LO && reg->kind != PERF_HI)
		return;
	if (!amdgpu->job)
		return;
	if (amdgpu->die->latched_job != amdgpu->job->number)
		amdgpu_violation(amdgpu, "unlatched-read",
				 "a counter of %s was read without a sample",
				 block->name);
	else if (instance && is_late(amdgpu, block, instance))
		amdgpu_violation(amdgpu, "unlatched-read",
				 "a counter of %s was read before the sample "
				 "was there",
				 block->name);
}

bool
perfmon_read(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value)
{
	const struct perf_register *reg = find(amdgpu, dword);
	const struct instance *instance;
	struct block *block;

	if (!reg)
		return false;
	perfmon_sync(amdgpu, amdgpu->now);
	block = &amdgpu->chip.blocks[reg->block];
	instance = reg->engine < 0 ? addressed_instance(amdgpu, block, reg)
				   : own_instance(amdgpu, block, reg);
	check_latch(amdgpu, block, instance, reg);
	*value = instance && instance->present ? result(block, instance, reg)
					       : JUNK;
	return true;
}
