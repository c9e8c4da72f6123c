/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/target.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/perf_event/pmu.h"

static int
list_threads(DIR *folder, struct arena *arena, struct perf_targets *out)
{
	struct perf_target *list = NULL, *grown;
	size_t count = 0, room = 0;
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		if (count == room) {
			room = room ? 2 * room : 8;
			grown = arena_alloc(arena, room * sizeof(*list));
			if (!grown)
				return -ENOMEM;
			if (count)
				memcpy(grown, list, count * sizeof(*list));
			list = grown;
		}
		list[count].thread = (pid_t)strtol(entry->d_name, NULL, 10);
		list[count++].cpu = -1;
	}
	out->list = list;
	out->count = count;
	return count ? 0 : -ESRCH;
}

int
perf_targets_of_process(pid_t pid, struct arena *arena,
			struct perf_targets *out)
{
	char path[64];
	DIR *folder;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(pid ? path : "/proc/self/task");
	if (!folder)
		return errno == ENOMEM ? -ENOMEM : -ESRCH;
	ret = list_threads(folder, arena, out);
	closedir(folder);
	return ret;
}

/* Return the CPUs that are there, from sysfs: "0-7". */
static int
online_cpus(struct arena *arena, const int **cpus, size_t *count)
{
	char text[4096];
	int ret;

	if (text_file_read("/sys/devices/system/cpu", "online", text,
			   sizeof(text)))
		return -EIO;
	ret = cpu_list_parse(text, arena, cpus, count);
	return ret == -EBADMSG ? -EIO : ret;
}

int
perf_targets_of_cpus(const int *cpus, size_t count, struct arena *arena,
		     struct perf_targets *out)
{
	int ret;

	if (!count) {
		ret = online_cpus(arena, &cpus, &count);
		if (ret)
			return ret;
	}
	out->list = arena_alloc(arena, count * sizeof(*out->list));
	if (!out->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		out->list[i] =
			(struct perf_target){ .thread = -1, .cpu = cpus[i] };
	out->count = count;
	return 0;
}
