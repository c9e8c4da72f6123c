/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times of HSA's clock, in ns. 0; -EIO if HSA fails; error may be NULL.
 */
#ifndef ROC_TIME_H
#define ROC_TIME_H

#include <stdint.h>

#include "frontend/frontend.h"

int roc_time_now(uint64_t *ns, struct drmperf_error *error);
int roc_time_of_ticks(uint64_t ticks, uint64_t *ns,
		      struct drmperf_error *error);

#endif /* ROC_TIME_H */
