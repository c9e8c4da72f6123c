/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PRELOAD "LD_PRELOAD"

static bool
find_ours(char path[PATH_MAX])
{
	void *symbol = dlsym(RTLD_DEFAULT, "drmperf_version");
	Dl_info info;

	return symbol && dladdr(symbol, &info) &&
	       realpath(info.dli_fname, path);
}

bool
preload_find(const char *library, char path[PATH_MAX])
{
	char near[PATH_MAX];
	const char *slash;

	if (!find_ours(near))
		return false;
	slash = strrchr(near, '/');
	return snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - near), near,
			library) < PATH_MAX &&
	       !access(path, R_OK);
}

int
preload_require(const struct tool *tool, const char *library,
		char path[PATH_MAX])
{
	char near[PATH_MAX];

	if (!find_ours(near))
		return tool_fail(tool, "cannot find libdrmperf's file");
	if (!preload_find(library, path)) {
		tool_fail(tool, "there is no %s beside %s", library, near);
		fputs("try: install drmperf as a whole\n", stderr);
		return TOOL_FAILED;
	}
	return 0;
}

/* Return whether a list has this word between its separators. */
static bool
list_has_word(const char *list, const char *separators, const char *word)
{
	const size_t length = strlen(word);

	while (list && *list) {
		const size_t end = strcspn(list, separators);

		if (end == length && !strncmp(list, word, length))
			return true;
		list += end + (list[end] != '\0');
	}
	return false;
}

int
preload_append(const char *variable, const char *separators, const char *word)
{
	const char *before = secure_getenv(variable);
	char *list;
	int failed;

	if (list_has_word(before, separators, word))
		return 0;
	if (asprintf(&list, "%s%.*s%s", before ? before : "",
		     before && *before ? 1 : 0, separators, word) < 0)
		return -ENOMEM;
	failed = setenv(variable, list, 1);
	free(list);
	return failed ? -ENOMEM : 0;
}

int
preload_own_library(const struct tool *tool, const char *library)
{
	char path[PATH_MAX];

	if (preload_require(tool, library, path))
		return TOOL_FAILED;
	if (strpbrk(path, ": \t"))
		return tool_fail(tool,
				 PRELOAD " has no way to write a path with "
					 "blanks or colons, %s",
				 path);
	return preload_append(PRELOAD, ": ", path)
		       ? tool_fail(tool, "no memory")
		       : 0;
}

/* Find the file of a program as execvp() does; false: there is none. */
static bool
find_program(const char *program, char path[PATH_MAX])
{
	const char *folders = secure_getenv("PATH");

	if (strchr(program, '/'))
		return snprintf(path, PATH_MAX, "%s", program) < PATH_MAX;
	while (folders && *folders) {
		const int length = (int)strcspn(folders, ":");

		if (snprintf(path, PATH_MAX, "%.*s/%s", length, folders,
			     program) < PATH_MAX &&
		    !access(path, X_OK))
			return true;
		folders += length + (folders[length] == ':');
	}
	return false;
}

static bool
has_own_rights(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	return ((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
	       ((status.st_mode & S_ISGID) && status.st_gid != getegid()) ||
	       getxattr(path, "security.capability", NULL, 0) > 0;
}

int
preload_check_program(const struct tool *tool, const char *program)
{
	char path[PATH_MAX];

	if (!find_program(program, path) || !has_own_rights(path))
		return 0;
	tool_fail(tool,
		  "%s has capabilities or a user of its own (setcap, "
		  "set-user-ID), so it loads nothing of ours",
		  path);
	fputs("try: run a copy, which has none of that (cp)\n", stderr);
	return TOOL_FAILED;
}
