/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/fdinfo/text.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

static const char drm[] = "drm-";

/*
 * The first that fits counts. "engine-capacity" is a constant, "total-cycles"
 * runs on for the device whether or not there is a client to tell it: it has no
 * base to count from.
 */
static const struct fdinfo_kind kinds[] = {
	{ .prefix = "engine-capacity-" },
	{ "engine-", FDINFO_GROWS, DRMPERF_UNIT_NANOSECONDS,
	  DRMPERF_KIND_CUMULATIVE, "Time the engine ",
	  " was busy with work of this process." },
	{ .prefix = "total-cycles-" },
	{ "cycles-", FDINFO_GROWS, DRMPERF_UNIT_CYCLES, DRMPERF_KIND_CUMULATIVE,
	  "Cycles the engine ", " was busy with work of this process." },
	{ "maxfreq-", FDINFO_MOST, DRMPERF_UNIT_HERTZ, DRMPERF_KIND_MOMENTARY,
	  "Highest frequency of the engine ", "." },
	{ "memory-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Memory in ", " that buffers of this process take up now." },
	{ "total-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Size of this process's buffers that may be in ", "." },
	{ "shared-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Size of this process's buffers in ", " that others share." },
	{ "resident-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Size of this process's buffers in ", " that have memory now." },
	{ "purgeable-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Size of this process's buffers in ", " that the kernel may drop." },
	{ "active-", FDINFO_SUM, DRMPERF_UNIT_BYTES, DRMPERF_KIND_MOMENTARY,
	  "Size of this process's buffers in ", " that an engine uses now." },
};

const struct fdinfo_kind *
fdinfo_kind_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)))
			return kinds[i].before ? &kinds[i] : NULL;
	}
	return NULL;
}

const char *
fdinfo_key_describe(const struct fdinfo_key *key, struct arena *arena)
{
	return arena_printf(arena, "%s%s%s", key->kind->before,
			    key->name + strlen(key->kind->prefix),
			    key->kind->after);
}

/* ------------------------------------------------------------------ */
/* Keys                                                                 */

static bool
is_name(const char *name, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	return length < sizeof(((struct fdinfo_key *)NULL)->name) &&
	       strspn(name, letters) >= length;
}

/* Return the key with this name, looked for from a likely place on. */
static size_t
fdinfo_keys_find_from(const struct fdinfo_keys *keys, const char *name,
		      size_t length, size_t from)
{
	for (size_t i = 0; i < keys->count; i++) {
		size_t at = (from + i) % keys->count;

		if (keys->list[at].length == length &&
		    !memcmp(keys->list[at].name, name, length))
			return at;
	}
	return keys->count;
}

static int
fdinfo_keys_append(struct fdinfo_keys *keys, const char *name, size_t length)
{
	const struct fdinfo_kind *kind = fdinfo_kind_find(name);
	struct fdinfo_key *key = &keys->list[keys->count];

	if (!kind || length <= strlen(kind->prefix) || !is_name(name, length) ||
	    fdinfo_keys_find_from(keys, name, length, 0) < keys->count)
		return 0;
	if (keys->count == FDINFO_MOST_KEYS)
		return -ENOSPC;
	memcpy(key->name, name, length);
	key->name[length] = '\0';
	key->length = length;
	key->kind = kind;
	keys->count++;
	return 0;
}

int
fdinfo_keys_add(struct fdinfo_keys *keys, const char *name)
{
	return fdinfo_keys_append(keys, name, strlen(name));
}

/* ------------------------------------------------------------------ */
/* Lines                                                                */

struct line {
	const char *name; /* without "drm-" */
	size_t length;
	const char *value; /* ends with the line */
};

/* Take the next line that is DRM's; false at the end. */
static bool
next_line(const char **text, struct line *out)
{
	const char *at = *text, *end;

	for (; *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, '\n');
		if (strncmp(at, drm, strlen(drm)))
			continue;
		out->name = at + strlen(drm);
		out->length = strcspn(out->name, ":\n");
		if (out->name[out->length] != ':')
			continue;
		out->value = out->name + out->length + 1;
		out->value += strspn(out->value, " \t");
		*text = *end ? end + 1 : end;
		return true;
	}
	return false;
}

int
fdinfo_keys_add_all(struct fdinfo_keys *keys, const char *text)
{
	struct line line;
	int ret = 0;

	while (!ret && next_line(&text, &line))
		ret = fdinfo_keys_append(keys, line.name, line.length);
	return ret;
}

/*
 * Return the factor of a unit; "ns" and nothing at all leave the number as it
 * is.
 */
static uint64_t
unit_factor(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {
		{ "\n", 1 },	       { "ns\n", 1 },
		{ "KiB\n", 1u << 10 }, { "MiB\n", 1u << 20 },
		{ "GiB\n", 1u << 30 }, { "Hz\n", 1 },
		{ "KHz\n", 1000 },     { "MHz\n", 1000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strncmp(unit, units[i].name, strlen(units[i].name)))
			return units[i].factor;
	}
	return 0;
}

static int
read_number(const char *text, uint64_t *out)
{
	uint64_t value = 0, factor;
	const char *at = text;

	for (; *at >= '0' && *at <= '9'; at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'),
					   &value))
			return -EBADMSG;
	}
	if (at == text)
		return -EBADMSG;
	factor = unit_factor(at + strspn(at, " \t"));
	if (!factor || __builtin_mul_overflow(value, factor, out))
		return -EBADMSG;
	return 0;
}

static bool
is_key(const struct line *line, const char *name)
{
	return line->length == strlen(name) &&
	       !memcmp(line->name, name, line->length);
}

int
fdinfo_read(const char *text, const struct fdinfo_keys *keys,
	    struct fdinfo_client *out)
{
	struct line line;
	size_t at, next = 0;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	while (!ret && next_line(&text, &line)) {
		at = fdinfo_keys_find_from(keys, line.name, line.length, next);
		if (at < keys->count) {
			ret = read_number(line.value, &out->values[at]);
			next = at + 1;
		} else if (is_key(&line, "client-id")) {
			ret = read_number(line.value, &out->id);
			out->is_client = true;
		}
	}
	return ret;
}
