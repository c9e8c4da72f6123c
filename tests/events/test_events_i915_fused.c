/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every table in events/i915, as GPUs list it of which subslices are fused
 * off: whatever is listed can be resolved, and counts something, and of
 * alternative register lists the right one is written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

#include "catalog/lazy_load.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "expr/program.h"
#include "driver/i915/oa_config.h"
#include "tests/support/check.h"
#include "tests/driver/i915/table.h"
#include "tests/support/suite.h"

#define STEPPING 6

/*
 * With that many subslices every mask is walked. Where there are XeCores,
 * conditions ask for one of them, or for a slice.
 */
#define WALKED_MAX 9
#define WALKED_XECORES_MAX 6

/* Return the subslices of a shape, those before the first one left out. */
static unsigned
subslices_of(const struct i915_shape *shape)
{
	return shape->slices * shape->subslices;
}

static void
clear_bit(uint8_t *mask, unsigned bit)
{
	mask[bit / 8] &= (uint8_t) ~(1u << bit % 8);
}

/*
 * Return the kernel's answer for a chip that has the subslices of the mask
 * only.
 */
static size_t
fuse_topology(const struct i915_shape *shape, uint64_t mask,
	      uint8_t topology[I915_TOPOLOGY_MAX])
{
	const struct drm_i915_query_topology_info *head = (void *)topology;
	size_t length = i915_shape_topology(shape, topology);
	uint8_t *masks = topology + sizeof(*head);

	for (unsigned s = 0; s < shape->slices; s++) {
		uint64_t slice = mask >> (s * shape->subslices) &
				 ((UINT64_C(1) << shape->subslices) - 1);

		if (!slice)
			clear_bit(masks, s);
		for (unsigned n = 0; n < shape->subslices; n++)
			if (!(slice >> n & 1))
				clear_bit(masks + head->subslice_offset +
						  s * head->subslice_stride,
					  shape->absent + n);
	}
	return length;
}

static void
open_fused(struct i915_table *table, const struct i915_shape *shape,
	   uint64_t mask, int stepping)
{
	_Alignas(8) uint8_t topology[I915_TOPOLOGY_MAX];
	const struct i915_facts facts = {
		.device_id = shape->device_id,
		.topology = topology,
		.topology_length = fuse_topology(shape, mask, topology),
		.revision = stepping,
		.max_hz = 1150000000,
	};

	i915_table_open_facts(table, &facts);
}

/* Returns how many events were listed. */
static size_t
walk_mask(const struct i915_shape *shape, uint64_t mask)
{
	struct drmperf_error error = { .cause = "" };
	const struct catalog_value *value;
	const struct catalog_list *list;
	struct i915_table table;
	size_t count;

	open_fused(&table, shape, mask, STEPPING);
	list = catalog_list(table.catalog);
	for (size_t i = 0; i < list->count; i++) {
		const struct drmperf_event *event = list->events[i];

		ck_assert_msg(!catalog_resolve(event, &value, &error),
			      "%s, subslices %llx: %s: %s", shape->platform,
			      (unsigned long long)mask, event->name,
			      error.cause);
		ck_assert_msg(value->counter_count + value->alternative_count,
			      "%s, subslices %llx: %s counts nothing",
			      shape->platform, (unsigned long long)mask,
			      event->name);
	}
	count = list->count;
	i915_table_close(&table);
	return count;
}

static bool
is_slow(void)
{
#ifdef __SANITIZE_ADDRESS__
	return !getenv("CHECK_ALL");
#else
	return getenv("VALGRIND");
#endif
}

TEST_CASE(all, NULL, NULL, "events_i915_fused");

TEST_LOOP(all, whatever_is_listed_resolves, i915_shape_count)
{
	const struct i915_shape *shape = &i915_shapes[_i];
	const uint64_t step = is_slow() ? 16 : 1;
	unsigned subslices = subslices_of(shape);
	const uint64_t all = (UINT64_C(1) << subslices) - 1;
	size_t most = walk_mask(shape, all);

	if (subslices <= (shape->eus == 16 ? WALKED_XECORES_MAX : WALKED_MAX)) {
		for (uint64_t mask = 1; mask < all; mask += step)
			ck_assert_uint_le(walk_mask(shape, mask), most);
		return;
	}
	/* each absent, and whatever is before or behind it */
	for (unsigned i = 0; i < subslices; i += (unsigned)step) {
		const uint64_t one = UINT64_C(1) << i;

		walk_mask(shape, all & ~one);
		if (i % 8 == 0)
			walk_mask(shape, all & (2 * one - 1));
		if (i % 8 == 0)
			walk_mask(shape, all & ~(one - 1));
	}
}

/* The busiest sampler, where the second one is fused off. */
TEST(all, absent_hardware_reads_zero)
{
	static const struct i915_shape shape = { "sklgt2", 0x1912, 1, 3, 8, 0 };
	static const char *const names[] = { "RenderBasic.SamplersBusy",
					     "RenderBasic.Sampler1Busy" };
	uint64_t raw[OA_SLOT_COUNT] = {
		[OA_SLOT_CLOCK] = 1000, [OA_SLOT_B] = 300, [OA_SLOT_B + 1] = 900
	};
	struct expr_input inputs[OA_SLOT_COUNT];
	struct drmperf_error error = { .cause = "" };
	const struct catalog_value *value;
	const struct drmperf_event *event;
	struct i915_table table;

	open_fused(&table, &shape, 5, STEPPING);
	ck_assert_int_eq(catalog_find(table.catalog, names[1], strlen(names[1]),
				      &event, &error),
			 -ENOENT);
	ck_assert_int_eq(catalog_find(table.catalog, names[0], strlen(names[0]),
				      &event, &error),
			 0);
	ck_assert_int_eq(catalog_resolve(event, &value, &error), 0);
	for (size_t i = 0; i < value->counter_count; i++)
		inputs[i] = (struct expr_input){
			.values = &raw[value->counters[i].selector],
			.count = 1,
		};
	ck_assert_double_eq(expr_eval(value->program, inputs).f64, 30);
	i915_table_close(&table);
}

/*
 * Which of the alternative lists for the multiplexers is written, by how many
 * registers it has; 0: the set is not listed, and refused.
 */
static const struct alternative {
	struct i915_shape shape;
	uint64_t subslices;
	int stepping;
	const char *set;
	size_t registers;
} alternatives[] = {
#define BDW                                                                    \
	{                                                                      \
		"bdw", 0x1626, 2, 3, 8, 0                                      \
	}
#define SKL                                                                    \
	{                                                                      \
		"sklgt2", 0x1912, 1, 3, 8, 0                                   \
	}
	{ BDW, 0x3f, 0, "RenderBasic", 107 },
	{ BDW, 0x07, 0, "RenderBasic", 107 },
	{ BDW, 0x38, 0, "RenderBasic", 112 },
	{ BDW, 0x3f, 0, "ComputeBasic", 85 },
	{ BDW, 0x38, 0, "ComputeBasic", 97 },
	{ BDW, 0x3f, 0, "ComputeExtended", 114 },
	{ BDW, 0x3e, 0, "ComputeExtended", 130 },
	{ BDW, 0x36, 0, "ComputeExtended", 97 },
	{ BDW, 0x34, 0, "ComputeExtended", 113 },
	{ BDW, 0x24, 0, "ComputeExtended", 89 },
	{ BDW, 0x20, 0, "ComputeExtended", 105 },
	{ BDW, 0x01, 0, "DataPortReadsCoalescing", 114 },
	{ BDW, 0x3e, 0, "DataPortReadsCoalescing", 0 },
	{ SKL, 0x7, 0, "MemoryWrites", 62 },
	{ SKL, 0x7, 2, "MemoryWrites", 57 },
	{ SKL, 0x7, 6, "MemoryWrites", 47 },
	{ SKL, 0x7, 6, "MemoryReads", 47 },
	{ SKL, 0x7, 1, "RenderBasic", 0 },
};

TEST_LOOP(all, one_alternative_is_written, (ARRAY_SIZE(alternatives)))
{
	const struct alternative *wanted = &alternatives[_i];
	struct drmperf_error error = { .cause = "" };
	struct oa_config config = { 0 };
	const struct element *lists;
	struct i915_table table;
	bool is_listed = false;
	int ret;

	open_fused(&table, &wanted->shape, wanted->subslices, wanted->stepping);
	lists = i915_set_registers(&table.gpu, wanted->set);
	ret = oa_config_registers(&table.gpu.oa.constants,
				  table.gpu.oa.registers, lists, &config,
				  &error);
	ck_assert_int_eq(ret, wanted->registers ? 0 : -ENOTSUP);
	ck_assert_uint_eq(config.mux.count, wanted->registers);
	for (size_t i = 0; i < table.gpu.oa.sets.count; i++)
		is_listed = is_listed || !strcmp(table.gpu.oa.sets.sets[i].name,
						 wanted->set);
	ck_assert_int_eq(is_listed, wanted->registers != 0);
	oa_config_free(&config);
	i915_table_close(&table);
}
