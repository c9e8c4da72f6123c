/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_device.c, kfd_queue.c, kfd_topology.c. */
#include "kfd/node.h"

#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "machine/driver.h"
#include "machine/gpu.h"

#define PAGE 4096u

bool
kfd_knows(const struct sim_gpu *gpu)
{
	return !strcmp(gpu->driver->name, "amdgpu") && gpu->data &&
	       amdgpu_of(gpu)->chip.gfx_version[0] >= 9;
}

/*
 * Make an id of the GPU, the first die and their number: any stable one does.
 */
static uint32_t
make_id(const struct kfd_node *node)
{
	return 0x8000 | node->gpu->index << 8 | node->first_die << 4 |
	       node->dies;
}

unsigned
kfd_list_nodes(const struct sim *sim, struct kfd_node *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		const struct amdgpu *amdgpu;

		if (!kfd_knows(gpu) || gpu->gone)
			continue;
		amdgpu = amdgpu_of(gpu);
		for (unsigned p = 0;
		     p < amdgpu->partitions && !amdgpu->has_no_kfd; p++) {
			struct kfd_node *node = &out[count++];

			*node = (struct kfd_node){ .gpu = gpu, .partition = p };
			node->dies = amdgpu_dies_per_partition(amdgpu);
			node->first_die = p * node->dies;
			node->id = make_id(node);
		}
	}
	return count;
}

unsigned
kfd_node_simds_per_cu(const struct kfd_node *node)
{
	return amdgpu_of(node->gpu)->chip.gfx_version[0] < 10 ? 4 : 2;
}

unsigned
kfd_node_cus(const struct kfd_node *node)
{
	const struct chip *chip = &amdgpu_of(node->gpu)->chip;
	unsigned count = 0;

	for (unsigned i = 0; i < node->dies; i++)
		count += chip_cu_count(chip, node->first_die + i);
	return count;
}

bool
kfd_node_has_large_bar(const struct kfd_node *node)
{
	const struct chip *chip = &amdgpu_of(node->gpu)->chip;

	return chip->visible_vram >= chip->vram;
}

unsigned
kfd_node_lds_kib(const struct kfd_node *node)
{
	const unsigned *v = amdgpu_of(node->gpu)->chip.gfx_version;

	return v[0] == 9 && v[1] == 5 ? 160 : 64;
}

/* ---- what a queue's buffers have to hold */

static uint32_t
round_up(uint64_t size, uint32_t to)
{
	return (uint32_t)((size + to - 1) / to * to);
}

/*
 * Return the bytes of vector registers in a compute unit. Of gfx11 Navi 31 and
 * 32 have more than the others.
 */
static uint32_t
vgpr_bytes(const struct chip *chip)
{
	const unsigned *v = chip->gfx_version;

	if (v[0] == 9 && ((v[1] == 4 && v[2] >= 1) || v[1] >= 5))
		return 0x80000;
	if (v[0] == 12 || (v[0] == 11 && v[1] == 0 && (v[2] == 0 || v[2] == 3)))
		return 0x60000;
	return 0x40000;
}

void
kfd_node_save_sizes(const struct kfd_node *node, struct kfd_save_sizes *out)
{
	const struct chip *chip = &amdgpu_of(node->gpu)->chip;
	const bool is_old = chip->gfx_version[0] < 10;
	const uint32_t cus = kfd_node_cus(node) / node->dies;
	/* registers, scalar registers, state and LDS of a compute unit */
	const uint32_t unit = vgpr_bytes(chip) + 0x4000 + 0x1000 +
			      kfd_node_lds_kib(node) * 1024;
	uint32_t waves = cus * (is_old ? 40 : 32);

	if (is_old && waves > chip->se_count * 512)
		waves = chip->se_count * 512;
	out->ctl_stack = round_up(40 + waves * (is_old ? 8 : 12) + 8, PAGE);
	if (chip->gfx_version[0] == 10 && out->ctl_stack > 0x7000)
		out->ctl_stack = 0x7000;
	out->one_die = out->ctl_stack + round_up((uint64_t)cus * unit, PAGE);
	out->total = (uint64_t)(out->one_die + round_up(waves * 32, 64)) *
		     node->dies;
	out->total = (out->total + PAGE - 1) / PAGE * PAGE;
}
