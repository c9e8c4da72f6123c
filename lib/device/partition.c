/* SPDX-License-Identifier: BSD-3-Clause */
/* Linux amdgpu_xcp.c, amdgpu_xcp_drv.c, amdgpu_gfx.c, kfd_topology.c. */
#include "device/partition.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"

/* The kernel makes nodes for 8 partitions of a GPU (amdgpu_xcp.h, MAX_XCP). */
#define MOST_PARTITIONS 8

bool
partition_is_device(const char *name)
{
	static const char prefix[] = "amdgpu_xcp";
	size_t length = sizeof(prefix) - 1;

	/* Linux up to 6.10 has a dot there */
	if (strncmp(name, prefix, length) || !strchr("_.", name[length]) ||
	    !name[length])
		return false;
	name += length + 1;
	return *name && !name[strspn(name, "0123456789")];
}

/* Return how many there are at most; 1 if the GPU cannot be partitioned. */
static unsigned
read_mode(const struct driver_target *target)
{
	static const struct {
		const char *name;
		unsigned parts;
	} modes[] = {
		{ "DPX", 2 },
		{ "TPX", 3 },
		{ "QPX", 4 },
		{ "CPX", MOST_PARTITIONS }, /* or as many as there are dies */
	};
	char text[16];

	if (text_file_read(target->sysfs, "current_compute_partition", text,
			   sizeof(text)))
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (!strcmp(modes[i].name, text))
			return modes[i].parts;
	}
	return 1;
}

static unsigned
minor_of(const struct driver_target *target)
{
	const char *digits = strrchr(target->render, 'D');

	return digits ? (unsigned)strtoul(digits + 1, NULL, 10) : 0;
}

static void
take_node(struct driver_target *target, const struct kfd_node *node)
{
	target->kfd = kfd_describe(node);
	target->dies = (unsigned)node->dies;
	if (node->simds_per_cu)
		target->cus = (unsigned)(node->simds / node->simds_per_cu);
}

void
partition_describe_first(struct driver_target *target,
			 const struct kfd_topology *topology)
{
	const struct kfd_node *node;

	if (strcmp(target->driver, "amdgpu") || !*target->render)
		return;
	target->partitions = read_mode(target);
	node = kfd_find_node(topology, minor_of(target));
	if (node)
		take_node(target, node);
}

/*
 * Return whether a node is of this GPU. The index of the partition stands where
 * the PCI function would.
 */
static bool
has_node(const struct driver_target *gpu, const struct kfd_node *node)
{
	char address[32];

	snprintf(address, sizeof(address),
		 "%04" PRIx64 ":%02" PRIx64 ":%02" PRIx64 ".", node->domain,
		 node->location >> 8 & 0xff, node->location >> 3 & 0x1f);
	return !strncmp(gpu->address, address, strlen(address));
}

/*
 * Return whether a partition is there: the node of one that the mode has not
 * cannot be opened.
 */
static bool
is_there(const struct driver_target *target)
{
	int fd = open(target->render, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return errno != ENOENT;
	close(fd);
	return true;
}

/*
 * Find the GPU of a node. The nodes of a GPU have numbers in a row, which
 * begins with its own.
 */
static const struct driver_target *
find_gpu_before(const struct driver_target *gpus, unsigned count,
		unsigned minor)
{
	const struct driver_target *found = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (!gpus[i].partitions || minor_of(&gpus[i]) >= minor)
			continue;
		if (!found || minor_of(&gpus[i]) > minor_of(found))
			found = &gpus[i];
	}
	return found;
}

static const struct driver_target *
find_gpu_of(const struct driver_target *gpus, unsigned count,
	    const struct kfd_node *node)
{
	for (unsigned i = 0; i < count; i++) {
		if (gpus[i].partitions && has_node(&gpus[i], node))
			return &gpus[i];
	}
	return NULL;
}

/* Take all but the nodes from the GPU. */
static void
take_gpu(struct driver_target *target, const struct driver_target *gpu,
	 unsigned partition)
{
	const char *render = target->render, *primary = target->primary;

	*target = *gpu;
	target->render = render;
	target->primary = primary;
	target->partition = partition;
	target->dies = target->cus = 0;
	target->kfd = (struct driver_kfd){ .id = 0 };
}

bool
partition_describe_other(struct driver_target *target,
			 const struct driver_target *gpus, unsigned count,
			 const struct kfd_topology *topology)
{
	const unsigned minor = minor_of(target);
	const struct kfd_node *node = kfd_find_node(topology, minor);
	const struct driver_target *gpu;
	unsigned partition;

	if (node) {
		gpu = find_gpu_of(gpus, count, node);
		if (!gpu)
			return false;
		take_gpu(target, gpu, (unsigned)node->location & 7);
		take_node(target, node);
		return true;
	}
	if (topology->count)
		return false;
	gpu = find_gpu_before(gpus, count, minor);
	partition = gpu ? minor - minor_of(gpu) : 0;
	if (!gpu || partition >= gpu->partitions || !is_there(target))
		return false;
	take_gpu(target, gpu, partition);
	return true;
}
