/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings of OA streams, as rubbish: records as the kernel's, with what is
 * known of the GPU and its topology in records of i915-perf-recorder's types
 * (IGT tools/i915-perf). Every counter of the set that was recorded is computed
 * from them, by the tables of events/i915.
 *
 * Whatever comes: a GPU that cannot be is refused with a reason, no byte beyond
 * the data is read, and a value is the same each time.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/find.h"
#include "catalog/resolve.h"
#include "driver/i915/gpu.h"
#include "driver/intel/oa/records.h"
#include "driver/i915/topology.h"
#include "driver/intel/oa/raw_counters.h"
#include "expr/program.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER 8
#define PLATFORMS_MAX 64

enum {
	RECORD_DEVICE_INFO = 0x10001,
	RECORD_TOPOLOGY = 0x10002,
};

struct device_info {
	uint64_t timestamp_hz;
	uint32_t device_id, revision, min_hz, max_hz;
	uint32_t engine_class, engine_instance, format;
	char set[256];
	char guid[40];
};

struct recording {
	struct device_info info;
	void *topology; /* on the heap, so that ASan sees its end; or NULL */
	size_t topology_length;
};

/* ------------------------------------------------------------------ */
/* Tables, each read once                                               */

static struct {
	char name[32];
	struct table *table;
} tables[PLATFORMS_MAX];

static void
forget_tables(void)
{
	for (size_t i = 0; i < PLATFORMS_MAX; i++)
		table_destroy(tables[i].table);
}

static struct table *
table_of(const char *name)
{
	static const char *const folder = "events";
	static const struct table_path path = { &folder, 1, NULL };
	struct drmperf_error error = { .cause = "" };
	size_t i = 0;

	if (!tables[0].table)
		atexit(forget_tables);
	while (tables[i].table && strcmp(tables[i].name, name))
		i++;
	if (tables[i].table)
		return tables[i].table;
	if (table_find(&path, "i915", name, &tables[i].table, &error)) {
		fprintf(stderr, "%s\n", error.cause);
		abort();
	}
	snprintf(tables[i].name, sizeof(tables[i].name), "%s", name);
	return tables[i].table;
}

/* ------------------------------------------------------------------ */
/* The GPU that a recording tells of                                    */

static void
take_record(void *data, const void *record, size_t size)
{
	struct recording *recording = data;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	if (type == RECORD_DEVICE_INFO &&
	    size >= HEADER + sizeof(recording->info)) {
		memcpy(&recording->info, (const char *)record + HEADER,
		       sizeof(recording->info));
		recording->info.set[sizeof(recording->info.set) - 1] = '\0';
	} else if (type == RECORD_TOPOLOGY && size > HEADER) {
		free(recording->topology);
		recording->topology_length = size - HEADER;
		recording->topology = malloc(size - HEADER);
		memcpy(recording->topology, (const char *)record + HEADER,
		       size - HEADER);
	}
}

static int
identify_gpu(struct i915_gpu *gpu, const struct recording *recording)
{
	struct drmperf_error error = { .cause = "" };
	const struct device_info *info = &recording->info;

	gpu->oa.platforms = table_of("platforms");
	if (platform_find(gpu->oa.platforms, info->device_id, NULL,
			  &gpu->oa.platform, &error)) {
		assert(*error.cause);
		return -1;
	}
	if (i915_topology_decode(recording->topology,
				 recording->topology_length,
				 &gpu->oa.platform.shape, &gpu->oa.topology))
		return -1;
	assert(gpu->oa.topology.eus && gpu->oa.topology.subslices);
	if (platform_find(gpu->oa.platforms, info->device_id, &gpu->oa.topology,
			  &gpu->oa.platform, &error)) {
		assert(*error.cause);
		return -1;
	}
	gpu->revision = (int)info->revision;
	gpu->oa.timestamp_hz = info->timestamp_hz
				       ? info->timestamp_hz
				       : gpu->oa.platform.timestamp_hz;
	gpu->oa.min_hz = info->min_hz;
	gpu->oa.max_hz = gpu->oa.peak_hz = info->max_hz;
	return 0;
}

/* Lay it out as the driver has it. */
static int
describe_set(void *device, group_index group, struct description *description,
	     struct drmperf_error *error)
{
	struct i915_gpu *gpu = device;

	return metric_sets_describe(&gpu->oa.sets, group, description, error);
}

static void
describe_gpu(struct i915_gpu *gpu, struct description *description)
{
	static const char *const names[] = { "oa", "oam" };
	struct drmperf_error error = { .cause = "" };
	int ret = description_init(description);

	for (unsigned i = 0; !ret && i <= OA_UNIT_MEDIA; i++) {
		const struct description_domain domain = {
			.name = names[i],
			.device = gpu,
			.exclusive = true,
		};

		ret = description_add_domain(description, &domain,
					     &gpu->oa.sets.domains[i]);
	}
	for (size_t i = 0; !ret && i < gpu->oa.constants.count; i++)
		ret = description_add_constant(description,
					       gpu->oa.constants.list[i].name,
					       gpu->oa.constants.list[i].value);
	if (!ret)
		ret = raw_counters_add(description, gpu->oa.platform.generation,
				       gpu->oa.sets.domains[OA_UNIT_RENDER],
				       &gpu->oa.sets.raw_group);
	gpu->oa.table = table_of(gpu->oa.platform.name);
	gpu->oa.sets.describe = describe_set;
	if (!ret)
		ret = metric_sets_read(&gpu->oa.sets, gpu->oa.table,
				       &gpu->oa.platform, &gpu->oa.constants,
				       description, &error);
	assert(!ret);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static union drmperf_value
evaluate_value(const struct catalog_value *value, const uint64_t *sums)
{
	struct expr_input inputs[OA_SLOT_COUNT];

	assert(value->counter_count <= OA_SLOT_COUNT);
	for (size_t i = 0; i < value->counter_count; i++)
		inputs[i] =
			(struct expr_input){ &sums[value->counters[i].selector],
					     1 };
	return expr_eval(value->program, inputs);
}

static void
compute_counter(struct catalog *catalog, const struct metric_set *set,
		const char *counter, const uint64_t *sums)
{
	struct drmperf_error error = { .cause = "" };
	const struct drmperf_event *event;
	const struct catalog_value *value;
	union drmperf_value one, other;
	char name[512];
	int length = snprintf(name, sizeof(name), "%s.%s", set->name, counter);

	assert(!catalog_find(catalog, name, (size_t)length, &event, &error));
	assert(!catalog_resolve(event, &value, &error));
	if (!value->program)
		return;
	one = evaluate_value(value, sums);
	other = evaluate_value(value, sums);
	assert(one.u64 == other.u64);
	assert(catalog_event_record(event)->type != DRMPERF_TYPE_DOUBLE ||
	       !isinf(one.f64));
}

static const struct metric_set *
choose_set(const struct metric_sets *sets, const struct device_info *info)
{
	for (size_t i = 0; i < sets->count; i++)
		if (!strcmp(sets->sets[i].name, info->set))
			return &sets->sets[i];
	return sets->count ? &sets->sets[(uint8_t)*info->set % sets->count]
			   : NULL;
}

/* Compute the events of the set, by the names that its driver has for them. */
static void
compute_all(struct i915_gpu *gpu, struct description *description,
	    const struct metric_set *set, const uint64_t *sums)
{
	struct drmperf_error error = { .cause = "" };
	struct description own;
	struct catalog *catalog;
	size_t first = description->event_count;

	assert(!description_copy(description, &own));
	assert(!metric_sets_describe(&gpu->oa.sets, set->group, &own, &error));
	assert(!catalog_create(description, "i915", NULL, NULL, &catalog,
			       &error));
	for (size_t i = first; i < own.event_count; i++)
		if (!own.events[i].hidden)
			compute_counter(catalog, set, own.events[i].name, sums);
	description_release(&own);
	catalog_destroy(catalog);
}

static void
decode_stream(struct i915_gpu *gpu, const struct recording *recording,
	      const uint8_t *data, size_t size)
{
	struct drmperf_error error = { .cause = "" };
	struct description description;
	const struct metric_set *set;
	struct oa_reports reports;

	assert(!i915_gpu_make_constants(&gpu->oa, &error));
	describe_gpu(gpu, &description);
	set = choose_set(&gpu->oa.sets, &recording->info);
	if (set) {
		oa_reports_init(&reports, set->format, UINT64_C(1) << 30);
		oa_accumulator_init(&reports.accumulator, set->format,
				    OA_SCAN_BEST);
		oa_records_take(&reports, data, size);
		compute_all(gpu, &description, set, reports.accumulator.sums);
	} else {
		description_finish(&description);
	}
	metric_sets_finish(&gpu->oa.sets);
	arena_destroy(gpu->oa.arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording recording = { 0 };
	struct i915_gpu gpu = { 0 };

	oa_records_visit(data, size, take_record, &recording);
	if (recording.topology && !identify_gpu(&gpu, &recording))
		decode_stream(&gpu, &recording, data, size);
	free(recording.topology);
	return 0;
}
