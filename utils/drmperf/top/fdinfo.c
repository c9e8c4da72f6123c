/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/fdinfo.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/drm_files.h"

/* Return the text behind a prefix, or NULL. */
static const char *
text_after_prefix(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) ? NULL : text + length;
}

/* Return the use of engines of this name, which may be its first mention. */
static struct top_use *
use_of(struct top_fdinfo *info, const char *name)
{
	struct top_use *use = info->uses;

	for (size_t i = 0; i < info->use_count; i++, use++) {
		if (!strcmp(use->name, name))
			return use;
	}
	if (info->use_count == TOP_ENGINES || strlen(name) >= sizeof(use->name))
		return NULL;
	info->use_count++;
	strcpy(use->name, name);
	return use;
}

/* Keys that have an engine's name behind them; the longer ones first. */
static const struct engine_key {
	const char *prefix;
	size_t offset;
} engine_keys[] = {
	{ "engine-capacity-", offsetof(struct top_use, capacity) },
	{ "engine-", offsetof(struct top_use, used_ns) },
	{ "total-cycles-", offsetof(struct top_use, total_cycles) },
	{ "cycles-", offsetof(struct top_use, cycles) },
};

static void
take_use(struct top_fdinfo *info, const char *key, const char *value)
{
	size_t count = sizeof(engine_keys) / sizeof(engine_keys[0]);
	struct top_use *use;
	const char *name;

	for (size_t i = 0; i < count; i++) {
		name = text_after_prefix(key, engine_keys[i].prefix);
		if (!name)
			continue;
		use = use_of(info, name);
		if (use)
			*(uint64_t *)((char *)use + engine_keys[i].offset) =
				drm_amount(value);
		return;
	}
}

static void
fdinfo_take(struct top_fdinfo *info, const char *key, const char *value)
{
	if (!strcmp(key, "client-id")) {
		info->id = drm_amount(value);
		info->has_id = isdigit((unsigned char)*value);
	} else if (!strcmp(key, "pdev")) {
		snprintf(info->address, sizeof(info->address), "%s", value);
	} else if (text_after_prefix(key, "resident-")) {
		info->resident_bytes += drm_amount(value);
	} else if (text_after_prefix(key, "memory-")) {
		info->memory_bytes += drm_amount(value);
	} else {
		take_use(info, key, value);
	}
}

bool
top_fdinfo_read(const char *text, struct top_fdinfo *out)
{
	struct drm_line line;

	memset(out, 0, sizeof(*out));
	while (drm_line_next(&text, &line))
		fdinfo_take(out, line.key, line.value);
	return out->has_id && out->address[0];
}

/* Return the increase of a counter; 0 if it went back. */
static double
time_gain(uint64_t now, uint64_t before)
{
	return now > before ? (double)(now - before) : 0;
}

double
top_use_share(const struct top_use *now, const struct top_use *before,
	      double passed_ns)
{
	double capacity = now->capacity ? (double)now->capacity : 1;
	double used = time_gain(now->used_ns, before->used_ns),
	       whole = passed_ns;
	double share;

	if (now->total_cycles) {
		used = time_gain(now->cycles, before->cycles);
		whole = time_gain(now->total_cycles, before->total_cycles);
	}
	share = whole > 0 ? used / whole / capacity : 0;
	return share > 1 ? 1 : share;
}
