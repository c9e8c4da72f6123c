/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks a function that few reads call: it is never inlined, so that the hot
 * path of a read does not save registers that this function alone needs.
 */
#ifndef DRMPERF_LIB_BASE_COLD_H
#define DRMPERF_LIB_BASE_COLD_H

#define COLD __attribute__((noinline, cold))

#endif /* DRMPERF_LIB_BASE_COLD_H */
