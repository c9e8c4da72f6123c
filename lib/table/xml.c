/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "table/list.h"

#define MAX_DEPTH 32

/* Names of elements and attributes that are kept once. */
#define NAME_SLOTS 256u

int
xml_count_lines(const char *text, size_t length)
{
	const char *end = text + length;
	int count = 0;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		count++;
		text++;
	}
	return count;
}

/* An element that is not closed yet. */
struct open_element {
	struct element *element;
	struct element **next_child;
	size_t text; /* where its text begins in parser.text */
};

/* The state of a text being read. */
struct parser {
	XML_Parser expat;
	struct table *table;
	int lines_before; /* of the file before the text */
	struct open_element stack[MAX_DEPTH];
	unsigned depth;
	bool in_list; /* the innermost one is a <list> */
	char *text;
	size_t text_length, text_capacity;
	const char *names[NAME_SLOTS];
	int err;
	const char *cause; /* with err == -EBADMSG */
	int error_line;
};

/*
 * Expat 2.9 deprecates XML_GetCurrentLineNumber() in favour of a function of 64
 * bits, which older ones of the same soname lack. A table is shorter than
 * INT_MAX (table_read).
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int
current_line(const struct parser *parser)
{
	return (int)XML_GetCurrentLineNumber(parser->expat) +
	       parser->lines_before;
}

#pragma GCC diagnostic pop

static void
fail_at(struct parser *parser, int line, int err, const char *cause)
{
	if (!parser->err) {
		parser->err = err;
		parser->cause = cause;
		parser->error_line = line;
	}
	XML_StopParser(parser->expat, XML_FALSE);
}

static void
parser_fail(struct parser *parser, int err, const char *cause)
{
	fail_at(parser, current_line(parser), err, cause);
}

/*
 * Return a copy of name, the same one for the same name most of the time: a
 * table has few different names, each thousands of times.
 */
static const char *
keep_name(struct parser *parser, const char *name)
{
	unsigned hash = 0;
	const char **slot, *c;

	for (c = name; *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	slot = &parser->names[hash % NAME_SLOTS];
	if (!*slot || strcmp(*slot, name))
		*slot = arena_strndup(parser->table->arena, name,
				      (size_t)(c - name));
	return *slot;
}

static int
keep_attributes(struct parser *parser, struct element *element,
		const char **pairs)
{
	struct arena *arena = parser->table->arena;
	struct element_attribute *attributes;
	size_t count = 0, i;

	while (pairs[2 * count])
		count++;
	if (!count)
		return 0;
	attributes = arena_alloc(arena, count * sizeof(*attributes));
	if (!attributes)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		const char *value = pairs[2 * i + 1];

		attributes[i].name = keep_name(parser, pairs[2 * i]);
		attributes[i].value =
			arena_strndup(arena, value, strlen(value));
		if (!attributes[i].name || !attributes[i].value)
			return -ENOMEM;
	}
	element->attributes = attributes;
	element->attribute_count = count;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Text                                                                 */

static int
reserve_text(struct parser *parser, size_t length)
{
	size_t capacity = parser->text_capacity;
	char *grown;

	if (parser->text && capacity - parser->text_length >= length)
		return 0;
	capacity = 2 * (parser->text_length + length) + 4096;
	grown = realloc(parser->text, capacity);
	if (!grown)
		return -ENOMEM;
	parser->text = grown;
	parser->text_capacity = capacity;
	return 0;
}

/*
 * Return whether a character is a blank. XML has no characters below the space
 * but tabs and ends of lines.
 */
static bool
is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* Append with runs of blanks made one, and none at the beginning. */
static void
append_packed(struct parser *parser, const char *text, size_t length)
{
	const char *start =
		parser->text + parser->stack[parser->depth - 1].text;
	const char *end = text + length;
	char *to = parser->text + parser->text_length;

	for (; text < end; text++) {
		if (!is_blank(*text))
			*to++ = *text;
		else if (to != start && to[-1] != ' ')
			*to++ = ' ';
	}
	parser->text_length = (size_t)(to - parser->text);
}

/*
 * Append text. That of a parent goes on after its child, whose own text has
 * been taken off the buffer's end by then.
 */
static void
parser_append(struct parser *parser, const char *text, size_t length)
{
	if (reserve_text(parser, length)) {
		parser_fail(parser, -ENOMEM, NULL);
	} else if (parser->in_list) {
		memcpy(parser->text + parser->text_length, text, length);
		parser->text_length += length;
	} else {
		append_packed(parser, text, length);
	}
}

static void
character_data(void *data, const char *text, int length)
{
	struct parser *parser = data;

	if (!parser->err && parser->depth)
		parser_append(parser, text, (size_t)length);
}

/*
 * Take a comment. Lines of a list are counted: a comment leaves its ends of
 * lines there.
 */
static void
on_comment(void *data, const char *text)
{
	struct parser *parser = data;

	if (!parser->in_list)
		return;
	while ((text = strchr(text, '\n')))
		character_data(parser, text++, 1);
}

/* ------------------------------------------------------------------ */
/* Elements                                                             */

static struct element *
create_element(struct parser *parser, const char *name, const char **attributes)
{
	struct element *element =
		arena_alloc(parser->table->arena, sizeof(*element));

	if (!element)
		return NULL;
	element->name = keep_name(parser, name);
	element->text = "";
	element->line = current_line(parser);
	if (!element->name || keep_attributes(parser, element, attributes))
		return NULL;
	return element;
}

static void
start_element(void *data, const char *name, const char **attributes)
{
	struct parser *parser = data;
	struct open_element *top = &parser->stack[parser->depth];
	struct element *element;

	if (parser->err)
		return;
	if (parser->depth == MAX_DEPTH) {
		parser_fail(parser, -EBADMSG, "elements are nested too deeply");
		return;
	}
	if (parser->in_list) {
		parser_fail(parser, -EBADMSG, "a list has lines, no elements");
		return;
	}
	element = create_element(parser, name, attributes);
	if (!element) {
		parser_fail(parser, -ENOMEM, NULL);
		return;
	}
	if (parser->depth) {
		*top[-1].next_child = element;
		top[-1].next_child = &element->next;
	} else {
		parser->table->root = element;
	}
	top->element = element;
	top->next_child = &element->child;
	top->text = parser->text_length;
	parser->in_list = parser->depth && !strcmp(name, "list");
	parser->depth++;
}

/* End a list, whose lines are copied and cut apart there. */
static void
end_list(struct parser *parser, struct element *list, const char *text,
	 size_t length)
{
	struct arena *arena = parser->table->arena;
	char *lines = arena_alloc(arena, length + TABLE_LIST_SLACK);
	const char *cause = "no memory";
	int err = -ENOMEM, line = current_line(parser);

	if (lines) {
		memcpy(lines, text, length);
		err = table_list_read(arena, list, lines, length,
				      line - xml_count_lines(text, length),
				      &list->list, &cause);
	}
	parser->in_list = false;
	if (err)
		fail_at(parser, list->line, err, cause);
}

static void
end_element(void *data, const char *name)
{
	struct parser *parser = data;
	struct open_element *top;
	const char *text;
	size_t length;

	(void)name;
	if (parser->err)
		return;
	top = &parser->stack[--parser->depth];
	text = parser->text + top->text;
	length = parser->text_length - top->text;
	parser->text_length = top->text;
	if (parser->in_list) {
		end_list(parser, top->element, text, length);
		return;
	}
	if (length && text[length - 1] == ' ')
		length--;
	if (length)
		top->element->text =
			arena_strndup(parser->table->arena, text, length);
	if (!top->element->text)
		parser_fail(parser, -ENOMEM, NULL);
}

/*
 * Refuse a document type. Entities are of no use here, but a way to make a
 * small file expand.
 */
static void
start_doctype(void *data, const char *name, const char *system_id,
	      const char *public_id, int has_internal)
{
	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_internal;
	parser_fail(data, -EBADMSG,
		    "a document type declaration is not allowed");
}

/* ------------------------------------------------------------------ */
/* All of it                                                            */

static int
parser_parse(struct parser *parser, const char *text, size_t length,
	     struct drmperf_error *error)
{
	if (XML_Parse(parser->expat, text, (int)length, XML_TRUE) ==
		    XML_STATUS_OK &&
	    !parser->err)
		return 0;
	if (!parser->err) {
		enum XML_Error code = XML_GetErrorCode(parser->expat);

		parser->err = code == XML_ERROR_NO_MEMORY ? -ENOMEM : -EBADMSG;
		parser->cause = XML_ErrorString(code);
		parser->error_line = current_line(parser);
	}
	if (parser->err == -ENOMEM)
		return error_set(error, -ENOMEM, "no memory for %s",
				 parser->table->path);
	return error_set(error, parser->err, "%s:%d: %s", parser->table->path,
			 parser->error_line, parser->cause);
}

int
xml_read(struct table *table, int lines_before, const char *text, size_t length,
	 struct drmperf_error *error)
{
	XML_Parser expat = XML_ParserCreate("UTF-8");
	struct parser parser = {
		.expat = expat,
		.table = table,
		.lines_before = lines_before,
	};
	int err;

	if (!expat || reserve_text(&parser, 0)) {
		XML_ParserFree(expat);
		return error_set(error, -ENOMEM, "no memory for %s",
				 table->path);
	}
	XML_SetUserData(expat, &parser);
	XML_SetElementHandler(expat, start_element, end_element);
	XML_SetCharacterDataHandler(expat, character_data);
	XML_SetCommentHandler(expat, on_comment);
	XML_SetStartDoctypeDeclHandler(expat, start_doctype);
	err = parser_parse(&parser, text, length, error);
	XML_ParserFree(expat);
	free(parser.text);
	return err;
}
