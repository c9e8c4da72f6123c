/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compile EVENTS/DRIVER/NAME.xml FILE: writes a table as table/compiled.h wants
 * it. Runs when drmperf is built, and is not installed.
 */
#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/compiled.h"
#include "table/list.h"
#include "table/table.h"

/* The parts of a file, each in memory. */
struct output {
	FILE *tree, *texts;
	char *tree_bytes, *text_bytes;
	size_t tree_size, text_size;
};

static void
write_word(FILE *file, size_t value)
{
	uint32_t word = htole32((uint32_t)value);

	fwrite(&word, sizeof(word), 1, file);
}

static void
write_bytes(struct output *output, const char *bytes, size_t length)
{
	write_word(output->tree, (size_t)ftell(output->texts));
	fwrite(bytes, 1, length, output->texts);
	fputc('\0', output->texts);
}

static void
write_text(struct output *output, const char *text)
{
	write_bytes(output, text, strlen(text));
}

static void
write_list(struct output *output, const struct table_list *list)
{
	size_t length = (size_t)(list->end - list->text);

	write_word(output->tree, COMPILED_LIST);
	write_bytes(output, list->text, length);
	write_word(output->tree, length);
	write_word(output->tree, (size_t)list->line);
	write_word(output->tree, (size_t)list->lines);
}

static void
write_element(struct output *output, const struct element *element)
{
	const struct element *child;
	size_t count = 0;

	write_text(output, element->name);
	write_text(output, element->text);
	write_word(output->tree, (size_t)element->line);
	write_word(output->tree, element->attribute_count);
	for (size_t i = 0; i < element->attribute_count; i++) {
		write_text(output, element->attributes[i].name);
		write_text(output, element->attributes[i].value);
	}
	if (element->list) {
		write_list(output, element->list);
		return;
	}
	for (child = element->child; child; child = child->next)
		count++;
	write_word(output->tree, count);
	for (child = element->child; child; child = child->next)
		write_element(output, child);
}

/* Write both parts. False without memory. */
static bool
fill_output(struct output *output, const struct table *table)
{
	output->tree = open_memstream(&output->tree_bytes, &output->tree_size);
	output->texts = open_memstream(&output->text_bytes, &output->text_size);
	if (!output->tree || !output->texts)
		return false;
	write_element(output, table->root);
	for (size_t i = 0; i < TABLE_LIST_SLACK; i++)
		fputc('\0', output->texts);
	return !fclose(output->tree) && !fclose(output->texts);
}

static bool
write_file(const struct output *output, size_t source_size, const char *path)
{
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file)
		return false;
	write_word(file, COMPILED_MAGIC);
	write_word(file, COMPILED_VERSION);
	write_word(file, source_size);
	write_word(file, output->tree_size / sizeof(uint32_t));
	fwrite(output->tree_bytes, 1, output->tree_size, file);
	fwrite(output->text_bytes, 1, output->text_size, file);
	failed = ferror(file);
	return !fclose(file) && !failed;
}

/* Write a new file, and put it into the place of the one that may be there. */
static bool
replace_file(const struct output *output, size_t source_size, const char *path)
{
	char *draft;
	bool done;

	if (asprintf(&draft, "%s.new", path) < 0)
		return false;
	done = write_file(output, source_size, draft) && !rename(draft, path);
	free(draft);
	return done;
}

static int
compile_table(const char *source, const char *path)
{
	struct drmperf_error error;
	struct output output = { 0 };
	struct table *table;
	size_t size;
	char *text;

	if (table_load(source, &text, &size, &error) ||
	    table_parse(source, text, size, &table, &error)) {
		fprintf(stderr, "compile: %s\n", error.cause);
		return EXIT_FAILURE;
	}
	if (!fill_output(&output, table) ||
	    !replace_file(&output, size, path)) {
		fprintf(stderr, "compile: cannot write %s\n", path);
		return EXIT_FAILURE;
	}
	free(output.tree_bytes);
	free(output.text_bytes);
	table_destroy(table);
	free(text);
	return EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
	if (argc == 3)
		return compile_table(argv[1], argv[2]);
	fprintf(stderr, "Usage: compile EVENTS/DRIVER/NAME.xml FILE\n");
	return EXIT_FAILURE;
}
