/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of sysfs. A path is relative to the PCI device's directory unless it
 * begins with '/', which is then below the simulated root ("/sys/...",
 * "/proc/sys/..."). Directories are made as needed; an existing file is
 * replaced. A failure is the host's file system's: it is reported, and no more.
 */
#ifndef DRMSIM_MACHINE_GPU_FILES_H
#define DRMSIM_MACHINE_GPU_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/printf.h"

struct sim_gpu;
struct sim_words;

void sim_gpu_file(struct sim_gpu *gpu, const char *path, const char *format,
		  ...) SIM_PRINTF(3, 4);
void sim_gpu_bytes(struct sim_gpu *gpu, const char *path, const void *bytes,
		   size_t size);
void sim_gpu_link(struct sim_gpu *gpu, const char *path, const char *target,
		  ...) SIM_PRINTF(3, 4);
void sim_gpu_remove_file(struct sim_gpu *gpu, const char *path);
/*
 * Parse "NAME LINE...": a file that nothing else of the simulator writes; "NAME
 * none": there is no such file. It goes and comes back with the GPU. Returns 0,
 * -ENOMEM, or -EINVAL for a path that leads out of the folder or for no lines.
 */
int
sim_gpu_set_file(struct sim_gpu *gpu, const struct sim_words *words);
/*
 * Read the file as it is now: a simulated program may have written it. Returns
 * the number of bytes, at most size - 1, or -errno; text is terminated.
 */
ssize_t sim_gpu_read_file(struct sim_gpu *gpu, const char *path, char *text,
			  size_t size);

/* Put a file of one number; the second function only where there is none. */
void
sim_gpu_number_file(struct sim_gpu *gpu, const char *path, uint64_t number);
void
sim_gpu_default_number_file(struct sim_gpu *gpu, const char *path,
			    uint64_t number);
/* Return the number in a file as it is now, or another if there is no file. */
long
sim_gpu_read_number(struct sim_gpu *gpu, const char *path, long otherwise);

/* Become a device of the class hwmon, with that name and the files named. */
void sim_gpu_add_hwmon(struct sim_gpu *gpu, const char *name);
void sim_gpu_hwmon_file(struct sim_gpu *gpu, const char *name,
			const char *format, ...) SIM_PRINTF(3, 4);
void sim_gpu_hwmon_remove(struct sim_gpu *gpu, const char *name);

/*
 * Let the entry of this name in a folder, with all below it, go and come back
 * with the GPU: 0 or -ENOMEM. folder stays the caller's.
 */
int sim_gpu_add_folder(struct sim_gpu *gpu, const char *folder,
		       const char *name);
void sim_gpu_hide_folders(struct sim_gpu *gpu, bool gone);
void sim_gpu_forget_folders(struct sim_gpu *gpu);

#endif /* DRMSIM_MACHINE_GPU_FILES_H */
