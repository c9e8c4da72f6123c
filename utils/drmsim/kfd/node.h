/* SPDX-License-Identifier: BSD-3-Clause */
/* A node: a GPU, or a compute partition of one, as KFD tells them apart. */
#ifndef DRMSIM_KFD_NODE_H
#define DRMSIM_KFD_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/chip.h"
#include "machine/machine.h"

struct sim_gpu;

#define KFD_NODES_MAX (SIM_GPUS_MAX * DIES_MAX)

struct kfd_node {
	struct sim_gpu *gpu;
	unsigned partition, dies, first_die;
	uint32_t id; /* gpu_id, never 0 */
};

/* Sizes of the save area of interrupted waves, in bytes. */
struct kfd_save_sizes {
	uint32_t ctl_stack, one_die;
	uint64_t total;
};

/* Return whether KFD knows GPUs of this kind at all. */
bool
kfd_knows(const struct sim_gpu *gpu);
/* List the nodes there are now, in topology order; return their number. */
unsigned
kfd_list_nodes(const struct sim *sim, struct kfd_node *out);

unsigned
kfd_node_simds_per_cu(const struct kfd_node *node);
/* Compute units that are on. */
unsigned
kfd_node_cus(const struct kfd_node *node);
/* LDS of a compute unit. */
unsigned
kfd_node_lds_kib(const struct kfd_node *node);
void
kfd_node_save_sizes(const struct kfd_node *node, struct kfd_save_sizes *out);
/* Return whether all its memory is in the CPU's reach. */
bool
kfd_node_has_large_bar(const struct kfd_node *node);

#endif /* DRMSIM_KFD_NODE_H */
