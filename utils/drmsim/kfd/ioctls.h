/* SPDX-License-Identifier: BSD-3-Clause */
/* An ioctl of /dev/kfd, in the file of what it is about. */
#ifndef DRMSIM_KFD_IOCTLS_H
#define DRMSIM_KFD_IOCTLS_H

struct kfd_process;
struct sim_call;

/* arg: a private copy of the caller's argument, zero filled. 0 or -errno. */
typedef int
kfd_handler(struct sim_call *call, struct kfd_process *process, void *arg);

struct kfd_ioctl {
	/*
	 * The code of the kernel's header; its number alone selects the call.
	 */
	unsigned long request;
	/* Lower case; --fault, the report and drmsim_calls() use it. */
	const char *name;
	kfd_handler *handle;
};

#endif /* DRMSIM_KFD_IOCTLS_H */
