/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When counters were read, between two looks at a clock.
 */

#include "driver/perf_event/when.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static struct perf_when when;

static void
expect_interval(uint64_t begin_ns, uint64_t end_ns, uint64_t kernel_ns,
		uint64_t at_ns)
{
	ck_assert_uint_eq(perf_when(&when, begin_ns, end_ns, kernel_ns), at_ns);
}

static void
set_up(void)
{
	when = (struct perf_when){ .known = false };
}

TEST_CASE(all, set_up, NULL, "when");

/* Whatever comes before or behind the read, the interval is the kernel's. */
TEST(all, an_interval_is_the_kernels)
{
	expect_interval(1000, 1010, 500, 1005);
	expect_interval(2000, 9000, 1500, 2005);
	expect_interval(2500, 3010, 2500, 3005);
	expect_interval(4000, 4010, 3501, 4006);
}

/* The first is the middle; a closer look later is better. */
TEST(all, the_first_was_long)
{
	expect_interval(1000, 9000, 500, 5000);
	expect_interval(10000, 10010, 5600, 10010);
	expect_interval(11000, 11010, 6595, 11005);
}

/* Clocks that go apart, or one that stands still, as of a thread that waits. */
TEST(all, never_out_of_the_two)
{
	expect_interval(1000, 1010, 500, 1005);
	expect_interval(2000, 2010, 1600, 2010);
	expect_interval(3000, 3010, 1600, 3000);
	expect_interval(4000, 4010, 2600, 4000);
	expect_interval(5000, 5010, 3605, 5005);
}

/* The kernel's may be ahead, or begin again at 0. */
TEST(all, the_kernels_clock_may_have_any_offset)
{
	expect_interval(1000, 1010, UINT64_MAX - 10, 1005);
	expect_interval(2000, 2010, 985, 2001);
	expect_interval(3000, 3010, 0, 3000);
	expect_interval(4000, 4010, 1004, 4004);
}
