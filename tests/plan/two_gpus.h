/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with two devices of made-up groups, driven by "fake".
 */
#ifndef DRMPERF_TESTS_PLAN_TWO_GPUS_H
#define DRMPERF_TESTS_PLAN_TWO_GPUS_H

#include <stddef.h>

#include "drmperf.h"

/* No list has more. */
#define TWO_GPUS_NAMES 40

extern struct drmperf *two_gpus_drmperf;

/* Set up a fixture. */
void
two_gpus_set_up(void);
void
two_gpus_clean_up(void);

/*
 * List the selections of "SQ.W0 metric.Hit/1 TCC.HIT[3]": a name, perhaps with
 * its device, perhaps with its instance. Returns how many.
 */
size_t
two_gpus_read(const char *list, struct drmperf_selection *out);

/* Expect up to four words, or as many as there are before NULL, in the text. */
void
two_gpus_expect(const char *list, const char *text, const char *const *words);

#endif /* DRMPERF_TESTS_PLAN_TWO_GPUS_H */
