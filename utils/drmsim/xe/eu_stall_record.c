/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts: Linux 6.15 xe_eu_stall.c, that of Xe3p of 2026. */
#include "xe/eu_stall_record.h"

#include <errno.h>
#include <string.h>

#include "base/word.h"

/*
 * Bits that no field covers may hold anything: no reader should rely on them.
 */
#define UNUSED 0xa5

#define NOWHERE 0xff

#define COUNT_BITS 8
#define EX_ID_BITS 3

/* First bits of the fields; a field may go on in the next word. */
struct stall_layout {
	uint8_t ip_bits, counts[SIM_EU_REASONS], ex_id, end_flag;
};

static const struct stall_layout ponte_vecchio = {
	.ip_bits = 29,
	.counts = {
		[SIM_EU_ACTIVE] = 29,
		[SIM_EU_TDR] = NOWHERE,
		[SIM_EU_OTHER] = 37,
		[SIM_EU_CONTROL] = 45,
		[SIM_EU_PIPESTALL] = 53,
		[SIM_EU_SEND] = 61,
		[SIM_EU_DIST_ACC] = 69,
		[SIM_EU_SBID] = 77,
		[SIM_EU_SYNC] = 85,
		[SIM_EU_INST_FETCH] = 93,
	},
	.ex_id = NOWHERE,
	.end_flag = NOWHERE,
};

static const struct stall_layout xe2 = {
	.ip_bits = 29,
	.counts = {
		[SIM_EU_TDR] = 29,
		[SIM_EU_OTHER] = 37,
		[SIM_EU_CONTROL] = 45,
		[SIM_EU_PIPESTALL] = 53,
		[SIM_EU_SEND] = 61,
		[SIM_EU_DIST_ACC] = 69,
		[SIM_EU_SBID] = 77,
		[SIM_EU_SYNC] = 85,
		[SIM_EU_INST_FETCH] = 93,
		[SIM_EU_ACTIVE] = 101,
	},
	.ex_id = 109,
	.end_flag = 112,
};

static const struct stall_layout xe3p = {
	.ip_bits = 61,
	.counts = {
		[SIM_EU_TDR] = 61,
		[SIM_EU_OTHER] = 69,
		[SIM_EU_CONTROL] = 77,
		[SIM_EU_PIPESTALL] = 85,
		[SIM_EU_SEND] = 93,
		[SIM_EU_DIST_ACC] = 101,
		[SIM_EU_SBID] = 109,
		[SIM_EU_SYNC] = 117,
		[SIM_EU_INST_FETCH] = 125,
		[SIM_EU_ACTIVE] = 133,
	},
	.ex_id = 141,
	.end_flag = 144,
};

static const struct stall_layout *
layout_of(unsigned version)
{
	if (version >= 3500)
		return &xe3p;
	return version >= 2000 ? &xe2 : &ponte_vecchio;
}

int
sim_eu_stall_reason_parse(const char *name)
{
	static const char *const names[SIM_EU_REASONS] = {
		[SIM_EU_ACTIVE] = "active",
		[SIM_EU_TDR] = "tdr",
		[SIM_EU_OTHER] = "other",
		[SIM_EU_CONTROL] = "control",
		[SIM_EU_PIPESTALL] = "pipestall",
		[SIM_EU_SEND] = "send",
		[SIM_EU_DIST_ACC] = "dist_acc",
		[SIM_EU_SBID] = "sbid",
		[SIM_EU_SYNC] = "sync",
		[SIM_EU_INST_FETCH] = "inst_fetch",
	};

	return sim_word_find(name, names, SIM_EU_REASONS);
}

int
sim_eu_stall_row_check(const struct sim_eu_stall_row *row, unsigned version)
{
	const struct stall_layout *layout = layout_of(version);

	if (row->ip >> layout->ip_bits || row->ex_id >> EX_ID_BITS)
		return -EINVAL;
	if (row->ex_id && layout->ex_id == NOWHERE)
		return -EINVAL;
	for (unsigned r = 0; r < SIM_EU_REASONS; r++) {
		if (row->counts[r] && layout->counts[r] == NOWHERE)
			return -EINVAL;
	}
	return 0;
}

static void
put_bits(uint8_t *out, unsigned at, unsigned bits, uint64_t value)
{
	for (unsigned b = 0; b < bits; b++, at++) {
		uint8_t bit = (uint8_t)(1u << at % 8);

		if (value >> b & 1)
			out[at / 8] |= bit;
		else
			out[at / 8] &= (uint8_t)~bit;
	}
}

void
sim_eu_stall_row_write(const struct sim_eu_stall_row *row, unsigned version,
		       uint8_t out[SIM_EU_STALL_BYTES])
{
	const struct stall_layout *layout = layout_of(version);

	memset(out, UNUSED, SIM_EU_STALL_BYTES);
	put_bits(out, 0, layout->ip_bits, row->ip);
	for (unsigned r = 0; r < SIM_EU_REASONS; r++) {
		if (layout->counts[r] != NOWHERE)
			put_bits(out, layout->counts[r], COUNT_BITS,
				 row->counts[r]);
	}
	if (layout->ex_id != NOWHERE)
		put_bits(out, layout->ex_id, EX_ID_BITS, row->ex_id);
	if (layout->end_flag != NOWHERE)
		put_bits(out, layout->end_flag, 1, 1);
}
