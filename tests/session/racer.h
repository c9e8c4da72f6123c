/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver that looks after no thread: whatever is written in its functions is
 * plain memory, so that ThreadSanitizer sees where the library does not keep
 * apart what the seam says it does.
 *
 * Events "fake::SHARED.A" to "F", in a domain that members share, of which four
 * fit beside each other, and "fake::OWN.A" to "F", where two members fit. They
 * are listed when they are asked for. Of one sample, A is a half of B, a third
 * of C, and so on.
 */
#ifndef DRMPERF_TESTS_SESSION_RACER_H
#define DRMPERF_TESTS_SESSION_RACER_H

#include "driver/driver.h"

/* For state_create(). */
extern const struct driver *const racer_drivers[];

#endif /* DRMPERF_TESTS_SESSION_RACER_H */
