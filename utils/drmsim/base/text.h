/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files: descriptions of GPUs, and scenarios. */
#ifndef DRMSIM_BASE_TEXT_H
#define DRMSIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/word.h"

struct sim_line {
	const char *const *words;
	size_t count; /* at least 1 */
	const char *path; /* of its file */
	unsigned number;
	bool *is_read, *is_bad;
};

struct sim_text {
	const char *path;
	const struct sim_line *lines;
	size_t count;
};

/*
 * Read a file. A line "include NAME" is replaced by the lines of that file of
 * the same folder; of lines with the same key the first one is found, so what
 * stands above an include goes before what it brings. *out is released with
 * sim_text_free(). Returns 0, -errno of reading, or -EINVAL with the line's
 * number in *line (0 otherwise).
 */
int sim_text_read(const char *path, struct sim_text **out, unsigned *line);
void sim_text_free(struct sim_text *text);

/*
 * Return the first line that begins with key, or NULL. All lines that begin so
 * count as read; a caller that goes through them marks those it knows.
 */
const struct sim_line *sim_text_find(const struct sim_text *text,
				     const char *key);
/*
 * Return word `index` of line `key` as a number (0x allowed) of at most max, or
 * the default if there is no such word. A word that is none marks its line as
 * bad.
 */
uint64_t sim_text_number(const struct sim_text *text, const char *key,
			 size_t index, uint64_t max, uint64_t otherwise);

/* Return the first line never read, whose key is unknown; or NULL. */
const struct sim_line *sim_text_unread(const struct sim_text *text);
/* Return the first line that is marked as bad, or NULL. */
const struct sim_line *sim_text_bad(const struct sim_text *text);

/*
 * Read word `index` as a number. Returns 0, or -EINVAL if it is none or not
 * there.
 */
int sim_line_number(const struct sim_line *line, size_t index, uint64_t *out);
/* Write the words behind the key in one, with blanks between them. */
void
sim_line_join(const struct sim_line *line, char *out, size_t size);
/* Print to standard error that a line is malformed. */
void sim_line_complain(const struct sim_line *line);
/* Return the words behind the key, at most SIM_WORDS_MAX. */
struct sim_words sim_line_rest(const struct sim_line *line);

#endif /* DRMSIM_BASE_TEXT_H */
