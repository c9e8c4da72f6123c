/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A filter in front of the reader of XML: it writes a metric file as XML that
 * is well-formed, line for line, so that the reader's line numbers are those of
 * the file. Attributes that nothing is made of are dropped on the way.
 *
 * What stands here about the dialect was learnt from ROC profiler's metric
 * files of ROCm 2 to 6 and from what its own reader (src/xml/xml.h) accepts:
 * it cuts tags into words at blanks, takes # for a comment wherever a word
 * could begin, and a backslash inside of quotation marks for "the next
 * character as it is". Usual comments and entities of XML, C comments, and
 * blanks inside of parentheses are taken as well: people write them.
 */
#include "table/foreign/rocm.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/xml.h"

/* Below the root that the filter adds; the reader's limit is one more. */
#define MAX_DEPTH 31

#define BLANKS " \t\r\n"
#define OPERATORS "+-*/"

/*
 * An element that holds no others, and ends with the next tag: the example of
 * ROC profiler's specification leaves its ends out.
 */
#define LEAF "metric"

struct filter {
	const char *path;
	const char *at; /* in the text of the file, which is terminated */
	int line;
	char *xml; /* the end of what has been written */
	const char *open[MAX_DEPTH]; /* names of elements without an end yet */
	unsigned depth;
	int err;
	const struct log_sink *log;
	struct drmperf_error *error;
};

/* Stop at a fault: nothing is left of the file. */
static void
filter_stop(struct filter *filter, const char *cause)
{
	if (!filter->err)
		filter->err = error_set(filter->error, -EBADMSG, "%s:%d: %s",
					filter->path, filter->line, cause);
	filter->at = "";
}

static void
filter_put(struct filter *filter, const char *xml)
{
	filter->xml = stpcpy(filter->xml, xml);
}

static bool
at_text(const struct filter *filter, const char *text)
{
	return !strncmp(filter->at, text, strlen(text));
}

/* Drop all up to a place further on, but for the ends of lines. */
static void
drop_to(struct filter *filter, const char *to)
{
	for (; filter->at < to; filter->at++) {
		if (*filter->at == '\n') {
			filter->line++;
			filter_put(filter, "\n");
		}
	}
}

static void
drop_past(struct filter *filter, const char *mark)
{
	const char *found = strstr(filter->at, mark);

	if (found)
		drop_to(filter, found + strlen(mark));
	else
		filter_stop(filter, "a tag or a comment has no end");
}

static void
drop_blanks(struct filter *filter)
{
	drop_to(filter, filter->at + strspn(filter->at, BLANKS));
}

static void
drop_line(struct filter *filter)
{
	drop_to(filter, strchrnul(filter->at, '\n'));
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/* Return whether a reference of XML's own begins here. */
static bool
is_reference(const char *text)
{
	static const char *const known[] = { "&lt;", "&gt;", "&amp;", "&quot;",
					     "&apos;" };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strncmp(text, known[i], strlen(known[i])))
			return true;
	return false;
}

/*
 * Put what is before the end. A character behind a backslash means itself; XML
 * has no control characters.
 */
static void
put_value(struct filter *filter, const char *end)
{
	for (; filter->at < end; filter->at++) {
		bool literal = *filter->at == '\\' && filter->at + 1 < end;
		char c = *(filter->at += literal);

		filter->line += c == '\n';
		if (strchr("<>&\"", c) &&
		    (literal || !is_reference(filter->at)))
			filter->xml += sprintf(filter->xml, "&#%d;", c);
		else
			*filter->xml++ =
				c > 0 && c < ' ' && c != '\n' ? ' ' : c;
	}
}

static const char *
find_quoted_end(const char *text)
{
	char quote = *text++;

	while (*text && *text != quote)
		text += *text == '\\' && text[1] ? 2 : 1;
	return text;
}

static bool
ends_tag(const char *text)
{
	return *text == '>' || (*text == '/' && text[1] == '>');
}

/*
 * Return the first blank that is neither in parentheses nor beside an operator,
 * such as in "HITS/ (HITS + MISSES)", or the tag's end.
 */
static const char *
find_bare_end(const char *text)
{
	unsigned open = 0;

	for (; *text && *text != '\n' && !ends_tag(text); text++) {
		size_t blanks = open ? 0 : strspn(text, " \t\r");
		const char *next = text + blanks;

		open += *text == '(';
		open -= *text == ')' && open;
		if (blanks && strchr(OPERATORS, *next) && !ends_tag(next))
			text = next - 1;
		else if (blanks && !strchr(OPERATORS, text[-1]))
			break;
	}
	return text;
}

/* Put an attribute whose value is here; without a name, drop the value. */
static void
put_attribute(struct filter *filter, const char *name)
{
	bool quoted = *filter->at == '"' || *filter->at == '\'';
	const char *end = quoted ? find_quoted_end(filter->at)
				 : find_bare_end(filter->at);

	if (quoted && !*end) {
		filter_stop(filter, "a quotation mark is missing");
		return;
	}
	filter->at += quoted;
	if (name) {
		filter->xml += sprintf(filter->xml, " %s=\"", name);
		put_value(filter, end);
		filter_put(filter, "\"");
	}
	drop_to(filter, end + quoted);
}

/* ------------------------------------------------------------------ */
/* Tags                                                                 */

/* Return whether a word of a tag ends here: at a blank, = or the tag's end. */
static bool
ends_word(const char *text)
{
	return strchr(BLANKS "=<", *text) || ends_tag(text);
}

static size_t
word_length(const char *word)
{
	size_t length = 0;

	while (!ends_word(word + length))
		length++;
	return length;
}

static bool
is_same_word(const char *a, const char *b)
{
	while (!ends_word(a) && *a == *b) {
		a++;
		b++;
	}
	return ends_word(a) && ends_word(b);
}

static void
warn_of_word(const struct filter *filter, const char *word, const char *cause)
{
	size_t length = word_length(word);

	log_write(filter->log, DRMPERF_LOG_WARNING,
		  "%s:%d: \"%.*s\" %s; left out", filter->path, filter->line,
		  length < 40 ? (int)length : 40, word, cause);
}

/* Return the attribute that a word names, if it has not been put; or NULL. */
static const char *
find_attribute(const char *word, unsigned *put)
{
	static const char *const known[] = { "name", "block", "event",
					     "expr", "descr", "base" };

	for (unsigned i = 0; i < ARRAY_SIZE(known); i++) {
		if (is_same_word(word, known[i]) && !(*put & 1u << i)) {
			*put |= 1u << i;
			return known[i];
		}
	}
	return NULL;
}

/* Filter the attributes of a tag, of which the first of a name counts. */
static void
filter_attributes(struct filter *filter)
{
	unsigned put = 0;
	int line = filter->line;

	for (drop_blanks(filter); !ends_tag(filter->at); drop_blanks(filter)) {
		const char *word = filter->at, *end = word + word_length(word);
		const char *next = end + strspn(end, BLANKS);

		if (*word == '#') {
			drop_line(filter);
		} else if (end == word) {
			filter->line = line;
			filter_stop(filter, "a tag has no end");
			return;
		} else if (*next == '=') {
			drop_to(filter, next + 1);
			drop_blanks(filter);
			put_attribute(filter, find_attribute(word, &put));
		} else {
			warn_of_word(filter, word, "is not an attribute");
			drop_to(filter, end);
		}
	}
}

/* Put the beginning of a tag; what a name in XML cannot have becomes "_". */
static void
put_tag(struct filter *filter, const char *begin, const char *name)
{
	filter_put(filter, begin);
	for (const char *at = name; !ends_word(at); at++) {
		bool legal = *at & 0x80 || isalpha(*at) || strchr("_:", *at) ||
			     (at > name && (isdigit(*at) || strchr("-.", *at)));

		*filter->xml++ = legal ? *at : '_';
	}
}

static void
close_innermost(struct filter *filter)
{
	put_tag(filter, "</", filter->open[--filter->depth]);
	filter_put(filter, ">");
}

static void
close_leaf(struct filter *filter)
{
	if (filter->depth &&
	    is_same_word(filter->open[filter->depth - 1], LEAF))
		close_innermost(filter);
}

static void
filter_open_tag(struct filter *filter)
{
	const char *name = filter->at + 1;

	close_leaf(filter);
	put_tag(filter, "<", name);
	filter->at = name + word_length(name);
	filter_attributes(filter);
	filter_put(filter, *filter->at == '/' ? "/" : "");
	if (*filter->at == '>' && filter->depth == MAX_DEPTH)
		filter_stop(filter, "elements are nested too deeply");
	else if (*filter->at == '>')
		filter->open[filter->depth++] = name;
	drop_past(filter, ">");
	filter_put(filter, ">");
}

/*
 * Filter the end of an element. One without a beginning, such as files of ROCm
 * have, is dropped.
 */
static void
filter_close_tag(struct filter *filter)
{
	const char *name = filter->at + 2;
	unsigned depth;

	if (!is_same_word(name, LEAF))
		close_leaf(filter);
	depth = filter->depth;
	while (depth && !is_same_word(filter->open[depth - 1], name))
		depth--;
	if (!depth)
		warn_of_word(filter, name, "has an end, but no beginning");
	else if (depth < filter->depth)
		filter_stop(filter, "an element ends before one inside of it");
	else
		close_innermost(filter);
	drop_past(filter, ">");
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* Filter #include "FILE", or a comment. */
static void
filter_hash(struct filter *filter)
{
	static const char word[] = "#include";
	size_t length = at_text(filter, word) ? strlen(word) : 0;
	size_t blanks = strspn(filter->at + length, " \t");

	if (!blanks || filter->at[length + blanks] != '"') {
		drop_line(filter);
		return;
	}
	filter->at += length + blanks;
	filter_put(filter, "<include");
	put_attribute(filter, ROCM_INCLUDE);
	filter_put(filter, " />");
}

static void
filter_next(struct filter *filter)
{
	if (at_text(filter, "#"))
		filter_hash(filter);
	else if (at_text(filter, "//"))
		drop_line(filter);
	else if (at_text(filter, "/*"))
		drop_past(filter, "*/");
	else if (at_text(filter, "<!--"))
		drop_past(filter, "-->");
	else if (at_text(filter, "<?"))
		drop_past(filter, "?>");
	else if (at_text(filter, "<!"))
		filter_stop(filter, "a declaration is not allowed");
	else if (at_text(filter, "</"))
		filter_close_tag(filter);
	else if (at_text(filter, "<"))
		filter_open_tag(filter);
	else if (filter->depth)
		put_value(filter, strchrnul(filter->at, '<'));
	else
		filter_stop(filter, "there is text outside of any element");
}

static void
filter_all(struct filter *filter)
{
	if (at_text(filter, "\xef\xbb\xbf"))
		filter->at += 3; /* byte order mark */
	filter_put(filter, "<file>");
	for (drop_blanks(filter); *filter->at; drop_blanks(filter))
		filter_next(filter);
	filter_put(filter, "</file>");
}

int
rocm_xml_parse(const char *path, const char *text, size_t length,
	       const struct log_sink *log, struct table **out,
	       struct drmperf_error *error)
{
	/* "&" becomes "&#38;", "<a>" becomes "<a></a>": five for one suffice */
	char *xml = malloc(5 * length + sizeof("<file></file>"));
	struct filter filter = {
		.path = path,
		.at = text,
		.line = 1,
		.xml = xml,
		.log = log,
		.error = error,
	};

	if (!xml)
		return error_set(error, -ENOMEM, "no memory for %s", path);
	if (strlen(text) < length)
		filter_stop(&filter, "a file with zero bytes is no text");
	filter_all(&filter);
	if (filter.depth) {
		const char *name = filter.open[filter.depth - 1];

		filter.line = 1 + xml_count_lines(text, (size_t)(name - text));
		filter_stop(&filter, "an element has no end");
	}
	if (!filter.err)
		filter.err = table_parse(path, xml, (size_t)(filter.xml - xml),
					 out, error);
	free(xml);
	return filter.err;
}
