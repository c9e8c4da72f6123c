/* SPDX-License-Identifier: BSD-3-Clause */
/* General ioctls of a process about its GPUs. */
#ifndef DRMSIM_KFD_DEVICE_H
#define DRMSIM_KFD_DEVICE_H

#include "kfd/ioctls.h"

kfd_handler device_get_clock_counters, device_get_apertures,
	device_get_apertures_new, device_acquire_vm, device_set_memory_policy,
	device_set_scratch_backing, device_get_tile_config,
	device_set_trap_handler, device_set_xnack_mode;

#endif /* DRMSIM_KFD_DEVICE_H */
