/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/stream/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Bits of GRBM_GFX_INDEX. */
#define ALL_ENGINES (1u << 31)
#define ALL_ARRAYS (1u << 29)
#define ENGINE_OF(index) ((index) >> 16 & 0xff)
#define ARRAY_OF(index) ((index) >> 8 & 0xff)

/* How a block streams, as its table says. */
struct stream_block {
	bool is_global;
	unsigned code;
	unsigned wires;
	unsigned instance_bit;
	unsigned simds;
};

/* ------------------------------------------------------------------ */
/* Tables                                                               */

static int
read_registers(const struct table *table, const struct element *element,
	       struct stream_registers *out, struct drmperf_error *error)
{
	const struct {
		const char *name;
		struct pm4_register *reg;
		bool optional;
	} list[] = {
		{ "control", &out->control, false },
		{ "ring-low", &out->ring_low, false },
		{ "ring-high", &out->ring_high, false },
		{ "ring-size", &out->ring_size, false },
		{ "ring-position", &out->ring_position, true },
		{ "accumulation", &out->accumulation, true },
		{ "segment-size", &out->segment_size, false },
		{ "engine-segments", &out->engine_segments, true },
		{ "global-segment", &out->global_segment, true },
		{ "global-address", &out->global_address, false },
		{ "global-data", &out->global_data, false },
		{ "engine-address", &out->engine_address, false },
		{ "engine-data", &out->engine_data, false },
	};
	uint64_t offset;
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(list); i++) {
		if (list[i].optional &&
		    !element_attribute(element, list[i].name))
			continue;
		ret = element_uint(table, element, list[i].name,
				   PM4_REGISTER_END - 4, &offset, error);
		if (ret)
			break;
		list[i].reg->byte = (uint32_t)offset;
		if (offset % 4 || !pm4_in_uconfig(*list[i].reg))
			ret = element_error(table, element, error,
					    "%s is out of reach", list[i].name);
	}
	return ret;
}

static int
read_time_codes(const struct table *table, const struct element *element,
		struct stream_table *out, struct drmperf_error *error)
{
	const char *text;
	char *end;
	int ret = element_text(table, element, "time-codes", &text, error);

	for (size_t i = 0; !ret && i < STREAM_TIME_ENTRIES; i++) {
		out->time_codes[i] = (uint16_t)strtoul(text, &end, 0);
		if (end == text)
			ret = element_error(table, element, error,
					    "time-codes are four numbers");
		text = end;
	}
	return ret;
}

static int
read_fields(const struct table *table, const struct element *element,
	    struct stream_table *out, struct drmperf_error *error)
{
	const struct {
		const char *name;
		unsigned *value;
		uint64_t most;
	} list[] = {
		{ "counter-bit", &out->counter_bit, 15 },
		{ "block-bit", &out->block_bit, 15 },
		{ "array-bit", &out->array_bit, 15 },
		{ "instance-bit", &out->instance_bit, 15 },
		{ "lines", &out->lines, 255 },
		{ "position-unit", &out->position_unit, STREAM_LINE_SIZE },
	};
	uint64_t value;
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(list); i++) {
		ret = element_uint(table, element, list[i].name, list[i].most,
				   &value, error);
		if (!ret)
			*list[i].value = (unsigned)value;
	}
	return ret;
}

static int
read_form(const struct table *table, const struct element *element,
	  struct stream_table *out, struct drmperf_error *error)
{
	static const char *const names[] = {
		[STREAM_SEPARATE] = "separate",
		[STREAM_EQUAL] = "equal",
		[STREAM_PACKED] = "packed",
	};
	const struct stream_registers *registers = &out->registers;
	const char *name;
	int ret = element_text(table, element, "form", &name, error);

	for (size_t i = 0; !ret && i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], name))
			continue;
		out->form = (enum stream_form)i;
		if (out->position_unit &&
		    (out->form != STREAM_SEPARATE ||
		     (registers->engine_segments.byte &&
		      registers->global_segment.byte)))
			return 0;
	}
	return ret ? ret
		   : element_error(table, element, error,
				   "how samples are laid out is not known");
}

/* Refuse what is off until it has been tested, unless the user enables it. */
static int
check_hidden(const struct topology *topology, const struct element *element,
	     const char *attribute, const char *what, const char *name,
	     struct drmperf_error *error)
{
	const char *reason = element_attribute(element, attribute);

	if (!reason || chip_lists(topology->untested, name))
		return 0;
	error_set(error, -ENOTSUP, "counters of %s are not streamed: %s", what,
		  topology_hidden_reason(topology, name, reason));
	error_remedy(error,
		     "count without a stream, or set DRMPERF_UNTESTED=%s: at "
		     "worst the values are wrong, or the GPU hangs",
		     name);
	return -ENOTSUP;
}

static int
read_table(const struct gpu *gpu, struct stream_table *out,
	   struct drmperf_error *error)
{
	const struct table *table = gpu->core.table;
	const struct element *element =
		element_named(table->root->child, "stream");
	int ret;

	if (!element) {
		error_set(error, -ENOTSUP,
			  "counters of %s cannot be streamed: how is not known",
			  gpu->chip.name);
		error_remedy(error, "doc/traces.md lists the generations that "
				    "stream; count without a stream");
		return -ENOTSUP;
	}
	ret = check_hidden(&gpu->topology, element, "hidden", gpu->chip.name,
			   STREAM_NAME, error);
	if (!ret)
		ret = read_registers(table, element, &out->registers, error);
	if (!ret)
		ret = read_time_codes(table, element, out, error);
	if (!ret)
		ret = read_fields(table, element, out, error);
	if (!ret)
		ret = read_form(table, element, out, error);
	return ret;
}

static int
read_block(const struct stream_layout *layout, const struct block *block,
	   struct stream_block *out, struct drmperf_error *error)
{
	const char *segment = element_attribute(block->element, "stream");
	uint64_t code, wires, simds, instance_bit;
	int ret;

	if (!segment) {
		error_set(error, -ENOTSUP, "counters of %s cannot be streamed",
			  block->name);
		error_remedy(error,
			     "leave events of %s out, or count them "
			     "without a stream",
			     block->name);
		return -ENOTSUP;
	}
	ret = element_uint(block->table, block->element, "stream-code", 31,
			   &code, error);
	if (!ret)
		ret = element_uint(block->table, block->element, "stream-wires",
				   16, &wires, error);
	if (!ret)
		ret = element_uint_or(block->table, block->element,
				      "stream-simds", 4, 1, &simds, error);
	if (!ret)
		ret = element_uint_or(
			block->table, block->element, "stream-instance-bit", 15,
			layout->table.instance_bit, &instance_bit, error);
	if (ret)
		return ret;
	out->is_global = !strcmp(segment, "global");
	out->code = (unsigned)code;
	out->wires = (unsigned)wires;
	out->simds = (unsigned)simds;
	out->instance_bit = (unsigned)instance_bit;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Counters and their wires                                             */

unsigned
stream_block_modules(const struct block *block)
{
	unsigned count = 0;

	while (count < block->max_active && block->slots[count].select1.byte)
		count++;
	return count;
}

static struct stream_counter *
find_counter(const struct stream_layout *layout, size_t block, uint32_t id)
{
	for (size_t i = 0; i < layout->counter_count; i++) {
		if (layout->counters[i].block == block &&
		    layout->counters[i].id == id)
			return &layout->counters[i];
	}
	return NULL;
}

static size_t
request_block(const struct gpu *gpu, const struct counter_request *request)
{
	return request->group - gpu->first_group;
}

static int
add_counters(struct stream_layout *layout, const struct gpu *gpu,
	     const struct counter_request *requests, size_t count,
	     struct drmperf_error *error)
{
	layout->counters = calloc(count + 1, sizeof(*layout->counters));
	if (!layout->counters)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < count; i++) {
		const size_t block = request_block(gpu, &requests[i]);

		if (requests[i].follows)
			return error_set(error, -ENOTSUP,
					 "events that sum up their neighbour's "
					 "counter cannot be streamed");
		if (find_counter(layout, block, requests[i].selector))
			continue;
		layout->counters[layout->counter_count++] =
			(struct stream_counter){
				.block = block,
				.id = requests[i].selector,
				.first_cell = layout->cell_count,
			};
		layout->cell_count += gpu->core.blocks[block].instance_count;
	}
	layout->cells =
		malloc((layout->cell_count + 1) * sizeof(*layout->cells));
	if (!layout->cells)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < layout->cell_count; i++)
		layout->cells[i] = STREAM_NO_ENTRY;
	return 0;
}

static unsigned
count_of_block(const struct stream_layout *layout, size_t block)
{
	unsigned count = 0;

	for (size_t i = 0; i < layout->counter_count; i++)
		count += layout->counters[i].block == block;
	return count;
}

static int
check_hidden_block(const struct stream_layout *layout,
		   const struct block *block, struct drmperf_error *error)
{
	char name[64];

	snprintf(name, sizeof(name), STREAM_NAME ".%s", block->name);
	return check_hidden(layout->topology, block->element, "stream-hidden",
			    block->name, name, error);
}

static int
explain_no_wires(const struct block *block, unsigned wanted, unsigned most,
		 struct drmperf_error *error)
{
	error_set(error, -ENOSPC,
		  "%s streams %u events at once at most, not %u", block->name,
		  most, wanted);
	error_remedy(error,
		     "stream fewer events of %s at a time; streams are "
		     "not cut into passes",
		     block->name);
	return -ENOSPC;
}

/*
 * Give the counters of a block their lanes: 32 bits where the wires suffice for
 * all, else 16. Counters of the SQ have 32 bits and a wire each.
 */
static int
assign_lanes(struct stream_layout *layout, size_t index,
	     struct drmperf_error *error)
{
	const struct block *block = &layout->core->blocks[index];
	const unsigned wanted = count_of_block(layout, index);
	const unsigned modules = stream_block_modules(block);
	struct stream_block stream;
	unsigned wires, next = 0;
	bool wide;
	int ret = read_block(layout, block, &stream, error);

	if (!ret)
		ret = check_hidden_block(layout, block, error);
	if (ret)
		return ret;
	wires = modules ? 2 * modules : block->max_active;
	if (stream.wires < wires)
		wires = stream.wires;
	wide = !modules || wanted <= wires;
	if (wanted > (modules ? 2 * wires : wires))
		return explain_no_wires(block, wanted,
					modules ? 2 * wires : wires, error);
	for (size_t i = 0; i < layout->counter_count; i++) {
		struct stream_counter *counter = &layout->counters[i];

		if (counter->block != index)
			continue;
		if (modules && counter->id >> block->id_bits)
			return error_set(error, -ENOTSUP,
					 "event %u of %s cannot be streamed",
					 counter->id, block->name);
		counter->lane = wide ? 2 * next : next;
		counter->wide = wide;
		counter->simds = stream.simds;
		next++;
	}
	return 0;
}

static int
assign_all_lanes(struct stream_layout *layout, struct drmperf_error *error)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < layout->counter_count; i++) {
		const size_t block = layout->counters[i].block;
		size_t first = 0;

		while (layout->counters[first].block != block)
			first++;
		if (first == i)
			ret = assign_lanes(layout, block, error);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Entries                                                              */

static uint32_t
append_entry(struct stream_layout *layout, unsigned segment, unsigned is_odd,
	     uint16_t code, size_t block)
{
	layout->entries[layout->entry_count] = (struct stream_entry){
		.code = code,
		.segment = (uint8_t)segment,
		.is_odd = (uint8_t)is_odd,
		.place = layout->segments[segment].counts[is_odd]++,
		.block = block,
	};
	return (uint32_t)layout->entry_count++;
}

/*
 * Return the code of an instance. Blocks of an engine that are in the global
 * segment have its number.
 */
static unsigned
instance_code(const struct stream_layout *layout,
	      const struct stream_block *stream,
	      const struct block_instance *place)
{
	const bool has_engine = !(place->index & ALL_ENGINES);
	const unsigned number = stream->is_global && has_engine
					? ENGINE_OF(place->index)
					: place->number;
	unsigned code = stream->code << layout->table.block_bit;

	code |= number << stream->instance_bit;
	if (!stream->is_global && !(place->index & ALL_ARRAYS))
		code |= ARRAY_OF(place->index) << layout->table.array_bit;
	return code;
}

static int
append_cell(struct stream_layout *layout, const struct stream_counter *counter,
	    unsigned instance, struct drmperf_error *error)
{
	const struct stream_table *table = &layout->table;
	const struct block *block = &layout->core->blocks[counter->block];
	const struct block_instance *place = &block->instances[instance];
	struct stream_block stream;
	unsigned segment = 0, code;
	uint32_t first;
	int ret = read_block(layout, block, &stream, error);

	if (ret)
		return ret;
	code = instance_code(layout, &stream, place);
	if (!stream.is_global)
		segment = 1 + ENGINE_OF(place->index);
	first = append_entry(
		layout, segment, counter->lane % 2,
		(uint16_t)(code | counter->lane << table->counter_bit),
		counter->block);
	if (counter->wide)
		append_entry(layout, segment, 1,
			     (uint16_t)(code | (counter->lane + 1)
						       << table->counter_bit),
			     counter->block);
	layout->cells[counter->first_cell + instance] = first;
	return 0;
}

static void
append_time(struct stream_layout *layout)
{
	for (unsigned i = 0; i < STREAM_TIME_ENTRIES; i++)
		append_entry(layout, 0, 0, layout->table.time_codes[i],
			     SIZE_MAX);
}

/* Append what a request reads that none before it does. */
static int
append_request(struct stream_layout *layout, const struct gpu *gpu,
	       const struct counter_request *request,
	       struct drmperf_error *error)
{
	const size_t block = request_block(gpu, request);
	const struct stream_counter *counter =
		find_counter(layout, block, request->selector);
	const unsigned count = layout->core->blocks[block].instance_count;
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++) {
		if ((request->instance == DRMPERF_ALL_INSTANCES ||
		     request->instance == (int32_t)i) &&
		    !stream_counter_reads(layout, counter, i))
			ret = append_cell(layout, counter, i, error);
	}
	return ret;
}

static int
append_entries(struct stream_layout *layout, const struct gpu *gpu,
	       const struct counter_request *requests, size_t count,
	       struct drmperf_error *error)
{
	int ret = 0;

	layout->entries = calloc(2 * layout->cell_count + STREAM_TIME_ENTRIES,
				 sizeof(*layout->entries));
	if (!layout->entries)
		return error_set(error, -ENOMEM, "no memory");
	append_time(layout);
	for (size_t i = 0; !ret && i < count; i++)
		ret = append_request(layout, gpu, &requests[i], error);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Lines                                                                */

/* Return the block that has the most entries in a segment. */
static const char *
greatest_block(const struct stream_layout *layout, unsigned segment)
{
	const struct core *core = layout->core;
	const char *name = "";
	size_t most = 0;

	for (size_t i = 0; i < core->block_count; i++) {
		size_t count = 0;

		for (size_t k = 0; k < layout->entry_count; k++)
			count += layout->entries[k].segment == segment &&
				 layout->entries[k].block == i;
		if (count > most) {
			most = count;
			name = core->blocks[i].name;
		}
	}
	return name;
}

/*
 * Count the lines of a segment. Even lines and odd ones take turns, from an
 * even one on; the last is left out if it is odd and empty.
 */
static unsigned
count_lines(const struct stream_segment *segment)
{
	const unsigned even = (segment->counts[0] + STREAM_LINE_ENTRIES - 1) /
			      STREAM_LINE_ENTRIES;
	const unsigned odd = (segment->counts[1] + STREAM_LINE_ENTRIES - 1) /
			     STREAM_LINE_ENTRIES;

	return even > odd ? 2 * even - 1 : 2 * odd;
}

static void
count_all_lines(struct stream_layout *layout)
{
	for (unsigned i = 0; i < STREAM_SEGMENTS; i++) {
		struct stream_segment *segment = &layout->segments[i];

		segment->lines = count_lines(segment);
		if (i && segment->lines > layout->engine_lines)
			layout->engine_lines = segment->lines;
	}
}

/* Return how many lines of a sample a segment takes. */
static unsigned
segment_room(const struct stream_layout *layout, unsigned segment)
{
	if (!segment || layout->table.form != STREAM_EQUAL)
		return layout->segments[segment].lines;
	return segment <= layout->topology->engines ? layout->engine_lines : 0;
}

static int
lay_lines_out(struct stream_layout *layout, struct drmperf_error *error)
{
	const unsigned most =
		layout->table.form == STREAM_EQUAL ? UINT16_MAX : UINT8_MAX;
	const char *name;

	count_all_lines(layout);
	for (unsigned i = 0; i < STREAM_SEGMENTS; i++) {
		struct stream_segment *segment = &layout->segments[i];

		segment->first_line = layout->lines;
		layout->lines += segment_room(layout, i);
		if (segment->lines <= layout->table.lines &&
		    layout->lines <= most)
			continue;
		name = greatest_block(layout, i);
		error_set(error, -ENOSPC,
			  "a sample has no room for so many counters; %s has "
			  "the most",
			  name);
		error_remedy(error,
			     "stream fewer events of %s, or name an "
			     "instance of it",
			     name);
		return -ENOSPC;
	}
	return 0;
}

static uint32_t
entry_place(const struct stream_layout *layout, uint32_t index)
{
	const struct stream_entry *entry = &layout->entries[index];
	const unsigned line = layout->segments[entry->segment].first_line +
			      stream_entry_line(entry);

	return line * STREAM_LINE_ENTRIES + entry->place % STREAM_LINE_ENTRIES;
}

static void
add_place(struct stream_layout *layout, const struct stream_counter *counter,
	  unsigned instance)
{
	const uint32_t entry = layout->cells[counter->first_cell + instance];

	layout->places[layout->place_count++] = (struct stream_place){
		.low = entry_place(layout, entry),
		.high = counter->wide ? entry_place(layout, entry + 1)
				      : STREAM_NO_ENTRY,
	};
}

static size_t
count_values(const struct gpu *gpu, const struct counter_request *requests,
	     size_t count)
{
	size_t values = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t block = request_block(gpu, &requests[i]);

		values += requests[i].instance == DRMPERF_ALL_INSTANCES
				  ? gpu->core.blocks[block].instance_count
				  : 1;
	}
	return values;
}

static int
find_places(struct stream_layout *layout, const struct gpu *gpu,
	    const struct counter_request *requests, size_t count,
	    struct drmperf_error *error)
{
	layout->places = calloc(count_values(gpu, requests, count) + 1,
				sizeof(*layout->places));
	if (!layout->places)
		return error_set(error, -ENOMEM, "no memory");
	for (size_t i = 0; i < count; i++) {
		const struct stream_counter *counter =
			find_counter(layout, request_block(gpu, &requests[i]),
				     requests[i].selector);
		const unsigned instances =
			gpu->core.blocks[counter->block].instance_count;

		if (requests[i].instance != DRMPERF_ALL_INSTANCES)
			add_place(layout, counter,
				  (unsigned)requests[i].instance);
		else
			for (unsigned k = 0; k < instances; k++)
				add_place(layout, counter, k);
	}
	return 0;
}

/* ------------------------------------------------------------------ */

void
stream_layout_destroy(struct stream_layout *layout)
{
	if (!layout)
		return;
	free(layout->counters);
	free(layout->cells);
	free(layout->entries);
	free(layout->places);
	free(layout);
}

int
stream_layout_create(const struct gpu *gpu,
		     const struct counter_request *requests, size_t count,
		     struct stream_layout **out, struct drmperf_error *error)
{
	struct stream_layout *layout = calloc(1, sizeof(*layout));
	int ret;

	if (!layout)
		return error_set(error, -ENOMEM, "no memory");
	layout->core = &gpu->core;
	layout->topology = &gpu->topology;
	ret = read_table(gpu, &layout->table, error);
	if (!ret)
		ret = add_counters(layout, gpu, requests, count, error);
	if (!ret)
		ret = assign_all_lanes(layout, error);
	if (!ret)
		ret = append_entries(layout, gpu, requests, count, error);
	if (!ret)
		ret = lay_lines_out(layout, error);
	if (!ret)
		ret = find_places(layout, gpu, requests, count, error);
	if (ret)
		stream_layout_destroy(layout);
	else
		*out = layout;
	return ret;
}
