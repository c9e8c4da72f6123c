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

/* One line of a properties file: "drm_render_minor 128". */
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
	};
	size_t length = strcspn(line, " ");

	for (size_t i = 0; i < ARRAY_SIZE(properties); i++) {
		if (strlen(properties[i].name) == length &&
		    !strncmp(properties[i].name, line, length))
			sscanf(line + length, "%" SCNu64, properties[i].value);
	}
}

/* It has a file of its own; 0 if that tells nothing. */
static uint32_t
read_gpu_id(const char *folder, const char *name)
{
	char path[PATH_MAX];
	uint32_t id = 0;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/%s/gpu_id", folder, name) >=
	    (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu32, &id) != 1)
		id = 0;
	fclose(file);
	return id;
}

/* Nodes whose device files a cgroup forbids cannot be read either. */
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
	if (topology->count == topology->capacity) {
		size_t capacity = topology->capacity * 2 + 8;
		struct kfd_node *nodes = reallocarray(
			topology->nodes, capacity, sizeof(*nodes));

		if (!nodes)
			return -ENOMEM;
		topology->nodes = nodes;
		topology->capacity = capacity;
	}
	topology->nodes[topology->count++] = *node;
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
