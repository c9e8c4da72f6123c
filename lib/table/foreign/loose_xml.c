/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands here about the dialect was learnt from ROC profiler's metric
 * files of ROCm 2 to 6 and from what its own reader (src/xml/xml.h) accepts:
 * it cuts tags into words at blanks, takes # for a comment wherever a word
 * could begin, and a backslash inside of quotation marks for "the next
 * character as it is". Usual comments and entities of XML, C comments, and
 * blanks inside of parentheses are taken as well: people write them.
 */
#include "table/foreign/loose_xml.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "table/element.h"

#define MAX_DEPTH 32
#define MAX_ATTRIBUTES 64

/* An element that is not closed yet. */
struct open_element {
	struct element *element;
	struct element **next_child;
};

struct reader {
	const char *at, *end;
	int line;
	struct table *table;
	struct open_element stack[MAX_DEPTH];
	unsigned depth;
	const struct log_sink *log;
	struct drmperf_error *error;
};

static int
malformed(const struct reader *reader, int line, const char *cause)
{
	return error_set(reader->error, -EBADMSG, "%s:%d: %s",
			 reader->table->path, line, cause);
}

static int
no_memory(const struct reader *reader)
{
	return error_set(reader->error, -ENOMEM, "no memory for %s",
			 reader->table->path);
}

/* ------------------------------------------------------------------ */
/* Characters                                                           */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
at_text(const struct reader *reader, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(reader->end - reader->at) >= length &&
	       !memcmp(reader->at, text, length);
}

/* Go to a place further on, counting lines. */
static void
go_to(struct reader *reader, const char *to)
{
	for (; reader->at < to; reader->at++)
		reader->line += *reader->at == '\n';
}

static void
skip_blanks(struct reader *reader)
{
	const char *to = reader->at;

	while (to < reader->end && is_blank(*to))
		to++;
	go_to(reader, to);
}

static void
skip_line(struct reader *reader)
{
	const char *to =
		memchr(reader->at, '\n', (size_t)(reader->end - reader->at));

	go_to(reader, to ? to : reader->end);
}

/* Past the first such mark. */
static int
skip_past(struct reader *reader, const char *mark, const char *cause)
{
	const char *to = memmem(reader->at, (size_t)(reader->end - reader->at),
				mark, strlen(mark));

	if (!to)
		return malformed(reader, reader->line, cause);
	go_to(reader, to + strlen(mark));
	return 0;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static const struct {
	const char *name;
	char character;
} entities[] = {
	{ "&amp;", '&' },  { "&lt;", '<' },    { "&gt;", '>' },
	{ "&quot;", '"' }, { "&apos;", '\'' },
};

/* The length of an entity at text, or 0; what is none stands for itself. */
static size_t
entity(const char *text, const char *end, char *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
		size_t length = strlen(entities[i].name);

		if ((size_t)(end - text) >= length &&
		    !memcmp(text, entities[i].name, length)) {
			*out = entities[i].character;
			return length;
		}
	}
	return 0;
}

/* A copy with entities and backslashes taken for what they mean. */
static const char *
plain_value(struct reader *reader, const char *text, const char *end)
{
	char *value =
		arena_alloc(reader->table->arena, (size_t)(end - text) + 1);
	char *to = value;

	while (value && text < end) {
		size_t length = *text == '&' ? entity(text, end, to) : 0;

		if (!length) {
			if (*text == '\\' && text + 1 < end)
				text++;
			*to = is_blank(*text) ? ' ' : *text;
			length = 1;
		}
		text += length;
		to++;
	}
	return value;
}

static int
read_quoted(struct reader *reader, const char **out)
{
	char quote = *reader->at;
	const char *text = reader->at + 1, *to = text;

	while (to < reader->end && *to != quote)
		to += *to == '\\' && to + 1 < reader->end ? 2 : 1;
	if (to >= reader->end)
		return malformed(reader, reader->line,
				 "a value is not closed with a quotation mark");
	*out = plain_value(reader, text, to);
	go_to(reader, to + 1);
	return *out ? 0 : no_memory(reader);
}

static bool
ends_tag(const struct reader *reader, const char *at)
{
	return *at == '>' ||
	       (*at == '/' && at + 1 < reader->end && at[1] == '>');
}

/* Up to the first blank that is in no parentheses, or the tag's end. */
static int
read_bare(struct reader *reader, const char **out)
{
	const char *text = reader->at, *to = text;
	unsigned open = 0;

	for (; to < reader->end && !ends_tag(reader, to); to++) {
		if (is_blank(*to) && (!open || *to == '\n'))
			break;
		if (*to == '(')
			open++;
		if (*to == ')' && open)
			open--;
	}
	*out = plain_value(reader, text, to);
	go_to(reader, to);
	return *out ? 0 : no_memory(reader);
}

static int
read_value(struct reader *reader, const char **out)
{
	skip_blanks(reader);
	if (reader->at < reader->end &&
	    (*reader->at == '"' || *reader->at == '\''))
		return read_quoted(reader, out);
	return read_bare(reader, out);
}

/* ------------------------------------------------------------------ */
/* Tags                                                                 */

/* A word of a tag: what is before a blank, = or the end. */
static const char *
read_word(struct reader *reader, size_t *length)
{
	const char *text = reader->at, *to = text;

	while (to < reader->end && !is_blank(*to) && *to != '=' && *to != '<' &&
	       !ends_tag(reader, to))
		to++;
	*length = (size_t)(to - text);
	go_to(reader, to);
	return arena_strndup(reader->table->arena, text, *length);
}

static int
read_attribute(struct reader *reader, struct element_attribute *list,
	       size_t *count)
{
	size_t length;
	const char *name = read_word(reader, &length);
	int line = reader->line;

	if (!name)
		return no_memory(reader);
	skip_blanks(reader);
	if (reader->at < reader->end && length && *reader->at == '=') {
		if (*count == MAX_ATTRIBUTES)
			return malformed(reader, line, "too many attributes");
		reader->at++;
		list[*count].name = name;
		return read_value(reader, &list[(*count)++].value);
	}
	if (!length)
		return malformed(reader, line, "this is no tag");
	log_write(reader->log, DRMPERF_LOG_WARNING,
		  "%s:%d: \"%.40s\" is not an attribute; left out",
		  reader->table->path, line, name);
	return 0;
}

/* The attributes, up to the tag's end. */
static int
read_attributes(struct reader *reader, struct element *element)
{
	struct element_attribute list[MAX_ATTRIBUTES], *kept;
	size_t count = 0;
	int ret = 0;

	for (;;) {
		skip_blanks(reader);
		if (reader->at == reader->end)
			return malformed(reader, element->line,
					 "a tag has no end");
		if (ends_tag(reader, reader->at))
			break;
		if (*reader->at == '#')
			skip_line(reader);
		else
			ret = read_attribute(reader, list, &count);
		if (ret)
			return ret;
	}
	kept = arena_alloc(reader->table->arena, (count + 1) * sizeof(*kept));
	if (!kept)
		return no_memory(reader);
	memcpy(kept, list, count * sizeof(*kept));
	element->attributes = kept;
	element->attribute_count = count;
	return 0;
}

static int
push(struct reader *reader, struct element *element)
{
	struct open_element *top = &reader->stack[reader->depth];

	if (reader->depth == MAX_DEPTH)
		return malformed(reader, element->line,
				 "elements are nested too deeply");
	if (reader->depth) {
		*top[-1].next_child = element;
		top[-1].next_child = &element->next;
	}
	top->element = element;
	top->next_child = &element->child;
	reader->depth++;
	return 0;
}

static int
open_tag(struct reader *reader)
{
	struct element *element;
	const char *name;
	size_t length;
	int line = reader->line, ret;

	reader->at++;
	name = read_word(reader, &length);
	if (name && !length)
		return malformed(reader, line, "this is no tag");
	element = name ? table_element(reader->table, name, line, 0) : NULL;
	if (!element)
		return no_memory(reader);
	ret = push(reader, element);
	if (!ret)
		ret = read_attributes(reader, element);
	if (ret)
		return ret;
	if (*reader->at == '/') {
		reader->at++;
		reader->depth--;
	}
	reader->at++;
	return 0;
}

/* An end without its beginning, such as files of ROCm have, ends nothing. */
static int
close_tag(struct reader *reader)
{
	const char *name;
	unsigned depth = reader->depth;
	int line = reader->line;
	size_t length;

	reader->at += 2;
	name = read_word(reader, &length);
	if (!name)
		return no_memory(reader);
	while (depth > 1 &&
	       strcmp(reader->stack[depth - 1].element->name, name))
		depth--;
	if (depth == 1)
		log_write(reader->log, DRMPERF_LOG_WARNING,
			  "%s:%d: </%.40s> ends nothing that has begun",
			  reader->table->path, line, name);
	else if (depth == reader->depth)
		reader->depth--;
	else
		return malformed(reader, line,
				 "an element ends before one inside of it");
	return skip_past(reader, ">", "a tag has no end");
}

/* ------------------------------------------------------------------ */
/* Everything                                                           */

/* #include "FILE", or a comment */
static int
read_hash(struct reader *reader)
{
	static const char word[] = "#include";
	struct element *element;
	const char *file;
	int ret;

	if (!at_text(reader, word) ||
	    reader->at + sizeof(word) >= reader->end ||
	    !is_blank(reader->at[sizeof(word) - 1])) {
		skip_line(reader);
		return 0;
	}
	reader->at += sizeof(word) - 1;
	while (reader->at < reader->end &&
	       (*reader->at == ' ' || *reader->at == '\t'))
		reader->at++;
	if (reader->at == reader->end || *reader->at != '"') {
		skip_line(reader);
		return 0;
	}
	element = table_element(reader->table, LOOSE_INCLUDE, reader->line, 1);
	if (!element)
		return no_memory(reader);
	ret = read_quoted(reader, &file);
	if (ret)
		return ret;
	element_set(element, "file", file);
	ret = push(reader, element);
	if (!ret)
		reader->depth--;
	return ret;
}

/* Text is the description of the element that it stands in. */
static int
read_text(struct reader *reader)
{
	struct element *element = reader->stack[reader->depth - 1].element;
	const char *text = reader->at;
	const char *to = memchr(text, '<', (size_t)(reader->end - text));

	if (reader->depth == 1)
		return malformed(reader, reader->line,
				 "there is text outside of any element");
	if (!to)
		to = reader->end;
	go_to(reader, to);
	while (is_blank(to[-1]))
		to--;
	element->text = plain_value(reader, text, to);
	return element->text ? 0 : no_memory(reader);
}

static int
read_next(struct reader *reader)
{
	if (*reader->at == '#')
		return read_hash(reader);
	if (at_text(reader, "<!--"))
		return skip_past(reader, "-->", "a comment has no end");
	if (at_text(reader, "<?"))
		return skip_past(reader, "?>", "a <? has no end");
	if (at_text(reader, "<!"))
		return malformed(reader, reader->line,
				 "a declaration is not allowed");
	if (at_text(reader, "</"))
		return close_tag(reader);
	if (at_text(reader, "<"))
		return open_tag(reader);
	if (at_text(reader, "/*"))
		return skip_past(reader, "*/", "a comment has no end");
	if (at_text(reader, "//")) {
		skip_line(reader);
		return 0;
	}
	return read_text(reader);
}

static int
read_all(struct reader *reader)
{
	struct element *root = table_element(reader->table, "#file", 1, 0);
	int ret;

	if (!root)
		return no_memory(reader);
	reader->table->root = root;
	ret = push(reader, root);
	if (at_text(reader, "\xef\xbb\xbf"))
		reader->at += 3; /* byte order mark */
	while (!ret) {
		skip_blanks(reader);
		if (reader->at == reader->end)
			break;
		ret = read_next(reader);
	}
	if (!ret && reader->depth > 1)
		ret = malformed(reader,
				reader->stack[reader->depth - 1].element->line,
				"an element has no end");
	return ret;
}

int
loose_xml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error)
{
	struct reader reader = {
		.at = text,
		.end = text + length,
		.line = 1,
		.table = table_create(path),
		.log = log,
		.error = error,
	};
	int ret;

	if (!reader.table)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	ret = read_all(&reader);
	if (ret)
		table_destroy(reader.table);
	else
		*out = reader.table;
	return ret;
}
