/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/compiled.h"

#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "table/list.h"

#define MAX_DEPTH 32

/* What is left to be read of a mapped file. */
struct compiled_reader {
	struct arena *arena;
	const uint32_t *at, *end; /* words of the tree */
	const char *texts;
	uint32_t size; /* of the texts */
	bool failed; /* damaged, or there is no memory */
};

static uint32_t
take_word(struct compiled_reader *reader)
{
	if (reader->at < reader->end)
		return le32toh(*reader->at++);
	reader->failed = true;
	return 0;
}

/* Return a text, which ends with the file at the latest. */
static const char *
take_text(struct compiled_reader *reader)
{
	uint32_t offset = take_word(reader);

	if (offset < reader->size)
		return reader->texts + offset;
	reader->failed = true;
	return "";
}

static void *
take_room(struct compiled_reader *reader, size_t size)
{
	void *room = arena_alloc(reader->arena, size);

	if (!room)
		reader->failed = true;
	return room;
}

static void
read_attributes(struct compiled_reader *reader, struct element *element)
{
	size_t count = take_word(reader);
	struct element_attribute *attributes;

	if (count > (size_t)(reader->end - reader->at) / 2)
		reader->failed = true;
	if (!count || reader->failed)
		return;
	attributes = take_room(reader, count * sizeof(*attributes));
	for (size_t i = 0; attributes && i < count; i++) {
		attributes[i].name = take_text(reader);
		attributes[i].value = take_text(reader);
	}
	element->attributes = attributes;
	element->attribute_count = attributes ? count : 0;
}

static void
read_list(struct compiled_reader *reader, struct element *element)
{
	const char *text = take_text(reader), *cause;
	size_t rest = reader->size - (size_t)(text - reader->texts);
	uint32_t length = take_word(reader), line = take_word(reader),
		 lines = take_word(reader);
	struct table_list *list;

	/* each line ends with a byte of its own */
	if (reader->failed || rest < TABLE_LIST_SLACK ||
	    length > rest - TABLE_LIST_SLACK || lines > length ||
	    (uint64_t)line + length > INT_MAX ||
	    table_list_begin(reader->arena, element, &list, &cause)) {
		reader->failed = true;
		return;
	}
	list->text = text;
	list->end = text + length;
	list->line = (int)line;
	list->lines = (int)lines;
	element->list = list;
}

static struct element *
read_element(struct compiled_reader *reader, unsigned depth)
{
	struct element *element = take_room(reader, sizeof(*element)), **place;
	uint32_t children;

	if (!element || depth == MAX_DEPTH) {
		reader->failed = true;
		return NULL;
	}
	element->name = take_text(reader);
	element->text = take_text(reader);
	element->line = (int)take_word(reader);
	read_attributes(reader, element);
	children = take_word(reader);
	if (children == COMPILED_LIST) {
		read_list(reader, element);
		return element;
	}
	place = &element->child;
	for (uint32_t i = 0; i < children && !reader->failed; i++) {
		*place = read_element(reader, depth + 1);
		if (*place)
			place = &(*place)->next;
	}
	return element;
}

/* Return whether all words are there and the texts end as they should. */
static bool
check_header(const uint32_t *words, size_t size, const struct stat *source)
{
	static const char zeroes[TABLE_LIST_SLACK];
	size_t head = COMPILED_HEADER_WORDS * sizeof(*words), tree;

	if (size < head + sizeof(zeroes) || size > UINT32_MAX ||
	    le32toh(words[COMPILED_WORD_MAGIC]) != COMPILED_MAGIC ||
	    le32toh(words[COMPILED_WORD_VERSION]) != COMPILED_VERSION ||
	    le32toh(words[COMPILED_WORD_SOURCE]) != source->st_size)
		return false;
	tree = le32toh(words[COMPILED_WORD_TREE]);
	return tree <= (size - head - sizeof(zeroes)) / sizeof(*words) &&
	       !memcmp((const char *)words + size - sizeof(zeroes), zeroes,
		       sizeof(zeroes));
}

static bool
read_tree(struct table *table)
{
	const uint32_t *words = table->mapping;
	const uint32_t *tree = words + COMPILED_HEADER_WORDS;
	struct compiled_reader reader = {
		.arena = table->arena,
		.at = tree,
		.end = tree + le32toh(words[COMPILED_WORD_TREE]),
	};

	reader.texts = (const char *)reader.end;
	reader.size = (uint32_t)((const char *)words + table->mapping_size -
				 reader.texts);
	table->root = read_element(&reader, 0);
	return !reader.failed && reader.at == reader.end;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* Return the name of the file; NULL if there can be none, or no memory. */
static char *
name_file(const char *path)
{
	const char *name = strrchr(path, '/'), *folder = name;
	const char *dot = strrchr(path, '.');
	char *file;

	if (!name || dot < name || strcmp(dot, ".xml") != 0)
		return NULL;
	while (folder > path && folder[-1] != '/')
		folder--;
	if (folder == path || asprintf(&file, "%.*s.compiled/%.*s.table",
				       (int)(folder - 1 - path), path,
				       (int)(dot - folder), folder) < 0)
		return NULL;
	return file;
}

/* Return whether a file of this state stands for the XML file. */
static bool
is_valid(const struct stat *file, const struct stat *source)
{
	const struct timespec *a = &file->st_mtim, *b = &source->st_mtim;
	bool is_older = a->tv_sec == b->tv_sec ? a->tv_nsec < b->tv_nsec
					       : a->tv_sec < b->tv_sec;

	return S_ISREG(file->st_mode) && !is_older &&
	       (!file->st_uid || file->st_uid == source->st_uid);
}

static const void *
map_file(const char *path, const struct stat *source, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	void *words = MAP_FAILED;
	struct stat file;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &file) && is_valid(&file, source)) {
		*size = (size_t)file.st_size;
		words = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (words == MAP_FAILED)
		return NULL;
	if (check_header(words, *size, source))
		return words;
	munmap(words, *size);
	return NULL;
}

/* Make the table of a mapping, which it takes over. */
static struct table *
create_table(const char *path, const void *words, size_t size)
{
	struct table *table = table_create(path);

	if (!table) {
		munmap((void *)words, size);
		return NULL;
	}
	table->mapping = words;
	table->mapping_size = size;
	if (read_tree(table))
		return table;
	table_destroy(table);
	return NULL;
}

bool
compiled_map(const char *path, struct table **out)
{
	struct table *table = NULL;
	char *file = name_file(path);
	const void *words = NULL;
	struct stat source;
	size_t size;

	if (file && !stat(path, &source))
		words = map_file(file, &source, &size);
	free(file);
	if (words)
		table = create_table(path, words, size);
	if (table)
		*out = table;
	return table;
}
