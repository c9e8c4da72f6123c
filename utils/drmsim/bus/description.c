/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/description.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "scene/setting.h"

/*
 * Open the folder of descriptions, found from the program's own place:
 * installed, or just built.
 */
static DIR *
open_descriptions(char *path, size_t size)
{
	static const char *const places[] = {
		"../share/drmperf/gpus",
		"../../utils/drmsim/gpus",
		"../../../utils/drmsim/gpus",
	};
	const char *chosen = secure_getenv("DRMSIM_GPUS");
	char program[PATH_MAX];
	ssize_t length;
	DIR *directory = NULL;

	if (chosen) {
		snprintf(path, size, "%s", chosen);
		return opendir(path);
	}
	length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (length <= 0)
		return NULL;
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places) && !directory; i++) {
		snprintf(path, size, "%s/%s", program, places[i]);
		directory = opendir(path);
	}
	return directory;
}

static bool
is_description(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && strcmp(entry->d_name + length - 4, ".gpu") == 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* List the names of all kinds, sorted; each is freed by the caller. */
static size_t
list_kinds(DIR *directory, char **names, size_t most)
{
	size_t count = 0;

	for (struct dirent *e = readdir(directory); e; e = readdir(directory))
		if (is_description(e) && count < most)
			names[count++] =
				strndup(e->d_name, strlen(e->d_name) - 4);
	qsort(names, count, sizeof(names[0]), by_name);
	return count;
}

/* Print "sklgt2      Intel Skylake GT2; also skl, skylake" */
static void
describe_folder(FILE *out, const char *folder, const char *kind)
{
	char path[PATH_MAX + 400];
	const struct sim_line *called, *alias;
	struct sim_text *text;
	unsigned line;

	snprintf(path, sizeof(path), "%s/%s.gpu", folder, kind);
	if (sim_text_read(path, &text, &line)) {
		fprintf(out, "%s\n", kind);
		return;
	}
	called = sim_text_find(text, "called");
	alias = sim_text_find(text, "alias");
	fprintf(out, "%-11s %s", kind,
		called && called->count > 1 ? called->words[1] : "");
	for (size_t i = 1; alias && i < alias->count; i++)
		fprintf(out, "%s%s", i == 1 ? "; also " : ", ",
			alias->words[i]);
	fputc('\n', out);
	sim_text_free(text);
}

int
sim_descriptions_list(FILE *out, bool described)
{
	char path[PATH_MAX + 64];
	char *names[256];
	size_t count;
	DIR *directory = open_descriptions(path, sizeof(path));

	if (!directory)
		return -ENOENT;
	count = list_kinds(directory, names, ARRAY_SIZE(names));
	closedir(directory);
	for (size_t i = 0; i < count; i++) {
		if (described)
			describe_folder(out, path, names[i]);
		else
			fprintf(out, "%s\n", names[i]);
		free(names[i]);
	}
	return 0;
}

static bool
has_alias(const struct sim_text *text, const char *kind)
{
	for (size_t i = 0; i < text->count; i++)
		for (size_t w = 1; w < text->lines[i].count; w++)
			if (strcmp(text->lines[i].words[0], "alias") == 0 &&
			    strcmp(text->lines[i].words[w], kind) == 0)
				return true;
	return false;
}

int
sim_description_read(const char *kind, struct sim_text **out, unsigned *line)
{
	char folder[PATH_MAX + 64], path[PATH_MAX + 400];
	DIR *directory = open_descriptions(folder, sizeof(folder));
	int error;

	if (!directory)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%s.gpu", folder, kind);
	error = sim_text_read(path, out, line);
	for (struct dirent *e = readdir(directory); e && error == -ENOENT;
	     e = readdir(directory)) {
		struct sim_text *text;
		if (!is_description(e))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (sim_text_read(path, &text, line))
			continue;
		if (has_alias(text, kind)) {
			*out = text;
			error = 0;
		} else {
			sim_text_free(text);
		}
	}
	closedir(directory);
	return error;
}

/* ---- loads */

/*
 * Read the file of loads next to the description, by sim_description_read()'s
 * rules.
 */
static int
read_loads(const char *kind, struct sim_text **out, unsigned *line)
{
	static const char ending[] = ".load";
	char path[PATH_MAX + 400];
	struct sim_text *description;
	size_t length;
	int error = sim_description_read(kind, &description, line);

	if (error)
		return error;
	length = strlen(description->path) - strlen(".gpu");
	if (length + sizeof(ending) > sizeof(path)) {
		error = -ENAMETOOLONG;
	} else {
		memcpy(path, description->path, length);
		memcpy(path + length, ending, sizeof(ending));
		error = sim_text_read(path, out, line);
	}
	sim_text_free(description);
	return error;
}

/*
 * Return whether it is a line that begins what is done by one load; name NULL:
 * by any.
 */
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
	int result = read_loads(gpu->kind, &text, &line);

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
