/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/list.h"

#include <errno.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A list being read. */
struct reader {
	struct arena *arena;
	struct table_list *list;
	char *at, *end;
	char *tag, *reference; /* the next one, from at on; end: none */
	const char *cause; /* of -EBADMSG */
};

static int
bad(struct reader *reader, const char *cause)
{
	reader->cause = cause;
	return -EBADMSG;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int
read_head(struct reader *reader, const struct element *element)
{
	struct table_list *list = reader->list;
	const char *columns = element_attribute(element, "columns");
	char *at;

	list->of = element_attribute(element, "of");
	if (!list->of || !columns)
		return bad(reader,
			   "a list needs the attributes of and columns");
	at = arena_strndup(reader->arena, columns, strlen(columns));
	if (!at)
		return -ENOMEM;
	while (*(at += strspn(at, " "))) {
		if (list->column_count == TABLE_LIST_COLUMNS)
			return bad(reader, "a list has no more than 8 columns");
		list->columns[list->column_count++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Markup, which few lists have                                         */

const char *
table_list_reference(const char *text, char *out)
{
	static const struct {
		const char *name;
		size_t length;
		char character;
	} references[] = { { "&amp;", 5, '&' },
			   { "&lt;", 4, '<' },
			   { "&gt;", 4, '>' } };

	for (size_t i = 0; i < ARRAY_SIZE(references); i++) {
		if (strncmp(text, references[i].name, references[i].length))
			continue;
		*out = references[i].character;
		return text + references[i].length;
	}
	return NULL;
}

/* The first c from at on, or end. */
static char *
find(const char *at, char *end, char c)
{
	char *found = memchr(at, c, (size_t)(end - at));

	return found ? found : end;
}

/*
 * Blanks for comments and what stands between lines; stops where a line says
 * something, or at the end.
 */
static int
skip_comments(struct reader *reader)
{
	for (; reader->at < reader->end; reader->at++) {
		if (*reader->at == '<') {
			char *end = strstr(reader->at, "-->");

			if (strncmp(reader->at, "<!--", 4) || !end)
				return bad(reader, "a list has lines, no "
						   "elements");
			for (; reader->at < end + 3; reader->at++)
				if (*reader->at != '\n')
					*reader->at = ' ';
			reader->at--;
		} else if (*reader->at != '\n' && !is_space(*reader->at)) {
			break;
		}
	}
	return 0;
}

/*
 * What references stand for, up to the end of the line, and blanks where that
 * got shorter.
 */
static int
replace_references(struct reader *reader, char *end)
{
	char *to = reader->at;

	while (reader->at < end) {
		char *reference = find(reader->at, end, '&');
		size_t length = (size_t)(reference - reader->at);
		const char *behind;

		to = (char *)memmove(to, reader->at, length) + length;
		reader->at = reference;
		if (reference == end)
			break;
		behind = table_list_reference(reference, to++);
		if (!behind)
			return bad(reader, "a line of a list has no markup");
		reader->at += behind - reference;
	}
	memset(to, ' ', (size_t)(end - to));
	return 0;
}

static int
clean_line(struct reader *reader)
{
	char *end = find(reader->at, reader->end, '\n');

	if (find(reader->at, end, '<') < end)
		return bad(reader, "a line of a list has no markup");
	reader->at = find(reader->at, end, '&');
	return replace_references(reader, end);
}

/* To the beginning of the next line with markup; false if there is none. */
static bool
next_markup(struct reader *reader)
{
	char *mark, *before;

	if (reader->tag < reader->at)
		reader->tag = find(reader->at, reader->end, '<');
	if (reader->reference < reader->at)
		reader->reference = find(reader->at, reader->end, '&');
	mark = reader->tag < reader->reference ? reader->tag
					       : reader->reference;
	if (mark == reader->end)
		return false;
	before = memrchr(reader->at, '\n', (size_t)(mark - reader->at));
	if (before)
		reader->at = before + 1;
	return true;
}

static int
remove_markup(struct reader *reader)
{
	int err = 0;

	reader->tag = find(reader->at, reader->end, '<');
	reader->reference = find(reader->at, reader->end, '&');
	while (!err && next_markup(reader)) {
		err = skip_comments(reader);
		if (!err)
			err = clean_line(reader);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Lines                                                                */

static int
count_newlines(const char *at, const char *end)
{
	int count = 0;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		count++;
		at++;
	}
	return count;
}

int
table_list_read(struct arena *arena, const struct element *element, char *text,
		size_t length, int line, struct table_list **out,
		struct table_list_fault *fault)
{
	struct reader reader = {
		.arena = arena,
		.list = arena_alloc(arena, sizeof(*reader.list)),
		.at = text,
		.end = text + length,
	};
	int err = -ENOMEM;

	if (reader.list)
		err = read_head(&reader, element);
	if (!err)
		err = remove_markup(&reader);
	fault->cause = reader.cause;
	if (err) {
		fault->line = line + count_newlines(text, reader.at);
		return err;
	}
	reader.list->text = text;
	reader.list->end = reader.end;
	reader.list->line = line;
	reader.list->newlines = count_newlines(text, reader.end);
	*out = reader.list;
	return 0;
}

/*
 * Terminate a line that ends here. Blanks at its end become blanks at the
 * beginning of the next one, so that there is one end for each line.
 */
static void
end_line(char *begin, char *end)
{
	char *last = end;

	if (end == begin || !is_space(end[-1])) {
		*end = '\0';
		return;
	}
	while (last > begin && is_space(last[-1]))
		last--;
	memset(last, ' ', (size_t)(end - last) + 1);
	*last = '\0';
}

void
table_list_cut(struct table_list *list)
{
	char *at = list->text, *end = list->end, *newline;

	if (list->is_cut)
		return;
	list->is_cut = true;
	while ((newline = find(at, end, '\n')) < end) {
		end_line(at, newline);
		at = newline + 1;
	}
	/* of an empty list, nothing stands there that may be overwritten */
	if (at < end)
		end_line(at, end);
}
