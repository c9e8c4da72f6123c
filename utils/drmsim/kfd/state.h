/* SPDX-License-Identifier: BSD-3-Clause */
/* State of the compute driver on a machine. */
#ifndef DRMSIM_KFD_STATE_H
#define DRMSIM_KFD_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/chip.h"
#include "machine/machine.h"

struct kfd_process;
struct topology;

struct kfd {
	struct kfd_process *processes; /* process.c */
	struct topology *topology; /* topology.c */
	/* Take from a process that has ended what it had. */
	void (*release)(struct kfd_process *process);
	unsigned queues; /* of all processes */
	bool shows_caches; /* kfd.c: of the host's processors */
	/* profiler.c: by GPU, and by the first die of the node */
	struct kfd_lock {
		const struct kfd_process *holder;
		bool allows_counting;
	} locks[SIM_GPUS_MAX][DIES_MAX];
	uint64_t last_move; /* run.c: host's time of the last work */
	/* work.c: what was seen on each GPU, for the report */
	struct kfd_seen {
		uint64_t dispatches, waves, blits, commands;
	} seen[SIM_GPUS_MAX];
};

#endif /* DRMSIM_KFD_STATE_H */
