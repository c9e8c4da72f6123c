/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another profiler, which takes the counters as its own: nothing in the kernel
 * keeps two of them apart.
 */
#ifndef DRMSIM_AMDGPU_FOREIGN_H
#define DRMSIM_AMDGPU_FOREIGN_H

#include "machine/driver.h"

struct amdgpu;

/*
 * Interfere, on all dies, with what is programmed now, as another profiler does
 * from its own ring.
 */
void foreign_strike(struct amdgpu *amdgpu, enum sim_foreign what);

#endif /* DRMSIM_AMDGPU_FOREIGN_H */
