/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/oa_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "driver/i915/permission.h"
#include "driver/i915/uapi.h"
#include "driver/oa/mux_list.h"

#define GUID_LENGTH 36

/*
 * Bits that the kernel takes out of what it loads (i915_perf.c): the sampler's
 * power optimisation and the exit wait of RC6 stay the kernel's business.
 */
static const struct {
	uint32_t address, mask;
} kept_by_kernel[] = {
	{ 0xe180, 0x20002000 },
	{ 0x20cc, 0x00010001 },
};

/* ------------------------------------------------------------------ */
/* Register lists                                                       */

static int
append(struct i915_registers *list, size_t *capacity, uint32_t address,
       uint32_t value)
{
	if (list->count == *capacity) {
		size_t grown = *capacity ? 2 * *capacity : 64;
		uint32_t *pairs =
			realloc(list->pairs, grown * 2 * sizeof(*pairs));

		if (!pairs)
			return -ENOMEM;
		list->pairs = pairs;
		*capacity = grown;
	}
	list->pairs[2 * list->count] = address;
	list->pairs[2 * list->count + 1] = value;
	list->count++;
	return 0;
}

/* "9840: 80 9888: 166c01e0 12170280" */
static int
read_list(const char *text, struct i915_registers *list, size_t *capacity)
{
	bool addressed = false;
	uint32_t address = 0;

	while (*text) {
		char *end;
		unsigned long number = strtoul(text, &end, 16);

		if (end == text || number > UINT32_MAX)
			return -EBADMSG;
		if (*end == ':') {
			address = (uint32_t)number;
			addressed = true;
			end++;
		} else if (!addressed ||
			   append(list, capacity, address, (uint32_t)number)) {
			return addressed ? -ENOMEM : -EBADMSG;
		}
		text = end + strspn(end, " ");
	}
	return 0;
}

static struct i915_registers *
list_of(struct i915_config *config, const char *name, size_t *index)
{
	static const char *const names[] = { "mux", "boolean", "flex" };
	struct i915_registers *const lists[] = { &config->mux, &config->boolean,
						 &config->flex };

	for (*index = 0; *index < 3; ++*index) {
		if (!strcmp(names[*index], name))
			return lists[*index];
	}
	return NULL;
}

/* Lists are being read; what is common to all of them. */
struct list_reader {
	const struct constants *constants;
	const struct table *table;
	const struct element *set;
	struct arena *arena;
	struct i915_config *config;
	struct drmperf_error *error;
	size_t capacity[3];
};

static int
read_element(struct list_reader *reader, const struct element *element)
{
	size_t index;
	struct i915_registers *list =
		list_of(reader->config, element->name, &index);
	int ret =
		list ? read_list(element->text, list, &reader->capacity[index])
		     : -EBADMSG;

	if (ret == -ENOMEM)
		return error_set(reader->error, ret, "no memory");
	if (ret)
		return element_error(reader->table, element, reader->error,
				     "is not a list of registers");
	return 0;
}

/* Those that are chosen; a set that has some, but none for this GPU, is not. */
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
read_others(struct list_reader *reader)
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
		    struct i915_config *out, struct drmperf_error *error)
{
	struct i915_config config = { 0 };
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
		ret = read_others(&reader);
	arena_destroy(reader.arena);
	if (ret)
		i915_config_free(&config);
	else
		*out = config;
	return ret;
}

/* ------------------------------------------------------------------ */
/* What the kernel has                                                  */

/* METRICS/GUID/id; -ENOENT. */
static int
read_id(const char *metrics, const char *guid, uint64_t *id)
{
	char path[512];
	FILE *file;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/%s/id", metrics, guid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%" SCNu64, id) != 1)
		ret = -EIO;
	fclose(file);
	return ret;
}

static uint32_t
visible_value(uint32_t address, uint32_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept_by_kernel); i++) {
		if (address == kept_by_kernel[i].address)
			value &= ~kept_by_kernel[i].mask;
	}
	return value;
}

static bool
same_list(const struct i915_registers *a, const struct i915_registers *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < 2 * a->count; i += 2) {
		if (a->pairs[i] != b->pairs[i] ||
		    visible_value(a->pairs[i], a->pairs[i + 1]) !=
			    visible_value(b->pairs[i], b->pairs[i + 1]))
			return false;
	}
	return true;
}

/*
 * A GUID does not prove what is behind it: tables have changed registers and
 * kept the GUID. Kernels that cannot tell are trusted.
 */
static bool
is_ours(int fd, const char *guid, const struct i915_config *config)
{
	struct i915_config loaded;
	bool same;

	if (i915_config_read(fd, guid, &loaded) < 0)
		return true;
	same = same_list(&loaded.mux, &config->mux) &&
	       same_list(&loaded.boolean, &config->boolean) &&
	       same_list(&loaded.flex, &config->flex);
	i915_config_free(&loaded);
	return same;
}

static uint64_t
hash_list(uint64_t hash, const struct i915_registers *list)
{
	for (size_t i = 0; i < 2 * list->count; i++)
		hash = (hash ^ list->pairs[i]) * UINT64_C(1099511628211);
	return (hash ^ list->count) * UINT64_C(1099511628211);
}

/* A GUID of our own that says what the registers are. */
static void
own_guid(const struct i915_config *config, char guid[GUID_LENGTH + 1])
{
	uint64_t a = UINT64_C(14695981039346656037), b;

	a = hash_list(a, &config->mux);
	a = hash_list(a, &config->boolean);
	b = hash_list(a, &config->flex);
	snprintf(guid, GUID_LENGTH + 1, "%08x-%04x-8%03x-8%03x-%012" PRIx64,
		 (uint32_t)(a >> 32), (uint32_t)(a >> 16 & 0xffff),
		 (uint32_t)(a & 0xfff), (uint32_t)(b >> 52),
		 b & UINT64_C(0xffffffffffff));
}

/* ------------------------------------------------------------------ */
/* Loading                                                              */

static int
explain_refusal(int ret, const struct element *set, const char *guid,
		struct drmperf_error *error)
{
	const char *name = element_attribute(set, "name");
	char what[128];

	switch (ret) {
	case -EACCES:
		snprintf(what, sizeof(what), "to load metric set %s (%s)", name,
			 guid);
		return permission_explain(error, what);
	case -EINVAL:
		error_set(error, -ENOTSUP,
			  "the kernel does not accept the registers of metric "
			  "set %s",
			  name);
		error_remedy(error, "the event table is newer than the "
				    "kernel: update the kernel, or use "
				    "another metric set");
		return -ENOTSUP;
	case -UAPI_ENOTSUPP:
	case -ENODEV:
		return error_set(error, -ENOTSUP,
				 "the kernel has no OA support for this GPU");
	default:
		return error_set(error, ret, "cannot load metric set %s: %s",
				 name, strerror(-ret));
	}
}

static int
load(const struct oa_config_place *place, const char *guid,
     const struct i915_config *config, const struct element *set, uint64_t *id,
     struct drmperf_error *error)
{
	int ret = i915_config_add(place->fd, guid, config);

	if (ret > 0) {
		*id = (uint64_t)ret;
		return 0;
	}
	/* Somebody was faster. */
	if (ret == -EADDRINUSE)
		ret = read_id(place->metrics, guid, id);
	else if (!ret)
		ret = -EPROTO;
	return ret ? explain_refusal(ret, set, guid, error) : 0;
}

static int
find_or_load(const struct oa_config_place *place, const char *guid,
	     const struct i915_config *config, const struct element *set,
	     uint64_t *id, struct drmperf_error *error)
{
	char own[GUID_LENGTH + 1];

	if (read_id(place->metrics, guid, id))
		return load(place, guid, config, set, id, error);
	if (is_ours(place->fd, guid, config))
		return 0;
	own_guid(config, own);
	if (!read_id(place->metrics, own, id))
		return 0;
	return load(place, own, config, set, id, error);
}

int
oa_config_find(const struct oa_config_place *place, const struct table *table,
	       const struct element *set, uint64_t *id,
	       struct drmperf_error *error)
{
	struct i915_config config;
	const char *guid;
	int ret;

	ret = element_text(table, set, "guid", &guid, error);
	if (ret)
		return ret;
	if (strlen(guid) != GUID_LENGTH)
		return element_error(table, set, error,
				     "has a guid that is none: %s", guid);
	ret = oa_config_registers(place->constants, table, set, &config, error);
	if (ret)
		return ret;
	ret = find_or_load(place, guid, &config, set, id, error);
	i915_config_free(&config);
	return ret;
}
