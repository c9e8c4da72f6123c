/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/drm_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODES "/dev/dri/"
/* Several times the longest that any driver writes. */
#define TEXT_SIZE 16384

/* ------------------------------------------------------------------ */
/* Text                                                                 */

bool
drm_line_next(const char **text, struct drm_line *out)
{
	static const char drm[] = "drm-";
	const char *line = *text;
	char *colon;

	for (; *line; line = *text) {
		int length = (int)strcspn(line, "\n");

		*text = line + length + (line[length] == '\n');
		if (strncmp(line, drm, strlen(drm)) != 0)
			continue;
		snprintf(out->key, sizeof(out->key), "%.*s",
			 length - (int)strlen(drm), line + strlen(drm));
		colon = strchr(out->key, ':');
		if (!colon)
			continue;
		*colon++ = '\0';
		out->value = colon + strspn(colon, " \t");
		return true;
	}
	return false;
}

uint64_t
drm_amount(const char *value)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {
		{ "KiB", 1u << 10 }, { "MiB", 1u << 20 }, { "GiB", 1u << 30 },
		{ "KHz", 1000 },     { "MHz", 1000000 },
	};
	char *end;
	uint64_t amount = strtoull(value, &end, 10);

	end += strspn(end, " \t");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strncmp(end, units[i].name, strlen(units[i].name)))
			return amount * units[i].factor;
	}
	return amount;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

static bool
read_text(pid_t pid, const char *fd, char *text)
{
	char path[64 + NAME_MAX];
	size_t length = 0;
	ssize_t got = 1;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", (int)pid, fd);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	while (got > 0 && length < TEXT_SIZE - 1) {
		got = read(file, text + length, TEXT_SIZE - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	close(file);
	text[length] = '\0';
	return !got;
}

/* Return 1 or 0; -EACCES: no file of this process may be looked at. */
static int
is_node(int folder, const char *fd)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(folder, fd, target, sizeof(target) - 1);

	if (length < 0)
		return errno == EACCES ? -EACCES : 0;
	target[length] = '\0';
	return strstr(target, NODES) != NULL;
}

/*
 * Return whether a process has no memory, and no command line in it: threads
 * of the kernel have none, and processes that end, whose files belong to root
 * then.
 */
static bool
has_no_memory(pid_t pid)
{
	char path[64];
	FILE *file;
	bool is;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	file = fopen(path, "re");
	is = !file || fgetc(file) == EOF;
	if (file)
		fclose(file);
	return is;
}

int
drm_files_visit(pid_t pid, drm_file_visitor *visit, void *data)
{
	const struct dirent *entry;
	char path[64], text[TEXT_SIZE];
	int ret = 0, count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	if (!folder)
		return errno == EACCES && !has_no_memory(pid) ? -EACCES : 0;
	while (ret >= 0 && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		ret = is_node(dirfd(folder), entry->d_name);
		if (ret <= 0)
			continue;
		count++;
		if (read_text(pid, entry->d_name, text))
			ret = visit(data, text);
	}
	closedir(folder);
	/* root may open the folder although he may not look at the files */
	if (ret == -EACCES && has_no_memory(pid))
		return count;
	return ret < 0 ? ret : count;
}
