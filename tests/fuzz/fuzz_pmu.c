/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sysfs says of a PMU, as rubbish. By the first byte the rest is a format,
 * terms over fixed formats, a list of CPUs, or a folder: files, each with a
 * letter for where it lies, its name, a tab, what is in it, and a byte of 0.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/name_syntax.h"
#include "driver/perf_event/format.h"
#include "driver/perf_event/pmu.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct log_sink nowhere = { .log = NULL };

/* ------------------------------------------------------------------ */
/* Texts                                                                */

static void
parse_format(const char *text)
{
	struct pmu_format format = { .name = "f" };
	int err = pmu_format_parse(text, &format);

	assert(!err || err == -EINVAL);
	if (!err)
		assert(format.mask && format.word < PERF_CONFIG_WORDS);
}

static void
parse_terms(const char *text)
{
	static const struct pmu_format formats[] = {
		{ "event", 0, 0xff },
		{ "umask", 0, 0xff00ff0000 },
		{ "high", 1, UINT64_C(1) << 63 },
	};
	struct pmu_words words = { .config = { 0 } };
	const uint64_t *config = words.config;
	int err = pmu_terms_parse(text, formats, 3, &words);

	assert(!err || err == -EINVAL);
	/* only a whole word sets other bits than those of the formats */
	if (!err && !strstr(text, "config")) {
		assert(!(config[0] & ~UINT64_C(0xff00ff00ff)));
		assert(!(config[1] << 1) && !config[2]);
	}
	memset(&words, 0, sizeof(words));
	words.filled[0] = 0xff;
	err = pmu_terms_complete(text, formats, 3, &words);
	assert(!err || err == -EINVAL || err == -EEXIST);
	assert(!(config[0] & ~UINT64_C(0xff00ff0000)) && !config[2]);
}

static void
parse_cpus(const char *text)
{
	struct arena *arena = arena_create();
	const int *cpus;
	size_t count;
	int err = cpu_list_parse(text, arena, &cpus, &count);

	assert(!err || err == -EBADMSG);
	for (size_t i = 0; !err && i < count; i++)
		assert(cpus[i] >= 0 && (!i || cpus[i] != cpus[i - 1]));
	arena_destroy(arena);
}

/* ------------------------------------------------------------------ */
/* Folders                                                              */

#define PMU "pmu"

static char root[] = "/tmp/fuzz-pmu-XXXXXX";
static int folders[3]; /* the PMU's own, events, format */

static void
remove_root(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command))
		perror(root);
}

static void
make_folders(void)
{
	static const char *const names[] = { "", "/events", "/format" };
	char path[200];

	assert(mkdtemp(root));
	atexit(remove_root);
	for (const char *at = PMU_FOLDERS "/" PMU; at;
	     at = strchr(at + 1, '/')) {
		size_t length = strcspn(at + 1, "/") + 1;

		snprintf(path, sizeof(path), "%s%.*s", root,
			 (int)((size_t)(at - (PMU_FOLDERS "/" PMU)) + length),
			 PMU_FOLDERS "/" PMU);
		assert(!mkdir(path, 0700));
	}
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s" PMU_FOLDERS "/" PMU "%s",
			 root, names[i]);
		assert(!i || !mkdir(path, 0700));
		folders[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert(folders[i] >= 0);
	}
}

#define MOST_FILES 16

/* The files of a run. */
static struct {
	int folder;
	const char *name;
} files[MOST_FILES];
static size_t file_count;

/*
 * Make "eNAME\tTEXT"; cuts it apart. What cannot be a file's name makes none.
 */
static void
make_file(char *text)
{
	char *tab = strchr(text, '\t');
	int folder = folders[*text == 'e' ? 1 : *text == 'f' ? 2 : 0], fd;
	size_t length;

	if (!tab || file_count == MOST_FILES)
		return;
	*tab = '\0';
	length = strlen(tab + 1);
	if (!text[1] || strchr(text, '/') || !strcmp(text + 1, ".") ||
	    !strcmp(text + 1, ".."))
		return;
	fd = openat(folder, text + 1, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return;
	assert(write(fd, tab + 1, length) == (ssize_t)length);
	close(fd);
	files[file_count].folder = folder;
	files[file_count++].name = text + 1;
}

static void
read_folder(void)
{
	struct arena *arena = arena_create();
	struct drmperf_error error;
	struct pmu pmu;
	int err = pmu_read(root, PMU, arena, &nowhere, &pmu, &error);

	assert(!err || err == -ENOENT || err == -EBADMSG);
	for (size_t i = 0; !err && i < pmu.event_count; i++) {
		const struct pmu_event *event = &pmu.events[i];

		assert(name_syntax_is_legal(event->name));
		assert(!i || strverscmp(event[-1].name, event->name) < 0);
		assert(event->unit && event->scale);
	}
	arena_destroy(arena);
}

static void
use_folder(char *text, size_t size)
{
	char *end = text + size;

	if (!folders[0])
		make_folders();
	for (; text < end; text += strlen(text) + 1)
		if (*text)
			make_file(text);
	read_folder();
	while (file_count) {
		file_count--;
		unlinkat(files[file_count].folder, files[file_count].name, 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0] % 4) {
	case 0:
		parse_format(text);
		break;
	case 1:
		parse_terms(text);
		break;
	case 2:
		parse_cpus(text);
		break;
	case 3:
		/* cut apart before a name's place can move */
		use_folder(text, size - 1);
		break;
	}
	free(text);
	return 0;
}
