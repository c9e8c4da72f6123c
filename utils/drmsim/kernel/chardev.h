/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A character device that belongs to no GPU, with one file in /dev: what a
 * kernel driver supplies for it. Open files are struct sim_file without a GPU.
 */
#ifndef DRMSIM_KERNEL_CHARDEV_H
#define DRMSIM_KERNEL_CHARDEV_H

#include <stdbool.h>

struct sim;
struct sim_call;
struct sim_file;

struct sim_chardev {
	const char *path; /* "/dev/kfd" */
	unsigned major, minor;
	/* False: the kernel was built without it, and there is no such file. */
	bool (*is_there)(const struct sim *sim);
	/* open() of the caller, whose open file is to be: 0 or -errno. */
	int (*open)(struct sim_call *call, struct sim_file *file);
	/* Close the open file, whose last descriptor is gone. */
	void (*close)(struct sim *sim, struct sim_file *file);
	/* PROTOCOL_IOCTL and PROTOCOL_MMAP of it. */
	int (*ioctl)(struct sim_call *call, struct sim_file *file);
	int (*mmap)(struct sim_call *call, struct sim_file *file);
};

#endif /* DRMSIM_KERNEL_CHARDEV_H */
