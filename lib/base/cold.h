/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For a function on the way of a read to which few reads come: it stays a
 * function, so that the others do not save what it alone needs.
 */
#ifndef DRMPERF_LIB_BASE_COLD_H
#define DRMPERF_LIB_BASE_COLD_H

#define COLD __attribute__((noinline, cold))

#endif /* DRMPERF_LIB_BASE_COLD_H */
