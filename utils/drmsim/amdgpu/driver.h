/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_AMDGPU_DRIVER_H
#define DRMSIM_AMDGPU_DRIVER_H

struct sim_driver;

extern const struct sim_driver sim_driver_amdgpu;

#endif /* DRMSIM_AMDGPU_DRIVER_H */
