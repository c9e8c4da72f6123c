/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that describe GPUs, one for each kind: gpus/KIND.gpu. */
#ifndef DRMSIM_BUS_DESCRIPTION_H
#define DRMSIM_BUS_DESCRIPTION_H

#include <stdbool.h>
#include <stdio.h>

struct sim_text;

/*
 * Names of all kinds, one a line, with what each is called and its other names
 * if they are to be described: 0; -ENOENT if there are none.
 */
int sim_descriptions_list(FILE *out, bool described);
/*
 * Read the description whose own name, or one of whose aliases, is kind.
 * Returns 0, -ENOENT, or as sim_text_read().
 */
int sim_description_read(const char *kind, struct sim_text **out,
			 unsigned *line);

/*
 * Read the file of loads next to the description, by sim_description_read()'s
 * rules.
 */
int
sim_description_load(const char *kind, struct sim_text **out, unsigned *line);

#endif /* DRMSIM_BUS_DESCRIPTION_H */
