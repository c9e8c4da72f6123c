/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What self-tests make of clocks, of traces, of what is drawn, and of who is to
 * sleep.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/amdgpu/traced.h"
#include "selftest/checks/clock.h"
#include "selftest/checks/drawn.h"
#include "selftest/checks/sleep.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/suite.h"

/* ---- clocks: moments in ns, and what passed by the other clock */

static const struct {
	struct clock_moments first, last;
	double ns;
	enum selftest_verdict verdict;
} clocks[] = {
	/* between the least and the most that can have passed */
	{ { 0, 1000 }, { 1000000, 1001000 }, 1000000, SELFTEST_PASS },
	{ { 0, 1000 }, { 1000000, 1001000 }, 999000, SELFTEST_PASS },
	{ { 0, 1000 }, { 1000000, 1001000 }, 1001000, SELFTEST_PASS },
	/* a little less, and more: 0.1 % are allowed */
	{ { 0, 1000 }, { 1000000, 1001000 }, 998002, SELFTEST_PASS },
	{ { 0, 1000 }, { 1000000, 1001000 }, 997900, SELFTEST_FAIL },
	{ { 0, 1000 }, { 1000000, 1001000 }, 1002000, SELFTEST_PASS },
	{ { 0, 1000 }, { 1000000, 1001000 }, 1002100, SELFTEST_FAIL },
	{ { 0, 1000 }, { 1000000, 1001000 }, 500000, SELFTEST_FAIL },
	{ { 0, 1000 }, { 1000000, 1001000 }, 0, SELFTEST_FAIL },
	/* who has looked for too long cannot tell, unless it is as wrong */
	{ { 0, 6000 }, { 1000000, 1006000 }, 1000000, SELFTEST_UNKNOWN },
	{ { 0, 6000 }, { 1000000, 1006000 }, 2000000, SELFTEST_FAIL },
};

TEST_CASE(clock, NULL, NULL, "selftest_checks");

TEST_LOOP(clock, clocks_are_compared, ARRAY_SIZE(clocks))
{
	struct clock_error error = clock_compare(
		clocks[_i].ns, &clocks[_i].first, &clocks[_i].last);

	ck_assert_int_eq(clock_verdict(&error), clocks[_i].verdict);
}

/* ---- traced: waves that were launched, and those in the trace */

#define WAVES 10007

static const struct {
	struct traced_waves waves;
	enum selftest_verdict verdict;
	const char *remark;
} traces[] = {
	{ { false, WAVES, WAVES, false, false }, SELFTEST_PASS, "" },
	{ { true, WAVES, WAVES, false, false }, SELFTEST_PASS, "" },
	{ { false, WAVES - 1, WAVES, false, false }, SELFTEST_NO, "" },
	{ { false, WAVES, WAVES - 1, false, false }, SELFTEST_NO, "" },
	{ { true, 0, 0, false, false }, SELFTEST_NO, "" },
	/* those of all programs may have more, a full one anything */
	{ { false, WAVES + 1, WAVES + 1, false, false }, SELFTEST_NO, "" },
	{ { true, WAVES + 1, WAVES + 1, false, false },
	  SELFTEST_UNKNOWN,
	  ": other programs use the GPU" },
	{ { false, WAVES - 1, 0, true, false },
	  SELFTEST_UNKNOWN,
	  ": a buffer was full" },
	{ { false, WAVES, WAVES, false, true },
	  SELFTEST_NO,
	  ": an engine has not written all" },
};

TEST_CASE(traced, NULL, NULL, "selftest_checks");

TEST_LOOP(traced, traces_are_compared, ARRAY_SIZE(traces))
{
	const char *remark;

	ck_assert_int_eq(traced_verdict(&traces[_i].waves, &remark),
			 traces[_i].verdict);
	ck_assert_str_eq(remark, traces[_i].remark);
}

/* ---- drawn: what the process that draws answers, what is counted, and told */

#define QUADS_PIXELS 7340032
#define GROUPS 10007

static const struct {
	const struct drawn *drawn;
	int answer;
	uint64_t quiet, counted;
	enum selftest_verdict verdict;
	const char *seen;
} drawings[] = {
	{ &drawn_quads, 0, 0, QUADS_PIXELS, SELFTEST_PASS, "7340032" },
	{ &drawn_quads, 0, 0, QUADS_PIXELS - 1, SELFTEST_FAIL, "7340031" },
	{ &drawn_quads, 0, 0, UINT64_MAX, SELFTEST_FAIL,
	  "18446744073709551615" },
	{ &drawn_quads, 0, 1, QUADS_PIXELS, SELFTEST_UNKNOWN,
	  "another process" },
	{ &drawn_quads, -EILSEQ, 0, QUADS_PIXELS, SELFTEST_UNKNOWN,
	  "picture is not there" },
	{ &drawn_quads, -EILSEQ, 1, QUADS_PIXELS, SELFTEST_UNKNOWN,
	  "another process" },
	{ &drawn_quads, -ENOSYS, 0, 0, SELFTEST_UNKNOWN,
	  "without the headers of EGL" },
	{ &drawn_quads, -ENOENT, 0, 0, SELFTEST_UNKNOWN, "is not installed" },
	{ &drawn_quads, -ENODEV, 0, 0, SELFTEST_UNKNOWN,
	  "does not offer this GPU" },
	{ &drawn_quads, -ENOTSUP, 0, 0, SELFTEST_UNKNOWN, "without a window" },
	{ &drawn_quads, -EPIPE, 0, 0, SELFTEST_UNKNOWN,
	  "process that draws has failed" },
	{ &drawn_groups, 0, 0, GROUPS, SELFTEST_PASS, "10007" },
	{ &drawn_groups, 0, 0, GROUPS + 1, SELFTEST_FAIL, "10008" },
	{ &drawn_groups, 0, 0, QUADS_PIXELS, SELFTEST_FAIL, "7340032" },
	{ &drawn_groups, 0, 1, GROUPS, SELFTEST_UNKNOWN, "process computes" },
	{ &drawn_groups, -EILSEQ, 0, 0, SELFTEST_UNKNOWN, "results are not" },
	{ &drawn_groups, -ENOTSUP, 0, 0, SELFTEST_UNKNOWN, "OpenGL ES 3.1" },
};

/* What is asked, and what is answered. */
struct asked {
	struct selftest_drawing drawing;
	int answer;
};

static int
answer_draw(void *data, const struct selftest_drawing *drawing,
	    enum selftest_draw step)
{
	struct asked *asked = data;

	ck_assert_int_eq(step, SELFTEST_DRAW_CHECK);
	asked->drawing = *drawing;
	return asked->answer;
}

TEST_CASE(drawn, NULL, NULL, "selftest_checks");

TEST_LOOP(drawn, drawings_are_judged, ARRAY_SIZE(drawings))
{
	const struct drawn *drawn = drawings[_i].drawn;
	struct asked asked = { .answer = drawings[_i].answer };
	const struct selftest_host host = { .draw = answer_draw,
					    .data = &asked };
	char seen[DRAWN_TEXT_SIZE];

	ck_assert_int_eq(drawn_judge(drawn, &host, drawings[_i].quiet,
				     drawings[_i].counted, seen),
			 drawings[_i].verdict);
	ck_assert_msg(strstr(seen, drawings[_i].seen), "seen: %s", seen);
	if (drawn == &drawn_quads) {
		ck_assert_int_eq(asked.drawing.kind, SELFTEST_QUADS);
		ck_assert_uint_eq(asked.drawing.count, 7);
	} else {
		ck_assert_int_eq(asked.drawing.kind, SELFTEST_GROUPS);
		ck_assert_uint_eq(asked.drawing.count, GROUPS);
	}
}

/* ---- sleep: the files that the kernel has */

TEST_CASE(sleep, test_folder_make, test_folder_remove, "selftest_checks");

static void
put_file(const char *name, const char *text)
{
	test_file_write(text, "%s/power/%s", test_folder, name);
}

TEST(sleep, sleep_that_is_allowed)
{
	ck_assert(!sleep_is_allowed(test_folder));
	put_file("control", "on\n");
	ck_assert(!sleep_is_allowed(test_folder));
	put_file("control", "auto\n");
	ck_assert(sleep_is_allowed(test_folder));
}

TEST(sleep, sleep_that_is_seen)
{
	put_file("autosuspend_delay_ms", "5000\n");
	put_file("runtime_status", "suspended\n");
	ck_assert(sleep_wait(test_folder, 0));
	put_file("runtime_status", "active\n");
	ck_assert(!sleep_wait(test_folder, 0));
	put_file("runtime_status", "suspending\n");
	ck_assert(!sleep_wait(test_folder, 0));
}
