/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/block_read.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "driver/description.h"
#include "table/rows.h"

/* Values of the style attribute of a block or of one of its slots. */
static const struct style_name {
	const char *name;
	enum block_style style;
	bool per_engine;
} style_names[] = {
	{ "generic", BLOCK_GENERIC, false },   { "sq", BLOCK_GENERIC, false },
	{ "cfg", BLOCK_CFG, false },	       { "sdma", BLOCK_SDMA, false },
	{ "per-engine", BLOCK_GENERIC, true }, { "rlc", BLOCK_RLC, false },
};

/* Where an element inherits from: the block, for its slots. */
struct inherited {
	const struct element *block;
	const struct table *table;
};

static const char *
attribute_or_block(const struct inherited *from, const struct element *element,
		   const char *name)
{
	const char *value = element_attribute(element, name);

	return value ? value : element_attribute(from->block, name);
}

static int
read_style(const struct inherited *from, const struct element *element,
	   const struct style_name **out, struct drmperf_error *error)
{
	const char *style = attribute_or_block(from, element, "style");

	for (size_t i = 0; style && i < ARRAY_SIZE(style_names); i++) {
		if (!strcmp(style, style_names[i].name)) {
			*out = &style_names[i];
			return 0;
		}
	}
	return element_error(from->table, element, error,
			     "style is not one that events/README.md knows");
}

static int
read_register(const struct inherited *from, const struct element *element,
	      const char *name, struct pm4_register *out,
	      struct drmperf_error *error)
{
	const char *window = attribute_or_block(from, element, "window");
	struct pm4_register reg;
	uint64_t offset;
	int ret;

	ret = element_uint(from->table, element, name, PM4_REGISTER_END - 4,
			   &offset, error);
	if (ret)
		return ret;
	reg.byte = (uint32_t)offset;
	if (!window || (strcmp(window, "uconfig") && strcmp(window, "copy")))
		return element_error(from->table, element, error,
				     "window is neither uconfig nor copy");
	if (reg.byte % 4 || pm4_in_uconfig(reg) != !strcmp(window, "uconfig"))
		return element_error(from->table, element, error,
				     "%s is no register of its window", name);
	*out = reg;
	return 0;
}

static int
read_optional_register(const struct inherited *from,
		       const struct element *element, const char *name,
		       struct pm4_register *out, struct drmperf_error *error)
{
	out->byte = 0;
	if (!element_attribute(element, name))
		return 0;
	return read_register(from, element, name, out, error);
}

static int
read_width(const struct inherited *from, const struct element *element,
	   struct block_slot *slot, struct drmperf_error *error)
{
	const struct element *bits =
		element_attribute(element, "bits") ? element : from->block;
	uint64_t value;
	int ret;

	ret = element_uint(from->table, bits, "bits", 64, &value, error);
	if (ret)
		return ret;
	slot->bits = (unsigned)value;
	if (value != 64 && value != 48 && value != BLOCK_LEAST_BITS)
		return element_error(from->table, bits, error,
				     "bits is not 64, 48 or 32");
	if (!slot->high.byte && value != BLOCK_LEAST_BITS)
		return element_error(from->table, element, error,
				     "a result of %u bits needs hi",
				     slot->bits);
	return 0;
}

static int
read_slot(const struct inherited *from, const struct element *element,
	  struct block_slot *slot, struct drmperf_error *error)
{
	const struct style_name *style = NULL;
	uint64_t id_bits;
	int ret;

	ret = read_style(from, element, &style, error);
	if (!ret)
		ret = read_register(from, element, "select", &slot->select,
				    error);
	if (!ret)
		ret = read_optional_register(from, element, "select1",
					     &slot->select1, error);
	if (!ret)
		ret = read_register(from, element, "lo", &slot->low, error);
	if (!ret)
		ret = read_optional_register(from, element, "hi", &slot->high,
					     error);
	if (!ret)
		ret = element_uint(from->table, element, "id-bits", 16,
				   &id_bits, error);
	if (!ret)
		ret = read_width(from, element, slot, error);
	if (ret)
		return ret;
	slot->style = style->style;
	slot->id_bits = (unsigned)id_bits;
	return 0;
}

/* The slots of a block as they are read. */
struct slot_list {
	struct block_slot slots[BLOCK_MAX_SLOTS];
	unsigned banks[BLOCK_MAX_SLOTS];
	int lines[BLOCK_MAX_SLOTS];
	unsigned count;
};

static int
explain_count(const struct block *block, const struct element *element,
	      struct drmperf_error *error)
{
	return element_error(block->table, element, error,
			     "a block has 1 to %u slots", BLOCK_MAX_SLOTS);
}

static int
list_slots(const struct block *block, const struct element *element,
	   struct arena *arena, struct slot_list *list,
	   struct drmperf_error *error)
{
	const struct inherited from = { element, block->table };
	const struct element *slot;
	struct rows rows;
	uint64_t part;
	int ret = 0;

	rows_begin(&rows, block->table, element->child, "slot", arena);
	while (!ret && (ret = rows_next(&rows, &slot, error)) > 0) {
		unsigned at = list->count++;

		if (at == BLOCK_MAX_SLOTS)
			return explain_count(block, element, error);
		ret = element_uint_or(block->table, slot, "part",
				      BLOCK_MAX_SLOTS - 1,
				      block->per_engine ? at : 0, &part, error);
		if (!ret)
			ret = read_slot(&from, slot, &list->slots[at], error);
		list->banks[at] = (unsigned)part;
		list->lines[at] = slot->line;
	}
	if (!ret && !list->count)
		ret = explain_count(block, element, error);
	return ret;
}

/*
 * Check the banks of a block. Slots stand in the table bank by bank; all banks
 * have the same number of them.
 */
static int
check_banks(const struct block *block, const struct slot_list *list,
	    struct drmperf_error *error)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct element slot = { .name = "slot",
					      .line = list->lines[i] };

		if (list->banks[i] != i * block->banks / list->count)
			return element_error(block->table, &slot, error,
					     "parts are not in order or not of "
					     "the same size");
	}
	return 0;
}

static int
read_slots(struct block *block, const struct element *element,
	   struct arena *arena, struct drmperf_error *error)
{
	struct slot_list list = { .count = 0 };
	int ret;

	ret = list_slots(block, element, arena, &list, error);
	if (ret)
		return ret;
	/* The last slot belongs to the last part. */
	block->banks = list.banks[list.count - 1] + 1;
	block->max_active = list.count / block->banks;
	ret = check_banks(block, &list, error);
	if (ret)
		return ret;
	block->id_bits = list.slots[0].id_bits;
	for (unsigned i = 0; i < list.count; i++) {
		list.slots[i].place = i % block->max_active;
		if (list.slots[i].id_bits < block->id_bits)
			block->id_bits = list.slots[i].id_bits;
	}
	block->slots = arena_alloc(arena, list.count * sizeof(*block->slots));
	if (!block->slots)
		return error_set(error, -ENOMEM, "no memory");
	memcpy(block->slots, list.slots, list.count * sizeof(*block->slots));
	return 0;
}

/*
 * Check the style of a block. SDMA's control register: for the nth counter an
 * enable bit, a clear bit and the event. Two of them fill it.
 */
static int
check_style(const struct block *block, const struct element *element,
	    struct drmperf_error *error)
{
	for (unsigned i = 0; i < block->banks * block->max_active; i++) {
		const struct block_slot *slot = &block->slots[i];

		if (slot->style == BLOCK_CFG && !block->result_control.byte)
			return element_error(block->table, element, error,
					     "style cfg needs result-control");
		if (slot->style == BLOCK_CFG && slot->place > 15)
			return element_error(block->table, element, error,
					     "RSLT_CNTL reaches 16 counters");
		if (slot->style == BLOCK_SDMA && slot->place > 1)
			return element_error(block->table, element, error,
					     "style sdma has two slots");
	}
	return 0;
}

static int
read_clock(struct block *block, const struct table *table,
	   const struct element *element, struct drmperf_error *error)
{
	uint64_t id;
	int ret;

	if (!element_attribute(element, "clock"))
		return 0;
	ret = element_uint(table, element, "clock", UINT32_MAX, &id, error);
	if (ret)
		return ret;
	block->clock_id = (uint32_t)id;
	block->clock = element_attribute(element, "clock-source")
			       ? BLOCK_CLOCK_RUNS
			       : BLOCK_CLOCK_DOUBTED;
	return 0;
}

static bool
is_set(const struct element *element, const char *name)
{
	const char *value = element_attribute(element, name);

	return value && !strcmp(value, "1");
}

static const char *
read_description(const struct element *element)
{
	element = element_named(element->child, "description");
	return element ? element->text : "";
}

int
block_read_unit(const struct table *table, const struct element *element,
		const char *name, enum drmperf_unit *out,
		struct drmperf_error *error)
{
	if (!name || !unit_from_name(name, out))
		return 0;
	return element_error(table, element, error,
			     "unit \"%s\" is not one of the list in "
			     "events/README.md",
			     name);
}

int
block_read(struct block *block, const struct table *table,
	   const struct element *element, const struct topology *topology,
	   struct arena *arena, struct drmperf_error *error)
{
	const struct inherited from = { element, table };
	const struct style_name *style = NULL;
	uint64_t select_or, copy_bits;
	int ret;

	memset(block, 0, sizeof(*block));
	block->element = element;
	block->table = table;
	block->description = read_description(element);
	block->rocm = element_attribute(element, "rocm");
	block->windowed = is_set(element, "windowed");
	block->stage_masked = is_set(element, "stage-masked");
	block->graphics = is_set(element, "graphics");
	block->saturates = is_set(element, "saturates");
	block->apart = is_set(element, "apart");
	ret = element_text(table, element, "name", &block->name, error);
	if (!ret)
		ret = block_read_unit(table, element,
				      element_attribute(element, "unit"),
				      &block->unit, error);
	if (!ret)
		ret = read_style(&from, element, &style, error);
	if (!ret)
		ret = element_uint_or(table, element, "select-or", UINT32_MAX,
				      0, &select_or, error);
	if (!ret)
		ret = element_uint_or(table, element, "copy-bits", 64, 64,
				      &copy_bits, error);
	if (!ret)
		ret = read_optional_register(&from, element, "result-control",
					     &block->result_control, error);
	if (ret)
		return ret;
	block->per_engine = style->per_engine;
	ret = read_clock(block, table, element, error);
	if (ret)
		return ret;
	block->select_or = (uint32_t)select_or;
	block->halves = copy_bits < 64;
	ret = read_slots(block, element, arena, error);
	if (!ret)
		ret = check_style(block, element, error);
	if (!ret)
		ret = instance_list(block, topology, arena, error);
	return ret;
}
