/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /proc/PID/fdinfo/FD of a DRM node's descriptor: lines of any file, lines of
 * any DRM client, and lines of the driver. [Linux 6.12
 * Documentation/gpu/drm-usage-stats.rst]
 */
#ifndef DRMSIM_KERNEL_FDINFO_H
#define DRMSIM_KERNEL_FDINFO_H

#include <stdint.h>
#include <stdio.h>

struct sim_call;

/*
 * Handle PROTOCOL_FDINFO: gives a file with the text, or -ENOENT for what is
 * the host's business.
 */
int sim_fdinfo(struct sim_call *call);

/*
 * Write "drm-WHAT-REGION:" in the largest unit that leaves a whole number, as
 * the kernel does.
 */
void sim_fdinfo_put_memory(FILE *out, const char *what, const char *region,
			   uint64_t bytes);

#endif /* DRMSIM_KERNEL_FDINFO_H */
