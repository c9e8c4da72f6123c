/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a scenario for a GPU under xe. */
#ifndef DRMSIM_XE_SETTING_H
#define DRMSIM_XE_SETTING_H

struct sim_gpu;

int
sim_xe_set(struct sim_gpu *gpu, const char *key, const char *value);

#endif /* DRMSIM_XE_SETTING_H */
