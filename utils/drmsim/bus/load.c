/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/load.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bus/description.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "scene/setting.h"

/* A line that begins what is done by one load; name NULL: by any. */
static bool
is_load(const struct sim_line *line, const char *name)
{
	return strcmp(line->words[0], "load") == 0 && line->count == 2 &&
	       (!name || strcmp(line->words[1], name) == 0);
}

/* Set what stands behind the load's line, up to the next one. */
static int
set_lines(struct sim_gpu *gpu, const struct sim_text *text, const char *name,
	  char *error, size_t size)
{
	char value[1024];
	size_t i = 0;
	int result = 0;

	while (i < text->count && !is_load(&text->lines[i], name))
		i++;
	if (i++ == text->count) {
		snprintf(error, size, "%s has no load '%s'", text->path, name);
		return -ENOENT;
	}
	for (; i < text->count && !is_load(&text->lines[i], NULL); i++) {
		const struct sim_line *line = &text->lines[i];

		sim_line_join(line, value, sizeof(value));
		result = sim_gpu_set(gpu, line->words[0], value);
		if (result) {
			snprintf(error, size, "%s:%u: bad '%s'", line->path,
				 line->number, line->words[0]);
			return result;
		}
	}
	return 0;
}

static int
load_gpu(struct sim_gpu *gpu, const char *name, char *error, size_t size)
{
	struct sim_text *text;
	unsigned line = 0;
	int result = sim_description_load(gpu->kind, &text, &line);

	if (result) {
		snprintf(error, size, "no loads of '%s': line %u, %s",
			 gpu->kind, line, strerror(-result));
		return result;
	}
	result = set_lines(gpu, text, name, error, size);
	sim_text_free(text);
	return result;
}

int
sim_gpus_load(struct sim *sim, const char *name, char *error, size_t size)
{
	int result = 0;

	for (unsigned i = 0; i < sim->gpu_count && !result; i++)
		result = load_gpu(sim->gpus[i], name, error, size);
	return result;
}
