/* SPDX-License-Identifier: BSD-3-Clause */
#include "top/roles.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/array.h"

/* ---- names of engines */

/*
 * The classes in fdinfo and in the names of PMU events, by driver. [Linux 6.12
 * i915_drm_client.c uabi_class_names, intel_engine_cs.c, xe_hw_engine_types.h
 * and xe_hw_engine_class_to_str(), amdgpu_fdinfo.c amdgpu_ip_name]
 */
static const struct {
	const char *kernel, *shown;
} engine_names[] = {
	/* i915 in fdinfo */
	{ "render", "Render" },
	{ "copy", "Copy" },
	{ "video", "Video" },
	{ "video-enhance", "Enhance" },
	{ "compute", "Compute" }, /* of amdgpu, too */
	/* PMU of i915 and xe; xe in fdinfo */
	{ "rcs", "Render" },
	{ "bcs", "Copy" },
	{ "ccs", "Compute" },
	{ "vcs", "Video" },
	{ "vecs", "Enhance" },
	/* amdgpu in fdinfo */
	{ "gfx", "Graphics" },
	{ "dma", "Copy" },
	{ "dec", "Decode" },
	{ "enc", "Encode" },
	{ "enc_1", "Encode 1" },
	{ "jpeg", "JPEG" },
	{ "vpe", "Video" },
};

#define ENGINE_NAME_COUNT (sizeof(engine_names) / sizeof(engine_names[0]))

/* Return the length of what stands before the number at the end. */
static size_t
class_length(const char *name)
{
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length;
}

void
engine_name_print(const char *name, char *text, size_t size)
{
	const size_t length = class_length(name);

	for (size_t i = 0; i < ENGINE_NAME_COUNT; i++) {
		const char *kernel = engine_names[i].kernel;
		const bool is_class = strlen(kernel) == length &&
				      !strncmp(kernel, name, length);

		if (!is_class && strcmp(kernel, name) != 0)
			continue;
		snprintf(text, size, "%s%s%s", engine_names[i].shown,
			 is_class && name[length] ? " " : "",
			 is_class ? name + length : "");
		return;
	}
	snprintf(text, size, "%s", name);
}

/* ---- roles */

/*
 * GROUP.COUNTER with at most one '*', which stands for what is taken over into
 * label and limit.
 */
struct role {
	enum top_kind kind;
	const char *pattern;
	const char *label;
	const char *limit; /* or NULL */
};

static const struct role roles[] = {
	{ TOP_BUSY, "sensor.gpu-load", "gpu", NULL },
	{ TOP_BUSY, "pmu.*-busy", "*", NULL },
	{ TOP_CLOCK, "sensor.gfx-sclk", "shaders", NULL },
	{ TOP_CLOCK, "sensor.gfx-mclk", "memory", NULL },
	{ TOP_CLOCK, "sensor.act-freq*", "*", "sensor.rp0-freq*" },
	{ TOP_POWER, "sensor.gpu-avg-power", "gpu", NULL },
	{ TOP_POWER, "sensor.gpu-input-power", "input", NULL },
	{ TOP_POWER, "sensor.energy", "card", NULL },
	{ TOP_POWER, "sensor.energy-pkg", "package", NULL },
	{ TOP_TEMPERATURE, "sensor.gpu-temp", "gpu", NULL },
	{ TOP_TEMPERATURE, "sensor.temp", "gpu", NULL },
	{ TOP_TEMPERATURE, "sensor.temp-vram", "vram", NULL },
	{ TOP_MEMORY, "sensor.vram-usage", "vram", "sensor.vram-total" },
	{ TOP_MEMORY, "sensor.gtt-usage", "gtt", "sensor.gtt-total" },
	{ TOP_MEMORY, "sensor.system-usage", "system", "sensor.system-total" },
	{ TOP_SLEEP, "sensor.rc6-residency*", "*", NULL },
	{ TOP_SLEEP, "sensor.idle-residency*", "*", NULL },
};

#define ROLE_COUNT (sizeof(roles) / sizeof(roles[0]))

const char *
top_kind_name(enum top_kind kind)
{
	static const char *const names[TOP_KINDS] = {
		[TOP_BUSY] = "busy",	   [TOP_CLOCK] = "clock",
		[TOP_POWER] = "power",	   [TOP_TEMPERATURE] = "temperature",
		[TOP_MEMORY] = "memory",   [TOP_SLEEP] = "asleep",
		[TOP_COUNTER] = "counter",
	};

	return names[kind];
}

/* Match a name; star, of a label's size, gets the text that '*' matches. */
static bool
pattern_match(const char *pattern, const char *name, char star[TOP_LABEL_SIZE])
{
	size_t before = strcspn(pattern, "*"), length = strlen(name), after;

	star[0] = '\0';
	if (!pattern[before])
		return !strcmp(pattern, name);
	after = strlen(pattern + before + 1);
	if (length < before + after || strncmp(pattern, name, before) ||
	    strcmp(pattern + before + 1, name + length - after))
		return false;
	snprintf(star, TOP_LABEL_SIZE, "%.*s", (int)(length - before - after),
		 name + before);
	return true;
}

/* Write a text with the star filled in. */
static void
pattern_fill(const char *pattern, const char *star, char *out, size_t size)
{
	size_t before = strcspn(pattern, "*");

	snprintf(out, size, "%.*s%s%s", (int)before, pattern,
		 pattern[before] ? star : "",
		 pattern[before] ? pattern + before + 1 : "");
}

static bool
find_limit(struct drmperf *drmperf, const struct drmperf_event *event,
	   const char *name, struct drmperf_selection *out)
{
	const struct drmperf_device *device = drmperf_event_device(event);
	char full[256];

	snprintf(full, sizeof(full), "%s::%s:device=%u",
		 drmperf_device_driver(device), name,
		 drmperf_device_index(device));
	return !drmperf_event_find(drmperf, full, out, NULL);
}

/* Name a row; one of several has a number: "-gt1". */
static void
name_row(const struct role *role, const char *star, struct top_row *row)
{
	char engine[TOP_LABEL_SIZE] = "";

	if (*star == '-')
		star++;
	if (role->kind == TOP_BUSY) {
		engine_name_print(star, engine, sizeof(engine));
		star = engine;
	}
	pattern_fill(role->label, *star ? star : "gt", row->label,
		     sizeof(row->label));
}

static void
role_describe(struct drmperf *drmperf, const struct drmperf_event *event,
	      const struct role *role, const char *star, struct top_row *row)
{
	char limit[TOP_LABEL_SIZE];

	memset(row, 0, sizeof(*row));
	row->kind = role->kind;
	name_row(role, star, row);
	row->selections[0] =
		(struct drmperf_selection){ .event = event,
					    .instance = DRMPERF_ALL_INSTANCES };
	if (!role->limit)
		return;
	pattern_fill(role->limit, star, limit, sizeof(limit));
	row->has_limit = find_limit(drmperf, event, limit, &row->selections[1]);
}

/* Add the events of a group that have this role. Returns 0 or -ENOMEM. */
static int
add_rows(struct drmperf *drmperf, const struct drmperf_group *group,
	 struct drmperf_device *device, const struct role *role,
	 struct top_row **rows, size_t *count)
{
	size_t first = drmperf_group_first_event(group);
	size_t events = drmperf_group_event_count(group);
	char star[TOP_LABEL_SIZE];

	for (size_t i = 0; i < events; i++) {
		const struct drmperf_event *event =
			drmperf_event_at(device, first + i);
		const char *name = strstr(drmperf_event_name(event), "::") + 2;
		struct top_row *row;

		if (!pattern_match(role->pattern, name, star))
			continue;
		row = array_add(rows, count, sizeof(*row));
		if (!row)
			return -ENOMEM;
		role_describe(drmperf, event, role, star, row);
	}
	return 0;
}

static bool
is_group_of(const struct role *role, const struct drmperf_group *group)
{
	size_t length = strcspn(role->pattern, ".");
	const char *name = drmperf_group_name(group);

	return strlen(name) == length && !strncmp(role->pattern, name, length);
}

/*
 * Open the sources when none of them moves any more. One that cannot be opened
 * says so.
 */
static void
open_sources(struct drmperf *drmperf, struct top_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		top_source_open(drmperf, rows[i].selections,
				rows[i].has_limit ? 2 : 1, &rows[i].own,
				&rows[i].own.problem);
}

int
top_roles_find(struct drmperf *drmperf, struct drmperf_device *device,
	       struct top_row **rows, size_t *count)
{
	const struct drmperf_group *group;
	int ret = 0;

	for (const struct role *role = roles; role < roles + ROLE_COUNT;
	     role++) {
		for (size_t i = 0;
		     !ret && (group = drmperf_group_at(device, i)); i++) {
			if (is_group_of(role, group))
				ret = add_rows(drmperf, group, device, role,
					       rows, count);
		}
	}
	if (!ret)
		open_sources(drmperf, *rows, *count);
	return ret;
}
