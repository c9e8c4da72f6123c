/* SPDX-License-Identifier: BSD-3-Clause */
/* From "--gpu vega10,option=value" to a device on the simulated bus. */
#ifndef DRMSIM_BUS_PLUG_H
#define DRMSIM_BUS_PLUG_H

#include <stddef.h>

struct sim;

/*
 * Put a GPU into the machine, by its kind and options: 0 or -errno, with what
 * is wrong in error.
 */
int sim_gpu_plug(struct sim *sim, const char *spec, char *error, size_t size);
/* Start after all have been put in: order, addresses, files, drivers. */
int sim_gpus_start(struct sim *sim, char *error, size_t size);
void sim_gpus_stop(struct sim *sim);

#endif /* DRMSIM_BUS_PLUG_H */
