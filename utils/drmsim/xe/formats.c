/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/formats.h"

#include <limits.h>
#include <stddef.h>

#include "base/array.h"
#include "intel/oa_format.h"

/* Types of formats. */
#define OAG 0
#define OAR 1
#define MPEC 4
#define PEC 5

#define RUN(bank, from, to, at, width)                                         \
	{                                                                      \
		.slot = SIM_OA_##bank, .first = from, .last = to,              \
		.offset = at, .stride = (width) / 8, .bits = width             \
	}
#define RUNS(array) .runs = array, .run_count = ARRAY_SIZE(array)

static const struct sim_oa_run mpec8u64[] = { RUN(M, 0, 7, 32, 64),
					      RUN(B, 0, 7, 96, 32),
					      RUN(C, 0, 7, 128, 32) };
static const struct sim_oa_run mpec8u32[] = { RUN(M, 0, 7, 32, 32),
					      RUN(B, 0, 7, 64, 32),
					      RUN(C, 0, 7, 96, 32) };
static const struct sim_oa_run pec64u64[] = { RUN(P, 0, 63, 32, 64) };
static const struct sim_oa_run pec64u64_b8_c8[] = { RUN(P, 0, 63, 32, 64),
						    RUN(B, 0, 7, 544, 32),
						    RUN(C, 0, 7, 576, 32) };
static const struct sim_oa_run pec64u32[] = { RUN(P, 0, 63, 32, 32) };
static const struct sim_oa_run pec32u64_g1[] = { RUN(P, 0, 31, 32, 64) };
static const struct sim_oa_run pec32u32_g1[] = { RUN(P, 0, 31, 32, 32) };
static const struct sim_oa_run pec32u64_g2[] = { RUN(P, 32, 63, 32, 64) };
static const struct sim_oa_run pec32u32_g2[] = { RUN(P, 32, 63, 32, 32) };
static const struct sim_oa_run pec36u64_g1[] = { RUN(P, 0, 35, 32, 64) };
/* The order is not documented by any source. */
static const struct sim_oa_run pec36u64_g2[] = { RUN(P, 0, 3, 32, 64),
						 RUN(P, 32, 63, 64, 64) };

/* number: type, select, counter size and bc report, a byte each */
#define FORMAT(type, select, size, bc)                                         \
	((type) | (select) << 8 | (size) << 16 | (bc) << 24)

/* Graphics versions in hundredths, from first on up to before end. */
struct format_list {
	unsigned first, end;
	const struct sim_oa_format *formats;
	size_t count;
};

static const struct sim_oa_format gen12_formats[] = {
	/* its place in the kernel's list is 0, which in the end means none */
	{ .number = FORMAT(OAG, 7, 0, 0), .name = "C4_B8" },
	{ FORMAT(OAG, 0, 0, 0), "A12", 64, RUNS(sim_oa_a12) },
	{ FORMAT(OAG, 2, 0, 0), "A12_B8_C8", 128, RUNS(sim_oa_a12_b8_c8) },
	{ FORMAT(OAG, 5, 0, 0), "A32u40_A4u32_B8_C8", 256,
	  RUNS(sim_oa_a32u40) },
};

static const struct sim_oa_format xehp_formats[] = {
	{ FORMAT(OAR, 5, 0, 0), "A32u40_A4u32_B8_C8", 256,
	  RUNS(sim_oa_a32u40) },
	{ FORMAT(OAG, 5, 0, 0), "A24u40_A14u32_B8_C8", 256,
	  RUNS(sim_oa_a24u40) },
};

static const struct sim_oa_format xelpg_formats[] = {
	{ FORMAT(OAR, 5, 0, 0), "A32u40_A4u32_B8_C8", 256,
	  RUNS(sim_oa_a32u40) },
	{ FORMAT(OAG, 5, 0, 0), "A24u40_A14u32_B8_C8", 256,
	  RUNS(sim_oa_a24u40) },
	{ FORMAT(MPEC, 1, 0, 0), "MPEC8u64_B8_C8", 192, .wide = true,
	  RUNS(mpec8u64) },
	{ FORMAT(MPEC, 2, 0, 0), "MPEC8u32_B8_C8", 128, .wide = true,
	  RUNS(mpec8u32) },
};

static const struct sim_oa_format xe2_formats[] = {
	{ FORMAT(MPEC, 1, 0, 0), "MPEC8u64_B8_C8", 192, .wide = true,
	  RUNS(mpec8u64) },
	{ FORMAT(MPEC, 2, 0, 0), "MPEC8u32_B8_C8", 128, .wide = true,
	  RUNS(mpec8u32) },
	{ FORMAT(PEC, 1, 1, 0), "PEC64u64", 576, .wide = true, RUNS(pec64u64) },
	{ FORMAT(PEC, 1, 1, 1), "PEC64u64_B8_C8", 640, .wide = true,
	  RUNS(pec64u64_b8_c8) },
	{ FORMAT(PEC, 1, 0, 0), "PEC64u32", 320, .wide = true, RUNS(pec64u32) },
	{ FORMAT(PEC, 5, 1, 0), "PEC32u64_G1", 320, .wide = true,
	  RUNS(pec32u64_g1) },
	{ FORMAT(PEC, 5, 0, 0), "PEC32u32_G1", 192, .wide = true,
	  RUNS(pec32u32_g1) },
	{ FORMAT(PEC, 6, 1, 0), "PEC32u64_G2", 320, .wide = true,
	  RUNS(pec32u64_g2) },
	{ FORMAT(PEC, 6, 0, 0), "PEC32u32_G2", 192, .wide = true,
	  RUNS(pec32u32_g2) },
	{ FORMAT(PEC, 3, 1, 0), "PEC36u64_G1_32_G2_4", 320, .wide = true,
	  RUNS(pec36u64_g1) },
	{ FORMAT(PEC, 4, 1, 0), "PEC36u64_G1_4_G2_32", 320, .wide = true,
	  RUNS(pec36u64_g2) },
};

#define LIST(first, end, array)                                                \
	{                                                                      \
		first, end, array, ARRAY_SIZE(array)                           \
	}

static const struct format_list lists[] = {
	LIST(1200, 1255, gen12_formats),
	LIST(1255, 1270, xehp_formats),
	LIST(1270, 2000, xelpg_formats),
	LIST(2000, UINT_MAX, xe2_formats),
};

static const struct sim_oa_format *
find_format(const struct format_list *list, uint64_t value)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->formats[i].number == (uint32_t)value)
			return &list->formats[i];
	}
	return NULL;
}

const struct sim_oa_format *
sim_xe_format_find(uint64_t value, unsigned version)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (version >= lists[i].first && version < lists[i].end)
			return find_format(&lists[i], value);
	}
	return NULL;
}

bool
sim_xe_format_suits(const struct sim_oa_format *format,
		    enum sim_xe_unit_type type)
{
	/* of the memory fabric's reports one kind is right [Wa_14026746987] */
	if (type == SIM_XE_MERT)
		return format->number == FORMAT(MPEC, 2, 0, 0);
	return ((format->number & 0xff) == MPEC) == (type != SIM_XE_OAG);
}
