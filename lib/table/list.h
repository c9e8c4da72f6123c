/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of a table that are written as lines, which are shorter for people
 * and many times as fast to read:
 *
 *     <list of="event" columns="id name unit">
 *     4 WAVES waves: Waves started.
 *     9 ITEMS threads slots=0x3: Work items started.
 *     </list>
 *
 * stands for <event id="4" name="WAVES" unit="waves">Waves started.</event>
 * and another. Columns that are left out at the end of a line are attributes
 * that the element has not. table/rows.h reads them.
 */
#ifndef DRMPERF_LIB_TABLE_LIST_H
#define DRMPERF_LIB_TABLE_LIST_H

#include <stddef.h>

#include "base/arena.h"
#include "table/element.h"

#define TABLE_LIST_COLUMNS 8

/* The number of bytes behind the lines that may be read. */
#define TABLE_LIST_SLACK 8

struct table_list {
	const char *of; /* the name of the elements */
	const char *columns[TABLE_LIST_COLUMNS]; /* names of attributes */
	size_t column_count;
	/* lines, each a terminated text without blanks at its end */
	const char *text, *end;
	int line; /* of the file, the first one's */
	int lines; /* how many it ends */
};

/*
 * Make a list of the attributes of the element, whose text is not known yet.
 * -EBADMSG with *cause, which is constant; -ENOMEM.
 */
int
table_list_begin(struct arena *arena, const struct element *element,
		 struct table_list **out, const char **cause);

/*
 * Make a list of the text between the tags of the element, which begins in this
 * line of the file. The text, and the byte behind it, is written to, and must
 * live as long as the arena. -EBADMSG with *cause, which is constant; -ENOMEM.
 */
int
table_list_read(struct arena *arena, const struct element *element, char *text,
		size_t length, int line, const struct table_list **out,
		const char **cause);

#endif /* DRMPERF_LIB_TABLE_LIST_H */
