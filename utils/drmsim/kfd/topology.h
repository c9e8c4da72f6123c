/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology that KFD shows in sysfs: processors, GPUs and their links. */
#ifndef DRMSIM_KFD_TOPOLOGY_H
#define DRMSIM_KFD_TOPOLOGY_H

struct sim;

/* Create the topology. Returns 0 or -ENOMEM. */
int
topology_create(struct sim *sim);
void
topology_free(struct sim *sim);
/* Write the topology again, if it has changed. */
void
topology_update(struct sim *sim);

#endif /* DRMSIM_KFD_TOPOLOGY_H */
