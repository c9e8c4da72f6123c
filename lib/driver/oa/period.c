/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/oa/period.h"

#define FENCED_NS 100000
#define ABSENCE_NS UINT64_C(30000000000)

uint64_t
oa_period_ns(uint64_t timestamp_hz, unsigned exponent)
{
	return (UINT64_C(2000000000) << exponent) / timestamp_hz;
}

unsigned
oa_exponent(uint64_t timestamp_hz, uint64_t ns)
{
	unsigned exponent = 0;

	while (exponent < OA_EXPONENT_MAX &&
	       oa_period_ns(timestamp_hz, exponent + 1) <= ns)
		exponent++;
	return exponent;
}

unsigned
oa_exponent_choose(uint64_t timestamp_hz, size_t report_size, uint64_t wrap_ns,
		   bool relaxed)
{
	/* at least half of a time is what an exponent gives */
	const uint64_t relaxed_ns =
		2 * ABSENCE_NS / (OA_BUFFER_SIZE / report_size);
	const uint64_t wanted_ns = relaxed ? relaxed_ns : FENCED_NS;

	return oa_exponent(timestamp_hz,
			   wrap_ns < wanted_ns ? wrap_ns : wanted_ns);
}
