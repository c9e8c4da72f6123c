/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/word.h"
#include "machine/machine.h"
#include "scene/setting.h"

/* "gpu all" or "gpu N"; prefix is what goes before the keys. */
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
