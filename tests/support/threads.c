/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/threads.h"

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the letter that /proc has for what it does; '\0' if it has gone. */
static char
thread_state(pid_t thread)
{
	char path[64], text[512], *end;
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)thread);
	file = fopen(path, "re");
	if (!file)
		return '\0';
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = '\0';
	/* the name in parentheses may hold anything */
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : '\0';
}

void
thread_await_sleep(pid_t thread)
{
	while (thread_state(thread) != 'S')
		sched_yield();
}

static bool
are_stopped(pid_t process)
{
	bool all = true;
	const struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	folder = opendir(path);
	while (folder && all && (entry = readdir(folder)))
		all = entry->d_name[0] == '.' ||
		      thread_state(atoi(entry->d_name)) == 'T';
	if (folder)
		closedir(folder);
	return folder && all;
}

void
threads_await_stop(pid_t process)
{
	while (!are_stopped(process))
		sched_yield();
}
