/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "table/list.h"

#define MAX_DEPTH 32

/* Names of elements and attributes that are kept once. */
#define NAME_SLOTS 256u

/* A text of at least this length is worth keeping from expat. */
#define LONG_TEXT 64

#define BLOCK 256

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
	char *source;
	char *fed; /* up to here it has been read */
	XML_Index unseen; /* bytes of that which expat has not seen, */
	int unseen_lines; /* with this number of ends of lines */
	/* behind the last start tag, or the last comment in a list */
	const char *text_begin;
	struct open_element stack[MAX_DEPTH];
	unsigned depth;
	bool in_list; /* the innermost one is a <list>; */
	char *in_place; /* all its text so far, in the source, or NULL */
	size_t in_place_length;
	char *text;
	size_t text_length, text_capacity;
	const char *names[NAME_SLOTS];
	int err;
	const char *cause; /* with err == -EBADMSG */
	int error_line;
};

/*
 * Expat 2.9 deprecates these in favour of functions of 64 bits, which older
 * ones of the same soname lack. A table is shorter than INT_MAX (table_read).
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Return the line, but for those of a list whose text stays in the source. */
static int
counted_line(const struct parser *parser)
{
	return (int)XML_GetCurrentLineNumber(parser->expat) +
	       parser->unseen_lines;
}

/* Return the end of the tag that is being handled. */
static const char *
current_end(const struct parser *parser)
{
	return parser->source + parser->unseen +
	       XML_GetCurrentByteIndex(parser->expat) +
	       XML_GetCurrentByteCount(parser->expat);
}

#pragma GCC diagnostic pop

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

static int
current_line(const struct parser *parser)
{
	int line = counted_line(parser);

	if (parser->in_place)
		line += xml_count_lines(parser->in_place,
					parser->in_place_length);
	return line;
}

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
	const char *before = parser->in_place;

	if (parser->err || !parser->depth)
		return;
	parser->in_place = NULL;
	if (before) {
		parser->unseen_lines +=
			xml_count_lines(before, parser->in_place_length);
		parser_append(parser, before, parser->in_place_length);
	}
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
	parser->text_begin = current_end(parser);
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
	parser->text_begin = current_end(parser);
}

/*
 * End a list, whose lines stay where they stand in the source, and are counted
 * as they are cut apart, or are copied.
 */
static void
end_list(struct parser *parser, struct element *list, const char *text,
	 size_t length)
{
	struct arena *arena = parser->table->arena;
	char *lines = parser->in_place;
	const char *cause = "no memory";
	int err = -ENOMEM, line = counted_line(parser);

	if (lines) {
		length = parser->in_place_length;
	} else {
		lines = arena_alloc(arena, length + TABLE_LIST_SLACK);
		if (lines)
			memcpy(lines, text, length);
		line -= xml_count_lines(text, length);
	}
	if (lines)
		err = table_list_read(arena, list, lines, length, line,
				      &list->list, &cause);
	if (parser->in_place && !err)
		parser->unseen_lines += list->list->lines;
	parser->in_list = false;
	parser->in_place = NULL;
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
/* Past expat                                                           */

/*
 * Return whether a block is ASCII. Not inlined: gcc makes vectors of the loop
 * only where it stands alone.
 */
__attribute__((noinline)) static bool
is_ascii_block(const char *text)
{
	unsigned char odd = 0;

	for (int i = 0; i < BLOCK; i++) {
		signed char c = (signed char)text[i]; /* negative: no ASCII */

		odd |= (c < ' ') & (c != '\n') & (c != '\t');
	}
	return !odd;
}

/* Return whether XML allows all characters anywhere. */
static bool
is_ascii(const char *text, size_t length)
{
	char rest[BLOCK];

	for (; length >= BLOCK; text += BLOCK, length -= BLOCK)
		if (!is_ascii_block(text))
			return false;
	memset(rest, ' ', sizeof(rest));
	memcpy(rest, text, length);
	return is_ascii_block(rest);
}

/* Return how much of a text means itself: up to a reference, or maybe "]]>". */
static size_t
plain_length(const char *text, size_t length)
{
	const char *found = memchr(text, '&', length);

	if (found)
		length = (size_t)(found - text);
	found = memchr(text, ']', length);
	return found ? (size_t)(found - text) : length;
}

static bool
parser_feed(struct parser *parser, char *end, bool is_last)
{
	const char *from = parser->fed;

	parser->fed = end;
	return XML_Parse(parser->expat, from, (int)(end - from), is_last) ==
	       XML_STATUS_OK;
}

/* Take text that expat does not see. */
static void
take_text(struct parser *parser, const char *text, size_t length)
{
	char *to;

	if (!parser->in_place) {
		character_data(parser, text, (int)length);
		return;
	}
	to = parser->in_place + parser->in_place_length;
	if (to != text)
		memmove(to, text, length);
	parser->in_place_length += length;
}

/* Begin to keep the text of a list in the source, if it has none yet. */
static void
begin_in_place(struct parser *parser)
{
	if (!parser->in_list || parser->text_begin != parser->fed ||
	    parser->in_place ||
	    parser->text_length != parser->stack[parser->depth - 1].text)
		return;
	parser->in_place = parser->fed;
	parser->in_place_length = 0;
}

/* Take plain text from parser->fed on, without feeding it to expat. */
static void
pass_by(struct parser *parser, size_t length)
{
	char *from = parser->fed;

	begin_in_place(parser);
	if (!parser->in_place)
		parser->unseen_lines += xml_count_lines(from, length);
	take_text(parser, from, length);
	parser->fed = from + length;
	parser->unseen += (XML_Index)length;
}

size_t
xml_reference(const char *text, size_t length, char *out)
{
	static const struct {
		const char *text;
		char character;
	} known[] = {
		{ "&lt;", '<' },   { "&gt;", '>' },    { "&amp;", '&' },
		{ "&quot;", '"' }, { "&apos;", '\'' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		size_t size = strlen(known[i].text);

		if (size > length || memcmp(known[i].text, text, size) != 0)
			continue;
		*out = known[i].character;
		return size;
	}
	return 0;
}

/* Take a reference at parser->fed without expat, if it is one of XML's own. */
static bool
pass_reference(struct parser *parser, size_t length)
{
	char character;

	length = xml_reference(parser->fed, length, &character);
	if (!length)
		return false;
	take_text(parser, &character, 1);
	parser->fed += length;
	parser->unseen += (XML_Index)length;
	return true;
}

/*
 * Read a text behind a start tag; stops where expat may have to tell its end.
 */
static bool
read_text(struct parser *parser, const char *end)
{
	for (;;) {
		size_t length = (size_t)(end - parser->fed);
		size_t plain = plain_length(parser->fed, length);
		char *reference;

		pass_by(parser, plain);
		if (plain == length)
			return true;
		if (pass_reference(parser, length - plain))
			continue;
		reference = memchr(parser->fed, ';', length - plain);
		if (*parser->fed != '&' || !reference)
			return true;
		if (!parser_feed(parser, reference + 1, false))
			return false;
	}
}

/*
 * Read a table by pieces. Most of it stands in long texts, and expat would look
 * at every character of them several times. It sees the rest. Whether what
 * looked like a text behind a start tag was one (and not in a comment) is known
 * when the tag has been read. Where it was not, expat may begin at the
 * comment's start the next time: that is twice as far away then.
 */
static bool
read_pieces(struct parser *parser, char *end)
{
	char *at = parser->fed, *known = at, *next_try = at, *next;

	if (!is_ascii(at, (size_t)(end - at)))
		return parser_feed(parser, end, true);
	while ((at = memchr(at, '>', (size_t)(end - at)))) {
		at++;
		next = memchr(at, '<', (size_t)(end - at));
		if (!next)
			break;
		if (next - at >= LONG_TEXT && at >= next_try) {
			if (!parser_feed(parser, at, false))
				return false;
			next_try = at + (at - known);
			if (parser->text_begin == at) {
				if (!read_text(parser, next))
					return false;
				known = next_try = next;
			}
		}
		at = next;
	}
	return parser_feed(parser, end, true);
}

static int
parser_parse(struct parser *parser, size_t length, struct drmperf_error *error)
{
	if (read_pieces(parser, parser->source + length) && !parser->err)
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
xml_read(struct table *table, size_t length, struct drmperf_error *error)
{
	XML_Parser expat = XML_ParserCreate("UTF-8");
	struct parser parser = {
		.expat = expat,
		.table = table,
		.source = table->text,
		.fed = table->text,
		.unseen_lines = table->lines_before,
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
	err = parser_parse(&parser, length, error);
	XML_ParserFree(expat);
	free(parser.text);
	return err;
}
