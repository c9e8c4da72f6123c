/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "driver/amdgpu/perfcounter/domain.h"
#include "driver/amdgpu/rocm_counters.h"
#include "driver/amdgpu/tables/block_read.h"
#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/hold.h"
#include "driver/amdgpu/metrics.h"
#include "driver/amdgpu/overrides.h"
#include "driver/amdgpu/quirks/quirks.h"
#include "driver/amdgpu/stream/stream.h"
#include "driver/amdgpu/trace/trace.h"
#include "table/rows.h"

/*
 * A description being filled: all but the events, or later the events of a
 * group.
 */
struct describer {
	const struct driver_target *target; /* NULL: later */
	struct gpu *gpu;
	struct description *description;
	/* the generation's, then the user's in our own dialect */
	const struct table **tables;
	size_t table_count;
	struct drmperf_error *error;
};

static int
no_memory(const struct describer *describer)
{
	return error_set(describer->error, -ENOMEM, "no memory");
}

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static bool
is_ours(const struct describer *describer, const struct table *table)
{
	const struct chip *chip = &describer->gpu->chip;

	return table_is_for(table, "amdgpu", chip->generation, chip->target);
}

static int
list_tables(struct describer *describer)
{
	const struct driver_target *target = describer->target;
	const struct gpu *gpu = describer->gpu;

	describer->tables = calloc(target->user_table_count + 1,
				   sizeof(*describer->tables));
	if (!describer->tables)
		return no_memory(describer);
	describer->tables[describer->table_count++] = gpu->table;
	for (size_t i = 0; i < target->user_table_count; i++) {
		if (is_ours(describer, target->user_tables[i]) &&
		    !table_is_foreign(target->user_tables[i]))
			describer->tables[describer->table_count++] =
				target->user_tables[i];
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Blocks                                                               */

/*
 * Return whose work a block counts. If the SQ is made to count all waves, it
 * sees the whole device. No document says whether texture units and caches
 * behind it then do, too: they may miss other queues' compute work.
 */
static enum drmperf_scope
block_scope(const struct gpu *gpu, const struct block *block)
{
	const struct core_control *control =
		&gpu->core.controls[CORE_SQ_PERFCOUNTER_CTRL2];

	if (block->stage_masked && gpu->core.force_en &&
	    control->reg.byte && control->value & 1)
		return DRMPERF_SCOPE_DEVICE;
	return block->windowed || block->stage_masked ? DRMPERF_SCOPE_QUEUE
						      : DRMPERF_SCOPE_DEVICE;
}

/*
 * Return the largest number of an event of a block, of which the table says how
 * many there are; 0 without that.
 */
static uint32_t
block_max_id(const struct block *block)
{
	uint64_t count;

	if (element_uint(block->table, block->element, "event-count",
			 UINT32_MAX, &count, NULL))
		return 0;
	return count ? (uint32_t)count - 1 : 0;
}

static int
describe_id(void *device, group_index group, struct description_event *event,
	    struct drmperf_error *error)
{
	const struct gpu *gpu = device;
	const struct block *block = &gpu->core.blocks[group - gpu->first_group];
	const uint64_t slots = block_slots_for(block, event->selector);

	if (!slots || event->selector > block_max_id(block))
		return error_set(error, -ERANGE,
				 "%s has no event %u: %u is "
				 "its last",
				 block->name, event->selector,
				 block_max_id(block));
	event->slots = slots == block_all_slots(block) ? SLOTS_ANY : slots;
	if (block->windowed || block->stage_masked)
		event->setting = core_stages(&gpu->core);
	return 0;
}

static uint64_t
block_stages(const struct gpu *gpu, const struct block *block)
{
	return block->windowed || block->stage_masked
		       ? core_stages(&gpu->core) & DRMPERF_STAGE_ALL
		       : 0;
}

static struct description_group
block_group(const struct gpu *gpu, const struct block *block)
{
	return (struct description_group){
		.name = block->name,
		.description = block->description,
		.max_active = block->max_active,
		.instances = block->instance_count,
		.instances_per_engine = block->instances_per_engine,
		.instance_names = block->instance_names,
		.scope = block_scope(gpu, block),
		.has_ids = true,
		.max_id = block_max_id(block),
		.describe_id = describe_id,
		.stages = block_stages(gpu, block),
	};
}

/* ------------------------------------------------------------------ */
/* Events                                                               */

/* The attributes of an <event>; NULL for those that are absent. */
enum event_word {
	WORD_ID,
	WORD_NAME,
	WORD_UNIT,
	WORD_SLOTS,
	WORD_FOLLOWS,
	WORD_ALIAS,
	WORD_COUNT
};

static const char *const event_words[WORD_COUNT] = {
	[WORD_ID] = "id",	    [WORD_NAME] = "name",
	[WORD_UNIT] = "unit",	    [WORD_SLOTS] = "slots",
	[WORD_FOLLOWS] = "follows", [WORD_ALIAS] = "alias",
};

/*
 * Find ROCm's name of an event, if the table has one, or takes the block's
 * names from ROCm. *out is NULL if the name follows from ours.
 */
static int
event_alias(const struct describer *describer, const struct block *block,
	    const char *const *words, const char **out)
{
	char *text;

	*out = words[WORD_ALIAS];
	if (*out || !block->rocm)
		return 0;
	text = arena_printf(describer->description->arena, "%s_%s", block->rocm,
			    words[WORD_NAME]);
	for (char *at = text; at && *at; at++)
		*at = (char)toupper((unsigned char)*at);
	*out = text;
	return text ? 0 : no_memory(describer);
}

static int
event_slots(const struct describer *describer, const struct table *table,
	    const struct block *block, const struct element *element,
	    const char *const *words, struct description_event *event)
{
	uint64_t slots = SLOTS_ANY;
	uint64_t fitting = block_slots_for(block, event->selector);
	int ret = 0;

	if (words[WORD_SLOTS])
		ret = element_number(table, element, "slots", words[WORD_SLOTS],
				     UINT64_MAX, &slots, describer->error);
	if (ret)
		return ret;
	if (!(slots & fitting))
		return element_error(table, element, describer->error,
				     "event %u fits no slot of %s",
				     event->selector, block->name);
	event->slots = slots & fitting;
	if (event->slots == block_all_slots(block))
		event->slots = SLOTS_ANY;
	return 0;
}

static int
add_event(const struct describer *describer, struct rows *rows,
	  const struct block *block, group_index group,
	  const struct element *element)
{
	const struct table *table = rows->table;
	const char *words[WORD_COUNT];
	struct description_event event = {
		.description = element->text,
		.file = table->path,
		.line = element->line,
		.group = group,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_CUMULATIVE,
	};
	enum drmperf_unit unit = block->unit;
	uint64_t id;
	int ret;

	rows_values(rows, element, event_words, WORD_COUNT, words);
	if (!words[WORD_NAME] || !words[WORD_ID])
		return element_error(table, element, describer->error,
				     "has no attribute %s",
				     words[WORD_NAME] ? "id" : "name");
	ret = element_number(table, element, "id", words[WORD_ID], UINT32_MAX,
			     &id, describer->error);
	if (ret)
		return ret;
	event.name = words[WORD_NAME];
	event.follows =
		words[WORD_FOLLOWS] && !strcmp(words[WORD_FOLLOWS], "1");
	event.selector = (uint32_t)id;
	if (block->windowed || block->stage_masked)
		event.setting = core_stages(&describer->gpu->core);
	ret = event_slots(describer, table, block, element, words, &event);
	if (!ret)
		ret = block_read_unit(table, element, words[WORD_UNIT], &unit,
				      describer->error);
	event.unit = unit;
	if (!ret)
		ret = event_alias(describer, block, words, &event.alias);
	if (ret)
		return ret;
	return description_add_event(describer->description, &event);
}

static int
add_table_events(const struct describer *describer, const struct block *block,
		 group_index group, size_t number,
		 const struct overrides *overrides)
{
	const struct table *table = describer->tables[number];
	const struct element *element =
		table == block->table ? block->element
				      : overrides_block(table, block->name);
	struct rows rows;
	int ret;

	if (!element)
		return 0;
	rows_begin(&rows, table, element->child, "event",
		   describer->description->arena);
	while ((ret = rows_next(&rows, &element, describer->error)) > 0) {
		const char *name = element_attribute(element, "name");

		if (overrides_have(overrides, name, number))
			continue;
		/* The user's tables may offer what ours hides. */
		if (!number && name &&
		    core_hides(&describer->gpu->core, block, name))
			continue;
		ret = add_event(describer, &rows, block, group, element);
		if (ret)
			break;
	}
	return ret;
}

static int
add_events(const struct describer *describer, const struct block *block,
	   group_index group)
{
	struct overrides overrides;
	int ret = overrides_init(&overrides, describer->tables,
				 describer->table_count, block->name);

	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < describer->table_count; i++)
		ret = add_table_events(describer, block, group, i, &overrides);
	overrides_finish(&overrides);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Metrics                                                              */

static const struct description_group metric_group = {
	.name = "metric",
	.description = "Values computed from the counters of several "
		       "blocks, named as ROCm's tools name them.",
	.instances = 1,
	.instances_per_engine = 1,
};

/* ------------------------------------------------------------------ */
/* All of it                                                            */

static int
add_constants(const struct describer *describer)
{
	const struct gpu *gpu = describer->gpu;
	const struct topology *topology = &gpu->topology;
	const struct amd_device_info *info = amd_device_info(gpu->dev);
	const unsigned xccs = gpu_counted_xccs(gpu);
	const struct description_constant constants[] = {
		{ "SE_NUM", xccs * topology_engine_count(topology) },
		{ "SA_PER_SE", topology->arrays },
		{ "CU_NUM", xccs * topology_cu_count(topology) },
		{ "SIMD_NUM", xccs * topology_simd_count(topology) },
		{ "MAX_WAVE_SIZE", info->wave_size },
		{ "L2_CHANNELS", xccs * topology_channel_count(topology) },
		/*
		 * clocks are summed over dies: metrics_add() divides by their
		 * number
		 */
		{ "XCC_NUM", 1 },
		{ "MAX_ENGINE_CLOCK_MHZ", info->engine_khz / 1000 },
		{ "MAX_MEMORY_CLOCK_MHZ", info->memory_khz / 1000 },
		{ "VRAM_TYPE", info->memory_type },
		{ "VRAM_BIT_WIDTH", info->memory_bits },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(constants); i++)
		ret = description_add_constant(describer->description,
					       constants[i].name,
					       constants[i].value);
	return ret;
}

/* Add the events of a group: a block's, or the metrics for the last group. */
static int
add_group_events(const struct describer *describer, group_index group)
{
	const struct gpu *gpu = describer->gpu;
	size_t index = group - gpu->first_group;
	int ret;

	if (index < gpu->core.block_count)
		ret = add_events(describer, &gpu->core.blocks[index], group);
	else
		ret = metrics_add(describer->description, group, &gpu->core,
				  gpu_counted_xccs(gpu), describer->error);
	return ret == -ENOMEM ? no_memory(describer) : ret;
}

static int
describe_group(void *device, group_index group, struct description *description,
	       struct drmperf_error *error)
{
	struct gpu *gpu = device;
	const struct table *tables[] = { gpu->table };
	const struct describer describer = { .gpu = gpu,
					     .description = description,
					     .tables = tables,
					     .table_count = 1,
					     .error = error };

	return add_group_events(&describer, group);
}

/*
 * Add a group. Its events are added now, not on demand, if the user's tables
 * replace events or add metrics.
 */
static int
add_group(const struct describer *describer, domain_index domain,
	  struct description_group record)
{
	const struct driver_target *target = describer->target;
	bool now = target->user_table_count;
	const unsigned counted = gpu_counted_xccs(describer->gpu);
	const unsigned xccs = counted > 1 ? 0 : describer->gpu->core.xccs;
	group_index group;
	int ret;

	record.domain = domain;
	record.dies = xccs;
	record.summed_dies = counted > 1 ? counted : 0;
	if (xccs > 1) {
		record.description = arena_printf(
			describer->description->arena,
			"%s Counts one die, of up to %u behind this node: "
			"work on the others is not seen.",
			record.description, xccs);
	} else if (counted > 1) {
		record.description = arena_printf(
			describer->description->arena,
			"%s Counts all %u dies behind this node: values are "
			"sums over them.",
			record.description, counted);
	} else if (target->partitions > 1) {
		record.description = arena_printf(
			describer->description->arena,
			"%s Counts partition %u of %s alone: work in the "
			"others is not seen.",
			record.description, target->partition, target->address);
	}
	if (!record.description)
		return -ENOMEM;
	record.describe = now ? NULL : describe_group;
	ret = description_add_group(describer->description, &record, &group);
	return ret || !now ? ret : add_group_events(describer, group);
}

static int
add_blocks(const struct describer *describer, domain_index domain)
{
	struct gpu *gpu = describer->gpu;
	const struct core *core = &gpu->core;
	int ret = 0;

	gpu->first_group = (group_index)describer->description->group_count;
	for (size_t i = 0; !ret && i < core->block_count; i++)
		ret = add_group(describer, domain,
				block_group(gpu, &core->blocks[i]));
	return ret;
}

/*
 * List blocks and events that the tables know but do not offer; an event name
 * that uses one gets the reason.
 */
static int
add_hidden(const struct describer *describer)
{
	const struct core *core = &describer->gpu->core;
	struct description *description = describer->description;
	struct description_hidden *hidden;

	for (size_t i = 0; i < core->hidden_count; i++) {
		if (core_block(core, core->hidden[i].name))
			continue;
		hidden = arena_alloc(description->arena, sizeof(*hidden));
		if (!hidden)
			return -ENOMEM;
		*hidden = (struct description_hidden){
			.name = core->hidden[i].name,
			.reason = core->hidden[i].reason,
			.next = description->hidden,
		};
		description->hidden = hidden;
	}
	return 0;
}

static void
report_hardware(const struct gpu *gpu, struct description *description)
{
	description->revision = amd_device_info(gpu->dev)->revision;
	description->engines = topology_engine_count(&gpu->topology);
}

static int
fill_description(const struct describer *describer)
{
	const struct description_domain record = {
		.name = "gfx",
		.ops = &gfx_domain_ops,
		.device = describer->gpu,
		.stream = &gfx_stream_ops,
		.trace = &gfx_trace_ops,
	};
	domain_index domain;
	int ret;

	ret = description_add_domain(describer->description, &record, &domain);
	if (!ret)
		ret = add_blocks(describer, domain);
	if (!ret)
		ret = rocm_counters_add(describer->gpu, describer->target,
					describer->description);
	if (!ret)
		ret = add_group(describer, domain, metric_group);
	if (!ret)
		ret = add_constants(describer);
	if (!ret)
		ret = add_hidden(describer);
	if (ret == -ENOMEM)
		return no_memory(describer);
	if (ret)
		return ret;
	describer->description->chip = describer->gpu->chip.name;
	describer->description->generation = describer->gpu->chip.generation;
	describer->description->target = describer->gpu->chip.target;
	report_hardware(describer->gpu, describer->description);
	return 0;
}

static void
amdgpu_release(void *device)
{
	gfx_release_deferred(device);
	gpu_destroy(device);
}

static void
amdgpu_abandon(void *device)
{
	gfx_abandon_deferred(device);
	gpu_abandon(device);
}

static int
describer_describe(struct describer *describer)
{
	int ret;

	ret = list_tables(describer);
	if (!ret)
		ret = quirks_offer(describer->gpu,
				   describer->description->arena,
				   describer->error);
	if (!ret)
		ret = gpu_read_core(describer->gpu, describer->target,
				    describer->tables, describer->table_count,
				    describer->description->arena,
				    describer->error);
	if (!ret)
		ret = quirks_results(describer->gpu, describer->error);
	if (!ret)
		ret = fill_description(describer);
	free(describer->tables);
	return ret;
}

static int
gpu_describe(const struct driver_target *target,
	     struct description *description, void **out,
	     struct drmperf_error *error)
{
	struct describer describer = { .target = target,
				       .description = description,
				       .error = error };
	int ret = gpu_create(target, &describer.gpu, error);

	if (ret)
		return ret;
	ret = describer_describe(&describer);
	if (ret)
		gpu_destroy(describer.gpu);
	else
		*out = describer.gpu;
	return ret;
}

const struct driver amdgpu_driver = {
	.name = "amdgpu",
	.describe = gpu_describe,
	.release = amdgpu_release,
	.abandon = amdgpu_abandon,
	.clocks = hold_query,
	.hold_clocks = hold_clocks,
	.release_clocks = hold_release_clocks,
	.queue_commands = gpu_queue_commands,
	.hold_queues = hold_queues,
	.release_queues = hold_release_queues,
};
