/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/table.h"

#include <ctype.h>
#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "table/build.h"
#include "table/list.h"

/* Far beyond any table, and below INT_MAX; a file beyond is not one. */
#define MAX_SIZE ((off_t)256 << 20)
#define MAX_DEPTH 32

/* Names of elements and attributes that are kept once. */
#define NAME_SLOTS 256u

/* From here on a text is worth to be kept from expat. */
#define LONG_TEXT 64

/* A text behind a start tag that expat does not see. */
struct cut {
	size_t at; /* where it is missing; SIZE_MAX: behind the last one */
	size_t length;
};

/* An element that is not closed yet. */
struct open_element {
	struct element *element;
	struct element **next_child;
	size_t text; /* where its text begins in parser.text */
};

/* The state of a file being read. */
struct parser {
	XML_Parser expat;
	struct table *table;
	char *source; /* all of the file, terminated */
	char *rest; /* what expat sees of it, in a buffer of expat's */
	struct cut *cuts, *cut; /* and what not; the one that comes next */
	size_t passed; /* length of those before it */
	size_t counted; /* how far its lines have been counted, */
	int line; /* and to which line that was */
	struct element *list; /* a <list> that is open; its text begins here: */
	size_t list_begin;
	struct open_element stack[MAX_DEPTH];
	unsigned depth;
	char *text;
	size_t text_length, text_capacity;
	const char *names[NAME_SLOTS];
	int err;
	const char *cause; /* with err == -EBADMSG */
	int error_line;
};

/* expat's own count looks at every byte once more; this finds newlines only. */
static int
line_at(struct parser *parser, size_t at)
{
	const char *from = parser->source + parser->counted;
	const char *end = parser->source + at;

	while ((from = memchr(from, '\n', (size_t)(end - from)))) {
		parser->line++;
		from++;
	}
	parser->counted = at;
	return parser->line;
}

/* Where in the source that is which expat tells of. */
static size_t
here(struct parser *parser)
{
	XML_Index at = XML_GetCurrentByteIndex(parser->expat);

	/* nothing has been read yet */
	if (at < 0)
		return 0;
	while (parser->cut->at <= (size_t)at)
		parser->passed += parser->cut++->length;
	return parser->passed + (size_t)at;
}

static int
current_line(struct parser *parser)
{
	return line_at(parser, here(parser));
}

static void
fail(struct parser *parser, int err, const char *cause)
{
	if (!parser->err) {
		parser->err = err;
		parser->cause = cause;
		parser->error_line = current_line(parser);
	}
	XML_StopParser(parser->expat, XML_FALSE);
}

/*
 * A copy of name, the same one for the same name most of the time: a table has
 * few different names, each thousands of times.
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

static int
reserve_text(struct parser *parser, size_t length)
{
	size_t capacity = parser->text_capacity;
	char *grown;

	if (capacity - parser->text_length >= length)
		return 0;
	capacity = 2 * (parser->text_length + length) + 4096;
	grown = realloc(parser->text, capacity);
	if (!grown)
		return -ENOMEM;
	parser->text = grown;
	parser->text_capacity = capacity;
	return 0;
}

/* XML has no characters below the space but tabs and ends of lines. */
static bool
is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* A bit in each of eight bytes that is below c, and maybe in others then. */
static uint64_t
below(const char *bytes, unsigned char c)
{
	const uint64_t ones = UINT64_MAX / UINT8_MAX;
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return (word - ones * c) & ~word & ones << 7;
}

/*
 * Whether the blanks in a text are spaces, each alone, and none is the first:
 * most lines are like this. False where that is not sure.
 */
static bool
is_packed(const char *text, size_t length)
{
	size_t at = 0, last = length - 9;

	if (length < 9 || is_blank(*text))
		return false;
	for (;; at = at + 8 < last ? at + 8 : last) {
		if ((below(text + at, ' ' + 1) &
		     below(text + at + 1, ' ' + 1)) |
		    below(text + at + 1, ' '))
			return false;
		if (at == last)
			return true;
	}
}

/*
 * The text of a parent goes on after its child, whose own text has been taken
 * off the buffer's end by then. Runs of blanks become one, none at the start.
 */
static void
character_data(void *data, const char *text, int length)
{
	struct parser *parser = data;
	const char *start, *end = text + length;
	char *to;

	if (parser->err || !parser->depth)
		return;
	if (reserve_text(parser, (size_t)length)) {
		fail(parser, -ENOMEM, NULL);
		return;
	}
	start = parser->text + parser->stack[parser->depth - 1].text;
	to = parser->text + parser->text_length;
	if (is_packed(text, (size_t)length)) {
		memcpy(to, text, (size_t)length);
		parser->text_length += (size_t)length;
		return;
	}
	while (text < end) {
		if (!is_blank(*text))
			*to++ = *text;
		else if (to != start && to[-1] != ' ')
			*to++ = ' ';
		text++;
	}
	parser->text_length = (size_t)(to - parser->text);
}

/* The text behind the tag that expat tells of, if it was cut out. */
static void
add_cut_text(struct parser *parser, size_t behind)
{
	const char *text = parser->source + behind, *end, *line;

	if (parser->cut->at + parser->passed != behind)
		return;
	end = text + parser->cut->length;
	for (; text < end; text = line) {
		line = memchr(text, '\n', (size_t)(end - text));
		if (!line)
			line = end;
		else if (line == text)
			line++;
		character_data(parser, text, (int)(line - text));
	}
}

/* What is inside is not expat's to tell: it is read when the list ends. */
static void
start_list(struct parser *parser, struct element *list, size_t behind)
{
	parser->list = list;
	parser->list_begin = behind;
	line_at(parser, behind);
	XML_SetCharacterDataHandler(parser->expat, NULL);
}

static void
end_list(struct parser *parser)
{
	size_t end = here(parser);
	char *text = parser->source + parser->list_begin;
	struct table_list_fault fault;
	int err;

	err = table_list_read(parser->table->arena, parser->list, text,
			      end - parser->list_begin, parser->line,
			      &parser->list->list, &fault);
	if (err) {
		fail(parser, err, fault.cause);
		parser->error_line = fault.line;
	} else {
		/* they have been counted when the list was read */
		parser->line += parser->list->list->newlines;
		parser->counted = end;
	}
	parser->list = NULL;
	XML_SetCharacterDataHandler(parser->expat, character_data);
}

static void
start_element(void *data, const char *name, const char **attributes)
{
	struct parser *parser = data;
	struct open_element *top = &parser->stack[parser->depth];
	struct element *element;
	size_t begin, behind;

	if (parser->err)
		return;
	if (parser->depth == MAX_DEPTH) {
		fail(parser, -EBADMSG, "elements are nested too deeply");
		return;
	}
	if (parser->list) {
		fail(parser, -EBADMSG, "a list has lines, no elements");
		return;
	}
	element = arena_alloc(parser->table->arena, sizeof(*element));
	if (element)
		element->name = keep_name(parser, name);
	if (!element || !element->name ||
	    keep_attributes(parser, element, attributes)) {
		fail(parser, -ENOMEM, NULL);
		return;
	}
	begin = here(parser);
	behind = begin + (size_t)XML_GetCurrentByteCount(parser->expat);
	element->line = line_at(parser, begin);

	if (parser->depth) {
		*top[-1].next_child = element;
		top[-1].next_child = &element->next;
	} else {
		parser->table->root = element;
	}
	top->element = element;
	top->next_child = &element->child;
	top->text = parser->text_length;
	parser->depth++;
	if (parser->depth > 1 && !strcmp(name, "list"))
		start_list(parser, element, behind);
	else
		add_cut_text(parser, behind);
}

static void
end_element(void *data, const char *name)
{
	struct parser *parser = data;
	struct open_element *top;
	size_t length;

	(void)name;
	if (parser->err)
		return;
	top = &parser->stack[--parser->depth];
	top->element->text = "";
	if (parser->list) {
		end_list(parser);
		return;
	}
	length = parser->text_length - top->text;
	if (length && parser->text[parser->text_length - 1] == ' ')
		length--;
	parser->text_length = top->text;
	if (!length)
		return;
	top->element->text = arena_strndup(parser->table->arena,
					   parser->text + top->text, length);
	if (!top->element->text)
		fail(parser, -ENOMEM, NULL);
}

/* Entities are of no use here, but a way to make a small file expand. */
static void
start_doctype(void *data, const char *name, const char *system_id,
	      const char *public_id, int has_internal)
{
	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_internal;
	fail(data, -EBADMSG, "a document type declaration is not allowed");
}

/*
 * Whether a text has only such characters as XML allows anywhere, and which
 * mean themselves, but for ampersands. It is looked at in blocks, of which
 * compilers make vectors.
 */
#define PLAIN_BLOCK 256

static bool
is_plain_block(const char *text)
{
	unsigned char odd = 0;

	/* what is no ASCII is negative */
	for (size_t i = 0; i < PLAIN_BLOCK; i++) {
		signed char c = (signed char)text[i];

		odd |= (c < ' ') & (c != '\n') & (c != '\t');
		odd |= c == '>';
	}
	return !odd;
}

/* Lists may have references, which expat need not see either. */
static bool
has_plain_references(const char *text, const char *end, bool in_list)
{
	char c;

	while ((text = memchr(text, '&', (size_t)(end - text)))) {
		text = in_list ? table_list_reference(text, &c) : NULL;
		if (!text)
			return false;
	}
	return true;
}

static bool
is_plain(const char *text, const char *end, bool in_list)
{
	const char *at = text;
	char rest[PLAIN_BLOCK];

	for (; end - at >= PLAIN_BLOCK; at += PLAIN_BLOCK)
		if (!is_plain_block(at))
			return false;
	memset(rest, ' ', sizeof(rest));
	memcpy(rest, at, (size_t)(end - at));
	return is_plain_block(rest) && has_plain_references(text, end, in_list);
}

static const char *
behind(const char *text, const char *mark)
{
	text = strstr(text, mark);
	return text ? text + strlen(mark) : NULL;
}

/*
 * Where the markup ends that begins here; NULL for what ends all cutting: what
 * is malformed, and CDATA sections, where tags are characters. A tag may seem
 * to end in an attribute; the text behind that has another end then.
 */
static const char *
end_of_markup(const char *tag)
{
	if (!strncmp(tag, "<!--", 4))
		return behind(tag + 4, "-->");
	if (tag[1] == '?')
		return behind(tag, "?>");
	if (tag[1] == '!')
		return NULL;
	tag = strchr(tag, '>');
	return tag ? tag + 1 : NULL;
}

/*
 * Most of a table stands in long texts, of lists above all, and to expat they
 * are nothing but characters. It gets the rest; returns the length of that.
 * Cut is what is behind start tags, and behind comments in lists.
 */
static size_t
cut_texts(struct parser *parser, size_t length)
{
	const char *from = parser->source, *end = from + length;
	const char *tag = memchr(from, '<', length), *text, *next;
	char *rest = parser->rest;
	struct cut *cut = parser->cuts;
	bool in_list = false, starts;

	for (; tag && (text = end_of_markup(tag)); tag = next) {
		next = memchr(text, '<', (size_t)(end - text));
		if (!next)
			break;
		starts = tag[1] != '/' && tag[1] != '!' && tag[1] != '?' &&
			 text[-2] != '/';
		if (tag[1] != '!')
			in_list = starts && !strncmp(tag, "<list", 5) &&
				  is_blank(tag[5]);
		if (next - text < LONG_TEXT || !(starts || in_list) ||
		    !is_plain(text, next, in_list))
			continue;
		rest = mempcpy(rest, from, (size_t)(text - from));
		cut->at = (size_t)(rest - parser->rest);
		cut++->length = (size_t)(next - text);
		from = next;
	}
	rest = mempcpy(rest, from, (size_t)(end - from));
	cut->at = SIZE_MAX;
	return (size_t)(rest - parser->rest);
}

static int
parse(struct parser *parser, size_t length, struct drmperf_error *error)
{
	/*
	 * All at once: between pieces, expat would look at every byte once
	 * more to count lines.
	 */
	if (XML_ParseBuffer(parser->expat, (int)length, XML_TRUE) ==
	    XML_STATUS_OK)
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

/*
 * Make a table of a text got by malloc(), which it takes over: lists are cut up
 * where they stand.
 */
static int
read_text(const char *path, char *text, size_t length, struct table **out,
	  struct drmperf_error *error)
{
	struct table *table = table_create(path);
	XML_Parser expat = XML_ParserCreate("UTF-8");
	struct parser parser = {
		.expat = expat,
		.table = table,
		.source = text,
		.rest = expat ? XML_GetBuffer(expat, (int)length + 1) : NULL,
		.cuts = malloc((length / LONG_TEXT + 1) * sizeof(*parser.cuts)),
		.line = 1,
	};
	int err;

	if (!table || !parser.rest || !parser.cuts) {
		XML_ParserFree(expat);
		table_destroy(table);
		free(parser.cuts);
		free(text);
		return error_set(error, -ENOMEM, "no memory for %s", path);
	}
	table->text = text;
	parser.cut = parser.cuts;
	XML_SetUserData(expat, &parser);
	XML_SetElementHandler(expat, start_element, end_element);
	XML_SetCharacterDataHandler(expat, character_data);
	XML_SetStartDoctypeDeclHandler(expat, start_doctype);

	err = parse(&parser, cut_texts(&parser, length), error);
	XML_ParserFree(expat);
	free(parser.text);
	free(parser.cuts);
	if (err) {
		table_destroy(table);
		return err;
	}
	*out = table;
	return 0;
}

int
table_parse(const char *path, const char *text, size_t length,
	    struct table **out, struct drmperf_error *error)
{
	char *copy = NULL;

	if (length <= (size_t)MAX_SIZE)
		copy = malloc(length + 1);
	if (!copy)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	memcpy(copy, text, length);
	copy[length] = '\0';
	return read_text(path, copy, length, out, error);
}

static int
read_all(int fd, char *text, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = read(fd, text + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO; /* it has shrunk */
		done += (size_t)n;
	}
	return 0;
}

/* Open a file that may be a table; its size. */
static int
open_file(const char *path, size_t *length)
{
	struct stat st;
	int fd, err = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else if (st.st_size > MAX_SIZE)
		err = -EFBIG;
	if (err) {
		close(fd);
		return err;
	}
	*length = (size_t)st.st_size;
	return fd;
}

/* The whole file, terminated. */
static int
load(const char *path, char **text, size_t *length)
{
	char *bytes;
	int fd, err;

	fd = open_file(path, length);
	if (fd < 0)
		return fd;
	bytes = malloc(*length + 1);
	err = bytes ? read_all(fd, bytes, *length) : -ENOMEM;
	close(fd);
	if (err) {
		free(bytes);
		return err;
	}
	bytes[*length] = '\0';
	*text = bytes;
	return 0;
}

int
table_load(const char *path, char **text, size_t *length,
	   struct drmperf_error *error)
{
	int err = load(path, text, length);

	if (err)
		return error_set(error, err, "cannot read %s: %s", path,
				 strerrordesc_np(-err));
	return 0;
}

int
table_read(const char *path, struct table **out, struct drmperf_error *error)
{
	size_t length;
	char *text;
	int err;

	err = table_load(path, &text, &length, error);
	return err ? err : read_text(path, text, length, out, error);
}

/* The folders of a path, for a complaint; cut off where there is no room. */
static void
list_directories(const struct table_path *path, char *text, size_t size)
{
	size_t i, length = 0;

	text[0] = '\0';
	for (i = 0; i < path->count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   i ? ", " : "", path->directories[i]);
}

int
table_find(const struct table_path *path, const char *driver, const char *name,
	   struct table **out, struct drmperf_error *error)
{
	char tried[400];
	size_t i;

	for (i = 0; i < path->count; i++) {
		char *file = NULL;
		int err;

		if (asprintf(&file, "%s/%s/%s.xml", path->directories[i],
			     driver, name) < 0)
			return error_set(error, -ENOMEM, "no memory");
		err = table_read(file, out, error);
		free(file);
		if (err != -ENOENT && err != -ENOTDIR)
			return err;
	}
	list_directories(path, tried, sizeof(tried));
	error_set(error, -ENOENT, "no event table %s/%s.xml in %s", driver,
		  name, tried);
	error_remedy(error, "install drmperf's event tables, or name their "
			    "folder in DRMPERF_EVENTS");
	return -ENOENT;
}

/*
 * Whether one of the blank separated names is that of the generation, or
 * begins the target's: "gfx9" for gfx900. But where the generation's name goes
 * on with a number, as gfx908's does, others of the family count otherwise.
 */
static bool
names_target(const char *names, const char *generation, const char *target)
{
	size_t length;

	for (; *names; names += length + (names[length] == ' ')) {
		length = strcspn(names, " ");
		if (!length)
			continue;
		if (!strncmp(names, generation, length) &&
		    isxdigit((unsigned char)generation[length]))
			continue;
		if (!strncmp(names, target, length) ||
		    (!strncmp(names, generation, length) &&
		     !generation[length]))
			return true;
	}
	return false;
}

static bool
is_for_target(const struct element *root, const char *generation,
	      const char *target)
{
	const char *names = element_attribute(root, "target");
	const char *others = element_attribute(root, "except");

	if (!names)
		return true;
	return target && names_target(names, generation, target) &&
	       !(others && names_target(others, generation, target));
}

bool
table_is_for(const struct table *table, const char *driver,
	     const char *generation, const char *target)
{
	const struct element *root = table->root;
	const char *value;

	if (strcmp(root->name, "events"))
		return false;
	value = element_attribute(root, "driver");
	if (!value || strcmp(value, driver))
		return false;
	value = element_attribute(root, "generation");
	return (!value || !strcmp(value, generation)) &&
	       is_for_target(root, generation, target);
}

bool
table_is_foreign(const struct table *table)
{
	return element_attribute(table->root, "foreign");
}

void
table_destroy(struct table *table)
{
	if (!table)
		return;
	free(table->text);
	arena_destroy(table->arena);
}

/* Mostly they differ in the first letter: a call can be saved. */
static bool
is_name(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

const char *
element_attribute(const struct element *element, const char *name)
{
	size_t i;

	for (i = 0; i < element->attribute_count; i++)
		if (is_name(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}

void
element_attributes(const struct element *element, const char *const *names,
		   size_t count, const char **values)
{
	const struct element_attribute *attribute = element->attributes;
	const struct element_attribute *end =
		attribute + element->attribute_count;

	memset(values, 0, count * sizeof(*values));
	for (; attribute < end; attribute++) {
		size_t i = 0;

		while (i < count && !is_name(attribute->name, names[i]))
			i++;
		/* the first of a name counts, as everywhere */
		if (i < count && !values[i])
			values[i] = attribute->value;
	}
}

struct element *
element_named(const struct element *element, const char *name)
{
	while (element && !is_name(element->name, name))
		element = element->next;
	return (struct element *)element;
}

int
element_error(const struct table *table, const struct element *element,
	      struct drmperf_error *error, const char *cause, ...)
{
	char text[sizeof(error->cause)];
	va_list args;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	return error_set(error, -EBADMSG, "%s:%d: <%s> %s", table->path,
			 element->line, element->name, text);
}

int
element_text(const struct table *table, const struct element *element,
	     const char *name, const char **out, struct drmperf_error *error)
{
	const char *value = element_attribute(element, name);

	if (!value)
		return element_error(table, element, error,
				     "has no attribute %s", name);
	*out = value;
	return 0;
}

/* All of text as a number; strtoull() would take blanks and signs as well. */
static bool
read_uint(const char *text, uint64_t *out)
{
	uint64_t value = 0;
	unsigned base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit;

		if (*text >= '0' && *text <= '9')
			digit = (unsigned)(*text - '0');
		else if ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'f')
			digit = (unsigned)((*text | 0x20) - 'a') + 10;
		else
			return false;
		if (digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	*out = value;
	return true;
}

int
element_number(const struct table *table, const struct element *element,
	       const char *name, const char *text, uint64_t max, uint64_t *out,
	       struct drmperf_error *error)
{
	uint64_t value;

	if (!read_uint(text, &value))
		return element_error(table, element, error,
				     "%s=\"%s\" is not a number", name, text);
	if (value > max)
		return element_error(table, element, error,
				     "%s=\"%s\" is larger than %llu", name,
				     text, (unsigned long long)max);
	*out = value;
	return 0;
}

int
element_uint(const struct table *table, const struct element *element,
	     const char *name, uint64_t max, uint64_t *out,
	     struct drmperf_error *error)
{
	const char *text = "";
	int err;

	err = element_text(table, element, name, &text, error);
	return err ? err
		   : element_number(table, element, name, text, max, out,
				    error);
}

int
element_uint_or(const struct table *table, const struct element *element,
		const char *name, uint64_t max, uint64_t fallback,
		uint64_t *out, struct drmperf_error *error)
{
	const char *text = element_attribute(element, name);

	*out = fallback;
	return text ? element_number(table, element, name, text, max, out,
				     error)
		    : 0;
}
