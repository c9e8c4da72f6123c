/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel: its groups are dealt to the dies of the node. */
#ifndef DRMSIM_KFD_GRID_H
#define DRMSIM_KFD_GRID_H

#include <stdbool.h>
#include <stdint.h>

struct kfd_queue;

struct grid {
	unsigned dimensions;
	uint32_t size[3]; /* in work-items */
	uint32_t group[3]; /* of a work-group */
};

/*
 * Launch a kernel, given the address of its descriptor. Returns false after a
 * fault; else *end is when the work launched ends.
 */
bool
grid_launch(struct kfd_queue *queue, const struct grid *grid, uint64_t kernel,
	    uint64_t *end);

#endif /* DRMSIM_KFD_GRID_H */
