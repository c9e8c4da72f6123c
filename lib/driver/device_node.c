/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/device_node.h"

#include <dirent.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Write the group's name; its number where the name cannot be had. */
static void
group_name(gid_t gid, char *text, size_t size)
{
	char buffer[4096];
	struct group group, *found = NULL;

	if (!getgrgid_r(gid, &group, buffer, sizeof(buffer), &found) && found)
		snprintf(text, size, "%s", group.gr_name);
	else
		snprintf(text, size, "%lu", (unsigned long)gid);
}

static void
permission_remedy(const char *path, struct drmperf_error *error)
{
	const mode_t both = S_IRGRP | S_IWGRP;
	char group[64];
	struct stat st;

	if (stat(path, &st)) {
		error_remedy(error, "ask for access to %s", path);
		return;
	}
	group_name(st.st_gid, group, sizeof(group));
	if (st.st_gid != 0 && (st.st_mode & both) == both)
		error_remedy(error,
			     "join the group that owns it: \"sudo usermod -aG "
			     "%s $USER\", then log in again",
			     group);
	else
		error_remedy(error,
			     "have the administrator give %s to a group of "
			     "yours, usually \"render\" or \"video\"; now it "
			     "has the group %s and mode %04o",
			     path, group, (unsigned)st.st_mode & 07777);
}

int
device_node_error(const char *path, int code, struct drmperf_error *error)
{
	if (!error)
		return code;
	switch (code) {
	case -EACCES:
	case -EPERM:
		error_set(error, code, "no permission to open %s", path);
		permission_remedy(path, error);
		break;
	case -ENOENT:
		error_set(error, code, "there is no device node %s", path);
		error_remedy(error, "in a container, pass it the devices in "
				    "/dev/dri");
		break;
	default:
		error_set(error, code, "cannot open %s: %s", path,
			  strerrordesc_np(-code));
	}
	return code;
}

bool
device_node_is_gone(int fd)
{
	struct drm_version version;
	int ret;

	do {
		memset(&version, 0, sizeof(version));
		ret = ioctl(fd, DRM_IOCTL_VERSION, &version);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	return ret && errno == ENODEV;
}

/*
 * Find the name of the device's node of the kind of path, "card" or "renderD";
 * a partition of a GPU has none in that folder, and keeps its own.
 */
static int
find_node(const char *sysfs, const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const size_t kind = strcspn(name, "0123456789");
	char folder[512];
	struct dirent *entry;
	int found = 0, length;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/drm", sysfs);
	dir = opendir(folder);
	if (!dir)
		return errno == ENOENT ? -ENODEV : -errno;
	snprintf(out, size, "%s", path);
	while (!found && (entry = readdir(dir))) {
		/* among connectors, "card0-DP-1" */
		if (strncmp(entry->d_name, name, kind) ||
		    entry->d_name[kind + strspn(entry->d_name + kind,
						"0123456789")])
			continue;
		length = snprintf(out, size, "%.*s%s", (int)(name - path), path,
				  entry->d_name);
		found = length > 0 && (size_t)length < size ? 1 : -ENODEV;
	}
	closedir(dir);
	return found < 0 ? found : 0;
}

/*
 * Open the node of the device that is there now. Returns a descriptor; -ENODEV
 * if there is none; -errno.
 */
static int
open_node_again(const char *sysfs, const char *path)
{
	char node[512];
	int ret = find_node(sysfs, path, node, sizeof(node)), fd;

	if (ret)
		return ret;
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ENXIO ? -ENODEV : -errno;
	if (!device_node_is_gone(fd))
		return fd;
	close(fd);
	return -ENODEV;
}

int
device_node_renew(int fd, const char *sysfs, const char *path)
{
	int again, ret = 1;

	if (!device_node_is_gone(fd))
		return 0;
	again = open_node_again(sysfs, path);
	if (again < 0)
		return again;
	if (dup3(again, fd, O_CLOEXEC) < 0)
		ret = -errno;
	close(again);
	return ret;
}
