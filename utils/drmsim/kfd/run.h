/* SPDX-License-Identifier: BSD-3-Clause */
/* How queues go on by themselves. */
#ifndef DRMSIM_KFD_RUN_H
#define DRMSIM_KFD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sim;
struct sim_gpu;

/* Look at all queues, and do what can be done until then. */
void
kfd_advance(struct sim *sim, uint64_t now);
/* When something of what was launched ends; SIM_NEVER: nothing does. */
uint64_t
kfd_next(const struct sim *sim);
/* The host's ns until queues are to be looked at again; SIM_NEVER: none is. */
uint64_t
kfd_poll_ns(const struct sim *sim);
/* A line of the report. */
void
kfd_report(const struct sim *sim, const struct sim_gpu *gpu, FILE *out);

#endif /* DRMSIM_KFD_RUN_H */
