/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of text files and of single lines; see the end of sim.h. */
#ifndef DRMSIM_TEXT_H
#define DRMSIM_TEXT_H

#include "machine/sim.h"

/*
 * Read a file. A line "include NAME" is replaced by the lines of that file of
 * the same folder; of lines with the same key the first one is found, so what
 * stands above an include goes before what it brings. *out is released with
 * sim_text_free(). Returns 0, -errno of reading, or -EINVAL with the line's
 * number in *line (0 otherwise).
 */
int sim_text_read(const char *path, struct sim_text **out, unsigned *line);
void sim_text_free(struct sim_text *text);

/* The words of a line, as they stand in *buffer, which is cut up. */
#define SIM_WORDS_MAX 32
struct sim_words {
	const char *word[SIM_WORDS_MAX];
	size_t count;
};
/* 0; -E2BIG for too many words; -EINVAL for an open quotation. */
int sim_words_cut(char *buffer, struct sim_words *out);

/* "key=value": the value, or NULL if the word does not begin with key and =. */
const char *sim_word_value(const char *word, const char *key);

/* 1 for on, yes, true, 1; 0 for off, no, false, 0; or -EINVAL. */
int sim_parse_bool(const char *word);

#endif /* DRMSIM_TEXT_H */
