/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain first-fit-decreasing: what planning is compared with.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_PLAIN_H
#define DRMPERF_TESTS_PLAN_PACK_PLAIN_H

#include <stdint.h>

#include "plan/pack/pack.h"

/*
 * Return the number of passes that it takes for all items that fit a pass at
 * all.
 */
uint32_t plain_passes(const struct pack_problem *problem);

#endif /* DRMPERF_TESTS_PLAN_PACK_PLAIN_H */
