/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute partitions: the dies of a GPU are divided among several render nodes.
 */
#ifndef DRMSIM_AMDGPU_PARTITION_H
#define DRMSIM_AMDGPU_PARTITION_H

#include <stdbool.h>

struct amdgpu;
struct sim_words;

/*
 * Set "partition cpx" of the scenario. -EINVAL: these dies have no such mode.
 */
int partition_set(struct amdgpu *amdgpu, const struct sim_words *words);
/* Set "dies 6" of the scenario: the others do not exist. */
int partition_set_dies(struct amdgpu *amdgpu, const struct sim_words *words);
/* Set "kfd off" of the scenario: the kernel was built without it. */
int partition_set_kfd(struct amdgpu *amdgpu, const struct sim_words *words);

/* Write the files of sysfs that show the mode. */
void partition_show(struct amdgpu *amdgpu);
/* Take the mode that a program has written into its file. */
void partition_refresh(struct amdgpu *amdgpu);

/* Return whether the die belongs to this partition. */
bool partition_has_die(const struct amdgpu *amdgpu, unsigned partition,
		       unsigned die);

#endif /* DRMSIM_AMDGPU_PARTITION_H */
