/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often an OA unit takes a report.
 */
#ifndef DRMPERF_LIB_DRIVER_OA_PERIOD_H
#define DRMPERF_LIB_DRIVER_OA_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oa_format;
struct oa_gpu;

/* Both kernel drivers take exponents up to that. */
#define OA_EXPONENT_MAX 31

/* The kernels' buffers of reports. */
#define OA_BUFFER_SIZE ((size_t)16 << 20)

/* (2 << exponent) ticks of the timestamp, in ns. */
uint64_t oa_period_ns(uint64_t timestamp_hz, unsigned exponent);

/* The largest exponent whose period is at most ns; 0 if all are longer. */
unsigned oa_exponent(uint64_t timestamp_hz, uint64_t ns);

/*
 * The period of a stream, in ns. A fence waits for the next report, so that it
 * is short, some 100 us. Where nobody waits, relaxed, the kernel's buffer shall
 * hold what comes while a process is kept from running for half a minute.
 */
uint64_t
oa_period_choose(size_t report_size, bool relaxed);

/*
 * Neighbouring reports must not be farther apart than this, or a counter may
 * have wrapped unseen; UINT64_MAX if none wraps.
 */
uint64_t
oa_wrap_ns(const struct oa_gpu *gpu, const struct oa_format *format);

#endif /* DRMPERF_LIB_DRIVER_OA_PERIOD_H */
