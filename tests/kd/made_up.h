/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In place of parts of libdrmperf-kd, by the linker's --wrap: a clock that a
 * test moves, which sessions go by as well, and figures that cannot be had.
 */
#ifndef DRMPERF_TESTS_KD_MADE_UP_H
#define DRMPERF_TESTS_KD_MADE_UP_H

#include <stdbool.h>
#include <stdint.h>

/* The clock goes on. */
void made_up_pass(uint64_t ns);

/* What is read from now on fails so, a negative errno value; 0: it does not. */
void made_up_failure(int code);

/* The kernel tells nothing of processors, memory and processes. */
void made_up_silence(bool is_silent);

#endif /* DRMPERF_TESTS_KD_MADE_UP_H */
