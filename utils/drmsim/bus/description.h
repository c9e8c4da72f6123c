/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of the kinds of GPUs: gpus/KIND.gpu describes one, and
 * gpus/KIND.load has what it does while some sort of program runs, ready
 * scenarios below a line "load NAME" for each.
 */
#ifndef DRMSIM_BUS_DESCRIPTION_H
#define DRMSIM_BUS_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sim;
struct sim_text;

/*
 * List names of all kinds, one a line, with what each is called and its other
 * names if they are to be described: 0; -ENOENT if there are none.
 */
int sim_descriptions_list(FILE *out, bool described);
/*
 * Read the description whose own name, or one of whose aliases, is kind.
 * Returns 0, -ENOENT, or as sim_text_read().
 */
int sim_description_read(const char *kind, struct sim_text **out,
			 unsigned *line);

/*
 * Apply the load of this name to all GPUs. Returns 0, or -errno with the reason
 * in error.
 */
int
sim_gpus_load(struct sim *sim, const char *name, char *error, size_t size);

#endif /* DRMSIM_BUS_DESCRIPTION_H */
