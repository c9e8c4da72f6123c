/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/kfd.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"

/* Take one line of a properties file: "drm_render_minor 128". */
static void
take_property(struct kfd_node *node, const char *line)
{
	const struct {
		const char *name;
		uint64_t *value;
	} properties[] = {
		{ "drm_render_minor", &node->minor },
		{ "domain", &node->domain },
		{ "location_id", &node->location },
		{ "num_xcc", &node->dies },
		{ "simd_count", &node->simds },
		{ "simd_per_cu", &node->simds_per_cu },
		{ "array_count", &node->arrays },
		{ "simd_arrays_per_engine", &node->arrays_per_engine },
		{ "lds_size_in_kb", &node->lds_kib },
		{ "cwsr_size", &node->save_size },
		{ "ctl_stack_size", &node->control_size },
	};
	size_t length = strcspn(line, " ");

	for (size_t i = 0; i < ARRAY_SIZE(properties); i++) {
		if (strlen(properties[i].name) == length &&
		    !strncmp(properties[i].name, line, length))
			sscanf(line + length, "%" SCNu64, properties[i].value);
	}
}

/*
 * Read the id of a GPU, which has a file of its own; 0 if that tells nothing.
 */
static uint32_t
read_gpu_id(const char *folder, const char *name)
{
	char file[NAME_MAX + sizeof("/gpu_id")];
	uint64_t id;

	snprintf(file, sizeof(file), "%s/gpu_id", name);
	return number_file_read(folder, file, &id) ? 0 : (uint32_t)id;
}

/*
 * Read a node. Those whose device files a cgroup forbids cannot be read either.
 */
static int
read_node(const char *folder, const char *name, struct kfd_node *out)
{
	char path[PATH_MAX], line[128];
	FILE *file;

	memset(out, 0, sizeof(*out));
	if (snprintf(path, sizeof(path), "%s/%s/properties", folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file))
		take_property(out, line);
	fclose(file);
	out->gpu_id = read_gpu_id(folder, name);
	return 0;
}

static int
add_node(struct kfd_topology *topology, const struct kfd_node *node)
{
	struct kfd_node *nodes =
		array_grow(topology->nodes, topology->count, sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	topology->nodes = nodes;
	nodes[topology->count++] = *node;
	return 0;
}

static int
read_nodes(struct kfd_topology *topology, const char *path, DIR *folder)
{
	struct kfd_node node;
	struct dirent *entry;
	int ret = 0;

	while (!ret && (entry = readdir(folder))) {
		if (*entry->d_name == '.')
			continue;
		ret = read_node(path, entry->d_name, &node);
		if (!ret)
			ret = add_node(topology, &node);
		else if (!error_is_transient(ret))
			ret = 0;
	}
	return ret;
}

int
kfd_read_topology(const char *root, struct kfd_topology *out)
{
	char path[PATH_MAX];
	DIR *folder;
	int ret;

	memset(out, 0, sizeof(*out));
	snprintf(path, sizeof(path), "%s/sys/class/kfd/kfd/topology/nodes",
		 root);
	folder = opendir(path);
	if (!folder)
		return error_is_transient(-errno) ? -errno : 0;
	ret = read_nodes(out, path, folder);
	closedir(folder);
	if (ret)
		kfd_free_topology(out);
	return ret;
}

void
kfd_free_topology(struct kfd_topology *topology)
{
	free(topology->nodes);
	memset(topology, 0, sizeof(*topology));
}

const struct kfd_node *
kfd_find_node(const struct kfd_topology *topology, unsigned minor)
{
	for (size_t i = 0; i < topology->count; i++) {
		if (topology->nodes[i].simds &&
		    topology->nodes[i].minor == minor)
			return &topology->nodes[i];
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* What a queue wants (Linux kfd_queue.c)                               */

#define PAGE 4096u
#define WAVES_PER_CU 40
#define WAVES_PER_ENGINE 512
#define CONTROL_PER_WAVE 8
#define CONTROL_HEAD 48
#define DEBUG_PER_WAVE 32
#define DEBUG_ALIGNMENT 64
/* Registers of a CU of GPUs with several dies, but for its LDS */
#define REGISTERS_PER_CU (0x80000 + 0x4000 + 0x1000)

static uint64_t
align_up(uint64_t bytes, uint64_t to)
{
	return (bytes + to - 1) / to * to;
}

struct driver_kfd
kfd_describe(const struct kfd_node *node)
{
	struct driver_kfd out = { .id = node->gpu_id };
	uint64_t control = node->control_size, save = node->save_size;
	uint64_t cus, engines, waves, debug;

	if (!node->dies || !node->simds_per_cu || !node->arrays_per_engine)
		return out;
	cus = node->simds / node->simds_per_cu / node->dies;
	engines = node->arrays / node->arrays_per_engine / node->dies;
	waves = cus * WAVES_PER_CU;
	if (waves > engines * WAVES_PER_ENGINE)
		waves = engines * WAVES_PER_ENGINE;
	/* up to Linux 6.11 the kernel does not tell */
	if (!control || !save) {
		control =
			align_up(CONTROL_HEAD + waves * CONTROL_PER_WAVE, PAGE);
		save = control +
		       align_up(cus * (REGISTERS_PER_CU + node->lds_kib * 1024),
				PAGE);
	}
	debug = align_up(waves * DEBUG_PER_WAVE, DEBUG_ALIGNMENT);
	out.control_size = (uint32_t)control;
	out.save_size = (uint32_t)save;
	out.save_total = align_up((save + debug) * node->dies, PAGE);
	return out;
}
