/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/hwmon.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

static bool
is_named(const char *folder, const char *name)
{
	char line[64];

	return !text_file_read(folder, "name", line, sizeof(line)) &&
	       !strcmp(line, name);
}

int
hwmon_find(const char *sysfs, const char *name, struct arena *arena,
	   const char **out)
{
	const char *parent = arena_printf(arena, "%s/hwmon", sysfs);
	const struct dirent *entry;
	int ret = 0;
	DIR *folder;

	*out = NULL;
	if (!parent)
		return -ENOMEM;
	folder = opendir(parent);
	if (!folder)
		return error_is_transient(-errno) ? -errno : 0;
	while (!ret && !*out && (entry = readdir(folder))) {
		const char *path;

		if (strncmp(entry->d_name, "hwmon", 5))
			continue;
		path = arena_printf(arena, "%s/%s", parent, entry->d_name);
		if (!path)
			ret = -ENOMEM;
		else if (is_named(path, name))
			*out = path;
	}
	closedir(folder);
	return ret;
}

static int
add_channel(const char *folder, const struct hwmon_channel *channel,
	    struct arena *arena, struct sensor *sensor, const char **file)
{
	uint64_t value;
	int ret;

	*file = arena_printf(arena, "%s/%s", folder, channel->file);
	if (!*file)
		return -ENOMEM;
	ret = sensor_read_file(*file, &value);
	/* of a fan that was read by another process in this jiffy */
	if (ret == -EAGAIN)
		ret = 0;
	if (ret)
		return error_is_transient(ret) ? ret : -ENOENT;
	*sensor = channel->sensor;
	return 0;
}

int
hwmon_add(const char *folder, const struct hwmon_channel *channels,
	  size_t channel_count, struct arena *arena, struct sensor *list,
	  const char **files, size_t *count)
{
	for (size_t i = 0; folder && i < channel_count; i++) {
		int ret = add_channel(folder, &channels[i], arena,
				      &list[*count], &files[*count]);

		if (!ret)
			++*count;
		else if (ret != -ENOENT)
			return ret;
	}
	return 0;
}
