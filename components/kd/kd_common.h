/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's name in messages, and the clock for samples that have none of
 * their own.
 */
#ifndef KD_COMMON_H
#define KD_COMMON_H

#include "frontend/frontend.h"

#define KD_LIBRARY "libdrmperf-kd"

/* Return CLOCK_MONOTONIC, as the samples of sessions have it. */
uint64_t
kd_now_ns(void);

#endif /* KD_COMMON_H */
