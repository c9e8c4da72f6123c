/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of several Intel GPUs, whatever drivers they have: the fences of all
 * are asked for before any is waited for, and a GPU whose stream fails costs
 * the others nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"
#include "driver/intel/oa/stream/stream.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define GPUS 3

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Note R for a fence that is asked for, N for none. */
void
oa_stream_request(struct oa_stream *stream, bool fence)
{
	counting_note_call(fence ? 'R' : 'N');
	NEXT(oa_stream_request)(stream, fence);
}

/* Note W for a wait. */
int
oa_stream_wait(struct oa_stream *stream, bool briefly,
	       const struct oa_requests *requests, struct oa_sample *out,
	       struct drmperf_error *error)
{
	counting_note_call('W');
	return NEXT(oa_stream_wait)(stream, briefly, requests, out, error);
}

static const char *const times[GPUS + 1] = {
	"i915::RenderBasic.GpuTime:device=1",
	"xe::RenderBasic.GpuTime:device=2",
	"i915::RenderBasic.GpuTime:device=0", NULL
};

static struct drmperf_session *
start_session(enum drmperf_read_mode mode)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = mode
	};
	struct drmperf_session *session =
		counting_session_with(times, &options);

	counting_run(session);
	return session;
}

static const struct {
	enum drmperf_read_mode mode;
	const char *calls;
} modes[] = {
	{ DRMPERF_READ_FENCED, "RRRWWW" },
	{ DRMPERF_READ_LATEST, "NNNWWW" },
};

TEST_CASE(several, counting_begin, counting_end, "oa_several");

TEST_LOOP(several, read_of_all, ARRAY_SIZE(modes))
{
	struct drmperf_session *session = start_session(modes[_i].mode);
	union drmperf_value values[2][GPUS];

	/* the first of the latest leaves the base line */
	counting_read(session, values[0]);
	for (int i = 0; i < 2; i++) {
		counting_calls[0] = '\0';
		counting_read(session, values[i]);
		/* a fence that takes long is waited for once more */
		ck_assert_msg(!strncmp(counting_calls, modes[_i].calls, 6),
			      "%s", counting_calls);
	}
	for (int i = 0; i < GPUS && modes[_i].mode == DRMPERF_READ_FENCED; i++)
		ck_assert_uint_gt(values[1][i].u64, values[0][i].u64);
	counting_calls[0] = '\0';
	ck_assert_int_eq(
		drmperf_session_try_read(session, values[0], NULL, NULL), 0);
	ck_assert_str_eq(counting_calls, "");
	drmperf_session_destroy(session);
}

/* A ratio of what was counted between a report and itself has no value. */
TEST(several, first_ratio_of_the_latest)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = DRMPERF_READ_LATEST
	};
	struct drmperf_session *session = counting_session_with(
		NAMES("i915::RenderBasic.GpuBusy:device=0",
		      "xe::RenderBasic.GpuBusy:device=2"),
		&options);
	union drmperf_value values[2];

	for (int i = 0; i < 10; i++) {
		counting_run(session);
		counting_read(session, values);
		ck_assert(!isnan(values[0].f64) && !isnan(values[1].f64));
		ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
		counting_read(session, values);
		ck_assert(!isnan(values[0].f64) && !isnan(values[1].f64));
		ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	}
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Streams that are not looked at                                        */

/* A tenth of a second fills no more than that many buffers of the thread's. */
#define READS_AT_ONCE 4

/*
 * They are read ten times a second. What a slow machine leaves out makes the
 * reads fewer, never more.
 */
TEST(several, idle_streams_are_read_ten_times_a_second)
{
	struct drmperf_session *session =
		counting_start(NAMES("i915::RenderBasic.GpuTime:device=0"));
	const struct timespec while_idle = { .tv_nsec = 700000000 };
	uint64_t calls_before = scene_calls("i915_perf_read");
	uint64_t began = monotonic_ns(), tenths, reads;
	union drmperf_value before, now;

	nanosleep(&while_idle, NULL);
	reads = scene_calls("i915_perf_read") - calls_before;
	tenths = (monotonic_ns() - began) / (100 * MS);
	ck_assert_msg(reads <= READS_AT_ONCE * (tenths + 2), "%u reads in %u",
		      (unsigned)reads, (unsigned)tenths);
	/* who looks gets newer values before long */
	ck_assert_int_eq(drmperf_session_try_read(session, &before, NULL, NULL),
			 0);
	for (int i = 0; i < 5; i++) {
		do
			ck_assert_int_eq(drmperf_session_try_read(session, &now,
								  NULL, NULL),
					 0);
		while (now.u64 == before.u64);
		ck_assert_uint_gt(now.u64, before.u64);
		before = now;
	}
	drmperf_session_destroy(session);
}

TEST(several, one_of_them_fails)
{
	struct drmperf_session *session = start_session(DRMPERF_READ_FENCED);
	union drmperf_value values[GPUS];
	int statuses[GPUS], ret = 0;

	scene_fault("xe_oa_read:1+:ENODEV");
	/* its thread may have read before */
	for (int i = 0; i < 3 && !ret; i++) {
		counting_calls[0] = '\0';
		ret = drmperf_session_read(session, values, statuses, NULL,
					   NULL);
	}
	ck_assert_int_eq(ret, 1);
	ck_assert_int_eq(statuses[0], 0);
	ck_assert_int_eq(statuses[1], -ENODEV);
	ck_assert_int_eq(statuses[2], 0);
	ck_assert_msg(!strncmp(counting_calls, "RRRWWW", 6), "%s",
		      counting_calls);
	/* dead, it is left out */
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(drmperf_session_read(session, values, statuses,
						      NULL, NULL),
				 1);
	ck_assert_int_eq(statuses[1], -ENODEV);
	drmperf_session_destroy(session);
}

TEST_MACHINE("oa_several", "--gpu", "skl", "--gpu", "skl", "--gpu", "bmg");

TEST_MACHINE_OPTION(in_time, true);
