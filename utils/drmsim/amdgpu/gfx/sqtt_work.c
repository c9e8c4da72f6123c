/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that is traced: which waves run where, and when they begin and end. */
#include <stdlib.h>

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/counter.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/gfx/sqtt_state.h"
#include "base/array.h"
#include "machine/clock.h"

#define SIMDS 4u
/* Registers of shaders by their places behind COMPUTE_DISPATCH_INITIATOR. */
#define COMPUTE_START BYTE_TO_DWORD(0xb800u)
#define COMPUTE_END BYTE_TO_DWORD(0xbc00u)

enum {
	EVENT_THREAD_TRACE_START = 0x33,
	EVENT_THREAD_TRACE_STOP = 0x34,
	EVENT_THREAD_TRACE_FINISH = 0x37,
};

/* What a finish and the end of writing take. */
#define FINISH_NS 1000u
#define VM_ID_ALL 1u

/* ---- whose work is seen */

static bool
sees_all(const struct amdgpu *amdgpu, const struct trace *trace)
{
	if (amdgpu->chip.doubts[DOUBT_ALL_VMID])
		return false;
	switch (amdgpu->chip.sqtt_style) {
	case SQTT_GFX9:
		return (trace->mask >> 12 & 3) == VM_ID_ALL;
	case SQTT_GFX12:
		return false;
	default:
		return trace->control >> 2 & 1;
	}
}

static bool
trace_is_of(const struct amdgpu *amdgpu, const struct trace *trace,
	    const struct ring *ring)
{
	return trace->is_armed && trace->die == ring->die->number &&
	       ring->queue &&
	       (trace->vm == ring->queue->vm || sees_all(amdgpu, trace));
}

/* Return whether the queue has been switched on for traces. */
static bool
ring_is_traced(const struct ring *ring)
{
	const struct amdgpu *amdgpu = ring->amdgpu;
	uint32_t enable = amdgpu->chip.reg.compute_thread_trace_enable;

	if (ring->is_gfx)
		return amdgpu->sqtt->started[ring->die->number];
	return ring->shader_registers[enable - SHADER_START] & 1;
}

static struct trace_source
source_of(const struct ring *ring)
{
	return (struct trace_source){
		.me = !ring->is_gfx,
		.pipe = ring->is_gfx ? 0 : ring->index % 4,
		.is_gfx = ring->is_gfx,
	};
}

/* ---- registers and events */

static void
see_register(struct ring *ring, bool is_cs, uint32_t address, uint32_t value)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	struct trace_source source = source_of(ring);

	sqtt_advance(amdgpu, amdgpu->now);
	for (unsigned i = 0; i < amdgpu->sqtt->count; i++)
		if (trace_is_of(amdgpu, &amdgpu->sqtt->traces[i], ring))
			trace_put_register(amdgpu, &amdgpu->sqtt->traces[i],
					   &source, is_cs, address, value);
}

/* See what a queue has set before it is traced. */
static void
see_state(struct ring *ring)
{
	/* program, resources, limits, threads of a group */
	static const uint8_t places[] = { 0x0c, 0x0d, 0x12, 0x13,
					  0x15, 0x07, 0x08, 0x09 };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		see_register(ring, true, places[i],
			     ring->shader_registers[COMPUTE_START -
						    SHADER_START + places[i]]);
}

void
sqtt_see_register(struct ring *ring, uint32_t dword, uint32_t value)
{
	const struct amdgpu *amdgpu = ring->amdgpu;

	if (!amdgpu->sqtt || dword < COMPUTE_START || dword >= COMPUTE_END)
		return;
	if (ring_is_traced(ring))
		see_register(ring, true, dword - COMPUTE_START, value);
	else if (dword == amdgpu->chip.reg.compute_thread_trace_enable &&
		 value & 1)
		see_state(ring);
}

void
trace_see_marker(struct ring *ring, uint32_t dword, uint32_t value)
{
	if (ring_is_traced(ring))
		see_register(ring, false, dword, value);
}

/*
 * Finish a trace. Without a profile level the clocks change, and the trace
 * comes to no end.
 */
static void
trace_finish(struct amdgpu *amdgpu, struct trace *trace)
{
	if (!trace->is_armed || trace->finish_at)
		return;
	trace->finish_at = amdgpu->pstate ? amdgpu->now + FINISH_NS : SIM_NEVER;
	if (trace->busy_until < trace->finish_at)
		trace->busy_until = trace->finish_at;
}

static void
finish_traces(struct ring *ring)
{
	struct amdgpu *amdgpu = ring->amdgpu;

	for (unsigned i = 0; i < amdgpu->sqtt->count; i++)
		if (amdgpu->sqtt->traces[i].die == ring->die->number)
			trace_finish(amdgpu, &amdgpu->sqtt->traces[i]);
}

void
sqtt_see_event(struct ring *ring, unsigned event)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	struct trace_source source = source_of(ring);

	if (!amdgpu->sqtt)
		return;
	sqtt_advance(amdgpu, amdgpu->now);
	for (unsigned i = 0; i < amdgpu->sqtt->count; i++)
		if (ring_is_traced(ring) &&
		    trace_is_of(amdgpu, &amdgpu->sqtt->traces[i], ring))
			trace_put_event(amdgpu, &amdgpu->sqtt->traces[i],
					&source, event);
	if (event == EVENT_THREAD_TRACE_FINISH)
		finish_traces(ring);
	if (!ring->is_gfx)
		return;
	if (event == EVENT_THREAD_TRACE_STOP)
		amdgpu->sqtt->started[ring->die->number] = false;
	if (event == EVENT_THREAD_TRACE_START) {
		amdgpu->sqtt->started[ring->die->number] = true;
		see_state(ring);
	}
}

/* ---- waves */

static unsigned
units_of(const struct amdgpu *amdgpu, uint32_t cus)
{
	unsigned count = 0;

	if (amdgpu->chip.sqtt_style == SQTT_GFX9)
		return (unsigned)__builtin_popcount(cus);
	for (; cus; cus >>= 2)
		count += (cus & 3) != 0;
	return count;
}

/* Return the number of a unit that is there, by its place among those. */
static unsigned
find_unit(const struct amdgpu *amdgpu, uint32_t cus, unsigned place)
{
	const unsigned step = amdgpu->chip.sqtt_style == SQTT_GFX9 ? 1 : 2;
	const uint32_t mask = (1u << step) - 1;
	unsigned unit = 0;

	for (;; cus >>= step, unit++)
		if (cus & mask && !place--)
			return unit;
}

/* Find a place. Waves go round the units first, then their SIMDs. */
static struct trace_place
find_place(const struct amdgpu *amdgpu, const struct trace *trace,
	   uint64_t slot)
{
	const uint32_t *cus = amdgpu->chip.cu_mask[trace->die][trace->se];
	unsigned first = units_of(amdgpu, cus[0]);
	unsigned all = first + units_of(amdgpu, cus[1]);
	unsigned unit = (unsigned)(slot % all);
	unsigned level = (unsigned)(slot / all);
	struct trace_place place = {
		.sa = unit >= first,
		.simd = level % SIMDS,
		.wave = level / SIMDS,
	};

	place.unit = find_unit(amdgpu, cus[place.sa],
			       place.sa ? unit - first : unit);
	return place;
}

static uint64_t
slots_of(const struct amdgpu *amdgpu, const struct trace *trace)
{
	const uint32_t *cus = amdgpu->chip.cu_mask[trace->die][trace->se];

	return (uint64_t)(__builtin_popcount(cus[0]) +
			  __builtin_popcount(cus[1])) *
	       amdgpu->chip.waves_per_cu;
}

/* Return the waves of an engine, as the counters of its SQ see them. */
static uint64_t
share_of_engine(struct amdgpu *amdgpu, const struct trace *trace,
		uint64_t waves)
{
	const struct block *block = chip_block(&amdgpu->chip, "SQ", 2);

	for (unsigned i = 0; block && i < block->instance_count; i++) {
		const struct instance *instance = &block->instances[i];

		if (instance->present && instance->die == trace->die &&
		    instance->se == trace->se)
			return counter_share(block, instance, waves);
	}
	return 0;
}

static uint64_t
run_time(const struct trace_run *run)
{
	uint64_t rounds = (run->step + 1) / 2;

	return run->from +
	       (uint64_t)((unsigned __int128)run->ns * rounds / run->rounds);
}

static uint64_t
waves_of_round(const struct trace_run *run)
{
	uint64_t before = run->step / 2 * run->at_once;
	uint64_t left = run->waves - before;

	return left < run->at_once ? left : run->at_once;
}

/* Run a step: a round of waves begins, or ends. */
static void
run_step(struct amdgpu *amdgpu, struct trace *trace, struct trace_run *run)
{
	const uint64_t time = run_time(run), waves = waves_of_round(run);
	/* a scenario may have harvested what the waves run on */
	const uint64_t slots = slots_of(amdgpu, trace);
	const bool is_end = run->step % 2;

	if (!slots) {
		run->step = 2 * run->rounds;
		return;
	}

	if (!is_end) {
		run->first_slot = trace->next_slot;
		trace->next_slot = (trace->next_slot + waves) % slots;
	}
	for (uint64_t i = 0; i < waves; i++) {
		struct trace_place place = find_place(
			amdgpu, trace, (run->first_slot + i) % slots);

		if (is_end)
			trace_put_wave_end(amdgpu, trace, time, run, &place);
		else
			trace_put_wave_start(amdgpu, trace, time, run, &place);
	}
	run->step++;
}

static struct trace_run **
first_run(struct trace *trace)
{
	struct trace_run **first = &trace->runs;

	for (struct trace_run **p = &trace->runs; *p; p = &(*p)->next)
		if (run_time(*p) < run_time(*first))
			first = p;
	return first;
}

static void
advance_runs(struct amdgpu *amdgpu, struct trace *trace, uint64_t now)
{
	while (trace->runs && !trace->is_full && !trace->has_failed) {
		struct trace_run **first = first_run(trace), *run = *first;

		if (run_time(run) > now)
			return;
		run_step(amdgpu, trace, run);
		if (run->step < 2 * run->rounds)
			continue;
		*first = run->next;
		free(run);
	}
	/* what is left finds no room, and is not even counted */
	if (trace->is_full || trace->has_failed)
		trace_forget_runs(trace);
}

void
trace_advance(struct amdgpu *amdgpu, struct trace *trace, uint64_t now)
{
	const bool is_over = trace->finish_at && trace->finish_at <= now;

	if (!(trace->is_armed || trace->is_draining) || trace->is_flushed)
		return;
	advance_runs(amdgpu, trace, is_over ? trace->finish_at : now);
	if (!is_over)
		return;
	trace_flush(amdgpu, trace);
	trace_forget_runs(trace);
}

void
trace_forget_runs(struct trace *trace)
{
	while (trace->runs) {
		struct trace_run *run = trace->runs;

		trace->runs = run->next;
		free(run);
	}
}

void
sqtt_advance(struct amdgpu *amdgpu, uint64_t now)
{
	for (unsigned i = 0; amdgpu->sqtt && i < amdgpu->sqtt->count; i++)
		trace_advance(amdgpu, &amdgpu->sqtt->traces[i], now);
}

/* Return whether the bits of MASK, or of MODE on gfx9, let a stage be seen. */
static bool
sees_stage(const struct amdgpu *amdgpu, const struct trace *trace,
	   unsigned stage)
{
	if (amdgpu->chip.sqtt_style == SQTT_GFX9)
		return trace->control >> 3 * stage & 7;
	return trace->mask >> (10 + stage) & 1;
}

static void
add_run(struct amdgpu *amdgpu, struct trace *trace, const struct ring *ring,
	const struct trace_run *model, uint64_t waves)
{
	struct trace_run *run;
	struct trace_run **link = &trace->runs;

	if (!waves || !sees_stage(amdgpu, trace, model->stage) ||
	    !trace_takes_waves(amdgpu, trace))
		return;
	run = calloc(1, sizeof(*run));
	if (!run)
		return;
	*run = *model;
	run->source = source_of(ring);
	run->waves = waves;
	run->at_once = slots_of(amdgpu, trace);
	run->rounds = (waves + run->at_once - 1) / run->at_once;
	while (*link)
		link = &(*link)->next;
	*link = run;
}

/* Add work that runs for some time from a moment on. */
static void
add_work(struct ring *ring, const struct dispatch *work, uint64_t from,
	 uint64_t ns)
{
	struct amdgpu *amdgpu = ring->amdgpu;
	struct trace_source source = source_of(ring);
	struct trace_run model = { .stage = work->stage,
				   .from = from,
				   .ns = ns };

	if (!amdgpu->sqtt || !ring_is_traced(ring))
		return;
	model.threads = work->waves && work->threads / work->waves
				? (unsigned)((work->threads + work->waves - 1) /
					     work->waves)
				: 1;
	sqtt_advance(amdgpu, amdgpu->now);
	for (unsigned i = 0; i < amdgpu->sqtt->count; i++) {
		struct trace *trace = &amdgpu->sqtt->traces[i];

		if (!trace_is_of(amdgpu, trace, ring))
			continue;
		if (work->stage == STAGE_CS)
			trace_put_dispatch(amdgpu, trace, &source);
		add_run(amdgpu, trace, ring, &model,
			share_of_engine(amdgpu, trace, work->waves));
	}
}

int
sqtt_launch(struct ring *ring, const struct dispatch *work)
{
	const uint64_t now = ring->amdgpu->now;
	const uint64_t from = ring->busy->to > now ? ring->busy->to : now;
	int error = ring_launch(ring, work);

	if (!error)
		add_work(ring, work, from, ring->busy->to - from);
	return error;
}
