/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU that a context draws with, by its driver's description. */
#ifndef GL_GPU_H
#define GL_GPU_H

#include <limits.h>
#include <stdbool.h>

#include <drmperf.h>

/* A driver's description of its GPU; "" and 0 where it gives none. */
struct gl_renderer {
	char node[PATH_MAX];	 /* "/dev/dri/renderD128" */
	unsigned vendor, device; /* of PCI */
};

/*
 * Find the device: of that node; else the only one with these numbers, or the
 * only one of those that the process has open; of a driver that gives none of
 * these, the one that chosen names by index or PCI address, which may be NULL:
 * the environment variable DRMPERF_GPU.
 *
 * Returns 0; -ENODEV if it is none that can be counted, or none is known;
 * -ENOTUNIQ if it may be several; -EINVAL if chosen is no name of a device.
 */
int gl_gpu_find(struct drmperf *drmperf, const struct gl_renderer *renderer,
		const char *chosen, struct drmperf_device **out,
		struct drmperf_error *error);

/* Room for a PCI address, or what else a node's device is called. */
#define GL_ADDRESS_SIZE (NAME_MAX + 1)

/*
 * Write the PCI address of the GPU to address, whether it can be counted or
 * not; "" if the driver does not tell which one it is.
 */
void gl_gpu_address(struct drmperf *drmperf, const struct gl_renderer *renderer,
		    char address[GL_ADDRESS_SIZE]);

/* Write into text's cause which GPU counts, and whose work. */
void gl_gpu_describe(const struct drmperf_device *device,
		     struct drmperf_error *text);

#endif /* GL_GPU_H */
