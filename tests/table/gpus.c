/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/table/gpus.h"

#include <stdlib.h>
#include <string.h>

#include "driver/i915/oa_config.h"
#include "driver/intel/oa/metric_set.h"
#include "driver/intel/oa/raw_counters.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static const struct log_sink nowhere = { .log = NULL };

/* Fail the test: what cannot be had is an error of the test. */
static void
must_succeed(int err)
{
	if (err)
		abort();
}

/* Create a description with a domain, as a driver begins it. */
static void
begin_description(struct description *description, const char *name,
		  const char *generation, const char *target)
{
	const struct description_domain domain = {
		.name = name,
		.exclusive = !strcmp(name, "oa"),
	};

	must_succeed(description_init(description));
	description->chip = "A GPU";
	description->generation = generation;
	description->target = target;
	must_succeed(description_add_domain(description, &domain, NULL));
	must_succeed(description_add_constant(description, "SE_NUM", 4));
}

/* Takes over the description. */
static struct catalog *
end_description(int err, struct description *description, const char *driver)
{
	struct drmperf_error error;
	struct catalog *catalog;

	if (!err && !catalog_create(description, driver, NULL, &nowhere,
				    &catalog, &error))
		return catalog;
	description_finish(description);
	return NULL;
}

struct catalog *
table_gpu_amdgpu(const struct user_tables *tables)
{
	static const struct description_group groups[] = {
		{ .name = "SQ", .instances = 4, .instances_per_engine = 1 },
		{ .name = "metric", .instances = 1, .instances_per_engine = 1 },
	};
	static const struct description_event events[] = {
		{ .name = "WAVES", .selector = 4 },
		{ .name = "ACCUM_PREV", .selector = 1, .follows = true },
		{ .group = 1, .name = "Mine", .expression = "SQ.WAVES" },
	};
	struct description description;
	struct drmperf_error error;

	begin_description(&description, "gfx", "gfx9", "gfx900");
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		must_succeed(
			description_add_group(&description, &groups[i], NULL));
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		must_succeed(description_add_event(&description, &events[i]));
	return end_description(user_tables_apply(tables, "amdgpu", &description,
						 &nowhere, &error),
			       &description, "amdgpu");
}

static void
read_registers(const struct metric_sets *sets,
	       const struct constants *constants)
{
	struct oa_config config;
	struct drmperf_error error;

	for (size_t i = 0; i < sets->count; i++) {
		const struct metric_set *set = &sets->sets[i];

		if (set->registers &&
		    !oa_config_registers(constants, set->table, set->registers,
					 &config, &error))
			oa_config_free(&config);
	}
}

struct catalog *
table_gpu_i915(const struct user_tables *tables)
{
	struct description_constant list[] = {
		{ "SliceMask", 1 }, { "GpuTimestampFrequency", 12000000 }
	};
	const struct constants constants = { list, ARRAY_SIZE(list), NULL };
	struct platform platform = { .name = "sklgt2", .generation = OA_GEN9 };
	struct metric_sets sets = { .log = &nowhere };
	struct description description;
	struct drmperf_error error;
	int err;

	platform.format = oa_format_find(10, OA_GEN9);
	begin_description(&description, "oa", "sklgt2", "sklgt2");
	err = raw_counters_add(&description, platform.generation,
			       sets.domains[OA_UNIT_RENDER], &sets.raw_group);
	for (size_t i = 0; i < tables->count && !err; i++) {
		if (table_is_for(tables->tables[i], "i915", "sklgt2", "sklgt2"))
			err = metric_sets_read(&sets, tables->tables[i],
					       &platform, &constants,
					       &description, &error);
	}
	read_registers(&sets, &constants);
	metric_sets_finish(&sets);
	return end_description(err, &description, "i915");
}
