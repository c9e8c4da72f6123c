/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of a simulated kernel driver: one static const struct, which
 * bus/drivers.c lists. The server has one thread: no function needs a lock, and
 * none may block.
 */
#ifndef DRMSIM_MACHINE_DRIVER_H
#define DRMSIM_MACHINE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sim_bo;
struct sim_file;
struct sim_gpu;
struct sim_ioctl;
struct sim_mapping;
struct sim_text;

/* Interference of another profiler with counters that are not its own. */
enum sim_foreign {
	SIM_FOREIGN_SELECTS,
	SIM_FOREIGN_MASKS,
	SIM_FOREIGN_RESET,
	SIM_FOREIGN_STOP,
	SIM_KERNEL_STEERING, /* the kernel names another instance by MMIO */
};

struct sim_driver {
	const char *name; /* as DRM_IOCTL_VERSION and sysfs show it */
	const char *description;
	const char *date;
	int version[3];

	/* An ioctl wakes a suspended device. */
	bool ioctls_wake;

	/* Driver ioctls, numbers from DRM_COMMAND_BASE on. */
	const struct sim_ioctl *ioctls;
	size_t ioctl_count;

	/*
	 * Make gpu->data from the lines of the GPU's description file and
	 * write whatever sysfs has beyond the files of every PCI and DRM
	 * device. Called once, in the order of PCI addresses.
	 */
	int (*probe)(struct sim_gpu *gpu, const struct sim_text *description);
	void (*remove)(struct sim_gpu *gpu);

	/*
	 * Handle a scenario line, a "drmsim ctl set", or a --gpu option that is
	 * not one of the common ones. Returns 0, -ENOENT if there is no such
	 * key, or -EINVAL if the value is bad.
	 */
	int (*set)(struct sim_gpu *gpu, const char *key, const char *value);

	/*
	 * Lines of /proc/PID/fdinfo/FD behind drm-driver, drm-client-id and
	 * drm-pdev: "drm-engine-gfx:\t12 ns". NULL: not even those three.
	 */
	void (*fdinfo)(struct sim_file *file, FILE *out);

	/*
	 * Note that an open file description appears, or goes; both may use
	 * file->data. NULL: nothing belongs to one.
	 */
	int (*open)(struct sim_file *file);
	void (*close)(struct sim_file *file);

	/*
	 * mmap() of a node at an offset that an ioctl gave out. NULL: none
	 * gives out any.
	 */
	int (*mmap)(struct sim_file *file, uint64_t offset, uint64_t length,
		    struct sim_mapping *out);

	/*
	 * Time. next is the earliest moment, above or at now, at which
	 * something happens by itself; SIM_NEVER if nothing will. advance is
	 * called with that moment, or an earlier one, as now.
	 */
	uint64_t (*next)(const struct sim_gpu *gpu);
	void (*advance)(struct sim_gpu *gpu, uint64_t now);

	/*
	 * Bring files up to date whose reading cannot be observed, after a
	 * command moved virtual time on, which stands still now. May be NULL.
	 */
	void (*settle)(struct sim_gpu *gpu);

	/*
	 * True while the hardware waits for memory that only a process can
	 * change: it is then advanced again every fraction of a millisecond,
	 * and virtual time does not run away from that process. May be NULL.
	 */
	bool (*polls)(const struct sim_gpu *gpu);

	/*
	 * Reset the hardware, which loses its state, guilty or not:
	 * "reset-gpu".
	 */
	void (*reset)(struct sim_gpu *gpu);
	/*
	 * Reset an engine alone, which the kernel counts where no program can
	 * see it: "reset-engine". If NULL, reset() is called.
	 */
	void (*reset_engine)(struct sim_gpu *gpu);
	/*
	 * Interfere as another profiler. NULL: it cannot disturb the counters.
	 */
	void (*foreign)(struct sim_gpu *gpu, enum sim_foreign what);
	/*
	 * Take what programs have written into files of sysfs, before files
	 * that depend on it are read. May be NULL.
	 */
	void (*refresh)(struct sim_gpu *gpu);
	/* Lines of the report, each beginning with the GPU's index. */
	void (*report)(struct sim_gpu *gpu, FILE *out);
	/* Handles of a file: the last one of a buffer object was closed. */
	void (*bo_closed)(struct sim_file *file, struct sim_bo *bo);
};

extern const struct sim_driver sim_driver_amdgpu, sim_driver_i915,
	sim_driver_xe;

#endif /* DRMSIM_MACHINE_DRIVER_H */
