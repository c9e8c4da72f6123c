/* SPDX-License-Identifier: BSD-3-Clause */
/* STREAM_OPEN: what is asked for, in the kernel's order of checks. */
#ifndef DRMSIM_XE_OA_OPEN_H
#define DRMSIM_XE_OA_OPEN_H

#include <stdint.h>

struct sim_call;
struct sim_file;

/* address: of the properties. The descriptor, or -errno. */
int
sim_xe_stream_open(struct sim_call *call, struct sim_file *file,
		   uint64_t address);

#endif /* DRMSIM_XE_OA_OPEN_H */
