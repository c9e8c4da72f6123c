/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_topology.c; names and order of lines as there. */
#include "amdgpu/kfd.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "machine/driver.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"

#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"

/* More than partitions of all GPUs, and the CPU's. */
#define NODES_MAX (SIM_GPUS_MAX * DIES_MAX + 1)

static void
remove_nodes(struct sim_gpu *gpu)
{
	static const char *const files[] = { "/gpu_id", "/name", "/properties",
					     "" };
	char path[PATH_MAX];

	for (unsigned node = 0; node < NODES_MAX; node++) {
		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u%s",
				 node, files[i]);
			sim_gpu_remove_file(gpu, path);
		}
	}
}

static void
put_node(struct sim_gpu *gpu, unsigned node, unsigned gpu_id, const char *name,
	 const char *properties)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/gpu_id", node);
	sim_gpu_file(gpu, path, "%u\n", gpu_id);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/name", node);
	sim_gpu_file(gpu, path, "%s\n", name);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/properties", node);
	sim_gpu_file(gpu, path, "%s", properties);
}

static unsigned
count_cus(const struct amdgpu *amdgpu, unsigned partition)
{
	unsigned dies = amdgpu_dies_per_partition(amdgpu), count = 0;

	for (unsigned i = 0; i < dies; i++)
		count += chip_cu_count(&amdgpu->chip, partition * dies + i);
	return count;
}

/* The index of the partition stands in the place of the PCI function. */
static unsigned
location_of(const struct sim_gpu *gpu, unsigned partition)
{
	return gpu->pci.bus << 8 | gpu->pci.device << 3 | gpu->pci.function |
	       partition;
}

static void
put_partition(struct sim_gpu *gpu, unsigned node, unsigned partition)
{
	const struct amdgpu *amdgpu = amdgpu_of(gpu);
	const struct chip *chip = &amdgpu->chip;
	const unsigned dies = amdgpu_dies_per_partition(amdgpu);
	char text[1024];

	snprintf(text, sizeof(text),
		 "cpu_cores_count 0\nsimd_count %u\nmem_banks_count 0\n"
		 "caches_count 0\nio_links_count 0\np2p_links_count 0\n"
		 "max_waves_per_simd %u\nwave_front_size %u\narray_count %u\n"
		 "simd_arrays_per_engine %u\ncu_per_simd_array %u\n"
		 "simd_per_cu 4\ngfx_target_version %u\nvendor_id %u\n"
		 "device_id %u\nlocation_id %u\ndomain %u\n"
		 "drm_render_minor %u\nmax_engine_clk_fcompute %u\n"
		 "local_mem_size 0\nnum_xcc %u\n",
		 4 * count_cus(amdgpu, partition), chip->waves_per_cu / 4,
		 chip->wavefront, chip->se_count * chip->sa_per_se * dies,
		 chip->sa_per_se, chip->cu_per_sa,
		 chip->gfx_version[0] * 10000 + chip->gfx_version[1] * 100 +
			 chip->gfx_version[2],
		 gpu->pci.vendor, gpu->pci.device_id,
		 location_of(gpu, partition), gpu->pci.domain,
		 gpu->render + partition, chip->sclk.max, dies);
	put_node(gpu, node, 0x1000 + node, "ip discovery", text);
}

/* Of those that have the topology at all. */
static bool
is_shown(const struct sim_gpu *gpu)
{
	const struct amdgpu *amdgpu;

	if (strcmp(gpu->driver->name, "amdgpu") || !gpu->data || gpu->gone)
		return false;
	amdgpu = amdgpu_of(gpu);
	return amdgpu->chip.die_count > 1 && !amdgpu->has_no_kfd;
}

void
kfd_show(struct sim *sim)
{
	struct sim_gpu *any = sim->gpus[0];
	unsigned node = 1;

	remove_nodes(any);
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		if (!is_shown(sim->gpus[i]))
			continue;
		for (unsigned p = 0; p < amdgpu_of(sim->gpus[i])->partitions;
		     p++)
			put_partition(sim->gpus[i], node++, p);
	}
	if (node == 1) {
		sim_gpu_remove_file(any, TOPOLOGY "/nodes");
		return;
	}
	put_node(any, 0, 0, "", "cpu_cores_count 1\nsimd_count 0\n");
	sim_gpu_link(any, "/sys/class/kfd/kfd",
		     "../../devices/virtual/kfd/kfd");
}
