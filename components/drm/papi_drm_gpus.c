/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "papi_drm_gpus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "papi.h"

#include "papi_drm_error.h"

#define NO_KNOWN_DRIVER \
	"no supported GPU: none of the devices in " DRM_CLASS \
	" has a driver that libdrmperf knows; \"drmperf info\" shows them"


/* Linux include/uapi/linux/capability.h; CAP_PERFMON since Linux 5.8 */
#define CAPABILITY_SYS_ADMIN 21
#define CAPABILITY_PERFMON 38

/*
 * Drivers that libdrmperf supports, and whether they have events of a GPU that
 * may not be opened.
 */
static const struct known_driver {
	const char *name;
	bool works_closed; /* sensors and PMUs, which need no node */
	const char *paranoid; /* sysctl that keeps its counters from users */
} known_drivers[] = {
	{ "amdgpu", false, NULL },
	{ "i915", true, "perf_stream_paranoid" },
	{ "xe", true, "observation_paranoid" },
};

struct search {
	char **names; /* of drivers found */
	unsigned found, usable;
	bool others; /* of drivers that are not known */
	struct drmperf_error *why; /* of the first incomplete GPU */
};

void
papi_drm_gpus_forget(char **names)
{
	int i;

	for (i = 0; i < PAPI_PMU_MAX; i++) {
		free(names[i]);
		names[i] = NULL;
	}
}

static void
note_driver(const char *driver, char **names)
{
	int i;

	for (i = 0; i < PAPI_PMU_MAX && names[i]; i++) {
		if (!strcmp(names[i], driver))
			return;
	}
	if (i < PAPI_PMU_MAX)
		names[i] = strdup(driver);
}

static const struct known_driver *
driver_of(const char *node)
{
	const size_t count = sizeof(known_drivers) / sizeof(*known_drivers);
	char path[512], target[512];
	const char *name;
	ssize_t length;
	size_t i;

	snprintf(path, sizeof(path), DRM_CLASS "/%s/device/driver", node);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return NULL;
	target[length] = '\0';
	name = strrchr(target, '/');
	name = name ? name + 1 : target;
	for (i = 0; i < count; i++) {
		if (!strcmp(known_drivers[i].name, name))
			return &known_drivers[i];
	}
	return NULL;
}

static int __attribute__((format(printf, 3, 4)))
set_cause(struct drmperf_error *error, int code, const char *format, ...)
{
	va_list arguments;

	error->code = code;
	va_start(arguments, format);
	vsnprintf(error->cause, sizeof(error->cause), format, arguments);
	va_end(arguments);
	error->remedy[0] = '\0';
	return code;
}

static void __attribute__((format(printf, 2, 3)))
set_remedy(struct drmperf_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->remedy, sizeof(error->remedy), format, arguments);
	va_end(arguments);
}

/*
 * Set the error that a node may not be opened, with its group's number: looking
 * up the name can take longer than all else here.
 */
static void
report_who_may(const char *node, struct drmperf_error *error)
{
	const mode_t both = S_IRGRP | S_IWGRP;
	struct stat st;

	if (stat(node, &st))
		set_remedy(error, "ask for access to %s", node);
	else if (st.st_gid != 0 && (st.st_mode & both) == both)
		set_remedy(error,
			   "join the group that owns it: \"sudo usermod -aG "
			   "$(stat -c %%G %s) $USER\", then log in again",
			   node);
	else
		set_remedy(error,
			   "have the administrator give it to a group of "
			   "yours, usually \"render\" or \"video\"; now its "
			   "mode is %04o",
			   (unsigned)st.st_mode & 07777);
}

/*
 * Check that the node can be opened. cgroups close nodes as well, which only
 * opening them would show.
 */
static int
check_node(const char *node, struct drmperf_error *error)
{
	/* real and effective user may differ: opening will show */
	if (!access(node, R_OK | W_OK) ||
	    !faccessat(AT_FDCWD, node, R_OK | W_OK, AT_EACCESS))
		return 0;
	switch (errno) {
	case EACCES:
	case EPERM:
		set_cause(error, -EACCES, "no permission to open %s", node);
		report_who_may(node, error);
		return -EACCES;
	case ENOENT:
		set_cause(error, -ENOTSUP, "there is no device node %s", node);
		set_remedy(error, "in a container, pass it the devices in "
				  "/dev/dri");
		return -ENOTSUP;
	default: /* whatever that is, opening will show */
		return 0;
	}
}

/* Read the start of a small file. */
static void
read_start(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	text[length > 0 ? length : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/*
 * Return whether the process has a capability to count. In a container it may
 * not do: the kernel decides.
 */
static bool
has_capability(void)
{
	const uint64_t wanted = UINT64_C(1) << CAPABILITY_SYS_ADMIN |
				UINT64_C(1) << CAPABILITY_PERFMON;
	char text[4096];
	const char *line;

	read_start("/proc/self/status", text, sizeof(text));
	line = strstr(text, "\nCapEff:");
	return !line || strtoull(line + 8, NULL, 16) & wanted;
}

static int
check_paranoid(const struct known_driver *driver, struct drmperf_error *error)
{
	char path[96], text[16];

	snprintf(path, sizeof(path), "/proc/sys/dev/%s/%s", driver->name,
		 driver->paranoid);
	read_start(path, text, sizeof(text));
	if (!atoi(text) || has_capability())
		return 0;
	set_cause(error, -EACCES,
		  "%s keeps OA counters from unprivileged processes",
		  driver->name);
	set_remedy(error,
		   "set sysctl dev.%s.%s=0 as root, or give the program "
		   "CAP_PERFMON (setcap cap_perfmon=ep PROGRAM)",
		   driver->name, driver->paranoid);
	return -EACCES;
}

static void
check_device(struct search *search, const char *name,
	     const struct known_driver *driver)
{
	struct drmperf_error error = { 0 };
	char node[sizeof("/dev/dri/") + NAME_MAX];
	int rc;

	note_driver(driver->name, search->names);
	search->found++;
	snprintf(node, sizeof(node), "/dev/dri/%s", name);
	rc = check_node(node, &error);
	if (!rc || driver->works_closed)
		search->usable++;
	if (!rc && driver->paranoid)
		rc = check_paranoid(driver, &error);
	if (rc && !search->why->code)
		*search->why = error;
}

/* Check all devices with a name of that kind; connectors are card0-DP-1. */
static void
check_devices(struct search *search, DIR *directory, const char *kind)
{
	const struct known_driver *driver;
	struct dirent *entry;

	while ((entry = readdir(directory))) {
		if (strncmp(entry->d_name, kind, strlen(kind)) ||
		    strchr(entry->d_name, '-'))
			continue;
		driver = driver_of(entry->d_name);
		if (driver)
			check_device(search, entry->d_name, driver);
		else
			search->others = true;
	}
}

int
papi_drm_gpus_find(char **names, struct drmperf_error *why)
{
	struct search search = { .names = names, .why = why };
	DIR *directory = opendir(DRM_CLASS);

	why->code = 0;
	why->cause[0] = why->remedy[0] = '\0';
	if (directory) {
		/* libdrmperf opens the node for rendering if there is one */
		check_devices(&search, directory, "renderD");
		if (!search.found) {
			rewinddir(directory);
			check_devices(&search, directory, "card");
		}
		closedir(directory);
	}
	if (search.usable)
		return 0;
	if (search.found)
		return why->code;
	if (search.others)
		set_cause(why, -ENOTSUP, NO_KNOWN_DRIVER);
	else
		set_cause(why, -ENOTSUP,
			  "no supported GPU: there is none in " DRM_CLASS
			  "; \"drmperf info\" shows GPUs without the driver "
			  "amdgpu, i915 or xe");
	return -ENOTSUP;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

/*
 * Open a device. Returns 0 if all of it can be used, else the error of the part
 * that cannot; *usable if the rest can.
 */
static int
open_device(const struct papi_drm_library *library,
	    struct drmperf_device *device, bool *usable,
	    struct drmperf_error *error)
{
	int rc;

	papi_drm_error_init(error);
	rc = library->device_open(device, error);
	*usable = !rc;
	return rc ? rc : library->device_status(device, error);
}

int
papi_drm_gpus_open(const struct papi_drm_library *library,
		   struct drmperf *drmperf, char *reason, size_t size)
{
	unsigned count = library->device_count(drmperf);
	unsigned d, usable = 0;
	struct drmperf_error error;
	int first = 0;

	for (d = 0; d < count; d++) {
		bool is_usable;
		int rc = open_device(library, library->device_at(drmperf, d),
				     &is_usable, &error);

		usable += is_usable;
		if (!rc)
			continue;
		papi_drm_report(rc, &error);
		if (!first || papi_drm_is_transient(rc)) {
			first = rc;
			papi_drm_error_text(&error, reason, size);
		}
		if (papi_drm_is_transient(rc))
			return rc;
	}
	if (count == 0) {
		snprintf(reason, size, NO_KNOWN_DRIVER);
		return -ENOTSUP;
	}
	return usable ? 0 : first;
}
