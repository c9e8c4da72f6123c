/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/sim.h"

extern const struct sim_driver amdgpu_sim_driver;
extern const struct sim_driver i915_sim_driver;

const struct sim_driver *const sim_drivers[] = {
	&amdgpu_sim_driver,
	&i915_sim_driver,
	NULL,
};
