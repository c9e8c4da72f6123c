/* SPDX-License-Identifier: BSD-3-Clause */
/* The PMU that xe registers with perf. */
#ifndef DRMSIM_XE_PMU_H
#define DRMSIM_XE_PMU_H

struct sim_xe;

int
sim_xe_pmu_register(struct sim_xe *device);

#endif /* DRMSIM_XE_PMU_H */
