/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated root: a directory with dev, sys and proc, which umockdev's
 * preload shows to programs as the real ones. What programs need of the
 * host's own /sys beside GPUs is there as symbolic links.
 */
#include "machine/core.h"

#include "base/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DRM_MAJOR 226
#define PREFIX "drmsim."

/* ---- plain files */

static int
make_parents(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		int failed = mkdir(path, 0755) && errno != EEXIST;
		*p = '/';
		if (failed)
			return -errno;
	}
	return 0;
}

static int
full_path(struct sim *sim, const char *path, char *out, size_t size)
{
	int length = snprintf(out, size, "%s%s", sim->directory, path);

	if (length < 0 || (size_t)length >= size)
		return -ENAMETOOLONG;
	return 0;
}

static int
write_bytes(struct sim *sim, const char *path, const void *bytes, size_t size)
{
	char full[PATH_MAX];
	int fd, error = full_path(sim, path, full, sizeof(full));

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
	/* last, so that nobody finds the file empty */
	if (!error && ftruncate(fd, (off_t)size))
		error = -errno;
	close(fd);
	return error;
}

int
sim_testbed_write(struct sim *sim, const char *path, const char *text)
{
	return write_bytes(sim, path, text, strlen(text));
}

int
sim_testbed_link(struct sim *sim, const char *path, const char *target)
{
	char full[PATH_MAX];
	int error = full_path(sim, path, full, sizeof(full));

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
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

static void
remove_tree(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/*
 * What simulators left that were killed. A living one holds a lock; one that
 * has just begun may not have it yet, but is young.
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
sim_testbed_create(struct sim *sim)
{
	/* memory rather than disk, and device numbers that /proc/locks shows */
	const char *const bases[] = { getenv("XDG_RUNTIME_DIR"), "/dev/shm",
				      getenv("TMPDIR"), "/tmp" };

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

void
sim_testbed_destroy(struct sim *sim)
{
	if (sim->directory[0])
		remove_tree(sim->directory);
	if (sim->directory_lock >= 0)
		close(sim->directory_lock);
}

/* Link every entry of a host's directory, except those named in `without`. */
static int
mirror(struct sim *sim, const char *directory, const char *const *without)
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
		error = sim_testbed_link(sim, path, path);
	}
	closedir(host);
	return error;
}

/* Nothing of the host's GPUs may be seen, everything else may. */
int
sim_testbed_mirror(struct sim *sim)
{
	static const struct {
		const char *directory;
		const char *without[8];
	} mirrors[] = {
		{ "/sys", { "bus", "class", "dev", "devices", NULL } },
		{ "/sys/bus", { "pci", "event_source", NULL } },
		{ "/sys/bus/event_source", { "devices", NULL } },
		{ "/sys/bus/event_source/devices",
		  { "i915*", "amdgpu*", "xe*", NULL } },
		{ "/sys/class", { "drm", "hwmon", NULL } },
		{ "/sys/dev", { "char", NULL } },
		{ "/sys/dev/char", { "226:*", NULL } },
		{ "/sys/devices", { "pci*", "i915*", "amdgpu*", "xe*", NULL } },
	};
	static const char *const directories[] = {
		"/dev/.node/.", "/dev/dri/by-path/.", "/sys/bus/pci/devices/.",
		"/sys/bus/pci/drivers/.", "/sys/class/drm/.",
		"/sys/class/hwmon/.",
		"/sys/bus/event_source/devices/.", "/sys/dev/char/.",
		"/sys/devices/.", "/run/udev/data/.", "/proc/.",
	};
	char path[PATH_MAX];
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directories) && !error; i++) {
		error = full_path(sim, directories[i], path, sizeof(path));
		if (!error)
			error = make_parents(path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(mirrors) && !error; i++)
		error = mirror(sim, mirrors[i].directory, mirrors[i].without);
	return error;
}

/* ---- one GPU */

static void
device_path(const struct sim_gpu *gpu, const char *path, char *out,
	    size_t size)
{
	if (path[0] == '/')
		snprintf(out, size, "%s", path);
	else
		snprintf(out, size, "/sys/devices/pci%04x:00/%s/%s",
			 gpu->pci.domain, gpu->address, path);
}

/* A failure here is one of the host's file system; say so, and go on. */
static void
complain(const char *path, int error)
{
	if (error)
		fprintf(stderr, "drmsim: cannot write %s: %s\n", path,
			strerror(-error));
}

void
sim_gpu_file(struct sim_gpu *gpu, const char *path, const char *format, ...)
{
	char name[PATH_MAX], text[4096];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	device_path(gpu, path, name, sizeof(name));
	complain(name, sim_testbed_write(gpu->sim, name, text));
}

static void
hwmon_path(const struct sim_gpu *gpu, const char *name, char *path, size_t size)
{
	snprintf(path, size, "hwmon/hwmon%u/%s", gpu->index, name);
}

void
sim_gpu_hwmon_file(struct sim_gpu *gpu, const char *name, const char *format,
		   ...)
{
	char path[96], text[128];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	hwmon_path(gpu, name, path, sizeof(path));
	sim_gpu_file(gpu, path, "%s", text);
}

void
sim_gpu_hwmon_remove(struct sim_gpu *gpu, const char *name)
{
	char path[96];

	hwmon_path(gpu, name, path, sizeof(path));
	sim_gpu_remove_file(gpu, path);
}

void
sim_gpu_add_hwmon(struct sim_gpu *gpu, const char *name)
{
	char path[96], target[160];

	gpu->has_hwmon = true;
	sim_gpu_hwmon_file(gpu, "name", "%s\n", name);
	sim_gpu_hwmon_file(gpu, "uevent", "%s", "");
	hwmon_path(gpu, "device", path, sizeof(path));
	snprintf(target, sizeof(target), "../../../%s", gpu->address);
	sim_gpu_link(gpu, path, target);
	hwmon_path(gpu, "subsystem", path, sizeof(path));
	sim_gpu_link(gpu, path, "../../../../../class/hwmon");
	snprintf(path, sizeof(path), "/sys/class/hwmon/hwmon%u", gpu->index);
	snprintf(target, sizeof(target),
		 "../../devices/pci%04x:00/%s/hwmon/hwmon%u", gpu->pci.domain,
		 gpu->address, gpu->index);
	sim_gpu_link(gpu, path, target);
}

void
sim_gpu_link(struct sim_gpu *gpu, const char *path, const char *target)
{
	char name[PATH_MAX];

	device_path(gpu, path, name, sizeof(name));
	complain(name, sim_testbed_link(gpu->sim, name, target));
}

void
sim_gpu_remove_file(struct sim_gpu *gpu, const char *path)
{
	char name[PATH_MAX], full[PATH_MAX];

	device_path(gpu, path, name, sizeof(name));
	if (full_path(gpu->sim, name, full, sizeof(full)) == 0)
		remove(full);
}

void
sim_gpu_hide(struct sim_gpu *gpu, const char *folder, const char *name,
	     bool hide)
{
	char path[PATH_MAX], shown[PATH_MAX], hidden[PATH_MAX];
	char base[PATH_MAX];

	device_path(gpu, folder, path, sizeof(path));
	if (full_path(gpu->sim, path, base, sizeof(base)))
		return;
	if (snprintf(shown, sizeof(shown), "%s/%s", base, name) >=
		    (int)sizeof(shown) ||
	    snprintf(hidden, sizeof(hidden), "%s/.%s", base, name) >=
		    (int)sizeof(hidden))
		return;
	if (rename(hide ? shown : hidden, hide ? hidden : shown))
		complain(shown, -errno);
}

ssize_t
sim_gpu_read_file(struct sim_gpu *gpu, const char *path, char *text,
		  size_t size)
{
	char name[PATH_MAX], full[PATH_MAX];
	int fd;

	device_path(gpu, path, name, sizeof(name));
	if (full_path(gpu->sim, name, full, sizeof(full)))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t got = read(fd, text, size - 1);
	if (got < 0)
		got = -errno;
	else
		text[got] = '\0';
	close(fd);
	return got;
}

static void
put_config(struct sim_gpu *gpu)
{
	uint8_t config[64] = { 0 };
	char path[PATH_MAX];
	uint16_t words[] = { gpu->pci.vendor, gpu->pci.device_id };
	uint16_t sub[] = { gpu->pci.subvendor, gpu->pci.subdevice };

	memcpy(config, words, sizeof(words));
	config[8] = gpu->pci.revision;
	config[9] = (uint8_t)gpu->pci.class;
	config[10] = (uint8_t)(gpu->pci.class >> 8);
	config[11] = (uint8_t)(gpu->pci.class >> 16);
	memcpy(config + 0x2c, sub, sizeof(sub));
	device_path(gpu, "config", path, sizeof(path));
	complain(path, write_bytes(gpu->sim, path, config, sizeof(config)));
}

static void
put_pci_device(struct sim_gpu *gpu)
{
	char path[PATH_MAX], target[PATH_MAX];

	sim_gpu_file(gpu, "vendor", "0x%04x\n", gpu->pci.vendor);
	sim_gpu_file(gpu, "device", "0x%04x\n", gpu->pci.device_id);
	sim_gpu_file(gpu, "subsystem_vendor", "0x%04x\n", gpu->pci.subvendor);
	sim_gpu_file(gpu, "subsystem_device", "0x%04x\n", gpu->pci.subdevice);
	sim_gpu_file(gpu, "revision", "0x%02x\n", gpu->pci.revision);
	sim_gpu_file(gpu, "class", "0x%06x\n", gpu->pci.class);
	sim_gpu_file(gpu, "enable", "1\n");
	sim_gpu_file(gpu, "boot_vga", "%d\n", gpu->index == 0);
	sim_gpu_file(gpu, "numa_node", "-1\n");
	sim_gpu_file(gpu, "irq", "%u\n", 32 + gpu->index);
	sim_gpu_file(gpu, "modalias",
		     "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X\n",
		     gpu->pci.vendor, gpu->pci.device_id, gpu->pci.subvendor,
		     gpu->pci.subdevice, gpu->pci.class >> 16,
		     gpu->pci.class >> 8 & 0xff, gpu->pci.class & 0xff);
	sim_gpu_file(gpu, "uevent",
		     "DRIVER=%s\nPCI_CLASS=%X\nPCI_ID=%04X:%04X\n"
		     "PCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=%s\n"
		     "MODALIAS=pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X\n",
		     gpu->driver->name, gpu->pci.class, gpu->pci.vendor,
		     gpu->pci.device_id, gpu->pci.subvendor,
		     gpu->pci.subdevice, gpu->address, gpu->pci.vendor,
		     gpu->pci.device_id, gpu->pci.subvendor,
		     gpu->pci.subdevice, gpu->pci.class >> 16,
		     gpu->pci.class >> 8 & 0xff, gpu->pci.class & 0xff);
	sim_gpu_file(gpu, "power/control", "auto\n");
	sim_gpu_file(gpu, "power/runtime_status", "%s\n",
		     gpu->suspended ? "suspended" : "active");
	put_config(gpu);

	sim_gpu_link(gpu, "subsystem", "../../../bus/pci");
	snprintf(target, sizeof(target), "../../../bus/pci/drivers/%s",
		 gpu->driver->name);
	sim_gpu_link(gpu, "driver", target);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", gpu->address);
	snprintf(target, sizeof(target), "../../../devices/pci%04x:00/%s",
		 gpu->pci.domain, gpu->address);
	sim_gpu_link(gpu, path, target);
	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/%s",
		 gpu->driver->name, gpu->address);
	snprintf(target, sizeof(target), "../../../../devices/pci%04x:00/%s",
		 gpu->pci.domain, gpu->address);
	sim_gpu_link(gpu, path, target);
}

static int
put_node(struct sim_gpu *gpu, const char *name, unsigned minor, unsigned mode)
{
	char path[PATH_MAX], target[PATH_MAX];
	struct group *group;
	int error;

	snprintf(path, sizeof(path), "drm/%s/dev", name);
	sim_gpu_file(gpu, path, "%d:%u\n", DRM_MAJOR, minor);
	snprintf(path, sizeof(path), "drm/%s/uevent", name);
	sim_gpu_file(gpu, path,
		     "MAJOR=%d\nMINOR=%u\nDEVNAME=dri/%s\n"
		     "DEVTYPE=drm_minor\n",
		     DRM_MAJOR, minor, name);
	snprintf(path, sizeof(path), "drm/%s/device", name);
	snprintf(target, sizeof(target), "../../../%s", gpu->address);
	sim_gpu_link(gpu, path, target);
	snprintf(path, sizeof(path), "drm/%s/subsystem", name);
	sim_gpu_link(gpu, path, "../../../../../class/drm");

	snprintf(target, sizeof(target), "../../devices/pci%04x:00/%s/drm/%s",
		 gpu->pci.domain, gpu->address, name);
	snprintf(path, sizeof(path), "/sys/class/drm/%s", name);
	sim_gpu_link(gpu, path, target);
	snprintf(path, sizeof(path), "/sys/dev/char/%d:%u", DRM_MAJOR, minor);
	sim_gpu_link(gpu, path, target);

	/* umockdev learns the device number from here */
	snprintf(path, sizeof(path), "/dev/.node/dri_%s", name);
	snprintf(target, sizeof(target), "%d:%u", DRM_MAJOR, minor);
	sim_gpu_link(gpu, path, target);
	snprintf(path, sizeof(path), "/dev/dri/%s", name);
	error = sim_testbed_write(gpu->sim, path, "");
	if (error)
		return error;
	/* As on most systems; only root may give files away. */
	/* a small machine may lack the group that udev gives render nodes */
	group = minor >= 128 ? getgrnam("render") : NULL;
	if (!group)
		group = getgrnam("video");
	if (full_path(gpu->sim, path, target, sizeof(target)))
		return -ENAMETOOLONG;
	if (group && chown(target, (uid_t)-1, group->gr_gid))
		sim_log(gpu->sim, "%s keeps its group", path);
	error = sim_node_add(gpu, target, minor, mode);
	if (error)
		return error;
	return chmod(target, mode) ? -errno : 0;
}

int
sim_testbed_add_gpu(struct sim_gpu *gpu, unsigned node_mode)
{
	char name[32], path[PATH_MAX], target[64];
	int error;

	put_pci_device(gpu);
	snprintf(name, sizeof(name), "card%u", gpu->card);
	error = put_node(gpu, name, gpu->card, node_mode);
	if (error)
		return error;
	snprintf(path, sizeof(path), "/dev/dri/by-path/pci-%s-card",
		 gpu->address);
	snprintf(target, sizeof(target), "../%s", name);
	sim_gpu_link(gpu, path, target);

	snprintf(name, sizeof(name), "renderD%u", gpu->render);
	error = put_node(gpu, name, gpu->render, node_mode);
	if (error)
		return error;
	snprintf(path, sizeof(path), "/dev/dri/by-path/pci-%s-render",
		 gpu->address);
	snprintf(target, sizeof(target), "../%s", name);
	sim_gpu_link(gpu, path, target);
	return 0;
}
