/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rate that is another one is noticed; readings that come late, whenever
 * and however late, are not taken for that.
 */

#include "driver/intel/oa/rate_watch.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define HZ UINT64_C(12000000)
#define MS UINT64_C(1000000)
#define READS 100 /* every 5 ms */

/* How a reading goes: so late that the program looks, and how long it takes. */
struct reading {
	uint64_t late_ns, width_ns;
};

static struct reading
at_once(unsigned n)
{
	(void)n;
	return (struct reading){ 0, MS / 10 };
}

/* Return a reading of a machine that is busy. */
static struct reading
uneven_reading(unsigned n)
{
	return (struct reading){ n % 7 * MS / 2, MS / 10 + n % 5 * MS };
}

/* Return a reading within which the program was stopped for a while. */
static struct reading
stopped_reading(unsigned n)
{
	return (struct reading){ 0, n > 50 && n < 70 ? 400 * MS : MS / 10 };
}

/* Return a reading of a unit that wrote nothing for a while. */
static struct reading
stuttering_reading(unsigned n)
{
	return (struct reading){ n % 20 == 19 ? 4 * MS : 0, MS / 10 };
}

static const struct {
	const char *name;
	struct reading (*reading)(unsigned n);
	double rate; /* really, by what is said */
	unsigned least, most; /* reading at which it is noticed; 0: never */
} cases[] = {
	{ "right", at_once, 1, 0, 0 },
	{ "right, busy", uneven_reading, 1, 0, 0 },
	{ "right, stopped", stopped_reading, 1, 0, 0 },
	{ "right, stuttering", stuttering_reading, 1, 0, 0 },
	{ "200 ppm", at_once, 1.0002, 0, 0 },
	{ "almost a hundredth", at_once, 1.008, 0, 0 },
	{ "almost a hundredth less", at_once, 0.992, 0, 0 },
	{ "two hundredths", at_once, 1.02, 20, 30 },
	{ "two hundredths less", at_once, 0.98, 20, 30 },
	{ "twice", at_once, 2, 20, 24 },
	{ "twice, busy", uneven_reading, 2, 20, 40 },
	{ "twice, stopped", stopped_reading, 2, 20, 24 },
	{ "half", at_once, 0.5, 20, 24 },
	{ "half, busy", uneven_reading, 0.5, 20, 40 },
};

TEST_CASE(all, NULL, NULL, "oa_rate_watch");

TEST_LOOP(all, wrong_rate_is_noticed, ARRAY_SIZE(cases))
{
	struct rate_watch watch;
	unsigned noticed = 0;

	rate_watch_init(&watch, HZ);
	for (unsigned n = 0; n < READS; n++) {
		const struct reading reading = cases[_i].reading(n);
		const uint64_t taken_ns = (1000 + 5 * n) * MS;
		const struct rate_mark mark = {
			.ticks = (uint64_t)((double)(5 * n * MS -
						     reading.late_ns * !!n) /
					    1e9 * (double)HZ * cases[_i].rate),
			.from_ns = taken_ns - MS / 10,
			.to_ns = taken_ns + reading.width_ns,
		};

		rate_watch_add(&watch, &mark);
		if (!noticed && watch.measured_hz != 0)
			noticed = n;
	}
	ck_assert_msg(noticed >= cases[_i].least && noticed <= cases[_i].most,
		      "%s: %u", cases[_i].name, noticed);
	if (noticed)
		ck_assert_double_eq_tol(watch.measured_hz,
					cases[_i].rate * (double)HZ,
					0.2 * (double)HZ);
}
