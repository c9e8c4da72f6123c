/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/setting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/word.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"
#include "machine/power.h"

/* Parse "file NAME LINE...": a file of the kernel that nothing else changes. */
static int
set_file(struct sim_gpu *gpu, const char *value)
{
	char buffer[1024];
	struct sim_words words;

	if (snprintf(buffer, sizeof(buffer), "%s", value) >=
	    (int)sizeof(buffer))
		return -EINVAL;
	return sim_words_cut(buffer, &words) ? -EINVAL
					     : sim_gpu_set_file(gpu, &words);
}

int
sim_gpu_set(struct sim_gpu *gpu, const char *key, const char *value)
{
	int flag = sim_word_bool(value);

	if (strcmp(key, "file") == 0)
		return set_file(gpu, value);
	if (strcmp(key, "gated-clock") == 0) {
		if (flag < 0)
			return -EINVAL;
		gpu->gated_clock = flag;
	} else if (strcmp(key, "gone") == 0) {
		if (flag < 0)
			return -EINVAL;
		sim_gpu_set_gone(gpu, flag);
	} else if (strcmp(key, "runtime-suspended") == 0) {
		if (flag < 0)
			return -EINVAL;
		if (flag)
			sim_gpu_suspend(gpu);
		else
			sim_gpu_resume(gpu);
	} else {
		return gpu->driver->set(gpu, key, value);
	}
	/* the driver may want to know */
	int result = gpu->driver->set(gpu, key, value);
	return result == -ENOENT ? 0 : result;
}

int
sim_set(struct sim *sim, const char *key, const char *value)
{
	unsigned index, taken = 0;
	int length = 0;

	if (strcmp(key, "unprivileged") == 0) {
		int flag = sim_word_bool(value);
		if (flag < 0)
			return -EINVAL;
		sim->unprivileged = flag;
		return 0;
	}
	if (sscanf(key, "gpu%u.%n", &index, &length) == 1 && length > 0) {
		if (index >= sim->gpu_count)
			return -ENODEV;
		return sim_gpu_set(sim->gpus[index], key + length, value);
	}
	/* for all: a key that only some drivers know is none of the others' */
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		int one = sim_gpu_set(sim->gpus[i], key, value);
		if (one && one != -ENOENT)
			return one;
		taken += one == 0;
	}
	return taken ? 0 : -ENOENT;
}

/* ---- files of scenarios */

/* Parse "gpu all" or "gpu N"; prefix is what goes before the keys. */
static int
line_choose(const struct sim *sim, const struct sim_line *line, char *prefix,
	    size_t size)
{
	uint64_t index;

	if (line->count != 2)
		return -EINVAL;
	if (strcmp(line->words[1], "all") == 0) {
		prefix[0] = '\0';
		return 0;
	}
	if (sim_word_u64(line->words[1], &index))
		return -EINVAL;
	if (index >= sim->gpu_count)
		return -ENODEV;
	snprintf(prefix, size, "gpu%u.", (unsigned)index);
	return 0;
}

static const char *
explain_error(int error)
{
	switch (error) {
	case -ENOENT:
		return "unknown key";
	case -ENODEV:
		return "no such GPU";
	}
	return "bad value";
}

int
sim_scenario_read(struct sim *sim, const char *path, char *error, size_t size)
{
	char key[128], prefix[16] = "", value[1024];
	struct sim_text *text;
	unsigned number;
	int result = sim_text_read(path, &text, &number);

	if (result) {
		snprintf(error, size, "%s:%u: %s", path, number,
			 number ? "bad line" : strerror(-result));
		return result;
	}
	for (size_t i = 0; i < text->count && !result; i++) {
		const struct sim_line *line = &text->lines[i];
		if (strcmp(line->words[0], "gpu") == 0) {
			result = line_choose(sim, line, prefix, sizeof(prefix));
		} else {
			snprintf(key, sizeof(key), "%s%s", prefix,
				 line->words[0]);
			sim_line_join(line, value, sizeof(value));
			result = sim_set(sim, key, value);
		}
		if (result)
			snprintf(error, size, "%s:%u: %s: %s", path,
				 line->number, line->words[0],
				 explain_error(result));
	}
	sim_text_free(text);
	return result;
}
