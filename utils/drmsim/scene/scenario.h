/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scenario files: lines of a key and its value, as drmsim ctl set takes them,
 * for all GPUs or, after a line "gpu N", for that one.
 */
#ifndef DRMSIM_SCENE_SCENARIO_H
#define DRMSIM_SCENE_SCENARIO_H

#include <stddef.h>

struct sim;

/* Read a scenario. Returns 0, or -errno with what is wrong in error. */
int sim_scenario_read(struct sim *sim, const char *path, char *error,
		      size_t size);

#endif /* DRMSIM_SCENE_SCENARIO_H */
