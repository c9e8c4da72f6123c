/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/device_node.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

/* The group's name; its number where the name cannot be had. */
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
