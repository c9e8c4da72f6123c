/* SPDX-License-Identifier: BSD-3-Clause */
/* An ioctl of a DRM node: the permissions it needs, and its handler. */
#ifndef DRMSIM_KERNEL_IOCTL_H
#define DRMSIM_KERNEL_IOCTL_H

struct sim_call;
struct sim_file;

/* The kernel's meaning of the same flags. */
enum sim_ioctl_flags {
	SIM_AUTH = 1,	/* an authenticated client, if on a primary node */
	SIM_MASTER = 2, /* the DRM master */
	SIM_RENDER = 4, /* allowed on render nodes */
};

struct sim_ioctl {
	/*
	 * The whole request code as in the kernel's header. As in the kernel
	 * a caller's request is matched by its number alone, and an argument
	 * of another size is cut or filled with zeros.
	 */
	unsigned long request;
	/* Lower case; --fault, the report and drmsim_calls() use it. */
	const char *name;
	unsigned flags;
	/* arg: a private copy of the caller's argument, zero filled. */
	int (*handle)(struct sim_call *call, struct sim_file *file, void *arg);
};

#endif /* DRMSIM_KERNEL_IOCTL_H */
