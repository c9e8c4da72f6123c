/* SPDX-License-Identifier: BSD-3-Clause */
#include "table_list.h"

#include <errno.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A list being cut. */
struct cutter {
	struct arena *arena;
	struct table_list *list;
	char *at, *end;
	int line;
	const char *cause; /* of -EBADMSG */
};

static int
bad(struct cutter *cutter, const char *cause)
{
	cutter->cause = cause;
	return -EBADMSG;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int
read_head(struct cutter *cutter, const struct element *element)
{
	struct table_list *list = cutter->list;
	const char *columns = element_attribute(element, "columns");
	char *at;

	list->of = element_attribute(element, "of");
	if (!list->of || !columns)
		return bad(cutter,
			   "a list needs the attributes of and columns");
	at = arena_strndup(cutter->arena, columns, strlen(columns));
	if (!at)
		return -ENOMEM;
	while (*(at += strspn(at, " "))) {
		if (list->column_count == TABLE_LIST_COLUMNS)
			return bad(cutter, "a list has no more than 8 columns");
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

/*
 * Blanks for comments and what stands between lines; stops where a line says
 * something, or at the end.
 */
static int
skip_comments(struct cutter *cutter)
{
	for (; cutter->at < cutter->end; cutter->at++) {
		if (*cutter->at == '\n') {
			cutter->line++;
		} else if (*cutter->at == '<') {
			char *end = strstr(cutter->at, "-->");

			if (strncmp(cutter->at, "<!--", 4) || !end)
				return bad(cutter, "a list has lines, no "
						   "elements");
			for (; cutter->at < end + 3; cutter->at++) {
				cutter->line += *cutter->at == '\n';
				if (*cutter->at != '\n')
					*cutter->at = ' ';
			}
			cutter->at--;
		} else if (!is_space(*cutter->at)) {
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
replace_references(struct cutter *cutter, char *end)
{
	char *to = cutter->at;

	while (cutter->at < end) {
		const char *behind = cutter->at + 1;
		char c = *cutter->at;

		if (c == '&')
			behind = table_list_reference(cutter->at, &c);
		if (!behind)
			return bad(cutter, "a line of a list has no markup");
		*to++ = c;
		cutter->at += behind - cutter->at;
	}
	memset(to, ' ', (size_t)(end - to));
	return 0;
}

static int
clean_line(struct cutter *cutter)
{
	size_t length = (size_t)(cutter->end - cutter->at);
	char *end = memchr(cutter->at, '\n', length), *reference;

	if (!end)
		end = cutter->end;
	length = (size_t)(end - cutter->at);
	if (memchr(cutter->at, '<', length))
		return bad(cutter, "a line of a list has no markup");
	reference = memchr(cutter->at, '&', length);
	cutter->at = reference ? reference : end;
	return replace_references(cutter, end);
}

static int
remove_markup(struct cutter *cutter)
{
	char *begin = cutter->at;
	int line = cutter->line, err = 0;

	while (!err && cutter->at < cutter->end) {
		err = skip_comments(cutter);
		if (!err)
			err = clean_line(cutter);
	}
	if (err)
		return err;
	cutter->at = begin;
	cutter->line = line;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Lines                                                                */

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

static void
cut_lines(struct cutter *cutter)
{
	char *newline;

	while ((newline = memchr(cutter->at, '\n',
				 (size_t)(cutter->end - cutter->at)))) {
		end_line(cutter->at, newline);
		cutter->at = newline + 1;
		cutter->list->newlines++;
	}
	/* of an empty list, nothing stands there that may be overwritten */
	if (cutter->at < cutter->end)
		end_line(cutter->at, cutter->end);
}

int
table_list_cut(struct arena *arena, const struct element *element, char *text,
	       size_t length, int line, const struct table_list **out,
	       struct table_list_fault *fault)
{
	struct cutter cutter = {
		.arena = arena,
		.list = arena_alloc(arena, sizeof(*cutter.list)),
		.at = text,
		.end = text + length,
		.line = line,
	};
	int err = -ENOMEM;

	if (cutter.list)
		err = read_head(&cutter, element);
	if (!err && (memchr(text, '<', length) || memchr(text, '&', length)))
		err = remove_markup(&cutter);
	fault->cause = cutter.cause;
	fault->line = cutter.line;
	if (err)
		return err;
	cut_lines(&cutter);
	cutter.list->text = text;
	cutter.list->end = cutter.end;
	cutter.list->line = line;
	*out = cutter.list;
	return 0;
}
