/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the kernel reports about a GPU. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_INFO_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/amdgpu/device/pm4.h"

/* How the kernel names a chip. */
struct amd_device_identity {
	uint32_t family;
	uint32_t revision; /* the "external" one */
	/* version of the graphics core, major << 16 | minor << 8 | revision;
	 * 0: the kernel is too old to say, or the chip is */
	uint32_t core;
};

/* Shape of a GPU as the kernel reports it (AMDGPU_INFO_DEV_INFO). */
struct amd_device_shape {
	unsigned engines;
	unsigned arrays; /* per engine */
	uint32_t cu_bitmap[4][4];
	uint32_t rb_mask; /* enabled render backends; 0: not known */
	unsigned channels; /* of the L2 cache; 0: not known */
	uint64_t channels_off; /* mask of fused-off ones */
	unsigned sdma_engines; /* 0: not known */
};

/* An open GPU as the kernel describes it. */
struct amd_device_info {
	uint32_t device_id; /* of PCI, as the next */
	uint32_t revision;
	struct amd_device_identity identity;
	struct amd_device_shape shape;
	uint32_t timestamp_khz; /* of the GPU's clock; 0: not known */
	uint64_t engine_khz; /* greatest clock of the graphics core */
	uint64_t memory_khz;
	unsigned memory_type; /* by the kernel's numbers, as the next */
	unsigned memory_bits; /* width of the bus */
	unsigned wave_size;
	/* the engines with rings to use, and the first one for all purposes */
	bool has_ring[PM4_ENGINES];
	enum pm4_engine engine;
	uint32_t firmware[PM4_ENGINES]; /* their versions; 0: not known */
	bool is_virtual; /* a virtual function of a GPU that is shared */
};

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_DEVICE_INFO_H */
