/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that has opened /dev/kfd: what it has of each GPU. All its open
 * files share it; it ends with the process, not with the last file.
 */
#ifndef DRMSIM_KFD_PROCESS_H
#define DRMSIM_KFD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "amdgpu/gfx/vm.h"
#include "kernel/slots.h"
#include "kfd/node.h"
#include "machine/poll_source.h"

struct kfd_event;
struct kfd_queue;
struct kfd_wait;
struct sim;
struct sim_bo;

/* State of a process on a node. */
struct kfd_device {
	struct kfd_process *process;
	struct kfd_node node;
	unsigned removals; /* of the GPU, at the beginning */
	uint64_t file; /* id of the render node's, whose VM it is; 0: none */
	struct vm vm; /* what is mapped to the GPU */
	struct sim_slots memories; /* memory.c */
	struct kfd_queue *queues; /* queue.c */
	/* Pages of the device that the process maps; or NULL. */
	struct sim_bo *doorbells, *mmio;
};

struct kfd_process {
	struct kfd_process *next;
	struct sim *sim;
	pid_t pid;
	uint64_t image; /* of the program that it executes */
	unsigned references; /* open files, and its life */
	bool has_ended;
	int pidfd;
	struct sim_poll_source source;
	struct kfd_device *devices;
	unsigned device_count;
	/* event.c: events, calls that wait, and the page of signals */
	struct kfd_event *events;
	struct kfd_wait *waits;
	struct sim_bo *event_page;
	uint64_t event_page_handle;
	uint32_t next_event; /* of those without a slot */
};

/* Open the process of that number, made if it is new. Returns 0 or -errno. */
int
kfd_process_open(struct sim *sim, pid_t pid, struct kfd_process **out);
/* Find a process; NULL if it has not opened /dev/kfd. */
struct kfd_process *
kfd_process_find(const struct sim *sim, pid_t pid);
struct kfd_process *
kfd_process_get(struct kfd_process *process);
void
kfd_process_put(struct kfd_process *process);
/* Take notice of those that have ended: what is asked next finds them gone. */
void
kfd_processes_check(struct sim *sim);
void
kfd_processes_end(struct sim *sim);

/* Return the device by gpu_id. NULL: there is none, or it has gone. */
struct kfd_device *
kfd_process_device(const struct kfd_process *process, uint32_t gpu_id);

#endif /* DRMSIM_KFD_PROCESS_H */
