/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names most like one that was not found, for a complaint.
 */
#ifndef DRMPERF_LIB_BASE_NEAREST_H
#define DRMPERF_LIB_BASE_NEAREST_H

#include <stddef.h>

#define NEAREST_NAMES 3

struct nearest {
	char wanted[128];
	size_t length;
	struct {
		const char *name;
		unsigned distance;
	} best[NEAREST_NAMES]; /* the nearest first */
	size_t count;
};

void nearest_init(struct nearest *nearest, const char *wanted, size_t length);

/*
 * Consider a candidate; name, which must outlive nearest, is what to show for
 * it. Upper and lower case are the same, and so are "_", "-" and ".".
 */
void nearest_offer(struct nearest *nearest, const char *candidate,
		   const char *name);

/* "A, B or C"; "" if nothing is near. */
void nearest_list(const struct nearest *nearest, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_NEAREST_H */
