/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/xe/table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const uint32_t flex[] = { 0xe458, 0xe558, 0xe658, 0xe758,
				 0xe45c, 0xe55c, 0xe65c };

char *
xe_table_read(const char *file_name)
{
	const char *top = getenv("TOP_DIR");
	char path[4096];
	char *text;
	FILE *file;
	long size;

	snprintf(path, sizeof(path), "%s/events/xe/%s", top ? top : ".",
		 file_name);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = malloc((size_t)size + 1);
	ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
	text[size] = '\0';
	fclose(file);
	return text;
}

static void
add_pair(struct list *list, uint32_t address, uint32_t value)
{
	ck_assert_uint_lt(list->count, PAIRS_MAX);
	list->pairs[list->count][0] = address;
	list->pairs[list->count++][1] = value;
}

/* Read "13000: 1801 13004: 0 1": an address holds until the next one. */
static void
read_lists(const char *text, const char *end, struct list *list)
{
	uint32_t address = 0;

	while (text < end) {
		char *behind;
		uint32_t number;

		if (*text == '<') {
			text = strchr(text, '>') + 1;
			continue;
		}
		if (isspace((unsigned char)*text)) {
			text++;
			continue;
		}
		number = (uint32_t)strtoul(text, &behind, 16);
		ck_assert_ptr_ne(behind, text);
		if (*behind == ':')
			address = number;
		else
			add_pair(list, address, number);
		text = behind + (*behind == ':');
	}
}

static bool
writes_register(const struct list *list, uint32_t address)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->pairs[i][0] == address)
			return true;
	}
	return false;
}

bool
xe_set_has_shaders(const char *set)
{
	return strncmp(set, "MediaSet", 8) != 0 && strcmp(set, "MertExtSet");
}

void
xe_table_registers(const char *table, const char *set, struct list *list)
{
	char name[128];
	const char *at;

	snprintf(name, sizeof(name), "<set name=\"%s\" ", set);
	at = strstr(table, name);
	ck_assert_msg(at != NULL, "%s is not in the table", set);
	list->count = 0;
	read_lists(strchr(at, '>') + 1, strstr(at, "</set>"), list);
	ck_assert_uint_gt(list->count, 0);
	for (size_t i = 0; i < ARRAY_SIZE(flex); i++) {
		if (xe_set_has_shaders(set) && !writes_register(list, flex[i]))
			add_pair(list, flex[i], 0);
	}
}

/* Return what is behind PREFIX + NAME + SUFFIX, between two places. */
static const char *
find_behind(const char *from, const char *to, const char *prefix,
	    const char *name, const char *suffix)
{
	char text[160];
	const char *at;

	snprintf(text, sizeof(text), "%s%s%s", prefix, name, suffix);
	at = strstr(from, text);
	return at && at < to ? at + strlen(text) : NULL;
}

/* Find the set in "PEC22;", or "PEC3 if GtXeCore0;". */
static char *
of_set(const char *at)
{
	size_t length = strcspn(at, ";");
	const char *condition = strstr(at, " if ");

	if (condition && condition < at + length)
		length = (size_t)(condition - at);
	return strndup(at, length);
}

/*
 * Find what is of all sets in "events PEC33: ...", or "percent "PEC32 * 100 /
 * GpuCoreClocks" ...".
 */
static char *
of_all(const char *at)
{
	at = strchr(at, ' ');
	ck_assert_ptr_nonnull(at);
	if (at[1] == '"')
		return strndup(at + 2, strcspn(at + 2, "\""));
	return strndup(at + 1, strcspn(at + 1, " :"));
}

char *
xe_table_expression(const char *table, const char *set, const char *counter)
{
	const char *sets = strstr(table, "<list of=\"set\"");
	const char *row =
		find_behind(sets, sets + strlen(sets), "\n", set, " \"");
	const char *at;

	ck_assert_msg(row != NULL, "%s", set);
	at = find_behind(row, row + strcspn(row, "\n"), " ", counter, " = ");
	if (at)
		return of_set(at);
	at = find_behind(table, sets, "\n", counter, " ");
	ck_assert_msg(at != NULL, "%s.%s", set, counter);
	return of_all(at);
}
