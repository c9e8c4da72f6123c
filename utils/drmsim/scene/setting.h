/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings: words of a scenario, of "drmsim ctl set" and of --gpu; and scenario
 * files: lines of a key and its value, for all GPUs or, after a line "gpu N",
 * for that one.
 */
#ifndef DRMSIM_SCENE_SETTING_H
#define DRMSIM_SCENE_SETTING_H

#include <stddef.h>

struct sim;
struct sim_gpu;

/*
 * Set a key of a GPU. Returns 0, -ENOENT if there is no such key, or -EINVAL if
 * the value is bad.
 */
int sim_gpu_set(struct sim_gpu *gpu, const char *key, const char *value);
/*
 * Set a key of all GPUs or, with "gpuN." before the key, of one. Returns 0,
 * -ENOENT, -EINVAL, or -ENODEV if there is no such GPU.
 */
int sim_set(struct sim *sim, const char *key, const char *value);

/* Read a scenario. Returns 0, or -errno with what is wrong in error. */
int sim_scenario_read(struct sim *sim, const char *path, char *error,
		      size_t size);

#endif /* DRMSIM_SCENE_SETTING_H */
