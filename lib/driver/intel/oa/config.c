/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

/* ------------------------------------------------------------------ */
/* The choice of lists for the multiplexers                             */

/* Where a list stands among the others of its set. */
struct rank {
	uint64_t id, priority;
};

static int
read_rank(const struct table *table, const struct element *list,
	  struct rank *out, struct drmperf_error *error)
{
	int ret = element_uint_or(table, list, "id", UINT32_MAX, 0, &out->id,
				  error);

	if (!ret)
		ret = element_uint_or(table, list, "priority", UINT32_MAX, 0,
				      &out->priority, error);
	return ret;
}

static bool
is_before(const struct rank *a, const struct rank *b)
{
	return a->id < b->id || (a->id == b->id && a->priority < b->priority);
}

int
mux_list_next(const struct constants *constants, const struct table *table,
	      const struct element *set, const struct element *list,
	      struct arena *arena, const struct element **out,
	      struct drmperf_error *error)
{
	const struct element *element = element_named(set->child, "mux");
	const struct element *best = NULL;
	struct rank last = { 0 }, rank, best_rank = { 0 };
	int ret = list ? read_rank(table, list, &last, error) : 0;
	bool holds;

	for (; element && !ret; element = element_named(element->next, "mux")) {
		ret = read_rank(table, element, &rank, error);
		if (ret || (list && rank.id <= last.id) ||
		    (best && !is_before(&rank, &best_rank)))
			continue;
		ret = condition_is_true(constants, table, element,
					element_attribute(element, "if"), arena,
					&holds, error);
		if (ret || !holds)
			continue;
		best = element;
		best_rank = rank;
	}
	if (!ret)
		*out = best;
	return ret;
}

/* ------------------------------------------------------------------ */
/* Reading the registers                                                */

static int
oa_registers_append(struct oa_registers *list, uint32_t address, uint32_t value)
{
	uint32_t *pairs =
		array_grow(list->pairs, list->count, 2 * sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	list->pairs = pairs;
	pairs[2 * list->count] = address;
	pairs[2 * list->count + 1] = value;
	list->count++;
	return 0;
}

/*
 * Read hexadecimal digits; all of a start's registers come this way. Returns
 * where they end, or NULL if there are none or they exceed 32 bits.
 */
static const char *
read_hex(const char *text, uint32_t *out)
{
	static const uint8_t above[UINT8_MAX + 1] = {
		['0'] = 1,  2,	3,	    4,	5,  6,	7,  8,
		9,	    10, ['A'] = 11, 12, 13, 14, 15, 16,
		['a'] = 11, 12, 13,	    14, 15, 16,
	};
	uint64_t number = 0;
	const char *at = text;
	uint8_t digit; /* and one: 0 is none */

	while ((digit = above[(unsigned char)*at])) {
		number = number << 4 | (digit - 1u);
		if (number > UINT32_MAX)
			return NULL;
		at++;
	}
	*out = (uint32_t)number;
	return at == text ? NULL : at;
}

/* Read a list of registers: "9840: 80 9888: 166c01e0 12170280" */
static int
read_list(const char *text, struct oa_registers *list)
{
	bool addressed = false;
	uint32_t address = 0, number;

	while (*text) {
		text = read_hex(text, &number);
		if (!text)
			return -EBADMSG;
		if (*text == ':') {
			address = number;
			addressed = true;
			text++;
		} else if (!addressed ||
			   oa_registers_append(list, address, number)) {
			return addressed ? -ENOMEM : -EBADMSG;
		}
		while (*text == ' ')
			text++;
	}
	return 0;
}

static struct oa_registers *
list_of(struct oa_config *config, const char *name)
{
	static const char *const names[] = { "mux", "boolean", "flex" };
	struct oa_registers *const lists[] = { &config->mux, &config->boolean,
					       &config->flex };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i], name))
			return lists[i];
	}
	return NULL;
}

/* State of reading the lists of a set. */
struct list_reader {
	const struct constants *constants;
	const struct table *table;
	const struct element *set;
	struct arena *arena;
	struct oa_config *config;
	struct drmperf_error *error;
};

static int
read_element(struct list_reader *reader, const struct element *element)
{
	struct oa_registers *list = list_of(reader->config, element->name);
	int ret = list ? read_list(element->text, list) : -EBADMSG;

	if (ret == -ENOMEM)
		return error_set(reader->error, ret, "no memory");
	if (ret)
		return element_error(reader->table, element, reader->error,
				     "is not a list of registers");
	return 0;
}

/* Read the <mux> lists for this GPU; -ENOTSUP if all are for others. */
static int
read_mux(struct list_reader *reader)
{
	const struct element *list = NULL;
	bool any = false;
	int ret;

	if (!element_named(reader->set->child, "mux"))
		return 0;
	for (;; any = true) {
		ret = mux_list_next(reader->constants, reader->table,
				    reader->set, list, reader->arena, &list,
				    reader->error);
		if (ret || !list)
			break;
		ret = read_element(reader, list);
		if (ret)
			break;
	}
	if (!ret && !any)
		return error_set(reader->error, -ENOTSUP,
				 "none of the register lists of metric set %s "
				 "is for this GPU",
				 element_attribute(reader->set, "name"));
	return ret;
}

static int
read_other_lists(struct list_reader *reader)
{
	const struct element *element;
	bool wanted;
	int ret = 0;

	for (element = reader->set->child; element && !ret;
	     element = element->next) {
		if (!strcmp(element->name, "counter") ||
		    !strcmp(element->name, "mux"))
			continue;
		ret = condition_is_true(reader->constants, reader->table,
					element,
					element_attribute(element, "if"),
					reader->arena, &wanted, reader->error);
		if (!ret && wanted)
			ret = read_element(reader, element);
	}
	return ret;
}

int
oa_config_registers(const struct constants *constants,
		    const struct table *table, const struct element *set,
		    struct oa_config *out, struct drmperf_error *error)
{
	struct oa_config config = { 0 };
	struct list_reader reader = {
		.constants = constants,
		.table = table,
		.set = set,
		.arena = arena_create(),
		.config = &config,
		.error = error,
	};
	int ret;

	if (!reader.arena)
		return error_set(error, -ENOMEM, "no memory");
	ret = read_mux(&reader);
	if (!ret)
		ret = read_other_lists(&reader);
	arena_destroy(reader.arena);
	if (ret)
		oa_config_free(&config);
	else
		*out = config;
	return ret;
}

void
oa_config_free(struct oa_config *config)
{
	free(config->mux.pairs);
	free(config->boolean.pairs);
	free(config->flex.pairs);
	memset(config, 0, sizeof(*config));
}

/* ------------------------------------------------------------------ */
/* Configurations and their GUIDs                                       */

/* The beginning of GUIDs of composed sets. */
static const char composed_mark[] = "c0e05e70";

static uint64_t
hash_list(uint64_t hash, const struct oa_registers *list)
{
	for (size_t i = 0; i < 2 * list->count; i++)
		hash = (hash ^ list->pairs[i]) * UINT64_C(1099511628211);
	return (hash ^ list->count) * UINT64_C(1099511628211);
}

uint64_t
oa_config_hash(const struct oa_config *config)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	hash = hash_list(hash, &config->mux);
	hash = hash_list(hash, &config->boolean);
	return hash_list(hash, &config->flex);
}

void
oa_config_guid(const struct oa_config *config, char guid[OA_GUID_SIZE])
{
	uint64_t a = UINT64_C(14695981039346656037), b;

	a = hash_list(a, &config->mux);
	a = hash_list(a, &config->boolean);
	b = hash_list(a, &config->flex);
	snprintf(guid, OA_GUID_SIZE, "%08x-%04x-8%03x-8%03x-%012" PRIx64,
		 (uint32_t)(a >> 32), (uint32_t)(a >> 16 & 0xffff),
		 (uint32_t)(a & 0xfff), (uint32_t)(b >> 52),
		 b & UINT64_C(0xffffffffffff));
}

void
oa_config_composed_guid(const struct oa_config *config, char guid[OA_GUID_SIZE])
{
	oa_config_guid(config, guid);
	memcpy(guid, composed_mark, strlen(composed_mark));
}

int
oa_config_find_composed(const char *metrics, uint64_t *id)
{
	DIR *folder = opendir(metrics);
	struct dirent *entry;
	int ret = -ENOENT;

	if (!folder)
		return ret;
	while (ret && (entry = readdir(folder))) {
		if (!strncmp(entry->d_name, composed_mark,
			     strlen(composed_mark)))
			ret = oa_config_id(metrics, entry->d_name, id);
	}
	closedir(folder);
	return ret ? -ENOENT : 0;
}

int
oa_config_id(const char *metrics, const char *guid, uint64_t *id)
{
	char file[NAME_MAX + sizeof("/id")];
	int ret;

	snprintf(file, sizeof(file), "%s/id", guid);
	ret = number_file_read(metrics, file, id);
	return ret == -ENODATA ? -EIO : ret;
}
