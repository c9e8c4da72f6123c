/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU: one PCI function with DRM nodes, made by --gpu. */
#ifndef DRMSIM_MACHINE_GPU_H
#define DRMSIM_MACHINE_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_driver;
struct sim_gpu_folder;

struct sim_gpu {
	struct sim *sim;
	const struct sim_driver *driver;
	unsigned index; /* order of PCI addresses, from 0 */
	char kind[32];	/* "vega10" */
	struct {
		unsigned domain, bus, device, function;
		uint16_t vendor, device_id, subvendor, subdevice;
		uint8_t revision;
		uint32_t class;
	} pci;
	char address[16]; /* "0000:03:00.0" */
	unsigned card;	  /* minor of the primary node; cardN */
	unsigned render;  /* minor of the render node, 128 + N */
	/*
	 * Pairs of nodes, one after the other: the first is the PCI device's,
	 * each of the others has a platform device, amdgpu_xcp_N.
	 */
	unsigned partitions;
	unsigned platform; /* N of the first platform device */
	bool gone;	  /* unplugged: every call answers -ENODEV */
	unsigned removals; /* how often it has gone; see sim_gpu_is_gone() */
	bool gated_clock; /* --fault gated-clock */
	bool suspended;	  /* runtime power management has it asleep */
	uint64_t resumes; /* how often it was woken */
	uint64_t submissions;
	int version[3];	  /* of its driver: the kernel that it needs */
	void *data;	  /* the driver's */
	struct sim_gpu_folder *folders; /* gpu_files.c */
};

#endif /* DRMSIM_MACHINE_GPU_H */
