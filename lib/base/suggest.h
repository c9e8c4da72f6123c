/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names most like one that was not found, for a complaint.
 */
#ifndef DRMPERF_LIB_BASE_SUGGEST_H
#define DRMPERF_LIB_BASE_SUGGEST_H

#include <stddef.h>

#define SUGGEST_NAMES 3

struct suggestions {
	char wanted[128];
	size_t length;
	struct {
		const char *name;
		unsigned distance;
	} best[SUGGEST_NAMES]; /* the nearest first */
	size_t count;
};

void
suggest_init(struct suggestions *suggestions, const char *wanted,
	     size_t length);

/*
 * Consider a candidate; name, which must outlive suggestions, is what to show
 * for it. Upper and lower case are the same, and so are "_", "-" and ".".
 */
void
suggest_offer(struct suggestions *suggestions, const char *candidate,
	      const char *name);

/* List "A, B or C"; "" if nothing is near. */
void
suggest_list(const struct suggestions *suggestions, char *text, size_t size);

#endif /* DRMPERF_LIB_BASE_SUGGEST_H */
