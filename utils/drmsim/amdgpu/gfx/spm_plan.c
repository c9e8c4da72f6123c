/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in a sample, from the registers and muxsels at the start. */
#include <stdlib.h>

#include "amdgpu/gfx/chip.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/spm_muxsel.h"
#include "amdgpu/gfx/spm_state.h"
#include "amdgpu/gfx/vm.h"
#include "machine/note.h"

#define GLOBAL 0u
#define INTERVAL_MIN 32u
#define RING_MODE_MASK 0x3000u
#define TIME_ENTRIES 4u

void
spm_forget_plan(struct spm *spm)
{
	free(spm->entries);
	free(spm->counters);
	spm->entries = NULL;
	spm->counters = NULL;
	spm->entry_count = spm->counter_count = 0;
}

static uint32_t
register_value(const struct amdgpu *amdgpu, uint32_t dword)
{
	return dword ? amdgpu->die->registers[dword] : 0;
}

/* ---- the ring and the sizes of segments */

static void
read_ring(struct amdgpu *amdgpu)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	uint32_t control = register_value(amdgpu, reg->spm_perfmon_cntl);
	const uint64_t high =
		register_value(amdgpu, reg->spm_ring_base_hi) & 0xffff;
	struct spm *spm = amdgpu->spm;

	spm->base = vm_whole_address(
		high << 32 | register_value(amdgpu, reg->spm_ring_base_lo));
	spm->size = register_value(amdgpu, reg->spm_ring_size);
	spm->interval = control >> 16;
	if (spm->base % SPM_LINE || spm->size % SPM_LINE || !spm_room(spm))
		spm_violation(amdgpu, "spm-ring",
			      "the ring at 0x%llx, %llu bytes, has no whole "
			      "lines",
			      (unsigned long long)spm->base,
			      (unsigned long long)spm->size);
	if (spm->interval < INTERVAL_MIN)
		spm_violation(amdgpu, "spm-interval",
			      "samples are taken every %llu clocks",
			      (unsigned long long)spm->interval);
	if (control & RING_MODE_MASK)
		spm_violation(amdgpu, "spm-ring",
			      "the ring stalls when it is full: only the "
			      "kernel can move its read pointer");
	if (register_value(amdgpu, reg->spm_accum_mode))
		spm_violation(amdgpu, "spm-accum", "RLC_SPM_ACCUM_MODE is 0x%x",
			      register_value(amdgpu, reg->spm_accum_mode));
	spm->base -= spm->base % SPM_LINE;
	spm->size -= spm->size % SPM_LINE;
	if (spm->interval < INTERVAL_MIN)
		spm->interval = INTERVAL_MIN;
}

/*
 * Read the sizes: a short form in one register, for three engines, or else two
 * registers.
 */
static unsigned
read_sizes_gfx10(const struct amdgpu *amdgpu)
{
	const struct chip_register *reg = &amdgpu->chip.reg;
	const uint32_t packed = register_value(amdgpu, reg->spm_segment_size);
	const uint32_t engines =
		register_value(amdgpu, reg->spm_se3to0_segment_size);
	const uint32_t sums = register_value(amdgpu, reg->spm_glb_segment_size);
	struct spm *spm = amdgpu->spm;

	spm->segments[GLOBAL].lines =
		packed ? packed >> 11 & 0x1f : sums >> 8 & 0xff;
	for (unsigned se = 0; se + 1 < spm->segment_count; se++) {
		unsigned shift = packed ? 16 + 5 * se : 8 * se;
		uint32_t mask = packed ? 0x1f : 0xff;
		bool fits = se < (packed ? 3 : 4);

		spm->segments[1 + se].lines =
			fits ? (packed ? packed : engines) >> shift & mask : 0;
	}
	return packed ? packed & 0xff : sums & 0xff;
}

/*
 * Read the sizes: the short form alone; a fourth engine has the rest of a
 * sample.
 */
static unsigned
read_sizes_gfx9(const struct amdgpu *amdgpu)
{
	const uint32_t packed =
		register_value(amdgpu, amdgpu->chip.reg.spm_segment_size);
	const unsigned total = packed & 0xff;
	struct spm *spm = amdgpu->spm;
	unsigned sum = packed >> 11 & 0x1f;

	spm->segments[GLOBAL].lines = sum;
	for (unsigned se = 0; se + 1 < spm->segment_count; se++) {
		unsigned rest = total > sum ? total - sum : 0;
		unsigned lines = se < 3 ? packed >> (16 + 5 * se) & 0x1f : rest;

		spm->segments[1 + se].lines = lines;
		sum += lines;
	}
	return total;
}

/* Read the sizes: all engines have as many lines as the one that has most. */
static unsigned
read_sizes_gfx11(const struct amdgpu *amdgpu)
{
	const uint32_t sizes =
		register_value(amdgpu, amdgpu->chip.reg.spm_segment_size);
	struct spm *spm = amdgpu->spm;

	for (unsigned i = 0; i < spm->segment_count; i++)
		spm->segments[i].lines =
			sizes >> (i == GLOBAL ? 16 : 24) & 0xff;
	return sizes & 0xffff;
}

static unsigned
read_segments(const struct amdgpu *amdgpu)
{
	switch (amdgpu->chip.spm_style) {
	case SPM_NONE:
		break;
	case SPM_GFX9:
		return read_sizes_gfx9(amdgpu);
	case SPM_GFX10:
		return read_sizes_gfx10(amdgpu);
	case SPM_GFX11:
	case SPM_GFX12:
		return read_sizes_gfx11(amdgpu);
	}
	return 0;
}

static void
read_sizes(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;
	unsigned sum = 0;

	spm->stride = read_segments(amdgpu);
	for (unsigned i = 0; i < spm->segment_count; i++) {
		struct spm_segment *segment = &spm->segments[i];
		unsigned most = (segment->address_mask + 1) / SPM_LINE_DWORDS;

		if (segment->lines > most) {
			spm_violation(amdgpu, "spm-segment",
				      "segment %u has %u lines, of which the "
				      "muxsel holds %u",
				      i, segment->lines, most);
			segment->lines = most;
		}
		sum += segment->lines;
	}
	if (sum != spm->stride || !sum)
		spm_violation(amdgpu, "spm-segment",
			      "segments have %u lines, samples %u", sum,
			      spm->stride);
	if (spm->stride && spm_room(spm) % spm->stride)
		spm_violation(amdgpu, "spm-ring",
			      "samples of %u lines do not fill the ring of "
			      "%llu lines",
			      spm->stride, (unsigned long long)spm_room(spm));
}

/* ---- counters */

/* Return the number of a counter of the plan, which is added if needed. */
static unsigned
plan_counter(struct spm *spm, const struct muxsel_lane *lane,
	     const struct muxsel_counter *found)
{
	const bool is_odd = lane->is_odd && found->mode < SPM_32_CLAMP;
	struct spm_counter *counter;
	unsigned i = 0;

	for (; i < spm->counter_count; i++) {
		counter = &spm->counters[i];
		if (counter->block == lane->block &&
		    counter->instance.number == lane->instance->number &&
		    counter->wire == lane->wire && counter->is_odd == is_odd)
			break;
	}
	counter = &spm->counters[i];
	if (i == spm->counter_count) {
		spm->counter_count++;
		*counter = (struct spm_counter){
			.block = lane->block,
			.instance = *lane->instance,
			.slot = found->slot,
			.mode = found->mode,
			.wire = lane->wire,
			.is_odd = is_odd,
		};
		counter->instance.counters[found->slot] = (struct counter){
			.chosen = found->select,
			.simds = found->simds,
			.programmed = true,
		};
	}
	counter->lanes |= 1u << lane->is_odd;
	return i;
}

static struct spm_entry
junk_entry(void)
{
	return (struct spm_entry){ .kind = SPM_ENTRY_JUNK };
}

/*
 * Return whether a lane streams. Blocks without modules have counters of 32
 * bits only.
 */
static bool
lane_streams(const struct muxsel_lane *lane, const struct muxsel_counter *found)
{
	const struct slot *slot = &lane->block->slots[found->slot];

	if (!slot->select1 && found->mode < SPM_32_CLAMP)
		return false;
	return found->mode > SPM_OFF && found->mode < SPM_MODES;
}

static struct spm_entry
plan_lane(struct amdgpu *amdgpu, const struct muxsel_lane *lane)
{
	struct muxsel_counter found;
	struct spm_entry entry = { .kind = SPM_ENTRY_COUNTER };

	if (!lane->instance->present)
		return junk_entry();
	if (!muxsel_counter(lane, &found) || !lane_streams(lane, &found)) {
		spm_violation(amdgpu, "spm-mode",
			      "no counter of %s streams on wire %u",
			      lane->block->name, lane->wire);
		return junk_entry();
	}
	entry.counter = plan_counter(amdgpu->spm, lane, &found);
	entry.shift = found.mode >= SPM_32_CLAMP && lane->is_odd ? 16 : 0;
	return entry;
}

/*
 * Plan an entry. Lines take turns: even lanes in the first one, odd lanes in
 * the next.
 */
static struct spm_entry
plan_entry(struct amdgpu *amdgpu, unsigned segment, unsigned at, uint32_t value)
{
	struct chip *chip = &amdgpu->chip;
	int quarter = segment == GLOBAL ? muxsel_time(chip, value, at) : -1;
	struct muxsel_lane lane;

	if (quarter >= 0)
		return (struct spm_entry){ .kind = SPM_ENTRY_TIME,
					   .shift = 16 * (unsigned)quarter };
	if (!muxsel_find(chip, value, (int)segment - 1, &lane)) {
		spm_violation(amdgpu, "spm-muxsel",
			      "entry %u of segment %u is 0x%x, which names no "
			      "lane",
			      at, segment, value);
		return junk_entry();
	}
	if (lane.is_odd != at / SPM_LINE_ENTRIES % 2) {
		spm_violation(amdgpu, "spm-muxsel",
			      "entry %u of segment %u is 0x%x, of %s: lines of "
			      "even lanes and of odd ones take turns",
			      at, segment, value, lane.block->name);
		return junk_entry();
	}
	return plan_lane(amdgpu, &lane);
}

/* Return whether an entry holds nothing: 0, as drivers leave those unused. */
static bool
is_unused(unsigned segment, unsigned at, uint32_t value)
{
	return !value && !(segment == GLOBAL && at < TIME_ENTRIES);
}

/* Return whether the file that streams has written a line of the muxsel. */
static bool
is_written(const struct spm *spm, unsigned segment, unsigned line)
{
	return spm->segments[segment].writers[line] == spm->user;
}

/*
 * Return whether a line is there for another engine, which has more: where all
 * engines have as many lines as the one that has most.
 */
static bool
is_filler(const struct amdgpu *amdgpu, unsigned segment, unsigned line)
{
	const struct spm *spm = amdgpu->spm;

	if (segment == GLOBAL || amdgpu->chip.spm_style < SPM_GFX11)
		return false;
	for (unsigned i = GLOBAL + 1; i < spm->segment_count; i++)
		if (is_written(spm, i, line))
			return true;
	return false;
}

static void
plan_line(struct amdgpu *amdgpu, unsigned segment, unsigned line)
{
	struct spm *spm = amdgpu->spm;
	const uint32_t *memory = spm->segments[segment].memory;
	bool is_known = is_written(spm, segment, line);

	if (!is_known && !is_filler(amdgpu, segment, line))
		spm_violation(amdgpu, "spm-muxsel",
			      "line %u of segment %u was not written", line,
			      segment);
	for (unsigned i = 0; i < SPM_LINE_ENTRIES; i++) {
		unsigned at = line * SPM_LINE_ENTRIES + i;
		uint32_t value = memory[at / 2] >> 16 * (at % 2) & 0xffff;
		struct spm_entry entry = { .kind = SPM_ENTRY_NOTHING };

		if (!is_known)
			entry = junk_entry();
		else if (!is_unused(segment, at, value))
			entry = plan_entry(amdgpu, segment, at, value);
		spm->entries[spm->entry_count++] = entry;
	}
}

static void
check_time(struct amdgpu *amdgpu)
{
	const struct spm *spm = amdgpu->spm;
	unsigned quarters = 0;

	for (size_t i = 0; i < spm->entry_count; i++)
		quarters += spm->entries[i].kind == SPM_ENTRY_TIME;
	if (quarters != TIME_ENTRIES)
		spm_violation(amdgpu, "spm-time",
			      "samples have %u quarters of a time stamp",
			      quarters);
}

static void
check_lanes(struct amdgpu *amdgpu)
{
	const struct spm *spm = amdgpu->spm;

	for (size_t i = 0; i < spm->counter_count; i++)
		if (spm->counters[i].mode >= SPM_32_CLAMP &&
		    spm->counters[i].lanes != 3)
			spm_violation(amdgpu, "spm-muxsel",
				      "of a counter of %s, 32 bits, only half "
				      "is sampled",
				      spm->counters[i].block->name);
}

void
spm_plan_samples(struct amdgpu *amdgpu)
{
	struct spm *spm = amdgpu->spm;
	size_t entries = 0;

	spm_forget_plan(spm);
	read_ring(amdgpu);
	read_sizes(amdgpu);
	for (unsigned i = 0; i < spm->segment_count; i++)
		entries += spm->segments[i].lines * SPM_LINE_ENTRIES;
	spm->entries = calloc(entries + 1, sizeof(*spm->entries));
	spm->counters = calloc(entries + 1, sizeof(*spm->counters));
	if (!spm->entries || !spm->counters) {
		spm_forget_plan(spm);
		return;
	}
	for (unsigned i = 0; i < spm->segment_count; i++)
		for (unsigned line = 0; line < spm->segments[i].lines; line++)
			plan_line(amdgpu, i, line);
	check_time(amdgpu);
	check_lanes(amdgpu);
}
