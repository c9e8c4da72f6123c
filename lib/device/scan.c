/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/scan.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"
#include "device/partition.h"

/* PCI base classes: display controllers; accelerators, as MI300 calls itself */
#define CLASS_DISPLAY 0x03
#define CLASS_ACCELERATOR 0x12

struct scan {
	const char *root;
	const struct driver *const *drivers;
	struct arena *arena;
	struct kfd_topology topology;
	struct driver_target *targets;
	unsigned count;
	unsigned gpu_count; /* of these, which come first */
};

int
scan_read_number(const char *folder, const char *name, uint32_t *out)
{
	uint64_t value;
	int err = number_file_read(folder, name, &value);

	if (!err && value > UINT32_MAX)
		err = -ENODATA;
	if (!err)
		*out = (uint32_t)value;
	return err;
}

/* Read the last part of what a link points to. 0, or -errno. */
static int
read_link_name(const char *folder, const char *name, char *out, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *last;
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	last = strrchr(target, '/');
	last = last ? last + 1 : target;
	return snprintf(out, size, "%s", last) < (int)size ? 0 : -ENAMETOOLONG;
}

static const char *
find_driver(const struct scan *scan, const char *name)
{
	size_t i;

	for (i = 0; scan->drivers[i]; i++)
		if (scan->drivers[i]->name &&
		    !strcmp(scan->drivers[i]->name, name))
			return scan->drivers[i]->name;
	return NULL;
}

static bool
is_display(uint32_t class)
{
	return class >> 16 == CLASS_DISPLAY || class >> 16 == CLASS_ACCELERATOR;
}

/* Return whether the name is digits behind a prefix, and nothing else. */
static bool
is_node(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return !strncmp(name, prefix, length) && name[length] &&
	       !name[length + strspn(name + length, "0123456789")];
}

/* Find the nodes in the drm folder of a device. Returns 0, or -errno. */
static int
find_nodes(struct scan *scan, const char *device, struct driver_target *target)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int err = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/drm", device);
	folder = opendir(path);
	if (!folder)
		return -errno;
	while (!err) {
		const char **node;

		errno = 0;
		entry = readdir(folder);
		if (!entry) {
			err = -errno;
			break;
		}
		if (is_node(entry->d_name, "card"))
			node = &target->primary;
		else if (is_node(entry->d_name, "renderD"))
			node = &target->render;
		else
			continue;
		*node = arena_printf(scan->arena, "%s/dev/dri/%s", scan->root,
				     entry->d_name);
		if (!*node)
			err = -ENOMEM;
	}
	closedir(folder);
	return err;
}

static int
add_target(struct scan *scan, const struct driver_target *target)
{
	struct driver_target *targets =
		array_grow(scan->targets, scan->count, sizeof(*targets));

	if (!targets)
		return -ENOMEM;
	scan->targets = targets;
	targets[scan->count++] = *target;
	return 0;
}

/*
 * Parse "0000:03:00.0" as a number that sorts; false if it is not of that form
 */
static bool
parse_address(const char *text, uint64_t *out)
{
	unsigned domain, bus, device, function;
	int end = 0;

	if (sscanf(text, "%8x:%2x:%2x.%1x%n", &domain, &bus, &device, &function,
		   &end) != 4 ||
	    text[end])
		return false;
	*out = (uint64_t)domain << 32 | bus << 16 | device << 8 | function;
	return true;
}

static int
scan_device(struct scan *scan, const char *folder, const char *address)
{
	struct driver_target target = { .root = scan->root,
					.primary = "",
					.render = "" };
	uint64_t position;
	uint32_t class = 0;
	char driver[64];
	int err;

	if (!parse_address(address, &position))
		return 0;
	target.sysfs = arena_printf(scan->arena, "%s/%s", folder, address);
	target.address = arena_strndup(scan->arena, address, strlen(address));
	if (!target.sysfs || !target.address)
		return -ENOMEM;
	err = read_link_name(target.sysfs, "driver", driver, sizeof(driver));
	if (err) /* no driver is bound to it */
		return error_is_transient(err) ? err : 0;
	target.driver = find_driver(scan, driver);
	if (!target.driver)
		return 0;
	err = scan_read_number(target.sysfs, "class", &class);
	if (!err && is_display(class))
		err = find_nodes(scan, target.sysfs, &target);
	/*
	 * A file that is absent or has just gone is no error; a transient one
	 * is, or a machine would seem to have no GPUs.
	 */
	if (error_is_transient(err))
		return err;
	if (!*target.primary && !*target.render)
		return 0;
	err = scan_read_number(target.sysfs, "vendor", &target.vendor_id);
	if (!error_is_transient(err))
		err = scan_read_number(target.sysfs, "device",
				       &target.device_id);
	if (error_is_transient(err))
		return err;
	partition_describe_first(&target, &scan->topology);
	err = add_target(scan, &target);
	scan->gpu_count = scan->count;
	return err;
}

/*
 * Scan a partition, once all PCI devices are known. A partition is no PCI
 * device: the link of its render node leads to a platform device, which has
 * neither driver nor class.
 */
static int
scan_partition(struct scan *scan, const char *folder, const char *node)
{
	struct driver_target target = { .root = scan->root,
					.primary = "",
					.render = "" };
	char link[PATH_MAX], device[64];
	int err;

	if (!is_node(node, "renderD"))
		return 0;
	snprintf(link, sizeof(link), "%s/%s", folder, node);
	err = read_link_name(link, "device", device, sizeof(device));
	if (err || !partition_is_device(device))
		return error_is_transient(err) ? err : 0;
	if (snprintf(link, sizeof(link), "%s/%s/device", folder, node) >=
	    (int)sizeof(link))
		return 0;
	err = find_nodes(scan, link, &target);
	if (err)
		return error_is_transient(err) ? err : 0;
	if (!*target.render ||
	    !partition_describe_other(&target, scan->targets, scan->gpu_count,
				      &scan->topology))
		return 0;
	return add_target(scan, &target);
}

static int
compare_targets(const void *a, const void *b)
{
	const struct driver_target *left = a, *right = b;
	uint64_t i = 0, k = 0;

	parse_address(left->address, &i);
	parse_address(right->address, &k);
	if (i == k) {
		i = left->partition;
		k = right->partition;
	}
	return (i > k) - (i < k);
}

/* Call a function for each entry of a folder, of whatever name. */
static int
scan_folder(struct scan *scan, DIR *folder, const char *path,
	    int (*look)(struct scan *scan, const char *path, const char *name))
{
	struct dirent *entry;
	int err = 0;

	while (!err) {
		errno = 0;
		entry = readdir(folder);
		if (!entry)
			return -errno;
		err = look(scan, path, entry->d_name);
	}
	return err;
}

static int
scan_finish(struct scan *scan, struct driver_target **out)
{
	size_t size = scan->count * sizeof(**out);
	unsigned i;

	*out = arena_alloc(scan->arena, size ? size : 1);
	if (!*out)
		return -ENOMEM;
	if (!scan->count)
		return 0;
	qsort(scan->targets, scan->count, sizeof(*scan->targets),
	      compare_targets);
	for (i = 0; i < scan->count; i++)
		scan->targets[i].index = i;
	memcpy(*out, scan->targets, size);
	return 0;
}

int
scan_devices(const char *root, const struct driver *const *drivers,
	     struct arena *arena, struct driver_target **out, unsigned *count,
	     struct drmperf_error *error)
{
	struct scan scan = { .root = root, .drivers = drivers, .arena = arena };
	static const struct {
		const char *path;
		int (*look)(struct scan *scan, const char *path,
			    const char *name);
	} folders[] = {
		{ "/sys/bus/pci/devices", scan_device },
		{ "/sys/class/drm", scan_partition },
	};
	char path[PATH_MAX] = "/sys/class/kfd";
	int err = kfd_read_topology(root, &scan.topology);
	DIR *folder;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && !err; i++) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i].path);
		folder = opendir(path);
		if (folder) {
			err = scan_folder(&scan, folder, path, folders[i].look);
			closedir(folder);
		} else if (errno != ENOENT) {
			err = -errno;
		}
	}
	if (!err)
		err = scan_finish(&scan, out);
	if (!err)
		*count = scan.count;
	else if (err == -ENOMEM)
		error_set(error, err, "no memory for the list of GPUs");
	else
		err = error_set(error, error_is_transient(err) ? err : -EIO,
				"cannot read %s: %s", path,
				strerrordesc_np(-err));
	kfd_free_topology(&scan.topology);
	free(scan.targets);
	return err;
}
