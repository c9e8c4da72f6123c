/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/list.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static int
read_columns(struct table_list *list, char *at, const char **cause)
{
	while (*(at += strspn(at, " "))) {
		if (list->column_count == TABLE_LIST_COLUMNS) {
			*cause = "a list has no more than 8 columns";
			return -EBADMSG;
		}
		list->columns[list->column_count++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	return 0;
}

int
table_list_begin(struct arena *arena, const struct element *element,
		 struct table_list **out, const char **cause)
{
	const char *columns = element_attribute(element, "columns");
	struct table_list *list = arena_alloc(arena, sizeof(*list));
	char *copy;

	if (!list)
		return -ENOMEM;
	list->of = element_attribute(element, "of");
	if (!list->of || !columns) {
		*cause = "a list needs the attributes of and columns";
		return -EBADMSG;
	}
	copy = arena_strndup(arena, columns, strlen(columns));
	*out = list;
	return copy ? read_columns(list, copy, cause) : -ENOMEM;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Terminate a line that ends here. Blanks at its end become blanks at the
 * beginning of the next one, so that there is one end for each line.
 */
static void
end_line(char *begin, char *end)
{
	char *last = end;

	while (last > begin && is_blank(last[-1]))
		last--;
	memset(last, ' ', (size_t)(end - last) + 1);
	*last = '\0';
}

/* Cut the lines apart; returns how many ends of lines there were. */
static int
cut_lines(char *at, char *end)
{
	char *newline;
	int count = 0;

	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		end_line(at, newline);
		at = newline + 1;
		count++;
	}
	if (at < end)
		end_line(at, end);
	return count;
}

int
table_list_read(struct arena *arena, const struct element *element, char *text,
		size_t length, int line, const struct table_list **out,
		const char **cause)
{
	struct table_list *list;
	int err = table_list_begin(arena, element, &list, cause);

	if (err)
		return err;
	list->text = text;
	list->end = text + length;
	list->line = line;
	list->lines = cut_lines(text, text + length);
	*out = list;
	return 0;
}
