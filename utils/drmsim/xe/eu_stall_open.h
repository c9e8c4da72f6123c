/* SPDX-License-Identifier: BSD-3-Clause */
/* STREAM_OPEN of EU stalls, in the kernel's order of checks. */
#ifndef DRMSIM_XE_EU_STALL_OPEN_H
#define DRMSIM_XE_EU_STALL_OPEN_H

#include <stdint.h>

struct sim_call;
struct sim_xe;

/* address: of the properties. The descriptor, or -errno. */
int
sim_eu_stall_open(struct sim_call *call, struct sim_xe *device,
		  uint64_t address);

#endif /* DRMSIM_XE_EU_STALL_OPEN_H */
