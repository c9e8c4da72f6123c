/* SPDX-License-Identifier: BSD-3-Clause */
/* The hardware as a whole: made from the GPU's description. */
#ifndef DRMSIM_AMDGPU_GFX_HARDWARE_H
#define DRMSIM_AMDGPU_GFX_HARDWARE_H

struct amdgpu;
struct sim_text;

/*
 * Create the hardware that the description says. Returns 0 or -errno; the
 * caller calls hardware_free() in any case.
 */
int hardware_create(struct amdgpu *amdgpu, const struct sim_text *description);
void hardware_free(struct amdgpu *amdgpu);
/* Set registers to what they hold after power-up, counters too. */
void
hardware_power_up(struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_GFX_HARDWARE_H */
