/* SPDX-License-Identifier: BSD-3-Clause */
/* Power state of a GPU, and its presence. */
#ifndef DRMSIM_MACHINE_POWER_H
#define DRMSIM_MACHINE_POWER_H

#include <stdbool.h>

struct sim_gpu;

/* Resume a device, or let it sleep: runtime power management. */
void sim_gpu_resume(struct sim_gpu *gpu);
void sim_gpu_suspend(struct sim_gpu *gpu);
/*
 * Unplug a GPU, and its files of sysfs with it; or plug it in again. What comes
 * back is another device to the kernel, whose hardware has lost its state.
 */
void sim_gpu_set_gone(struct sim_gpu *gpu, bool gone);
/*
 * Return whether the device has gone that was there when gpu->removals had this
 * value: files opened then stay dead, even if the GPU has come back.
 */
bool sim_gpu_is_gone(const struct sim_gpu *gpu, unsigned removals);

/* Reset the GPU, or an engine of it alone. */
void sim_gpu_reset(struct sim_gpu *gpu, bool engine);

#endif /* DRMSIM_MACHINE_POWER_H */
