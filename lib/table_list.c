/* SPDX-License-Identifier: BSD-3-Clause */
#include "table_list.h"

#include <errno.h>
#include <string.h>

#define MAX_COLUMNS 8
#define MAX_ATTRIBUTES 16

/* A list being read. */
struct reader {
	struct arena *arena;
	const char *of;
	const char *columns[MAX_COLUMNS];
	size_t column_count;
	char *at, *end;
	const char *markup; /* the next '<' or '&', or end */
	int line;
	/* of the element of this line */
	struct element_attribute attributes[MAX_ATTRIBUTES];
	size_t attribute_count;
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

/* What cannot be part of a word: blanks, and what stands between words. */
static const bool ends_word[256] = {
	[0 ... ' '] = true,
	[':'] = true,
	['='] = true,
};

/* Where a word of a line ends. */
static char *
end_of_word(char *at)
{
	while (!ends_word[(unsigned char)*at])
		at++;
	return at;
}

static const char *
find(const struct reader *reader, char c)
{
	const char *at =
		memchr(reader->at, c, (size_t)(reader->end - reader->at));

	return at ? at : reader->end;
}

static void
find_markup(struct reader *reader)
{
	const char *reference = find(reader, '&'), *tag = find(reader, '<');

	reader->markup = reference < tag ? reference : tag;
}

static int
read_head(struct reader *reader, const struct element *list)
{
	const char *columns = element_attribute(list, "columns");
	char *at;

	reader->of = element_attribute(list, "of");
	if (!reader->of || !columns)
		return bad(reader,
			   "a list needs the attributes of and columns");
	at = arena_strndup(reader->arena, columns, strlen(columns));
	if (!at)
		return -ENOMEM;
	while (*(at += strspn(at, " "))) {
		if (reader->column_count == MAX_COLUMNS)
			return bad(reader, "a list has no more than 8 columns");
		reader->columns[reader->column_count++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	return 0;
}

static int
add_attribute(struct reader *reader, const char *name, const char *value)
{
	if (reader->attribute_count == MAX_ATTRIBUTES)
		return bad(reader, "too many words in a line of a list");
	reader->attributes[reader->attribute_count++] =
		(struct element_attribute){ name, value };
	return 0;
}

/*
 * A word, or a pair NAME=VALUE, from the text's end on which it is cut off;
 * *stop is the character that ended it, gone by then.
 */
static int
read_word(struct reader *reader, size_t column, char *stop)
{
	char *name = reader->at, *value = NULL, *end = end_of_word(name);

	if (end == name)
		return bad(reader, "a line of a list lacks its colon");
	if (*end == '=') {
		*end = '\0';
		value = end + 1;
		end = end_of_word(value);
	}
	*stop = *end;
	*end = '\0';
	reader->at = end + 1;
	if (value)
		return add_attribute(reader, name, value);
	if (column >= reader->column_count)
		return bad(reader, "a line of a list has more words than "
				   "columns");
	return add_attribute(reader, reader->columns[column], name);
}

/* The words before the colon. */
static int
read_words(struct reader *reader)
{
	size_t column;
	int err;

	reader->attribute_count = 0;
	for (column = 0;; column++) {
		char stop = 0;

		while (is_space(*reader->at))
			reader->at++;
		if (column && *reader->at == ':') {
			reader->at++;
			return 0;
		}
		err = read_word(reader, column, &stop);
		if (err || stop == ':')
			return err;
		if (!is_space(stop))
			return bad(reader, "a line of a list lacks its colon");
	}
}

/* The rest of the line, terminated. */
static int
read_text(struct reader *reader, const char **out)
{
	char *text = reader->at, *end;

	while (is_space(*text))
		text++;
	end = memchr(text, '\n', (size_t)(reader->end - text));
	if (!end)
		end = reader->end;
	if (end > reader->markup)
		return bad(reader, "a line of a list has no markup");
	reader->at = end == reader->end ? end : end + 1;
	while (end > text && is_space(end[-1]))
		end--;
	*end = '\0';
	*out = text;
	return 0;
}

static int
read_line(struct reader *reader, struct element **out)
{
	struct element_attribute *attributes;
	struct element *element;
	const char *text = "";
	size_t size;
	int err;

	err = read_words(reader);
	if (!err)
		err = read_text(reader, &text);
	if (err)
		return err;
	size = reader->attribute_count * sizeof(*attributes);
	/* one block for both, which are aligned alike */
	element = arena_alloc(reader->arena, sizeof(*element) + size);
	if (!element)
		return -ENOMEM;
	attributes = (struct element_attribute *)(element + 1);
	memcpy(attributes, reader->attributes, size);
	element->name = reader->of;
	element->text = text;
	element->attributes = attributes;
	element->attribute_count = reader->attribute_count;
	element->line = reader->line++;
	*out = element;
	return 0;
}

/* Over blanks, empty lines and comments, to the next line that says something.
 */
static int
skip_nothing(struct reader *reader)
{
	while (reader->at < reader->end) {
		char *end;

		if (*reader->at == '\n') {
			reader->line++;
		} else if (*reader->at == '<') {
			end = strstr(reader->at, "-->");
			if (strncmp(reader->at, "<!--", 4) || !end)
				return bad(reader, "a list has lines, no "
						   "elements");
			for (; reader->at < end + 2; reader->at++)
				reader->line += *reader->at == '\n';
			find_markup(reader);
		} else if (!is_space(*reader->at)) {
			break;
		}
		reader->at++;
	}
	return 0;
}

static int
read_lines(struct reader *reader, struct element **first, struct element **last)
{
	struct element *element;
	int err;

	*first = *last = NULL;
	find_markup(reader);
	for (;;) {
		err = skip_nothing(reader);
		if (err || reader->at == reader->end)
			return err;
		err = read_line(reader, &element);
		if (err)
			return err;
		if (*last)
			(*last)->next = element;
		else
			*first = element;
		*last = element;
	}
}

int
table_list_expand(struct arena *arena, const struct element *list, char *text,
		  size_t length, int line, struct element **first,
		  struct element **last, struct table_list_fault *fault)
{
	struct reader reader = {
		.arena = arena,
		.at = text,
		.end = text + length,
		.line = line,
	};
	int err;

	/* of an empty list, nothing stands there that may be overwritten */
	if (length)
		text[length] = '\0';
	err = read_head(&reader, list);
	if (!err)
		err = read_lines(&reader, first, last);
	fault->cause = reader.cause;
	fault->line = reader.line;
	return err;
}
