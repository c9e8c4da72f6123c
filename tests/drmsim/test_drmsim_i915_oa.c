/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OA unit of drmsim's i915 model and the kernel's half that reads its
 * buffer: what is written when, what a reader gets, what goes wrong.
 */
#include "drmsim/i915/oa_reader.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TICK_HZ 1000000u /* a tick is a microsecond */
#define CLOCK_HZ 50000000u
#define SAMPLE 264u /* record of a report of 256 bytes */

static struct bench {
	struct sim_timeline timeline;
	struct sim_oa_counting counting;
	struct sim_oa_reader reader;
	struct sim_oa_unit *unit; /* the reader's */
	uint8_t *data;
	size_t size; /* of what the last read gave */
	uint64_t tick;
} bench;

static const struct sim_oa_setup usual = {
	.generation = SIM_OA_GEN9,
	.tick_hz = TICK_HZ,
	.periodic = true,
	.exponent = 5, /* 64 us */
};

static void
set_up(const struct sim_oa_setup *setup, unsigned format)
{
	struct sim_oa_setup own = *setup;

	memset(&bench, 0, sizeof(bench));
	own.format =
		sim_oa_format_find(format, own.generation == SIM_OA_HASWELL);
	sim_timeline_init(&bench.timeline, 0x20);
	for (unsigned i = 0; i < SIM_OA_SLOTS; i++) {
		struct sim_rate *rate = &bench.counting.rates.slots[i];

		rate->numerator = i + 1;
		rate->denominator = 1;
		rate->per =
			i == SIM_OA_CLOCK ? SIM_PER_ANY_CLOCK : SIM_PER_TICK;
	}
	bench.counting.rates.slots[SIM_OA_CLOCK].numerator = 1;
	bench.counting.clock_hz = CLOCK_HZ;
	bench.data = malloc(1 << 20);
	ck_assert_int_eq(sim_oa_unit_create(&own, &bench.timeline, &bench.unit),
			 0);
	sim_oa_reader_init(&bench.reader, &own, false, bench.unit);
}

static void
tear_down(void)
{
	sim_oa_unit_destroy(bench.unit);
	free(bench.data);
}

static void
enable_unit(void)
{
	ck_assert_int_eq(
		sim_oa_unit_enable(bench.unit, bench.tick, &bench.counting), 0);
	sim_oa_reader_restart(&bench.reader);
}

static void
begin_unit(const struct sim_oa_setup *setup, unsigned format)
{
	set_up(setup, format);
	enable_unit();
}

static void
run_to(uint64_t tick)
{
	bench.tick = tick;
	sim_oa_unit_run(bench.unit, tick);
}

/* Do read() of that many bytes. Returns its result. */
static int
read_bytes(size_t room)
{
	struct sim_oa_batch batch = { .data = bench.data, .room = room };

	sim_oa_reader_peek(&bench.reader, &batch);
	ck_assert_int_eq(sim_oa_reader_commit(&bench.reader, &batch, bench.tick,
					      &bench.counting),
			 0);
	bench.size = batch.size;
	return batch.size    ? (int)batch.size
	       : batch.error ? batch.error
			     : -EAGAIN;
}

/* Run the kernel's timer, then a read of everything. */
static int
read_all(void)
{
	sim_oa_reader_check(&bench.reader, bench.tick * 1000);
	return read_bytes(1 << 20);
}

static uint32_t
word_at(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/*
 * Return 32 bits at an offset of report n of the last read, all of them
 * samples.
 */
static uint32_t
in_report(unsigned n, unsigned offset)
{
	const uint8_t *record = bench.data + n * SAMPLE;

	ck_assert_uint_le((n + 1) * SAMPLE, bench.size);
	ck_assert_uint_eq(word_at(record), 1);
	ck_assert_uint_eq(word_at(record + 4), SAMPLE << 16);
	return word_at(record + 8 + offset);
}

/* ------------------------------------------------------------------ */

static const struct timer {
	unsigned exponent;
	uint64_t offset, begin;
} timers[] = {
	{ 0, 0, 0 },  { 0, 1, 0 },	  { 5, 0, 0 },		 { 5, 32, 0 },
	{ 5, 33, 7 }, { 5, 1000000, 64 }, { 12, 4096, 1234567 },
};

TEST_CASE(reports, NULL, tear_down, "drmsim_i915_oa");

/* Reports come when the timestamp's low bits are 1 << exponent. */
TEST_LOOP(reports, reports_come_with_their_period, ARRAY_SIZE(timers))
{
	const struct timer *c = &timers[_i];
	struct sim_oa_setup setup = usual;
	uint64_t period = 2ull << c->exponent;
	uint32_t before = 0;

	setup.exponent = c->exponent;
	set_up(&setup, 10);
	sim_oa_unit_set_offset(bench.unit, c->offset);
	bench.tick = c->begin;
	enable_unit();
	run_to(c->begin + 10 * period);
	/* the last one has not landed for sure */
	ck_assert_int_eq(read_all(), 9 * SAMPLE);
	for (unsigned n = 0; n < 9; n++) {
		uint32_t timestamp = in_report(n, 4);

		ck_assert_uint_eq(timestamp % period, period / 2);
		ck_assert_uint_gt(timestamp, c->begin + c->offset);
		if (n)
			ck_assert_uint_eq(timestamp - before, period);
		before = timestamp;
		ck_assert_uint_eq(in_report(n, 0) >> 19 & 0x3f, 1);
	}
}

TEST(reports, values_count_from_start)
{
	set_up(&usual, 10);
	bench.counting.start[SIM_OA_A + 7] = 0xfffffffff0;
	bench.counting.start[SIM_OA_B + 1] = 0xffffffff;
	bench.counting.start[SIM_OA_CLOCK] = 0xfffffff0;
	bench.tick = 1000;
	enable_unit();
	run_to(1120);
	/* at 1056 and 1120: 56 and 120 ticks after the start */
	ck_assert_int_eq(read_all(), SAMPLE);
	ck_assert_uint_eq(in_report(0, 4), 1056);
	ck_assert_uint_eq(in_report(0, 12), (uint32_t)(0xfffffff0 + 56 * 50));
	ck_assert_uint_eq(in_report(0, 16), 56);
	ck_assert_uint_eq(in_report(0, 44), (uint32_t)(0xfffffff0 + 56 * 8));
	/* 40 bits have wrapped, and 32 */
	ck_assert_uint_eq(in_report(0, 164) >> 24, 0);
	ck_assert_uint_eq(in_report(0, 196), 56 * 47 - 1);
}

/* Disabled and enabled again nothing is left, and counters start again. */
TEST(reports, enabling_again_starts_again)
{
	begin_unit(&usual, 10);
	run_to(1000);
	sim_oa_unit_disable(bench.unit);
	bench.tick = 2000;
	ck_assert(!sim_oa_reader_check(&bench.reader, 2000000));
	enable_unit();
	ck_assert_int_eq(read_all(), -EAGAIN);
	run_to(2080 + 64);
	ck_assert_int_eq(read_all(), 2 * SAMPLE);
	ck_assert_uint_eq(in_report(0, 4), 2016);
	ck_assert_uint_eq(in_report(0, 16), 16);
}

/* A change of rates takes nothing away from what was counted. */
TEST(reports, recount_goes_on)
{
	begin_unit(&usual, 10);
	run_to(1000);
	bench.counting.rates.slots[SIM_OA_A].numerator = 1000;
	ck_assert_int_eq(sim_oa_unit_recount(bench.unit, 1000, &bench.counting),
			 0);
	run_to(1056 + 64);
	read_all();
	ck_assert_uint_eq(in_report(14, 4), 992 - 64);
	ck_assert_uint_eq(in_report(14, 16), 992 - 64);
	ck_assert_uint_eq(in_report(16, 4), 1056);
	ck_assert_uint_eq(in_report(16, 16), 1000 + 56 * 1000);
}

/* ------------------------------------------------------------------ */
/* The kernel's look at the tail                                        */

TEST_CASE(kernel, NULL, tear_down, "drmsim_i915_oa");

TEST_LOOP(kernel, the_kernel_waits_for_reports_to_land, 2)
{
	struct sim_oa_setup setup = usual;

	setup.exponent = 12; /* 8192 us */
	set_up(&setup, 10);
	bench.reader.aging = _i == 1;
	enable_unit();
	run_to(5000);
	/* one report, alone: nothing after it has landed */
	ck_assert(!sim_oa_reader_check(&bench.reader, 5000000));
	ck_assert_int_eq(read_bytes(4096), -EAGAIN);
	/* it must have lain still for more than 100 us */
	ck_assert(!sim_oa_reader_check(&bench.reader, 5100000));
	ck_assert_int_eq(sim_oa_reader_check(&bench.reader, 5200001),
			 bench.reader.aging);
	ck_assert_int_eq(read_bytes(4096),
			 bench.reader.aging ? (int)SAMPLE : -EAGAIN);
}

/* Only what a look made visible is read. */
TEST(kernel, visible_until_checked)
{
	begin_unit(&usual, 10);
	run_to(64 * 5);
	ck_assert(sim_oa_reader_check(&bench.reader, bench.tick * 1000));
	run_to(64 * 50);
	ck_assert_int_eq(read_bytes(1 << 20), 4 * SAMPLE);
	ck_assert_int_eq(read_bytes(1 << 20), -EAGAIN);
	ck_assert_int_eq(read_all(), 45 * SAMPLE);
}

TEST(kernel, whole_records_only)
{
	static const size_t rooms[] = {
		0, 7, SAMPLE - 1, SAMPLE, 2 * SAMPLE - 1, 3 * SAMPLE
	};
	static const int results[] = { -ENOSPC, -ENOSPC, -ENOSPC,
				       SAMPLE,	SAMPLE,	 3 * SAMPLE };

	begin_unit(&usual, 10);
	run_to(64 * 20);
	sim_oa_reader_check(&bench.reader, bench.tick * 1000);
	for (size_t i = 0; i < ARRAY_SIZE(rooms); i++)
		ck_assert_int_eq(read_bytes(rooms[i]), results[i]);
	/* none was skipped: five have been read */
	ck_assert_int_eq(read_bytes(SAMPLE), SAMPLE);
	ck_assert_uint_eq(in_report(0, 4), 32 + 5 * 64);
}

/* ------------------------------------------------------------------ */
/* Mishaps                                                              */

TEST_CASE(mishaps, NULL, tear_down, "drmsim_i915_oa");

TEST(mishaps, a_full_buffer_is_an_overflow)
{
	struct sim_oa_statistics before = { 0 }, after = { 0 };

	begin_unit(&usual, 10);
	run_to(64ull * 65536);
	ck_assert(sim_oa_reader_check(&bench.reader, bench.tick * 1000));
	sim_oa_statistics_add(&before, bench.unit);
	ck_assert_uint_eq(before.written, 65536);
	ck_assert_uint_eq(before.overflows, 0);
	run_to(64ull * 65537);
	sim_oa_statistics_add(&after, bench.unit);
	ck_assert_uint_eq(after.written, 65536);
	ck_assert_uint_eq(after.overflows, 1);
	run_to(64ull * 100000);
	ck_assert_int_eq(read_bytes(4), -ENOSPC);
	ck_assert_int_eq(read_bytes(4096), 8);
	ck_assert_uint_eq(word_at(bench.data), 3);
	ck_assert_uint_eq(word_at(bench.data + 4), 8 << 16);
	/* the unit was restarted at that moment */
	ck_assert_int_eq(read_bytes(4096), -EAGAIN);
	run_to(64ull * 100003);
	ck_assert_int_eq(read_all(), 2 * SAMPLE);
	ck_assert_uint_eq(in_report(0, 16), 32);
}

TEST_LOOP(mishaps, lost_reports_are_reported, 2)
{
	struct sim_oa_setup setup = usual;
	bool haswell = _i == 1;

	if (haswell)
		setup.generation = SIM_OA_HASWELL;
	begin_unit(&setup, haswell ? 5 : 10);
	run_to(64 * 4);
	for (unsigned round = 0; round < 2; round++) {
		sim_oa_unit_lose(bench.unit, 3);
		run_to(bench.tick + 64 * 10);
		sim_oa_reader_check(&bench.reader, bench.tick * 1000);
		read_bytes(8);
		/* Haswell's flag cannot be cleared: it is reported once */
		if (haswell && round == 1) {
			ck_assert_uint_eq(bench.size, 0);
		} else {
			ck_assert_uint_eq(bench.size, 8);
			ck_assert_uint_eq(word_at(bench.data), 2);
		}
		read_bytes(1 << 20);
	}
	ck_assert_uint_eq(bench.size, 7 * SAMPLE);
	/* counters went on while reports were lost */
	ck_assert_uint_eq(in_report(1, 4) - in_report(0, 4), 4 * 64);
}

TEST_LOOP(mishaps, a_hole_is_reported_where_it_stays, 2)
{
	struct sim_oa_setup setup = usual;
	bool haswell = _i == 1;

	if (haswell)
		setup.generation = SIM_OA_HASWELL;
	begin_unit(&setup, haswell ? 5 : 10);
	run_to(64 * 2);
	sim_oa_unit_hole(bench.unit, 1);
	run_to(64 * 3);
	/* what looks like zeros might still be on its way */
	ck_assert_int_eq(read_all(), SAMPLE);
	run_to(64 * 6);
	ck_assert_int_eq(read_all(), haswell ? 3 * SAMPLE : 4 * SAMPLE);
	ck_assert_uint_ne(in_report(0, 4), 0);
	if (!haswell) {
		ck_assert_uint_eq(in_report(1, 0), 0);
		ck_assert_uint_eq(in_report(1, 4), 0);
		ck_assert_uint_eq(in_report(1, 16), 0);
	}
}

/* Behind a report comes one that was taken a tick earlier. */
TEST(mishaps, a_late_report_comes_behind_its_successor)
{
	static const uint32_t ticks[] = { 32, 31, 96, 95, 160, 224 };

	begin_unit(&usual, 10);
	sim_oa_unit_late(bench.unit, 2);
	run_to(300);
	ck_assert_int_eq(read_all(), ARRAY_SIZE(ticks) * SAMPLE);
	for (unsigned n = 0; n < ARRAY_SIZE(ticks); n++) {
		ck_assert_uint_eq(in_report(n, 4), ticks[n]);
		ck_assert_uint_eq(in_report(n, 12), ticks[n] * 50);
		/* A0 */
		ck_assert_uint_eq(in_report(n, 16), ticks[n]);
	}
}

TEST(mishaps, a_stalled_unit_writes_no_reports)
{
	begin_unit(&usual, 10);
	run_to(64 * 5);
	sim_oa_unit_stall(bench.unit, true);
	run_to(64 * 50);
	ck_assert_int_eq(read_all(), 4 * SAMPLE);
	sim_oa_unit_stall(bench.unit, false);
	run_to(64 * 60);
	read_all();
	/* the one that had not landed, then the first after the pause */
	ck_assert_uint_eq(in_report(0, 16), 32 + 4 * 64);
	ck_assert_uint_eq(in_report(1, 16), 32 + 50 * 64);
}

/* ------------------------------------------------------------------ */
/* Contexts                                                             */

/* The cycle: 100 us of 0x21, 50 us of 0x22, 50 us idle; timer at 32 + 64 n. */
#define CYCLE "0x21:100us,0x22:50us*2,idle:50us"

/* Everything that happens from 0 to 200, by generation. */
static const struct {
	uint32_t tick;
	unsigned reason;
	bool running;
	uint32_t context; /* in the hardware's report */
	uint32_t weighted;
} happenings[] = {
	{ 32, SIM_OA_TIMER, true, 0x21, 32 },
	{ 96, SIM_OA_TIMER, true, 0x21, 96 },
	{ 100, SIM_OA_SWITCH, true, 0x22, 100 },
	{ 150, SIM_OA_GO, false, 0x22, 200 },
	{ 160, SIM_OA_TIMER, false, 0x22, 200 },
	{ 200, SIM_OA_SWITCH, true, 0x21, 200 },
};

static const struct generation {
	enum sim_oa_generation generation;
	unsigned format, valid_bit;
	bool squashed; /* the kernel hides the context of idle reports */
} generations[] = {
	{ SIM_OA_GEN8, 10, 25, true },
	{ SIM_OA_GEN9, 10, 16, true },
	{ SIM_OA_GEN12, 10, 16, true },
	{ SIM_OA_XEHP, 11, 16, false },
};

TEST_CASE(contexts, NULL, tear_down, "drmsim_i915_oa");

TEST_LOOP(contexts, context_switches_make_reports, ARRAY_SIZE(generations))
{
	const struct generation *c = &generations[_i];
	struct sim_oa_setup setup = usual;

	setup.generation = c->generation;
	set_up(&setup, c->format);
	ck_assert_int_eq(sim_timeline_parse(&bench.timeline, CYCLE, TICK_HZ, 0),
			 0);
	enable_unit();
	run_to(230);
	ck_assert_int_eq(read_all(), 6 * SAMPLE);
	for (unsigned n = 0; n < ARRAY_SIZE(happenings); n++) {
		uint32_t id = in_report(n, 0);
		bool valid = happenings[n].running;

		if (c->generation == SIM_OA_XEHP)
			valid = happenings[n].reason == SIM_OA_SWITCH;
		ck_assert_uint_eq(id >> 19 & 0x3f, happenings[n].reason);
		ck_assert_uint_eq(id >> c->valid_bit & 1, valid);
		ck_assert_uint_eq(in_report(n, 4), happenings[n].tick);
		ck_assert_uint_eq(in_report(n, 8),
				  valid || !c->squashed ? happenings[n].context
							: UINT32_MAX);
		ck_assert_uint_eq(in_report(n, 12), happenings[n].tick * 50);
		ck_assert_uint_eq(in_report(n, 16), happenings[n].weighted);
		/* 50 MHz are 3 units of 16.67 MHz */
		ck_assert_uint_eq(id & 0x1ff, 3);
	}
}

/* Filtered: own ones, the first after one, and every switch. */
TEST(contexts, a_filtered_stream_has_one_context)
{
	/* 32, 96, idle at 100; not 160; switches at 180, 230; 288, 330 */
	static const struct {
		uint32_t tick, context;
	} expected[] = {
		{ 32, 0x21 },	     { 96, 0x21 },  { 100, UINT32_MAX },
		{ 180, UINT32_MAX }, { 230, 0x21 }, { 288, 0x21 },
		{ 330, UINT32_MAX },
	};
	struct sim_oa_setup setup = usual;

	setup.filtered = true;
	setup.context = 0x21;
	set_up(&setup, 10);
	ck_assert_int_eq(sim_timeline_parse(&bench.timeline,
					    "0x21:100us,idle:80us,0x22:50us",
					    TICK_HZ, 0),
			 0);
	enable_unit();
	run_to(415);
	ck_assert_int_eq(read_all(), 7 * SAMPLE);
	for (unsigned n = 0; n < ARRAY_SIZE(expected); n++) {
		ck_assert_uint_eq(in_report(n, 4), expected[n].tick);
		ck_assert_uint_eq(in_report(n, 8), expected[n].context);
	}
	/* system-wide all the same: the other context counts */
	ck_assert_uint_eq(in_report(4, 16), 150);
}

/* Haswell stands still while another context runs. */
TEST(contexts, haswell_stands_still_for_other_contexts)
{
	struct sim_oa_setup setup = usual;

	setup.generation = SIM_OA_HASWELL;
	setup.filtered = true;
	setup.context = 0x21;
	set_up(&setup, 5);
	ck_assert_int_eq(sim_timeline_parse(&bench.timeline,
					    "0x21:100us,0x22:100us", TICK_HZ,
					    0),
			 0);
	enable_unit();
	run_to(400);
	ck_assert_int_eq(read_all(), 3 * SAMPLE);
	ck_assert_uint_eq(in_report(1, 4), 96);
	ck_assert_uint_eq(in_report(1, 12), 96);
	ck_assert_uint_eq(in_report(2, 4), 224);
	ck_assert_uint_eq(in_report(2, 12), 124);
	run_to(500);
	ck_assert_int_eq(read_all(), 2 * SAMPLE);
	ck_assert_uint_eq(in_report(1, 4), 416);
	ck_assert_uint_eq(in_report(1, 12), 216);
}

TEST(contexts, a_new_timeline_begins_at_once)
{
	begin_unit(&usual, 10);
	run_to(110);
	ck_assert_int_eq(sim_timeline_parse(&bench.timeline, "5:10us*3,6:1s",
					    TICK_HZ, 110),
			 0);
	sim_oa_unit_retime(bench.unit);
	run_to(230);
	ck_assert_int_eq(read_all(), 4 * SAMPLE);
	ck_assert_uint_eq(in_report(2, 4), 120);
	ck_assert_uint_eq(in_report(2, 8), 6);
	ck_assert_uint_eq(in_report(2, 16), 110 + 30);
}

TEST(contexts, a_trigger_makes_a_report)
{
	begin_unit(&usual, 10);
	run_to(40);
	sim_oa_unit_trigger(bench.unit, SIM_OA_TRIGGER1);
	run_to(100);
	ck_assert_int_eq(read_all(), 2 * SAMPLE);
	ck_assert_uint_eq(in_report(1, 0) >> 19 & 0x3f, SIM_OA_TRIGGER1);
	ck_assert_uint_eq(in_report(1, 4), 40);
}
