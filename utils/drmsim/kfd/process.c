/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.12, kfd_process.c. */
#include "kfd/process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kfd/state.h"
#include "machine/gpu.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/power.h"

/*
 * Return the start of the stack of a process: exec gives it another place, and
 * its successor has nothing of what KFD gave it. 0: it may not be asked.
 */
static uint64_t
read_image(pid_t pid)
{
	char path[64], text[1024], *word;
	unsigned long long start = 0;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file) {
		size = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[size] = '\0';
	/* the name in parentheses may hold anything; then field 3 follows */
	word = strrchr(text, ')');
	for (unsigned field = 3; word && field <= 28; field++) {
		word = strchr(word, ' ');
		word = word ? word + 1 : NULL;
	}
	if (word)
		start = strtoull(word, NULL, 10);
	return start;
}

/* ---- the end */

static void
free_process(struct kfd_process *process)
{
	free(process->devices);
	free(process);
}

void
kfd_process_put(struct kfd_process *process)
{
	if (--process->references == 0)
		free_process(process);
}

struct kfd_process *
kfd_process_get(struct kfd_process *process)
{
	process->references++;
	return process;
}

static void
end_process(struct kfd_process *process)
{
	struct sim *sim = process->sim;
	struct kfd_process **p = &sim->kfd->processes;

	while (*p != process)
		p = &(*p)->next;
	*p = process->next;
	process->has_ended = true;
	sim->kfd->release(process);
	sim_log(sim, "kfd: process %d: end", (int)process->pid);
	if (process->pidfd >= 0)
		close(process->pidfd);
	process->pidfd = -1;
	kfd_process_put(process);
	sim_wake(sim);
}

static bool
has_ended(const struct kfd_process *process)
{
	struct pollfd poll_end = { .fd = process->pidfd, .events = POLLIN };

	return process->pidfd >= 0 && poll(&poll_end, 1, 0) == 1;
}

void
kfd_processes_check(struct sim *sim)
{
	struct kfd_process *next;

	for (struct kfd_process *p = sim->kfd->processes; p; p = next) {
		next = p->next;
		if (has_ended(p))
			end_process(p);
	}
}

void
kfd_processes_end(struct sim *sim)
{
	while (sim->kfd->processes)
		end_process(sim->kfd->processes);
}

/*
 * Note that a process has ended. It may be gone from the list already: the
 * machine is not.
 */
static void
on_end(void *owner, uint32_t events)
{
	(void)events;
	kfd_processes_check(owner);
}

/* ---- the beginning */

/*
 * Poll for the end of a process. Without the system call it ends with the
 * machine.
 */
static void
poll_end(struct kfd_process *process)
{
	process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	if (process->pidfd < 0)
		return;
	process->source = (struct sim_poll_source){
		.ready = on_end,
		.owner = process->sim,
		.tells_end = true,
	};
	sim_poll_source_add(process->sim, process->pidfd, EPOLLIN,
			    &process->source);
}

static int
make_devices(struct kfd_process *process)
{
	struct kfd_node nodes[KFD_NODES_MAX];
	unsigned count = kfd_list_nodes(process->sim, nodes);

	process->devices = calloc(count ? count : 1, sizeof(struct kfd_device));
	if (!process->devices)
		return -ENOMEM;
	process->device_count = count;
	for (unsigned i = 0; i < count; i++) {
		struct kfd_device *device = &process->devices[i];

		device->process = process;
		device->node = nodes[i];
		device->removals = nodes[i].gpu->removals;
	}
	return 0;
}

struct kfd_process *
kfd_process_find(const struct sim *sim, pid_t pid)
{
	for (struct kfd_process *p = sim->kfd->processes; p; p = p->next)
		if (p->pid == pid)
			return p;
	return NULL;
}

int
kfd_process_open(struct sim *sim, pid_t pid, struct kfd_process **out)
{
	const uint64_t image = read_image(pid);
	struct kfd_process *process = kfd_process_find(sim, pid);

	if (process && process->image != image) {
		end_process(process);
		process = NULL;
	}
	if (process) {
		*out = process;
		return 0;
	}
	process = calloc(1, sizeof(*process));
	if (!process)
		return -ENOMEM;
	process->sim = sim;
	process->pid = pid;
	process->image = image;
	process->references = 1;
	if (make_devices(process)) {
		free_process(process);
		return -ENOMEM;
	}
	poll_end(process);
	process->next = sim->kfd->processes;
	sim->kfd->processes = process;
	*out = process;
	return 0;
}

struct kfd_device *
kfd_process_device(const struct kfd_process *process, uint32_t gpu_id)
{
	for (unsigned i = 0; i < process->device_count; i++) {
		struct kfd_device *device = &process->devices[i];

		if (device->node.id == gpu_id &&
		    !sim_gpu_is_gone(device->node.gpu, device->removals))
			return device;
	}
	return NULL;
}
