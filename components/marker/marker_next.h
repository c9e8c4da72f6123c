/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that this library stands in front of. */
#ifndef DRMPERF_COMPONENTS_MARKER_MARKER_NEXT_H
#define DRMPERF_COMPONENTS_MARKER_MARKER_NEXT_H

#include <stdatomic.h>
#include <stdbool.h>

struct marker_next {
	const char *name;
	/* own */
	void *_Atomic function;
	atomic_bool is_known;
};

/*
 * Return the function that the program would call without this library, or NULL
 * if it has none; the first call decides.
 */
void *
marker_next_find(struct marker_next *next);

#endif /* DRMPERF_COMPONENTS_MARKER_MARKER_NEXT_H */
