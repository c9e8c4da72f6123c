/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of a scenario, of "drmsim ctl set", and options of --gpu, that are
 * amdgpu's.
 */
#ifndef DRMSIM_AMDGPU_SETTING_H
#define DRMSIM_AMDGPU_SETTING_H

struct sim_gpu;

/* Implement sim_driver.set. */
int setting_set(struct sim_gpu *gpu, const char *key, const char *value);

#endif /* DRMSIM_AMDGPU_SETTING_H */
