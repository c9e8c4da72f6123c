/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What events/README.md says of the tables in events/amdgpu, as checks. Nothing
 * is repaired or skipped: a table either has complaints or it has none.
 */
#ifndef DRMPERF_TESTS_EVENTS_LINT_H
#define DRMPERF_TESTS_EVENTS_LINT_H

#include <stddef.h>

#include "table/table.h"

struct lint {
	const struct table *table;
	unsigned complaints;
	/* the first few of them, "FILE:LINE: ..." each on a line */
	char text[2000];
	size_t length;
};

/* Read a table of a generation. Its name has to be that of its file. */
void
lint_generation(struct lint *lint, const struct table *table);

/* Read the table of chips. */
void
lint_chips(struct lint *lint, const struct table *table);

#endif /* DRMPERF_TESTS_EVENTS_LINT_H */
