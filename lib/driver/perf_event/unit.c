/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/pmu.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

/*
 * Spellings found in Linux: drivers/gpu/drm/i915/i915_pmu.c ("M" is for its
 * frequencies, megahertz times seconds), xe/xe_pmu.c, arch/x86/events.
 */
static const struct pmu_unit {
	const char *text;
	enum drmperf_unit unit;
	const char *factor; /* of ours in one of theirs; "" for 1 */
} units[] = {
	{ "ns", DRMPERF_UNIT_NANOSECONDS, "" },
	{ "us", DRMPERF_UNIT_MICROSECONDS, "" },
	{ "ms", DRMPERF_UNIT_MICROSECONDS, "1000" },
	{ "M", DRMPERF_UNIT_CYCLES, "1000000" },
	{ "MHz", DRMPERF_UNIT_MEGAHERTZ, "" },
	{ "Joules", DRMPERF_UNIT_JOULES, "" },
	{ "Bytes", DRMPERF_UNIT_BYTES, "" },
	{ "bytes", DRMPERF_UNIT_BYTES, "" },
	{ "KiB", DRMPERF_UNIT_KIBIBYTES, "" },
	{ "MiB", DRMPERF_UNIT_KIBIBYTES, "1024" },
	{ "ticks", DRMPERF_UNIT_CYCLES, "" },
	{ "", DRMPERF_UNIT_EVENTS, "" },
};

static const struct pmu_unit *
find_unit(const char *text)
{
	static const struct pmu_unit unknown = { "", DRMPERF_UNIT_NONE, "" };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(units[i].text, text))
			return &units[i];
	}
	return &unknown;
}

/*
 * Return whether a scale is a whole number, unlike "2.5" or "1e-9": a whole
 * number scales to a whole number.
 */
static bool
is_whole(const char *scale)
{
	return !scale[strspn(scale, "0123456789")];
}

/* Add the hidden counter that the metric scales. */
static int
add_raw(struct description *description, const struct description_event *record)
{
	struct description_event raw = *record;

	raw.name = arena_printf(description->arena, "raw-%s", record->name);
	raw.unit = DRMPERF_UNIT_NONE;
	raw.hidden = true;
	return raw.name ? description_add_event(description, &raw) : -ENOMEM;
}

int
pmu_event_describe(const struct pmu_event *event,
		   const struct description_event *record,
		   struct description *description)
{
	const struct pmu_unit *unit = find_unit(event->unit);
	struct description_event whole = *record;
	int ret;

	whole.unit = unit->unit;
	whole.slots = SLOTS_ANY;
	whole.type = DRMPERF_TYPE_UINT64;
	if (unit->unit == DRMPERF_UNIT_NONE)
		whole.description = arena_printf(
			description->arena, "%s In units of \"%s\".",
			record->description, event->unit);
	if (!whole.description)
		return -ENOMEM;
	if (!*event->scale && !*unit->factor)
		return description_add_event(description, &whole);
	ret = add_raw(description, &whole);
	if (ret)
		return ret;
	if (!is_whole(event->scale))
		whole.type = DRMPERF_TYPE_DOUBLE;
	whole.expression = arena_printf(description->arena, "'raw-%s'%s%s%s%s",
					record->name, *event->scale ? "*" : "",
					event->scale, *unit->factor ? "*" : "",
					unit->factor);
	whole.language = EXPRESSION_INFIX;
	whole.file = "the kernel's PMU";
	return whole.expression ? description_add_event(description, &whole)
				: -ENOMEM;
}
