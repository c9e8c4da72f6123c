/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of a table that are written as lines, which are shorter for people
 * and five times as fast to read:
 *
 *     <list of="event" columns="id name unit">
 *     4 WAVES waves: Waves started.
 *     9 ITEMS threads slots=0x3: Work items started.
 *     </list>
 *
 * stands for <event id="4" name="WAVES" unit="waves">Waves started.</event>
 * and another. Columns that are left out at the end of a line are attributes
 * that the element has not.
 */
#ifndef DRMPERF_LIB_TABLE_LIST_H
#define DRMPERF_LIB_TABLE_LIST_H

#include "arena.h"
#include "table.h"

/* What is wrong with a list, and where. */
struct table_list_fault {
	const char *cause; /* NULL: no memory */
	int line;
};

/*
 * The elements that a list stands for, in a chain that ends with *last, both
 * NULL if there are none. text is what stands between its tags, which begins
 * in that line; it and the byte behind it are cut up, and must live as long
 * as the arena.
 *
 * -EBADMSG or -ENOMEM with *fault.
 */
int table_list_expand(struct arena *arena, const struct element *list,
		      char *text, size_t length, int line,
		      struct element **first, struct element **last,
		      struct table_list_fault *fault);

#endif /* DRMPERF_LIB_TABLE_LIST_H */
