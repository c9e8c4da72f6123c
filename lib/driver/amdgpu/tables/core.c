/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/core.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "driver/amdgpu/tables/block_read.h"
#include "table/rows.h"

static const char *const register_names[CORE_REGISTERS] = {
	[CORE_GRBM_GFX_INDEX] = "GRBM_GFX_INDEX",
	[CORE_CP_PERFMON_CNTL] = "CP_PERFMON_CNTL",
	[CORE_RLC_PERFMON_CNTL] = "RLC_PERFMON_CNTL",
	[CORE_RLC_PERFMON_CLK_CNTL] = "RLC_PERFMON_CLK_CNTL",
	[CORE_COMPUTE_PERFCOUNT_ENABLE] = "COMPUTE_PERFCOUNT_ENABLE",
	[CORE_COMPUTE_THREAD_TRACE_ENABLE] = "COMPUTE_THREAD_TRACE_ENABLE",
	[CORE_SQ_PERFCOUNTER_CTRL] = "SQ_PERFCOUNTER_CTRL",
	[CORE_SQ_PERFCOUNTER_CTRL2] = "SQ_PERFCOUNTER_CTRL2",
	[CORE_SQ_PERFCOUNTER_MASK] = "SQ_PERFCOUNTER_MASK",
	[CORE_SQG_PERFCOUNTER_CTRL] = "SQG_PERFCOUNTER_CTRL",
	[CORE_SQG_PERFCOUNTER_CTRL2] = "SQG_PERFCOUNTER_CTRL2",
	[CORE_SPI_SQG_EVENT_CTL] = "SPI_SQG_EVENT_CTL",
	[CORE_RMI_PERF_COUNTER_CNTL] = "RMI_PERF_COUNTER_CNTL",
	[CORE_GRBMH_SYNC] = "GRBMH_SYNC",
};

const char *
core_register_name(enum core_register name)
{
	return register_names[name];
}

int
core_level(const struct table *table, unsigned *out,
	   struct drmperf_error *error)
{
	uint64_t level;
	int ret;

	ret = element_uint(table, table->root, "level", 255, &level, error);
	if (!ret)
		*out = (unsigned)level;
	return ret;
}

static int
read_control(const struct table *table, const struct element *element,
	     struct core_control *out, struct drmperf_error *error)
{
	const char *text = element_attribute(element, "reset");
	uint64_t offset, value, reset = 0, sync;
	int ret;

	ret = element_uint(table, element, "offset", PM4_REGISTER_END - 4,
			   &offset, error);
	if (!ret)
		ret = element_uint_or(table, element, "value", UINT32_MAX, 0,
				      &value, error);
	out->put_back = text && !strcmp(text, "found");
	if (!ret && !out->put_back)
		ret = element_uint_or(table, element, "reset", UINT32_MAX, 0,
				      &reset, error);
	if (!ret)
		ret = element_uint_or(table, element, "sync", UINT32_MAX, 0,
				      &sync, error);
	if (ret)
		return ret;
	if (!offset || offset % 4)
		return element_error(table, element, error,
				     "offset is not that of a register");
	out->reg.byte = (uint32_t)offset;
	out->value = (uint32_t)value;
	out->reset = (uint32_t)reset;
	out->sync = (uint32_t)sync;
	out->has_value = element_attribute(element, "value") != NULL;
	return 0;
}

static int
check_controls(const struct core *core, struct drmperf_error *error)
{
	static const enum core_register needed[] = { CORE_GRBM_GFX_INDEX,
						     CORE_CP_PERFMON_CNTL };

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		if (!pm4_in_uconfig(core->controls[needed[i]].reg))
			return element_error(core->table, core->table->root,
					     error,
					     "register %s is missing or out "
					     "of reach",
					     register_names[needed[i]]);
	}
	return 0;
}

/*
 * Read the control registers. Those that the mechanism does not know are there
 * for other readers.
 */
static int
read_controls(struct core *core, struct arena *arena,
	      struct drmperf_error *error)
{
	const struct element *element;
	const char *name;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, core->table, core->table->root->child, "register",
		   arena);
	while (!ret && (ret = rows_next(&rows, &element, error)) > 0) {
		ret = element_text(core->table, element, "name", &name, error);
		for (size_t i = 0; !ret && i < CORE_REGISTERS; i++) {
			if (!strcmp(name, register_names[i]))
				ret = read_control(core->table, element,
						   &core->controls[i], error);
		}
	}
	return ret ? ret : check_controls(core, error);
}

static int
read_window(struct core *core, const struct topology *topology,
	    struct arena *arena, struct drmperf_error *error)
{
	static const char *const names[PM4_ENGINES] = {
		[PM4_ENGINE_GFX] = "pfp-firmware",
		[PM4_ENGINE_COMPUTE] = "mec-firmware",
	};
	const struct table *table = core->table;
	const struct element *element;
	uint64_t open, firmware;
	struct rows rows;
	int ret;

	rows_begin(&rows, table, table->root->child, "window", arena);
	ret = rows_next(&rows, &element, error);
	if (ret <= 0)
		return ret;
	core->window.hidden = element_attribute(element, "hidden");
	if (core->window.hidden &&
	    !chip_lists(topology->untested, CORE_WINDOW_NAME))
		return 0;
	core->window.hidden = NULL;
	ret = element_uint(table, element, "open", UINT32_MAX, &open, error);
	for (int i = 0; !ret && i < PM4_ENGINES; i++) {
		ret = element_uint(table, element, names[i], UINT32_MAX,
				   &firmware, error);
		if (!ret)
			core->window.firmware[i] = (uint32_t)firmware;
	}
	if (!ret)
		core->window.open = (uint32_t)open;
	return ret;
}

static int
read_engine(const struct table *table, const struct element *element,
	    const char *name, enum pm4_engine *out, struct drmperf_error *error)
{
	const char *text;
	int ret;

	ret = element_text(table, element, name, &text, error);
	if (!ret && !pm4_engine_find(text, out))
		return element_error(table, element, error,
				     "%s is neither compute nor gfx", name);
	return ret;
}

static int
read_stale(struct core *core, const struct element *element,
	   struct drmperf_error *error)
{
	uint64_t offset;
	int ret;

	ret = element_uint_or(core->table, element, "stale",
			      PM4_REGISTER_END - 4, 0, &offset, error);
	if (!ret)
		core->commands.stale.byte = (uint32_t)offset;
	return ret;
}

/* Read the commands. Where nothing is said there is one engine only. */
static int
read_commands(struct core *core, struct arena *arena,
	      struct drmperf_error *error)
{
	const struct table *table = core->table;
	const struct element *element;
	struct rows rows;
	uint64_t stop, source, event, bits;
	int ret;

	core->commands.source = PM4_SOURCE_COUNTER;
	core->commands.samples = PM4_ENGINE_COMPUTE;
	core->commands.graphics = PM4_ENGINE_COMPUTE;
	rows_begin(&rows, table, table->root->child, "commands", arena);
	ret = rows_next(&rows, &element, error);
	if (ret <= 0)
		return ret;
	ret = read_engine(table, element, "samples", &core->commands.samples,
			  error);
	if (!ret)
		ret = read_engine(table, element, "graphics",
				  &core->commands.graphics, error);
	if (!ret)
		ret = element_uint(table, element, "stop", 1, &stop, error);
	if (!ret)
		ret = element_uint_or(table, element, "source",
				      PM4_SOURCE_COUNTER, PM4_SOURCE_COUNTER,
				      &source, error);
	if (!ret)
		ret = element_uint_or(table, element, "sample-event", 1, 1,
				      &event, error);
	if (!ret)
		ret = element_uint_or(table, element, "copy-bits", 64, 32,
				      &bits, error);
	if (ret)
		return ret;
	ret = read_stale(core, element, error);
	if (ret)
		return ret;
	core->commands.never_stops = !stop;
	core->commands.bit_only = !event;
	core->commands.pairs = bits == 64;
	core->commands.source = source ? PM4_SOURCE_COUNTER
				       : PM4_SOURCE_REGISTER;
	return 0;
}

static size_t
count_elements(const struct table *table, const char *name)
{
	size_t count = 0;

	for (const struct element *element =
		     element_named(table->root->child, name);
	     element; element = element_named(element->next, name))
		count++;
	return count;
}

static const struct core_hidden *
find_hidden(const struct core *core, const char *name)
{
	for (size_t i = 0; i < core->hidden_count; i++) {
		if (!strcmp(core->hidden[i].name, name))
			return &core->hidden[i];
	}
	return NULL;
}

/*
 * Return whether the element is a block of this chip, and the first of its
 * name. A table has what some chips have otherwise in front of what the others
 * have.
 */
static bool
is_wanted(const struct core *core, const struct table *table,
	  const struct topology *topology, const struct element *element,
	  const char *name)
{
	const char *targets = element_attribute(element, "targets");

	if (chip_lists(topology->without, name) || core_block(core, name))
		return false;
	/* A table of the user's may offer what ours hides. */
	if (table == core->table && find_hidden(core, name))
		return false;
	return !targets ||
	       (topology->target && chip_lists(targets, topology->target));
}

static int
read_blocks(struct core *core, const struct table *table,
	    const struct topology *topology, struct arena *arena,
	    struct drmperf_error *error)
{
	const struct element *element;
	const char *name, *reason;
	int ret;

	for (element = element_named(table->root->child, "block"); element;
	     element = element_named(element->next, "block")) {
		struct block *block = &core->blocks[core->block_count];

		ret = element_text(table, element, "name", &name, error);
		if (ret)
			return ret;
		if (!is_wanted(core, table, topology, element, name))
			continue;
		reason = element_attribute(element, "hidden");
		if (reason && !chip_lists(topology->untested, name)) {
			core->hidden[core->hidden_count++] =
				(struct core_hidden){
					.name = name,
					.reason = topology_hidden_reason(
						topology, name, reason),
				};
			continue;
		}
		ret = block_read(block, table, element, topology, arena, error);
		if (ret)
			return ret;
		/* The next one overwrites a block that this GPU has not. */
		if (block->instance_count)
			core->block_count++;
	}
	return 0;
}

/* Read events that are hidden, of blocks that are not. */
static int
read_hidden_events(struct core *core, const struct table *table,
		   const struct topology *topology, struct drmperf_error *error)
{
	const struct element *element;

	for (element = element_named(table->root->child, "hidden"); element;
	     element = element_named(element->next, "hidden")) {
		struct core_hidden hidden = { 0 };
		int ret = element_text(table, element, "event", &hidden.name,
				       error);

		if (!ret)
			ret = element_text(table, element, "reason",
					   &hidden.reason, error);
		if (ret)
			return ret;
		hidden.reason = topology_hidden_reason(topology, hidden.name,
						       hidden.reason);
		if (!chip_lists(topology->untested, hidden.name))
			core->hidden[core->hidden_count++] = hidden;
	}
	return 0;
}

static void
number_instances(struct core *core)
{
	for (size_t i = 0; i < core->block_count; i++) {
		struct block *block = &core->blocks[i];

		block->first_instance = core->instance_count;
		block->first_slot = core->slot_count;
		core->instance_count += block->instance_count;
		core->slot_count +=
			(size_t)block->instance_count * block->max_active;
	}
}

static int
read_all_blocks(struct core *core, const struct table *const *tables,
		size_t count, const struct topology *topology,
		struct arena *arena, struct drmperf_error *error)
{
	size_t most = 1;
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		most += count_elements(tables[i], "block");
	core->blocks = arena_alloc(arena, most * sizeof(*core->blocks));
	most += count_elements(tables[0], "hidden");
	core->hidden = arena_alloc(arena, most * sizeof(*core->hidden));
	if (!core->blocks || !core->hidden)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; !ret && i < count; i++)
		ret = read_blocks(core, tables[i], topology, arena, error);
	if (!ret)
		ret = read_hidden_events(core, tables[0], topology, error);
	number_instances(core);
	return ret;
}

bool
core_hides(const struct core *core, const struct block *block,
	   const char *event)
{
	size_t length = strlen(block->name);

	for (size_t i = 0; i < core->hidden_count; i++) {
		const char *name = core->hidden[i].name;

		if (!strncmp(name, block->name, length) &&
		    name[length] == '.' && !strcmp(name + length + 1, event))
			return true;
	}
	return false;
}

const struct block *
core_block(const struct core *core, const char *name)
{
	for (size_t i = 0; i < core->block_count; i++) {
		if (!strcmp(core->blocks[i].name, name))
			return &core->blocks[i];
	}
	return NULL;
}

/* Find the id of the block's own event of this name; -ENOENT if it has none. */
static int
find_event(const struct block *block, const char *name, struct arena *arena,
	   uint64_t *id, struct drmperf_error *error)
{
	const struct element *event;
	const char *text;
	struct rows rows;
	int ret;

	rows_begin(&rows, block->table, block->element->child, "event", arena);
	while ((ret = rows_next(&rows, &event, error)) > 0) {
		text = element_attribute(event, "name");
		if (text && !strcmp(text, name))
			return element_uint(block->table, event, "id",
					    UINT32_MAX, id, error);
	}
	return ret ? ret : -ENOENT;
}

int
core_event_id(const struct core *core, size_t block, const char *name,
	      struct arena *arena, uint32_t *out)
{
	uint64_t id;
	int ret = find_event(&core->blocks[block], name, arena, &id, NULL);

	if (!ret)
		*out = (uint32_t)id;
	return ret;
}

const char *
core_event_name(const struct core *core, size_t block, uint32_t id,
		struct arena *arena)
{
	const struct block *owner = &core->blocks[block];
	const struct element *event;
	struct rows rows;
	uint64_t number;

	rows_begin(&rows, owner->table, owner->element->child, "event", arena);
	while (rows_next(&rows, &event, NULL) > 0) {
		if (!element_uint(owner->table, event, "id", UINT32_MAX,
				  &number, NULL) &&
		    number == id)
			return element_attribute(event, "name");
	}
	return NULL;
}

static int
read_core_clock(struct core *core, const struct element *element,
		struct arena *arena, struct drmperf_error *error)
{
	struct core_clock_event *core_clock;
	const char *block_name, *event_name;
	const struct block *block;
	uint64_t id;
	int ret;

	ret = element_text(core->table, element, "block", &block_name, error);
	if (!ret)
		ret = element_text(core->table, element, "event", &event_name,
				   error);
	if (ret)
		return ret;
	block = core_block(core, block_name);
	if (!block)
		return 0;
	ret = find_event(block, event_name, arena, &id, error);
	if (ret == -ENOENT)
		return element_error(core->table, element, error,
				     "there is no event %s.%s", block_name,
				     event_name);
	if (ret)
		return ret;
	if (core->core_clock_event_count == CORE_CLOCK_EVENTS)
		return element_error(core->table, element, error,
				     "there are more than %u core clocks",
				     CORE_CLOCK_EVENTS);
	core_clock = &core->core_clock_events[core->core_clock_event_count];
	core_clock->block = (size_t)(block - core->blocks);
	core_clock->id = (uint32_t)id;
	core_clock->name = arena_printf(arena, "%s.%s", block_name, event_name);
	if (!core_clock->name)
		return error_set(error, -ENOMEM, "no memory");
	core->core_clock_event_count++;
	return 0;
}

static int
read_core_clocks(struct core *core, struct arena *arena,
		 struct drmperf_error *error)
{
	const struct element *element;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, core->table, core->table->root->child, "core_clock",
		   arena);
	while (!ret && (ret = rows_next(&rows, &element, error)) > 0)
		ret = read_core_clock(core, element, arena, error);
	return ret;
}

int
core_read(struct core *core, const struct table *const *tables, size_t count,
	  const struct topology *topology, struct arena *arena,
	  struct drmperf_error *error)
{
	int ret;

	memset(core, 0, sizeof(*core));
	core->table = tables[0];
	core->level = topology->level;
	core->xccs = topology->xccs;
	core->engines = topology_engine_mask(topology);
	ret = read_controls(core, arena, error);
	if (!ret)
		ret = read_window(core, topology, arena, error);
	if (!ret)
		ret = read_commands(core, arena, error);
	if (!ret)
		ret = read_all_blocks(core, tables, count, topology, arena,
				      error);
	if (!ret)
		ret = read_core_clocks(core, arena, error);
	return ret;
}

uint32_t
core_window_open(const struct core *core, enum pm4_engine engine,
		 uint32_t firmware)
{
	return firmware >= core->window.firmware[engine] ? core->window.open
							 : 0;
}

unsigned
core_needs(const struct block *block)
{
	unsigned needs = 0;

	if (block->windowed || block->stage_masked)
		needs |= CORE_NEEDS_SHADERS;
	if (!strcmp(block->name, "RMI"))
		needs |= CORE_NEEDS_RMI;
	if (block_slot(block, 0, 0)->style == BLOCK_RLC)
		needs |= CORE_NEEDS_RLC;
	if (block->result_control.byte)
		needs |= CORE_NEEDS_SWITCH;
	return needs;
}

uint32_t
core_stages(const struct core *core)
{
	return core->controls[CORE_SQ_PERFCOUNTER_CTRL].value;
}

bool
core_clock_is_kernels(const struct core *core)
{
	/*
	 * Up to gfx7 there is nothing to switch; from gfx11 on the register is
	 * out of reach, and the kernel writes it (Linux gfx_v11_0.c,
	 * update_perfmon_mgcg).
	 */
	return core->level >= 11 &&
	       !core->controls[CORE_RLC_PERFMON_CLK_CNTL].reg.byte;
}

bool
core_kernel_sets_clock(const struct core *core)
{
	/* with each stable pstate (Linux gfx_v10_0.c, update_perfmon_mgcg) */
	return core->level >= 10;
}
