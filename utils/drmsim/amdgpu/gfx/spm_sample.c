/* SPDX-License-Identifier: BSD-3-Clause */
/* Time goes on: counters that stream, and the samples that are written. */
#include <amdgpu_drm.h>
#include <stddef.h>
#include <string.h>

#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/spm.h"
#include "amdgpu/gfx/spm_muxsel.h"
#include "amdgpu/gfx/spm_state.h"
#include "amdgpu/gfx/vm.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/note.h"

/* The ring is brought up to date that often: its reader makes no call. */
#define REFRESH_NS 1000000u
#define JUNK 0xd00du
/* In real time the simulator writes at most LINES_AT_ONCE lines in a turn. */
#define LINES_AT_ONCE 65536u
/* An interval of MHz and ns is in thousandths of a clock. */
#define CLOCK 1000u

static bool
is_streaming(const struct amdgpu *amdgpu)
{
	return amdgpu->spm && amdgpu->spm->state == PERFMON_COUNT;
}

/* ---- the ring */

static uint8_t *
ring_line(struct amdgpu *amdgpu, uint64_t offset)
{
	struct spm *spm = amdgpu->spm;
	struct sim_bo *bo;
	uint64_t there;
	uint8_t *at = spm->vm ? vm_at(spm->vm, spm->base + offset,
				      AMDGPU_VM_PAGE_WRITEABLE, &there, &bo)
			      : NULL;

	if (at && there >= SPM_LINE)
		return at;
	spm->is_dead = true;
	spm_violation(amdgpu, "spm-fault",
		      "page fault of the RLC at 0x%llx, %s",
		      (unsigned long long)(spm->base + offset),
		      spm->vm ? "where no buffer is"
			      : "since RLC_SPM_VMID names no process");
	return NULL;
}

static uint64_t
clamp_value(unsigned mode, uint64_t value)
{
	switch (mode) {
	case SPM_16_CLAMP:
		return value < UINT16_MAX ? value : UINT16_MAX;
	case SPM_32_CLAMP:
		return value < UINT32_MAX ? value : UINT32_MAX;
	}
	return value;
}

static uint16_t
entry_value(const struct spm *spm, const struct spm_entry *entry, uint64_t time)
{
	const struct spm_counter *counter;

	switch (entry->kind) {
	case SPM_ENTRY_NOTHING:
		return 0;
	case SPM_ENTRY_JUNK:
		return JUNK;
	case SPM_ENTRY_TIME:
		return (uint16_t)(time >> entry->shift);
	case SPM_ENTRY_COUNTER:
		break;
	}
	counter = &spm->counters[entry->counter];
	return (uint16_t)(clamp_value(counter->mode, counter->value) >>
			  entry->shift);
}

static void
fill_line(const struct spm *spm, unsigned line, uint64_t time, uint8_t *to)
{
	uint16_t values[SPM_LINE_ENTRIES];

	for (unsigned i = 0; i < SPM_LINE_ENTRIES; i++) {
		size_t at = (size_t)line * SPM_LINE_ENTRIES + i;

		values[i] = at < spm->entry_count
				    ? entry_value(spm, &spm->entries[at], time)
				    : JUNK;
	}
	memcpy(to, values, sizeof(values));
}

/* Write how far the ring is written, after the sample itself. */
static void
write_header(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;
	uint32_t unit = amdgpu->chip.spm_style == SPM_GFX11 ? SPM_LINE : 1;
	uint8_t *header = ring_line(amdgpu, 0);

	if (header)
		__atomic_store_n((uint32_t *)header,
				 (uint32_t)spm->position / unit,
				 __ATOMIC_RELEASE);
}

void
spm_finish(struct amdgpu *amdgpu)
{
	if (!amdgpu->spm->is_dead)
		write_header(amdgpu);
}

static void
write_sample(struct amdgpu *amdgpu, uint64_t now)
{
	struct spm *spm = amdgpu->spm;
	uint64_t time = amdgpu_timestamp(amdgpu, now);
	const uint64_t room = spm_room(spm) * SPM_LINE;

	for (unsigned i = 0; i < spm->stride && room && !spm->is_dead; i++) {
		uint8_t *to = ring_line(amdgpu, SPM_LINE + spm->position);

		if (to)
			fill_line(spm, i, time, to);
		spm->position = (spm->position + SPM_LINE) % room;
	}
	if (!spm->is_dead && !amdgpu->chip.doubts[DOUBT_SPM_HEADER])
		write_header(amdgpu);
}

/* ---- intervals */

static void
take_sample(struct amdgpu *amdgpu, uint64_t now)
{
	struct spm *spm = amdgpu->spm;

	for (size_t i = 0; i < spm->counter_count; i++) {
		struct spm_counter *counter = &spm->counters[i];

		counter->value =
			counter->instance.counters[counter->slot].value;
		counter->instance.counters[counter->slot].value = 0;
	}
	if (!spm->is_dead)
		write_sample(amdgpu, now);
}

static void
find_paces(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;

	for (size_t i = 0; i < spm->counter_count; i++) {
		struct spm_counter *counter = &spm->counters[i];

		counter->sees = counter_sees(amdgpu, counter->block,
					     &counter->instance, counter->slot);
		if (counter->sees)
			counter->pace =
				counter_pace(amdgpu, counter->block,
					     &counter->instance, counter->slot);
	}
}

static void
count_piece(struct amdgpu *amdgpu, uint64_t from, uint64_t to)
{
	struct spm *spm = amdgpu->spm;
	struct passed passed;

	busy_passed(amdgpu, amdgpu->dies[0], from, to, &passed);
	for (size_t i = 0; i < spm->counter_count; i++) {
		struct spm_counter *counter = &spm->counters[i];

		if (counter->sees)
			counter_add_time(&amdgpu->chip, &counter->instance,
					 counter->block, counter->slot,
					 &counter->pace, &passed);
	}
}

/*
 * Return how many samples are kept of those that are due: what the ring has
 * room for, and in real time no more than take a moment.
 */
static uint64_t
count_kept(const struct amdgpu *amdgpu)
{
	const struct spm *spm = amdgpu->spm;
	uint64_t lines = spm_room(spm);

	if (!amdgpu->gpu->sim->is_virtual && lines > LINES_AT_ONCE)
		lines = LINES_AT_ONCE;
	return spm->stride ? lines / spm->stride : 0;
}

/*
 * Leave out intervals whose samples are not kept: it is as if later ones had
 * overwritten them before any program could look. A machine that is too slow
 * for so many samples gets them done so, instead of falling behind ever
 * further. Returns when the first interval begins that is not left out.
 */
static uint64_t
skip_overwritten(struct amdgpu *amdgpu, uint64_t clock, uint64_t from,
		 uint64_t to)
{
	struct spm *spm = amdgpu->spm;
	const uint64_t period = spm->interval * CLOCK / clock + 1;
	const uint64_t kept = count_kept(amdgpu);
	const uint64_t due = (to - from) / period;
	uint64_t skipped;

	if (!kept || due <= 2 * kept)
		return from;
	skipped = due - kept;
	spm->position = (spm->position + skipped * spm->stride * SPM_LINE) %
			(spm_room(spm) * SPM_LINE);
	for (size_t i = 0; i < spm->counter_count; i++) {
		struct spm_counter *counter = &spm->counters[i];

		counter->instance.counters[counter->slot].value = 0;
	}
	return from + skipped * period;
}

void
spm_count(struct amdgpu *amdgpu, uint64_t from, uint64_t to)
{
	struct spm *spm = amdgpu->spm;
	const uint64_t clock = amdgpu_sclk(amdgpu);

	if (!is_streaming(amdgpu) || !clock)
		return;
	find_paces(amdgpu);
	from = skip_overwritten(amdgpu, clock, from, to);
	while (from < to) {
		uint64_t left = spm->interval * CLOCK - spm->passed;
		uint64_t ns = (left + clock - 1) / clock;
		uint64_t end = ns < to - from ? from + ns : to;

		count_piece(amdgpu, from, end);
		spm->passed += (end - from) * clock;
		from = end;
		if (spm->passed < spm->interval * CLOCK)
			continue;
		spm->passed -= spm->interval * CLOCK;
		take_sample(amdgpu, end);
	}
}

void
spm_add_work(struct amdgpu *amdgpu, const struct dispatch *work)
{
	struct spm *spm = amdgpu->spm;

	if (!is_streaming(amdgpu))
		return;
	for (size_t i = 0; i < spm->counter_count; i++) {
		struct spm_counter *counter = &spm->counters[i];

		if (counter_sees(amdgpu, counter->block, &counter->instance,
				 counter->slot))
			counter_add_work(amdgpu, counter->block,
					 &counter->instance, counter->slot,
					 work);
	}
}

uint64_t
spm_next(const struct amdgpu *amdgpu)
{
	const uint64_t next = amdgpu->counted + REFRESH_NS;
	const uint64_t now = sim_now(amdgpu->gpu->sim);

	if (!is_streaming(amdgpu))
		return SIM_NEVER;
	/* moments that are missed are made up for at once */
	return now < next ? next : now - (now - next) % REFRESH_NS;
}
