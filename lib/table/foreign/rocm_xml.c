/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands here about the dialect was learnt from ROC profiler's metric
 * files of ROCm 2 to 6 and from what its own loose (src/xml/xml.h) accepts:
 * it cuts tags into words at blanks, takes # for a comment wherever a word
 * could begin, and a backslash inside of quotation marks for "the next
 * character as it is". Usual comments and entities of XML, C comments, and
 * blanks inside of parentheses are taken as well: people write them.
 */
#include "table/foreign/rocm.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "table/element.h"

#define MAX_DEPTH 32
#define MAX_ATTRIBUTES 64

/*
 * An element that holds no others, and ends with the next tag: the example of
 * ROC profiler's specification leaves its ends out.
 */
#define LEAF "metric"

/* An element that is not closed yet. */
struct loose_element {
	struct element *element;
	struct element **next_child;
};

struct loose {
	const char *at, *end;
	int line;
	struct table *table;
	struct loose_element stack[MAX_DEPTH];
	unsigned depth;
	const struct log_sink *log;
	struct drmperf_error *error;
};

static int
loose_malformed(const struct loose *loose, int line, const char *cause)
{
	return error_set(loose->error, -EBADMSG, "%s:%d: %s",
			 loose->table->path, line, cause);
}

static int
no_memory(const struct loose *loose)
{
	return error_set(loose->error, -ENOMEM, "no memory for %s",
			 loose->table->path);
}

/* ------------------------------------------------------------------ */
/* Characters                                                           */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
at_text(const struct loose *loose, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(loose->end - loose->at) >= length &&
	       !memcmp(loose->at, text, length);
}

/* Go to a place further on, counting lines. */
static void
skip_to(struct loose *loose, const char *to)
{
	for (; loose->at < to; loose->at++)
		loose->line += *loose->at == '\n';
}

static void
skip_blanks(struct loose *loose)
{
	const char *to = loose->at;

	while (to < loose->end && is_blank(*to))
		to++;
	skip_to(loose, to);
}

static void
skip_line(struct loose *loose)
{
	const char *to =
		memchr(loose->at, '\n', (size_t)(loose->end - loose->at));

	skip_to(loose, to ? to : loose->end);
}

/* Go past the first such mark. */
static int
skip_past(struct loose *loose, const char *mark, const char *cause)
{
	const char *to = memmem(loose->at, (size_t)(loose->end - loose->at),
				mark, strlen(mark));

	if (!to)
		return loose_malformed(loose, loose->line, cause);
	skip_to(loose, to + strlen(mark));
	return 0;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * Decode a reference that a text begins with, if it is one of XML's own.
 * Returns its length, or 0: what is none stands for itself.
 */
static size_t
decode_reference(const char *text, size_t length, char *out)
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

/* Return a copy with entities and backslashes taken for what they mean. */
static const char *
plain_value(struct loose *loose, const char *text, const char *end)
{
	char *value =
		arena_alloc(loose->table->arena, (size_t)(end - text) + 1);
	char *to = value;

	while (value && text < end) {
		size_t length =
			decode_reference(text, (size_t)(end - text), to);

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
read_quoted(struct loose *loose, const char **out)
{
	char quote = *loose->at;
	const char *text = loose->at + 1, *to = text;

	while (to < loose->end && *to != quote)
		to += *to == '\\' && to + 1 < loose->end ? 2 : 1;
	if (to >= loose->end)
		return loose_malformed(
			loose, loose->line,
			"a value is not closed with a quotation mark");
	*out = plain_value(loose, text, to);
	skip_to(loose, to + 1);
	return *out ? 0 : no_memory(loose);
}

static bool
ends_tag(const struct loose *loose, const char *at)
{
	return *at == '>' ||
	       (*at == '/' && at + 1 < loose->end && at[1] == '>');
}

/* Return whether an expression cannot end, or begin, with the character. */
static bool
is_operator(char c)
{
	return c == '+' || c == '-' || c == '*' || c == '/';
}

/* Return whether the blanks are beside an operator: "HITS/ (HITS+MISSES)". */
static bool
joins_operands(const struct loose *loose, char before, const char *blank)
{
	if (is_operator(before))
		return true;
	while (blank < loose->end && (*blank == ' ' || *blank == '\t'))
		blank++;
	return blank < loose->end && is_operator(*blank) &&
	       !ends_tag(loose, blank);
}

/*
 * Read a value up to the first blank that is neither in parentheses nor beside
 * an operator, or the tag's end.
 */
static int
read_bare(struct loose *loose, const char **out)
{
	const char *text = loose->at, *to = text;
	unsigned open = 0;

	for (; to < loose->end && !ends_tag(loose, to); to++) {
		if (*to == '\n' || (is_blank(*to) && !open && to > text &&
				    !joins_operands(loose, to[-1], to)))
			break;
		if (*to == '(')
			open++;
		if (*to == ')' && open)
			open--;
	}
	*out = plain_value(loose, text, to);
	skip_to(loose, to);
	return *out ? 0 : no_memory(loose);
}

static int
read_value(struct loose *loose, const char **out)
{
	skip_blanks(loose);
	if (loose->at < loose->end && (*loose->at == '"' || *loose->at == '\''))
		return read_quoted(loose, out);
	return read_bare(loose, out);
}

/* ------------------------------------------------------------------ */
/* Tags                                                                 */

/* Read a word of a tag: what is before a blank, = or the end. */
static const char *
read_word(struct loose *loose, size_t *length)
{
	const char *text = loose->at, *to = text;

	while (to < loose->end && !is_blank(*to) && *to != '=' && *to != '<' &&
	       !ends_tag(loose, to))
		to++;
	*length = (size_t)(to - text);
	skip_to(loose, to);
	return arena_strndup(loose->table->arena, text, *length);
}

static int
read_attribute(struct loose *loose, struct element_attribute *list,
	       size_t *count)
{
	size_t length;
	const char *name = read_word(loose, &length);
	int line = loose->line;

	if (!name)
		return no_memory(loose);
	skip_blanks(loose);
	if (loose->at < loose->end && length && *loose->at == '=') {
		if (*count == MAX_ATTRIBUTES)
			return loose_malformed(loose, line,
					       "too many attributes");
		loose->at++;
		list[*count].name = name;
		return read_value(loose, &list[(*count)++].value);
	}
	if (!length)
		return loose_malformed(loose, line, "this is no tag");
	log_write(loose->log, DRMPERF_LOG_WARNING,
		  "%s:%d: \"%.40s\" is not an attribute; left out",
		  loose->table->path, line, name);
	return 0;
}

/* Read the attributes, up to the tag's end. */
static int
read_attributes(struct loose *loose, struct element *element)
{
	struct element_attribute list[MAX_ATTRIBUTES], *kept;
	size_t count = 0;
	int ret = 0;

	for (;;) {
		skip_blanks(loose);
		if (loose->at == loose->end)
			return loose_malformed(loose, element->line,
					       "a tag has no end");
		if (ends_tag(loose, loose->at))
			break;
		if (*loose->at == '#')
			skip_line(loose);
		else
			ret = read_attribute(loose, list, &count);
		if (ret)
			return ret;
	}
	kept = arena_alloc(loose->table->arena, (count + 1) * sizeof(*kept));
	if (!kept)
		return no_memory(loose);
	memcpy(kept, list, count * sizeof(*kept));
	element->attributes = kept;
	element->attribute_count = count;
	return 0;
}

static int
loose_push(struct loose *loose, struct element *element)
{
	struct loose_element *top = &loose->stack[loose->depth];

	if (loose->depth == MAX_DEPTH)
		return loose_malformed(loose, element->line,
				       "elements are nested too deeply");
	if (loose->depth) {
		*top[-1].next_child = element;
		top[-1].next_child = &element->next;
	}
	top->element = element;
	top->next_child = &element->child;
	loose->depth++;
	return 0;
}

/* Return whether the innermost element has a name; the file itself has none. */
static bool
is_inside(const struct loose *loose, const char *name)
{
	return loose->depth > 1 &&
	       !strcmp(loose->stack[loose->depth - 1].element->name, name);
}

static int
open_tag(struct loose *loose)
{
	struct element *element;
	const char *name;
	size_t length;
	int line = loose->line, ret;

	loose->at++;
	name = read_word(loose, &length);
	/* "#" is for our own names */
	if (name && (!length || *name == '#'))
		return loose_malformed(loose, line, "this is no tag");
	element = name ? table_element(loose->table, name, line, 0) : NULL;
	if (!element)
		return no_memory(loose);
	if (is_inside(loose, LEAF))
		loose->depth--;
	ret = loose_push(loose, element);
	if (!ret)
		ret = read_attributes(loose, element);
	if (ret)
		return ret;
	if (*loose->at == '/') {
		loose->at++;
		loose->depth--;
	}
	loose->at++;
	return 0;
}

/*
 * Close an element. An end without its beginning, such as files of ROCm have,
 * ends nothing.
 */
static int
close_tag(struct loose *loose)
{
	const char *name;
	unsigned depth = loose->depth;
	int line = loose->line;
	size_t length;

	loose->at += 2;
	name = read_word(loose, &length);
	if (!name)
		return no_memory(loose);
	if (is_inside(loose, LEAF) && strcmp(LEAF, name))
		depth = --loose->depth;
	while (depth > 1 && strcmp(loose->stack[depth - 1].element->name, name))
		depth--;
	if (depth == 1)
		log_write(loose->log, DRMPERF_LOG_WARNING,
			  "%s:%d: </%.40s> ends nothing that has begun",
			  loose->table->path, line, name);
	else if (depth == loose->depth)
		loose->depth--;
	else
		return loose_malformed(
			loose, line, "an element ends before one inside of it");
	return skip_past(loose, ">", "a tag has no end");
}

/* ------------------------------------------------------------------ */
/* Everything                                                           */

/* Read #include "FILE", or a comment. */
static int
read_hash(struct loose *loose)
{
	static const char word[] = "#include";
	struct element *element;
	const char *file;
	int ret;

	if (!at_text(loose, word) || loose->at + sizeof(word) >= loose->end ||
	    !is_blank(loose->at[sizeof(word) - 1])) {
		skip_line(loose);
		return 0;
	}
	loose->at += sizeof(word) - 1;
	while (loose->at < loose->end &&
	       (*loose->at == ' ' || *loose->at == '\t'))
		loose->at++;
	if (loose->at == loose->end || *loose->at != '"') {
		skip_line(loose);
		return 0;
	}
	element = table_element(loose->table, LOOSE_INCLUDE, loose->line, 1);
	if (!element)
		return no_memory(loose);
	ret = read_quoted(loose, &file);
	if (ret)
		return ret;
	element_set(element, "file", file);
	ret = loose_push(loose, element);
	if (!ret)
		loose->depth--;
	return ret;
}

/* Read text, which is the description of the element that it stands in. */
static int
read_text(struct loose *loose)
{
	struct element *element = loose->stack[loose->depth - 1].element;
	const char *text = loose->at;
	const char *to = memchr(text, '<', (size_t)(loose->end - text));

	if (loose->depth == 1)
		return loose_malformed(loose, loose->line,
				       "there is text outside of any element");
	if (!to)
		to = loose->end;
	skip_to(loose, to);
	while (is_blank(to[-1]))
		to--;
	element->text = plain_value(loose, text, to);
	return element->text ? 0 : no_memory(loose);
}

static int
read_item(struct loose *loose)
{
	if (*loose->at == '#')
		return read_hash(loose);
	if (at_text(loose, "<!--"))
		return skip_past(loose, "-->", "a comment has no end");
	if (at_text(loose, "<?"))
		return skip_past(loose, "?>", "a <? has no end");
	if (at_text(loose, "<!"))
		return loose_malformed(loose, loose->line,
				       "a declaration is not allowed");
	if (at_text(loose, "</"))
		return close_tag(loose);
	if (at_text(loose, "<"))
		return open_tag(loose);
	if (at_text(loose, "/*"))
		return skip_past(loose, "*/", "a comment has no end");
	if (at_text(loose, "//")) {
		skip_line(loose);
		return 0;
	}
	return read_text(loose);
}

static int
read_document(struct loose *loose)
{
	struct element *root = table_element(loose->table, "#file", 1, 0);
	int ret;

	if (!root)
		return no_memory(loose);
	loose->table->root = root;
	ret = loose_push(loose, root);
	if (at_text(loose, "\xef\xbb\xbf"))
		loose->at += 3; /* byte order mark */
	while (!ret) {
		skip_blanks(loose);
		if (loose->at == loose->end)
			break;
		ret = read_item(loose);
	}
	if (!ret && loose->depth > 1)
		ret = loose_malformed(
			loose, loose->stack[loose->depth - 1].element->line,
			"an element has no end");
	return ret;
}

int
loose_xml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error)
{
	struct loose loose = {
		.at = text,
		.end = text + length,
		.line = 1,
		.table = table_create(path),
		.log = log,
		.error = error,
	};
	int ret;

	if (!loose.table)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	ret = read_document(&loose);
	if (ret)
		table_destroy(loose.table);
	else
		*out = loose.table;
	return ret;
}
