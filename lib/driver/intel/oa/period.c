/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/period.h"

#include "driver/intel/oa/format.h"
#include "driver/intel/oa/gpu.h"

/*
 * Below 20 us a fence would end some 100 us earlier on Skylake, at 10.7 us in
 * place of 85. But i915's buffer would then hold 0.7 seconds of reports and not
 * 5.6, so that a process that is kept from running for that long would lose
 * counts, and reading 94,000 reports a second takes 0.8 % of a core.
 */
#define FENCED_NS 100000
#define FENCED_ABSENCE_NS UINT64_C(12000000000)
#define ABSENCE_NS UINT64_C(30000000000)

/* The most events per clock of a report's counters that no EU feeds. */
#define EVENTS_PER_CLOCK 2

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

/*
 * Return the period at which the reports of absence_ns fill half a buffer. An
 * exponent gives at least half of that period.
 */
static uint64_t
period_to_fill(uint64_t absence_ns, size_t buffer_size, size_t report_size)
{
	return 2 * absence_ns / (buffer_size / report_size);
}

uint64_t
oa_period_choose(const struct oa_period_needs *needs)
{
	const size_t size =
		needs->buffer_size ? needs->buffer_size : OA_BUFFER_SIZE;
	uint64_t longer;

	if (needs->relaxed)
		return period_to_fill(ABSENCE_NS, OA_BUFFER_SIZE,
				      needs->report_size);
	if (needs->wraps)
		return FENCED_NS;
	longer = period_to_fill(FENCED_ABSENCE_NS, size, needs->report_size);
	return longer > FENCED_NS ? longer : FENCED_NS;
}

unsigned
oa_idle_ms(size_t report_size, uint64_t period_ns)
{
	const uint64_t most = 100;
	const uint64_t quarter =
		OA_BUFFER_SIZE / report_size * period_ns / 4 / 1000000;

	if (quarter > most)
		return (unsigned)most;
	return quarter ? (unsigned)quarter : 1;
}

static bool
has_bits(const struct oa_format *format, unsigned bits)
{
	for (size_t i = 0; i < OA_RUNS_MAX; i++) {
		if (format->runs[i].count && format->runs[i].bits == bits)
			return true;
	}
	return false;
}

static uint64_t
time_to_count(unsigned bits, uint64_t events_per_clock, uint64_t hz)
{
	__extension__ unsigned __int128 ns = (unsigned __int128)1000000000
					     << bits;

	return (uint64_t)(ns / events_per_clock / hz);
}

/*
 * Return the longest time in which no counter can wrap. An EU has at most one
 * event per clock; its counters have 40 bits except on Haswell. What the others
 * count, clocks, threads and memory messages, can be one per subslice and
 * clock. Half of the time to a wrap is allowed. Counters of 56 and 64 bits
 * never wrap.
 */
uint64_t
oa_wrap_ns(const struct oa_gpu *gpu, const struct oa_format *format)
{
	uint64_t events = gpu->topology.subslices, ns = UINT64_MAX;

	if (events < EVENTS_PER_CLOCK)
		events = EVENTS_PER_CLOCK;
	if (gpu->platform.generation == OA_GEN7 && events < gpu->topology.eus)
		events = gpu->topology.eus;
	if (has_bits(format, 32))
		ns = time_to_count(32, events, gpu->peak_hz) / 2;
	if (has_bits(format, 40)) {
		uint64_t wide =
			time_to_count(40, gpu->topology.eus, gpu->peak_hz) / 2;

		if (wide < ns)
			ns = wide;
	}
	return ns;
}
