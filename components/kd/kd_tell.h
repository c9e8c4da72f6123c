/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's name where it tells something, and the clock that samples
 * without one of their own go by.
 */
#ifndef KD_TELL_H
#define KD_TELL_H

#include "common/frontend.h"

#define KD_LIBRARY "libdrmperf-kd"

/* CLOCK_MONOTONIC, as the samples of sessions have it. */
uint64_t kd_now_ns(void);

#endif /* KD_TELL_H */
