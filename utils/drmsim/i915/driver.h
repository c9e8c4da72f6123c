/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_I915_DRIVER_H
#define DRMSIM_I915_DRIVER_H

struct sim_driver;

extern const struct sim_driver sim_driver_i915;

#endif /* DRMSIM_I915_DRIVER_H */
