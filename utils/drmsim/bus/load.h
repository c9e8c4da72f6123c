/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready scenarios: gpus/KIND.load has what a GPU of that kind does while some
 * sort of program runs, below a line "load NAME" for each.
 */
#ifndef DRMSIM_BUS_LOAD_H
#define DRMSIM_BUS_LOAD_H

#include <stddef.h>

struct sim;

/* All GPUs do that: 0 or -errno, with what is wrong in error. */
int
sim_gpus_load(struct sim *sim, const char *name, char *error, size_t size);

#endif /* DRMSIM_BUS_LOAD_H */
