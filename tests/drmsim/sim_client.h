/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator without a process or a socket: a machine in this process, and
 * the calls that a client's preload library would forward.
 */
#ifndef DRMPERF_TESTS_DRMSIM_SIM_CLIENT_H
#define DRMPERF_TESTS_DRMSIM_SIM_CLIENT_H

#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/gpu.h"
#include "machine/machine.h"

/* Begin a machine in virtual time with GPUs of these kinds; NULL ends them. */
struct sim *
sim_client_machine(const char *const *kinds);
void
sim_client_machine_destroy(struct sim *sim);

/* An open file of a GPU's render node. */
struct sim_client {
	struct sim_gpu *gpu;
	struct sim_file *file;
	int fd;
};

void
sim_client_open(struct sim_client *client, struct sim_gpu *gpu);
void
sim_client_close(struct sim_client *client);

/*
 * Issue an ioctl. What the kernel would write is written if all of it goes to
 * the memory named. The result, -errno, or SIM_SLEEP if the call would wait.
 */
int
sim_client_ioctl(struct sim_client *client, unsigned long request, void *arg,
		 void *memory, size_t size);

#endif /* DRMPERF_TESTS_DRMSIM_SIM_CLIENT_H */
