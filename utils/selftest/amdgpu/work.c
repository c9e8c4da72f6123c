/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work with known results: each thread takes a number from memory, adds to it
 * many times, and stores it elsewhere.
 */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "selftest/amdgpu/launch.h"
#include "selftest/amdgpu/stages.h"

#define THREADS 256u
#define GROUPS 64u /* which all do the same */
#define ADDITIONS 64u
#define ADDEND 0x9e3779b9u

/* Dwords of the buffer */
#define INPUT SHADER_DWORDS
#define OUTPUT (INPUT + THREADS)
#define RESULTS (OUTPUT + THREADS)

static void
write_work(struct pm4 *pm4, const struct core *core, uint64_t results,
	   const void *data)
{
	const struct launch launch = {
		.threads = THREADS,
		.groups = GROUPS,
		.bytes = 2 * THREADS * sizeof(uint32_t),
	};

	(void)data;
	launch_write(pm4, core, results, &launch);
}

static void
write_shader(struct shader *shader, unsigned level)
{
	shader_begin(shader, level);
	shader_shift_left(shader, 1, 0, 2);
	shader_load(shader, 2, 1);
	shader_wait(shader);
	for (unsigned i = 0; i < ADDITIONS; i++)
		shader_add(shader, 2, 2, ADDEND);
	shader_add(shader, 3, 1, THREADS * sizeof(uint32_t));
	shader_store(shader, 2, 3);
	shader_wait(shader);
	shader_end(shader);
}

static bool
is_right(const uint32_t *given, const uint32_t *results)
{
	for (unsigned i = 0; i < THREADS; i++)
		if (results[OUTPUT + i] !=
		    given[INPUT + i] + ADDITIONS * ADDEND)
			return false;
	return true;
}

static int
run_round(struct harness *harness, const struct shader *shader,
	  unsigned long round, bool *right)
{
	uint32_t given[OUTPUT], results[RESULTS];
	const struct experiment experiment = {
		.check = "load",
		.expected = "its commands come back",
		.what = "sums",
		.engine = PM4_ENGINE_COMPUTE,
		.write = write_work,
		.results = RESULTS,
		.given = given,
		.given_count = OUTPUT,
	};
	int ret;

	memcpy(given, shader->dwords, sizeof(shader->dwords));
	for (unsigned i = 0; i < THREADS; i++)
		given[INPUT + i] = (uint32_t)round * THREADS + i;
	ret = harness_run(harness, &experiment, results);
	*right = !ret && is_right(given, results);
	return ret;
}

int
work_run(struct harness *harness)
{
	struct selftest_work *work = harness->work;
	struct pollfd until = { .fd = work->until, .events = POLLIN };
	struct shader shader;
	bool right;
	int ret;

	write_shader(&shader, harness->gpu->core.level);
	/* at least once, however late it gets to it */
	do {
		ret = run_round(harness, &shader, work->rounds, &right);
		work->rounds += !ret;
		work->wrong += !ret && !right;
		/* There may be no reader any more. */
		if (work->rounds == 1 && write(work->begun, "\n", 1) != 1)
			break;
	} while (!ret && poll(&until, 1, 0) <= 0);
	return ret;
}
