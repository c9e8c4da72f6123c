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

/* Replace line at by the lines of a file in this file's folder. */
static int
text_include(struct text_memory *memory, size_t at, unsigned depth)
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
				    ? text_include(memory, i, depth)
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
	if (!sim_word_u64(line->words[index], &value) && value <= max)
		return value;
	*line->is_bad = true;
	return otherwise;
}

int
sim_line_number(const struct sim_line *line, size_t index, uint64_t *out)
{
	if (index >= line->count)
		return -EINVAL;
	return sim_word_u64(line->words[index], out);
}

void
sim_line_complain(const struct sim_line *line)
{
	fprintf(stderr, "drmsim: %s:%u: bad '%s'\n", line->path, line->number,
		line->words[0]);
}

struct sim_words
sim_line_rest(const struct sim_line *line)
{
	struct sim_words words = { .count = line->count - 1 };

	memcpy(words.word, line->words + 1,
	       words.count * sizeof(words.word[0]));
	return words;
}

void
sim_line_join(const struct sim_line *line, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 1; i < line->count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
					 i > 1 ? " " : "", line->words[i]);
}
