/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of several AMD GPUs: all commands are submitted before any are waited
 * for, and what one of the GPUs fails at costs the others nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <amdgpu_drm.h>
#include <sys/ioctl.h>
#include <xf86drm.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define GPUS 4

/* Replace libdrm's, and note C for a submission, and W for a wait. */
int
drmIoctl(int fd, unsigned long request, void *arg)
{
	int ret;

	if (request == DRM_IOCTL_AMDGPU_CS)
		counting_note_call('C');
	if (request == DRM_IOCTL_AMDGPU_WAIT_CS)
		counting_note_call('W');
	do
		ret = ioctl(fd, request, arg);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret;
}

static void
set_up(void)
{
	/* samples wait by the kernel, whose calls are looked at */
	setenv("DRMPERF_SPIN_US", "0", 1);
	counting_begin();
}

TEST_CASE(amdgpu_several, set_up, counting_end_clean, "amdgpu_several");
TEST_CASE(amdgpu_generations_together, set_up, counting_end_clean,
	  "amdgpu_generations_together");

#define EVENT(gpu) "amdgpu::SQ.WAVES:device=" #gpu

/*
 * Return the expected count: GPU i counts SQ.4 at i + 1 kHz, in each of its
 * four shader engines.
 */
static uint64_t
expected_count(unsigned gpu, uint64_t ms)
{
	return 4 * (gpu + 1) * ms;
}

static const unsigned order[GPUS] = { 3, 1, 2, 0 };
static const char *const events[] = { EVENT(3), EVENT(1), EVENT(2), EVENT(0),
				      NULL };

static struct drmperf_session *
start_sessions(void)
{
	char key[16], rate[16];

	for (unsigned i = 0; i < GPUS; i++) {
		snprintf(key, sizeof(key), "gpu%u.rate", i);
		snprintf(rate, sizeof(rate), "SQ.4 %u", (i + 1) * 1000);
		scene_set(key, rate);
	}
	return counting_start(events);
}

/* Read that long after the start; unless code is 0, one GPU alone has that. */
static void
read_after(uint64_t ms, struct drmperf_session *session, unsigned failing,
	   int code)
{
	union drmperf_value values[GPUS];
	int statuses[GPUS];

	counting_calls[0] = '\0';
	ck_assert_int_eq(drmperf_session_read(session, values, statuses, NULL,
					      &counting.error),
			 code != 0);
	for (size_t i = 0; i < GPUS; i++) {
		if (code && order[i] == failing)
			ck_assert_int_eq(statuses[i], code);
		else
			ck_assert_uint_eq(values[i].u64,
					  expected_count(order[i], ms));
	}
}

TEST(amdgpu_several, read_of_all)
{
	struct drmperf_session *session = start_sessions();

	for (uint64_t ms = 1; ms < 4; ms++) {
		scene_pass(MS);
		read_after(ms, session, 0, 0);
		ck_assert_str_eq(counting_calls, "CCCCWWWW");
	}
	drmperf_session_destroy(session);
}

/* At the first read; the second finds the GPU again, or not. */
static const struct {
	const char *fault;
	unsigned gpu;
	int code;
	const char *calls;
	int later;
	const char *later_calls;
} faults[] = {
	{ "cs:1:ENOMEM:gpu=0", 0, -ENOMEM, "CCCCWWW", 0, "CCCWWWCW" },
	{ "cs:1:ENOMEM:gpu=3", 3, -ENOMEM, "CCCCWWW", 0, "CCCWWWCW" },
	/* the run is ended after the others: two submissions */
	{ "cs:1:ECANCELED:gpu=1", 1, -ECANCELED, "CCCCWWW", -ECANCELED,
	  "CCCWWWCWCW" },
	{ "wait_cs:1:ECANCELED:gpu=2", 2, -ECANCELED, "CCCCWWWW", -ECANCELED,
	  "CCCWWWCWCW" },
};

TEST_LOOP(amdgpu_several, one_of_them_fails, ARRAY_SIZE(faults))
{
	const unsigned gpu = faults[_i].gpu;
	struct drmperf_session *session = start_sessions();

	scene_pass(MS);
	scene_fault(faults[_i].fault);
	read_after(1, session, gpu, faults[_i].code);
	ck_assert_str_eq(counting_calls, faults[_i].calls);
	scene_pass(MS);
	read_after(2, session, gpu, faults[_i].later);
	ck_assert_str_eq(counting_calls, faults[_i].later_calls);
	drmperf_session_destroy(session);
}

/*
 * Work of other programs holds a GPU's rings: the others are waited for before
 * it, and it afterwards, as long as it takes.
 */
TEST(amdgpu_several, one_of_them_is_slow)
{
	struct drmperf_session *session = start_sessions();
	union drmperf_value values[GPUS];

	scene_set("gpu1.hold-pipe", "300ms");
	counting_calls[0] = '\0';
	counting_read(session, values);
	ck_assert_str_eq(counting_calls, "CCCCWWWWW");
	counting_read(session, values);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */

#define CYCLES(gpu) "amdgpu::GRBM.COUNT:device=" #gpu

static const char *const cycles[GPUS] = { CYCLES(0), CYCLES(1), CYCLES(2),
					  CYCLES(3) };

/*
 * Generations whose samples are of several command buffers, or may run on the
 * wrong die: beside others each has the values that it has alone.
 */
TEST(amdgpu_generations_together, read_of_generations)
{
	struct drmperf_session *alone[GPUS], *all;
	union drmperf_value values[GPUS], value;

	all = counting_start(NAMES(cycles[0], cycles[1], cycles[2], cycles[3]));
	for (unsigned i = 0; i < GPUS; i++)
		alone[i] = counting_start(
			(const char *const[]){ cycles[i], NULL });
	for (int i = 0; i < 3; i++) {
		scene_pass(MS);
		counting_calls[0] = '\0';
		counting_read(all, values);
		ck_assert_msg(!strncmp(counting_calls, "CCCCW", 5), "%s",
			      counting_calls);
		for (unsigned k = 0; k < GPUS; k++) {
			counting_read(alone[k], &value);
			ck_assert_uint_gt(value.u64, 0);
			ck_assert_uint_eq(values[k].u64, value.u64);
		}
	}
	for (unsigned i = 0; i < GPUS; i++)
		drmperf_session_destroy(alone[i]);
	drmperf_session_destroy(all);
}

TEST_MACHINE("amdgpu_several", "--gpu", "vega10", "--gpu", "vega10", "--gpu",
	     "vega10", "--gpu", "vega10", "--time", "virtual");
TEST_MACHINE("amdgpu_generations_together", "--gpu", "navi31", "--gpu",
	     "mi300,die=any", "--gpu", "navi48", "--gpu", "vega10", "--time",
	     "virtual");

/* of MI300 */
TEST_SETTING(DRMPERF_DIES, "one");
