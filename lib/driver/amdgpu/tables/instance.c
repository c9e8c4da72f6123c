/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/block_read.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/array.h"

/* Bits of GRBM_GFX_INDEX: all shader engines, all arrays of them. */
#define ALL_ENGINES (1u << 31)
#define ALL_ARRAYS (1u << 29)

enum scope {
	SCOPE_GLOBAL,
	SCOPE_ENGINE,
	SCOPE_ARRAY
};

/* Where an instance may sit; what its scope does not name is 0. */
struct instance_place {
	unsigned engine, array, number;
};

/*
 * A rule of the instances attribute: how many there may be in each place of
 * the block's scope, which of them exist, and what to call one of them.
 */
struct instance_rule {
	const char *name;
	const char *label;
	unsigned (*most)(const struct topology *topology);
	bool (*exists)(const struct topology *topology,
		       const struct instance_place *place);
	unsigned cus; /* compute units in one of them; 0: has none */
	bool is_part; /* where the block has parts, each is one of them */
};

static unsigned
most_cus(const struct topology *topology)
{
	return topology->cus_per_array;
}

static bool
cu_exists(const struct topology *topology, const struct instance_place *place)
{
	return topology_has_cu(topology, place->engine, place->array,
			       place->number);
}

static unsigned
most_wgps(const struct topology *topology)
{
	return topology->cus_per_array / 2;
}

/* Return whether a workgroup processor exists, which two compute units make. */
static bool
wgp_exists(const struct topology *topology, const struct instance_place *place)
{
	return topology_has_cu(topology, place->engine, place->array,
			       place->number * 2) ||
	       topology_has_cu(topology, place->engine, place->array,
			       place->number * 2 + 1);
}

static unsigned
most_rbs(const struct topology *topology)
{
	return topology->rbs_per_array;
}

static bool
rb_exists(const struct topology *topology, const struct instance_place *place)
{
	return topology_has_rb(topology, place->engine, place->array,
			       place->number);
}

static unsigned
most_rb_pairs(const struct topology *topology)
{
	return (topology->rbs_per_array + 1) / 2;
}

static bool
rb_pair_exists(const struct topology *topology,
	       const struct instance_place *place)
{
	return topology_has_rb(topology, place->engine, place->array,
			       place->number * 2) ||
	       topology_has_rb(topology, place->engine, place->array,
			       place->number * 2 + 1);
}

static unsigned
most_channels(const struct topology *topology)
{
	return topology->channels;
}

static bool
channel_exists(const struct topology *topology,
	       const struct instance_place *place)
{
	return place->number >= 64 ||
	       !(topology->channels_off >> place->number & 1);
}

static unsigned
most_arbiters(const struct topology *topology)
{
	return topology->arbiters;
}

static unsigned
most_interfaces(const struct topology *topology)
{
	return topology->interfaces;
}

static unsigned
most_engine_pairs(const struct topology *topology)
{
	return topology->engines > 1 ? topology->engines / 2 : 1;
}

static unsigned
most_sdma_engines(const struct topology *topology)
{
	return topology->sdma_engines ? topology->sdma_engines : UINT_MAX;
}

static const struct instance_rule rules[] = {
	{ "cu-per-sa", "cu", most_cus, cu_exists, 1, false },
	{ "wgp-per-sa", "wgp", most_wgps, wgp_exists, 2, false },
	{ "rb-per-sa", "rb", most_rbs, rb_exists, 0, false },
	{ "rb-pairs-per-sa", "rbpair", most_rb_pairs, rb_pair_exists, 0,
	  false },
	{ "channels", "channel", most_channels, channel_exists, 0, false },
	{ "l2-arbiters", "arbiter", most_arbiters, NULL, 0, false },
	{ "memory-interfaces", "interface", most_interfaces, NULL, 0, false },
	{ "se-pairs", "sepair", most_engine_pairs, NULL, 0, false },
	{ "sdma-engines", "sdma", most_sdma_engines, NULL, 0, true },
};

/* The list as it grows, and what it is made from. */
struct list {
	struct block *block;
	const struct topology *topology;
	struct arena *arena;
	enum scope scope;
	const struct instance_rule *rule; /* NULL: a plain number */
	unsigned most;
	bool parts_are_instances;
};

/*
 * Return the number of a compute unit. From gfx10 on compute units are reached
 * by workgroup processor: the unit in bit 0, the processor in bits 4:2, and bit
 * 5 for those below the SPI, which only Navi1x has (AMD PAL,
 * gfx9PerfCtrInfo.cpp).
 */
static uint32_t
cu_number(const struct topology *topology, unsigned cu)
{
	unsigned above = topology->wgps_above_spi, wgp = cu / 2;

	if (topology->level < 10)
		return cu;
	if (above && wgp >= above)
		return 0x20 | (wgp - above) << 2 | cu % 2;
	return wgp << 2 | cu % 2;
}

static uint32_t
hardware_number(const struct list *list, unsigned number)
{
	if (list->rule && list->rule->cus)
		return cu_number(list->topology, number * list->rule->cus);
	return number;
}

static uint32_t
grbm_index(const struct list *list, const struct instance_place *place)
{
	uint32_t number = hardware_number(list, place->number);

	switch (list->scope) {
	case SCOPE_GLOBAL:
		break;
	case SCOPE_ENGINE:
		return ALL_ARRAYS | place->engine << 16 | number;
	case SCOPE_ARRAY:
		return place->engine << 16 | place->array << 8 | number;
	}
	return ALL_ENGINES | ALL_ARRAYS | number;
}

/*
 * Write "se2" of "se" and 2. Returns where it ends. There are thousands of
 * them.
 */
static char *
write_number(char *to, const char *label, unsigned number)
{
	char digits[10], *digit = digits;

	to = stpcpy(to, label);
	do {
		*digit++ = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (digit > digits)
		*to++ = *--digit;
	return to;
}

static const char *
instance_name(const struct list *list, const struct instance_place *place,
	      unsigned bank)
{
	const char *label = list->rule ? list->rule->label : "";
	char name[80], *end = name;

	if (list->scope != SCOPE_GLOBAL)
		end = write_number(end, "se", place->engine);
	if (list->scope == SCOPE_ARRAY)
		end = write_number(end, ".sa", place->array);
	if (list->most > 1 || list->scope == SCOPE_GLOBAL) {
		if (end > name)
			*end++ = '.';
		end = write_number(end, label, place->number);
	}
	if (list->block->banks > 1 && !list->block->per_engine &&
	    !list->parts_are_instances)
		end = write_number(end, ".part", bank);
	return arena_strndup(list->arena, name, (size_t)(end - name));
}

static int
list_append_place(struct list *list, const struct instance_place *place,
		  unsigned bank, uint32_t index, struct drmperf_error *error)
{
	struct block *block = list->block;
	const char *name = instance_name(list, place, bank);

	if (!name)
		return error_set(error, -ENOMEM, "no memory");
	block->instances[block->instance_count] =
		(struct block_instance){ .index = index,
					 .number = place->number,
					 .bank = bank };
	block->instance_names[block->instance_count++] = name;
	return 0;
}

/* Append one instance of the hardware: as many of ours as it has parts. */
static int
append_parts(struct list *list, const struct instance_place *place,
	     struct drmperf_error *error)
{
	const struct block *block = list->block;
	uint32_t index = grbm_index(list, place);
	int ret = 0;

	/* Registers of their own: nothing has to be indexed. */
	if (block->per_engine)
		return place->engine < block->banks
			       ? list_append_place(list, place, place->engine,
						   BLOCK_BROADCAST, error)
			       : 0;
	if (list->parts_are_instances)
		return list_append_place(list, place, place->number,
					 BLOCK_BROADCAST, error);
	for (unsigned bank = 0; !ret && bank < block->banks; bank++)
		ret = list_append_place(list, place, bank, index, error);
	return ret;
}

static int
append_numbers(struct list *list, unsigned engine, unsigned array,
	       struct drmperf_error *error)
{
	struct instance_place place = { .engine = engine, .array = array };
	int ret = 0;

	for (; !ret && place.number < list->most; place.number++) {
		if (list->rule && list->rule->exists &&
		    !list->rule->exists(list->topology, &place))
			continue;
		ret = append_parts(list, &place, error);
	}
	return ret;
}

static int
append_engine(struct list *list, unsigned engine, struct drmperf_error *error)
{
	const struct topology *topology = list->topology;
	int ret = 0;

	if (!topology_has_engine(topology, engine))
		return 0;
	if (list->scope == SCOPE_ENGINE)
		return append_numbers(list, engine, 0, error);
	for (unsigned sa = 0; !ret && sa < topology->arrays; sa++) {
		if (topology_has_array(topology, engine, sa))
			ret = append_numbers(list, engine, sa, error);
	}
	return ret;
}

/*
 * Append the units of each engine. Fused-off units make engines uneven;
 * position in an engine then means the position in the fullest one.
 */
static int
append_engines(struct list *list, struct drmperf_error *error)
{
	struct block *block = list->block;
	unsigned before;
	int ret = 0;

	for (unsigned se = 0; !ret && se < list->topology->engines; se++) {
		before = block->instance_count;
		ret = append_engine(list, se, error);
		if (block->instance_count - before >
		    block->instances_per_engine)
			block->instances_per_engine =
				block->instance_count - before;
	}
	return ret;
}

static int
read_scope(struct list *list, const struct element *element,
	   struct drmperf_error *error)
{
	static const char *const names[] = {
		[SCOPE_GLOBAL] = "global",
		[SCOPE_ENGINE] = "se",
		[SCOPE_ARRAY] = "sa",
	};
	const char *text;
	int ret;

	ret = element_text(list->block->table, element, "scope", &text, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			list->scope = (enum scope)i;
			return 0;
		}
	}
	return element_error(list->block->table, element, error,
			     "scope is not global, se or sa");
}

static int
read_rule(struct list *list, const struct element *element,
	  struct drmperf_error *error)
{
	const struct table *table = list->block->table;
	const char *text;
	uint64_t number;
	int ret;

	ret = element_text(table, element, "instances", &text, error);
	if (ret)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (strcmp(text, rules[i].name))
			continue;
		list->rule = &rules[i];
		list->most = rules[i].most(list->topology);
		list->parts_are_instances =
			rules[i].is_part && list->block->banks > 1;
		if (rules[i].is_part && list->most > list->block->banks)
			list->most = list->block->banks;
		return 0;
	}
	ret = element_uint(table, element, "instances", 255, &number, error);
	if (!ret)
		list->most = (unsigned)number;
	return ret;
}

static unsigned
count_max_instances(const struct list *list)
{
	unsigned count = list->most * list->block->banks;

	if (list->scope != SCOPE_GLOBAL)
		count *= list->topology->engines;
	if (list->scope == SCOPE_ARRAY)
		count *= list->topology->arrays;
	return count;
}

int
instance_list(struct block *block, const struct topology *topology,
	      struct arena *arena, struct drmperf_error *error)
{
	struct list list = { .block = block,
			     .topology = topology,
			     .arena = arena };
	unsigned most;
	int ret;

	ret = read_scope(&list, block->element, error);
	if (!ret)
		ret = read_rule(&list, block->element, error);
	if (ret)
		return ret;
	most = count_max_instances(&list);
	block->instances =
		arena_alloc(arena, (most + 1) * sizeof(*block->instances));
	block->instance_names =
		arena_alloc(arena, (most + 1) * sizeof(*block->instance_names));
	if (!block->instances || !block->instance_names)
		return error_set(error, -ENOMEM, "no memory");
	if (list.scope == SCOPE_GLOBAL) {
		ret = append_numbers(&list, 0, 0, error);
		block->instances_per_engine = block->instance_count;
	} else {
		ret = append_engines(&list, error);
	}
	if (block->instance_count <= 1)
		block->instance_names = NULL;
	return ret;
}
