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
 * that the element has not.
 *
 * When a file is read, a list is only cut into lines; table_rows.h reads them.
 */
#ifndef DRMPERF_LIB_TABLE_LIST_H
#define DRMPERF_LIB_TABLE_LIST_H

#include "arena.h"
#include "table.h"

#define TABLE_LIST_COLUMNS 8

struct table_list {
	const char *of; /* the name of the elements */
	const char *columns[TABLE_LIST_COLUMNS]; /* names of attributes */
	size_t column_count;
	/*
	 * One terminated text for each line of the file, without comments,
	 * references and blanks at its end; the first stands in that line.
	 */
	const char *text, *end;
	int line;
	int newlines; /* inside the list */
};

/* What is wrong with a list, and where. */
struct table_list_fault {
	const char *cause; /* NULL: no memory */
	int line;
};

/*
 * Cut what stands between the tags of a list, which begins in that line. The
 * text and the byte behind it are written to, and must live as long as the
 * arena. -EBADMSG or -ENOMEM with *fault.
 */
int table_list_cut(struct arena *arena, const struct element *element,
		   char *text, size_t length, int line,
		   const struct table_list **out,
		   struct table_list_fault *fault);

/*
 * Past one of the references to characters that a list may have, "&lt;"; NULL
 * if that is none. *out: what it stands for.
 */
const char *table_list_reference(const char *text, char *out);

#endif /* DRMPERF_LIB_TABLE_LIST_H */
