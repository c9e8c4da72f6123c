/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * STREAM_OPEN: what is asked for, in the kernel's order of checks. Both take
 * the address of the properties, and return the descriptor, or -errno.
 */
#ifndef DRMSIM_XE_STREAM_OPEN_H
#define DRMSIM_XE_STREAM_OPEN_H

#include <stdint.h>

struct sim_call;
struct sim_file;
struct sim_xe;

/* Open a stream of OA reports: oa_open.c. */
int
sim_xe_stream_open(struct sim_call *call, struct sim_file *file,
		   uint64_t address);
/* Open a stream of EU stalls: eu_stall_open.c. */
int
sim_eu_stall_open(struct sim_call *call, struct sim_xe *device,
		  uint64_t address);

#endif /* DRMSIM_XE_STREAM_OPEN_H */
