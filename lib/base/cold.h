/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * COLD marks a function that few reads call: it is never inlined, so that the
 * hot path of a read does not save registers that this function alone needs.
 * ALWAYS_INLINE marks one that each read calls, from a function that does
 * little else.
 */
#ifndef DRMPERF_LIB_BASE_COLD_H
#define DRMPERF_LIB_BASE_COLD_H

#define COLD __attribute__((noinline, cold))
#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif /* DRMPERF_LIB_BASE_COLD_H */
