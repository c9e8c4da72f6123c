/* SPDX-License-Identifier: BSD-3-Clause */
/* An open file description of a node: dup() and fork() share it. */
#ifndef DRMSIM_KERNEL_FILE_H
#define DRMSIM_KERNEL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/slots.h"

struct sim_chardev;
struct sim_gpu;

/* A count of fdinfo that its readings make of a register of 32 bits. */
struct sim_file_count {
	uint64_t real; /* at the last reading */
	uint64_t told;
};

struct sim_file {
	struct sim_gpu *gpu; /* NULL: a device that is no GPU's */
	const struct sim_chardev *device; /* that one */
	unsigned partition; /* of the GPU, whose node was opened */
	unsigned removals; /* of the GPU, when it was opened */
	uint64_t id;	/* never 0, never used twice */
	bool primary;	/* opened through cardN */
	bool master;	/* DRM master of the primary node */
	bool authenticated;
	bool killed; /* being closed because its process was killed */
	uint32_t magic;
	pid_t pid;	/* of the opener */
	unsigned client; /* drm-client-id */
	uint64_t opened; /* simulated time */
	struct sim_file_count counts[8]; /* the driver's */
	void *data;	/* the driver's */
	struct sim_slots bos; /* bo.c */
	struct sim_slots syncobjs; /* syncobj.c */
};

#endif /* DRMSIM_KERNEL_FILE_H */
