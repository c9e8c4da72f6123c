/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/amdgpu/waves.h"

#include <string.h>

#define THREADS 64u /* one wave of as many lanes, on gfx10 and later as well */

/* Dwords of the buffer: a sign that it is done, the program, its memory. */
#define DONE 0
#define PROGRAM 64u /* at a multiple of 256 bytes */
#define RESULTS (PROGRAM + SHADER_DWORDS)

static void
write_waves(struct pm4 *pm4, const struct core *core, uint64_t results,
	    const void *data)
{
	const struct waves *waves = data;

	launch_write(pm4, core, results + PROGRAM * sizeof(uint32_t),
		     &waves->launch);
	pm4_store(pm4, 1, results + DONE * sizeof(uint32_t));
}

int
waves_run(struct harness *harness, const struct waves *waves)
{
	uint32_t given[RESULTS], results[RESULTS];
	const struct experiment experiment = {
		.check = waves->check,
		.expected = waves->expected,
		.what = "waves launched",
		.engine = waves->engine,
		.write = write_waves,
		.data = waves,
		.results = RESULTS,
		.room = waves->launch.bytes / sizeof(uint32_t),
		.given = given,
		.given_count = RESULTS,
		.done = DONE,
	};

	memset(given, 0, PROGRAM * sizeof(uint32_t));
	given[DONE] = HARNESS_NOTHING;
	memcpy(given + PROGRAM, waves->shader->dwords,
	       sizeof(waves->shader->dwords));
	return harness_run(harness, &experiment, results);
}

int
waves_launch_from(struct harness *harness, const char *check,
		  const char *expected, enum pm4_engine engine, bool enabled)
{
	struct shader shader;
	const struct waves waves = {
		.check = check,
		.expected = expected,
		.engine = engine,
		.shader = &shader,
		.launch = { .threads = THREADS,
			    .groups = WAVES_COUNT,
			    .enabled = enabled,
			    /* The window open on graphics leaves it on. */
			    .stays_set = engine == PM4_ENGINE_GFX },
	};

	shader_begin(&shader, harness->gpu->core.level);
	shader_end(&shader);
	return waves_run(harness, &waves);
}

int
waves_launch(struct harness *harness, const char *check, const char *expected)
{
	return waves_launch_from(harness, check, expected, PM4_ENGINE_COMPUTE,
				 true);
}
