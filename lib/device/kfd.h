/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The topology that AMD's compute driver (KFD) shows in sysfs: which render
 * node is which part of which GPU. All users may read it.
 */
#ifndef DRMPERF_LIB_DEVICE_KFD_H
#define DRMPERF_LIB_DEVICE_KFD_H

#include <stddef.h>
#include <stdint.h>

#include "driver/driver.h"

/* A GPU, or one of its compute partitions; or a CPU, which has no SIMDs. */
struct kfd_node {
	uint64_t minor;	   /* of its render node */
	uint64_t domain;   /* of PCI, as the next */
	uint64_t location; /* bus << 8 | device << 3 | partition */
	uint64_t dies;	   /* 0: the kernel is too old to tell, and has one */
	uint64_t simds;	   /* in all of them */
	uint64_t simds_per_cu;
	uint64_t arrays; /* of shaders, in all dies */
	uint64_t arrays_per_engine;
	uint64_t lds_kib; /* of a CU */
	/* bytes that a queue has to give for the state of a die; 0: not told */
	uint64_t save_size, control_size;
	uint32_t gpu_id;   /* KFD's number of it; 0: a CPU */
};

struct kfd_topology {
	struct kfd_node *nodes;
	size_t count; /* 0: there is no topology, or nothing in it */
};

/* Read all nodes that can be read, if any. 0; -EMFILE, -ENFILE, -ENOMEM. */
int kfd_read_topology(const char *root, struct kfd_topology *out);
void kfd_free_topology(struct kfd_topology *topology);

/* Find the node that has this render node, or NULL. */
const struct kfd_node *kfd_find_node(const struct kfd_topology *topology,
				     unsigned minor);

/* Describe the GPU to its driver; sizes are 0 if its shape is not known. */
struct driver_kfd
kfd_describe(const struct kfd_node *node);

#endif /* DRMPERF_LIB_DEVICE_KFD_H */
