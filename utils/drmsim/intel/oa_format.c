/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/oa_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define U32(bank, from, to, at)                                                \
	{                                                                      \
		.slot = SIM_OA_##bank, .first = from, .last = to,              \
		.offset = at, .stride = 4, .bits = 32                          \
	}
#define U40(bank, from, to, at, above)                                         \
	{                                                                      \
		.slot = SIM_OA_##bank, .first = from, .last = to,              \
		.offset = at, .stride = 4, .bits = 40, .high = above           \
	}
#define U64(bank, from, to, at)                                                \
	{                                                                      \
		.slot = SIM_OA_##bank, .first = from, .last = to,              \
		.offset = at, .stride = 8, .bits = 64                          \
	}

static const struct sim_oa_run a13[] = { U32(A, 0, 12, 12) };
static const struct sim_oa_run a29[] = { U32(A, 0, 28, 12) };
static const struct sim_oa_run a13_b8_c8[] = { U32(A, 0, 12, 12),
					       U32(B, 0, 7, 64),
					       U32(C, 0, 7, 96) };
static const struct sim_oa_run b4_c8[] = { U32(B, 0, 3, 16), U32(C, 0, 7, 32) };
static const struct sim_oa_run a45_b8_c8[] = { U32(A, 0, 44, 12),
					       U32(B, 0, 7, 192),
					       U32(C, 0, 7, 224) };
/* Where the A block lies here is not certain: no metric set uses it. */
static const struct sim_oa_run b4_c8_a16[] = { U32(B, 0, 3, 16),
					       U32(C, 0, 7, 32),
					       U32(A, 29, 44, 64) };
static const struct sim_oa_run c4_b8[] = { U32(C, 0, 3, 16), U32(B, 0, 7, 32) };
/* Offsets of A12 are not certain either: no metric set uses it. */
const struct sim_oa_run sim_oa_a12[1] = { U32(A, 7, 18, 16) };
const struct sim_oa_run sim_oa_a12_b8_c8[3] = { U32(A, 7, 18, 16),
						U32(B, 0, 7, 64),
						U32(C, 0, 7, 96) };
const struct sim_oa_run sim_oa_a32u40[4] = { U40(A, 0, 31, 16, 160),
					     U32(A, 32, 35, 144),
					     U32(B, 0, 7, 192),
					     U32(C, 0, 7, 224) };
/* A36 and A37 live in bytes that would be high ones of 32-bit counters. */
const struct sim_oa_run sim_oa_a24u40[9] = {
	U32(A, 0, 3, 16),	  U40(A, 4, 23, 32, 164), U32(A, 24, 27, 112),
	U40(A, 28, 31, 128, 188), U32(A, 32, 35, 144),	  U32(A, 36, 36, 160),
	U32(A, 37, 37, 184),	  U32(B, 0, 7, 192),	  U32(C, 0, 7, 224)
};
static const struct sim_oa_run mpec8u64_b8_c8[] = { U64(M, 0, 7, 32),
						    U32(B, 0, 7, 96),
						    U32(C, 0, 7, 128) };
static const struct sim_oa_run mpec8u32_b8_c8[] = { U32(M, 0, 7, 32),
						    U32(B, 0, 7, 64),
						    U32(C, 0, 7, 96) };

#define RUNS(array) .runs = array, .run_count = ARRAY_SIZE(array)

static const struct sim_oa_format formats[] = {
	{ 1, "A13", 64, .haswell = true, RUNS(a13) },
	{ 2, "A29", 128, .haswell = true, RUNS(a29) },
	{ 3, "A13_B8_C8", 128, .haswell = true, RUNS(a13_b8_c8) },
	{ 4, "B4_C8", 64, .haswell = true, RUNS(b4_c8) },
	{ 5, "A45_B8_C8", 256, .haswell = true, RUNS(a45_b8_c8) },
	{ 6, "B4_C8_A16", 128, .haswell = true, RUNS(b4_c8_a16) },
	{ 7, "C4_B8", 64, .haswell = true, RUNS(c4_b8) },
	{ 7, "C4_B8", 64, RUNS(c4_b8) },
	{ 8, "A12", 64, RUNS(sim_oa_a12) },
	{ 9, "A12_B8_C8", 128, RUNS(sim_oa_a12_b8_c8) },
	{ 10, "A32u40_A4u32_B8_C8", 256, RUNS(sim_oa_a32u40) },
	{ 11, "OAR_A32u40_A4u32_B8_C8", 256, RUNS(sim_oa_a32u40) },
	{ 12, "A24u40_A14u32_B8_C8", 256, RUNS(sim_oa_a24u40) },
	{ 13, "OAM_MPEC8u64_B8_C8", 192, .wide = true, RUNS(mpec8u64_b8_c8) },
	{ 14, "OAM_MPEC8u32_B8_C8", 128, .wide = true, RUNS(mpec8u32_b8_c8) },
};

const struct sim_oa_format *
sim_oa_format_find(unsigned number, bool haswell)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (formats[i].number == number &&
		    formats[i].haswell == haswell)
			return &formats[i];
	}
	return NULL;
}

static void
put_bits(uint8_t *at, uint64_t value, unsigned bits)
{
	for (unsigned shift = 0; shift < bits; shift += 8)
		*at++ = (uint8_t)(value >> shift);
}

static void
write_run(const struct sim_oa_run *run, const uint64_t *values, uint8_t *out)
{
	for (unsigned i = run->first; i <= run->last; i++) {
		unsigned n = i - run->first;
		uint64_t value = values[run->slot + i];

		put_bits(out + run->offset + n * run->stride, value,
			 run->bits == 64 ? 64 : 32);
		if (run->bits == 40)
			out[run->high + n] = (uint8_t)(value >> 32);
	}
}

void
sim_oa_format_write(const struct sim_oa_format *format,
		    const struct sim_oa_header *header, const uint64_t *values,
		    uint8_t *out)
{
	memset(out, 0, format->size);
	if (format->wide) {
		put_bits(out, header->id, 64);
		put_bits(out + 8, header->timestamp, 64);
		put_bits(out + 16, header->context, 32);
		put_bits(out + 24, values[SIM_OA_CLOCK], 64);
	} else {
		put_bits(out, header->id, 32);
		put_bits(out + 4, header->timestamp, 32);
		put_bits(out + 8, header->context, 32);
		if (!format->haswell)
			put_bits(out + 12, values[SIM_OA_CLOCK], 32);
	}
	for (size_t i = 0; i < format->run_count; i++)
		write_run(&format->runs[i], values, out);
}

int
sim_oa_slot_parse(const char *name)
{
	static const struct {
		char letter;
		int first, count;
	} banks[] = {
		{ 'A', SIM_OA_A, SIM_OA_A_COUNT },
		{ 'B', SIM_OA_B, SIM_OA_B_COUNT },
		{ 'C', SIM_OA_C, SIM_OA_C_COUNT },
		{ 'M', SIM_OA_M, SIM_OA_M_COUNT },
		{ 'P', SIM_OA_P, SIM_OA_P_COUNT },
	};
	char *end;
	unsigned long index;

	if (strcmp(name, "clock") == 0)
		return SIM_OA_CLOCK;
	for (size_t i = 0; i < ARRAY_SIZE(banks); i++) {
		if (name[0] != banks[i].letter || name[1] < '0' ||
		    name[1] > '9')
			continue;
		index = strtoul(name + 1, &end, 10);
		if (*end || index >= (unsigned long)banks[i].count)
			return -EINVAL;
		return banks[i].first + (int)index;
	}
	return -EINVAL;
}
