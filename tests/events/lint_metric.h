/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of metrics: whether their expressions can be compiled, and need no
 * more counters than there are.
 */
#ifndef DRMPERF_TESTS_EVENTS_LINT_METRIC_H
#define DRMPERF_TESTS_EVENTS_LINT_METRIC_H

#include "tests/events/lint.h"

void
lint_metric(struct lint *lint, const struct element *metric);

/* Return the event that is called BLOCK.EVENT, or NULL. */
const struct element *
lint_find_event(const struct element *root, const char *name, size_t length);

#endif /* DRMPERF_TESTS_EVENTS_LINT_METRIC_H */
