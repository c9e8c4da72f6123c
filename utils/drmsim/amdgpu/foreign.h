/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another profiler, which takes the counters as its own: nothing in the kernel
 * keeps two of them apart.
 */
#ifndef DRMSIM_AMDGPU_FOREIGN_H
#define DRMSIM_AMDGPU_FOREIGN_H

#include "machine/driver.h"

struct amdgpu;

/* On all dies, from a ring that is nobody's, to what is programmed now. */
void foreign_strike(struct amdgpu *amdgpu, enum sim_foreign what);

#endif /* DRMSIM_AMDGPU_FOREIGN_H */
