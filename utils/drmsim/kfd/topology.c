/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_topology.c, kfd_crat.c: names, order and units. */
#include "kfd/topology.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/sysfs.h"
#include "base/array.h"
#include "base/printf.h"
#include "kfd/node.h"
#include "kfd/state.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/root.h"

#define KFD_FOLDER "/sys/devices/virtual/kfd/kfd"
#define TOPOLOGY KFD_FOLDER "/topology"

/* AMDGPU_INFO_FW_* */
#define FIRMWARE_MEC 8
#define FIRMWARE_SDMA 10
/*
 * Versions of a usual driver, where the description has none: runtimes ask for
 * them.
 */
#define USUAL_MEC 448
#define USUAL_SDMA 430

#define HEAP_SYSTEM 0
#define HEAP_PUBLIC 1
#define HEAP_PRIVATE 2
#define LINK_PCIE 2
#define LINK_IS_ON 1u

struct topology {
	unsigned generation;
	unsigned shown; /* nodes of GPUs */
	/* of all nodes, one after the other, as they were written last */
	char *text;
	size_t size;
};

/* ---- names and numbers of GPUs */

/*
 * KFD's number of a version of the graphics core is not always made of its
 * digits, and names are those of chips that the kernel knew by one.
 */
static const struct target {
	unsigned version[3];
	unsigned number;
	const char *name;
} targets[] = {
	{ { 9, 0, 1 }, 90000, "vega10" },
	{ { 9, 2, 1 }, 90004, "vega12" },
	{ { 9, 4, 0 }, 90006, "vega20" },
	{ { 9, 4, 1 }, 90008, "arcturus" },
	{ { 9, 4, 2 }, 90010, "aldebaran" },
	{ { 9, 4, 3 }, 90402, NULL },
	{ { 10, 1, 10 }, 100100, "navi10" },
	{ { 10, 3, 0 }, 100300, "sienna_cichlid" },
	{ { 11, 0, 1 }, 110003, NULL },
};

static const struct target *
find_target(const struct chip *chip)
{
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		if (!memcmp(targets[i].version, chip->gfx_version,
			    sizeof(targets[i].version)))
			return &targets[i];
	return NULL;
}

static unsigned
target_version(const struct chip *chip)
{
	const struct target *target = find_target(chip);

	if (target)
		return target->number;
	return chip->gfx_version[0] * 10000 + chip->gfx_version[1] * 100 +
	       chip->gfx_version[2];
}

/*
 * Return the name of a chip. Parts that are known by IP discovery only have
 * none.
 */
static const char *
name_of(const struct chip *chip)
{
	const struct target *target = find_target(chip);

	return target && target->name ? target->name : "ip discovery";
}

static unsigned
firmware_of(const struct chip *chip, unsigned kind, unsigned usual)
{
	const unsigned version = chip_firmware_version(chip, kind);

	return version > usual ? version : usual;
}

/*
 * Return the location of a node. The index of the partition stands in the place
 * of the PCI function.
 */
static unsigned
location_of(const struct kfd_node *node)
{
	const struct sim_gpu *gpu = node->gpu;

	return gpu->pci.bus << 8 | gpu->pci.device << 3 | gpu->pci.function |
	       node->partition;
}

/*
 * Return the bits of what a node can do: watch points and how many, doorbells
 * of 8 bytes, the debugger's; those of Instinct tell of error correction as
 * well, which is part of the name of the instruction set.
 */
static unsigned
capability_of(const struct chip *chip)
{
	const unsigned usual = 238208;
	const bool corrects = chip->gfx_version[0] == 9 && !chip->gfx_rings;

	return corrects ? usual | 1u << 20 | 1u << 26 : usual;
}

struct engines {
	unsigned own, of_links, queues; /* queues: of each */
};

/*
 * Return the copy engines. Where GPUs have links, two engines copy and the
 * others serve the links.
 */
static struct engines
engines_of(const struct kfd_node *node)
{
	const struct chip *chip = &amdgpu_of(node->gpu)->chip;
	const unsigned all = chip->sdma_engines * node->dies;
	struct engines engines = { .own = all, .queues = 8 };

	if (chip->gfx_version[0] == 9 && all > 2) {
		engines.own = 2;
		engines.of_links = all - 2;
	}
	if (chip->sdma_version[0] == 4 && chip->sdma_version[1] < 2)
		engines.queues = 2;
	else if (chip->gfx_version[0] >= 11)
		engines.queues = 6;
	return engines;
}

/* ---- texts */

struct topology_writer {
	struct sim *sim;
	unsigned node;
	FILE *text; /* of all that is written */
	bool counts_only; /* nothing is written yet */
};

SIM_PRINTF(3, 4)
static void
put_file(struct topology_writer *writer, const char *name, const char *format,
	 ...)
{
	char path[PATH_MAX], text[2048];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/%s", writer->node,
		 name);
	if (writer->counts_only)
		fprintf(writer->text, "%s\n%s", path, text);
	else if (sim_root_write(writer->sim, path, text, strlen(text)))
		fprintf(stderr, "drmsim: cannot write %s\n", path);
}

static void
put_link(struct topology_writer *writer, unsigned number, unsigned to,
	 bool is_large)
{
	char name[64];

	snprintf(name, sizeof(name), "io_links/%u/properties", number);
	put_file(writer, name,
		 "type %u\nversion_major 0\nversion_minor 0\nnode_from %u\n"
		 "node_to %u\nweight 20\nmin_latency 0\nmax_latency 0\n"
		 "min_bandwidth 0\nmax_bandwidth 0\n"
		 "recommended_transfer_size 0\nflags %u\n",
		 LINK_PCIE, writer->node, to,
		 LINK_IS_ON | (is_large ? 1u << 31 : 0));
}

static void
put_cache(struct topology_writer *writer, unsigned number, unsigned level,
	  unsigned kib, unsigned line)
{
	char name[64];

	snprintf(name, sizeof(name), "caches/%u/properties", number);
	put_file(writer, name,
		 "processor_id_low 0\nlevel %u\nsize %u\ncache_line_size %u\n"
		 "cache_lines_per_tag 1\nassociation 16\nlatency 0\ntype 9\n"
		 "sibling_map 1\n",
		 level, kib, line);
}

static void
put_gpu(struct topology_writer *writer, const struct kfd_node *node)
{
	const struct sim_gpu *gpu = node->gpu;
	const struct chip *chip = &amdgpu_of(gpu)->chip;
	const unsigned simds_per_cu = kfd_node_simds_per_cu(node);
	const struct engines engines = engines_of(node);
	const bool is_large = kfd_node_has_large_bar(node);
	struct kfd_save_sizes sizes;

	kfd_node_save_sizes(node, &sizes);
	put_file(writer, "gpu_id", "%u\n", node->id);
	put_file(writer, "name", "%s\n", name_of(chip));
	put_file(writer, "properties",
		 "cpu_cores_count 0\nsimd_count %u\nmem_banks_count 1\n"
		 "caches_count 2\nio_links_count 1\np2p_links_count 0\n"
		 "cpu_core_id_base 0\nsimd_id_base %u\n"
		 "max_waves_per_simd %u\nlds_size_in_kb %u\n"
		 "gds_size_in_kb 0\nnum_gws 0\nwave_front_size %u\n"
		 "array_count %u\nsimd_arrays_per_engine %u\n"
		 "cu_per_simd_array %u\nsimd_per_cu %u\n"
		 "max_slots_scratch_cu 32\ngfx_target_version %u\n"
		 "vendor_id %u\ndevice_id %u\nlocation_id %u\ndomain %u\n"
		 "drm_render_minor %u\nhive_id 0\nnum_sdma_engines %u\n"
		 "num_sdma_xgmi_engines %u\nnum_sdma_queues_per_engine %u\n"
		 "num_cp_queues %u\ncwsr_size %u\nctl_stack_size %u\n"
		 "max_engine_clk_fcompute %u\nlocal_mem_size 0\n"
		 "fw_version %u\ncapability %u\ndebug_prop 1495\n"
		 "sdma_fw_version %u\nunique_id %llu\nnum_xcc %u\n"
		 "max_engine_clk_ccompute 3000\n",
		 simds_per_cu * kfd_node_cus(node),
		 0x80001000u + gpu->index * 1024,
		 chip->waves_per_cu / simds_per_cu, kfd_node_lds_kib(node),
		 chip->wavefront, chip->se_count * chip->sa_per_se * node->dies,
		 chip->sa_per_se, chip->cu_per_sa, simds_per_cu,
		 target_version(chip), gpu->pci.vendor, gpu->pci.device_id,
		 location_of(node), gpu->pci.domain,
		 gpu->render + node->partition, engines.own, engines.of_links,
		 engines.queues, chip->gfx_version[0] >= 11 ? 8u : 24u,
		 sizes.one_die, sizes.ctl_stack, chip->sclk.max,
		 firmware_of(chip, FIRMWARE_MEC, USUAL_MEC),
		 capability_of(chip),
		 firmware_of(chip, FIRMWARE_SDMA, USUAL_SDMA),
		 (unsigned long long)sysfs_unique_id(amdgpu_of(gpu)) +
			 node->partition,
		 node->dies);
	put_file(writer, "mem_banks/0/properties",
		 "heap_type %u\nsize_in_bytes %llu\nflags 0\nwidth %u\n"
		 "mem_clk_max %u\n",
		 is_large ? HEAP_PUBLIC : HEAP_PRIVATE,
		 (unsigned long long)chip->vram, chip->vram_width,
		 chip->mclk.max);
	put_cache(writer, 0, 1, chip->cache_kib[0], chip->cache_line);
	put_cache(writer, 1, 2, chip->cache_kib[4], chip->cache_line);
	put_link(writer, 0, 0, is_large);
}

/*
 * Write the links of the processors, which are to GPUs whose whole memory they
 * reach only; return their number.
 */
static unsigned
put_links(struct topology_writer *writer, const struct kfd_node *nodes,
	  unsigned count)
{
	unsigned links = 0;

	for (unsigned i = 0; i < count; i++)
		if (kfd_node_has_large_bar(&nodes[i]))
			put_link(writer, links++, i + 1, true);
	return links;
}

static void
put_processors(struct topology_writer *writer, const struct kfd_node *nodes,
	       unsigned count)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const unsigned links = put_links(writer, nodes, count);

	put_file(writer, "gpu_id", "0\n");
	put_file(writer, "name", "\n");
	put_file(writer, "properties",
		 "cpu_cores_count %ld\nsimd_count 0\nmem_banks_count 1\n"
		 "caches_count 0\nio_links_count %u\np2p_links_count 0\n"
		 "cpu_core_id_base 0\nsimd_id_base 0\nmax_waves_per_simd 0\n"
		 "lds_size_in_kb 0\ngds_size_in_kb 0\nnum_gws 0\n"
		 "wave_front_size 0\narray_count 0\n"
		 "simd_arrays_per_engine 0\ncu_per_simd_array 0\n"
		 "simd_per_cu 0\nmax_slots_scratch_cu 0\n"
		 "gfx_target_version 0\nvendor_id 0\ndevice_id 0\n"
		 "location_id 0\ndomain 0\ndrm_render_minor 0\nhive_id 0\n"
		 "num_sdma_engines 0\nnum_sdma_xgmi_engines 0\n"
		 "num_sdma_queues_per_engine 0\nnum_cp_queues 0\n"
		 "max_engine_clk_ccompute 3000\n",
		 cores, links);
	put_file(writer, "mem_banks/0/properties",
		 "heap_type %u\nsize_in_bytes %llu\nflags 0\nwidth 64\n"
		 "mem_clk_max 2400\n",
		 HEAP_SYSTEM, (unsigned long long)pages * 4096);
}

static void
write_topology(struct topology_writer *writer, const struct kfd_node *nodes,
	       unsigned count)
{
	writer->node = 0;
	if (count)
		put_processors(writer, nodes, count);
	for (unsigned i = 0; i < count; i++) {
		writer->node = i + 1;
		put_gpu(writer, &nodes[i]);
	}
}

/* ---- files */

static void
remove_below(const struct sim *sim, const char *name)
{
	char path[PATH_MAX];

	if (!sim_root_path(sim, name, path, sizeof(path)))
		remove(path);
}

/* Remove a node's folder; links says how many it may have. */
static void
remove_node(const struct sim *sim, unsigned node, unsigned links)
{
	static const char *const names[] = {
		"gpu_id",
		"name",
		"properties",
		"mem_banks/0/properties",
		"mem_banks/0",
		"mem_banks",
		"caches/0/properties",
		"caches/0",
		"caches/1/properties",
		"caches/1",
		"caches",
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/%s", node,
			 names[i]);
		remove_below(sim, path);
	}
	for (unsigned i = 0; i < links; i++) {
		snprintf(path, sizeof(path),
			 TOPOLOGY "/nodes/%u/io_links/%u/properties", node, i);
		remove_below(sim, path);
		snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/io_links/%u",
			 node, i);
		remove_below(sim, path);
	}
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/io_links", node);
	remove_below(sim, path);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u", node);
	remove_below(sim, path);
}

static void
remove_topology(const struct sim *sim, unsigned shown)
{
	static const char *const files[] = {
		TOPOLOGY "/nodes",
		TOPOLOGY "/generation_id",
		TOPOLOGY "/system_properties",
	};

	for (unsigned node = 0; shown && node <= shown; node++)
		remove_node(sim, node, shown);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		remove_below(sim, files[i]);
}

static void
put_text(struct sim *sim, const char *path, const char *text)
{
	if (sim_root_write(sim, path, text, strlen(text)))
		fprintf(stderr, "drmsim: cannot write %s\n", path);
}

/* Write the files that do not depend on the nodes. */
static void
put_general(struct sim *sim, unsigned generation)
{
	char text[32];

	snprintf(text, sizeof(text), "%u\n", generation);
	put_text(sim, TOPOLOGY "/generation_id", text);
	put_text(sim, TOPOLOGY "/system_properties",
		 "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
	sim_root_link(sim, "/sys/class/kfd/kfd",
		      "../../devices/virtual/kfd/kfd");
}

void
topology_update(struct sim *sim)
{
	struct topology *topology = sim->kfd->topology;
	struct kfd_node nodes[KFD_NODES_MAX];
	const unsigned count = kfd_list_nodes(sim, nodes);
	struct topology_writer writer = { .sim = sim, .counts_only = true };
	char *text = NULL;
	size_t size = 0;

	writer.text = open_memstream(&text, &size);
	if (!writer.text)
		return;
	write_topology(&writer, nodes, count);
	fclose(writer.text);
	if (topology->text && size == topology->size &&
	    !memcmp(text, topology->text, size)) {
		free(text);
		return;
	}
	free(topology->text);
	topology->text = text;
	topology->size = size;
	/* what stays is overwritten, so that a reader finds it all the time */
	if (count != topology->shown)
		remove_topology(sim, topology->shown);
	topology->shown = count;
	topology->generation++;
	writer.counts_only = false;
	write_topology(&writer, nodes, count);
	if (count)
		put_general(sim, topology->generation);
}

int
topology_create(struct sim *sim)
{
	sim->kfd->topology = calloc(1, sizeof(*sim->kfd->topology));
	return sim->kfd->topology ? 0 : -ENOMEM;
}

void
topology_free(struct sim *sim)
{
	if (sim->kfd->topology)
		free(sim->kfd->topology->text);
	free(sim->kfd->topology);
}
