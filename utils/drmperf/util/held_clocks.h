/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clocks that counting holds: those of a GPU whose counters need a stable
 * clock mode are lower while they count.
 */
#ifndef DRMPERF_TOOL_UTIL_HELD_CLOCKS_H
#define DRMPERF_TOOL_UTIL_HELD_CLOCKS_H

#include <stdio.h>

#include "drmperf.h"

/* Clocks of one GPU before and while it counts. */
struct held_clocks {
	struct drmperf_device *device; /* NULL: of a recording */
	int index; /* of the device */
	struct drmperf_clocks before, held;
	bool is_known; /* held is */
	bool is_held; /* counting holds them */
};

/* All zero is an empty list. */
struct held_clocks_list {
	struct held_clocks *list;
	size_t count;
};

/* Return whether counting on the GPU holds clocks that are not held now. */
bool
held_clocks_expected(struct drmperf_device *device);

/*
 * Read the clocks of the GPUs of these selections, before a session is made of
 * them. GPUs without clock modes, and those in the list, are left out.
 */
void
held_clocks_before(struct drmperf *drmperf,
		   const struct drmperf_selection *selections, size_t count,
		   struct held_clocks_list *list);

/* Read the clocks of those GPUs once the session has been started. */
void
held_clocks_during(struct held_clocks_list *list);

/* Add clocks that counting held; without memory the list stays as it is. */
void
held_clocks_add(const struct held_clocks *clocks,
		struct held_clocks_list *list);

/*
 * Return the clocks of a GPU, by its number, if counting holds them; else NULL.
 */
const struct held_clocks *
held_clocks_find(const struct held_clocks_list *list, int device);

/* "engine 1100 MHz (2813 before), memory ...", in text of this size. */
#define HELD_CLOCKS_SIZE 120
const char *
held_clocks_text(const struct held_clocks *clocks, char text[HELD_CLOCKS_SIZE]);

/* Print a line for each GPU whose clocks counting holds, behind a prefix. */
void
held_clocks_print(FILE *out, const char *prefix,
		  const struct held_clocks_list *list);

/* Print those lines, and what they mean, as a paragraph below a table. */
void
held_clocks_print_note(FILE *out, const struct held_clocks_list *list);

void
held_clocks_finish(struct held_clocks_list *list);

#endif /* DRMPERF_TOOL_UTIL_HELD_CLOCKS_H */
