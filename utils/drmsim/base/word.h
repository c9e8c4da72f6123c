/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of descriptions, scenarios and commands, and their values. */
#ifndef DRMSIM_BASE_WORD_H
#define DRMSIM_BASE_WORD_H

#include <stddef.h>
#include <stdint.h>

/* The words of a line, as they stand in *buffer, which is cut up. */
#define SIM_WORDS_MAX 32
struct sim_words {
	const char *word[SIM_WORDS_MAX];
	size_t count;
};
/*
 * Cut a line into words. '#' begins a comment; "quoted words" may hold blanks.
 * 0; -E2BIG for too many words; -EINVAL for an open quotation.
 */
int sim_words_cut(char *buffer, struct sim_words *out);

/*
 * Return the value of "key=value", or NULL if the word does not begin with key
 * and =.
 */
const char *sim_word_value(const char *word, const char *key);

/* Return the index of the word among the names, or -EINVAL. */
int sim_word_find(const char *word, const char *const *names, size_t count);

/* Return 1 for on, yes, true, 1; 0 for off, no, false, 0; or -EINVAL. */
int sim_word_bool(const char *word);
/*
 * Read a number from a word, all of which has to be the number. Returns 0 or
 * -EINVAL.
 */
int sim_word_u64(const char *word, uint64_t *out);
/* Read a time, "1500us", "2.5ms", "10s", "40" (ns), as ns. */
int sim_word_time(const char *word, uint64_t *out);
/*
 * Read "12.5", at most six decimals, as millionths; "10k", "3M", "1G" are
 * allowed.
 */
int sim_word_micro(const char *word, uint64_t *out);

#endif /* DRMSIM_BASE_WORD_H */
