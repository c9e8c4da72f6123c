/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/gpu_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/word.h"
#include "machine/gpu.h"
#include "machine/root.h"

/* It goes and comes back with the GPU. */
struct sim_gpu_folder {
	struct sim_gpu_folder *next;
	const char *path; /* of the folder that it is in */
	char name[64];
};

static void
device_path(const struct sim_gpu *gpu, const char *path, char *out, size_t size)
{
	if (path[0] == '/')
		snprintf(out, size, "%s", path);
	else
		snprintf(out, size, "/sys/devices/pci%04x:00/%s/%s",
			 gpu->pci.domain, gpu->address, path);
}

/* Complain of a failure, which is one of the host's file system, and go on. */
static void
complain_file(const char *path, int error)
{
	if (error)
		fprintf(stderr, "drmsim: cannot write %s: %s\n", path,
			strerror(-error));
}

void
sim_gpu_bytes(struct sim_gpu *gpu, const char *path, const void *bytes,
	      size_t size)
{
	char name[PATH_MAX];

	device_path(gpu, path, name, sizeof(name));
	complain_file(name, sim_root_write(gpu->sim, name, bytes, size));
}

void
sim_gpu_file(struct sim_gpu *gpu, const char *path, const char *format, ...)
{
	char text[4096];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	sim_gpu_bytes(gpu, path, text, strlen(text));
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
	char path[96];

	sim_gpu_add_folder(gpu, ".", "hwmon");
	sim_gpu_hwmon_file(gpu, "name", "%s\n", name);
	sim_gpu_hwmon_file(gpu, "uevent", "%s", "");
	hwmon_path(gpu, "device", path, sizeof(path));
	sim_gpu_link(gpu, path, "../../../%s", gpu->address);
	hwmon_path(gpu, "subsystem", path, sizeof(path));
	sim_gpu_link(gpu, path, "../../../../../class/hwmon");
	snprintf(path, sizeof(path), "/sys/class/hwmon/hwmon%u", gpu->index);
	sim_gpu_link(gpu, path, "../../devices/pci%04x:00/%s/hwmon/hwmon%u",
		     gpu->pci.domain, gpu->address, gpu->index);
}

void
sim_gpu_link(struct sim_gpu *gpu, const char *path, const char *target, ...)
{
	char name[PATH_MAX], text[PATH_MAX];
	va_list list;

	va_start(list, target);
	vsnprintf(text, sizeof(text), target, list);
	va_end(list);
	device_path(gpu, path, name, sizeof(name));
	complain_file(name, sim_root_link(gpu->sim, name, text));
}

void
sim_gpu_remove_file(struct sim_gpu *gpu, const char *path)
{
	char name[PATH_MAX], full[PATH_MAX];

	device_path(gpu, path, name, sizeof(name));
	if (sim_root_path(gpu->sim, name, full, sizeof(full)) == 0)
		remove(full);
}

/*
 * Make the first folder of a path, or the file itself, disappear with the GPU.
 */
static int
add_first_folder(struct sim_gpu *gpu, const char *path)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "/"), path);
	for (const struct sim_gpu_folder *f = gpu->folders; f; f = f->next) {
		if (!strcmp(f->name, name))
			return 0;
	}
	return sim_gpu_add_folder(gpu, ".", name);
}

int
sim_gpu_set_file(struct sim_gpu *gpu, const struct sim_words *words)
{
	char text[1024] = "";
	size_t length = 0;

	if (words->count < 2 || words->word[0][0] == '/' ||
	    strstr(words->word[0], ".."))
		return -EINVAL;
	if (!strcmp(words->word[1], "none")) {
		sim_gpu_remove_file(gpu, words->word[0]);
		return 0;
	}
	for (size_t i = 1; i < words->count && length < sizeof(text); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%s\n", words->word[i]);
	if (length >= sizeof(text))
		return -EINVAL;
	sim_gpu_file(gpu, words->word[0], "%s", text);
	return add_first_folder(gpu, words->word[0]);
}

ssize_t
sim_gpu_read_file(struct sim_gpu *gpu, const char *path, char *text,
		  size_t size)
{
	char name[PATH_MAX], full[PATH_MAX];
	int fd;

	device_path(gpu, path, name, sizeof(name));
	if (sim_root_path(gpu->sim, name, full, sizeof(full)))
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

void
sim_gpu_number_file(struct sim_gpu *gpu, const char *path, uint64_t number)
{
	sim_gpu_file(gpu, path, "%llu\n", (unsigned long long)number);
}

void
sim_gpu_default_number_file(struct sim_gpu *gpu, const char *path,
			    uint64_t number)
{
	char text[32];

	if (sim_gpu_read_file(gpu, path, text, sizeof(text)) < 0)
		sim_gpu_number_file(gpu, path, number);
}

long
sim_gpu_read_number(struct sim_gpu *gpu, const char *path, long otherwise)
{
	char text[32];

	if (sim_gpu_read_file(gpu, path, text, sizeof(text)) < 0)
		return otherwise;
	return strtol(text, NULL, 10);
}

/* ---- what goes with the GPU */

int
sim_gpu_add_folder(struct sim_gpu *gpu, const char *folder, const char *name)
{
	struct sim_gpu_folder *added = calloc(1, sizeof(*added));

	if (!added)
		return -ENOMEM;
	added->path = folder;
	snprintf(added->name, sizeof(added->name), "%s", name);
	added->next = gpu->folders;
	gpu->folders = added;
	return 0;
}

static void
folder_hide(struct sim_gpu *gpu, const struct sim_gpu_folder *folder, bool hide)
{
	char path[PATH_MAX], shown[PATH_MAX], hidden[PATH_MAX];
	char base[PATH_MAX];

	device_path(gpu, folder->path, path, sizeof(path));
	if (sim_root_path(gpu->sim, path, base, sizeof(base)))
		return;
	if (snprintf(shown, sizeof(shown), "%s/%s", base, folder->name) >=
		    (int)sizeof(shown) ||
	    snprintf(hidden, sizeof(hidden), "%s/.%s", base, folder->name) >=
		    (int)sizeof(hidden))
		return;
	/* what a GPU may have it need not have now */
	if (rename(hide ? shown : hidden, hide ? hidden : shown) &&
	    errno != ENOENT)
		complain_file(shown, -errno);
}

void
sim_gpu_hide_folders(struct sim_gpu *gpu, bool gone)
{
	for (const struct sim_gpu_folder *f = gpu->folders; f; f = f->next)
		folder_hide(gpu, f, gone);
}

void
sim_gpu_forget_folders(struct sim_gpu *gpu)
{
	while (gpu->folders) {
		struct sim_gpu_folder *folder = gpu->folders;

		gpu->folders = folder->next;
		free(folder);
	}
}
