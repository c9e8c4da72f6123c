/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/eu_stall_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/word.h"

#define WEIGHT_MAX 1000000
#define TEXT_MAX 256

/* Parse a word "KEY=NUMBER" behind the address. */
static int
parse_word(struct sim_eu_stall_weighed *out, const char *word)
{
	const char *equals = strchr(word, '=');
	char key[16];
	uint64_t number;
	int reason;

	if (!equals || sim_word_u64(equals + 1, &number) ||
	    (size_t)(equals - word) >= sizeof(key))
		return -EINVAL;
	snprintf(key, sizeof(key), "%.*s", (int)(equals - word), word);
	if (strcmp(key, "cores") == 0) {
		out->cores = number;
		return 0;
	}
	if (strcmp(key, "weight") == 0) {
		out->weight = number;
		return number && number <= WEIGHT_MAX ? 0 : -EINVAL;
	}
	if (number > UINT8_MAX)
		return -EINVAL;
	if (strcmp(key, "ex_id") == 0) {
		out->row.ex_id = (uint8_t)number;
		return 0;
	}
	reason = sim_eu_stall_reason_parse(key);
	if (reason < 0)
		return -EINVAL;
	out->row.counts[reason] = (uint8_t)number;
	return 0;
}

int
sim_eu_stall_rows_parse(struct sim_eu_stall_rows *rows, unsigned version,
			const char *value)
{
	struct sim_eu_stall_weighed row = { .cores = UINT64_MAX, .weight = 1 };
	struct sim_words words;
	char text[TEXT_MAX];

	if (snprintf(text, sizeof(text), "%s", value) >= (int)sizeof(text) ||
	    sim_words_cut(text, &words) || words.count == 0)
		return -EINVAL;
	if (words.count == 1 && strcmp(words.word[0], "none") == 0) {
		rows->count = 0;
		return 0;
	}
	if (rows->count == SIM_EU_STALL_ROWS_MAX ||
	    sim_word_u64(words.word[0], &row.row.ip))
		return -EINVAL;
	for (size_t i = 1; i < words.count; i++) {
		if (parse_word(&row, words.word[i]))
			return -EINVAL;
	}
	if (sim_eu_stall_row_check(&row.row, version))
		return -EINVAL;
	rows->rows[rows->count++] = row;
	return 0;
}

static bool
is_of_core(const struct sim_eu_stall_weighed *row, unsigned core)
{
	return core >= 64 || (row->cores >> core & 1);
}

const struct sim_eu_stall_row *
sim_eu_stall_rows_get(const struct sim_eu_stall_rows *rows, unsigned core,
		      uint64_t n)
{
	uint64_t weight = 0;

	for (unsigned i = 0; i < rows->count; i++) {
		if (is_of_core(&rows->rows[i], core))
			weight += rows->rows[i].weight;
	}
	if (weight == 0)
		return NULL;
	n %= weight;
	for (unsigned i = 0; i < rows->count; i++) {
		if (!is_of_core(&rows->rows[i], core))
			continue;
		if (n < rows->rows[i].weight)
			return &rows->rows[i].row;
		n -= rows->rows[i].weight;
	}
	return NULL;
}
