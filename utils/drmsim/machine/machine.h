/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine: everything simulated in one run of drmsim. Each object that a
 * machine has many of is kept in a member here, of which only the file that is
 * named knows more than the name.
 */
#ifndef DRMSIM_MACHINE_MACHINE_H
#define DRMSIM_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct kfd;
struct sim_gpu;

#define SIM_GPUS_MAX 16

struct sim {
	/* machine/root.c */
	char directory[96]; /* the simulated root and the socket */
	int directory_lock; /* shows that it is in use */
	/* machine/clock.c, server/time.c */
	bool is_virtual;
	uint64_t speed; /* fast time: how many ns go by in one; else 1 */
	uint64_t started;     /* host's monotonic clock at time 0 */
	uint64_t virtual_now; /* virtual time only */
	bool woken;	      /* see sim_wake() */

	bool strict;	   /* misuse makes drmsim fail */
	bool unprivileged; /* no caller has capabilities; else all have them */
	struct sim_gpu *gpus[SIM_GPUS_MAX];
	unsigned gpu_count;
	uint64_t next_id; /* files, streams, buffers */
	FILE *log;
	int epoll;	    /* machine/poll_source.c */
	struct note *notes; /* machine/note.c */

	struct fault *faults; /* scene/fault.c */
	struct call_count *counts;
	struct protocol_outside *outside; /* scene/outside.c */

	struct sim_call *sleepers; /* kernel/call.c */
	pid_t ended[64];	   /* kernel/process.c: the last ones */
	unsigned ended_next;
	struct sim_nodes *nodes;    /* kernel/node.c */
	struct sim_stream *streams; /* kernel/stream.c */
	struct bo_entry *buffers;   /* kernel/bo.c */

	struct kfd *kfd; /* kfd/state.h; NULL: no GPU has it */
	/* Note that the set of partitions has changed; NULL: no listener */
	void (*partitions_changed)(struct sim *sim);

	struct registered_pmu *pmus; /* event/pmu.c */
	unsigned pmu_count;

	struct sim_connections *connections; /* server/connection.c */
};

/* Wake sleeping calls: anything that one may wait for has changed. */
static inline void
sim_wake(struct sim *sim)
{
	sim->woken = true;
}

#endif /* DRMSIM_MACHINE_MACHINE_H */
