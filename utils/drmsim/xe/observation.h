/* SPDX-License-Identifier: BSD-3-Clause */
/* OBSERVATION: streams of an OA unit, and the metric sets for them. */
#ifndef DRMSIM_XE_OBSERVATION_H
#define DRMSIM_XE_OBSERVATION_H

struct sim_call;
struct sim_file;

int
sim_xe_observation(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_XE_OBSERVATION_H */
