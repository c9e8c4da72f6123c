/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in other people's dialects, as rubbish, without what is made of them:
 * the first byte chooses ROC profiler's reader, the one for Intel's OA files,
 * or the filter in front of the former. Tables that come out are as our own
 * have to be, and XML without the peculiarities of ROC profiler's is the same
 * tree with and without the filter.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"
#include "driver/description.h"
#include "table/foreign/rocm.h"
#include "table/foreign/readers.h"
#include "table/table.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct log_sink nowhere = { .log = NULL };

/* ------------------------------------------------------------------ */
/* Tables                                                               */

#define MOST_TABLES 256

static struct table *tables[MOST_TABLES];
static size_t table_count;

static int
keep_table(void *data, struct table *table, struct drmperf_error *error)
{
	(void)data;
	if (table_count == MOST_TABLES) {
		table_destroy(table);
		return error_set(error, -1, "enough");
	}
	tables[table_count++] = table;
	return 0;
}

/* Walk all texts, which are there and can be read to their end. */
static size_t
walk_texts(const struct element *element, unsigned depth)
{
	size_t bytes = 0;

	assert(depth <= 32);
	for (; element; element = element->next) {
		bytes += strlen(element->name) + strlen(element->text);
		assert(element->line > 0);
		for (size_t i = 0; i < element->attribute_count; i++)
			bytes += strlen(element->attributes[i].name) +
				 strlen(element->attributes[i].value);
		bytes += walk_texts(element->child, depth + 1);
	}
	return bytes;
}

static void
check_metric(const struct element *element)
{
	enum drmperf_unit unit;
	enum drmperf_type type;
	enum drmperf_kind kind;

	assert(element_attribute(element, "expression"));
	assert(!unit_from_name(element_attribute(element, "unit"), &unit));
	assert(!type_from_name(element_attribute(element, "type"), &type));
	assert(!kind_from_name(element_attribute(element, "kind"), &kind));
}

static void
check_rocm(const struct table *table)
{
	const struct element *element = table->root->child;

	for (; element; element = element->next) {
		assert(name_syntax_is_legal(
			element_attribute(element, "name")));
		if (!strcmp(element->name, "metric"))
			check_metric(element);
		else if (!strcmp(element->name, "counter"))
			assert(element_attribute(element, "block") &&
			       element_attribute(element, "id"));
		else
			assert(!strcmp(element->name, "special"));
	}
}

static void
check_oa(const struct table *table)
{
	const struct element *set = table->root->child, *element;

	for (; set; set = set->next) {
		assert(!strcmp(set->name, "set"));
		assert(name_syntax_is_legal(element_attribute(set, "name")));
		for (element = set->child; element; element = element->next)
			if (!strcmp(element->name, "counter"))
				check_metric(element);
			else
				assert(!strcmp(element->name, "mux") ||
				       !strcmp(element->name, "boolean") ||
				       !strcmp(element->name, "flex"));
	}
}

static void
check_tables(void (*check)(const struct table *table), const char *driver)
{
	for (size_t i = 0; i < table_count; i++) {
		walk_texts(tables[i]->root, 0);
		if (strcmp(tables[i]->root->name, "events"))
			continue; /* holds what the others are made of */
		assert(table_is_foreign(tables[i]));
		table_is_for(tables[i], driver, "gfx9", "gfx900");
		check(tables[i]);
	}
}

static void
forget_tables(void)
{
	while (table_count)
		table_destroy(tables[--table_count]);
}

static void
read_rocm(const char *text, size_t length)
{
	struct drmperf_error error;

	if (!rocm_read("/nowhere/f.xml", text, length, &nowhere, keep_table,
		       NULL, &error))
		check_tables(check_rocm, "amdgpu");
	else
		assert(*error.cause);
	forget_tables();
}

static void
read_oa(const char *text, size_t length)
{
	struct drmperf_error error;

	if (!oa_xml_read("f.xml", text, length, &nowhere, keep_table, NULL,
			 &error))
		check_tables(check_oa, "i915");
	else
		assert(*error.cause);
	forget_tables();
}

/* ------------------------------------------------------------------ */
/* The filter                                                           */

/*
 * Check elements, but not the blanks in their texts, nor that they have all
 * attributes: the filter drops some.
 */
static void
must_be_same(const struct element *filtered, const struct element *plain)
{
	for (; filtered && plain;
	     filtered = filtered->next, plain = plain->next) {
		assert(!strcmp(filtered->name, plain->name));
		assert(filtered->line == plain->line);
		for (size_t i = 0; i < filtered->attribute_count; i++) {
			const struct element_attribute *attribute =
				&filtered->attributes[i];

			assert(!strcmp(
				attribute->value,
				element_attribute(plain, attribute->name)));
		}
		must_be_same(filtered->child, plain->child);
	}
	assert(!filtered && !plain);
}

/*
 * Return whether a text has comments of other kinds, what only one of them
 * takes for an end of a line, references, of which only some are known, a
 * metric, which ends with the next tag, or a list.
 */
static bool
is_peculiar(const char *text, size_t length)
{
	return strlen(text) != length || strpbrk(text, "#\\&!?\r") ||
	       strstr(text, "//") || strstr(text, "/*") ||
	       strstr(text, "metric") || strstr(text, "list");
}

static void
read_filtered(const char *text, size_t length)
{
	struct table *filtered, *plain;
	struct drmperf_error error;
	int err = rocm_xml_parse("f.xml", text, length, &nowhere, &filtered,
				 &error);

	if (err)
		assert(*error.cause);
	else
		walk_texts(filtered->root, 0);
	if (!is_peculiar(text, length) &&
	    !table_parse("f.xml", text, length, &plain, &error)) {
		/* limits of its own, and text behind the root */
		if (!err)
			must_be_same(filtered->root->child, plain->root);
		table_destroy(plain);
	}
	if (!err)
		table_destroy(filtered);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(
		const char *, size_t) = { read_rocm, read_oa, read_filtered };
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	readers[data[0] % 3](text, size - 1);
	free(text);
	return 0;
}
