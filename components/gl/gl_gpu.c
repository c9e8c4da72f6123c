/* SPDX-License-Identifier: BSD-3-Clause */
#include "gl_gpu.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "gl_extensions.h"
#include "gl_tell.h"

#define CHOOSE "set DRMPERF_GPU to its index or PCI address"

/* ------------------------------------------------------------------ */
/* By node                                                              */

/* Write the PCI address of a DRM node, "" if it has none. */
static void
address_of(const char *node, char address[GL_ADDRESS_SIZE])
{
	char link[64], device[PATH_MAX];
	struct stat status;

	address[0] = '\0';
	if (stat(node, &status) || !S_ISCHR(status.st_mode))
		return;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device",
		 major(status.st_rdev), minor(status.st_rdev));
	if (realpath(link, device))
		snprintf(address, GL_ADDRESS_SIZE, "%s",
			 strrchr(device, '/') + 1);
}

static int
find_node(struct drmperf *drmperf, const char *node,
	  struct drmperf_device **out, struct drmperf_error *error)
{
	char address[GL_ADDRESS_SIZE];
	struct drmperf_device *device;

	address_of(node, address);
	device = fe_gpu_at(drmperf, address);
	if (!device)
		return fe_fail(error, -ENODEV, "",
			       "the context draws with %s%s%s, which is no GPU "
			       "whose counters are known",
			       node, address[0] ? " at " : "", address);
	*out = device;
	return 0;
}

/* ------------------------------------------------------------------ */
/* By what it is                                                        */

/* Return "vendor" or "device" of PCI; 0 if the kernel does not report it. */
static unsigned
read_number(const struct drmperf_device *device, const char *what)
{
	unsigned number = 0;
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s",
		 drmperf_device_address(device), what);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%x", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

static bool
is_same(const struct drmperf_device *device, const struct gl_renderer *renderer)
{
	return read_number(device, "vendor") == renderer->vendor &&
	       read_number(device, "device") == renderer->device;
}

/* Write the address of what a file descriptor is, "" if that is no DRM node. */
static void
address_of_file(int folder, const char *name, char address[GL_ADDRESS_SIZE])
{
	char target[PATH_MAX];
	const ssize_t length =
		readlinkat(folder, name, target, sizeof(target) - 1);
	const char *node;

	target[length < 0 ? 0 : length] = '\0';
	node = strstr(target, "/dev/dri/");
	address_of(node ? node : "", address);
}

/* Return whether this process has the device open. */
static bool
is_open(const struct drmperf_device *device)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	bool found = false;

	while (folder && !found && (entry = readdir(folder))) {
		char address[GL_ADDRESS_SIZE];

		address_of_file(dirfd(folder), entry->d_name, address);
		found = fe_gpu_has(device, address);
	}
	if (folder)
		closedir(folder);
	return found;
}

struct candidates {
	struct drmperf_device *first, *first_open;
	unsigned count, open;
};

static struct candidates
find_candidates(struct drmperf *drmperf, const struct gl_renderer *renderer)
{
	struct candidates candidates = { 0 };

	for (unsigned i = drmperf_device_count(drmperf); i > 0; i--) {
		struct drmperf_device *device =
			drmperf_device_at(drmperf, i - 1);

		if (!is_same(device, renderer))
			continue;
		candidates.first = device;
		candidates.count++;
		if (!is_open(device))
			continue;
		candidates.first_open = device;
		candidates.open++;
	}
	return candidates;
}

static bool
is_ambiguous(const struct candidates *candidates)
{
	return candidates->count > 1 && candidates->open != 1;
}

static int
find_same_device(const struct candidates *candidates,
		 const struct gl_renderer *renderer,
		 struct drmperf_device **out, struct drmperf_error *error)
{
	if (!candidates->count)
		return fe_fail(error, -ENODEV, "",
			       "the context draws with %04x:%04x, which is no "
			       "GPU whose counters are known",
			       renderer->vendor, renderer->device);
	if (is_ambiguous(candidates))
		return fe_fail(error, -ENOTUNIQ, CHOOSE,
			       "there are %u GPUs %04x:%04x, and the context's "
			       "driver does not report which one it draws with",
			       candidates->count, renderer->vendor,
			       renderer->device);
	*out = candidates->count == 1 ? candidates->first
				      : candidates->first_open;
	return 0;
}

/* ------------------------------------------------------------------ */

int
gl_gpu_find(struct drmperf *drmperf, const struct gl_renderer *renderer,
	    const char *chosen, struct drmperf_device **out,
	    struct drmperf_error *error)
{
	const bool has_choice = chosen && chosen[0];
	struct candidates candidates;

	if (renderer->node[0])
		return find_node(drmperf, renderer->node, out, error);
	candidates = find_candidates(drmperf, renderer);
	if (renderer->vendor && !(has_choice && is_ambiguous(&candidates)))
		return find_same_device(&candidates, renderer, out, error);
	if (!has_choice)
		return fe_fail(error, -ENODEV, CHOOSE,
			       "the context's driver does not report which GPU "
			       "it draws with");
	return fe_gpu_named(drmperf, chosen, out, error);
}

void
gl_gpu_address(struct drmperf *drmperf, const struct gl_renderer *renderer,
	       char address[GL_ADDRESS_SIZE])
{
	struct drmperf_device *device;

	if (renderer->node[0])
		address_of(renderer->node, address);
	else if (!gl_gpu_find(drmperf, renderer, NULL, &device, NULL))
		strcpy(address, drmperf_device_address(device));
	else
		address[0] = '\0';
}

void
gl_gpu_describe(const struct drmperf_device *device, struct drmperf_error *text)
{
	fe_fail(text, 0, "",
		GL_EXTENSIONS_OURS
		" counts on GPU %u, %s at %s, for all that use it",
		drmperf_device_index(device), fe_chip(device),
		drmperf_device_address(device));
}
