/* SPDX-License-Identifier: BSD-3-Clause */
/* Command buffers of traces, and which generations have them. */
#include "driver/amdgpu/trace/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

/* Bits from 44 on have a register of their own, or a field. */
#define DATA UINT64_C(0x800012345000)
#define SIZE UINT64_C(0x10000)
#define CELLS UINT64_C(0x100001000)
#define BEGUN UINT64_C(0x100002000)

/* ------------------------------------------------------------------ */
/* Pieces of command buffers                                            */

#define OLD(offset, value) 0xc0017900, ((offset)-0x30000) / 4, (value)
#define NEW(offset, value) 0xc0017904, ((offset)-0x30000) / 4, (value)
#define COPY(offset, value) 0xc0044000, 0x100405, (value), 0, (offset) / 4, 0
#define STORE(offset, engine, member)                                          \
	0xc0044000, 0x100504, (offset) / 4, 0,                                 \
		0x1000 + 16 * (engine) + 4 * (member), 1
#define FOUND_CLOCK(offset) 0xc0044000, 0x100504, (offset) / 4, 0, 0x2008, 1
#define TIME 0xc0044000, 0x110509, 0, 0, 0x2000, 1
#define MODIFY(offset, mask, value)                                            \
	0xc0022100, (offset) / 4, ~UINT32_C(mask), (value)
#define EVENT(event) 0xc0004600, (event)
#define IDLE EVENT(0x407), EVENT(0x40f), EVENT(0x410), 0xc0004200, 0
#define OLD_REFRESH 0xc0055800, 0x28400000, 0xffffffff, 0xffffff, 0, 0, 4
#define REFRESH 0xc0065800, 0, 0xffffffff, 0xffffff, 0, 0, 4, 0x381
#define WINDOW(value) 0xc0003d00, (value)
#define INDEX 0x30800
#define ALL_ENGINES 0xe0000000
#define FINISH IDLE, EVENT(0x34), EVENT(0x37), IDLE

#define ARM9(engine, base, unit)                                               \
	OLD(INDEX, 0x40000000 | (engine) << 16), OLD(0x30cdc, 8),              \
		OLD(0x30cc0, base), OLD(0x30cc4, 0x10),                        \
		OLD(0x30cd4, 0x80000000), OLD(0x30cc8, 0xcf80 | (unit)),       \
		OLD(0x30ccc, 0xffbfff), OLD(0x30cd0, 0xffffffff),              \
		OLD(0x30ce0, 0xffffffff), OLD(0x30cec, 4), OLD(0x30ce8, 0),    \
		OLD(0x30cd8, 0x06249249)
#define ARM10(engine, base, unit, tokens, control)                             \
	NEW(INDEX, 0x40000000 | (engine) << 16), COPY(0x8d04, 0x1008),         \
		COPY(0x8d00, base), COPY(0x8d14, 0x1fc00 | (unit) << 4),       \
		COPY(0x8d18, tokens), COPY(0x8d1c, control)
#define ARM11(engine, base, tokens, control)                                   \
	NEW(INDEX, 0x40000000 | (engine) << 16), NEW(0x367a4, 0x1008),         \
		NEW(0x367a0, base), NEW(0x367b4, 0x15440),                     \
		NEW(0x367b8, tokens), NEW(0x367b0, control)
#define ARM12(engine, base)                                                    \
	NEW(INDEX, 0x40000000 | (engine) << 16), NEW(0x36798, 0x10),           \
		NEW(0x3679c, base), NEW(0x367a0, 8), NEW(0x367bc, 0),          \
		NEW(0x367b4, 0x15440), NEW(0x367b8, 0x083f6000),               \
		NEW(0x367b0, 0x80405d41)
#define ENGINE(engine) NEW(INDEX, 0x40000000 | (engine) << 16)

static const struct {
	const char *generation;
	enum trace_step step;
	bool is_brief, is_of_all;
	uint32_t window;
	uint32_t dwords[180];
} buffers[] = {
	{ "gfx9",
	  TRACE_START,
	  false,
	  false,
	  0,
	  { IDLE, OLD_REFRESH, OLD(INDEX, ALL_ENGINES), FOUND_CLOCK(0x372fc),
	    OLD(0x372fc, 1), MODIFY(0x31100, 0x3000000, 0x3000000),
	    ARM9(0u, 0x12345, 2), ARM9(1u, 0x12355, 0), OLD(INDEX, ALL_ENGINES),
	    EVENT(0x33), TIME } },
	{ "gfx9", TRACE_FINISH, false, false, 0, { FINISH } },
	{ "gfx9",
	  TRACE_DISARM,
	  false,
	  false,
	  0,
	  { OLD(INDEX, 0x40000000), OLD(0x30cd8, 0), OLD(INDEX, 0x40010000),
	    OLD(0x30cd8, 0), OLD(INDEX, ALL_ENGINES) } },
	{ "gfx9",
	  TRACE_READ,
	  false,
	  false,
	  0,
	  { OLD(INDEX, 0x40000000), STORE(0x30ce4, 0, 0), STORE(0x30ce8, 0, 1),
	    STORE(0x30cf0, 0, 2), OLD(INDEX, 0x40010000), STORE(0x30ce4, 1, 0),
	    STORE(0x30ce8, 1, 1), STORE(0x30cf0, 1, 2), OLD(INDEX, ALL_ENGINES),
	    MODIFY(0x31100, 0x3000000, 0), OLD(0x372fc, 0) } },
	{ "gfx10.1",
	  TRACE_START,
	  true,
	  true,
	  0,
	  { IDLE, REFRESH, NEW(INDEX, ALL_ENGINES), FOUND_CLOCK(0x37390),
	    NEW(0x37390, 1), MODIFY(0x31100, 0x3000000, 0x3000000),
	    ARM10(0u, 0x12345, 1, 0x003f0927, 0x80022f45),
	    ARM10(1u, 0x12355, 0, 0x003f0927, 0x80022f45),
	    NEW(INDEX, ALL_ENGINES), EVENT(0x33), TIME } },
	{ "gfx10.3",
	  TRACE_START,
	  false,
	  false,
	  0,
	  { IDLE, REFRESH, NEW(INDEX, ALL_ENGINES), FOUND_CLOCK(0x37390),
	    NEW(0x37390, 1), MODIFY(0x31100, 0x3000000, 0x3000000),
	    ARM10(0u, 0x12345, 1, 0x003f1000, 0xa0422f41),
	    ARM10(1u, 0x12355, 0, 0x003f1000, 0xa0422f41),
	    NEW(INDEX, ALL_ENGINES), EVENT(0x33), TIME } },
	{ "gfx10.3", TRACE_FINISH, false, false, 0, { FINISH } },
	{ "gfx10.3",
	  TRACE_LOOK,
	  false,
	  false,
	  0,
	  { ENGINE(0u), STORE(0x8d20, 0, 1), ENGINE(1u), STORE(0x8d20, 1, 1),
	    NEW(INDEX, ALL_ENGINES) } },
	/* as it was armed, but for its mode */
	{ "gfx10.3",
	  TRACE_DISARM,
	  false,
	  true,
	  0,
	  { ENGINE(0u), COPY(0x8d1c, 0xa0422f44), ENGINE(1u),
	    COPY(0x8d1c, 0xa0422f44), NEW(INDEX, ALL_ENGINES) } },
	{ "gfx10.3",
	  TRACE_READ,
	  false,
	  false,
	  0,
	  { ENGINE(0u), STORE(0x8d10, 0, 0), STORE(0x8d20, 0, 1),
	    STORE(0x8d24, 0, 2), ENGINE(1u), STORE(0x8d10, 1, 0),
	    STORE(0x8d20, 1, 1), STORE(0x8d24, 1, 2), NEW(INDEX, ALL_ENGINES),
	    MODIFY(0x31100, 0x3000000, 0), NEW(0x37390, 0) } },
	/* the kernel keeps the clock on */
	{ "gfx11",
	  TRACE_START,
	  true,
	  false,
	  3,
	  { IDLE, REFRESH, NEW(INDEX, ALL_ENGINES),
	    MODIFY(0x31100, 0x3000000, 0x3000000), WINDOW(3),
	    ARM11(0u, 0x12345, 0x003f1127, 0x80023d41),
	    ARM11(1u, 0x12355, 0x003f1127, 0x80023d41), NEW(INDEX, ALL_ENGINES),
	    WINDOW(0), EVENT(0x33), TIME } },
	{ "gfx11",
	  TRACE_LOOK,
	  false,
	  false,
	  3,
	  { WINDOW(3), ENGINE(0u), STORE(0x367d0, 0, 1), ENGINE(1u),
	    STORE(0x367d0, 1, 1), NEW(INDEX, ALL_ENGINES), WINDOW(0) } },
	{ "gfx11",
	  TRACE_DISARM,
	  false,
	  false,
	  0,
	  { ENGINE(0u), NEW(0x367b0, 0x80023d40), ENGINE(1u),
	    NEW(0x367b0, 0x80023d40), NEW(INDEX, ALL_ENGINES) } },
	{ "gfx11",
	  TRACE_READ,
	  false,
	  false,
	  0,
	  { ENGINE(0u), STORE(0x367bc, 0, 0), STORE(0x367d0, 0, 1),
	    STORE(0x367e8, 0, 2), ENGINE(1u), STORE(0x367bc, 1, 0),
	    STORE(0x367d0, 1, 1), STORE(0x367e8, 1, 2), NEW(INDEX, ALL_ENGINES),
	    MODIFY(0x31100, 0x3000000, 0) } },
	{ "gfx11.5",
	  TRACE_START,
	  false,
	  true,
	  0,
	  { IDLE, REFRESH, NEW(INDEX, ALL_ENGINES),
	    MODIFY(0x31100, 0x3000000, 0x3000000),
	    ARM11(0u, 0x12345, 0x003f1000, 0x80023d45),
	    ARM11(1u, 0x12355, 0x003f1000, 0x80023d45), NEW(INDEX, ALL_ENGINES),
	    EVENT(0x33), TIME } },
	{ "gfx12",
	  TRACE_START,
	  false,
	  false,
	  0,
	  { IDLE, REFRESH, NEW(INDEX, ALL_ENGINES), MODIFY(0x31120, 3, 3),
	    ARM12(0u, 0x12345), ARM12(1u, 0x12355), NEW(INDEX, ALL_ENGINES),
	    EVENT(0x33), TIME } },
	{ "gfx12",
	  TRACE_READ,
	  false,
	  false,
	  0,
	  { ENGINE(0u), STORE(0x367bc, 0, 0), STORE(0x367d0, 0, 1),
	    STORE(0x367e8, 0, 2), ENGINE(1u), STORE(0x367bc, 1, 0),
	    STORE(0x367d0, 1, 1), STORE(0x367e8, 1, 2), NEW(INDEX, ALL_ENGINES),
	    MODIFY(0x31120, 3, 0) } },
};

/* ------------------------------------------------------------------ */

static struct amdgpu_table table;
static struct gpu gpu;

static void
open_gpu(const char *generation, const char *untested)
{
	amdgpu_table_open(&table, generation, &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	gpu = (struct gpu){
		.chip = table.chip,
		.topology = table.topology,
		.core = table.core,
	};
	gpu.topology.untested = untested;
	/* without its first workgroup processor */
	gpu.topology.cus[0][0] &= ~UINT32_C(3);
}

static void
prepare_commands(struct trace_commands *commands, size_t i)
{
	struct drmperf_error error = { 0 };

	*commands = (struct trace_commands){
		.core = &gpu.core,
		.is_brief = buffers[i].is_brief,
		.is_of_all = buffers[i].is_of_all,
		.data = DATA,
		.size = SIZE,
		.cells = CELLS,
		.begun = BEGUN,
		.engine_count = 2,
	};
	ck_assert_msg(!trace_table_read(&gpu, &commands->table, &error), "%s",
		      error.cause);
	for (unsigned k = 0; k < 2; k++)
		commands->engines[k] = (struct trace_engine){
			k, (unsigned)trace_table_unit(&commands->table,
						      &gpu.topology, k)
		};
}

TEST_CASE(trace, NULL, NULL, "amdgpu_trace");

TEST_LOOP(trace, buffer_is_as_drivers_write_it, ARRAY_SIZE(buffers))
{
	struct trace_commands commands;
	uint32_t dwords[256] = { 0 };
	struct pm4 pm4 = {
		.dwords = dwords,
		.engine = PM4_ENGINE_GFX,
		.window = buffers[_i].window,
	};

	open_gpu(buffers[_i].generation, TRACE_NAME);
	pm4.level = gpu.core.level;
	pm4.source = gpu.core.commands.source;
	prepare_commands(&commands, (size_t)_i);
	trace_commands_write(&pm4, &commands, buffers[_i].step);
	for (size_t k = 0; k < ARRAY_SIZE(buffers[_i].dwords); k++)
		ck_assert_msg(dwords[k] == buffers[_i].dwords[k],
			      "%s step %d: dword %zu is 0x%x, not 0x%x",
			      buffers[_i].generation, (int)buffers[_i].step, k,
			      dwords[k], buffers[_i].dwords[k]);
	amdgpu_table_close(&table);
}

/* ------------------------------------------------------------------ */

static const struct {
	const char *generation, *failed, *hanging, *cause, *remedy;
} refused[] = {
	{ "gfx8", NULL, NULL, "how is not known", "doc/traces.md" },
	{ "gfx90a", NULL, NULL, "how is not known", "doc/traces.md" },
	{ "gfx9", "STREAM TRACE.ALL", NULL, "nobody has tried them",
	  "DRMPERF_UNTESTED=TRACE" },
	{ "gfx9", "STREAM TRACE", NULL,
	  "selftest has found that it does not work right", "--again" },
	{ "gfx9", NULL, "TRACE", "selftest has found that it hangs",
	  "--again" },
};

TEST_LOOP(trace, generation_is_refused, ARRAY_SIZE(refused))
{
	struct drmperf_error error = { 0 };
	struct trace_table out;

	open_gpu(refused[_i].generation, "TRACE.ALL");
	gpu.topology.failed = refused[_i].failed;
	gpu.topology.hanging = refused[_i].hanging;
	ck_assert_int_eq(trace_table_read(&gpu, &out, &error), -ENOTSUP);
	ck_assert_msg(strstr(error.cause, refused[_i].cause), "%s",
		      error.cause);
	ck_assert_msg(strstr(error.remedy, refused[_i].remedy), "%s",
		      error.remedy);
	amdgpu_table_close(&table);
}

/* Which unit is traced where first or last units of an engine are fused off. */
static const struct {
	const char *generation;
	uint32_t cus;
	int unit;
} units[] = {
	{ "gfx9", 0x3f8, 3 },  { "gfx10.3", 0x3f8, 1 }, { "gfx11", 0x0ff, 3 },
	{ "gfx12", 0x3ff, 4 }, { "gfx10.3", 0, -1 },
};

TEST_LOOP(trace, unit_is_one_that_is_there, ARRAY_SIZE(units))
{
	struct drmperf_error error = { 0 };
	struct trace_table out;

	open_gpu(units[_i].generation, TRACE_NAME);
	gpu.topology.cus[0][0] = units[_i].cus;
	ck_assert_int_eq(trace_table_read(&gpu, &out, &error), 0);
	ck_assert_int_eq(trace_table_unit(&out, &gpu.topology, 0),
			 units[_i].unit);
	amdgpu_table_close(&table);
}

/* Whether the end of a trace is awaited; without some render backends. */
static const struct {
	const char *generation, *target;
	uint64_t without;
	bool is_awaited;
} ends[] = {
	{ "gfx10.3", "gfx1030", 2, true },  { "gfx10.3", "gfx1032", 0, true },
	{ "gfx10.3", "gfx1032", 2, false }, { "gfx10.3", "gfx1033", 1, false },
	{ "gfx9", "gfx900", 0, false },	    { "gfx11", "gfx1100", 2, true },
};

TEST_LOOP(trace, end_is_awaited_where_it_comes, ARRAY_SIZE(ends))
{
	struct drmperf_error error = { 0 };
	struct trace_table out;

	open_gpu(ends[_i].generation, TRACE_NAME);
	gpu.chip.target = ends[_i].target;
	gpu.topology.rbs &= ~ends[_i].without;
	ck_assert_int_eq(trace_table_read(&gpu, &out, &error), 0);
	ck_assert_int_eq(out.finished != 0, ends[_i].is_awaited);
	amdgpu_table_close(&table);
}
