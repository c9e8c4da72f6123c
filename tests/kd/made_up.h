/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In place of parts of libdrmperf-kd, by the linker's --wrap: a clock that a
 * test moves, which sessions go by as well, and figures that cannot be had.
 */
#ifndef DRMPERF_TESTS_KD_MADE_UP_H
#define DRMPERF_TESTS_KD_MADE_UP_H

#include <stdbool.h>
#include <stdint.h>

/* Let the clock go on. */
void made_up_pass(uint64_t ns);

/*
 * Let what is read from now on fail so, a negative errno value; 0: it does not.
 */
void made_up_failure(int code);

/* Let the kernel tell nothing of processors, memory and processes. */
void made_up_silence(bool is_silent);

#endif /* DRMPERF_TESTS_KD_MADE_UP_H */
