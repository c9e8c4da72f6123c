/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers, and who owns traces. Facts: Mesa 25.0.7 and later (ac_sqtt.c), AMD
 * PAL 2025-04 and 2023-09 (gfx9PerfExperiment.cpp, gfx12PerfExperiment.cpp),
 * ROCm aqlprofile (sqtt_builder.h), Linux 7.1.8 (register headers).
 */
#include "amdgpu/gfx/sqtt.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt_state.h"
#include "amdgpu/gfx/vm.h"
#include "base/array.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/note.h"

#define PAGE_SHIFT 12u
#define SIZE_MASK 0x3fffffu
#define POINTER_MASK 0x1fffffffu
/* Registers that take markers: fewer on gfx9. */
#define MARKERS 8u
#define MARKERS_GFX9 4u
/* How long writes go on after a trace was switched off. */
#define BUSY_NS 1000u
#define JUNK 0xd00du

int
sqtt_create(struct amdgpu *amdgpu)
{
	const struct chip *chip = &amdgpu->chip;
	struct sqtt *sqtt;

	if (chip->sqtt_style == SQTT_NONE)
		return 0;
	sqtt = calloc(1, sizeof(*sqtt));
	amdgpu->sqtt = sqtt;
	if (!sqtt)
		return -ENOMEM;
	sqtt->traces = calloc((size_t)chip->die_count * chip->se_count,
			      sizeof(*sqtt->traces));
	if (!sqtt->traces)
		return -ENOMEM;
	sqtt->count = chip->die_count * chip->se_count;
	return 0;
}

void
sqtt_power_up(struct amdgpu *amdgpu)
{
	struct sqtt *sqtt = amdgpu->sqtt;

	for (unsigned i = 0; sqtt && i < sqtt->count; i++) {
		trace_forget_runs(&sqtt->traces[i]);
		sqtt->traces[i] = (struct trace){
			.die = i / amdgpu->chip.se_count,
			.se = i % amdgpu->chip.se_count,
		};
	}
	if (sqtt)
		memset(sqtt->started, 0, sizeof(sqtt->started));
}

void
sqtt_free(struct amdgpu *amdgpu)
{
	if (!amdgpu->sqtt)
		return;
	sqtt_power_up(amdgpu);
	free(amdgpu->sqtt->traces);
	free(amdgpu->sqtt);
	amdgpu->sqtt = NULL;
}

/* ---- which registers */

static bool
is_marker(const struct chip *chip, uint32_t dword)
{
	const unsigned count =
		chip->sqtt_style == SQTT_GFX9 ? MARKERS_GFX9 : MARKERS;

	return chip->reg.sqtt_userdata && dword >= chip->reg.sqtt_userdata &&
	       dword < chip->reg.sqtt_userdata + count;
}

static bool
is_control(const struct chip *chip, uint32_t dword)
{
	const struct chip_register *reg = &chip->reg;
	const uint32_t all[] = {
		reg->sqtt_base,	      reg->sqtt_base_hi, reg->sqtt_size,
		reg->sqtt_mask,	      reg->sqtt_ctrl,	 reg->sqtt_reset,
		reg->sqtt_token_mask, reg->sqtt_wptr,	 reg->sqtt_status,
		reg->sqtt_status2,    reg->sqtt_cntr,
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (dword && dword == all[i])
			return true;
	return false;
}

bool
sqtt_has_register(const struct amdgpu *amdgpu, uint32_t dword)
{
	return amdgpu->sqtt && (is_control(&amdgpu->chip, dword) ||
				is_marker(&amdgpu->chip, dword));
}

bool
sqtt_is_privileged(const struct amdgpu *amdgpu, uint32_t dword)
{
	return amdgpu->sqtt && dword < CONTEXT_START &&
	       is_control(&amdgpu->chip, dword);
}

/* ---- arming */

/*
 * Latch the buffer's registers: it begins from its start again. gfx12 goes on
 * at its pointer.
 */
static void
trace_latch(const struct amdgpu *amdgpu, struct trace *trace)
{
	const enum sqtt_style style = amdgpu->chip.sqtt_style;
	uint64_t size = trace->buffer_size, high = trace->base_hi;

	if (style != SQTT_GFX9 && style != SQTT_GFX12) {
		high = size & 0xf;
		size >>= 8;
	}
	trace->base = vm_whole_address((uint64_t)trace->base_lo << PAGE_SHIFT |
				       high << 44);
	trace->size = (size & SIZE_MASK) << PAGE_SHIFT;
	if (style == SQTT_GFX12)
		return;
	trace->position = 0;
	trace->units = 0;
}

/*
 * Return whether the end of a trace shows: only harvesting takes FINISH_DONE
 * away, and gfx9, which never has it.
 */
static bool
ends_show(const struct chip *chip, const struct trace *trace)
{
	const uint32_t whole = (1u << chip->rb_per_se) - 1;

	if (chip->sqtt_style == SQTT_GFX9 ||
	    !chip->cu_mask[trace->die][trace->se][0])
		return false;
	if (chip->sqtt_style != SQTT_GFX10_3 ||
	    !chip->doubts[DOUBT_FINISH_DONE])
		return true;
	for (unsigned se = 0; se < chip->se_count; se++)
		if (chip->rb_mask[se] != whole)
			return false;
	return true;
}

static void
check_arming(struct amdgpu *amdgpu, const struct trace *trace)
{
	const struct die_index index = die_index(amdgpu->die, &amdgpu->chip);

	if (trace->is_armed && trace->file != amdgpu->running.file)
		amdgpu_violation(amdgpu, "sqtt-taken",
				 "the thread trace of another process was "
				 "overwritten");
	if (index.all_se && amdgpu->chip.se_count > 1)
		amdgpu_violation(amdgpu, "sqtt-steering",
				 "thread traces of all engines were armed at "
				 "once, with the same buffer");
	if (!trace->base || !trace->size)
		amdgpu_violation(amdgpu, "sqtt-buffer",
				 "a thread trace was armed without a buffer");
	if (!amdgpu->pstate)
		amdgpu_violation(amdgpu, "sqtt-pstate",
				 "a thread trace was armed without a stable "
				 "pstate");
}

static void
trace_arm(struct amdgpu *amdgpu, struct trace *trace)
{
	const struct ring *ring = amdgpu->running.ring;

	check_arming(amdgpu, trace);
	trace_forget_runs(trace);
	trace->has_failed &= amdgpu->chip.sqtt_style == SQTT_GFX9;
	trace->vm = ring && ring->queue ? ring->queue->vm : NULL;
	trace->file = amdgpu->running.file;
	trace->pid = amdgpu->running.pid;
	trace->is_armed = true;
	trace->is_full = trace->is_flushed = trace->is_reported = false;
	trace->is_draining = false;
	trace->shows_end = ends_show(&amdgpu->chip, trace);
	trace->finish_at = trace->busy_until = 0;
	trace->armed_at = amdgpu->now;
	trace->clock = trace->lost = 0;
	trace->bits = 0;
	memset(trace->unit, 0, sizeof(trace->unit));
	trace->next_slot = 0;
	trace_put_header(amdgpu, trace);
}

/*
 * Disarm a trace. What has not been finished by an event is lost. Where the end
 * of that does not show, it goes on.
 */
static void
trace_disarm(struct amdgpu *amdgpu, struct trace *trace)
{
	if (!trace->is_armed)
		return;
	trace->is_armed = false;
	trace->is_draining = trace->finish_at && !trace->shows_end;
	trace_forget_runs(trace);
	if (trace->busy_until != SIM_NEVER &&
	    trace->busy_until < amdgpu->now + BUSY_NS)
		trace->busy_until = amdgpu->now + BUSY_NS;
}

static bool
turns_on(const struct amdgpu *amdgpu, uint32_t control)
{
	return control >> (amdgpu->chip.sqtt_style == SQTT_GFX9 ? 21 : 0) & 3;
}

/* ---- writing */

static void
write_control(struct amdgpu *amdgpu, struct trace *trace, uint32_t value)
{
	trace->control = value;
	if (!turns_on(amdgpu, value))
		trace_disarm(amdgpu, trace);
	else if (!trace->is_armed || trace->file != amdgpu->running.file)
		trace_arm(amdgpu, trace);
}

/*
 * Return whether a register is the one that comes last of those of the buffer.
 */
static bool
is_latch(const struct chip *chip, uint32_t dword, uint32_t value)
{
	switch (chip->sqtt_style) {
	case SQTT_GFX9:
		return dword == chip->reg.sqtt_reset && value >> 31;
	case SQTT_GFX12:
		return dword == chip->reg.sqtt_base_hi;
	default:
		return dword == chip->reg.sqtt_base;
	}
}

static void
trace_write(struct amdgpu *amdgpu, struct trace *trace, uint32_t dword,
	    uint32_t value)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	if (dword == reg->sqtt_base)
		trace->base_lo = value;
	else if (dword == reg->sqtt_base_hi)
		trace->base_hi = value;
	else if (dword == reg->sqtt_size)
		trace->buffer_size = value;
	else if (dword == reg->sqtt_mask)
		trace->mask = value;
	else if (dword == reg->sqtt_token_mask)
		trace->token_mask = value;
	else if (dword == reg->sqtt_wptr)
		trace->position = (uint64_t)(value & POINTER_MASK) * TRACE_UNIT;
	else if (dword == reg->sqtt_status)
		trace->has_failed = false;
	else if (dword == reg->sqtt_ctrl)
		write_control(amdgpu, trace, value);
	if (is_latch(&amdgpu->chip, dword, value))
		trace_latch(amdgpu, trace);
}

static bool
is_addressed(const struct amdgpu *amdgpu, const struct trace *trace)
{
	return trace->die == amdgpu->die->number &&
	       die_addressed_engines(amdgpu->die, &amdgpu->chip) >> trace->se &
		       1;
}

void
sqtt_write_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t value)
{
	if (!sqtt_has_register(amdgpu, dword))
		return;
	sqtt_advance(amdgpu, amdgpu->now);
	if (is_marker(&amdgpu->chip, dword)) {
		if (amdgpu->running.ring)
			trace_see_marker(amdgpu->running.ring, dword, value);
		return;
	}
	for (unsigned i = 0; i < amdgpu->sqtt->count; i++)
		if (is_addressed(amdgpu, &amdgpu->sqtt->traces[i]))
			trace_write(amdgpu, &amdgpu->sqtt->traces[i], dword,
				    value);
}

/* ---- reading */

static const struct trace *
addressed_trace(const struct amdgpu *amdgpu)
{
	for (unsigned i = 0; i < amdgpu->sqtt->count; i++)
		if (is_addressed(amdgpu, &amdgpu->sqtt->traces[i]))
			return &amdgpu->sqtt->traces[i];
	return NULL;
}

static bool
has_finished(const struct amdgpu *amdgpu, const struct trace *trace)
{
	return trace->finish_at && trace->finish_at <= amdgpu->now;
}

/* The fields of STATUS. */
struct status {
	uint32_t pending, done, error, busy, full;
};

static struct status
status_fields(const struct chip *chip)
{
	if (chip->sqtt_style == SQTT_GFX9)
		return (struct status){ 0x3ff, 0x3ffu << 16, 1u << 28, 1u << 30,
					1u << 31 };
	return (struct status){ 0xfff, 0xfffu << 12, 1u << 24, 1u << 25, 0 };
}

static uint32_t
trace_status(const struct amdgpu *amdgpu, const struct trace *trace)
{
	const struct status fields = status_fields(&amdgpu->chip);
	const bool is_finished = has_finished(amdgpu, trace);
	uint32_t status = 0;

	if (trace->finish_at && !is_finished)
		status |= fields.pending;
	if (is_finished && trace->shows_end)
		status |= fields.done;
	if (trace->has_failed)
		status |= fields.error;
	if (trace->is_armed || trace->busy_until > amdgpu->now)
		status |= fields.busy;
	if (trace->is_full)
		status |= fields.full;
	if (amdgpu->chip.sqtt_style >= SQTT_GFX10_3 && trace->file)
		status |= trace_vmid(trace) << 28;
	return status;
}

/*
 * Return the pointer. gfx11.0 has the address in it, of which it keeps what
 * finds room.
 */
static uint32_t
trace_pointer(const struct amdgpu *amdgpu, const struct trace *trace)
{
	uint64_t units = trace->position / TRACE_UNIT;

	if (amdgpu->chip.sqtt_style == SQTT_GFX11)
		units += trace->base / TRACE_UNIT;
	return (uint32_t)(units & POINTER_MASK);
}

static bool
trace_read(const struct amdgpu *amdgpu, const struct trace *trace,
	   uint32_t dword, uint32_t *value)
{
	const struct chip_register *reg = &amdgpu->chip.reg;

	if (dword == reg->sqtt_status)
		*value = trace_status(amdgpu, trace);
	else if (dword == reg->sqtt_status2 && reg->sqtt_status2)
		*value = trace->is_full;
	else if (dword == reg->sqtt_wptr)
		*value = trace_pointer(amdgpu, trace);
	else if (dword == reg->sqtt_cntr)
		*value = amdgpu->chip.sqtt_style == SQTT_GFX9
				 ? (uint32_t)trace->units
				 : (uint32_t)trace->lost;
	else if (dword == reg->sqtt_ctrl)
		*value = trace->control;
	else
		return false;
	return true;
}

bool
sqtt_read_register(struct amdgpu *amdgpu, uint32_t dword, uint32_t *value)
{
	const struct trace *trace;

	if (!amdgpu->sqtt || !is_control(&amdgpu->chip, dword))
		return false;
	sqtt_advance(amdgpu, amdgpu->now);
	if (die_index(amdgpu->die, &amdgpu->chip).all_se &&
	    amdgpu->chip.se_count > 1)
		amdgpu_violation(amdgpu, "broadcast-read",
				 "register 0x%x of the thread trace was read "
				 "of all engines",
				 dword * 4);
	trace = addressed_trace(amdgpu);
	if (trace)
		return trace_read(amdgpu, trace, dword, value);
	*value = JUNK;
	return true;
}

static const char *
why_no_end(const struct amdgpu *amdgpu, const struct trace *trace)
{
	if (amdgpu->chip.sqtt_style == SQTT_GFX9)
		return "gfx9 does not have it";
	if (!trace->finish_at)
		return "no THREAD_TRACE_FINISH was sent";
	if (trace->finish_at == SIM_NEVER)
		return "there was no stable pstate";
	return trace->shows_end ? NULL : "units are harvested";
}

const char *
sqtt_wait_register(const struct amdgpu *amdgpu, uint32_t dword, uint32_t mask,
		   uint64_t *until)
{
	const struct trace *trace;

	*until = SIM_NEVER;
	if (!amdgpu->sqtt || !dword || dword != amdgpu->chip.reg.sqtt_status)
		return NULL;
	trace = addressed_trace(amdgpu);
	if (!trace)
		return NULL;
	if (trace->busy_until > amdgpu->now)
		*until = trace->busy_until;
	if (trace->finish_at > amdgpu->now && trace->finish_at < *until)
		*until = trace->finish_at;
	if (mask & status_fields(&amdgpu->chip).done)
		return why_no_end(amdgpu, trace);
	return *until == SIM_NEVER && trace->finish_at == SIM_NEVER
		       ? why_no_end(amdgpu, trace)
		       : NULL;
}

/* ---- the owner */

/* Writes may still be under way to memory. */
static bool
may_write(const struct amdgpu *amdgpu, const struct trace *trace)
{
	return trace->is_armed || trace->busy_until > sim_now(amdgpu->gpu->sim);
}

bool
sqtt_is_armed(const struct amdgpu *amdgpu, uint64_t file, const struct vm *vm)
{
	for (unsigned i = 0; amdgpu->sqtt && i < amdgpu->sqtt->count; i++) {
		const struct trace *trace = &amdgpu->sqtt->traces[i];

		if (may_write(amdgpu, trace) &&
		    (trace->file == file || trace->vm == vm))
			return true;
	}
	return false;
}

/* Return whether all of a trace's buffer is mapped. */
static bool
trace_has_buffer(const struct trace *trace)
{
	uint64_t done = 0, there = 0;
	struct sim_bo *bo;

	for (; done < trace->size; done += there)
		if (!vm_at(trace->vm, trace->base + done,
			   AMDGPU_VM_PAGE_WRITEABLE, &there, &bo))
			return false;
	return true;
}

void
sqtt_check_buffers(struct amdgpu *amdgpu)
{
	for (unsigned i = 0; amdgpu->sqtt && i < amdgpu->sqtt->count; i++) {
		struct trace *trace = &amdgpu->sqtt->traces[i];

		if (!trace->vm || trace->is_reported || trace->has_failed ||
		    !may_write(amdgpu, trace) || trace_has_buffer(trace))
			continue;
		trace->is_reported = true;
		trace_violation(amdgpu, trace, "sqtt-freed",
				"the buffer of a thread trace was taken away "
				"while it may be written");
	}
}

void
sqtt_forget_vm(struct amdgpu *amdgpu, const struct vm *vm)
{
	for (unsigned i = 0; amdgpu->sqtt && i < amdgpu->sqtt->count; i++)
		if (amdgpu->sqtt->traces[i].vm == vm)
			amdgpu->sqtt->traces[i].vm = NULL;
}
