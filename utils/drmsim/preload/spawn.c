/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that a process starts without LD_PRELOAD is in the simulation all
 * the same.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/protocol.h"
#include "preload/channel.h"
#include "preload/next.h"

#define NAME "LD_PRELOAD="

static bool
has_preloads(char *const *variables)
{
	for (; *variables; variables++) {
		if (!strncmp(*variables, NAME, strlen(NAME)))
			return true;
	}
	return false;
}

static bool
write_preloads(char *text, size_t size)
{
	Dl_info ours;

	return dladdr((void *)&next, &ours) &&
	       (size_t)snprintf(text, size, NAME "%s:" PROTOCOL_UMOCKDEV,
				ours.dli_fname) < size;
}

EXPORT int
posix_spawn(pid_t *restrict pid, const char *restrict path,
	    const posix_spawn_file_actions_t *restrict actions,
	    const posix_spawnattr_t *restrict attributes,
	    char *const arguments[restrict], char *const variables[restrict])
{
	char text[PATH_MAX + 64];
	size_t count = 0;

	next_need();
	if (!channel_is_active() || !variables || has_preloads(variables) ||
	    !write_preloads(text, sizeof(text)))
		return next.posix_spawn(pid, path, actions, attributes,
					arguments, variables);
	while (variables[count])
		count++;
	char *all[count + 2];
	all[0] = text;
	memcpy(all + 1, variables, (count + 1) * sizeof(*all));
	return next.posix_spawn(pid, path, actions, attributes, arguments, all);
}
