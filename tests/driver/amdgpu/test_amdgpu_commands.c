/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

#define MEMORY UINT64_C(0x100001000)
/* where what is of use begins in it */
#define FIRST offsetof(struct commands_sample, timestamp)
#define SHOWN_MEMORY UINT64_C(0x100002000)

/* ------------------------------------------------------------------ */
/* Pieces of command buffers, as they come out on a Vega 10             */

#define UCONFIG(offset, value) 0xc0017900, (offset), (value)
#define UCONFIG_UNFILTERED(offset, value) 0xc0017904, (offset), (value)
#define BROADCAST UCONFIG(0x200, 0xe0000000)
#define INDEX(value) UCONFIG(0x200, (value))
#define STATE(value) UCONFIG(0x1808, (value))
#define RLC_STATE(value) UCONFIG(0x1cc0, (value))
#define CLOCK(value) UCONFIG(0x1cbf, (value))
/* what is found there is put back in the end */
#define FOUND_CLOCK 0xc0044000, 0x504, 0xdcbf, 0, 0x1034, 1
#define FOUND_CLOCK_PLAIN 0xc0044000, 0x500, 0xdcbf, 0, 0x1034, 1
#define FOUND_STATE 0xc0044000, 0x504, 0xd808, 0, 0x1080, 1
#define FOUND_STATE_PLAIN 0xc0044000, 0x500, 0xd808, 0, 0x1080, 1
#define FOUND_CLOCK10 0xc0044000, 0x504, 0xdce4, 0, 0x1034, 1
#define SHADERS_ON                                                             \
	UCONFIG(0x19e1, 0xffffffff), UCONFIG(0x19e2, 1),                       \
		UCONFIG(0x19e0, 0xffff007f)
#define SHADERS_OFF                                                            \
	UCONFIG(0x19e1, 0xffffffff), UCONFIG(0x19e2, 0), UCONFIG(0x19e0, 0)
#define IDLE 0xc0004600, 0x407
#define GFX_IDLE                                                               \
	0xc0004600, 0x407, 0xc0004600, 0x40f, 0xc0004600, 0x410, 0xc0004200, 0
#define EVENT(event) 0xc0004600, (event)
#define TIME 0xc0044000, 0x110509, 0, 0, 0x1000, 1
/* memory confirms the last one only */
#define READ(reg, at) 0xc0044000, 0x504, (reg), 0, 0x1088 + (at), 1
#define READ64(reg, at) 0xc0044000, 0x10504, (reg), 0, 0x1088 + (at), 1
#define READ64_LAST(reg, at) 0xc0044000, 0x110504, (reg), 0, 0x1088 + (at), 1
#define READ_LAST(reg, at) 0xc0044000, 0x100504, (reg), 0, 0x1088 + (at), 1
#define READ_PLAIN(reg, at) 0xc0044000, 0x500, (reg), 0, 0x1088 + (at), 1
#define MARKED(reg, i) 0xc0044000, 0x504, (reg), 0, 0x1038 + 4 * (i), 1
#define PULSE(reg, i) 0xc0044000, 0x504, (reg), 0, 0x1040 + 4 * (i), 1
/* whether the index still is what was written, behind reads of an instance */
#define SHOWN(i) 0xc0044000, 0x504, 0xc200, 0, 0x2040 + 4 * (i), 1
#define SHOWN_LAST(i) 0xc0044000, 0x100504, 0xc200, 0, 0x2040 + 4 * (i), 1
#define SHOWN_PLAIN(i) 0xc0044000, 0x100500, 0xc200, 0, 0x2040 + 4 * (i), 1
/* the first value that is read there is an old one */
#define STALE 0xc0044000, 0x504, 0xd040, 0, 0x1030, 1
#define WRITE(reg, value) 0xc0044000, 0x100405, (value), 0, (reg), 0
#define COMPUTE_WINDOW(on) 0xc0017600, 0x20b, (on)
/* the masks of the SQ, which every new state takes away */
#define KEEP(stages) UCONFIG(0x19e0, stages)
#define KEEP11 UCONFIG(0x19d8, 0x55), UCONFIG(0x19e0, 0x55)

/* Registers and the clock are set up; counters begin; a sample is latched. */
#define SET_UP BROADCAST, FOUND_STATE, STATE(0), FOUND_CLOCK, CLOCK(1)
#define SET_UP_SHADERS SET_UP, SHADERS_ON
#define COUNT EVENT(27), STATE(0x402)
#define LATCH EVENT(27), STATE(0x401)
#define OPEN_WINDOW EVENT(23), COMPUTE_WINDOW(1)
#define MARKS MARKED(0xd040, 0), MARKED(0xd043, 1)
/* An instance is read when the ring is idle; all of them are in the end. */
#define INSTANCE(index) IDLE, TIME, INDEX(index)
#define ALL_READ SHOWN_LAST(0), BROADCAST

/* Where the GPU puts the parts of result i. */
#define LOW(i) ((i)*8)
#define HIGH(i) ((i)*8 + 4)

/* One event of one block; in all cases slot 0 and, if two, slot 1. */
struct selected {
	const char *block;
	uint32_t ids[2];
	unsigned count;
	unsigned instance;
};

/* The first fields of a row: where it stands, and what writes the stream. */
#define STREAM(ring, step, changed)                                            \
	__LINE__, commands_##step, PM4_ENGINE_##ring, changed
#define OTHER(generation, ring, step, firmware)                                \
	__LINE__, generation, commands_##step, PM4_ENGINE_##ring, firmware

typedef void (*writer)(struct pm4 *pm4, const struct commands *commands);

static const struct {
	int line;
	writer write;
	enum pm4_engine engine;
	uint64_t changed;
	struct selected selected;
	uint32_t dwords[200];
} streams[] = {
	{ STREAM(COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  { IDLE, SET_UP_SHADERS, UCONFIG(0x19c0, 0x0f0ff004), COUNT,
	    KEEP(0xffff007f), INSTANCE(0x20010000), READ64(0xd1c0, LOW(0)),
	    ALL_READ, STATE(1), KEEP(0xffff007f) } },
	{ STREAM(GFX, start, 0),
	  { "TD", { 3, 5 }, 2, 17 },
	  { GFX_IDLE, SET_UP_SHADERS, UCONFIG(0x1b00, 3), UCONFIG(0x1b01, 0),
	    UCONFIG(0x1b02, 5), COUNT, KEEP(0xffff007f), GFX_IDLE, TIME,
	    INDEX(0x00010001), READ64(0xd300, LOW(0)), READ64(0xd302, LOW(1)),
	    ALL_READ, STATE(1), KEEP(0xffff007f), OPEN_WINDOW } },
	{ STREAM(COMPUTE, sample, 0),
	  { "TCC", { 3, 17 }, 2, 3 },
	  { IDLE, LATCH, INSTANCE(0xa0000003), READ64(0xd380, LOW(0)),
	    READ64(0xd382, LOW(1)), ALL_READ } },
	{ STREAM(COMPUTE, stop, 0),
	  { "SQ", { 4 }, 1, 1 },
	  { IDLE, BROADCAST, STATE(0), UCONFIG(0x19c0, 0), SHADERS_OFF,
	    CLOCK(0), BROADCAST } },
	{ STREAM(GFX, stop, 0),
	  { "CB", { 4, 2 }, 2, 1 },
	  { GFX_IDLE, BROADCAST, EVENT(24), COMPUTE_WINDOW(0), STATE(0),
	    UCONFIG(0x1c01, 0), UCONFIG(0x1c03, 0), CLOCK(0), BROADCAST } },
	/* the upper half of a result may lie below the lower */
	{ STREAM(COMPUTE, sample, 0),
	  { "SPI", { 1 }, 1, 3 },
	  { IDLE, LATCH, INSTANCE(0x20030000), READ(0xd181, LOW(0)),
	    READ(0xd180, HIGH(0)), ALL_READ } },
	/* one register for each engine, of which one counts: no index */
	{ STREAM(COMPUTE, start, 0),
	  { "GRBMSE", { 7 }, 1, 2 },
	  { IDLE, SET_UP, UCONFIG(0x1844, 7), COUNT, IDLE, TIME,
	    READ64_LAST(0xd049, LOW(0)), BROADCAST, STATE(1) } },
	/* results of style cfg are chosen one by one while all stand still */
	{ STREAM(COMPUTE, start, 0),
	  { "EA", { 55, 57 }, 2, 9 },
	  { IDLE, SET_UP, WRITE(0x2afb, 0), WRITE(0x2af9, 0x10000037),
	    WRITE(0x2afa, 0x10000039), COUNT, IDLE, WRITE(0x2afb, 0), TIME,
	    INDEX(0xa0000009), WRITE(0x2afb, 0), READ(0x2af7, LOW(0)),
	    READ(0x2af8, HIGH(0)), WRITE(0x2afb, 1), READ(0x2af7, LOW(1)),
	    READ(0x2af8, HIGH(1)), ALL_READ, STATE(1),
	    WRITE(0x2afb, 0x01000000) } },
	{ STREAM(COMPUTE, sample, 0),
	  { "EA", { 55, 57 }, 2, 9 },
	  { IDLE, LATCH, IDLE, WRITE(0x2afb, 0), TIME, INDEX(0xa0000009),
	    WRITE(0x2afb, 0), READ(0x2af7, LOW(0)), READ(0x2af8, HIGH(0)),
	    WRITE(0x2afb, 1), READ(0x2af7, LOW(1)), READ(0x2af8, HIGH(1)),
	    ALL_READ, WRITE(0x2afb, 0x01000000) } },
	{ STREAM(COMPUTE, stop, 0),
	  { "EA", { 55, 57 }, 2, 9 },
	  { IDLE, BROADCAST, STATE(0), WRITE(0x2afb, 0), WRITE(0x2af9, 0),
	    WRITE(0x2afa, 0), CLOCK(0), BROADCAST } },
	/* both counters of an SDMA engine are in one register */
	{ STREAM(COMPUTE, start, 0),
	  { "SDMA", { 6, 9 }, 2, 1 },
	  { IDLE, SET_UP, WRITE(0x14b7, 0x9419), WRITE(0x14b7, 0x9419), COUNT,
	    IDLE, TIME, READ(0x14b8, LOW(0)), READ_LAST(0x14b9, LOW(1)),
	    BROADCAST, STATE(1) } },
	/* RLC has a state of its own */
	{ STREAM(COMPUTE, start, 0),
	  { "RLC", { 2 }, 1, 0 },
	  { IDLE, BROADCAST, FOUND_STATE, STATE(0), RLC_STATE(0), FOUND_CLOCK,
	    CLOCK(1), UCONFIG(0x1cc1, 2), COUNT, RLC_STATE(0x402),
	    INSTANCE(0xa0000000), READ64(0xd480, LOW(0)), ALL_READ, STATE(1),
	    RLC_STATE(1) } },
	/* RMI has settings of its own */
	{ STREAM(COMPUTE, stop, 0),
	  { "RMI", { 2 }, 1, 0 },
	  { IDLE, BROADCAST, STATE(0), UCONFIG(0x1d00, 0),
	    UCONFIG(0x1d06, 0x80240), CLOCK(0), BROADCAST } },
	/* only the new slot is programmed while the other counts on */
	{ STREAM(COMPUTE, change, 2),
	  { "TCC", { 3, 17 }, 2, 3 },
	  { IDLE, BROADCAST, FOUND_CLOCK, CLOCK(1), UCONFIG(0x1b82, 17),
	    UCONFIG(0x1b83, 0), LATCH, INSTANCE(0xa0000003),
	    READ64(0xd380, LOW(0)), READ64(0xd382, LOW(1)), ALL_READ } },
	{ STREAM(COMPUTE, change, 1),
	  { "EA", { 55, 57 }, 1, 0 },
	  { IDLE, BROADCAST, FOUND_CLOCK, CLOCK(1), WRITE(0x2af9, 0x10000037),
	    LATCH, IDLE, WRITE(0x2afb, 0), TIME, INDEX(0xa0000000),
	    WRITE(0x2afb, 0), READ(0x2af7, LOW(0)), READ(0x2af8, HIGH(0)),
	    ALL_READ, WRITE(0x2afb, 0x01000000) } },
};

static struct pm4
pm4_of_vega10(uint32_t *dwords)
{
	return (struct pm4){ .dwords = dwords,
			     .engine = PM4_ENGINE_COMPUTE,
			     .level = vega10.core.level,
			     .source = vega10.core.commands.source };
}

TEST_CASE(commands, vega10_open, vega10_close, "amdgpu_commands");

/* Results of the last stream; and what a sample reads back, if anything. */
static struct commands_written written;
static const struct commands_readback *watched;

/* Write a stream for the slots of one instance of one block. */
static size_t
write_stream(const struct amdgpu_table *table, const struct selected *selected,
	     uint64_t changed, writer write, enum pm4_engine engine,
	     uint32_t firmware, uint32_t *dwords)
{
	struct select_regs *selects = select_regs_create(&table->core);
	struct commands_read reads[2], again[2];
	struct commands commands = { .core = &table->core,
				     .selects = selects,
				     .reads = reads,
				     .read_count = selected->count,
				     .again = again,
				     .again_count = selected->count,
				     .stages = core_stages(&table->core),
				     .readback = watched,
				     .sample = MEMORY - FIRST,
				     .shown = SHOWN_MEMORY,
				     .alignment = 1,
				     .written = &written };
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = engine,
			   .level = table->core.level,
			   .source = table->core.commands.source,
			   .window = core_window_open(&table->core, engine,
						      firmware) };
	size_t block = amdgpu_table_block(table, selected->block);
	struct select_regs *there =
		&selects[table->core.blocks[block].first_instance +
			 selected->instance];

	for (uint32_t i = 0; i < selected->count; i++) {
		there->used |= UINT64_C(1) << i;
		there->ids[i] = selected->ids[i];
		reads[i] = (struct commands_read){
			.block = (uint32_t)block,
			.instance = selected->instance,
			.slot = i,
			.result = i,
		};
		again[i] = reads[i];
		again[i].result += selected->count;
	}
	there->changed = changed;
	commands.unused = select_regs_unused(&table->core, selects);
	commands.needs = commands_needs(&commands);
	commands_begin(&pm4, &commands);
	write(&pm4, &commands);
	commands_end(&pm4, &commands);
	free(selects);
	return pm4.count;
}

/* Check that no stream ends with a zero that is not a value. */
static void
check_stream(int line, const uint32_t *dwords, size_t count,
	     const uint32_t *wanted, size_t expected)
{
	for (size_t i = 0; i < count && i < expected; i++)
		ck_assert_msg(dwords[i] == wanted[i],
			      "line %d: dword %zu is %08x, not %08x", line, i,
			      dwords[i], wanted[i]);
	while (expected > count && !wanted[expected - 1])
		expected--;
	ck_assert_msg(count == expected, "line %d: %zu dwords, not %zu", line,
		      count, expected);
}

TEST_LOOP(commands, commands_are_those_of_the_generation, ARRAY_SIZE(streams))
{
	uint32_t dwords[1024] = { 0 };
	size_t count;

	count = write_stream(&vega10, &streams[_i].selected,
			     streams[_i].changed, streams[_i].write,
			     streams[_i].engine, 0, dwords);
	check_stream(streams[_i].line, dwords, count, streams[_i].dwords,
		     ARRAY_SIZE(streams[_i].dwords));
}

static bool
has_piece(const uint32_t *dwords, size_t count, const uint32_t *piece,
	  size_t length)
{
	for (size_t i = 0; i + length <= count; i++) {
		if (!memcmp(&dwords[i], piece, length * sizeof(*piece)))
			return true;
	}
	return false;
}

/* What is in slots of instances of TCC. */
struct placed {
	unsigned instance, slot;
	uint32_t id;
	bool is_old; /* it has been programmed before */
};

/* What programs it, between the control registers and the sample. */
static const struct {
	writer write;
	struct placed placed[4];
	uint32_t dwords[40];
} programmings[] = {
	/* broadcast where all instances that use a slot have the same there */
	{ commands_start,
	  { { 1, 0, 17, false }, { 3, 0, 3, false }, { 1, 1, 5, false } },
	  { CLOCK(1), UCONFIG(0x1b82, 5), UCONFIG(0x1b83, 0), INDEX(0xa0000001),
	    UCONFIG(0x1b80, 17), UCONFIG(0x1b81, 0), INDEX(0xa0000003),
	    UCONFIG(0x1b80, 3), UCONFIG(0x1b81, 0), BROADCAST, EVENT(27) } },
	{ commands_change,
	  { { 1, 0, 17, false }, { 3, 0, 17, false }, { 3, 1, 5, true } },
	  { CLOCK(1), UCONFIG(0x1b80, 17), UCONFIG(0x1b81, 0), EVENT(27) } },
	/* what counts on is not touched */
	{ commands_change,
	  { { 1, 0, 17, true }, { 3, 0, 17, false }, { 3, 1, 5, true } },
	  { CLOCK(1), INDEX(0xa0000003), UCONFIG(0x1b80, 17),
	    UCONFIG(0x1b81, 0), BROADCAST, EVENT(27) } },
	{ commands_stop,
	  { { 1, 0, 17, true }, { 3, 0, 3, true }, { 3, 1, 5, true } },
	  { STATE(0), UCONFIG(0x1b80, 0), UCONFIG(0x1b82, 0), CLOCK(0) } },
};

TEST_LOOP(commands, commands_program_what_was_selected,
	  ARRAY_SIZE(programmings))
{
	struct select_regs *selects = select_regs_create(&vega10.core);
	const struct commands commands = { .core = &vega10.core,
					   .selects = selects,
					   .sample = MEMORY - FIRST,
					   .shown = SHOWN_MEMORY,
					   .alignment = 1,
					   .written = &written };
	uint32_t dwords[1024] = { 0 };
	struct pm4 pm4 = pm4_of_vega10(dwords);
	const struct block *block =
		&vega10.core.blocks[amdgpu_table_block(&vega10, "TCC")];
	size_t length = ARRAY_SIZE(programmings[_i].dwords);

	for (int i = 0; programmings[_i].placed[i].id; i++) {
		const struct placed *placed = &programmings[_i].placed[i];
		struct select_regs *there =
			&selects[block->first_instance + placed->instance];

		there->used |= UINT64_C(1) << placed->slot;
		there->ids[placed->slot] = placed->id;
		if (!placed->is_old)
			there->changed |= UINT64_C(1) << placed->slot;
	}
	commands_begin(&pm4, &commands);
	programmings[_i].write(&pm4, &commands);
	while (!programmings[_i].dwords[length - 1] && length > 3)
		length--;
	ck_assert(
		has_piece(dwords, pm4.count, programmings[_i].dwords, length));
	free(selects);
}

/*
 * A reset check alone: GRBM.COUNT in both slots, the second behind the
 * first.
 */
static const struct {
	writer write;
	uint32_t dwords[128];
} marked[] = {
	{ commands_start,
	  { IDLE, SET_UP, UCONFIG(0x1840, 0), UCONFIG(0x1841, 1), COUNT,
	    INSTANCE(0xa0000000), MARKS, ALL_READ, STATE(1), IDLE,
	    UCONFIG(0x1841, 0), LATCH, INSTANCE(0xa0000000), MARKS,
	    SHOWN_LAST(1), BROADCAST } },
	{ commands_sample,
	  { IDLE, LATCH, INSTANCE(0xa0000000), MARKS, ALL_READ } },
	{ commands_stop,
	  { IDLE, BROADCAST, STATE(0), UCONFIG(0x1840, 0), UCONFIG(0x1841, 0),
	    CLOCK(0), BROADCAST } },
};

TEST_LOOP(commands, commands_write_and_read_the_reset_check, ARRAY_SIZE(marked))
{
	struct select_regs *selects = select_regs_create(&vega10.core);
	const struct commands commands = {
		.core = &vega10.core,
		.selects = selects,
		.reset_check = { .block =
					 &vega10.core.blocks[amdgpu_table_block(
						 &vega10, "GRBM")],
				 .slots = { 0, 1 } },
		.sample = MEMORY - FIRST,
		.shown = SHOWN_MEMORY,
		.alignment = 1,
		.written = &written,
	};
	uint32_t dwords[1024] = { 0 };
	struct pm4 pm4 = pm4_of_vega10(dwords);

	commands_begin(&pm4, &commands);
	marked[_i].write(&pm4, &commands);
	check_stream(__LINE__, dwords, pm4.count, marked[_i].dwords,
		     ARRAY_SIZE(marked[_i].dwords));
	free(selects);
}

/* ------------------------------------------------------------------ */
/* Clocks                                                               */

/* Clocks of two blocks, in some instance each, their lower halves. */
TEST(commands, commands_read_the_clocks_of_blocks)
{
	struct select_regs *selects = select_regs_create(&vega10.core);
	const struct commands_block_clock clocks[] = {
		{ (uint32_t)amdgpu_table_block(&vega10, "TCC"), 3, 2 },
		{ (uint32_t)amdgpu_table_block(&vega10, "CPF"), 0, 1 },
	};
	const struct commands commands = { .core = &vega10.core,
					   .selects = selects,
					   .block_clocks = clocks,
					   .block_clock_count = 2,
					   .sample = MEMORY - FIRST,
					   .shown = SHOWN_MEMORY,
					   .alignment = 1,
					   .written = &written };
	const uint32_t wanted[] = { IDLE,
				    LATCH,
				    INSTANCE(0xa0000003),
				    PULSE(0xd384, 0),
				    SHOWN(0),
				    INDEX(0xa0000000),
				    PULSE(0xd008, 1),
				    SHOWN_LAST(1),
				    BROADCAST };
	uint32_t dwords[64] = { 0 };
	struct pm4 pm4 = pm4_of_vega10(dwords);

	commands_begin(&pm4, &commands);
	commands_sample(&pm4, &commands);
	check_stream(__LINE__, dwords, pm4.count, wanted, ARRAY_SIZE(wanted));
	free(selects);
}

/* ------------------------------------------------------------------ */
/* What other generations do differently                                */

/*
 * Whole streams of other generations, on two engines of two arrays; what
 * differs from a Vega 10 is said above each.
 */
#define RESET(offset, value) UCONFIG_UNFILTERED(offset, value)
#define WINDOW(value) 0xc0003d00, (value)
#define UNTIL(reg, value, mask) 0xc0053c00, 3, (reg), 0, (value), (mask), 4
#define STORE(value, at) 0xc0044000, 0x100505, (value), 0, (at), 1
#define END                                                                    \
	STORE(1, 0x1008), 0xc0064900, 0x528, 0x20000000, 0x1008, 1, 0, 0, 0,   \
		0xc0053c00, 0x13, 0x1008, 1, 0, 0xffffffff, 4
#define GFX_END END, 0xc0004200, 0
/* what shows that the sample is in an engine */
#define ENGINE(engine)                                                         \
	INDEX(0x60000000 | (engine) << 16), 0xc0044000, 0x504, 0xd9d8, 0,      \
		0x2000 + 4 * (engine), 1, SHOWN(engine)

static const struct {
	int line;
	const char *generation;
	writer write;
	enum pm4_engine engine;
	uint32_t firmware;
	struct selected selected;
	uint32_t dwords[240];
} others[] = {
	/* no clock to be switched */
	{ OTHER("gfx7", COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  { IDLE, BROADCAST, STATE(0), UCONFIG(0x19e1, 0xffffffff),
	    UCONFIG(0x19e2, 1), UCONFIG(0x19e0, 0x7f),
	    UCONFIG(0x19c0, 0x0f0ff004), COUNT, KEEP(0x7f),
	    INSTANCE(0x20010000), READ64(0xd1c0, LOW(0)), ALL_READ, STATE(1),
	    KEEP(0x7f) } },
	{ OTHER("gfx7", GFX, stop, 0),
	  { "SQ", { 4 }, 1, 1 },
	  { GFX_IDLE, BROADCAST, EVENT(24), COMPUTE_WINDOW(0), STATE(0),
	    UCONFIG(0x19c0, 0), SHADERS_OFF, BROADCAST } },
	{ OTHER("gfx8", GFX, start, 0),
	  { "TCC", { 3, 17 }, 2, 2 },
	  { GFX_IDLE, SET_UP, UCONFIG(0x1b80, 3), UCONFIG(0x1b81, 0),
	    UCONFIG(0x1b82, 17), UCONFIG(0x1b83, 0), COUNT, GFX_IDLE, TIME,
	    INDEX(0xa0000002), READ64(0xd380, LOW(0)), READ64(0xd382, LOW(1)),
	    ALL_READ, STATE(1), OPEN_WINDOW } },
	/*
	 * the mask of stages lets all processes through in its upper half,
	 * results are read as registers, not as counters, and it is the bit of
	 * the state alone that latches
	 */
	{ OTHER("gfx940", COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 0 },
	  { IDLE, BROADCAST, FOUND_STATE_PLAIN, STATE(0), FOUND_CLOCK_PLAIN,
	    CLOCK(1), SHADERS_ON, UCONFIG(0x19c0, 0x0f0ff004), STATE(0x402),
	    KEEP(0xffff007f), INSTANCE(0x20000000), READ_PLAIN(0xd1c0, LOW(0)),
	    READ_PLAIN(0xd1c1, HIGH(0)), SHOWN_PLAIN(0), BROADCAST, STATE(1),
	    KEEP(0xffff007f) } },
	/* the clock elsewhere, no mask, never stopped, nothing filtered */
	{ OTHER("gfx10.1", GFX, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  { GFX_IDLE,
	    RESET(0x200, 0xe0000000),
	    RESET(0x1808, 0),
	    FOUND_CLOCK10,
	    RESET(0x1ce4, 1),
	    RESET(0x19e2, 1),
	    RESET(0x19e0, 0x7f),
	    RESET(0x19c0, 0xf004),
	    EVENT(27),
	    RESET(0x1808, 0x401),
	    RESET(0x19e0, 0x7f),
	    GFX_IDLE,
	    TIME,
	    STALE,
	    RESET(0x200, 0x20010000),
	    READ64(0xd1c0, LOW(0)),
	    SHOWN_LAST(0),
	    RESET(0x200, 0xe0000000),
	    RESET(0x1808, 1),
	    RESET(0x19e0, 0x7f),
	    OPEN_WINDOW } },
	/* workgroup processors above and below the SPI */
	{ OTHER("gfx10.1", COMPUTE, sample, 0),
	  { "TCP", { 9 }, 1, 7 },
	  { IDLE, LATCH, KEEP(0x7f), IDLE, TIME, STALE, INDEX(0x00000021),
	    READ64(0xd340, LOW(0)), ALL_READ } },
	{ OTHER("gfx10.3", GFX, sample, 2240),
	  { "GL2C", { 3 }, 1, 3 },
	  { GFX_END, EVENT(27), RESET(0x1808, 0x401), GFX_IDLE, TIME, STALE,
	    RESET(0x200, 0xa0000003), READ64(0xd380, LOW(0)), SHOWN_LAST(0),
	    RESET(0x200, 0xe0000000) } },
	/* 32 bits that start at 0; the window around single instances */
	{ OTHER("gfx11", COMPUTE, start, 2290),
	  { "SQ_WGP", { 4, 5 }, 2, 6 },
	  { IDLE,
	    BROADCAST,
	    STATE(0),
	    UCONFIG(0x19e2, 0x1ffff),
	    UCONFIG(0x19da, 0x1ffff),
	    UCONFIG(0x19d8, 0x55),
	    UCONFIG(0x19e0, 0x55),
	    UCONFIG(0x19c0, 4),
	    UCONFIG(0x11c0, 0),
	    UCONFIG(0x19c2, 5),
	    UCONFIG(0x11c2, 0),
	    COUNT,
	    KEEP11,
	    IDLE,
	    WINDOW(3),
	    TIME,
	    INDEX(0x00000104),
	    READ(0xd1c0, LOW(0)),
	    READ(0xd1c2, LOW(1)),
	    ALL_READ,
	    WINDOW(0),
	    STATE(1),
	    KEEP11 } },
	/* a sample, then all instances are cleared, and another sample */
	{ OTHER("gfx11", COMPUTE, clear, 0),
	  { "SQ_WGP", { 4, 5 }, 2, 6 },
	  { IDLE, LATCH, KEEP11, INSTANCE(0x00000104), READ(0xd1c0, LOW(0)),
	    READ(0xd1c2, LOW(1)), ALL_READ, UCONFIG(0x11c0, 0),
	    UCONFIG(0x11c2, 0), LATCH, KEEP11, INSTANCE(0x00000104),
	    READ(0xd1c0, LOW(2)), READ(0xd1c2, LOW(3)), ALL_READ } },
	/* firmware that does not know the packet */
	{ OTHER("gfx11", COMPUTE, sample, 2289),
	  { "GL2C", { 3 }, 1, 3 },
	  { IDLE, LATCH, INSTANCE(0xa0000003), READ64(0xd380, LOW(0)),
	    ALL_READ } },
	{ OTHER("gfx11", GFX, sample, 2240),
	  { "GL2C", { 3 }, 1, 3 },
	  { GFX_END, EVENT(27), RESET(0x1808, 0x401), GFX_IDLE, WINDOW(3), TIME,
	    RESET(0x200, 0xa0000003), READ64(0xd380, LOW(0)), SHOWN_LAST(0),
	    RESET(0x200, 0xe0000000), WINDOW(0) } },
	/*
	 * idle at the end of the pipe; a sample is one command buffer and its
	 * reads are another, which shows a bit of each engine's SQ
	 */
	{ OTHER("gfx12", COMPUTE, sample, 2500),
	  { "SQ", { 4 }, 1, 1 },
	  { END, LATCH, UCONFIG(0x19d8, 0x8055), UCONFIG(0x19e0, 0x55), END,
	    TIME, END, ENGINE(0), ENGINE(1), INDEX(0x20010000),
	    READ64(0xd1e4, LOW(0)), SHOWN_LAST(2), BROADCAST } },
	{ OTHER("gfx12", COMPUTE, start, 2500),
	  { "SQ", { 4 }, 1, 1 },
	  { END,
	    BROADCAST,
	    STATE(0),
	    UCONFIG(0x448, 3),
	    UCONFIG(0x19e2, 0x1ffff),
	    UCONFIG(0x19da, 0x1ffff),
	    KEEP11,
	    UCONFIG(0x19d0, 4),
	    COUNT,
	    UCONFIG(0x19d8, 0x8055),
	    UCONFIG(0x19e0, 0x55),
	    END,
	    TIME,
	    END,
	    ENGINE(0),
	    ENGINE(1),
	    INDEX(0x20010000),
	    READ64(0xd1e4, LOW(0)),
	    SHOWN_LAST(2),
	    BROADCAST,
	    STATE(1),
	    UCONFIG(0x19d8, 0x8055),
	    UCONFIG(0x19e0, 0x55) } },
	/* what is not of the SQ is not overtaken, but on the graphics ring */
	{ OTHER("gfx12", COMPUTE, sample, 2500),
	  { "GL2C", { 3 }, 1, 3 },
	  { END, LATCH, END, TIME, INDEX(0xa0000003), READ(0xd380, LOW(0)),
	    READ(0xd381, HIGH(0)), ALL_READ } },
	{ OTHER("gfx12", GFX, sample, 2410),
	  { "GL2C", { 3 }, 1, 3 },
	  { GFX_END, EVENT(27), RESET(0x1808, 0x401), GFX_END, TIME, GFX_END,
	    RESET(0x200, 0xa0000003), READ(0xd380, LOW(0)),
	    READ(0xd381, HIGH(0)), SHOWN_LAST(0), RESET(0x200, 0xe0000000) } },
	/* selects of GL2C are written to each instance, from that of all */
	{ OTHER("gfx12", COMPUTE, change, 2500),
	  { "GL2C", { 3 }, 1, 3 },
	  { END, BROADCAST, LATCH, END, TIME, INDEX(0xa0000003),
	    READ(0xd380, LOW(0)), READ(0xd381, HIGH(0)), ALL_READ } },
	{ OTHER("gfx12", COMPUTE, stop, 2500),
	  { "GL2C", { 3 }, 1, 3 },
	  { END, BROADCAST, STATE(0), BROADCAST, INDEX(0xa0000003),
	    UCONFIG(0x1b80, 0), BROADCAST, BROADCAST } },
	{ OTHER("gfx12", COMPUTE, stop, 2500),
	  { "SQ", { 4 }, 1, 1 },
	  { END, BROADCAST, STATE(0), UCONFIG(0x19d0, 0), UCONFIG(0x448, 0),
	    UCONFIG(0x19e2, 0x1fffe), UCONFIG(0x19da, 0x1fffe),
	    UCONFIG(0x19d8, 0), UCONFIG(0x19e0, 0), BROADCAST } },
};

TEST_LOOP(commands, commands_of_other_gpus_are_theirs, ARRAY_SIZE(others))
{
	uint32_t dwords[1024] = { 0 };
	struct amdgpu_table table;
	size_t count;

	amdgpu_table_open(&table, others[_i].generation, &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	count = write_stream(&table, &others[_i].selected, 0, others[_i].write,
			     others[_i].engine, others[_i].firmware, dwords);
	check_stream(others[_i].line, dwords, count, others[_i].dwords,
		     ARRAY_SIZE(others[_i].dwords));
	amdgpu_table_close(&table);
}

static const struct {
	int line;
	const char *generation;
	writer write;
	enum pm4_engine engine;
	uint32_t firmware;
	struct selected selected;
	bool present;
	uint32_t piece[6];
	size_t length;
} differences[] = {
	/* writes to one instance after another get past the filter */
	{ OTHER("gfx10.3", GFX, start, 0),
	  { "GL2C", { 3 }, 1, 3 },
	  true,
	  { UCONFIG_UNFILTERED(0x1b80, 3), UCONFIG_UNFILTERED(0x1b81, 0) },
	  6 },
	{ OTHER("gfx10.3", COMPUTE, start, 0),
	  { "GL2C", { 3 }, 1, 3 },
	  true,
	  { UCONFIG(0x1b80, 3), UCONFIG(0x1b81, 0) },
	  6 },
	/* the counters of SQ are never stopped */
	{ OTHER("gfx10.1", COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  false,
	  { STATE(0x402) },
	  3 },
	/* the clock switch has moved, then it is gone */
	{ OTHER("gfx11", COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  false,
	  { UCONFIG(0x1ce4, 1) },
	  3 },
	/* the stop event would kill the counters of CB */
	{ OTHER("gfx11", GFX, stop, 0),
	  { "CB", { 4 }, 1, 1 },
	  false,
	  { EVENT(24) },
	  2 },
	{ OTHER("gfx10.3", GFX, stop, 0),
	  { "CB", { 4 }, 1, 1 },
	  true,
	  { EVENT(24) },
	  2 },
	/* all processes are let through, also when no process counts */
	{ OTHER("gfx11", COMPUTE, stop, 0),
	  { "SQ", { 4 }, 1, 1 },
	  true,
	  { UCONFIG(0x19da, 0x1fffe) },
	  3 },
	{ OTHER("gfx11", GFX, stop, 0),
	  { "SQ", { 4 }, 1, 1 },
	  true,
	  { COMPUTE_WINDOW(0) },
	  3 },
	/* what one ring of compute allows, another could not take back */
	{ OTHER("gfx10.3", COMPUTE, start, 0),
	  { "SQ", { 4 }, 1, 1 },
	  false,
	  { COMPUTE_WINDOW(1) },
	  3 },
};

TEST_LOOP(commands, generations_differ_where_they_should,
	  ARRAY_SIZE(differences))
{
	uint32_t dwords[1024];
	struct amdgpu_table table;
	size_t count;

	amdgpu_table_open(&table, differences[_i].generation,
			  &amdgpu_navi10_chip, &amdgpu_navi10);
	count = write_stream(&table, &differences[_i].selected, 0,
			     differences[_i].write, differences[_i].engine,
			     differences[_i].firmware, dwords);
	ck_assert_msg(has_piece(dwords, count, differences[_i].piece,
				differences[_i].length) ==
			      differences[_i].present,
		      "line %d", differences[_i].line);
	amdgpu_table_close(&table);
}

/* The window is left alone where that is what AMD's driver does. */
static const struct {
	const char *generation, *untested;
	uint32_t open;
} opened[] = {
	{ "gfx11", NULL, 3 },
	{ "gfx11.5", "EA", 3 },
	{ "gfx12", NULL, 0 },
	{ "gfx12", "EA SDMA", 0 },
	{ "gfx12", "EA PERF_COUNTER_WINDOW", 7 },
};

TEST_LOOP(commands, a_window_is_opened_where_it_is_known, ARRAY_SIZE(opened))
{
	struct amdgpu_table table;

	amdgpu_table_open_untested(&table, opened[_i].generation,
				   opened[_i].untested);
	for (int i = 0; i < PM4_ENGINES; i++)
		ck_assert_uint_eq(
			core_window_open(&table.core, (enum pm4_engine)i, 2500),
			opened[_i].open);
	amdgpu_table_close(&table);
}

/* Return the last value that is written to GRBM_GFX_INDEX. */
static uint32_t
last_index(const uint32_t *dwords, size_t count)
{
	static const uint32_t packet[] = { INDEX(0) };

	for (size_t at = count - 2; at > 0; at--) {
		/* whether the filter is reset or not */
		if ((dwords[at - 1] & ~4u) == packet[0] &&
		    dwords[at] == packet[1])
			return dwords[at + 1];
	}
	return 0;
}

/* However much is selected, broadcast comes last among index writes. */
TEST_LOOP(commands, broadcast_at_the_end, AMDGPU_GENERATIONS)
{
	static const writer writers[] = { commands_start, commands_sample,
					  commands_change, commands_stop };
	uint32_t dwords[1024];
	struct amdgpu_table table;
	size_t count;

	amdgpu_table_open(&table, amdgpu_generations[_i], &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	for (size_t i = 0; i < table.core.block_count * 8; i++) {
		const struct block *block = &table.core.blocks[i / 8];
		const struct selected selected = {
			block->name, { 1 }, 1, block->instance_count - 1
		};

		count = write_stream(&table, &selected, 1, writers[i % 4],
				     i / 4 % 2 ? PM4_ENGINE_GFX
					       : PM4_ENGINE_COMPUTE,
				     UINT32_MAX, dwords);
		ck_assert_msg(last_index(dwords, count) == 0xe0000000, "%s.%s",
			      amdgpu_generations[_i], block->name);
	}
	amdgpu_table_close(&table);
}

/* A command buffer as far as it has been looked through. */
struct walk {
	bool is_idle; /* what came before in the ring has ended */
	uint32_t index; /* in GRBM_GFX_INDEX */
	bool was_read, is_shown;
	const char *wrong;
};

static void
demand_walk(struct walk *walk, bool holds, const char *what)
{
	if (!holds && !walk->wrong)
		walk->wrong = what;
}

static void
walk_index(struct walk *walk, uint32_t index)
{
	demand_walk(walk, index == 0xe0000000 || walk->is_idle,
		    "an instance is named before the ring is idle");
	demand_walk(walk,
		    walk->index == 0xe0000000 || !walk->was_read ||
			    walk->is_shown,
		    "nothing shows which instance was read");
	walk->index = index;
	walk->was_read = walk->is_shown = false;
}

static void
walk_copy(struct walk *walk, const uint32_t *body)
{
	const uint32_t from = body[0] & 0xf;

	if (from && from != 4)
		return;
	if (body[1] == 0xc200)
		walk->is_shown = true;
	else
		walk->was_read = true;
}

static void
walk_packet(struct walk *walk, const uint32_t *packet)
{
	switch (packet[0] >> 8 & 0xff) {
	case 0x3c:
		demand_walk(walk, (packet[1] >> 4 & 3) == 1,
			    "a register is waited for, which may never end");
		walk->is_idle = true;
		break;
	case 0x40:
		walk_copy(walk, &packet[1]);
		break;
	case 0x46:
		walk->is_idle |= packet[1] == 0x407;
		break;
	case 0x79:
		if (packet[1] == 0x200)
			walk_index(walk, packet[2]);
		break;
	}
}

static const char *
walk_buffer(const uint32_t *dwords, const struct commands_buffer *buffer)
{
	struct walk walk = { .index = 0xe0000000 };

	for (size_t at = buffer->begin; at < buffer->end;
	     at += 2 + (dwords[at] >> 16 & 0x3fff))
		walk_packet(&walk, &dwords[at]);
	demand_walk(&walk, walk.index == 0xe0000000,
		    "an instance is left named");
	return walk.wrong;
}

/*
 * Samples of all blocks, on both rings: no wait that another program may keep
 * from ending; instances are named when the ring is idle, and shown to have
 * been.
 */
TEST_LOOP(commands, no_command_buffer_waits_for_others, AMDGPU_GENERATIONS)
{
	static const writer writers[] = { commands_start, commands_sample,
					  commands_clear, commands_change,
					  commands_stop };
	const struct commands_readback readback = { .fixed = { 0xd808 },
						    .index = 0xa0000001,
						    .select = 0xd810 };
	static uint32_t dwords[2048];
	struct amdgpu_table table;

	amdgpu_table_open(&table, amdgpu_generations[_i], &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	/* as if the self-test had seen all that it can see */
	table.core.controls[CORE_GRBMH_SYNC].sync_is_kept =
		table.core.controls[CORE_GRBMH_SYNC].reg.byte;
	watched = &readback;
	for (size_t i = 0; i < table.core.block_count * 10; i++) {
		const struct block *block = &table.core.blocks[i / 10];
		const struct selected selected = {
			block->name, { 1 }, 1, block->instance_count - 1
		};

		write_stream(&table, &selected, 1, writers[i % 5],
			     i / 5 % 2 ? PM4_ENGINE_GFX : PM4_ENGINE_COMPUTE, 0,
			     dwords);
		for (unsigned k = 0; k < written.count; k++) {
			const char *wrong =
				walk_buffer(dwords, &written.buffers[k]);

			ck_assert_msg(!wrong,
				      "%s.%s, writer %zu, buffer %u: %s",
				      amdgpu_generations[_i], block->name,
				      i % 5, k, wrong);
		}
	}
	watched = NULL;
	amdgpu_table_close(&table);
}

/* ------------------------------------------------------------------ */

TEST(commands, reads_are_sorted_by_their_instance)
{
	struct commands_read reads[] = { { 2, 0, 0, 0 },
					 { 1, 1, 0, 1 },
					 { 1, 0, 1, 2 },
					 { 1, 0, 0, 3 },
					 { 1, 1, 0, 4 } };

	qsort(reads, ARRAY_SIZE(reads), sizeof(*reads), commands_read_compare);
	ck_assert_uint_eq(reads[0].result, 3);
	ck_assert_uint_eq(reads[1].result, 2);
	ck_assert_uint_eq(reads[4].result, 0);
}
