/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for an AMD GPU whose size is known: compute dispatches of a shader that
 * ends at once, submitted through libdrm_amdgpu.
 */
#ifndef EXAMPLES_WORKLOAD_H
#define EXAMPLES_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct workload;

/*
 * Open the amdgpu device that comes first by PCI address. Errors go to
 * standard error. Returns NULL if there is none, or it cannot be used.
 */
struct workload *workload_create(void);
void workload_destroy(struct workload *workload);

/* "/dev/dri/renderD128" */
const char *workload_node(const struct workload *workload);

/*
 * Launch a number of waves, in a queue that allows to count them or does not,
 * and wait for their end. 0 or a negative errno.
 */
int workload_launch(struct workload *workload, uint32_t waves, bool allow);

#endif /* EXAMPLES_WORKLOAD_H */
