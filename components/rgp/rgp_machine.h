/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file for RGP tells of a GPU of amdgpu and of its machine. */
#ifndef DRMPERF_COMPONENTS_RGP_RGP_MACHINE_H
#define DRMPERF_COMPONENTS_RGP_RGP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "drmperf.h"

/* A GPU and the machine it is in; 0 or "" if not known. */
struct rgp_machine {
	const char *cpu_vendor, *cpu_model;
	uint64_t cpu_mhz, threads, cores, memory_mib;
	const char *generation; /* of the GPU: "gfx10.3" */
	uint64_t vram_bytes;
	/* a moment on CLOCK_MONOTONIC, and by the GPU's time stamps; or 0 */
	uint64_t cpu_ns, gpu_ticks;
	/* the kernel's to AMDGPU_INFO_DEV_INFO, without zeros at the end */
	const uint8_t *answer;
	size_t answer_size;
};

/*
 * Where members of struct drm_amdgpu_info_device are, which only grows at its
 * end (Linux, include/uapi/drm/amdgpu_drm.h). Clocks are in kHz, sizes of
 * caches in KiB.
 */
enum rgp_machine_member {
	MACHINE_DEVICE_ID = 0,
	MACHINE_PCI_REVISION = 12,
	MACHINE_ENGINES = 20,
	MACHINE_ARRAYS = 24, /* of an engine */
	MACHINE_TIMESTAMP_KHZ = 28,
	MACHINE_ENGINE_KHZ = 32, /* 64 bits, as the next */
	MACHINE_MEMORY_KHZ = 40,
	MACHINE_CU_MASKS = 56, /* [4][4] */
	MACHINE_FLAGS = 136,
	MACHINE_VRAM_TYPE = 176,
	MACHINE_VRAM_BITS = 180,
	MACHINE_VGPRS = 244, /* of a SIMD */
	MACHINE_TCP_CACHE = 384,
	MACHINE_SCALAR_CACHE = 392,
	MACHINE_INSTRUCTION_CACHE = 396,
	MACHINE_GL1_CACHE = 400,
	MACHINE_L2_CACHE = 404,
	MACHINE_MALL_BYTES = 408, /* 64 bits, in bytes */
};

/* Return a member of the kernel's answer; 0: that kernel does not tell it. */
uint32_t
rgp_machine_u32(const struct rgp_machine *machine, unsigned member);
uint64_t
rgp_machine_u64(const struct rgp_machine *machine, unsigned member);
/* Return the clock of time stamps; 1 GHz if the kernel does not tell it. */
uint64_t
rgp_machine_timestamp_khz(const struct rgp_machine *machine);
/* Return a time in ticks of that clock. */
uint64_t
rgp_machine_ticks(const struct rgp_machine *machine, uint64_t ns);

/* Linux makes struct drm_amdgpu_info_device longer now and then. */
#define RGP_ANSWER_SIZE 1024

/* Facts, and what they point to. */
struct rgp_own_machine {
	struct rgp_machine facts;
	char cpu_vendor[16], cpu_model[64];
	uint8_t answer[RGP_ANSWER_SIZE];
};

/* Read the facts, as long as the machine and the device; what fails is 0. */
void
rgp_machine_read(const struct drmperf_device *device,
		 struct rgp_own_machine *machine);

/* What a file begins with. */
struct rgp_facts {
	uint64_t realtime_ns; /* when it was taken */
	const struct rgp_machine *machine;
	const char *chip; /* name of the GPU's */
	uint64_t engine_hz, memory_hz; /* at which it ran; 0: not known */
};

#endif /* DRMPERF_COMPONENTS_RGP_RGP_MACHINE_H */
