/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often an OA unit takes a report.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_PERIOD_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oa_format;
struct oa_gpu;

/* The largest exponent that i915 and xe take. */
#define OA_EXPONENT_MAX 31

/* Sizes of the kernels' buffers of reports, and the largest that xe allows. */
#define OA_BUFFER_SIZE ((size_t)16 << 20)
#define OA_BUFFER_SIZE_MAX ((size_t)128 << 20)

/* Return (2 << exponent) ticks of the timestamp, in ns. */
uint64_t oa_period_ns(uint64_t timestamp_hz, unsigned exponent);

/*
 * Return the largest exponent whose period is at most ns; 0 if all are longer.
 */
unsigned oa_exponent(uint64_t timestamp_hz, uint64_t ns);

/* The facts on which the period of a stream depends. */
struct oa_period_needs {
	size_t report_size;
	size_t buffer_size; /* of the kernel; 0: OA_BUFFER_SIZE */
	bool wraps; /* counters of the report wrap: the period is limited */
	bool relaxed; /* nothing waits for a report */
};

/*
 * Choose the period of a stream, in ns. It is short, some 100 us, since a fence
 * waits for the next report. If no counter wraps it is longer: the kernel's
 * buffer then holds the reports of 12 seconds in which a process is kept from
 * running. If nothing waits for reports, OA_BUFFER_SIZE holds half a minute of
 * them.
 */
uint64_t
oa_period_choose(const struct oa_period_needs *needs);

/*
 * Return the period, in ms, at which a stream is read while no session asks for
 * its latest values: ten times a second, or as often as it takes for a quarter
 * of the kernel's buffer to fill.
 */
unsigned
oa_idle_ms(size_t report_size, uint64_t period_ns);

/*
 * Return the longest time between neighbouring reports in which no counter can
 * wrap unseen; UINT64_MAX if none wraps.
 */
uint64_t
oa_wrap_ns(const struct oa_gpu *gpu, const struct oa_format *format);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_PERIOD_H */
