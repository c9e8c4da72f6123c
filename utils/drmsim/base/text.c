/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INCLUDE_DEPTH 4

/* A sim_text and the memory its words stand in. */
struct text_memory {
	struct sim_text text;
	char *path;
	char *bytes;
	struct sim_line *lines;
	const char **words;
	bool *are_read, *are_bad;
	struct sim_text *included[INCLUDE_DEPTH]; /* its lines stand in lines */
	unsigned included_count;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

int
sim_words_cut(char *p, struct sim_words *out)
{
	out->count = 0;
	for (;;) {
		while (is_blank(*p))
			p++;
		if (*p == '\0' || *p == '#')
			return 0;
		if (out->count == SIM_WORDS_MAX)
			return -E2BIG;
		if (*p == '"') {
			out->word[out->count++] = ++p;
			p = strchr(p, '"');
			if (!p)
				return -EINVAL;
		} else {
			out->word[out->count++] = p;
			while (*p != '\0' && !is_blank(*p))
				p++;
		}
		if (*p != '\0')
			*p++ = '\0';
	}
}

static int
read_bytes(const char *path, char **out)
{
	FILE *file = fopen(path, "re");
	size_t size = 0, room = 0;
	char *bytes = NULL;
	int error = 0;

	if (!file)
		return -errno;
	do {
		if (size + 1 >= room) {
			room = room ? room * 2 : 16384;
			char *more = realloc(bytes, room);
			if (!more) {
				error = -ENOMEM;
				break;
			}
			bytes = more;
		}
		size += fread(bytes + size, 1, room - size - 1, file);
	} while (!feof(file) && !ferror(file));
	if (!error && ferror(file))
		error = -EIO;
	fclose(file);
	if (error) {
		free(bytes);
		return error;
	}
	bytes[size] = '\0';
	*out = bytes;
	return 0;
}

static size_t
count_lines(const char *bytes)
{
	size_t count = 1;

	for (; *bytes; bytes++)
		count += *bytes == '\n';
	return count;
}

/* Returns 0 or -errno; *line is the line at fault. */
static int
cut_lines(struct text_memory *memory, unsigned *line)
{
	size_t all = count_lines(memory->bytes), used = 0;
	char *p = memory->bytes;

	memory->lines = calloc(all, sizeof(*memory->lines));
	memory->words = calloc(all * SIM_WORDS_MAX, sizeof(*memory->words));
	memory->are_read = calloc(all, sizeof(*memory->are_read));
	memory->are_bad = calloc(all, sizeof(*memory->are_bad));
	if (!memory->lines || !memory->words || !memory->are_read ||
	    !memory->are_bad)
		return -ENOMEM;
	for (unsigned number = 1; p; number++) {
		struct sim_words words;
		char *end = strchr(p, '\n');
		if (end)
			*end++ = '\0';
		if (sim_words_cut(p, &words)) {
			*line = number;
			return -EINVAL;
		}
		p = end;
		if (words.count == 0)
			continue;
		memcpy(memory->words + used, words.word,
		       words.count * sizeof(words.word[0]));
		memory->lines[memory->text.count] = (struct sim_line){
			.words = memory->words + used,
			.count = words.count,
			.path = memory->path,
			.number = number,
			.is_read = &memory->are_read[memory->text.count],
			.is_bad = &memory->are_bad[memory->text.count],
		};
		memory->text.count++;
		used += words.count;
	}
	memory->text.lines = memory->lines;
	return 0;
}

static int
read_text(const char *path, unsigned depth, struct sim_text **out,
	  unsigned *line);

/* Put the lines of a file beside this one in the place of line at. */
static int
include(struct text_memory *memory, size_t at, unsigned depth)
{
	struct sim_text *text = &memory->text, *included;
	const char *slash = strrchr(memory->path, '/');
	int folder = slash ? (int)(slash - memory->path) : 1;
	struct sim_line *lines;
	char path[4096];
	unsigned line;
	int error;

	if (text->lines[at].count != 2 || depth == INCLUDE_DEPTH ||
	    memory->included_count == INCLUDE_DEPTH)
		return -EINVAL;
	snprintf(path, sizeof(path), "%.*s/%s", folder,
		 slash ? memory->path : ".", text->lines[at].words[1]);
	error = read_text(path, depth + 1, &included, &line);
	if (error)
		return -EINVAL;
	memory->included[memory->included_count++] = included;
	lines = calloc(text->count + included->count, sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	memcpy(lines, text->lines, at * sizeof(*lines));
	memcpy(lines + at, included->lines, included->count * sizeof(*lines));
	memcpy(lines + at + included->count, text->lines + at + 1,
	       (text->count - at - 1) * sizeof(*lines));
	free(memory->lines);
	memory->lines = lines;
	text->lines = lines;
	text->count += included->count - 1;
	return 0;
}

static int
include_all(struct text_memory *memory, unsigned depth, unsigned *line)
{
	for (size_t i = 0; i < memory->text.count; i++) {
		const struct sim_line *at = &memory->text.lines[i];
		unsigned number = at->number;
		int error = strcmp(at->words[0], "include") == 0
				    ? include(memory, i, depth)
				    : 0;
		if (error) {
			*line = number;
			return error;
		}
	}
	return 0;
}

static int
read_text(const char *path, unsigned depth, struct sim_text **out,
	  unsigned *line)
{
	struct text_memory *memory = calloc(1, sizeof(*memory));
	int error;

	*line = 0;
	if (!memory)
		return -ENOMEM;
	memory->path = strdup(path);
	memory->text.path = memory->path;
	error = memory->path ? read_bytes(path, &memory->bytes) : -ENOMEM;
	if (!error)
		error = cut_lines(memory, line);
	if (!error)
		error = include_all(memory, depth, line);
	if (error) {
		sim_text_free(&memory->text);
		return error;
	}
	*out = &memory->text;
	return 0;
}

int
sim_text_read(const char *path, struct sim_text **out, unsigned *line)
{
	return read_text(path, 0, out, line);
}

void
sim_text_free(struct sim_text *text)
{
	struct text_memory *memory = (struct text_memory *)text;

	if (!memory)
		return;
	for (unsigned i = 0; i < memory->included_count; i++)
		sim_text_free(memory->included[i]);
	free(memory->path);
	free(memory->bytes);
	free(memory->lines);
	free(memory->words);
	free(memory->are_read);
	free(memory->are_bad);
	free(memory);
}

const struct sim_line *
sim_text_find(const struct sim_text *text, const char *key)
{
	const struct sim_line *first = NULL;

	for (size_t i = 0; i < text->count; i++) {
		const struct sim_line *line = &text->lines[i];

		if (strcmp(line->words[0], key) != 0)
			continue;
		*line->is_read = true;
		if (!first)
			first = line;
	}
	return first;
}

const struct sim_line *
sim_text_unread(const struct sim_text *text)
{
	for (size_t i = 0; i < text->count; i++)
		if (!*text->lines[i].is_read)
			return &text->lines[i];
	return NULL;
}

const struct sim_line *
sim_text_bad(const struct sim_text *text)
{
	for (size_t i = 0; i < text->count; i++)
		if (*text->lines[i].is_bad)
			return &text->lines[i];
	return NULL;
}

uint64_t
sim_text_number(const struct sim_text *text, const char *key, size_t index,
		uint64_t max, uint64_t otherwise)
{
	const struct sim_line *line = sim_text_find(text, key);
	uint64_t value;

	if (!line || index >= line->count)
		return otherwise;
	if (!sim_parse_u64(line->words[index], &value) && value <= max)
		return value;
	*line->is_bad = true;
	return otherwise;
}

const char *
sim_word_value(const char *word, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(word, key, length) != 0 || word[length] != '=')
		return NULL;
	return word + length + 1;
}

int
sim_parse_u64(const char *word, uint64_t *out)
{
	char *end;

	if (*word < '0' || *word > '9')
		return -EINVAL;
	errno = 0;
	unsigned long long value = strtoull(word, &end, 0);
	if (errno || *end)
		return -EINVAL;
	*out = value;
	return 0;
}

int
sim_parse_bool(const char *word)
{
	static const char *const words[][2] = {
		{ "0", "1" },
		{ "off", "on" },
		{ "no", "yes" },
		{ "false", "true" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (int value = 0; value < 2; value++)
			if (strcmp(word, words[i][value]) == 0)
				return value;
	return -EINVAL;
}

/* Digits with at most six decimals, in millionths; *end is what follows. */
static int
parse_decimal(const char *word, unsigned __int128 *out, const char **end)
{
	unsigned __int128 value = 0;
	unsigned decimals = 0;
	bool point = false;

	if (*word < '0' || *word > '9')
		return -EINVAL;
	for (; (*word >= '0' && *word <= '9') || (*word == '.' && !point);
	     word++) {
		if (*word == '.') {
			point = true;
			continue;
		}
		if (decimals == 6 || value > ((unsigned __int128)1 << 100))
			return -EINVAL;
		value = value * 10 + (unsigned)(*word - '0');
		decimals += point;
	}
	for (; decimals < 6; decimals++)
		value *= 10;
	*out = value;
	*end = word;
	return 0;
}

static int
parse_scaled(const char *word, const char *const *suffixes,
	     const uint64_t *factors, size_t count, uint64_t *out)
{
	unsigned __int128 value;
	const char *end;

	if (parse_decimal(word, &value, &end))
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(end, suffixes[i]) != 0)
			continue;
		if (value > ((unsigned __int128)1 << 90) / factors[i])
			return -ERANGE;
		value *= factors[i];
		if (value > UINT64_MAX)
			return -ERANGE;
		*out = (uint64_t)value;
		return 0;
	}
	return -EINVAL;
}

int
sim_parse_time(const char *word, uint64_t *out)
{
	static const char *const suffixes[] = { "", "ns", "us", "ms", "s" };
	static const uint64_t factors[] = { 1, 1, 1000, 1000000, 1000000000 };
	uint64_t micro;
	int error = parse_scaled(word, suffixes, factors, 5, &micro);

	if (error)
		return error;
	if (micro % 1000000)
		return -EINVAL;
	*out = micro / 1000000;
	return 0;
}

int
sim_parse_micro(const char *word, uint64_t *out)
{
	static const char *const suffixes[] = { "", "k", "M", "G" };
	static const uint64_t factors[] = { 1, 1000, 1000000, 1000000000 };

	return parse_scaled(word, suffixes, factors, 4, out);
}
