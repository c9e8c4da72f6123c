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
 * When a file is read, only markup is looked for in lists; they are cut into
 * lines when table_rows.h first reads them, which many never are.
 */
#ifndef DRMPERF_LIB_TABLE_LIST_H
#define DRMPERF_LIB_TABLE_LIST_H

#include "base/arena.h"
#include "table/table.h"

#define TABLE_LIST_COLUMNS 8

struct table_list {
	const char *of; /* the name of the elements */
	const char *columns[TABLE_LIST_COLUMNS]; /* names of attributes */
	size_t column_count;
	/*
	 * The lines of the file, without comments and references; the first
	 * stands in that line. Cut, each is a terminated text without blanks
	 * at its end.
	 */
	char *text, *end;
	bool is_cut;
	int line;
	int newlines; /* inside the list */
};

/* What is wrong with a list, and where. */
struct table_list_fault {
	const char *cause; /* NULL: no memory */
	int line;
};

/*
 * Read what stands between the tags of a list, which begins in that line. The
 * text and the byte behind it are written to, and must live as long as the
 * arena. -EBADMSG or -ENOMEM with *fault.
 */
int table_list_read(struct arena *arena, const struct element *element,
		    char *text, size_t length, int line,
		    struct table_list **out, struct table_list_fault *fault);

/* Cut it into lines, unless that has been done. */
void table_list_cut(struct table_list *list);

/*
 * Past one of the references to characters that a list may have, "&lt;"; NULL
 * if that is none. *out: what it stands for.
 */
const char *table_list_reference(const char *text, char *out);

#endif /* DRMPERF_LIB_TABLE_LIST_H */
