/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on what is not simulated, files and memory among them. Processes count
 * them by themselves, in a page that they share with the server, and ask it
 * only when one may have to fail.
 */
#ifndef DRMSIM_SCENE_OUTSIDE_H
#define DRMSIM_SCENE_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sim;

/* Make the page, for processes that start from now on. 0 or -errno. */
int sim_outside_create(struct sim *sim);
void sim_outside_destroy(struct sim *sim);

/* Return the PROTOCOL_OUTSIDE_* of a name, or -1. */
int sim_outside_find(const char *name);
const char *sim_outside_name(unsigned kind);
/* Return whether this kind of call can end with this errno. */
bool sim_outside_can_fail(unsigned kind, int error);

uint64_t sim_outside_calls(const struct sim *sim, unsigned kind);
/* Have processes ask from the n-th call on; SIM_NEVER: they only count. */
int sim_outside_ask_from(struct sim *sim, unsigned kind, uint64_t n);
/* Write lines of the report. */
void sim_outside_write_calls(const struct sim *sim, FILE *out);

#endif /* DRMSIM_SCENE_OUTSIDE_H */
