/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues that run without calls of programs. */
#ifndef DRMSIM_KFD_RUN_H
#define DRMSIM_KFD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sim;
struct sim_gpu;

/* Run all queues up to that time. */
void
kfd_advance(struct sim *sim, uint64_t now);
/* Return when the first thing that was launched ends, or SIM_NEVER. */
uint64_t
kfd_next(const struct sim *sim);
/* Return the host's ns until queues are to be looked at again, or SIM_NEVER. */
uint64_t
kfd_poll_ns(const struct sim *sim);
/* Write a line of the report to out. */
void
kfd_report(const struct sim *sim, const struct sim_gpu *gpu, FILE *out);

#endif /* DRMSIM_KFD_RUN_H */
