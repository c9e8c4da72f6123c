/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts as Linux 6.15 drivers/gpu/drm/xe/xe_eu_stall.c has them (Xe3p: as of
 * 2026). Names of reasons are Level Zero's, of its group EuStallSampling.
 */
#include "driver/xe/eu_stall_record.h"

#include "base/array.h"

#define COUNT_BITS 8u
/* Addresses are those of units of 8 bytes: of a compacted instruction. */
#define UNIT_SHIFT 3

enum reason {
	REASON_ACTIVE,
	REASON_SCOREBOARD,
	REASON_SEND,
	REASON_DISTANCE,
	REASON_PIPE,
	REASON_CONTROL,
	REASON_SYNC,
	REASON_FETCH,
	REASON_OTHER,
	REASON_TDR, /* the last, since Ponte Vecchio has none */
};

static const struct drmperf_sample_reason reasons[] = {
	[REASON_ACTIVE] = { "active", "the instruction was issued", true },
	[REASON_SCOREBOARD] = { "scoreboard",
				"waits for the result of a message (SBID), "
				"mostly from memory",
				false },
	[REASON_SEND] = { "send",
			  "the queue of messages to shared functions, as of "
			  "memory and samplers, is full",
			  false },
	[REASON_DISTANCE] = { "distance",
			      "waits for the result of an earlier instruction "
			      "in order, or for the accumulator",
			      false },
	[REASON_PIPE] = { "pipe", "its execution pipe is busy", false },
	[REASON_CONTROL] = { "control", "a branch or the control of threads",
			     false },
	[REASON_SYNC] = { "sync", "waits at a synchronization or a barrier",
			  false },
	[REASON_FETCH] = { "fetch",
			   "the instruction has not come from its cache",
			   false },
	[REASON_OTHER] = { "other", "any other reason", false },
	[REASON_TDR] = { "tdr",
			 "what the kernel calls TDR, which no public source "
			 "explains",
			 false },
};

/* The newest first. */
static const struct eu_stall_layout layouts[] = {
	{
		.version = 3500, /* Xe3p */
		.address_bits = 64,
		.reasons = reasons,
		.reason_count = ARRAY_SIZE(reasons),
		.first_bits = { [REASON_TDR] = 61,
				[REASON_OTHER] = 69,
				[REASON_CONTROL] = 77,
				[REASON_PIPE] = 85,
				[REASON_SEND] = 93,
				[REASON_DISTANCE] = 101,
				[REASON_SCOREBOARD] = 109,
				[REASON_SYNC] = 117,
				[REASON_FETCH] = 125,
				[REASON_ACTIVE] = 133 },
	},
	{
		.version = 2000, /* Xe2, Xe3 */
		.address_bits = 32,
		.reasons = reasons,
		.reason_count = ARRAY_SIZE(reasons),
		.first_bits = { [REASON_TDR] = 29,
				[REASON_OTHER] = 37,
				[REASON_CONTROL] = 45,
				[REASON_PIPE] = 53,
				[REASON_SEND] = 61,
				[REASON_DISTANCE] = 69,
				[REASON_SCOREBOARD] = 77,
				[REASON_SYNC] = 85,
				[REASON_FETCH] = 93,
				[REASON_ACTIVE] = 101 },
	},
	{
		.version = 1260, /* Ponte Vecchio */
		.address_bits = 32,
		.reasons = reasons,
		.reason_count = REASON_TDR,
		.first_bits = { [REASON_ACTIVE] = 29,
				[REASON_OTHER] = 37,
				[REASON_CONTROL] = 45,
				[REASON_PIPE] = 53,
				[REASON_SEND] = 61,
				[REASON_DISTANCE] = 69,
				[REASON_SCOREBOARD] = 77,
				[REASON_SYNC] = 85,
				[REASON_FETCH] = 93 },
	},
};

const struct eu_stall_layout *
eu_stall_layout_find(unsigned ip_major, unsigned ip_minor)
{
	const unsigned version = ip_major * 100 + ip_minor;

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (version >= layouts[i].version)
			return &layouts[i];
	}
	return NULL;
}

size_t
eu_stall_layout_size(const struct eu_stall_layout *layout)
{
	unsigned end = 0;

	for (unsigned i = 0; i < layout->reason_count; i++) {
		if (layout->first_bits[i] + COUNT_BITS > end)
			end = layout->first_bits[i] + COUNT_BITS;
	}
	return (end + 7) / 8;
}

/* Read at most 64 bits; count is above 0. */
static uint64_t
read_bits(const uint8_t *record, unsigned first, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++) {
		const unsigned bit = first + i;

		value |= (uint64_t)(record[bit / 8] >> bit % 8 & 1) << i;
	}
	return value;
}

/* Read a count. A count begins within a byte and ends within the next one. */
static uint32_t
read_count(const uint8_t *record, unsigned first)
{
	const unsigned byte = first / 8;

	return (uint8_t)((record[byte] | record[byte + 1] << 8) >> first % 8);
}

uint64_t
eu_stall_record_decode(const struct eu_stall_layout *layout,
		       const uint8_t *record, uint32_t *samples)
{
	const unsigned bits = layout->address_bits - UNIT_SHIFT;

	for (unsigned i = 0; i < layout->reason_count; i++)
		samples[i] = read_count(record, layout->first_bits[i]);
	return read_bits(record, 0, bits) << UNIT_SHIFT;
}
