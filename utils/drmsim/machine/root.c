/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/protocol.h"
#include "machine/machine.h"

#define PREFIX "drmsim."

/* ---- plain files */

/* Make the directories above a path, most of which are usually there. */
static int
make_parents(char *path)
{
	char *slash = strrchr(path, '/');
	int error = 0;

	if (!slash || slash == path)
		return 0;
	*slash = '\0';
	if (mkdir(path, 0755))
		error = -errno;
	if (error == -ENOENT) {
		error = make_parents(path);
		if (!error && mkdir(path, 0755))
			error = -errno;
	}
	*slash = '/';
	return error == -EEXIST ? 0 : error;
}

int
sim_root_path(const struct sim *sim, const char *path, char *out, size_t size)
{
	int length = snprintf(out, size, "%s%s", sim->directory, path);

	if (length < 0 || (size_t)length >= size)
		return -ENAMETOOLONG;
	return 0;
}

int
sim_root_write(struct sim *sim, const char *path, const void *bytes,
	       size_t size)
{
	char full[PATH_MAX];
	int fd, error = sim_root_path(sim, path, full, sizeof(full));

	if (error)
		return error;
	fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 && errno == ENOENT) {
		error = make_parents(full);
		if (error)
			return error;
		fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	}
	if (fd < 0)
		return -errno;
	ssize_t written = write(fd, bytes, size);
	error = written < 0 ? -errno : (size_t)written < size ? -ENOSPC : 0;
	/* last, so that no reader finds the file empty */
	if (!error && ftruncate(fd, (off_t)size))
		error = -errno;
	close(fd);
	return error;
}

int
sim_root_link(struct sim *sim, const char *path, const char *target)
{
	char full[PATH_MAX];
	int error = sim_root_path(sim, path, full, sizeof(full));

	if (error)
		return error;
	if (symlink(target, full) == 0)
		return 0;
	if (errno == ENOENT) {
		error = make_parents(full);
		if (error)
			return error;
	} else if (errno == EEXIST) {
		unlink(full);
	}
	return symlink(target, full) ? -errno : 0;
}

/* ---- the whole */

static int
remove_entry(const char *path, const struct stat *status, int type,
	     struct FTW *walk)
{
	(void)status;
	(void)walk;
	if (type == FTW_DP)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

static void
remove_tree(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/*
 * Remove the directories of simulators that were killed. A living one holds a
 * lock; one that has just begun may not have it yet, but is young.
 */
static void
remove_stale(const char *base)
{
	const time_t minute_ago = time(NULL) - 60;
	DIR *directory = opendir(base);
	char path[PATH_MAX];
	struct stat status;

	if (!directory)
		return;
	for (struct dirent *e = readdir(directory); e; e = readdir(directory)) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", base, e->d_name);
		int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					    O_CLOEXEC);
		if (fd < 0)
			continue;
		if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
		    status.st_ctime < minute_ago &&
		    flock(fd, LOCK_EX | LOCK_NB) == 0)
			remove_tree(path);
		close(fd);
	}
	closedir(directory);
}

int
sim_root_create(struct sim *sim)
{
	/* memory rather than disk, and device numbers that /proc/locks shows */
	const char *const bases[] = {
		secure_getenv("XDG_RUNTIME_DIR"),
		"/dev/shm",
		secure_getenv("TMPDIR"),
		"/tmp",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		if (!bases[i] || strlen(bases[i]) > 64)
			continue;
		snprintf(sim->directory, sizeof(sim->directory),
			 "%s/" PREFIX "XXXXXX", bases[i]);
		if (!mkdtemp(sim->directory))
			continue;
		/* a process that changes its user still has to see /sys */
		if (chmod(sim->directory, 0711))
			return -errno;
		sim->directory_lock = open(sim->directory,
					   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (sim->directory_lock < 0 ||
		    flock(sim->directory_lock, LOCK_SH))
			return -errno;
		remove_stale(bases[i]);
		return 0;
	}
	sim->directory[0] = '\0';
	return -errno;
}

/* Remove memory and semaphores that programs named, see preload/shared.c. */
static void
remove_shared(const struct sim *sim)
{
	static const char *const kinds[] = { "", "sem." };
	const char *machine = strrchr(sim->directory, '/') + 1;
	DIR *directory = opendir("/dev/shm");
	char name[128], path[PATH_MAX];

	if (!directory)
		return;
	for (struct dirent *e = readdir(directory); e; e = readdir(directory)) {
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			snprintf(name, sizeof(name), "%s%s." PROTOCOL_SHARED,
				 kinds[i], machine);
			if (strncmp(e->d_name, name, strlen(name)) != 0)
				continue;
			snprintf(path, sizeof(path), "/dev/shm/%s", e->d_name);
			unlink(path);
		}
	}
	closedir(directory);
}

void
sim_root_destroy(struct sim *sim)
{
	if (sim->directory[0]) {
		remove_shared(sim);
		remove_tree(sim->directory);
	}
	if (sim->directory_lock >= 0)
		close(sim->directory_lock);
}

/* Link every entry of a host's directory, except those named in `without`. */
static int
root_mirror(struct sim *sim, const char *directory, const char *const *without)
{
	DIR *host = opendir(directory);
	char path[PATH_MAX];
	int error = 0;

	if (!host)
		return 0;
	for (struct dirent *e = readdir(host); e && !error; e = readdir(host)) {
		bool skip = e->d_name[0] == '.';
		for (size_t i = 0; without[i]; i++) {
			size_t n = strlen(without[i]);
			skip = skip || (without[i][n - 1] == '*' ?
				strncmp(e->d_name, without[i], n - 1) == 0 :
				strcmp(e->d_name, without[i]) == 0);
		}
		if (skip)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
		error = sim_root_link(sim, path, path);
	}
	closedir(host);
	return error;
}

/* ---- processors */

#define SYSTEM "/sys/devices/system"

/* Caches of a usual processor. */
static const struct {
	const char *level, *type, *size, *ways;
} caches[] = {
	{ "1", "Data", "32K", "8" },
	{ "1", "Instruction", "32K", "8" },
	{ "2", "Unified", "512K", "8" },
};

static int
put_cache(struct sim *sim, const char *folder, size_t number, unsigned cpu)
{
	char map[16], list[16], path[PATH_MAX + 64];
	const struct {
		const char *name, *text;
	} files[] = {
		{ "level", caches[number].level },
		{ "type", caches[number].type },
		{ "size", caches[number].size },
		{ "ways_of_associativity", caches[number].ways },
		{ "coherency_line_size", "64" },
		{ "physical_line_partition", "1" },
		{ "shared_cpu_map", map },
		{ "shared_cpu_list", list },
	};
	int error = 0;

	snprintf(map, sizeof(map), "%x", 1u << cpu % 32);
	snprintf(list, sizeof(list), "%u", cpu);
	for (size_t i = 0; i < ARRAY_SIZE(files) && !error; i++) {
		char text[32];

		snprintf(path, sizeof(path), "%s/cache/index%zu/%s", folder,
			 number, files[i].name);
		snprintf(text, sizeof(text), "%s\n", files[i].text);
		error = sim_root_write(sim, path, text, strlen(text));
	}
	return error;
}

/* Put a folder in the place of a link to the host's, with what that has. */
static int
copy_linked_folder(struct sim *sim, const char *folder)
{
	static const char *const without[] = { NULL };
	char path[PATH_MAX], host[PATH_MAX];
	int error = sim_root_path(sim, folder, path, sizeof(path));

	if (error)
		return error;
	/* a link that leads out of the root is not written through */
	if (!realpath(folder, host))
		return -errno;
	if (unlink(path) && errno != ENOENT)
		return -errno;
	snprintf(path, sizeof(path), "%s/%s/.", sim->directory, folder);
	error = make_parents(path);
	return error ? error : root_mirror(sim, folder, without);
}

/* Create the cache folders of the processors of a host's node. */
static int
put_caches(struct sim *sim, const char *node)
{
	DIR *host = opendir(node);
	char path[PATH_MAX];
	unsigned cpu;
	int error = 0;

	if (!host)
		return -errno;
	for (struct dirent *e = readdir(host); e && !error; e = readdir(host)) {
		if (sscanf(e->d_name, "cpu%u", &cpu) != 1)
			continue;
		snprintf(path, sizeof(path), "%s/%s", node, e->d_name);
		error = copy_linked_folder(sim, path);
		for (size_t i = 0; i < ARRAY_SIZE(caches) && !error; i++)
			error = put_cache(sim, path, i, cpu);
	}
	closedir(host);
	return error;
}

int
sim_root_show_caches(struct sim *sim)
{
	static const char *const folders[] = { SYSTEM, SYSTEM "/node",
					       SYSTEM "/node/node0" };
	int error = 0;

	if (access(SYSTEM "/cpu/cpu0/cache", F_OK) == 0 ||
	    access(folders[2], F_OK))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(folders) && !error; i++)
		error = copy_linked_folder(sim, folders[i]);
	return error ? error : put_caches(sim, folders[2]);
}

/* Mirror everything of the host but its GPUs. */
int
sim_root_mirror(struct sim *sim)
{
	static const struct {
		const char *directory;
		const char *without[8];
	} mirrors[] = {
		{ "/sys",
		  { "bus", "class", "dev", "devices", "firmware", "module",
		    NULL } },
		/* the host's memory is not that of the simulated GPUs */
		{ "/sys/firmware", { "dmi", NULL } },
		{ "/sys/module", { "amdgpu", NULL } },
		{ "/sys/bus", { "pci", "platform", "event_source", NULL } },
		{ "/sys/bus/platform", { "devices", NULL } },
		{ "/sys/bus/platform/devices", { "amdgpu_xcp*", NULL } },
		{ "/sys/bus/event_source", { "devices", NULL } },
		{ "/sys/bus/event_source/devices",
		  { "i915*", "amdgpu*", "xe*", NULL } },
		{ "/sys/class", { "drm", "hwmon", "kfd", NULL } },
		{ "/sys/dev", { "char", NULL } },
		{ "/sys/dev/char", { "226:*", NULL } },
		{ "/sys/devices",
		  { "pci*", "i915*", "amdgpu*", "xe*", "platform", "virtual",
		    NULL } },
		{ "/sys/devices/platform", { "amdgpu_xcp*", NULL } },
		{ "/sys/devices/virtual", { "kfd", NULL } },
	};
	static const char *const directories[] = {
		"/dev/.node/.",
		"/dev/dri/by-path/.",
		"/sys/bus/pci/devices/.",
		"/sys/bus/pci/drivers/.",
		"/sys/class/drm/.",
		"/sys/class/hwmon/.",
		"/sys/bus/event_source/devices/.",
		"/sys/dev/char/.",
		"/sys/devices/platform/.",
		"/sys/devices/virtual/.",
		"/sys/bus/platform/devices/.",
		"/sys/module/.",
		"/sys/firmware/dmi/tables/.",
		"/run/udev/data/.",
		"/proc/.",
	};
	char path[PATH_MAX];
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directories) && !error; i++) {
		error = sim_root_path(sim, directories[i], path, sizeof(path));
		if (!error)
			error = make_parents(path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(mirrors) && !error; i++)
		error = root_mirror(sim, mirrors[i].directory,
				    mirrors[i].without);
	return error;
}
