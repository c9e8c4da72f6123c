/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

static const struct figure {
	const char *name;
	const char *description;
	size_t offset;
	size_t total; /* of the member that is not 0 if there is such memory */
} known[MEMORY_SENSORS] = {
	{ "vram-usage",
	  "Memory of the GPU in use, by all processes and the kernel, which "
	  "shows it to privileged processes only.",
	  offsetof(struct memory_regions, vram_used),
	  offsetof(struct memory_regions, vram_total) },
	{ "vram-total", "Memory of the GPU.",
	  offsetof(struct memory_regions, vram_total),
	  offsetof(struct memory_regions, vram_total) },
	{ "system-usage",
	  "Memory of the system in use by the GPU, for all processes and the "
	  "kernel, which shows it to privileged processes only.",
	  offsetof(struct memory_regions, system_used),
	  offsetof(struct memory_regions, system_total) },
	{ "system-total", "Memory of the system that the GPU may use.",
	  offsetof(struct memory_regions, system_total),
	  offsetof(struct memory_regions, system_total) },
};

static uint64_t
bytes_at(const struct memory_regions *regions, size_t offset)
{
	return *(const uint64_t *)((const char *)regions + offset);
}

static void
add_sensors(struct memory_source *source, const struct memory_regions *regions,
	    struct sensor *list, size_t *count)
{
	for (unsigned i = 0; i < ARRAY_SIZE(known); i++) {
		if (!bytes_at(regions, known[i].total))
			continue;
		source->figures[*count - source->first] = i;
		list[(*count)++] = (struct sensor){
			.name = known[i].name,
			.description = known[i].description,
			.unit = DRMPERF_UNIT_BYTES,
			.kind = DRMPERF_KIND_MOMENTARY,
			.scale = 1,
			.wakes = source->wakes,
		};
	}
}

/* Open the render node, or the primary one of a GPU that has no other. */
static int
open_node(const struct driver_target *target)
{
	const char *path = *target->render ? target->render : target->primary;
	int node = open(path, O_RDWR | O_CLOEXEC);

	return node < 0 ? -errno : node;
}

int
memory_source_open(struct memory_source *source,
		   const struct driver_target *target, struct sensor *list,
		   size_t *count)
{
	struct memory_regions regions;
	int ret, node = open_node(target);

	source->first = *count;
	if (node < 0)
		return error_is_transient(node) ? node : 0;
	ret = source->read(node, &regions);
	if (!ret)
		add_sensors(source, &regions, list, count);
	if (*count > source->first)
		source->node = node;
	else
		close(node);
	return error_is_transient(ret) ? ret : 0;
}

void
memory_source_close(struct memory_source *source)
{
	if (source->node >= 0)
		close(source->node);
}

int
memory_source_read(const struct memory_source *source, size_t index,
		   uint64_t *value)
{
	const struct figure *figure =
		&known[source->figures[index - source->first]];
	struct memory_regions regions;
	int ret = source->read(source->node, &regions);

	if (ret)
		return ret;
	*value = bytes_at(&regions, figure->offset);
	/*
	 * The kernel reports 0 bytes in use to processes without the right to
	 * know. 0 is never true: the driver's queues and firmware use memory.
	 */
	if (figure->offset != figure->total && !regions.vram_used &&
	    !regions.system_used)
		return -EACCES;
	return 0;
}
