/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread traces: what stands in their buffers, how they end, whose work they
 * see, and what is reported of wrong use.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/drmsim/sqtt_hand.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define US 1000u
#define MARKER 0xc342u /* USERDATA_2, in dwords */

static void
forget(void)
{
	drmsim_command("clear", NULL, 0);
	/* COMPUTE_THREAD_TRACE_ENABLE is the queue's */
	drmsim_set("compute-ring", "stays");
	drmsim_set("all-vmid", "ignored");
	drmsim_set("finish-done", "comes");
}

static void
assert_clean(const char *name)
{
	static char report[1 << 16];

	ck_assert_int_eq(drmsim_command("report", report, sizeof(report)), 0);
	ck_assert_msg(!strstr(report, "violation"), "%s: %s", name, report);
}

/* ---- waves */

/* A dispatch on each kind of queue, and how many waves it has. */
static const struct {
	const char *name;
	unsigned generation, ip;
	uint32_t groups, threads, wave;
} wave_cases[] = {
	{ "gfx10.3, compute", SQTT_GFX103, COMPUTE, 13, 64, 64 },
	{ "gfx10.3, graphics", SQTT_GFX103, GFX, 13, 64, 64 },
	{ "gfx10.3, more than one round", SQTT_GFX103, COMPUTE, 3000, 64, 64 },
	{ "gfx10.3, half a wave", SQTT_GFX103, COMPUTE, 5, 32, 64 },
	{ "gfx11, compute", SQTT_GFX11, COMPUTE, 13, 64, 64 },
	{ "gfx11, graphics", SQTT_GFX11, GFX, 13, 64, 64 },
	{ "gfx11, more than one round", SQTT_GFX11, COMPUTE, 4000, 64, 64 },
	{ "gfx12, compute", SQTT_GFX12, COMPUTE, 13, 64, 64 },
	{ "gfx12, graphics", SQTT_GFX12, GFX, 13, 64, 64 },
	{ "gfx9, compute", SQTT_GFX9, COMPUTE, 13, 128, 64 },
	{ "gfx9, graphics", SQTT_GFX9, GFX, 13, 64, 64 },
	{ "gfx9, more than one round", SQTT_GFX9, COMPUTE, 3000, 64, 64 },
	{ "gfx10.1, compute", SQTT_GFX101, COMPUTE, 13, 64, 64 },
	{ "gfx10.1, graphics", SQTT_GFX101, GFX, 13, 64, 64 },
	{ "gfx11.5, compute", SQTT_GFX115, COMPUTE, 13, 64, 64 },
};

/* What the counters of an engine say. */
static uint32_t
counted_waves(struct sqtt_trace *trace, unsigned engine)
{
	struct hand_gpu *gpu = &trace->gpu;
	const uint32_t index = 0x60000000 | engine << 16;

	if (trace->generation->gpu == NAVI48)
		return chip_count(gpu, NAVI48, trace->generation->waves_lo,
				  index);
	return chip_count(gpu, NAVI21, trace->generation->waves_lo, index);
}

START_TEST(waves)
{
	const unsigned ip = wave_cases[_i].ip;
	const struct sqtt_generation *g =
		&sqtt_generations[wave_cases[_i].generation];
	const uint64_t in_a_group =
		(wave_cases[_i].threads + wave_cases[_i].wave - 1) /
		wave_cases[_i].wave;
	struct sqtt_stream stream;
	struct sqtt_trace trace;
	uint64_t sum = 0, threads = 0;

	sqtt_open(&trace, g, ip);
	sqtt_start(&trace);
	sqtt_emit_dispatch(&trace.gpu, wave_cases[_i].groups,
			   wave_cases[_i].threads);
	hand_run(&trace.gpu);
	hand_advance(100 * US);
	sqtt_stop(&trace);
	for (unsigned i = 0; i < g->engines; i++) {
		sqtt_read(&trace, i, &stream);
		ck_assert_uint_eq(stream.version, g->version);
		ck_assert_uint_eq(stream.starts, counted_waves(&trace, i));
		ck_assert_uint_eq(stream.ends, stream.starts);
		ck_assert_uint_eq(stream.unmatched, 0);
		ck_assert_uint_eq(stream.dispatches, 1);
		ck_assert_uint_gt(stream.most_at_once, 0);
		sum += stream.starts;
		threads += stream.threads;
		ck_assert_uint_eq(trace.status[i] & g->done,
				  g->family == SQTT_WORDS ? 0 : g->done);
	}
	ck_assert_uint_eq(sum, wave_cases[_i].groups * in_a_group);
	ck_assert_uint_eq(threads, (uint64_t)wave_cases[_i].groups *
					   wave_cases[_i].threads);
	sqtt_close(&trace);
	assert_clean(wave_cases[_i].name);
}
END_TEST

static Suite *
make_suite(const char *name)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create("tracing");

	tcase_add_checked_fixture(tcase, forget, NULL);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, waves, 0, ARRAY_SIZE(wave_cases));
	suite_add_tcase(suite, tcase);
	return suite;
}

/* The machine of chips.h, and a Vega 10 and a Strix behind its GPUs. */
static const char *const options[] = { "--time",	"virtual",
				       "--gpu=navi21",	"--gpu=mi200",
				       "--gpu=navi31",	"--gpu=polaris10",
				       "--gpu=mi100",	"--gpu=navi10",
				       "--gpu=mi300",	"--gpu=navi48",
				       "--gpu=bonaire", "--gpu=vega10",
				       "--gpu=strix",	NULL };

int
main(void)
{
	const struct machine machine = { options, "drmsim_sqtt" };

	if (!drmsim_is_present())
		return below_drmsim(&machine, 1);
	return suite_run(make_suite(machine.suite));
}
