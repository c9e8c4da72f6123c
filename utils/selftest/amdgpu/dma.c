/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/dma.h"

#include <string.h>

#define CHECK "dma.data"

/* Dwords of a buffer: what is copied, the copy, a sign that it is done. */
#define WORDS 256u
#define DONE (2u * WORDS)
#define RESULTS (DONE + 1u)

static void
write_words(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	(void)core, (void)data;
	pm4_copy_memory(pm4, results, results + WORDS * sizeof(uint32_t),
			WORDS * sizeof(uint32_t));
	pm4_store(pm4, 1, results + DONE * sizeof(uint32_t));
}

int
dma_try(struct harness *harness)
{
	uint32_t given[WORDS], seen[RESULTS];
	const struct experiment experiment = {
		.check = CHECK,
		.expected = "its commands come back",
		.what = "memory copied by DMA_DATA",
		.engine = harness->gpu->core.commands.samples,
		.write = write_words,
		.results = RESULTS,
		.given = given,
		.given_count = WORDS,
		.done = DONE,
	};
	unsigned same = 0;
	int ret;

	for (uint32_t i = 0; i < WORDS; i++)
		given[i] = i * 0x9e3779b9u;
	ret = harness_run(harness, &experiment, seen);
	if (ret)
		return ret;
	for (uint32_t i = 0; i < WORDS; i++)
		same += seen[WORDS + i] == given[i];
	harness_check(harness, same == WORDS ? SELFTEST_PASS : SELFTEST_FAIL,
		      CHECK, "256 dwords as they were", "%u", same);
	return 0;
}

/* ------------------------------------------------------------------ */

/*
 * Write a copy, which lies behind what is copied, in memory for the GPU alone.
 */
static void
write_copy(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	const uint32_t *bytes = data;
	const uint64_t from = results + WORDS * sizeof(uint32_t);

	(void)core;
	pm4_copy_memory(pm4, from, from + *bytes, *bytes);
	pm4_store(pm4, 1, results);
}

int
dma_copy(struct harness *harness, const char *check, uint32_t bytes)
{
	const struct experiment experiment = {
		.check = check,
		.expected = "its commands come back",
		.what = "much memory copied by DMA_DATA",
		.engine = harness->gpu->core.commands.samples,
		.write = write_copy,
		.data = &bytes,
		.results = WORDS, /* so that what follows is aligned */
		.room = 2 * bytes / sizeof(uint32_t),
	};
	uint32_t seen[WORDS];

	return harness_run(harness, &experiment, seen);
}
