/* SPDX-License-Identifier: BSD-3-Clause */
/* A queue that a process writes by itself, and the GPU reads. */
#ifndef DRMSIM_KFD_QUEUE_H
#define DRMSIM_KFD_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgpu/gfx/job.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/write_log.h"
#include "kfd/ioctls.h"

struct kfd_device;

/* The ring, both pointers, the end of the pipe, and the state of waves. */
#define KFD_HELD_MAX 5

/* Work launched by a packet that is not complete yet. */
struct kfd_flight {
	struct kfd_flight *next;
	uint64_t start, end; /* simulated time */
	uint64_t signal; /* its address, or 0 */
};

/* A die whose command processor works for the queue. */
struct kfd_engine {
	struct ring ring;
	struct job job;
	bool is_through; /* with the commands of the packet */
	struct kfd_queue *queue;
	struct kfd_window *windows; /* window.c */
};

struct kfd_queue {
	struct kfd_queue *next;
	struct kfd_device *device;
	uint32_t id, type;
	uint64_t ring, write_pointer, read_pointer;
	uint32_t ring_size;
	/* buffers that it holds */
	uint64_t held[KFD_HELD_MAX];
	unsigned held_count;
	unsigned percentage, doorbell;
	uint64_t done; /* packets that were taken */
	struct kfd_flight *flights;
	struct kfd_engine *engines; /* of each die of the node */
	unsigned first_die; /* that gets the first group */
	bool runs_commands; /* of a packet, in the middle of them */
	struct write_log writes; /* by the dies, in that packet */
	uint64_t begun; /* that packet */
	bool is_broken; /* by a fault, or by what is no packet */
};

/* Return whether the queue is of a copy engine. */
bool
queue_is_sdma(const struct kfd_queue *queue);

kfd_handler queue_create, queue_destroy, queue_update, queue_set_cu_mask;

/*
 * Allow counting by COMPUTE_PERFCOUNT_ENABLE, as the kernel writes it into the
 * queue's state.
 */
void
queue_allow_counting(struct kfd_queue *queue, bool allow);
void
queue_free_all(struct kfd_device *device);

#endif /* DRMSIM_KFD_QUEUE_H */
