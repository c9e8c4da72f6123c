/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that a user names, as rubbish of any dialect: ours, ROC profiler's,
 * Intel's. Whatever comes, it is refused or read, and what was read can be
 * listed and resolved. tests/data/foreign is a corpus to begin with.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/fill.h"
#include "catalog/resolve.h"
#include "catalog/user_tables.h"
#include "driver/i915/oa_config.h"
#include "driver/oa/metric_set.h"
#include "driver/oa/raw_counters.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct log_sink nowhere = { .log = NULL };

static const struct description_group groups[] = {
	{ .name = "SQ", .instances = 4, .instances_per_engine = 1 },
	{ .name = "metric", .instances = 1, .instances_per_engine = 1 },
};

static const struct description_event events[] = {
	{ .group = 0, .name = "WAVES", .selector = 4 },
	{ .group = 0, .name = "ACCUM_PREV", .selector = 1, .follows = true },
	{ .group = 1, .name = "Mine", .expression = "SQ.WAVES" },
};

/* A description with a domain, as a driver begins it. */
static void
begin(struct description *description, const char *name,
      const char *generation, const char *target)
{
	const struct description_domain domain = {
		.name = name,
		.exclusive = !strcmp(name, "oa"),
	};

	assert(!description_init(description));
	description->chip = "A GPU";
	description->generation = generation;
	description->target = target;
	assert(!description_add_domain(description, &domain, NULL));
	assert(!description_add_constant(description, "SE_NUM", 4));
}

static void
resolve_all(struct description *description, const char *driver)
{
	const struct catalog_list *list;
	const struct catalog_value *value;
	struct drmperf_error error;
	struct catalog *catalog;

	if (catalog_create(description, driver, NULL, &nowhere, &catalog,
			   &error)) {
		description_finish(description);
		return;
	}
	list = catalog_list(catalog);
	for (size_t i = 0; list && i < list->count; i++)
		catalog_resolve(list->events[i], &value, &error);
	catalog_destroy(catalog);
}

static void
use_amdgpu(const struct user_tables *extra)
{
	struct description description;
	struct drmperf_error error;

	begin(&description, "gfx", "gfx9", "gfx900");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		assert(!description_add_group(&description, &groups[i], NULL));
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		assert(!description_add_event(&description, &events[i]));
	if (user_tables_apply(extra, "amdgpu", &description, &nowhere, &error))
		description_finish(&description);
	else
		resolve_all(&description, "amdgpu");
}

static void
read_registers(const struct metric_sets *sets,
	       const struct constants *constants)
{
	struct i915_config config;
	struct drmperf_error error;

	for (size_t i = 0; i < sets->count; i++) {
		const struct metric_set *set = &sets->sets[i];

		if (set->registers &&
		    !oa_config_registers(constants, set->table, set->registers,
					 &config, &error))
			i915_config_free(&config);
	}
}

static void
use_i915(const struct user_tables *extra)
{
	struct description_constant list[] = {
		{ "SliceMask", 1 }, { "GpuTimestampFrequency", 12000000 }
	};
	const struct constants constants = { list, 2 };
	struct platform platform = { .name = "sklgt2", .generation = OA_GEN9 };
	struct metric_sets sets = { .log = &nowhere };
	struct description description;
	struct drmperf_error error;
	int ret;

	platform.format = oa_format_find(10, OA_GEN9);
	begin(&description, "oa", "sklgt2", "sklgt2");
	ret = raw_counters_add(&description, sets.domains[OA_UNIT_RENDER],
			       &sets.raw_group);
	for (size_t i = 0; i < extra->count && !ret; i++) {
		if (table_is_for(extra->tables[i], "i915", "sklgt2", "sklgt2"))
			ret = metric_sets_read(&sets, extra->tables[i],
					       &platform, &constants,
					       &description, &error);
	}
	read_registers(&sets, &constants);
	metric_sets_finish(&sets);
	if (ret)
		description_finish(&description);
	else
		resolve_all(&description, "i915");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct user_tables extra = { 0 };
	struct drmperf_error error;
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	if (!user_tables_parse(&extra, "fuzz.xml", text, size, &nowhere,
			       &error)) {
		use_amdgpu(&extra);
		use_i915(&extra);
	}
	user_tables_finish(&extra);
	free(text);
	return 0;
}
