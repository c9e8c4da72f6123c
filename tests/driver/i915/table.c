/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/i915/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <i915_drm.h>

#include "catalog/user_tables.h"
#include "driver/i915/topology.h"

/*
 * Device ids and the shapes of whole chips. From DG2 on the kernel tells one
 * slice with all dual subslices.
 */
const struct i915_shape i915_shapes[] = {
	{ "hsw", 0x0d22, 2, 2, 10, 0 },
	{ "bdw", 0x1626, 2, 3, 8, 0 },
	{ "chv", 0x22b0, 1, 2, 8, 0 },
	{ "sklgt2", 0x1912, 1, 3, 8, 0 },
	{ "sklgt3", 0x1926, 2, 3, 8, 0 },
	{ "sklgt4", 0x193b, 3, 3, 8, 0 },
	{ "bxt", 0x5a84, 1, 3, 6, 0 },
	{ "kblgt2", 0x5912, 1, 3, 8, 0 },
	{ "kblgt3", 0x5926, 2, 3, 8, 0 },
	{ "glk", 0x3184, 1, 3, 6, 0 },
	{ "cflgt2", 0x3e92, 1, 3, 8, 0 },
	{ "cflgt3", 0x3ea5, 2, 3, 8, 0 },
	{ "cnl", 0x5a52, 4, 3, 8, 0 },
	{ "icl", 0x8a52, 1, 8, 8, 0 },
	{ "ehl", 0x4571, 1, 4, 8, 0 },
	{ "tglgt1", 0x9a60, 1, 2, 16, 0 },
	{ "tglgt2", 0x9a49, 1, 6, 16, 0 },
	{ "rkl", 0x4c8a, 1, 2, 16, 0 },
	{ "dg1", 0x4905, 1, 6, 16, 0 },
	{ "adl", 0x46a6, 1, 6, 16, 0 },
	{ "adls", 0x4680, 1, 2, 16, 0 },
	{ "adln", 0x46d0, 1, 2, 16, 0 },
	{ "acmgt3", 0x56a0, 1, 32, 16, 0 },
	{ "mtlgt2", 0x7d45, 1, 4, 16, 0 },
	{ "mtlgt3", 0x7d55, 1, 8, 16, 0 },
	{ "arlgt1", 0x7d67, 1, 4, 16, 0 },
	{ "arlgt2", 0x7d51, 1, 8, 16, 0 },
	/* the smaller DG2 chips have the slices from the third on */
	{ "acmgt1", 0x56a5, 1, 8, 16, 8 },
	{ "acmgt2", 0x56a3, 1, 16, 16, 8 },
};

const size_t i915_shape_count = sizeof(i915_shapes) / sizeof(i915_shapes[0]);

const struct i915_shape *
i915_shape_find(const char *platform)
{
	for (size_t i = 0; i < i915_shape_count; i++) {
		if (!strcmp(i915_shapes[i].platform, platform))
			return &i915_shapes[i];
	}
	return NULL;
}

/*
 * Exit on an error. Benchmarks use this too: no libcheck here. An exit fails a
 * test as well.
 */
static void
exit_on_error(int ret, const struct drmperf_error *error)
{
	if (!ret)
		return;
	fprintf(stderr, "i915_table: %s: %s\n", strerror(-ret), error->cause);
	exit(EXIT_FAILURE);
}

static void
set_bits(uint8_t *mask, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++)
		mask[i / 8] |= (uint8_t)(1 << i % 8);
}

size_t
i915_shape_topology(const struct i915_shape *shape,
		    uint8_t data[I915_TOPOLOGY_MAX])
{
	unsigned most = shape->absent + shape->subslices;
	unsigned subslice_stride = (most + 7) / 8;
	unsigned eu_stride = (shape->eus + 7) / 8;
	const struct drm_i915_query_topology_info head = {
		.max_slices = (uint16_t)shape->slices,
		.max_subslices = (uint16_t)most,
		.max_eus_per_subslice = (uint16_t)shape->eus,
		.subslice_offset = 1,
		.subslice_stride = (uint16_t)subslice_stride,
		.eu_offset = (uint16_t)(1 + shape->slices * subslice_stride),
		.eu_stride = (uint16_t)eu_stride,
	};
	unsigned total = shape->slices * most;
	uint8_t *masks = data + sizeof(head);

	memset(data, 0, I915_TOPOLOGY_MAX);
	memcpy(data, &head, sizeof(head));
	set_bits(masks, 0, shape->slices);
	for (unsigned s = 0; s < shape->slices; s++)
		set_bits(masks + 1 + s * subslice_stride, shape->absent, most);
	for (unsigned i = 0; i < total; i++)
		set_bits(masks + head.eu_offset + i * eu_stride, 0, shape->eus);
	return sizeof(head) + head.eu_offset + total * eu_stride;
}

const char *
i915_table_folder(void)
{
	static char path[4096];
	const char *top = getenv("TOP_DIR");

	snprintf(path, sizeof(path), "%s/events", top ? top : ".");
	return path;
}

static struct table *
read_table(const char *name)
{
	const char *folder = i915_table_folder();
	const struct table_path path = { &folder, 1, NULL };
	struct drmperf_error error = { .cause = "" };
	struct table *table = NULL;

	exit_on_error(table_find(&path, "i915", name, &table, &error), &error);
	return table;
}

struct table *
i915_read_registers(const char *platform)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.registers", platform);
	return read_table(name);
}

const struct element *
i915_set_registers(struct i915_gpu *gpu, const char *set)
{
	const struct element *element;

	if (!gpu->oa.registers)
		gpu->oa.registers = i915_read_registers(gpu->oa.platform.name);
	element = gpu->oa.registers->root->child;
	while (element && strcmp(element_attribute(element, "name"), set))
		element = element->next;
	return element;
}

/* Tell what oa_driver_open() learns from the kernel. */
static void
identify_gpu(struct i915_gpu *gpu, const struct i915_facts *facts)
{
	struct drmperf_error error = { .cause = "" };

	gpu->oa.platforms = read_table("platforms");
	gpu->oa.device_id = facts->device_id;
	exit_on_error(oa_gpu_find_platform(&gpu->oa, NULL, &error), &error);
	exit_on_error(i915_topology_decode(
			      facts->topology, facts->topology_length,
			      &gpu->oa.platform.shape, &gpu->oa.topology),
		      &error);
	exit_on_error(oa_gpu_find_platform(&gpu->oa, &gpu->oa.topology, &error),
		      &error);
	gpu->revision = facts->revision;
	gpu->oa.timestamp_hz = facts->timestamp_hz
				       ? facts->timestamp_hz
				       : gpu->oa.platform.timestamp_hz;
	gpu->oa.min_hz = facts->min_hz;
	gpu->oa.max_hz = gpu->oa.peak_hz = facts->max_hz;
}

static void
describe_gpu(struct i915_gpu *gpu, const struct user_tables *extra,
	     struct description *description)
{
	static const char *const names[] = { "oa", "oam" };
	const struct driver_target target = {
		.user_tables = extra ? extra->tables : NULL,
		.user_table_count = extra ? extra->count : 0,
	};
	struct drmperf_error error = { .cause = "" };

	for (unsigned i = 0; i <= OA_UNIT_MEDIA; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.device = gpu,
			.exclusive = true,
		};

		exit_on_error(description_add_domain(description, &domain,
						     &gpu->oa.sets.domains[i]),
			      &error);
	}
	exit_on_error(oa_gpu_describe(&gpu->oa, &target, description, &error),
		      &error);
}

static void
open_facts(struct i915_table *table, const struct i915_facts *facts,
	   const struct user_tables *extra, const struct log_sink *log)
{
	struct drmperf_error error = { .cause = "" };
	struct i915_gpu *gpu = &table->gpu;
	const struct driver_target target = {
		.log = log ? *log : (struct log_sink){ 0 },
	};
	struct description description;

	memset(table, 0, sizeof(*table));
	oa_gpu_init(&gpu->oa, "i915", &target);
	identify_gpu(gpu, facts);
	exit_on_error(i915_gpu_make_constants(&gpu->oa, &error), &error);
	gpu->oa.table = read_table(gpu->oa.platform.name);
	exit_on_error(description_init(&description), &error);
	describe_gpu(gpu, extra, &description);
	exit_on_error(catalog_create(&description, "i915", NULL, log,
				     &table->catalog, &error),
		      &error);
}

void
i915_table_open_facts(struct i915_table *table, const struct i915_facts *facts)
{
	open_facts(table, facts, NULL, NULL);
}

void
i915_table_open_with(struct i915_table *table, const struct i915_shape *shape,
		     int revision, const struct user_tables *extra,
		     const struct log_sink *log)
{
	_Alignas(8) uint8_t topology[I915_TOPOLOGY_MAX];
	const struct i915_facts facts = {
		.device_id = shape->device_id,
		.topology = topology,
		.topology_length = i915_shape_topology(shape, topology),
		.revision = revision,
		.min_hz = 300000000,
		.max_hz = 1150000000,
	};

	open_facts(table, &facts, extra, log);
}

void
i915_table_open(struct i915_table *table, const struct i915_shape *shape,
		int revision)
{
	i915_table_open_with(table, shape, revision, NULL, NULL);
}

void
i915_table_close(struct i915_table *table)
{
	catalog_destroy(table->catalog);
	oa_gpu_finish(&table->gpu.oa);
}
