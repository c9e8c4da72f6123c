/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/steering.h"

#include <glob.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "selftest/amdgpu/dies.h"

#define STATE_RESET 0u

/* Blocks with an instance in each CU. */
static const char *const cu_blocks[] = { "TA", "TD", "TCP" };

/* ------------------------------------------------------------------ */
/* Selects of two places                                                */

struct places {
	const struct block *block;
	const struct block_slot *slot;
	const uint32_t *indices;
	unsigned count;
};

/* Place i keeps the event 1 + i. */
static void
write_places(struct pm4 *pm4, const struct core *core, uint64_t results,
	     const void *data)
{
	const struct places *places = data;
	struct pm4_register select = places->slot->select;

	harness_set_index(pm4, core, BLOCK_BROADCAST);
	harness_set(pm4, core->controls[CORE_CP_PERFMON_CNTL].reg, STATE_RESET);
	harness_set(pm4, select, 0);
	pm4_counter_window(pm4, true);
	for (unsigned i = 0; i < places->count; i++) {
		harness_set_index(pm4, core, places->indices[i]);
		harness_set(pm4, select, (1 + i) | places->block->select_or);
	}
	for (unsigned i = 0; i < places->count; i++) {
		harness_set_index(pm4, core, places->indices[i]);
		pm4_copy_register(pm4, select, results + i * sizeof(uint32_t));
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	harness_set(pm4, select, 0);
	pm4_store(pm4, 1, results + places->count * sizeof(uint32_t));
}

#define PLACES_MAX (TOPOLOGY_ENGINES * 16u)

/* Return the mask of those that have kept what was written. */
static int
run_places(struct harness *harness, const char *check, const char *expected,
	   const struct places *places, bool kept[PLACES_MAX])
{
	const struct core *core = &harness->gpu->core;
	const uint32_t mask = (1u << places->slot->id_bits) - 1;
	const struct experiment experiment = {
		.check = check,
		.expected = expected,
		.what = "selects written and read, place by place",
		.engine = core->commands.samples,
		.source = core->commands.source,
		.write = write_places,
		.data = places,
		.results = places->count + 1,
		.done = places->count,
	};
	uint32_t seen[PLACES_MAX + 1];
	int ret = harness_run(harness, &experiment, seen);

	for (unsigned i = 0; !ret && i < places->count; i++)
		kept[i] = (seen[i] & mask) == 1 + i;
	return ret;
}

/* ------------------------------------------------------------------ */
/* Numbers of CUs and of WGPs                                           */

/*
 * Find a CU that shares its WGP with the next one, as the tables number them.
 */
static bool
find_pair(const struct block *block, uint32_t *first)
{
	for (unsigned i = 0; i + 1 < block->instance_count; i++) {
		*first = block->instances[i].index;
		if (!(*first & 1) &&
		    block->instances[i + 1].index == (*first | 1))
			return true;
	}
	return false;
}

static int
try_number(struct harness *harness, const struct block *block, const char *how,
	   uint32_t first, uint32_t second)
{
	const uint32_t indices[] = { first, second };
	const struct places places = { block, block_slot(block, 0, 0), indices,
				       ARRAY_SIZE(indices) };
	char check[HARNESS_NAME_SIZE], expected[80];
	bool kept[PLACES_MAX];
	int ret;

	snprintf(check, sizeof(check), "numbering.%s.%s", block->name, how);
	snprintf(expected, sizeof(expected),
		 "two CUs of a WGP by GRBM_GFX_INDEX 0x%" PRIx32
		 " and 0x%" PRIx32,
		 first, second);
	ret = run_places(harness, check, expected, &places, kept);
	if (!ret)
		harness_check(harness, harness_answer(kept[0] && kept[1]),
			      check, expected,
			      kept[0] && kept[1] ? "each keeps its event"
			      : kept[1]		 ? "both are the same one"
						 : "the second keeps nothing");
	return ret;
}

int
steering_try_numbers(struct harness *harness)
{
	const struct core *core = &harness->gpu->core;
	uint32_t first;
	int ret = 0;

	if (core->level < 10)
		return 0;
	for (size_t i = 0; ret >= 0 && i < ARRAY_SIZE(cu_blocks); i++) {
		const struct block *block = core_block(core, cu_blocks[i]);

		if (!block || !find_pair(block, &first))
			continue;
		ret = try_number(harness, block, "cu", first, first | 1);
		if (ret >= 0)
			ret = try_number(harness, block, "cu-doubled", first,
					 first | 2);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* The CUs of a die                                                     */

#define CUS_PER_ENGINE 16u
#define INSTANCE_MASK 0xffu
#define ENGINE_MASK 0xff0000u

static uint32_t
cu_index(uint32_t like, unsigned engine, unsigned cu)
{
	return (like & ~(ENGINE_MASK | INSTANCE_MASK)) | engine << 16 | cu;
}

static int
find_kept(struct harness *harness, const struct block *block, const char *check,
	  const char *expected, uint32_t found[TOPOLOGY_ENGINES])
{
	const struct core *core = &harness->gpu->core;
	uint32_t indices[PLACES_MAX];
	const struct block_slot *slot = block_slot(block, 0, 0);
	struct places places = { block, slot, indices, 0 };
	bool kept[PLACES_MAX];
	int ret;

	for (unsigned i = 0; i < TOPOLOGY_ENGINES; i++)
		for (unsigned k = 0; k < CUS_PER_ENGINE; k++)
			if (core->engines >> i & 1)
				indices[places.count++] = cu_index(
					block->instances[0].index, i, k);
	ret = run_places(harness, check, expected, &places, kept);
	for (unsigned i = 0; !ret && i < places.count; i++) {
		unsigned engine = (indices[i] & ENGINE_MASK) >> 16;

		if (kept[i])
			found[engine] |= UINT32_C(1)
					 << (indices[i] & INSTANCE_MASK);
	}
	return ret;
}

/*
 * Find out whether the first die's units, the only ones that the kernel
 * reports, are those of the die that counts.
 */
int
steering_find_cus(struct harness *harness)
{
	static const char check[] = "die.cus";
	static const char expected[] =
		"the CUs that the kernel names, of this die as well";
	const struct topology *topology = &harness->gpu->topology;
	const struct core *core = &harness->gpu->core;
	const struct block *block = core_block(core, "TA");
	uint32_t found[TOPOLOGY_ENGINES] = { 0 };
	unsigned count = 0, others = 0, all = 0;
	int ret;

	if (core->xccs < 2 || !block || !block->instance_count)
		return 0;
	ret = dies_choose(harness);
	if (!ret)
		ret = find_kept(harness, block, check, expected, found);
	if (ret)
		return ret;
	for (unsigned i = 0; i < TOPOLOGY_ENGINES; i++) {
		/* such chips have one array in an engine */
		uint32_t reported = topology->reported_cus[i][0];

		all += (unsigned)__builtin_popcount(reported);
		count += (unsigned)__builtin_popcount(found[i]);
		others += (unsigned)__builtin_popcount(found[i] ^ reported);
	}
	harness_check(harness, harness_answer(!others), check, expected,
		      "die mask 0x%" PRIx32 ": %u keep their selects, %u of %u "
		      "differ from what the kernel names",
		      harness->die, count, others, all);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The kernel's own index                                               */

#define ROUNDS 64
#define READS 128u

/*
 * Thread that reads occupancy from the kernel until there are enough answers.
 */
struct asking {
	const struct harness *harness;
	pthread_t thread;
	atomic_bool ends;
	atomic_uint answers;
};

/*
 * Read the occupancy, as rocm-smi --showpids does: the kernel counts waves by
 * MMIO for that.
 */
static void
read_occupancy(struct asking *asking)
{
	glob_t found;
	char text[16];

	if (glob("/sys/class/kfd/kfd/proc/*/stats_*/cu_occupancy", 0, NULL,
		 &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *file = fopen(found.gl_pathv[i], "re");

		if (!file)
			continue;
		if (fgets(text, sizeof(text), file))
			atomic_fetch_add(&asking->answers, 1);
		fclose(file);
	}
	globfree(&found);
}

static void *
ask_kernel(void *data)
{
	struct asking *asking = data;

	while (!atomic_load(&asking->ends)) {
		if (!amd_device_read_status(asking->harness->gpu->dev, 0))
			atomic_fetch_add(&asking->answers, 1);
		read_occupancy(asking);
	}
	return NULL;
}

static const char name[] = "load.steered";
static const char hope[] =
	"GRBM_GFX_INDEX as written, while the kernel reads registers";

static void
write_indices(struct pm4 *pm4, const struct core *core, uint64_t results,
	      const void *data)
{
	const struct block *block = data;
	struct pm4_register index = core->controls[CORE_GRBM_GFX_INDEX].reg;

	pm4_counter_window(pm4, true);
	for (unsigned i = 0; i < READS; i++) {
		harness_set_index(
			pm4, core,
			block->instances[i % block->instance_count].index);
		pm4_copy_register(pm4, index, results + i * sizeof(uint32_t));
	}
	harness_set_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
	pm4_store(pm4, 1, results + READS * sizeof(uint32_t));
}

/* Return the block with most instances: their indices are all different. */
static const struct block *
find_steered(const struct core *core)
{
	const struct block *most = NULL;

	for (size_t i = 0; i < core->block_count; i++)
		if (!most ||
		    core->blocks[i].instance_count > most->instance_count)
			most = &core->blocks[i];
	return most;
}

static int
look_for_others(struct harness *harness, const struct block *block,
		struct asking *asking, unsigned *wrong)
{
	const struct core *core = &harness->gpu->core;
	const struct experiment experiment = {
		.check = name,
		.expected = hope,
		.what = "GRBM_GFX_INDEX written and read",
		.engine = core->commands.samples,
		.source = core->commands.source,
		.write = write_indices,
		.data = block,
		.results = READS + 1,
		.done = READS,
	};
	uint32_t seen[READS + 1];
	int ret = 0;

	for (unsigned round = 0; !ret && round < ROUNDS; round++) {
		unsigned before = atomic_load(&asking->answers);

		ret = harness_run(harness, &experiment, seen);
		for (unsigned i = 0; !ret && i < READS; i++)
			*wrong += seen[i] !=
				  block->instances[i % block->instance_count]
					  .index;
		/* so that each round has had company, however slow that is */
		for (int k = 0;
		     k < 10 && atomic_load(&asking->answers) == before; k++)
			harness_wait(1000000);
	}
	return ret;
}

int
steering_try_kernel(struct harness *harness)
{
	const struct block *block = find_steered(&harness->gpu->core);
	struct asking asking = { .harness = harness };
	unsigned wrong = 0, answers;
	int ret;

	if (!block || block->instance_count < 2)
		return 0;
	if (pthread_create(&asking.thread, NULL, ask_kernel, &asking)) {
		harness_check(harness, SELFTEST_UNKNOWN, name, hope,
			      "there is no thread to ask the kernel");
		return 0;
	}
	ret = look_for_others(harness, block, &asking, &wrong);
	atomic_store(&asking.ends, true);
	pthread_join(asking.thread, NULL);
	if (ret)
		return ret;
	answers = atomic_load(&asking.answers);
	if (!answers)
		harness_check(harness, SELFTEST_UNKNOWN, name, hope,
			      "the kernel answers nothing that it steers for");
	else
		harness_check(harness, harness_answer(!wrong), name, hope,
			      "%u of %u differed, beside %u answers of the "
			      "kernel",
			      wrong, ROUNDS * READS, answers);
	return 0;
}
