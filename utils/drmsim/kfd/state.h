/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compute driver keeps on a machine. */
#ifndef DRMSIM_KFD_STATE_H
#define DRMSIM_KFD_STATE_H

struct kfd_process;
struct topology;

struct kfd {
	struct kfd_process *processes; /* process.c */
	struct topology *topology; /* topology.c */
};

#endif /* DRMSIM_KFD_STATE_H */
