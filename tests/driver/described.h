/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that drivers describe later, group by group.
 */
#ifndef DRMPERF_TESTS_DRIVER_DESCRIBED_H
#define DRMPERF_TESTS_DRIVER_DESCRIBED_H

#include "driver/description.h"

/*
 * Have all groups describe their events, from the last group to the first, as
 * no one can tell which is asked for first. The first error.
 */
int described_all(struct description *description, struct drmperf_error *error);

/*
 * Fails the test unless both descriptions have the same groups and constants,
 * and each group the same events in the same order, whatever stands between
 * these.
 */
void described_alike(const struct description *a, const struct description *b);

#endif /* DRMPERF_TESTS_DRIVER_DESCRIBED_H */
